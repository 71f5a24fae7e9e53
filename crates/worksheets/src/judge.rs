//! Judgements on records and fields (section 3.1).

use crate::fit;
use crate::predicate::{Scope, View};
use crate::sheets::{FieldKind, Sheet, Type};
use crate::state::{Status, Value};

/// How often an optional field is asked at most.
pub const OPTIONAL_ASKS: u64 = 2;
/// From how many asks on a field is stuck.
pub const STUCK: u64 = 3;
/// The most steps that follow one turn program.
pub const STEPS: usize = 100;

impl View<'_> {
    /// For a root: its sheet's predicate holds. Below: the field that holds the record is
    /// active, and the record above is awake.
    pub(crate) fn awake(&self, record: usize) -> bool {
        let mut at = record;
        for _ in 0..=self.state.records.len() {
            match self.holder(at) {
                Some((above, field)) => {
                    if !self.active(above, field) {
                        return false;
                    }
                    at = above;
                }
                None => {
                    let scope = Scope {
                        me: Some(at),
                        value: None,
                    };
                    return self
                        .compiled(at)
                        .is_some_and(|compiled| self.holds(&compiled.predicate, scope));
                }
            }
        }
        false
    }

    /// Whether nothing is to be asked for a field any more.
    pub(crate) fn settled(&self, record: usize, field: usize) -> bool {
        self.settled_below(record, field, 0)
    }

    /// Whether every field is settled.
    pub(crate) fn complete(&self, record: usize) -> bool {
        self.complete_below(record, 0)
    }

    fn complete_below(&self, record: usize, depth: usize) -> bool {
        let Some(sheet) = self.sheet(record) else {
            return false;
        };
        depth <= self.state.records.len()
            && (0..sheet.fields.len()).all(|field| self.settled_below(record, field, depth))
    }

    fn settled_below(&self, record: usize, at: usize, depth: usize) -> bool {
        let Some(sheet) = self.sheet(record) else {
            return false;
        };
        let field = &sheet.fields[at];
        if !self.active(record, at) {
            return true;
        }
        let slot = self.stored(record, at);
        if field.ty == Type::Confirm {
            return field.dont_ask || slot.is_some_and(|slot| is_true(slot.value.as_ref()));
        }
        if slot.is_some_and(|slot| slot.invalid.is_some()) {
            return false;
        }
        if let Some(slot) = slot
            && let Some(value) = &slot.value
        {
            return match value {
                Value::Record(var) if !fit::waits(self.state, field, value) => {
                    let Some(below) = self.place(var) else {
                        return false;
                    };
                    let done = self.state.records[below].status == Status::Done;
                    done || self.complete_below(below, depth + 1)
                        && !self.sheet(below).is_some_and(Sheet::acts)
                }
                value if fit::waits(self.state, field, value) => false,
                _ => slot.confirmed || !field.confirm,
            };
        }
        if field.kind != FieldKind::Input || field.dont_ask {
            return true;
        }
        !field.is_required()
            && slot.is_some_and(|slot| slot.declined || slot.asked >= OPTIONAL_ASKS)
    }
}

pub(crate) fn is_true(value: Option<&Value>) -> bool {
    matches!(value, Some(Value::Plain(serde_json::Value::Bool(true))))
}

pub(crate) fn is_false(value: Option<&Value>) -> bool {
    matches!(value, Some(Value::Plain(serde_json::Value::Bool(false))))
}
