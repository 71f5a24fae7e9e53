//! What came of a call: as text for models, and as JSON for programs.

mod kept;
mod text;

use super::open::Open;
use super::told::Told;
use super::{app, tools};
use crate::dialogue::ProgramError;
use crate::domain::SharedLink;
use crate::error::Error;
use crate::exec::CallRecord;
use crate::plan::Effect;
use rmcp::model::{CallToolResult, ContentBlock};
use serde::{Serialize, Serializer};
use serde_json::Value as Json;
pub use text::question;

/// The most effects and calls that are listed. The others are counted.
const LISTED: usize = 500;

/// How a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// It is done.
    Done,
    /// A program, or what it should do, failed.
    #[default]
    Failed,
    /// A person has to agree first.
    Waiting,
    /// A person said no, or the plan was discarded.
    Declined,
    /// There was nothing to do.
    Nothing,
}

/// What came of a program, a plan or an undo.
#[derive(Debug, Default, Serialize)]
pub struct Report {
    pub status: Status,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan_id: Option<String>,
    /// What the program returned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<Failure>,
    /// What the program printed.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub output: String,
    /// In words, where there is something to add.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub message: String,
    /// In a domain with worksheets: what is filled in, what is missing, and why it is asked.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub forms: String,
    /// What people should know of the world.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// What the links are for that were signed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<String>,
    /// The listings that the program did not read to the end.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unread: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "listed")]
    pub calls: Vec<CallRecord>,
    /// What was changed.
    #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "listed")]
    pub changes: Vec<Effect>,
    /// The plan that waits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan: Option<Json>,
    /// How many effects and calls of the plan, or of what was done, are not listed in the JSON. The text
    /// counts calls, and leaves none out.
    #[serde(skip_serializing_if = "crate::plan::is_zero")]
    pub left_out: usize,
    /// What a view draws of the plan that waits. It is no part of what models read.
    #[serde(skip)]
    pub drawn: Option<Json>,
    /// The links themselves, which models do not read either.
    #[serde(skip)]
    pub shared: Vec<SharedLink>,
}

/// An error, with its line in the program.
#[derive(Debug, Serialize)]
pub struct Failure {
    pub error: String,
    pub message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub traceback: Option<String>,
}

impl From<ProgramError> for Failure {
    fn from(error: ProgramError) -> Self {
        Failure {
            line: error.line(),
            error: error.error,
            message: error.message,
            traceback: error.traceback,
        }
    }
}

impl Report {
    /// A program that could not be read.
    pub fn unread(error: ProgramError) -> Report {
        Report {
            error: Some(error.into()),
            ..Report::default()
        }
    }

    /// The same with the forms of its session, as they are now. That they cannot be read keeps
    /// nothing else from being told.
    #[must_use]
    pub fn showing(mut self, open: &Open) -> Report {
        self.forms = match open.conversation.situation() {
            Ok(Some(situation)) => situation.shown,
            Ok(None) => String::new(),
            Err(error) => error.to_string(),
        };
        self
    }

    /// The same with what was told of the world meanwhile.
    #[must_use]
    pub fn telling(mut self, Told { notes, links }: Told) -> Report {
        self.notes = notes;
        self.links = links.iter().map(|link| link.about.clone()).collect();
        self.shared = links;
        self
    }

    /// The answer to a call. Links are in it where a view shows them to the user.
    pub fn answer(&self, has_view: bool) -> CallToolResult {
        let json = serde_json::to_value(self).unwrap_or_default();
        let mut result = match self.status {
            Status::Failed => CallToolResult::structured_error(json),
            _ => CallToolResult::structured(json),
        };
        result.content = vec![ContentBlock::text(self.text())];
        let links = if has_view { &self.shared[..] } else { &[] };
        result.meta = app::of_answer(self.drawn.as_ref(), links);
        result
    }
}

/// The first of a list; [`Report::left_out`] counts the others.
fn listed<T: Serialize, S: Serializer>(all: &[T], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(all.iter().take(LISTED))
}

/// Text and JSON of something that was looked up.
pub fn looked_up(text: String, json: Json) -> CallToolResult {
    let mut result = CallToolResult::structured(json);
    result.content = vec![ContentBlock::text(text)];
    result
}

/// The answer to a call that could not be carried out.
pub fn refused(error: &Error) -> CallToolResult {
    let report = Report {
        error: Some(Failure {
            error: tools::REFUSED.to_owned(),
            message: error.to_string(),
            line: None,
            traceback: None,
        }),
        ..Report::default()
    };
    report.answer(false)
}
