//! The last plan of a chat as files, which somebody else carries out: `/plan export`.

use super::Chat;
use crate::cli::export;
use crate::error::{Error, Result};
use crate::journal::{Origin, PlanState};
use std::path::Path;

/// The name of the command, as messages say it.
const NAME: &str = "/plan export";

impl Chat<'_> {
    /// Writes the last plan of a program into a new folder. Returns a sentence about it.
    pub(super) fn export(&self, folder: &Path) -> Result<String> {
        let journal = self.conversation.ledger().journal();
        let last = journal.with_state(|state| {
            let is_of_program =
                |plan: &&PlanState| matches!(plan.planned.origin, Origin::Program { .. });
            let last = state.plans.iter().rev().find(is_of_program);
            last.map(|plan| (plan.planned.id, plan.has_effect() && !plan.undone))
        });
        let (plan, is_made) = last.ok_or_else(|| {
            Error::Usage(format!(
                "{NAME}: there is no plan yet; ask for a change, and say no when it is shown"
            ))
        })?;
        if is_made {
            return Err(Error::Usage(format!(
                "{NAME}: the last plan was carried out, and its files would do it again; take it \
                 back by /undo before"
            )));
        }
        export::check(NAME, folder)?;
        let (plan, _) = journal.plan_and_steps(plan)?;
        export::export(NAME, &self.domain, &plan.writes, folder)
    }
}
