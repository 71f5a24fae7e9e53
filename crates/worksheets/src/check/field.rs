use super::Found;
use crate::desk::literal;
use crate::fit::{self, Fitted};
use crate::problem::Problem;
use crate::sheets::{Column, Field, Sheet, SheetKind, Type};
use crate::state::State;

impl Found<'_> {
    pub(super) fn field(&mut self, sheet: &Sheet, field: &Field, place: &str) {
        self.name(
            &field.name,
            place.to_owned(),
            sheet.kind,
            field.at,
            Column::Name,
        );
        self.field_type(field, place);
        let nested = matches!(&field.ty, Type::Named(name) if self.sheets.task(name).is_some());
        if nested && field.confirm {
            let message = "Confirmation means nothing at a record; its own confirm field asks";
            let problem = Problem::warning("confirmed-record", place, message);
            self.push(problem, field.at, Column::Confirm);
        }
        if !field.default.is_empty() {
            self.default(field, place);
        }
        self.reset(sheet, field, place);
    }

    fn field_type(&mut self, field: &Field, place: &str) {
        match field.ty.item() {
            Type::Named(name) => match self.sheets.get(name) {
                None => {
                    let name = match name.as_str() {
                        "" => "the field has no type".to_owned(),
                        name => format!("there is no type {name}"),
                    };
                    let message = format!(
                        "{name}; it is str, text, int, float, bool, date, time, Enum, confirm, \
                         List[…] or a sheet's name"
                    );
                    let problem = Problem::error("unknown-type", place, message);
                    self.push(problem, field.at, Column::Type);
                }
                Some(held) if held.kind == SheetKind::Task && field.ty != *field.ty.item() => {
                    let message = format!(
                        "a list holds values or rows; for several {name} take several fields"
                    );
                    let problem = Problem::error("list-of-records", place, message);
                    self.push(problem, field.at, Column::Type);
                }
                Some(_) => {}
            },
            Type::Enum if field.options.is_empty() => {
                let message = "the Enum has no options; write them into the rows below";
                let problem = Problem::error("enum-without-options", place, message);
                self.push(problem, field.at, Column::Options);
            }
            Type::Enum => self.options(field, place),
            _ if !field.options.is_empty() => {
                let message = "only an Enum has options";
                let problem = Problem::warning("options-without-enum", place, message);
                self.push(problem, field.at, Column::Options);
            }
            _ => {}
        }
    }

    /// Options that nobody can choose.
    fn options(&mut self, field: &Field, place: &str) {
        for (at, option) in field.options.iter().enumerate() {
            let message = if field.options[..at].contains(option) {
                format!("the option {option} stands there twice")
            } else if option == "NA" {
                "NA is a refusal to programs, so that the option cannot be chosen".to_owned()
            } else {
                continue;
            };
            let problem = Problem::warning("useless-option", place, message);
            self.push(problem, field.at, Column::Options);
        }
    }

    fn default(&mut self, field: &Field, place: &str) {
        let value = literal(&field.default);
        let fitted = fit::fit(self.sheets, &State::default(), field, &value);
        if let Fitted::Refused(why) = fitted {
            let message = format!("the default {} does not fit: {why}", field.default);
            let problem = Problem::error("bad-default", place, message);
            self.push(problem, field.at, Column::Default);
        }
    }

    /// Only earlier fields of the same sheet make a value stale.
    fn reset(&mut self, sheet: &Sheet, field: &Field, place: &str) {
        let here = sheet.field(&field.name);
        for name in &field.reset {
            let message = match sheet.field(name) {
                None => format!("{} has no field {name}", sheet.name),
                Some(at) if Some(at) >= here => {
                    format!("{name} does not stand before {}", field.name)
                }
                Some(_) => continue,
            };
            let problem = Problem::error("reset-unknown", place, message);
            self.push(problem, field.at, Column::Reset);
        }
    }
}
