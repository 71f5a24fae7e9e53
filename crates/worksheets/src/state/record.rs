use indexmap::IndexMap;
use serde_json::{Map, Value as Json};

use super::Value;

/// Who made a record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum By {
    /// A turn program.
    #[default]
    User,
    /// An action, or the agenda.
    Agent,
}

/// How far a record is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Status {
    /// It can be filled in; of a query: it waits or was not run yet.
    #[default]
    Open,
    /// The agent proposed it in a turn, and nobody has taken it up yet.
    Proposed,
    /// Its backend or action ran; of a query: it gave an answer. Never changes again.
    Done,
    /// It was given up. Never changes again.
    Exited,
    /// Of a query: it gave an error.
    Failed,
}

impl Status {
    /// The status as states write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Proposed => "proposed",
            Self::Done => "done",
            Self::Exited => "exited",
            Self::Failed => "failed",
        }
    }
}

/// A failure of a call or an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failed {
    /// The class of the exception.
    pub error: String,
    /// What it says.
    pub message: String,
}

/// A value that was refused in this turn.
#[derive(Clone, Debug, PartialEq)]
pub struct Invalid {
    /// The value as it was given.
    pub value: Json,
    /// Why it was refused, for the user.
    pub why: String,
}

/// One field of one record: its value and its marks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Slot {
    /// The value.
    pub value: Option<Value>,
    /// Whether the user has confirmed the value.
    pub confirmed: bool,
    /// Whether the field's action has run for the value.
    pub acted: bool,
    /// Whether the user refused to give a value.
    pub declined: bool,
    /// How often the field was asked since it last changed.
    pub asked: u64,
    /// A value that was refused in this turn.
    pub invalid: Option<Invalid>,
    /// The value that a change of an earlier field took away (section 13.1).
    pub stale: Option<Value>,
}

impl Slot {
    /// Whether it has neither value nor mark.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// The fields of a task record.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Task {
    /// The sheet.
    pub sheet: String,
    /// Who made it.
    pub by: By,
    /// The turn in which it was proposed.
    pub since: Option<u64>,
    /// The slots that are not empty, in sheet order.
    pub fields: IndexMap<String, Slot>,
    /// What the backend call gave.
    pub result: Option<Json>,
    /// What failed.
    pub failed: Option<Failed>,
}

/// A knowledge query.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Query {
    /// The self-contained question.
    pub question: String,
    /// What went wrong.
    pub error: Option<String>,
    /// The columns still wanted, as `table.column`.
    pub missing: Vec<String>,
    /// The columns that were given later, with their values.
    pub params: IndexMap<String, Json>,
    /// The tables that were asked.
    pub tables: Vec<String>,
    /// The formal query.
    pub sql: Option<String>,
    /// The rows that were found.
    pub rows: Vec<Map<String, Json>>,
    /// How many rows there are in all.
    pub total: Option<u64>,
}

impl Query {
    /// The question with the parameters that were given later.
    pub fn text(&self) -> String {
        if self.params.is_empty() {
            return self.question.clone();
        }
        let params: Vec<String> = self
            .params
            .iter()
            .map(|(column, value)| format!("{column}: {}", crate::fit::python_text(value)))
            .collect();
        format!("{} ({})", self.question, params.join(", "))
    }
}

/// What a record is.
#[derive(Clone, Debug, PartialEq)]
pub enum Body {
    /// An instance of a task sheet.
    Task(Task),
    /// A knowledge query.
    Query(Query),
}

/// A record of the dialogue state.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// The variable by which programs name it.
    pub var: String,
    /// How far it is.
    pub status: Status,
    /// What it is.
    pub body: Body,
}

impl Record {
    /// The fields of a task record.
    pub fn task(&self) -> Option<&Task> {
        match &self.body {
            Body::Task(task) => Some(task),
            Body::Query(_) => None,
        }
    }

    /// The query.
    pub fn query(&self) -> Option<&Query> {
        match &self.body {
            Body::Query(query) => Some(query),
            Body::Task(_) => None,
        }
    }

    /// Whether it never changes again.
    pub fn is_closed(&self) -> bool {
        matches!(self.status, Status::Done | Status::Exited | Status::Failed)
    }

    pub(crate) fn task_mut(&mut self) -> Option<&mut Task> {
        match &mut self.body {
            Body::Task(task) => Some(task),
            Body::Query(_) => None,
        }
    }

    pub(crate) fn query_mut(&mut self) -> Option<&mut Query> {
        match &mut self.body {
            Body::Query(query) => Some(query),
            Body::Task(_) => None,
        }
    }
}
