//! The state as text, as models read it (section 2.9).

use std::fmt;

use serde_json::Value as Json;

use crate::judge;
use crate::predicate::View;
use crate::sheets::{Sheets, Type};
use crate::state::{Query, Record, State, Status, Value};

/// The most rows of an answer that are shown.
const ROWS: usize = 5;
/// How many of the last done roots are shown.
const DONE: usize = 3;

/// The state as text: what is done, open, proposed and asked.
///
/// ```
/// use worksheets::{Format, State, state_text};
///
/// let sheets = worksheets::read(b"WS Name,Kind\nOrder,task\n", Format::Csv).unwrap();
/// assert_eq!(state_text(&sheets, &State::default()), "# nothing yet");
/// ```
pub fn state_text(sheets: &Sheets, state: &State) -> String {
    let text = Text {
        view: View::new(sheets, state),
        state,
    };
    let mut out = Vec::new();
    let done: Vec<usize> = text.records(|record| record.status == Status::Done);
    let done: Vec<usize> = done
        .into_iter()
        .filter(|&at| text.view.holder(at).is_none())
        .collect();
    let last = done.len().saturating_sub(DONE);
    text.section(&mut out, "# done", &done[last..]);
    text.section(
        &mut out,
        "# open",
        &text.records(|r| r.status == Status::Open),
    );
    let proposed = text.records(|record| record.status == Status::Proposed);
    text.section(&mut out, "# proposed", &proposed);
    text.asked(&mut out);
    if out.is_empty() {
        return "# nothing yet".to_owned();
    }
    out.join("\n")
}

struct Text<'a> {
    view: View<'a>,
    state: &'a State,
}

impl Text<'_> {
    /// Task records that are not below an inactive field.
    fn records(&self, wanted: impl Fn(&Record) -> bool) -> Vec<usize> {
        (0..self.state.records.len())
            .filter(|&at| {
                let record = &self.state.records[at];
                record.task().is_some() && wanted(record) && self.is_shown(at)
            })
            .collect()
    }

    fn is_shown(&self, record: usize) -> bool {
        let mut at = record;
        for _ in 0..=self.state.records.len() {
            match self.view.holder(at) {
                Some((above, field)) if self.view.active(above, field) => at = above,
                Some(_) => return false,
                None => return true,
            }
        }
        false
    }

    fn section(&self, out: &mut Vec<String>, title: &str, records: &[usize]) {
        if records.is_empty() {
            return;
        }
        out.push(title.to_owned());
        for &at in records {
            let record = &self.state.records[at];
            out.push(format!("{} = {}", record.var, self.form(at, 0)));
            let Some(task) = record.task() else { continue };
            let result = task.result.as_ref();
            let line = match (&task.failed, record.status) {
                (None, _) => result.map(python),
                (Some(failed), Status::Done) => Some(format!(
                    "{}  # then failed: {}",
                    result.map_or("None".to_owned(), python),
                    failed.message
                )),
                (Some(failed), _) => Some(format!("None  # failed: {}", failed.message)),
            };
            if let Some(line) = line {
                out.push(format!("{}.result = {line}", record.var));
            }
        }
    }

    /// `Sheet(field=value, …)`.
    fn form(&self, at: usize, depth: usize) -> String {
        let Some(sheet) = self.view.sheet(at) else {
            return "None".to_owned();
        };
        let mut fields = Vec::new();
        for (place, field) in sheet.fields.iter().enumerate() {
            let Some(slot) = self.view.stored(at, place) else {
                continue;
            };
            if !self.view.active(at, place) {
                continue;
            }
            let value = match &slot.value {
                None if slot.declined => "NA".to_owned(),
                None => continue,
                Some(value) if field.ty == Type::Confirm && !judge::is_true(Some(value)) => {
                    continue;
                }
                Some(value) if slot.confirmed => format!("confirm({})", self.value(value, depth)),
                Some(value) => self.value(value, depth),
            };
            fields.push(format!("{}={value}", field.name));
        }
        format!("{}({})", sheet.name, fields.join(", "))
    }

    fn value(&self, value: &Value, depth: usize) -> String {
        match value {
            Value::Plain(json) => python(json),
            Value::List(items) => {
                let items: Vec<String> = items.iter().map(|i| self.value(i, depth)).collect();
                format!("[{}]", items.join(", "))
            }
            Value::Record(var) => match self.view.place(var) {
                // What is closed has no line of its own.
                Some(at) if self.state.records[at].is_closed() && depth < DEEP => {
                    self.form(at, depth + 1)
                }
                _ => var.clone(),
            },
            Value::Row(var, at) => format!("{var}.result[{at}]"),
            Value::Result(var) => format!("{var}.result"),
        }
    }

    /// The latest query, and those that open or proposed records speak of.
    fn asked(&self, out: &mut Vec<String>) {
        let live = |record: &&Record| record.status != Status::Exited && record.query().is_some();
        let latest = self.state.records.iter().rev().find(live);
        let mut spoken: Vec<&str> = latest.iter().map(|record| record.var.as_str()).collect();
        for record in &self.state.records {
            if !matches!(record.status, Status::Open | Status::Proposed) {
                continue;
            }
            for slot in record
                .task()
                .into_iter()
                .flat_map(|task| task.fields.values())
            {
                slot.value
                    .iter()
                    .for_each(|value| queries(value, &mut spoken));
            }
        }
        let mut lines = Vec::new();
        for record in self.state.records.iter().filter(live) {
            if let Some(query) = record
                .query()
                .filter(|_| spoken.contains(&record.var.as_str()))
            {
                let var = &record.var;
                let question = Json::from(query.question.as_str());
                lines.push(format!("{var} = answer({question})"));
                lines.push(format!("{var}.result = {}", result(query)));
            }
        }
        if !lines.is_empty() {
            out.push("# asked".to_owned());
            out.extend(lines);
        }
    }
}

/// The most records within records that are written in place.
const DEEP: usize = 20;

fn queries<'a>(value: &'a Value, out: &mut Vec<&'a str>) {
    match value {
        Value::Row(var, _) | Value::Result(var) => out.push(var),
        Value::List(items) => items.iter().for_each(|item| queries(item, out)),
        _ => {}
    }
}

fn result(query: &Query) -> String {
    if let Some(error) = &query.error {
        return format!("None  # failed: {error}");
    }
    if !query.missing.is_empty() {
        return format!("None  # waits for {}", query.missing.join(", "));
    }
    let Some(total) = query.total else {
        return "None".to_owned();
    };
    let shown: Vec<String> = query
        .rows
        .iter()
        .take(ROWS)
        .map(|row| python(&Json::Object(row.clone())))
        .collect();
    let more = total > shown.len() as u64 || query.rows.len() > shown.len();
    let note = if more {
        let total = total.max(query.rows.len() as u64);
        format!("  # {} of {}", shown.len(), counted(total, "row"))
    } else {
        String::new()
    };
    format!("[{}]{note}", shown.join(", "))
}

/// A value as Python writes it, texts as JSON.
pub(crate) fn python(json: &Json) -> String {
    match json {
        Json::Null => "None".to_owned(),
        Json::Bool(true) => "True".to_owned(),
        Json::Bool(false) => "False".to_owned(),
        Json::Number(_) | Json::String(_) => json.to_string(),
        Json::Array(items) => {
            let items: Vec<String> = items.iter().map(python).collect();
            format!("[{}]", items.join(", "))
        }
        Json::Object(map) => {
            let entries: Vec<String> = map
                .iter()
                .map(|(key, value)| format!("{}: {}", Json::from(key.as_str()), python(value)))
                .collect();
            format!("{{{}}}", entries.join(", "))
        }
    }
}

/// A number with its noun: `1 turn`, `2 turns`.
pub(crate) fn counted<N: fmt::Display + PartialEq + From<u8>>(count: N, one: &str) -> String {
    let end = if count == N::from(1) { "" } else { "s" };
    format!("{count} {one}{end}")
}
