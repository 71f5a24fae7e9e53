use std::fmt;

use serde_json::{Map, Value as Json};

use crate::act::Performed;
use crate::desk::Op;
use crate::problem::Problem;
use crate::state::{State, json_rows, json_text, json_texts};

/// Where an action belongs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A field's action, of a record.
    Field(String, String),
    /// A sheet's action, of a record.
    Record(String),
    /// A row type's action: the query and the row.
    Row(String, usize),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Field(record, field) => write!(f, "{record}.{field}"),
            Self::Record(record) => f.write_str(record),
            Self::Row(query, at) => write!(f, "{query}[{at}]"),
        }
    }
}

/// What the agenda needs next of its host.
#[derive(Clone, Debug, PartialEq)]
pub enum Next {
    /// A question for the knowledge parser and the database.
    Query {
        /// The query's variable.
        query: String,
        /// The question, with parameters that were given later.
        text: String,
    },
    /// Python of the sheets' owner that runs in the box.
    Action {
        /// What `self` is.
        place: Place,
        /// The sheet whose cell it is.
        sheet: String,
        /// The code.
        code: String,
    },
    /// A backend call: a Python expression that is evaluated in the box.
    Call {
        /// What `self` is.
        record: String,
        /// The expression.
        code: String,
        /// The values of the record, which the user has confirmed.
        values: Json,
        /// What the user's yes has to be for ([`consent_digest`](crate::consent_digest)); nothing
        /// if it can be for no such call.
        consent: Option<String>,
    },
    /// The turn is over.
    Acts(Turned),
}

/// What came of a turn.
#[derive(Clone, Debug, PartialEq)]
pub struct Turned {
    /// The state after the turn.
    pub state: State,
    /// What the agent does, with reasons; the question last.
    pub acts: Vec<Performed>,
    /// Whether the turn program changed records or asked what is known.
    pub productive: bool,
    /// What is for the sheets' owner and no act says, with line and cell: sheets that come to no
    /// end, and actions that failed on rows.
    pub problems: Vec<Problem>,
    /// How records came about, and the cells of actions whose failure an act reports.
    pub notes: Vec<String>,
}

/// What came of a [`Next`].
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Rows of a query.
    Rows {
        /// The tables that were asked.
        tables: Vec<String>,
        /// The formal query.
        sql: Option<String>,
        /// The rows.
        rows: Vec<Map<String, Json>>,
        /// How many there are in all.
        total: u64,
    },
    /// Columns that a query must constrain, as `table.column`; nothing ran.
    Missing {
        /// The tables that would be asked.
        tables: Vec<String>,
        /// The columns.
        missing: Vec<String>,
    },
    /// A query that has no answer; why.
    NoAnswer(String),
    /// What an action asked of the dialogue state, in order.
    Ops(Vec<Op>),
    /// What a backend call gave.
    Result(Json),
    /// A backend call that refuses the value of a field.
    FieldError {
        /// The field.
        field: String,
        /// Why, for the user.
        message: String,
    },
    /// An exception of an action or a call.
    Failed {
        /// The class.
        error: String,
        /// What it says.
        message: String,
    },
}

impl Effect {
    /// Reads the JSON of an effect of the conformance cases, without its place.
    pub fn of(json: &Json) -> Result<Self, String> {
        let map = json.as_object().ok_or("an effect is an object")?;
        if let Some(got) = map.get("got") {
            return Self::got(got);
        }
        if let Some(Json::Array(ops)) = map.get("ops") {
            return Ok(Self::Ops(ops.iter().map(Op::of).collect::<Result<_, _>>()?));
        }
        let message = json_text(map, "message").unwrap_or_default();
        if let Some(field) = json_text(map, "field") {
            return Ok(Self::FieldError { field, message });
        }
        if let Some(error) = json_text(map, "error") {
            return Ok(Self::Failed { error, message });
        }
        Ok(Self::Result(map.get("result").cloned().unwrap_or_default()))
    }

    fn got(json: &Json) -> Result<Self, String> {
        let map = json.as_object().ok_or("what a query got is an object")?;
        if let Some(error) = json_text(map, "error") {
            return Ok(Self::NoAnswer(error));
        }
        let tables = json_texts(map, "tables")?;
        let missing = json_texts(map, "missing")?;
        if !missing.is_empty() {
            return Ok(Self::Missing { tables, missing });
        }
        let rows = json_rows(map)?;
        let total = map.get("total").and_then(Json::as_u64);
        Ok(Self::Rows {
            tables,
            sql: json_text(map, "sql"),
            total: total.unwrap_or(rows.len() as u64),
            rows,
        })
    }
}
