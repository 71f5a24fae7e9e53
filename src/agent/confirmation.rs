//! Confirmation: a program that deletes or overwrites something waits for the user's yes.
//!
//! Other models read this rule in their instructions. Trained models get none, and sometimes
//! forget the rule. So code enforces it for them: such a program becomes a draft, and the reply
//! asks the user about it. It runs when the model gives the same program again, or one that
//! does the same.

use super::{Agent, Prediction, Session, TurnReport};
use crate::dialogue::{Goal, Program, Status};
use crate::domain::{Access, Calls};
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
        for ran in rehearsed {
            let Some(goal) = prediction.stack.get(ran.uid) else {
                continue;
            };
            let needs_yes = ran.effects.iter().any(destroys) || self.deletes(&goal.program);
            let asked = session.stack().get(ran.uid).filter(|goal| waits(goal));
            let has_yes = match asked {
                Some(draft) if draft.program.code() == goal.program.code() => true,
                Some(draft) => {
                    let programs = std::iter::once((ran.uid, &draft.program));
                    let of_draft = self.rehearse_programs(session, programs).await;
                    let same = of_draft.first().filter(|draft| *draft == ran);
                    same.is_some_and(|same| !same.effects.is_empty())
                }
                None => false,
            };
            if needs_yes && !has_yes {
                unconfirmed.push(ran.uid);
            }
        }
        unconfirmed
    }

    /// Whether a program calls an operation that deletes.
    fn deletes(&self, program: &Program) -> bool {
        let calls = Calls::of(program, &self.domain);
        let mut operations = calls
            .sites
            .iter()
            .filter_map(|site| self.domain.operation(&site.operation));
        operations.any(|operation| operation.effect == Access::Delete)
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
