use indexmap::IndexMap;

use super::{Desk, Refused};
use crate::act::Act;
use crate::fit::{self, Fitted};
use crate::predicate::Predicate;
use crate::sheets::{Sheet, SheetKind};
use crate::state::{Body, By, Given, Record, Slot, Status, Task, Value};

impl Desk<'_> {
    /// A new record. The main sheet, while one is open, is set instead of made anew.
    pub(super) fn make(
        &mut self,
        sheet: &str,
        fields: &IndexMap<String, Given>,
    ) -> Result<String, Refused> {
        let main = self.sheets.main().is_some_and(|main| main.name == sheet);
        let open = self.state.records.iter().find(|record| {
            main && record.status == Status::Open
                && record.task().is_some_and(|task| task.sheet == sheet)
        });
        let var = match open {
            Some(record) => {
                let var = record.var.clone();
                self.fits(sheet, fields)?;
                self.touch(&var);
                var
            }
            None => {
                self.fits(sheet, fields)?;
                let var = self.start(sheet, self.by, Status::Open);
                if self.by == By::User {
                    self.log.made.push(var.clone());
                    let given = fields.keys().cloned().collect();
                    self.log.given.insert(var.clone(), given);
                }
                self.touch(&var);
                var
            }
        };
        for (field, value) in fields {
            self.set(&var, field, value)?;
        }
        if self.by == By::Agent && self.state.holder(&var).is_none() {
            self.state.focus.retain(|other| *other != var);
            self.state.focus.push(var.clone());
        }
        Ok(var)
    }

    /// A record with status proposed, unless the turn has its question already.
    pub(super) fn propose(
        &mut self,
        sheet: &str,
        fields: &IndexMap<String, Given>,
    ) -> Result<Option<String>, Refused> {
        self.fits(sheet, fields)?;
        if self.log.acts.iter().any(Act::is_question) {
            return Ok(None);
        }
        let var = self.start(sheet, By::Agent, Status::Proposed);
        for (field, value) in fields {
            self.set(&var, field, value)?;
        }
        self.act(Act::Propose(var.clone()));
        Ok(Some(var))
    }

    fn fits(&self, sheet: &str, fields: &IndexMap<String, Given>) -> Result<(), Refused> {
        let found = self
            .sheets
            .get(sheet)
            .ok_or_else(|| Refused::new("NameError", format!("name '{sheet}' is not defined")))?;
        if found.kind != SheetKind::Task {
            let message = format!("{sheet} is no task sheet; ask with answer(…)");
            return Err(Refused::new("TypeError", message));
        }
        match fields.keys().find(|name| found.field(name).is_none()) {
            None => Ok(()),
            Some(name) => Err(Refused::new(
                "TypeError",
                format!("{sheet} has no field '{name}', but {}", names(found)),
            )),
        }
    }

    /// An empty record with the sheet's defaults.
    pub(crate) fn start(&mut self, sheet: &str, by: By, status: Status) -> String {
        let var = self.free(&snake(sheet), 0);
        let mut task = Task {
            sheet: sheet.to_owned(),
            by,
            since: (status == Status::Proposed).then_some(self.state.turn),
            ..Task::default()
        };
        for field in self.sheets.get(sheet).into_iter().flat_map(|s| &s.fields) {
            if field.default.is_empty() {
                continue;
            }
            let literal = literal(&field.default);
            if let Fitted::Value(value) = fit::fit(self.sheets, &self.state, field, &literal) {
                let slot = Slot {
                    value: Some(value),
                    ..Slot::default()
                };
                task.fields.insert(field.name.clone(), slot);
            }
        }
        self.state.records.push(Record {
            var: var.clone(),
            status,
            body: Body::Task(task),
        });
        var
    }

    /// The first free variable: the name itself, then `name_1` and so on.
    pub(super) fn free(&self, name: &str, from: usize) -> String {
        let taken: std::collections::HashSet<&str> = self
            .state
            .records
            .iter()
            .map(|record| record.var.as_str())
            .collect();
        let mut at = from;
        loop {
            let var = if at == 0 {
                name.to_owned()
            } else {
                format!("{name}_{at}")
            };
            if !taken.contains(var.as_str()) {
                return var;
            }
            at += 1;
        }
    }
}

/// The fields of a sheet, for an error.
pub(super) fn names(sheet: &Sheet) -> String {
    let names: Vec<&str> = sheet.fields.iter().map(|f| f.name.as_str()).collect();
    if names.is_empty() {
        "none at all".to_owned()
    } else {
        names.join(", ")
    }
}

/// A default as its cell writes it: a literal of Python, else a text.
pub(crate) fn literal(cell: &str) -> Value {
    match Predicate::parse(cell)
        .ok()
        .and_then(|predicate| predicate.literal())
    {
        Some(json) => Value::of(&json),
        None => Value::Plain(cell.into()),
    }
}

/// A sheet's name in snake case (section 2.3).
pub(crate) fn snake(name: &str) -> String {
    let chars: Vec<char> = name.chars().collect();
    let mut out = String::new();
    for (at, &c) in chars.iter().enumerate() {
        let before = at.checked_sub(1).map(|before| chars[before]);
        let after = chars.get(at + 1);
        let begins = c.is_uppercase()
            && before.is_some_and(|before| {
                before.is_lowercase()
                    || before.is_numeric()
                    || before.is_uppercase() && after.is_some_and(|after| after.is_lowercase())
            });
        if begins {
            out.push('_');
        }
        out.extend(c.to_lowercase());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::snake;

    #[test]
    fn names_of_variables() {
        for (sheet, var) in [
            ("Main", "main"),
            ("CoursesToTake", "courses_to_take"),
            (
                "TroubleShootStudentEnrollment",
                "trouble_shoot_student_enrollment",
            ),
            ("FAQEntry", "faq_entry"),
            ("Form2Fill", "form2_fill"),
            ("my_Sheet", "my_sheet"),
        ] {
            assert_eq!(snake(sheet), var);
        }
    }
}
