//! `/undo`: what a program did is taken back, through a plan like any other.

use super::Chat;
use crate::agent::Decision;
use crate::cli::plan;
use crate::cli::progress::Spinner;
use crate::cli::terminal;
use crate::domain::s3::S3Planning;
use crate::domain::{Planning, Write};
use crate::error::Result;
use crate::journal::Origin;
use crate::plan::{Applied, Apply, Earlier, Plan, Record, Step, undo};

impl Chat<'_> {
    /// Takes back the last program that did something, if the person agrees.
    pub(super) fn undo(&mut self) -> Result<String> {
        let last = self.journal.with_state(|state| {
            let plan = state.undoable().next()?;
            Some((plan.planned.id, plan.planned.origin))
        });
        let Some((id, origin)) = last else {
            return Ok("There is nothing to undo: no program has changed the world.\n".to_owned());
        };
        let (plan, earlier) = self.journal.plan_and_steps(id)?;
        let undo = undo(
            planning(),
            &plan.writes,
            &earlier.made,
            self.agent.settings().keeping,
        );
        terminal::print(plan::lasting(&undo.lost))?;
        if undo.plan.writes.is_empty() {
            return Ok("There is nothing that can be brought back.\n".to_owned());
        }
        let inverse = self.journal.plan(Origin::Undo { of: id }, &undo.plan)?;
        let head = match origin {
            Origin::Program { turn, uid } => {
                format!("To undo the program of goal {uid}, in turn {turn}, would change this:")
            }
            Origin::Undo { of } => format!("To undo plan {of} would change this:"),
        };
        let (decision, by) = self.asker.decide(&head, &undo.plan)?;
        self.journal.decided(inverse, &decision, by)?;
        if matches!(decision, Decision::Decline(_)) {
            return Ok(String::new());
        }
        self.apply_undo(inverse, id, &undo.plan, Earlier::default())
    }

    /// Finishes an undo whose apply was cut off.
    pub(super) fn finish_undo(
        &mut self,
        inverse: u64,
        of: u64,
        plan: &Plan,
        earlier: Earlier,
    ) -> Result<()> {
        let said = self.apply_undo(inverse, of, plan, earlier)?;
        terminal::print(format_args!("{said}\n"))
    }

    fn apply_undo(
        &mut self,
        inverse: u64,
        of: u64,
        plan: &Plan,
        earlier: Earlier,
    ) -> Result<String> {
        let applied = {
            let mut record = self.journal.record(inverse);
            self.apply(&plan.writes, earlier, &mut *record)
        };
        self.journal.applied(inverse, &applied)?;
        let said = match applied.failure(plan.writes.len()) {
            None => {
                self.journal.undone(of)?;
                "Undone.\n".to_owned()
            }
            Some((_, sentence)) => format!("{sentence}\n"),
        };
        Ok(format!("{}{said}", self.changes(true)))
    }

    /// Takes back steps without a plan of their own. Whether all of it worked.
    pub(super) fn take_back(
        &mut self,
        writes: &[Write],
        steps: &[Step],
        record: &mut dyn Record,
    ) -> Result<bool> {
        let undo = undo(planning(), writes, steps, self.agent.settings().keeping);
        let applied = self.apply(&undo.plan.writes, Earlier::default(), record);
        let said = match applied.failure(undo.plan.writes.len()) {
            None => "What was done is taken back.".to_owned(),
            Some((_, sentence)) => sentence,
        };
        terminal::print(plan::lasting(&undo.lost))?;
        self.aside(&said)?;
        Ok(applied.is_whole())
    }

    /// Applies writes, and shows how far it is.
    pub(super) fn apply(
        &self,
        writes: &[Write],
        earlier: Earlier,
        record: &mut dyn Record,
    ) -> Applied {
        let spinner = Spinner::new(self.quiet);
        let of = writes.len();
        let apply = Apply {
            keeping: self.agent.settings().keeping,
            earlier,
            ..Apply::new(planning(), &*self.world, writes)
        };
        let mut watch = |made| spinner.say(&format!("{made} of {of} writes are made"));
        self.runtime.block_on(apply.run(record, &mut watch))
    }
}

/// How writes of the domain of this chat are planned.
fn planning() -> &'static dyn Planning {
    &S3Planning
}
