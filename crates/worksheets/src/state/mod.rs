//! The dialogue state: records, slots and marks (section 2.2).

mod json;
mod record;
mod take_back;
mod value;

pub(crate) use json::{rows as json_rows, text as json_text, texts as json_texts};
pub use record::{Body, By, Failed, Invalid, Query, Record, Slot, Status, Task};
pub use value::{Given, Value};

use crate::act::Act;

/// The state of a dialogue after a turn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    /// How many turns there were.
    pub turn: u64,
    /// Task records and queries, in the order of their making.
    pub records: Vec<Record>,
    /// The open roots; the one touched last at the end.
    pub focus: Vec<String>,
    /// The acts of the last turn.
    pub acts: Vec<Act>,
}

impl State {
    /// Where the record with a variable stands.
    pub fn find(&self, var: &str) -> Option<usize> {
        self.records.iter().position(|record| record.var == var)
    }

    /// The record with a variable.
    pub fn get(&self, var: &str) -> Option<&Record> {
        self.records.iter().find(|record| record.var == var)
    }

    /// The task record with a variable, with its fields.
    pub fn task(&self, var: &str) -> Option<(&Record, &Task)> {
        let record = self.get(var)?;
        record.task().map(|task| (record, task))
    }

    /// The query with a variable.
    pub fn query(&self, var: &str) -> Option<&Query> {
        self.get(var)?.query()
    }

    /// A row of an answer.
    pub fn row(&self, var: &str, at: usize) -> Option<&serde_json::Map<String, serde_json::Value>> {
        self.query(var)?.rows.get(at)
    }

    pub(crate) fn record_mut(&mut self, var: &str) -> Option<&mut Record> {
        self.records.iter_mut().find(|record| record.var == var)
    }

    pub(crate) fn task_mut(&mut self, var: &str) -> Option<&mut Task> {
        self.record_mut(var)?.task_mut()
    }

    pub(crate) fn query_mut(&mut self, var: &str) -> Option<&mut Query> {
        self.record_mut(var)?.query_mut()
    }

    /// A slot of a task record, made if it is not there.
    pub(crate) fn slot_mut(&mut self, var: &str, field: &str) -> Option<&mut Slot> {
        let task = self.task_mut(var)?;
        Some(task.fields.entry(field.to_owned()).or_default())
    }

    /// The task record and field that hold a record; one that is open goes before others.
    pub fn holder(&self, var: &str) -> Option<(&str, &str)> {
        let mut found = None;
        for record in &self.records {
            let Some(task) = record.task() else { continue };
            for (name, slot) in &task.fields {
                if matches!(&slot.value, Some(Value::Record(held)) if held == var) {
                    if !record.is_closed() {
                        return Some((&record.var, name));
                    }
                    found = found.or(Some((record.var.as_str(), name.as_str())));
                }
            }
        }
        found
    }

    /// The record that is above all others above a record, or the record itself.
    pub fn root<'a>(&'a self, var: &'a str) -> &'a str {
        let mut at = var;
        // A record never stands below itself; the bound holds for states from outside.
        for _ in 0..self.records.len() {
            match self.holder(at) {
                Some((above, _)) => at = above,
                None => break,
            }
        }
        at
    }

    /// A record and all that it stands below, nearest first.
    pub(crate) fn upwards(&self, var: &str) -> Vec<String> {
        let mut out = vec![var.to_owned()];
        while out.len() <= self.records.len() {
            let Some((above, _)) = out.last().and_then(|at| self.holder(at)) else {
                break;
            };
            out.push(above.to_owned());
        }
        out
    }

    /// The records directly below a record.
    pub(crate) fn children(&self, var: &str) -> Vec<String> {
        let Some((_, task)) = self.task(var) else {
            return Vec::new();
        };
        task.fields
            .values()
            .filter_map(|slot| match &slot.value {
                Some(Value::Record(var)) => Some(var.clone()),
                _ => None,
            })
            .collect()
    }

    /// A record and all that stands below it.
    pub(crate) fn downwards(&self, var: &str) -> Vec<String> {
        let mut out = vec![var.to_owned()];
        let mut at = 0;
        while at < out.len() {
            for child in self.children(&out[at].clone()) {
                if !out.contains(&child) {
                    out.push(child);
                }
            }
            at += 1;
        }
        out
    }
}
