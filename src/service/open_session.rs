//! A session that is open for writing, without its model. Its applies can be finished or taken
//! back.

use super::control::{Cancelled, TurnControl};
use super::event::Event;
use super::feed::{Events, Feed};
use super::phase::Phase;
use super::session::StoredSession;
use super::view::{CostView, CutOffApply, How, PlanAnswer, PlanView, Undone};
use crate::agent::{Decided, Decision};
use crate::domain::{Domain, Opened, Planning, World};
use crate::error::{Error, Result};
use crate::journal::{DecidedBy, Ending, Inverse, Journal, Origin, PlanState, SessionState};
use crate::plan::{Applied, Apply, Earlier, End, Keeping, Plan, planning};
use crate::policy::Policy;
use std::sync::Arc;

/// A session that is open for writing: its journal, its world and its policy.
/// `dialog2api session undo` needs no more; a [`Conversation`](super::Conversation) is one
/// with an agent.
pub struct OpenSession {
    pub(super) journal: Arc<Journal>,
    pub(super) world: Arc<dyn World>,
    pub(super) domain: Arc<Domain>,
    pub(super) keeping: Keeping,
    pub(super) control: Arc<TurnControl>,
}

/// The way to settle an apply that was cut off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Settle {
    /// Make the missing writes.
    Finish,
    /// Take back the writes that were made.
    TakeBack,
}

/// The way back from a plan.
enum Proposal {
    /// A plan, which has this number in the journal, and how far the apply got that it takes
    /// back, if that was cut off.
    Plan(Box<Inverse>, u64, Option<Applied>),
    /// There is nothing to do, or it may not be done.
    Ended(Undone),
}

impl OpenSession {
    /// Opens a session that is there. `named` is its world as the user typed it.
    ///
    /// # Errors
    /// Those of [`StoredSession::resume`]; the writes of the domain cannot be planned.
    pub async fn open(
        stored: &StoredSession,
        (named, world): (&str, &Opened),
        domain: &Arc<Domain>,
        policy: Policy,
    ) -> Result<(OpenSession, Events)> {
        planning(domain)?;
        let journal = stored.resume(named, world, domain).await?;
        let control = TurnControl::new(Some(Arc::new(policy)), Feed::new());
        let events = control.feed.after(0);
        let session = OpenSession {
            journal,
            world: world.world.clone(),
            domain: domain.clone(),
            keeping: Keeping::default(),
            control,
        };
        session.restore_slate()?;
        Ok((session, events))
    }

    /// The journal of the session, to be read.
    pub fn journal(&self) -> &Journal {
        &self.journal
    }

    /// The apply that was cut off, where there is one.
    pub fn cut_off(&self) -> Option<CutOffApply> {
        let (words, contents) = (&self.domain.words, self.journal.contents());
        (self.journal).with_state(|state| CutOffApply::of(state, words, contents))
    }

    /// Looks at the apply that was cut off, where there is one, without drawing its plan.
    pub fn with_cut_off<T>(&self, look: impl FnOnce(&PlanState) -> T) -> Option<T> {
        self.journal.with_state(|state| state.cut_off().map(look))
    }

    /// The events after this number, for one more reader: 0 for all that are kept.
    pub fn events(&self, after: u64) -> Events {
        self.control.feed.after(after)
    }

    /// What is being done now.
    pub fn phase(&self) -> Phase {
        self.control.phase()
    }

    /// The program that waits because of its cost.
    pub fn pending_cost(&self) -> Option<CostView> {
        self.control.pending_cost()
    }

    /// The plan that waits for an answer.
    pub fn pending_plan(&self) -> Option<PlanView> {
        self.control.pending()
    }

    /// Answers the plan that waits.
    ///
    /// # Errors
    /// No plan of this number waits.
    pub fn decide(&self, plan: u64, answer: PlanAnswer) -> Result<()> {
        self.control.answer(plan, answer)
    }

    /// Answers whether the program that waits goes on, whatever it costs; `id` is that of the
    /// question. A program that goes on begins again from its start.
    ///
    /// # Errors
    /// No program waits for the answer to this question.
    pub fn let_go_on(&self, id: u64, go_on: bool) -> Result<()> {
        self.control.let_go_on(id, go_on)
    }

    /// Ends the undo or apply under way. An apply ends before its next write. Cancelling again
    /// ends it at once; then it is not known whether the current write was made.
    pub fn cancel(&self) -> Cancelled {
        self.control.cancel()
    }

    /// Takes back the plan with this number, or the last one that changed something, if the
    /// user agrees to the plan that does it.
    ///
    /// # Errors
    /// The world could not be read, or the journal not be written.
    pub async fn undo(&self, plan: Option<u64>) -> Result<Undone> {
        self.tracked(self.propose_undo(plan)).await
    }

    /// Settles the apply that was cut off. `None` where the turn that is carried on finishes
    /// it, or where nothing was cut off.
    ///
    /// # Errors
    /// The world could not be read, or the journal not be written.
    pub async fn settle(&self, settle: Settle) -> Result<Option<Undone>> {
        let cut_off = self.with_cut_off(|known| (known.planned.id, known.planned.origin));
        let Some((plan, origin)) = cut_off else {
            return Ok(None);
        };
        let undone = match (settle, origin) {
            (Settle::Finish, Origin::Program { turn, .. }) if self.is_unfinished(turn) => {
                return Ok(None);
            }
            (Settle::Finish, _) => self.tracked(self.finish(plan, origin)).await,
            (Settle::TakeBack, _) => self.tracked(self.take_back(plan)).await,
        };
        undone.map(Some)
    }

    /// Closes the session. An interrupted turn can be carried on later.
    ///
    /// # Errors
    /// The journal could not be written.
    pub fn close(&self) -> Result<()> {
        if self.journal.unfinished().is_none() {
            self.journal.ended()?;
        }
        self.control.tell(Event::Closed);
        Ok(())
    }

    /// Finds out from the world whether the last write of an abandoned apply was made, and
    /// records it. Makes no write.
    ///
    /// # Errors
    /// The journal could not be written. A world that cannot be read stays in doubt.
    pub(super) async fn look_into_doubts(&self) -> Result<()> {
        let in_doubt = |state: &SessionState| -> Vec<u64> {
            let plans = state.plans.iter();
            let plans = plans.filter(|known| {
                let is_unknown = matches!(known.end, Some((Ending::Unknown, _)));
                is_unknown && !known.begun.is_empty() && !known.undone
            });
            plans.map(|known| known.planned.id).collect()
        };
        for id in self.journal.with_state(in_doubt) {
            self.look_into(id).await?;
        }
        Ok(())
    }

    /// Gives the world back what the conduct of the session kept in it.
    ///
    /// # Errors
    /// It cannot be read, or the journal not be written.
    pub(super) fn restore_slate(&self) -> Result<()> {
        let kept = self.journal.with_state(|state| state.kept.clone());
        if let (Some((kept, pending)), Some(slate)) = (kept, self.world.slate()) {
            slate.keep(kept);
            slate.set_pending(pending);
        }
        // The process may have ended between an undo and what follows here.
        self.note_taken_back()
    }

    /// The same for a conversation that goes on. What the conduct keeps is fitted to its rules,
    /// where these have changed; the lines say what became of it.
    ///
    /// # Errors
    /// As [`Self::restore_slate`]; under the new rules it cannot go on.
    pub(super) fn resume_slate(&self) -> Result<Vec<String>> {
        self.restore_slate()?;
        let (Some(conduct), Some(slate)) = (&self.domain.conduct, self.world.slate()) else {
            return Ok(Vec::new());
        };
        let changed = conduct.resumed(&*self.world)?;
        let turn = self.journal.with_state(|state| state.turns.len());
        self.journal.kept(turn, slate)?;
        Ok(changed)
    }

    /// Tells the conduct what was taken back, and writes down what it keeps then.
    fn note_taken_back(&self) -> Result<()> {
        let (taken, turn) = self
            .journal
            .with_state(|state| (state.taken_back(), state.turns.len()));
        let (Some(conduct), Some(slate)) = (&self.domain.conduct, self.world.slate()) else {
            return Ok(());
        };
        for taken in taken {
            conduct.taken_back(&*self.world, &taken)?;
            self.journal.kept(turn, slate)?;
        }
        Ok(())
    }

    /// Whether this turn was interrupted and is to be carried on.
    fn is_unfinished(&self, turn: usize) -> bool {
        (self.journal).with_state(|s| s.unfinished.is_some() && s.turns.len() + 1 == turn)
    }

    /// Carries out an undo: it can be cancelled, and the front end is told how it ended.
    async fn tracked(&self, work: impl Future<Output = Result<Undone>>) -> Result<Undone> {
        let undone = match self.control.unless_cancelled(work).await {
            Some(undone) => undone?,
            // An apply that is abandoned ends by itself, and says what was made. Here none had
            // begun.
            None => Undone::without_change(How::Partly, "Stopped. Nothing was changed."),
        };
        self.control.tell(Event::Undone(Box::new(undone.clone())));
        Ok(undone)
    }

    async fn propose_undo(&self, plan: Option<u64>) -> Result<Undone> {
        let of = match self.journal.with_state(|state| state.to_undo(plan)) {
            Ok(of) => of,
            Err(sentence) => return Ok(Undone::without_change(How::Nothing, sentence)),
        };
        let (inverse, plan, found) = match self.inverse(of).await? {
            Proposal::Plan(inverse, plan, found) => (inverse, plan, found),
            Proposal::Ended(undone) => return Ok(undone),
        };
        let words = &self.domain.words;
        let view = PlanView::new(plan, Origin::Undo { of }, &inverse.undo.plan, words);
        let view = view.taking_back(Some(inverse.origin));
        let view = view.with_file(self.journal.folder());
        let Decided { decision, by } = self.control.decide(view).await;
        self.journal.decided(plan, &decision, by)?;
        if let Decision::Decline(_) = decision {
            return Ok(Undone::without_change(How::Declined, ""));
        }
        self.close_cut_off(of, found.as_ref())?;
        let undone = self.apply_undo((plan, of), &inverse.undo.plan, Earlier::default());
        let mut undone = undone.await?;
        if undone.how == How::Whole && by == DecidedBy::Policy {
            undone.unasked = Some(inverse.undo.plan.totals());
        }
        Ok(undone)
    }

    /// Makes the writes that are missing.
    async fn finish(&self, id: u64, origin: Origin) -> Result<Undone> {
        let (plan, earlier) = self.journal.plan_and_steps(id)?;
        if let Some(denied) = self.denied(&plan) {
            self.look_into(id).await?;
            return Ok(denied);
        }
        match origin {
            Origin::Undo { of } => self.apply_undo((id, of), &plan, earlier).await,
            Origin::Program { .. } => {
                let applied = self.apply(id, &plan, earlier).await?;
                Ok(ended(
                    &applied,
                    plan.writes.len(),
                    "The interrupted plan is finished.",
                ))
            }
        }
    }

    /// Takes back the writes of a plan whose apply was cut off. The user has agreed to that.
    async fn take_back(&self, of: u64) -> Result<Undone> {
        let (inverse, plan, found) = match self.inverse(of).await? {
            Proposal::Plan(inverse, plan, found) => (inverse, plan, found),
            Proposal::Ended(undone) => return Ok(undone),
        };
        self.close_cut_off(of, found.as_ref())?;
        let decision = Decision::Apply(self.control.stop.clone());
        self.journal.decided(plan, &decision, DecidedBy::User)?;
        let undone = self.apply_undo((plan, of), &inverse.undo.plan, Earlier::default());
        let undone = undone.await?;
        Ok(match undone.how {
            How::Whole => Undone {
                said: "The writes that were made have been taken back.".to_owned(),
                ..undone
            },
            _ => undone,
        })
    }

    /// The plan that takes back a plan in the world as it is now.
    async fn inverse(&self, of: u64) -> Result<Proposal> {
        let is_open = |known: &PlanState| known.is_open() || !known.begun.is_empty();
        let is_open = (self.journal).with_state(|state| state.plan(of).is_some_and(is_open));
        let found = match is_open {
            true => self.how_far(of).await?,
            false => None,
        };
        let planning = self.planning()?;
        let inverse = self.journal.inverse(of, planning, self.keeping)?;
        let mut inverse = inverse.ok_or_else(|| Error::usage(format!("there is no plan {of}")))?;
        let still = inverse.undo.still(planning, &*self.world, self.keeping);
        inverse.undo = still.await?;
        let (plan, lost) = (&inverse.undo.plan, &inverse.undo.lost);
        if !lost.is_empty() {
            self.control.tell(Event::CannotBringBack {
                places: lost.clone(),
            });
        }
        // What changes nothing is no way back, and nobody need be asked about it.
        if plan.effects.is_empty() {
            let said = if lost.is_empty() {
                self.close_cut_off(of, found.as_ref())?;
                self.journal.undone(of)?;
                self.note_taken_back()?;
                "Everything is already as it was before."
            } else {
                "There is nothing that can be brought back."
            };
            return Ok(Proposal::Ended(Undone::without_change(How::Nothing, said)));
        }
        if let Some(denied) = self.denied(plan) {
            return Ok(Proposal::Ended(denied));
        }
        let id = self.journal.plan_undo(of, &inverse.undo)?;
        Ok(Proposal::Plan(Box::new(inverse), id, found))
    }

    /// Closes an apply that was cut off where it ended. Whoever says no to its undo may still
    /// finish it, so this is done after a yes.
    fn close_cut_off(&self, id: u64, found: Option<&Applied>) -> Result<()> {
        found.map_or(Ok(()), |applied| self.journal.applied(id, applied))
    }

    /// Finds out how far the apply of a plan got, and closes it there.
    async fn look_into(&self, id: u64) -> Result<()> {
        let found = self.how_far(id).await?;
        self.close_cut_off(id, found.as_ref())
    }

    /// How far the apply of a plan got; `None` if the world cannot be read.
    async fn how_far(&self, id: u64) -> Result<Option<Applied>> {
        let (plan, earlier) = self.journal.plan_and_steps(id)?;
        let apply = Apply {
            earlier,
            ..Apply::new(self.planning()?, &*self.world, &plan.writes)
        };
        let applied = apply.settle(&mut *self.journal.record(id)).await;
        Ok((!matches!(applied.end, End::Failed(_))).then_some(applied))
    }

    /// The refusal, if the policy does not allow the writes.
    fn denied(&self, plan: &Plan) -> Option<Undone> {
        let policy = self.control.policy()?;
        let denied = policy.judge_all(&self.domain, &plan.writes).err()?;
        Some(Undone::without_change(How::Denied, denied.to_string()))
    }

    async fn apply_undo(
        &self,
        (id, undoes): (u64, u64),
        plan: &Plan,
        earlier: Earlier,
    ) -> Result<Undone> {
        let applied = self.apply(id, plan, earlier).await?;
        let left = self.journal.with_state(|state| {
            let known = state.plan(id);
            known.map_or(0, |known| known.planned.left_alone.len())
        });
        if applied.is_whole() && left == 0 {
            self.journal.undone(undoes)?;
        }
        self.note_taken_back()?;
        let said = match left {
            0 => "Undone.".to_owned(),
            1 => "Undone in part: one place has changed since, and was left alone.".to_owned(),
            _ => format!("Undone in part: {left} places have changed since, and were left alone."),
        };
        let ended = ended(&applied, plan.writes.len(), &said);
        Ok(match left {
            0 => ended,
            _ => Undone {
                how: How::Partly,
                ..ended
            },
        })
    }

    async fn apply(&self, id: u64, plan: &Plan, earlier: Earlier) -> Result<Applied> {
        let of = plan.writes.len();
        let apply = Apply {
            keeping: self.keeping,
            earlier,
            stop: self.control.stop.clone(),
            ..Apply::new(self.planning()?, &*self.world, &plan.writes)
        };
        let mut watch = |made| {
            self.control.tell(Event::Applying { made, of });
        };
        let applied = {
            let mut record = self.journal.record(id);
            apply.run(&mut *record, &mut watch).await
        };
        self.journal.applied(id, &applied)?;
        Ok(applied)
    }

    fn planning(&self) -> Result<&dyn Planning> {
        Ok(&**planning(&self.domain)?)
    }
}

/// How an apply ended, in the words of an undo.
fn ended(applied: &Applied, of: usize, whole: &str) -> Undone {
    let (how, said) = match applied.failure(of) {
        None => (How::Whole, whole.to_owned()),
        Some((_, sentence)) => (How::Partly, sentence),
    };
    Undone {
        made: applied.steps.len(),
        of,
        ..Undone::without_change(how, said)
    }
}
