//! The plan as a view in the window of an agent (MCP Apps, `io.modelcontextprotocol/ui`).
//!
//! The view is a document that the page's crate draws. It gets the answers of the tools that make
//! plans, and names the command by which a person agrees at a terminal. It shows the links that were
//! signed, too, which are the user's alone. It calls no tool, and what it could send would not count as
//! consent either.

use crate::domain::SharedLink;
use crate::error::Error;
use crate::service::PlanView;
use rmcp::model::{
    ExtensionCapabilities, JsonObject, MetaObject, ReadResourceResult, Resource, ResourceContents,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};
use serde_json::{Value as Json, json};

/// The address of the view.
pub const URI: &str = "ui://plan";
const MIME_TYPE: &str = "text/html;profile=mcp-app";
const EXTENSION: &str = "io.modelcontextprotocol/ui";
/// The command by which a person agrees.
const APPROVE: &str = "dialog2api plan approve";
/// The most effects and calls of a plan that the view draws by itself. Of a longer one it shows the
/// words of a terminal, which fold it.
const DRAWN: usize = 500;

/// What the server says of itself.
pub fn extensions() -> ExtensionCapabilities {
    let settings = object(json!({"mimeTypes": [MIME_TYPE]}));
    ExtensionCapabilities::from([(EXTENSION.to_owned(), settings)])
}

/// The metadata of a tool whose answers the view shows. The view needs no tools.
pub fn of_tool() -> MetaObject {
    let ui = json!({"resourceUri": URI, "visibility": ["model"]});
    // Clients before the extension was stable look for the second.
    MetaObject(object(json!({"ui": ui, "ui/resourceUri": URI})))
}

pub fn list() -> Vec<Resource> {
    let view = Resource::new(URI, "plan").with_title("The plan");
    let view = view.with_description("Shows a plan that waits, and the command that approves it");
    vec![view.with_mime_type(MIME_TYPE).with_meta(of_view())]
}

/// Reads the view.
///
/// # Errors
/// The system gives no randomness.
pub fn read() -> Result<ReadResourceResult, ErrorData> {
    let html = web_desk::app(APPROVE)
        .map_err(Error::bug("the view cannot be made"))
        .map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
    let view = ResourceContents::text(html, URI).with_mime_type(MIME_TYPE);
    Ok(ReadResourceResult::new(vec![view.with_meta(of_view())]))
}

/// The view loads nothing from anywhere.
fn of_view() -> MetaObject {
    let csp = json!({"connectDomains": [], "resourceDomains": []});
    let ui = json!({"csp": csp, "permissions": {"clipboardWrite": {}}, "prefersBorder": false});
    MetaObject(object(json!({"ui": ui})))
}

/// What the view draws of a plan, beside what models read; `None` where it is too long.
pub fn drawn(plan: &PlanView) -> Option<Json> {
    let is_short = plan.effects.len() <= DRAWN && plan.calls.len() <= DRAWN;
    is_short.then(|| serde_json::to_value(plan).ok())?
}

/// The metadata of an answer with a plan or with links.
pub fn of_answer(plan: Option<&Json>, links: &[SharedLink]) -> Option<MetaObject> {
    let mut meta = JsonObject::default();
    if let Some(plan) = plan {
        meta.insert(web_desk::PLAN_KEY.to_owned(), plan.clone());
    }
    if !links.is_empty() {
        meta.insert(web_desk::LINKS_KEY.to_owned(), json!(links));
    }
    (!meta.is_empty()).then_some(MetaObject(meta))
}

/// Whether the client shows views.
pub fn has_view(context: &RequestContext<RoleServer>) -> bool {
    let can = context.client_capabilities().and_then(|it| it.extensions);
    can.is_some_and(|extensions| extensions.contains_key(EXTENSION))
}

fn object(json: Json) -> JsonObject {
    match json {
        Json::Object(object) => object,
        _ => JsonObject::default(),
    }
}
