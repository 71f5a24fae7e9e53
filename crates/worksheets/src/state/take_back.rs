use super::{Failed, Record, State, Status};
use crate::sheets::{FieldKind, Sheets, Type};

impl State {
    /// The class of the failure of a record whose call or action was taken back.
    pub const TAKEN_BACK: &'static str = "TakenBack";
    /// That of a record of which only a part was taken back.
    pub const TAKEN_BACK_IN_PART: &'static str = "TakenBackInPart";

    /// What the call or an action of a record did was taken back. A record that is done is open
    /// again, without its result and its yes, and has failed: it is asked about, and nothing is
    /// called before the user says yes again or changes something. Below a record that is done
    /// already it stays done, with the mark. `message` says why, for the user.
    pub fn take_back(&mut self, sheets: &Sheets, var: &str, message: &str) {
        self.marked_as(Self::TAKEN_BACK, sheets, var, message);
    }

    /// As [`State::take_back`], where a part of it was left as it is. What became of the form is
    /// not what it says any more, so that it is open, too: `message` says which part is which.
    pub fn take_back_in_part(&mut self, sheets: &Sheets, var: &str, message: &str) {
        self.marked_as(Self::TAKEN_BACK_IN_PART, sheets, var, message);
    }

    /// More of it was taken back, or with `is_whole` the rest. A record that was done anew
    /// meanwhile stays as it is.
    pub fn take_back_more(&mut self, var: &str, is_whole: bool, message: &str) {
        let failed = self.task_mut(var).and_then(|task| task.failed.as_mut());
        if let Some(failed) = failed.filter(|it| it.error == Self::TAKEN_BACK_IN_PART) {
            message.clone_into(&mut failed.message);
            if is_whole {
                Self::TAKEN_BACK.clone_into(&mut failed.error);
            }
        }
    }

    fn marked_as(&mut self, error: &str, sheets: &Sheets, var: &str, message: &str) {
        let above: Vec<String> = self.upwards(var).into_iter().skip(1).collect();
        let is_closed = |var: &String| self.get(var).is_some_and(Record::is_closed);
        let opens = self.get(var).is_some_and(|it| it.status == Status::Done)
            && !above.iter().any(is_closed);
        let Some(task) = self.task_mut(var) else {
            return;
        };
        task.failed = Some(Failed {
            error: error.to_owned(),
            message: message.to_owned(),
        });
        if !opens {
            return;
        }
        self.open_again(sheets, var);
        for above in above {
            self.forget(sheets, &above, |kind, ty| {
                kind == FieldKind::Input && *ty == Type::Confirm
            });
        }
        let root = self.root(var).to_owned();
        self.focus.retain(|known| *known != root);
        self.focus.push(root);
    }

    /// Opens a record, and those below it that were done only because it was.
    fn open_again(&mut self, sheets: &Sheets, var: &str) {
        for below in self.downwards(var) {
            let Some((record, task)) = self.task(&below) else {
                continue;
            };
            let acts = sheets.get(&task.sheet).is_some_and(|sheet| sheet.acts());
            if record.status != Status::Done || (acts && below != var) {
                continue;
            }
            if let Some(record) = self.record_mut(&below) {
                record.status = Status::Open;
            }
            self.forget(sheets, &below, |kind, ty| {
                kind == FieldKind::Output || *ty == Type::Confirm
            });
            if let Some(task) = self.task_mut(&below) {
                task.result = None;
            }
        }
    }

    /// Empties the slots of a record whose fields are such.
    fn forget(&mut self, sheets: &Sheets, var: &str, is_such: fn(FieldKind, &Type) -> bool) {
        let Some(task) = self.task_mut(var) else {
            return;
        };
        let Some(sheet) = sheets.get(&task.sheet) else {
            return;
        };
        for field in sheet.fields.iter().filter(|it| is_such(it.kind, &it.ty)) {
            task.fields.shift_remove(&field.name);
        }
    }
}

impl Failed {
    /// Whether nothing failed, but what was done was taken back, or a part of it.
    pub fn is_taken_back(&self) -> bool {
        [State::TAKEN_BACK, State::TAKEN_BACK_IN_PART].contains(&self.error.as_str())
    }
}
