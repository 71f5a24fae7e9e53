//! Confirmation: a complete program waits for the user's yes if it deletes or overwrites
//! something, or if it writes to a container that the user never named. Others run at once.
//!
//! Models with instructions read the first rule there. Trained models get no instructions, and
//! sometimes forget the rule. So code enforces it for them, both ways. A program that needs a
//! yes becomes a draft, and the reply asks the user about it; it runs when the model gives the
//! same program again, or one that does the same. A draft that lacks no value and needs no yes
//! becomes final.
//!
//! The second rule is for texts that give orders. A file says where to copy something, the user
//! says "do it", and a small model obeys the file.

use super::lint::{UNNEEDED_DRAFT, unsaid_containers};
use super::rehearsal::Rehearsed;
use super::{Agent, Prediction, Session, TurnReport};
use crate::dialogue::{Goal, Status};
use crate::domain::Calls;
use crate::plan::{Effect, EffectKind};
use crate::retrieval::Task;

/// The name of this aid.
pub(super) const UNCONFIRMED: &str = "unconfirmed";

impl Agent {
    /// The prediction with corrected statuses. A program that needs a yes becomes a draft
    /// unless the user was asked about it. A complete draft that needs no yes becomes final.
    pub(super) async fn confirmed(
        &self,
        session: &Session,
        prediction: Prediction,
        report: &mut TurnReport,
    ) -> Prediction {
        if self.settings.protocol.is_instructed() || self.domain.conduct.is_some() {
            return prediction;
        }
        let assist = &self.settings.assist;
        let mut prediction = prediction;
        if assist.has(UNCONFIRMED) {
            let waiting = self.unconfirmed(session, &prediction).await;
            let status = Status::Drafting;
            prediction = changed(session, prediction, &waiting, status, UNCONFIRMED, report);
        }
        if assist.has(UNNEEDED_DRAFT) {
            let ready = self.ready(session, &prediction).await;
            let status = Status::Final;
            prediction = changed(session, prediction, &ready, status, UNNEEDED_DRAFT, report);
        }
        prediction
    }

    /// The goals with new drafts that lack no value and need no yes. A draft that ends with an
    /// error in its rehearsal stays one.
    async fn ready(&self, session: &Session, prediction: &Prediction) -> Vec<u32> {
        let rehearsed = self.rehearse(session, prediction).await;
        let mut ready = Vec::new();
        for update in &prediction.updates {
            let goal = prediction.stack.get(update.uid);
            let Some(draft) = goal.filter(|goal| waits(goal)) else {
                continue;
            };
            let ran = rehearsed.iter().find(|ran| ran.uid == draft.uid);
            let calls = Calls::of(&draft.program, &self.domain);
            if self.destroy(&calls) || self.stray(session, &calls, ran) {
                continue;
            }
            let creates =
                |effect: &Effect| effect.effect == EffectKind::Create && !is_setting(effect);
            let is_ready = match ran {
                Some(ran) => !ran.outcome.is_error() && ran.effects.iter().all(creates),
                // On a server nothing is rehearsed, and a write might overwrite something.
                None => !calls.may_write(&self.domain),
            };
            if is_ready {
                ready.push(update.uid);
            }
        }
        ready
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
            let calls = Calls::of(&goal.program, &self.domain);
            let needs_yes = ran.is_some_and(|ran| ran.effects.iter().any(destroys))
                || self.destroy(&calls)
                || self.stray(session, &calls, ran);
            if !needs_yes {
                continue;
            }
            let asked = session.stack().get(*uid).filter(|goal| waits(goal));
            let has_yes = match (asked, ran) {
                (Some(draft), _) if draft.program.code() == goal.program.code() => true,
                (Some(draft), Some(ran)) => {
                    let of_draft = self.rehearse_alone(session, &self.world, draft).await;
                    of_draft.is_some_and(|draft| draft == *ran && !draft.effects.is_empty())
                }
                _ => false,
            };
            if !has_yes {
                unconfirmed.push(*uid);
            }
        }
        unconfirmed
    }

    /// Whether the calls of a program write to a container that it names and the user does not.
    /// They do not if its rehearsal changed nothing.
    fn stray(&self, session: &Session, calls: &Calls, ran: Option<&Rehearsed>) -> bool {
        ran.is_none_or(|ran| !ran.effects.is_empty())
            && !unsaid_containers(calls, &self.domain, session.turns()).is_empty()
    }

    /// Whether one of these calls is to an operation that destroys, or that shares with others.
    fn destroy(&self, calls: &Calls) -> bool {
        let mut sites = calls.sites.iter();
        sites.any(|site| self.domain.destroys(&site.operation))
    }
}

/// The prediction with another status for these goals. It stays as it is if the stack does not
/// allow the change.
fn changed(
    session: &Session,
    prediction: Prediction,
    goals: &[u32],
    status: Status,
    aid: &'static str,
    report: &mut TurnReport,
) -> Prediction {
    if goals.is_empty() {
        return prediction;
    }
    let mut updates = prediction.updates.clone();
    let changed = updates
        .iter_mut()
        .filter(|update| goals.contains(&update.uid));
    for update in changed {
        update.status = status;
    }
    match session.stack().updated(&updates) {
        Ok((stack, execute)) => {
            report.note_aid(aid, Task::Program);
            Prediction::new(updates, stack, execute)
        }
        Err(_) => prediction,
    }
}

/// Whether something is deleted or overwritten.
fn destroys(effect: &Effect) -> bool {
    effect.effect != EffectKind::Create && !is_setting(effect)
}

/// Whether a configuration of a place is changed, not its content.
fn is_setting(effect: &Effect) -> bool {
    effect.place.setting().is_some()
}

/// Whether a goal is a complete draft, which only waits for the user's yes.
pub(super) fn waits(goal: &Goal) -> bool {
    goal.status == Status::Drafting && goal.program.placeholders().is_empty()
}
