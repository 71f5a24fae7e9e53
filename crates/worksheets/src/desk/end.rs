use super::{Desk, Refused};
use crate::judge;
use crate::sheets::Type;
use crate::state::{By, Record, Slot, Status, Value};

impl Desk<'_> {
    /// Takes up a proposal: it is open, and the values that it came with are confirmed. Of
    /// an open record it is a touch.
    pub(super) fn accept(&mut self, var: &str) -> Result<(), Refused> {
        if self.writable(var)?.task().is_none() {
            return Err(Refused::new("TypeError", format!("{var} is no worksheet")));
        }
        self.touch(var);
        self.take_up(var);
        Ok(())
    }

    pub(super) fn take_up(&mut self, var: &str) {
        let sheets = self.sheets;
        let Some(record) = self.state.record_mut(var) else {
            return;
        };
        if record.status != Status::Proposed {
            return;
        }
        record.status = Status::Open;
        let Some(task) = record.task_mut() else {
            return;
        };
        task.since = None;
        let Some(sheet) = sheets.get(&task.sheet) else {
            return;
        };
        for field in sheet.fields.iter().filter(|field| field.confirm) {
            if let Some(slot) = task.fields.get_mut(&field.name)
                && slot.value.is_some()
            {
                slot.confirmed = wants_confirmation(sheets, field);
            }
        }
        self.log.notes.push(format!("{var} was taken up"));
    }

    /// Ends a record and all below it. The slot that held it becomes declined.
    pub(super) fn exit(&mut self, var: &str) -> Result<(), Refused> {
        if self.writable(var)?.task().is_none() {
            self.close(var);
            self.empty_results(var);
            return Ok(());
        }
        let holder = self
            .state
            .holder(var)
            .map(|(above, field)| (above.to_owned(), field.to_owned()));
        self.close(var);
        if let Some((above, field)) = holder
            && self.state.get(&above).is_some_and(|r| !r.is_closed())
            && let Some(slot) = self.state.slot_mut(&above, &field)
        {
            *slot = Slot {
                declined: true,
                asked: slot.asked,
                ..Slot::default()
            };
            self.changed(&above, &field);
        }
        Ok(())
    }

    /// Exits a record and what is open below it.
    pub(crate) fn close(&mut self, var: &str) {
        for var in self.state.downwards(var) {
            if let Some(record) = self.state.record_mut(&var)
                && !record.is_closed()
            {
                record.status = Status::Exited;
                if let Some(task) = record.task_mut() {
                    task.since = None;
                }
            }
        }
    }

    fn empty_results(&mut self, query: &str) {
        for record in self.state.records.iter_mut().filter(|r| !r.is_closed()) {
            let Some(task) = record.task_mut() else {
                continue;
            };
            for slot in task.fields.values_mut() {
                if matches!(&slot.value, Some(Value::Result(var)) if var == query) {
                    *slot = Slot::default();
                }
            }
        }
    }

    /// Ends a record whose backend or action ran: what is open below it is done with it, what
    /// is inactive is exited (section 2.5).
    pub(crate) fn finish(&mut self, var: &str) {
        let (mut done, mut exited) = (vec![var.to_owned()], Vec::new());
        {
            let view = self.view();
            let mut open: Vec<usize> = view.place(var).into_iter().collect();
            let mut seen = 0;
            while let Some(at) = open.pop() {
                seen += 1;
                if seen > self.state.records.len() {
                    break;
                }
                let fields = view.sheet(at).map_or(0, |sheet| sheet.fields.len());
                for field in 0..fields {
                    let Some(Value::Record(held)) =
                        view.stored(at, field).and_then(|slot| slot.value.as_ref())
                    else {
                        continue;
                    };
                    if view.active(at, field) {
                        done.push(held.clone());
                        open.extend(view.place(held));
                    } else {
                        exited.push(held.clone());
                    }
                }
            }
        }
        for var in exited {
            self.close(&var);
        }
        for var in done {
            if let Some(record) = self.state.record_mut(&var)
                && !record.is_closed()
            {
                record.status = Status::Done;
            }
        }
    }

    /// Takes the values of the confirm fields of a record and of all above it away.
    pub(crate) fn unconfirm(&mut self, var: &str) {
        for above in self.state.upwards(var) {
            let sheets = self.sheets;
            let open = self.state.record_mut(&above).filter(|r| !r.is_closed());
            let Some(task) = open.and_then(Record::task_mut) else {
                continue;
            };
            let Some(sheet) = sheets.get(&task.sheet) else {
                continue;
            };
            for field in sheet.fields.iter().filter(|f| f.ty == Type::Confirm) {
                if let Some(slot) = task.fields.get_mut(&field.name) {
                    slot.value = None;
                    slot.acted = false;
                }
            }
        }
    }

    /// A field changed. Later fields of the record that depend on it become stale.
    pub(crate) fn changed(&mut self, var: &str, field: &str) {
        let mut open = vec![field.to_owned()];
        let mut seen: Vec<String> = Vec::new();
        while let Some(field) = open.pop() {
            if seen.contains(&field) {
                continue;
            }
            self.log.changed.push((var.to_owned(), field.clone()));
            let sheets = self.sheets;
            let sheet = self.state.task(var).and_then(|(_, t)| sheets.get(&t.sheet));
            for later in sheet.into_iter().flat_map(|sheet| &sheet.fields) {
                if !later.reset.contains(&field) || seen.contains(&later.name) {
                    continue;
                }
                let Some(slot) = self.state.slot_mut(var, &later.name) else {
                    continue;
                };
                let Some(old) = slot.value.take() else {
                    continue;
                };
                *slot = Slot {
                    stale: Some(old.clone()),
                    ..Slot::default()
                };
                if let Value::Record(old) = old {
                    self.close(&old);
                }
                open.push(later.name.clone());
            }
            seen.push(field);
        }
    }

    /// Clears confirm fields and failures above every change so far (step 5 of section 3.2).
    pub(crate) fn settle_changes(&mut self) {
        let changed = std::mem::take(&mut self.log.changed);
        let mut vars: Vec<String> = Vec::new();
        for (var, field) in changed {
            let input = self.field(&var, &field).is_some_and(|field| {
                field.ty != Type::Confirm && field.kind == crate::sheets::FieldKind::Input
            });
            if input && !vars.contains(&var) {
                vars.push(var);
            }
        }
        vars.sort_by_key(|var| self.state.find(var));
        for var in vars {
            self.unconfirm(&var);
            for above in self.state.upwards(&var) {
                let open = self.state.record_mut(&above).filter(|r| !r.is_closed());
                if let Some(task) = open.and_then(Record::task_mut) {
                    task.failed = None;
                }
            }
        }
    }

    /// Drops what confirm fields of open records were answered no.
    pub(crate) fn drop_refusals(&mut self) {
        let sheets = self.sheets;
        for record in &mut self.state.records {
            if record.status != Status::Open {
                continue;
            }
            let Some(task) = record.task_mut() else {
                continue;
            };
            let Some(sheet) = sheets.get(&task.sheet) else {
                continue;
            };
            for field in sheet.fields.iter().filter(|f| f.ty == Type::Confirm) {
                if let Some(slot) = task.fields.get_mut(&field.name)
                    && judge::is_false(slot.value.as_ref())
                {
                    slot.value = None;
                }
            }
        }
    }

    pub(crate) fn field(&self, var: &str, field: &str) -> Option<&crate::sheets::Field> {
        let (_, task) = self.state.task(var)?;
        let sheet = self.sheets.get(&task.sheet)?;
        sheet.fields.get(sheet.field(field)?)
    }

    pub(crate) fn is_user(&self) -> bool {
        self.by == By::User
    }
}

/// Whether the column Confirmation means something for a field: not for a nested record.
pub(crate) fn wants_confirmation(
    sheets: &crate::sheets::Sheets,
    field: &crate::sheets::Field,
) -> bool {
    let nested = matches!(&field.ty, Type::Named(name) if sheets.task(name).is_some());
    field.confirm && !nested && field.ty != Type::Confirm
}
