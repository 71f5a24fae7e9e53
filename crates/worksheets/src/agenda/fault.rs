//! What is wrong with the sheets, for their owner: where it is written.

use super::Agenda;
use super::step::Pending;
use crate::problem::Problem;
use crate::sheets::Column;
use crate::state::Failed;

impl Agenda<'_> {
    /// A problem of the cell that a step is of.
    pub(super) fn problem(
        &self,
        rule: &'static str,
        step: Option<&Pending>,
        message: String,
    ) -> Problem {
        let sheet = match step {
            Some(Pending::RowAction { sheet, .. }) => self.sheets().get(sheet),
            Some(
                Pending::FieldAction { record, .. }
                | Pending::Call(record)
                | Pending::SheetAction { record, .. },
            ) => {
                let task = self.desk.state.task(record).map(|(_, task)| task);
                task.and_then(|task| self.sheets().get(&task.sheet))
            }
            Some(Pending::Query(_)) | None => None,
        };
        let (Some(step), Some(sheet)) = (step, sheet) else {
            return Problem::error(rule, "", message);
        };
        let (place, at, column) = match step {
            Pending::FieldAction { field, .. } => {
                let found = sheet.field(field).map(|at| &sheet.fields[at]);
                let at = found.map_or(sheet.at, |field| field.at);
                (format!("{}.{field}", sheet.name), at, Column::Action)
            }
            Pending::Call(_) => (sheet.name.clone(), sheet.at, Column::Name),
            _ => (sheet.name.clone(), sheet.at, Column::SheetAction),
        };
        let cell = self.sheets().cell(at, column);
        Problem::error(rule, place, message).at(at.line, cell)
    }

    pub(super) fn failed_action(&self, step: &Pending, failed: &Failed) -> Problem {
        let message = format!("the {step} failed: {}: {}", failed.error, failed.message);
        self.problem("failed-action", Some(step), message)
    }

    /// A failure that an act reports: the cell is for the owner of the sheets.
    pub(super) fn note(&mut self, step: &Pending, failed: &Failed) {
        let note = self.failed_action(step, failed).to_string();
        self.desk.log.notes.push(note);
    }
}
