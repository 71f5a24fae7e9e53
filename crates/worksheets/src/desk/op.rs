use std::fmt;

use indexmap::IndexMap;
use serde_json::{Map, Value as Json};

use crate::state::Given;

/// What a program asks of the dialogue state (section 10).
#[derive(Clone, Debug, PartialEq)]
pub enum Op {
    /// `Sheet(field=value, …)`.
    New {
        /// The sheet.
        sheet: String,
        /// What it starts with, in the order of the call.
        fields: IndexMap<String, Given>,
    },
    /// `record.field = value`; JSON's null unsets, the text `NA` refuses.
    Set {
        /// The record's variable.
        record: String,
        /// The field.
        field: String,
        /// The value.
        value: Given,
    },
    /// `answer("question")`.
    Answer {
        /// The self-contained question.
        question: String,
    },
    /// `answer_1.column = value`: a parameter that a query waits for.
    Param {
        /// The query's variable.
        record: String,
        /// The column, with or without its table.
        field: String,
        /// The value.
        value: Json,
    },
    /// `accept(record)`.
    Accept(String),
    /// `reject(record)`.
    Reject(String),
    /// `exitws(record)`.
    Exit(String),
    /// `show(record)`.
    Show(String),
    /// `say(text)`, of actions only.
    Say {
        /// The text.
        text: String,
        /// Whether the reply has it letter by letter.
        verbatim: bool,
    },
    /// `propose(Sheet, {field: value, …})`, of actions only.
    Propose {
        /// The sheet.
        sheet: String,
        /// What is proposed.
        fields: IndexMap<String, Given>,
    },
    /// `handoff(reason)`.
    Handoff(String),
    /// `repeat()`, of turn programs only.
    Repeat,
}

impl Op {
    /// Reads the JSON of an operation: `{"op": "set", "record": …, "field": …, "value": …}`.
    pub fn of(json: &Json) -> Result<Self, String> {
        let map = json.as_object().ok_or("an operation is an object")?;
        let text = |key: &str| {
            let text = map.get(key).and_then(Json::as_str).map(str::to_owned);
            text.ok_or_else(|| format!("{json} lacks the text {key}"))
        };
        let value = || map.get("value").unwrap_or(&Json::Null);
        Ok(match text("op")?.as_str() {
            "new" => Self::New {
                sheet: text("sheet")?,
                fields: fields(map),
            },
            "set" => Self::Set {
                record: text("record")?,
                field: text("field")?,
                value: Given::of(value()),
            },
            "answer" => Self::Answer {
                question: text("question")?,
            },
            "param" => Self::Param {
                record: text("record")?,
                field: text("field")?,
                value: value().clone(),
            },
            "accept" => Self::Accept(text("record")?),
            "reject" => Self::Reject(text("record")?),
            "exit" => Self::Exit(text("record")?),
            "show" => Self::Show(text("record")?),
            "say" => Self::Say {
                text: text("text")?,
                verbatim: map.get("verbatim") == Some(&Json::Bool(true)),
            },
            "propose" => Self::Propose {
                sheet: text("sheet")?,
                fields: fields(map),
            },
            "handoff" => Self::Handoff(text("reason").unwrap_or_default()),
            "repeat" => Self::Repeat,
            other => return Err(format!("{other} is no operation")),
        })
    }
}

fn fields(map: &Map<String, Json>) -> IndexMap<String, Given> {
    match map.get("fields") {
        Some(Json::Object(fields)) => fields
            .iter()
            .map(|(name, value)| (name.clone(), Given::of(value)))
            .collect(),
        _ => IndexMap::new(),
    }
}

/// An operation that is refused: the exception that the program gets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The class of the exception.
    pub error: &'static str,
    /// What it says, for the model or the sheets' owner.
    pub message: String,
}

impl Refused {
    pub(crate) fn new(error: &'static str, message: impl Into<String>) -> Self {
        Self {
            error,
            message: message.into(),
        }
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.error, self.message)
    }
}

impl std::error::Error for Refused {}
