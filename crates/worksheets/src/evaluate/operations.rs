use std::collections::BTreeSet;

use serde_json::Value as Json;

use crate::act::Act;
use crate::agenda::Next;
use crate::canonical::Names;
use crate::desk::Op;
use crate::dialogue::Played;
use crate::sheets::Sheets;
use crate::state::{Slot, State, Status, Value};

/// One thing that a turn program does, so that spelling, order and names of variables do not
/// count: the difference that the program makes to the state.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Operation {
    /// `new`, `set`, `unset`, `decline`, `confirm`, `query`, `param`, `accept`, `exit`, `show`,
    /// `handoff` or `repeat`.
    pub kind: &'static str,
    /// The path from a root, with the field: `Main#0.courses_to_take.course_0_details`.
    pub place: String,
    /// The value as it was fitted; of a query, its tables and rows.
    pub value: String,
}

impl Operation {
    pub(super) fn without_value(&self) -> Self {
        let value = String::new();
        Self {
            value,
            ..self.clone()
        }
    }
}

/// The operations of a turn's program. What is set to the value that it has is none, and what
/// is set and taken back in one program is none either.
pub fn operations(sheets: &Sheets, played: &Played) -> BTreeSet<Operation> {
    let (before, after) = (&played.before, &played.programmed);
    let names = Names { state: after };
    let mut out = BTreeSet::new();
    for record in &after.records {
        let path = names.path(&record.var);
        let old = before.get(&record.var);
        let mut push = |kind, place: &str, value: String| {
            let place = place.to_owned();
            out.insert(Operation { kind, place, value });
        };
        let was = old.map(|record| record.status);
        if record.status == Status::Exited && was != Some(Status::Exited) {
            push("exit", &path, String::new());
        }
        if was == Some(Status::Proposed) && record.status == Status::Open {
            push("accept", &path, String::new());
        }
        let Some(task) = record.task() else {
            if old.is_none() {
                push("query", "", found(&played.turned.state, &record.var));
            } else if let Some(query) = record.query() {
                for (column, value) in &query.params {
                    let known = before.query(&record.var).and_then(|q| q.params.get(column));
                    if known != Some(value) {
                        push("param", column, value.to_string());
                    }
                }
            }
            continue;
        };
        if old.is_none() {
            push("new", &path, task.sheet.clone());
        }
        let old = old.and_then(|record| record.task());
        let sheet = sheets.get(&task.sheet);
        let fields = sheet.map_or(&[][..], |sheet| &sheet.fields);
        let empty = Slot::default();
        for field in fields {
            let slot = task.fields.get(&field.name).unwrap_or(&empty);
            let had = old.and_then(|old| old.fields.get(&field.name));
            let had = had.unwrap_or(&empty);
            let place = format!("{path}.{}", field.name);
            if let Some(invalid) = &slot.invalid {
                push("set", &place, invalid.value.to_string());
            }
            match &slot.value {
                // What holds a record is that record's path: `new` says it.
                Some(Value::Record(_)) if slot.value == had.value => {}
                Some(value) if slot.value != had.value => {
                    let value = match value {
                        Value::Result(var) => found(&played.turned.state, var).into(),
                        value => names.value(Some(&field.ty), value),
                    };
                    push("set", &place, value.to_string());
                }
                // What a change of another field took away the program did not unset.
                None if had.value.is_some() && !slot.declined && slot.stale.is_none() => {
                    push("unset", &place, String::new());
                }
                _ => {}
            }
            if slot.declined && !had.declined {
                push("decline", &place, String::new());
            }
            if slot.confirmed && !had.confirmed {
                push("confirm", &place, String::new());
            }
        }
    }
    for op in &played.ops {
        let (kind, place) = match op {
            Op::Show(record) => ("show", names.path(record)),
            Op::Handoff(_) => ("handoff", String::new()),
            Op::Repeat => ("repeat", String::new()),
            _ => continue,
        };
        let value = String::new();
        out.insert(Operation { kind, place, value });
    }
    out
}

/// The tables and rows of an answer, whatever its question and its SQL.
fn found(state: &State, var: &str) -> String {
    let Some(query) = state.query(var) else {
        return String::new();
    };
    if !query.missing.is_empty() {
        return format!(
            "{} lacks {}",
            query.tables.join(", "),
            query.missing.join(", ")
        );
    }
    let rows = query.rows.iter().map(|row| Json::Object(row.clone()));
    format!("{}: {}", query.tables.join(", "), rows.collect::<Json>())
}

/// The acts of a turn by kind, path of the record, and field.
pub fn acts(played: &Played) -> BTreeSet<String> {
    let state = &played.turned.state;
    let path = |record: &str| match state.query(record) {
        Some(_) => found(state, record),
        None => Names { state }.path(record),
    };
    let acts = played.turned.acts.iter();
    acts.map(|performed| match &performed.act {
        Act::Report(record) => format!("Report({})", path(record)),
        Act::Propose(record) => format!("Propose({})", path(record)),
        Act::Confirm(record, field) => format!("Confirm({}, {field})", path(record)),
        Act::Ask(query, column) if state.query(query).is_some() => format!("Ask({column})"),
        Act::Ask(record, field) => format!("Ask({}, {field})", path(record)),
        Act::Handoff(_) => "Handoff".to_owned(),
        act @ Act::Say { .. } => act.to_string(),
    })
    .collect()
}

/// The backend calls of a turn with their arguments, and the queries with their rows.
pub fn executions(played: &Played) -> BTreeSet<String> {
    let calls = played.calls.iter().map(|made| made.loose.to_string());
    let queries = played.needed.iter().filter_map(|next| match next {
        Next::Query { query, .. } => Some(found(&played.turned.state, query)),
        _ => None,
    });
    calls.chain(queries).collect()
}
