use serde_json::Value as Json;

use super::end::wants_confirmation;
use super::make::names;
use super::{Desk, Refused};
use crate::act::Act;
use crate::fit::{self, Fitted};
use crate::judge;
use crate::sheets::{Field, FieldKind, Type};
use crate::state::{By, Given, Invalid, Slot, Status, Value};

/// The most records within records.
const DEEP: usize = 100;

impl Desk<'_> {
    /// Sets a slot, in full as section 2.4 has it.
    pub(super) fn set(&mut self, var: &str, name: &str, given: &Given) -> Result<(), Refused> {
        let record = self.known(var)?;
        let Some(task) = record.task() else {
            return self.param(var, name, &given.value.json());
        };
        let sheets = self.sheets;
        let Some(sheet) = sheets.get(&task.sheet) else {
            let message = format!("the sheet {} of {var} is gone", task.sheet);
            return Err(Refused::new("AttributeError", message));
        };
        let Some(at) = sheet.field(name) else {
            return Err(Refused::new(
                "AttributeError",
                format!("{} has no field '{name}', but {}", sheet.name, names(sheet)),
            ));
        };
        let field = &sheet.fields[at];
        if self.is_user() && field.kind != FieldKind::Input {
            let message = format!("'{name}' is not the user's to set");
            return Err(Refused::new("AttributeError", message));
        }
        self.writable(var)?;
        self.touch(var);
        if self.is_user() {
            self.take_up(var);
        }
        if field.ty == Type::Confirm {
            self.confirm(var, field, &given.value);
            return Ok(());
        }
        match &given.value {
            Value::Plain(Json::Null) => self.unset(var, field),
            Value::Plain(Json::String(text)) if text.is_empty() => self.unset(var, field),
            Value::Plain(Json::String(text)) if text == "NA" => self.decline(var, field),
            value => {
                self.usable(var, value)?;
                self.fit_into(var, field, given);
            }
        }
        Ok(())
    }

    /// Whether the records and rows of a value are there to be given.
    fn usable(&self, into: &str, value: &Value) -> Result<(), Refused> {
        match value {
            Value::Plain(_) => Ok(()),
            Value::List(items) => items.iter().try_for_each(|item| self.usable(into, item)),
            Value::Record(var) => {
                let record = self.known(var)?;
                if record.status == Status::Exited {
                    let message = format!("{var} is exited");
                    return Err(Refused::new("ClosedWorksheet", message));
                }
                let above = self.state.upwards(into);
                if above.contains(var) {
                    let message = format!("{var} would stand below itself");
                    return Err(Refused::new("TypeError", message));
                }
                if above.len() >= DEEP {
                    let message = format!("there are {DEEP} worksheets above {into} already");
                    return Err(Refused::new("TypeError", message));
                }
                Ok(())
            }
            Value::Row(var, at) => {
                let record = self.known(var)?;
                match record.query() {
                    Some(query) if query.rows.len() > *at => Ok(()),
                    Some(_) => {
                        let message = format!("the answer {var} has no row {at}");
                        Err(Refused::new("IndexError", message))
                    }
                    None => Err(Refused::new("TypeError", format!("{var} is no query"))),
                }
            }
            Value::Result(var) => match self.known(var)?.query() {
                Some(_) => Ok(()),
                None => Err(Refused::new("TypeError", format!("{var} is no query"))),
            },
        }
    }

    fn fit_into(&mut self, var: &str, field: &Field, given: &Given) {
        let fitted = fit::fit(self.sheets, &self.state, field, &given.value);
        let value = match fitted {
            Fitted::Empty => return self.unset(var, field),
            Fitted::Refused(why) => return self.refuse(var, field, given.value.json(), why),
            Fitted::Value(value) => value,
        };
        if let Some(why) = self.invalid(var, field, &value) {
            return self.refuse(var, field, given.value.json(), why);
        }
        let asked = self
            .log
            .prev
            .contains(&Act::Ask(var.to_owned(), field.name.clone()));
        let picked = asked && matches!(given.value, Value::Row(..));
        let confirmed = wants_confirmation(self.sheets, field)
            && (picked || given.confirmed && self.was_put_to_the_user(var, field));
        if let Some(task) = self.state.task_mut(var) {
            task.failed = None;
        }
        self.store(var, field, value, confirmed);
    }

    pub(crate) fn invalid(&self, var: &str, field: &Field, value: &Value) -> Option<String> {
        if field.validation.is_empty() {
            return None;
        }
        let (_, task) = self.state.task(var)?;
        let sheet = self.sheets.find(&task.sheet)?;
        let at = self.sheets.all()[sheet].field(&field.name)?;
        let validation = &self.sheets.compiled(sheet).fields.get(at)?.validation;
        let view = self.view();
        fit::validate(&view, view.place(var), field, validation, value)
    }

    /// Leaves the slot as it was, with the mark.
    pub(crate) fn refuse(&mut self, var: &str, field: &Field, value: Json, why: String) {
        if let Some(slot) = self.state.slot_mut(var, &field.name) {
            slot.invalid = Some(Invalid { value, why });
        }
    }

    /// Stores a value alone: all marks of the slot go, and a record that was there is exited.
    pub(crate) fn store(&mut self, var: &str, field: &Field, value: Value, confirmed: bool) {
        let Some(slot) = self.state.slot_mut(var, &field.name) else {
            return;
        };
        if slot.value.as_ref() == Some(&value) {
            slot.invalid = None;
            slot.confirmed |= confirmed;
            return;
        }
        let old = std::mem::replace(
            slot,
            Slot {
                value: Some(value.clone()),
                confirmed,
                ..Slot::default()
            },
        );
        if let Value::Record(held) = &value {
            self.leave_others(held, var, &field.name);
        }
        if let Some(Value::Record(old)) = old.value {
            self.close(&old);
        }
        self.changed(var, &field.name);
    }

    /// An open record has one place: it leaves the others.
    fn leave_others(&mut self, held: &str, var: &str, field: &str) {
        let Some(record) = self.state.record_mut(held) else {
            return;
        };
        match record.status {
            Status::Open => {}
            Status::Proposed => self.take_up(held),
            _ => return,
        }
        let mut left = Vec::new();
        for record in &mut self.state.records {
            let closed = record.is_closed();
            let above = record.var.clone();
            let Some(task) = record.task_mut().filter(|_| !closed) else {
                continue;
            };
            for (name, slot) in &mut task.fields {
                let here = above == var && name == field;
                if !here && matches!(&slot.value, Some(Value::Record(other)) if other == held) {
                    *slot = Slot::default();
                    left.push((above.clone(), name.clone()));
                }
            }
        }
        for (var, field) in left {
            self.changed(&var, &field);
        }
    }

    pub(crate) fn unset(&mut self, var: &str, field: &Field) {
        let Some(slot) = self.state.slot_mut(var, &field.name) else {
            return;
        };
        let old = std::mem::take(slot);
        if let Some(Value::Record(old)) = &old.value {
            self.close(old);
        }
        if let Some(task) = self.state.task_mut(var) {
            task.failed = None;
        }
        if old.value.is_some() || old.declined {
            self.changed(var, &field.name);
        }
    }

    fn decline(&mut self, var: &str, field: &Field) {
        let Some(slot) = self.state.slot_mut(var, &field.name) else {
            return;
        };
        let asked = slot.asked;
        let old = std::mem::replace(
            slot,
            Slot {
                declined: true,
                asked,
                ..Slot::default()
            },
        );
        if let Some(Value::Record(old)) = &old.value {
            self.close(old);
        }
        if let Some(task) = self.state.task_mut(var) {
            task.failed = None;
        }
        self.changed(var, &field.name);
    }

    /// A confirm field: by a turn program only if the turn before asked this very field, and
    /// never to yes by an action.
    fn confirm(&mut self, var: &str, field: &Field, value: &Value) {
        let asked = self
            .log
            .prev
            .contains(&Act::Ask(var.to_owned(), field.name.clone()));
        if self.is_user() && !asked {
            return;
        }
        let answer = match value {
            Value::Plain(Json::Null) => None,
            Value::Plain(Json::String(text)) if text.is_empty() => None,
            Value::Plain(Json::String(text)) if text == "NA" => Some(false),
            Value::Plain(json) => match fit::boolean(json) {
                Some(answer) => Some(answer),
                None => return,
            },
            _ => return,
        };
        if answer == Some(true) {
            if self.by == By::Agent {
                return;
            }
            if let Some(task) = self.state.task_mut(var) {
                task.failed = None;
            }
        }
        let Some(slot) = self.state.slot_mut(var, &field.name) else {
            return;
        };
        let stored = answer.map(|answer| Value::Plain(answer.into()));
        if slot.value == stored {
            return;
        }
        *slot = Slot {
            value: stored,
            ..Slot::default()
        };
        self.log.changed.push((var.to_owned(), field.name.clone()));
    }

    /// Whether the turn before had a question about this very slot, or proposed this record
    /// or another one of its sheet.
    fn was_put_to_the_user(&self, var: &str, field: &Field) -> bool {
        let sheet = |var: &str| {
            let task = self.state.task(var).map(|(_, task)| task.sheet.clone());
            task.unwrap_or_default()
        };
        self.log.prev.iter().any(|act| match act {
            Act::Ask(record, name) | Act::Confirm(record, name) => {
                record == var && *name == field.name
            }
            Act::Propose(record) => record == var || sheet(record) == sheet(var),
            _ => false,
        })
    }

    /// Resolves the slots that hold a query or a record whose result is there now. Whoever
    /// confirmed something above has not confirmed this.
    pub(crate) fn resolve(&mut self, source: &str) {
        let mut places = Vec::new();
        for record in self.state.records.iter().filter(|r| !r.is_closed()) {
            let Some(task) = record.task() else { continue };
            for (name, slot) in &task.fields {
                let holds = match &slot.value {
                    Some(Value::Result(var)) => var == source,
                    Some(Value::Record(var)) => {
                        var == source
                            && self
                                .field(&record.var, name)
                                .zip(slot.value.as_ref())
                                .is_some_and(|(field, value)| fit::waits(&self.state, field, value))
                    }
                    _ => false,
                };
                if holds {
                    places.push((record.var.clone(), name.clone()));
                }
            }
        }
        for (var, name) in places {
            self.resolve_slot(&var, &name);
            self.unconfirm(&var);
        }
    }

    fn resolve_slot(&mut self, var: &str, name: &str) {
        let Some(field) = self.field(var, name).cloned() else {
            return;
        };
        let Some(held) = self.state.slot_mut(var, name).and_then(|s| s.value.clone()) else {
            return;
        };
        let fitted = fit::fit(self.sheets, &self.state, &field, &held);
        let why = match fitted {
            Fitted::Value(value) if value == held => return,
            Fitted::Value(value) => match self.invalid(var, &field, &value) {
                None => {
                    if let Some(slot) = self.state.slot_mut(var, name) {
                        slot.value = Some(value);
                    }
                    self.changed(var, name);
                    return;
                }
                Some(why) => Some((value.json(), why)),
            },
            Fitted::Empty => None,
            Fitted::Refused(why) => Some((self.plain(&held), why)),
        };
        if let Some(slot) = self.state.slot_mut(var, name) {
            slot.value = None;
            slot.confirmed = false;
            slot.acted = false;
            slot.invalid = why.map(|(value, why)| Invalid { value, why });
        }
        self.changed(var, name);
    }

    /// What was refused, for the mark: the result itself where a record stood for it.
    fn plain(&self, held: &Value) -> Json {
        match held {
            Value::Record(var) => {
                let result = self
                    .state
                    .task(var)
                    .and_then(|(_, task)| task.result.clone());
                result.unwrap_or_default()
            }
            Value::Result(var) => match self.state.query(var).map(|query| query.rows.as_slice()) {
                Some([_]) => Value::Row(var.clone(), 0).json(),
                _ => held.json(),
            },
            other => other.json(),
        }
    }

    /// Whether the last turn ended in a question about a record's field.
    pub(crate) fn asked_before(&self, var: &str, field: &str) -> bool {
        self.log
            .prev
            .contains(&Act::Ask(var.to_owned(), field.to_owned()))
    }

    pub(crate) fn is_confirm_false(&self, var: &str, field: &str) -> bool {
        let slot = self
            .state
            .task(var)
            .and_then(|(_, task)| task.fields.get(field));
        judge::is_false(slot.and_then(|slot| slot.value.as_ref()))
    }
}
