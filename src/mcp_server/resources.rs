//! What can be read by its address: the view of plans, the API, sessions and plans. Nothing is asked or
//! changed by it.

use super::{Inner, app};
use crate::error::{Error, Result};
use crate::journal::{ReadSession, read_plan_id};
use crate::service::PlanView;
use rmcp::ErrorData;
use rmcp::model::{ReadResourceResult, Resource, ResourceContents, ResourceTemplate};
use serde_json::json;

const TEXT: &str = "text/plain";
const API: &str = "api://";
const SESSION: &str = "session://";
const PLAN: &str = "plan://";

impl Inner {
    /// The resources that are there always.
    pub fn resources(&self) -> Vec<Resource> {
        let name = &self.parts.domain.name;
        let api = Resource::new(format!("{API}{name}"), "api").with_title("The API");
        let api = api.with_description("The operations that programs call, as Python stubs");
        let mut list = app::list();
        list.push(api.with_mime_type(TEXT));
        list
    }

    /// Reads a resource.
    ///
    /// # Errors
    /// There is none of this address.
    pub fn resource(&self, uri: &str) -> Result<ReadResourceResult, ErrorData> {
        let text = if let Some(name) = uri.strip_prefix(SESSION) {
            self.course(name).map(|(text, _)| text)
        } else if let Some(id) = uri.strip_prefix(PLAN) {
            self.plan(id)
        } else if uri.strip_prefix(API) == Some(&self.parts.domain.name) {
            Ok(self.parts.domain.document("", &[]).into_owned())
        } else if uri == app::URI {
            return app::read();
        } else {
            Err(Error::usage(format!(
                "there is no resource {uri}; there are {}, {API}{}, {SESSION}NAME and {PLAN}ID",
                app::URI,
                self.parts.domain.name
            )))
        };
        let text = text.map_err(|error| {
            ErrorData::resource_not_found(error.to_string(), Some(json!({"uri": uri})))
        })?;
        let contents = ResourceContents::text(text, uri).with_mime_type(TEXT);
        Ok(ReadResourceResult::new(vec![contents]))
    }

    /// A plan of a session of this world, whatever has become of it, with its program.
    fn plan(&self, id: &str) -> Result<String> {
        let (session, _) = read_plan_id(id)?;
        let ReadSession {
            state, contents, ..
        } = self.readable(session)?;
        let unknown = || Error::usage(format!("there is no plan {id} in the session {session}"));
        let known = state.plan_named(session, id).ok_or_else(unknown)?;
        let planned = &known.planned;
        let shown = planned.shown(&contents);
        let words = &self.parts.domain.words;
        let view = PlanView::new(planned.id, planned.origin, &shown, words);
        let program = state.program_of(planned.origin);
        let text = self.parts.host.plan(&view, program.map(|it| it.code()));
        Ok(format!("{text}It is {}.\n", super::look::standing(known)))
    }
}

/// The addresses of sessions and plans.
pub fn templates() -> Vec<ResourceTemplate> {
    let template = |uri: String, name: &str, title: &str, about: &str| {
        let template = ResourceTemplate::new(uri, name).with_title(title);
        template.with_description(about).with_mime_type(TEXT)
    };
    vec![
        template(
            format!("{SESSION}{{session}}"),
            "session",
            "A session",
            "The programs, outcomes and plans of a session with this world",
        ),
        template(
            format!("{PLAN}{{+plan_id}}"),
            "plan",
            "A plan",
            "What a plan changes, its program, and what has become of it",
        ),
    ]
}
