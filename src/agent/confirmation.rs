//! Confirmation: a program that deletes or overwrites something waits for the user's yes.
//!
//! Other models read this rule in their instructions. Trained models get none, and sometimes
//! forget the rule. So code enforces it for them: such a program becomes a draft, and the reply
//! asks the user about it. It runs when the model gives the same program again, or one that
//! does the same.

use super::{Agent, Prediction, Session, TurnReport};
use crate::dialogue::{Goal, Program, Status};
use crate::domain::Calls;
use crate::plan::{Effect, Kind};
use crate::prompts::Form;
use crate::retrieval::Task;

/// The name of this aid.
pub(super) const UNCONFIRMED: &str = "unconfirmed";

impl Agent {
    /// The prediction, in which programs become drafts if they delete or overwrite something
    /// and the user was not asked about them.
    pub(super) async fn confirmed(
        &self,
        session: &Session,
        prediction: Prediction,
        report: &mut TurnReport,
    ) -> Prediction {
        let is_kept_by_code = self.settings.form == Form::Trained;
        if !is_kept_by_code || !self.settings.assist.has(UNCONFIRMED) {
            return prediction;
        }
        let unconfirmed = self.unconfirmed(session, &prediction).await;
        if unconfirmed.is_empty() {
            return prediction;
        }
        let mut updates = prediction.updates.clone();
        let waiting = updates
            .iter_mut()
            .filter(|update| unconfirmed.contains(&update.uid));
        for update in waiting {
            update.status = Status::Drafting;
        }
        match session.stack().updated(&updates) {
            Ok((stack, execute)) => {
                report.note_aid(UNCONFIRMED, Task::Program);
                Prediction::new(updates, stack, execute)
            }
            Err(_) => prediction,
        }
    }

    /// The goals whose programs still need the user's yes.
    async fn unconfirmed(&self, session: &Session, prediction: &Prediction) -> Vec<u32> {
        let rehearsed = self.rehearse(session, prediction).await;
        let mut unconfirmed = Vec::new();
        for uid in &prediction.execute {
            let Some(goal) = prediction.stack.get(*uid) else {
                continue;
            };
            // On a server nothing is rehearsed, and the calls alone tell.
            let ran = rehearsed.iter().find(|ran| ran.uid == *uid);
            let needs_yes = ran.is_some_and(|ran| ran.effects.iter().any(destroys))
                || self.calls_to_destroy(&goal.program);
            if !needs_yes {
                continue;
            }
            let asked = session.stack().get(*uid).filter(|goal| waits(goal));
            let has_yes = match (asked, ran) {
                (Some(draft), _) if draft.program.code() == goal.program.code() => true,
                (Some(draft), Some(ran)) => {
                    let programs = std::iter::once((*uid, &draft.program));
                    let of_draft = self.rehearse_programs(session, programs).await;
                    let same = of_draft.first().filter(|draft| *draft == ran);
                    same.is_some_and(|same| !same.effects.is_empty())
                }
                _ => false,
            };
            if !has_yes {
                unconfirmed.push(*uid);
            }
        }
        unconfirmed
    }

    /// Whether a program calls an operation that destroys, or that shares with others.
    fn calls_to_destroy(&self, program: &Program) -> bool {
        let calls = Calls::of(program, &self.domain);
        let mut sites = calls.sites.iter();
        sites.any(|site| self.domain.destroys(&site.operation))
    }
}

/// Whether something is deleted or overwritten.
fn destroys(effect: &Effect) -> bool {
    effect.effect != Kind::Create && effect.place.setting().is_none()
}

/// Whether a draft is complete, so that the user was asked whether it may run.
fn waits(goal: &Goal) -> bool {
    goal.status == Status::Drafting && goal.program.placeholders().is_empty()
}
