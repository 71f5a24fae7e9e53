//! The turn program that comes to the operations of a turn.

use std::collections::BTreeSet;

use indexmap::IndexMap;
use serde_json::Value as Json;

use super::SimulatedTurn;
use crate::agenda::Ended;
use crate::desk::{Desk, Op};
use crate::sheets::Sheets;
use crate::state::{Given, State, Value};
use crate::text::python;

impl SimulatedTurn {
    /// The Python of the turn program: read as one, it comes to the same operations. `pass` where
    /// the user changed nothing.
    ///
    /// ```
    /// use worksheets::{Format, Settings, read, simulate};
    ///
    /// let csv = "WS Name,Kind,Type,Name,Required\nOrder,task,,,\n,input,int,count,TRUE\n";
    /// let sheets = read(csv.as_bytes(), Format::Csv).unwrap();
    /// let dialogue = simulate::dialogue(&sheets, Settings::default(), 3);
    /// let programs: Vec<String> =
    ///     dialogue.turns.iter().map(|played| played.program(&sheets)).collect();
    /// assert_eq!(programs.last().map(String::as_str), Some("raise EndDialog()"));
    /// ```
    pub fn program(&self, sheets: &Sheets) -> String {
        written(sheets, &self.before, &self.ops, &self.ended)
    }
}

/// The Python of operations that begin from a state.
pub(crate) fn written(sheets: &Sheets, before: &State, ops: &[Op], ended: &Ended) -> String {
    let mut desk = Desk::open(sheets, before);
    let vars = ops.iter().map(|op| desk.apply(op).ok().flatten());
    let vars: Vec<Option<String>> = vars.collect();
    let mut lines = Vec::new();
    for (at, op) in ops.iter().enumerate() {
        let line = statement(op);
        // What is spoken of later has a name.
        let later = ops[at + 1..].iter().flat_map(spoken_of);
        let later: BTreeSet<&str> = later.collect();
        lines.push(match &vars[at] {
            Some(var) if later.contains(var.as_str()) => format!("{var} = {line}"),
            _ => line,
        });
    }
    if *ended == Ended::EndDialog {
        lines.push("raise EndDialog()".to_owned());
    }
    match lines.is_empty() {
        true => "pass".to_owned(),
        false => lines.join("\n"),
    }
}

/// The records that an operation is about, or has as values.
fn spoken_of(op: &Op) -> Vec<&str> {
    match op {
        Op::New { fields, .. } | Op::Propose { fields, .. } => {
            let values = fields.values();
            values.flat_map(|given| named(&given.value)).collect()
        }
        Op::Set { record, value, .. } => {
            let mut all = named(&value.value);
            all.push(record);
            all
        }
        Op::Param { record, .. }
        | Op::Accept(record)
        | Op::Reject(record)
        | Op::Exit(record)
        | Op::Show(record) => vec![record],
        Op::Answer { .. } | Op::Say { .. } | Op::Handoff(_) | Op::Repeat => Vec::new(),
    }
}

fn named(value: &Value) -> Vec<&str> {
    match value {
        Value::Plain(_) => Vec::new(),
        Value::List(items) => items.iter().flat_map(named).collect(),
        Value::Record(var) | Value::Row(var, _) | Value::Result(var) => vec![var],
    }
}

fn statement(op: &Op) -> String {
    match op {
        Op::New { sheet, fields } => format!("{sheet}({})", keywords(fields)),
        Op::Set {
            record,
            field,
            value,
        } => format!("{record}.{field} = {}", given(value)),
        Op::Answer { question } => format!("answer({})", text(question)),
        Op::Param {
            record,
            field,
            value,
        } => {
            // The column alone is the attribute.
            let column = field
                .rsplit_once('.')
                .map_or(&**field, |(_, column)| column);
            format!("{record}.{column} = {}", python(value))
        }
        Op::Accept(record) => format!("accept({record})"),
        Op::Reject(record) => format!("reject({record})"),
        Op::Exit(record) => format!("exitws({record})"),
        Op::Show(record) => format!("show({record})"),
        Op::Handoff(reason) => format!("handoff({})", text(reason)),
        Op::Repeat => "repeat()".to_owned(),
        Op::Say { text: said, .. } => format!("say({})", text(said)),
        Op::Propose { sheet, fields } => {
            let pairs = fields.iter();
            let pairs = pairs.map(|(name, it)| format!("{}: {}", text(name), given(it)));
            let pairs: Vec<String> = pairs.collect();
            format!("propose({sheet}, {{{}}})", pairs.join(", "))
        }
    }
}

fn keywords(fields: &IndexMap<String, Given>) -> String {
    let fields = fields.iter();
    let fields = fields.map(|(name, it)| format!("{name}={}", given(it)));
    fields.collect::<Vec<_>>().join(", ")
}

fn given(given: &Given) -> String {
    let value = value(&given.value);
    match given.confirmed {
        true => format!("confirm({value})"),
        false => value,
    }
}

fn value(it: &Value) -> String {
    match it {
        Value::Plain(Json::String(text)) if text == "NA" => "NA".to_owned(),
        Value::Plain(json) => python(json),
        Value::List(items) => {
            let items: Vec<String> = items.iter().map(value).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Record(var) | Value::Result(var) => var.clone(),
        Value::Row(var, at) => format!("{var}.result[{at}]"),
    }
}

fn text(text: &str) -> String {
    Json::from(text).to_string()
}
