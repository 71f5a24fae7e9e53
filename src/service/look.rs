//! What a front end can look at. Nothing here waits for a turn.

use super::conversation::Conversation;
use super::feed::Events;
use super::open_session::OpenSession;
use super::past;
use super::phase::Phase;
use super::view::{CostView, CutOffApply, PlanView, SessionView, TurnUsage, TurnView};
use crate::agent::Situation;
use crate::dialogue::{self, Goal, Violation};
use crate::domain::World;
use crate::error::{Error, Result};
use crate::journal::{CheckedReply, Journal, SessionState};
use crate::policy::Policy;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A conversation as it is at one moment, also in the middle of a turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Snapshot {
    /// The number of an event. All until it are in the snapshot; a front end goes on with those
    /// [after](Conversation::events) it, of which the first may be in the snapshot, too.
    pub last: u64,
    /// What is being done.
    pub phase: Phase,
    /// The session. The utterance of the turn under way is its `interrupted`.
    pub session: SessionView,
    /// The plan that waits for an answer.
    pub plan: Option<PlanView>,
    /// The program that waits because of its cost.
    pub cost: Option<CostView>,
    /// The apply that was cut off when the session was written last.
    pub cut_off: Option<CutOffApply>,
    /// Every goal with its latest program, the one touched last at the end, as far as the turn
    /// under way has come.
    pub stack: Vec<Goal>,
    /// The turns that ended, as far as the session keeps them: outcomes and replies, no output of
    /// programs, no changes and no costs.
    pub turns: Vec<TurnView>,
    /// The cost of the conversation since it was opened, without the turn under way.
    pub usage: TurnUsage,
}

impl Conversation {
    /// The conversation as it is now. Waits for nothing: a front end can look while a plan waits
    /// for the very person who looks.
    ///
    /// # Errors
    /// The journal does not have a dialogue, which no agent writes.
    pub fn snapshot(&self) -> Result<Snapshot> {
        let OpenSession {
            journal, control, ..
        } = &self.session;
        // What is told while the rest is looked up, is told again.
        let last = control.feed.last();
        let (plan, cost) = (control.pending(), control.pending_cost());
        let phase = control.phase();
        // An apply that is under way is not cut off.
        let cut_off = match phase {
            Phase::Idle => self.cut_off(),
            _ => None,
        };
        let found: Result<_, Vec<Violation>> = journal.with_state(|state| {
            let dialogue = state.session()?;
            Ok((
                state.stack()?,
                past::turns(state)?,
                self.view(state, dialogue.said()),
            ))
        });
        let (stack, turns, session) = found.map_err(|violations| broken(journal, &violations))?;
        Ok(Snapshot {
            last,
            phase,
            session,
            plan,
            cost,
            cut_off,
            stack: stack.goals().iter().map(|goal| Goal::clone(goal)).collect(),
            turns,
            usage: self.usage(),
        })
    }

    /// The events after this number, for one more reader: 0 for all that are kept.
    pub fn events(&self, after: u64) -> Events {
        self.session.events(after)
    }

    /// What is being done now.
    pub fn phase(&self) -> Phase {
        self.session.phase()
    }

    /// The plan that waits for an answer.
    pub fn pending_plan(&self) -> Option<PlanView> {
        self.session.pending_plan()
    }

    /// The program that waits because of its cost.
    pub fn pending_cost(&self) -> Option<CostView> {
        self.session.pending_cost()
    }

    /// The apply that was cut off when the session was written last.
    pub fn cut_off(&self) -> Option<CutOffApply> {
        self.session.cut_off()
    }

    /// The current policy.
    pub fn policy(&self) -> Option<Arc<Policy>> {
        self.session.control.policy()
    }

    /// The dialogue so far, as the datasets have it, under this name: the turns that ended.
    ///
    /// # Errors
    /// The journal does not have a dialogue, which no agent writes.
    pub fn transcript(&self, uid: &str) -> Result<dialogue::Transcript> {
        let journal = &self.session.journal;
        let transcript = journal.with_state(|state| state.transcript(uid));
        transcript.map_err(|violations| broken(journal, &violations))
    }

    /// What was found in the replies so far, one for each turn; none where that is not kept.
    pub fn checked(&self) -> Vec<Option<CheckedReply>> {
        (self.session.journal).with_state(|state| state.checked())
    }

    /// The last reply, of this process or of one before it, and what was found in it.
    pub fn last_reply(&self) -> Option<(String, Option<CheckedReply>)> {
        (self.session.journal).with_state(|state| state.last_reply())
    }

    /// What is filled in, what is missing and why it is asked, for people, as the last program left
    /// it; `None` in a domain without a [`Conduct`](crate::agent::Conduct).
    ///
    /// # Errors
    /// What the conduct keeps cannot be read.
    pub fn situation(&self) -> Result<Option<Situation>> {
        self.session.domain.situation(&*self.session.world)
    }

    /// The cost of the conversation since it was opened. A turn counts when it has ended.
    pub fn usage(&self) -> TurnUsage {
        self.session.control.spent()
    }

    /// The session without its agent. It settles and undoes.
    pub fn open_session(&self) -> &OpenSession {
        &self.session
    }

    /// The world that programs act on.
    pub fn world(&self) -> &Arc<dyn World> {
        &self.session.world
    }

    fn view(&self, state: &SessionState, said: &str) -> SessionView {
        SessionView {
            session: self.session.journal.name().to_owned(),
            world: self.session.world.describe(),
            model: self.model.clone(),
            said: said.to_owned(),
            turns: state.turns.len(),
            interrupted: state.unfinished.as_ref().map(|turn| turn.user.clone()),
            changed: Vec::new(),
        }
    }
}

/// The dialogue of a journal breaks the rules of dialogues.
pub(super) fn broken(journal: &Journal, violations: &[Violation]) -> Error {
    let reasons: Vec<String> = violations.iter().map(ToString::to_string).collect();
    Error::Content {
        path: journal.folder().to_owned(),
        problem: format!("the session cannot go on: {}", reasons.join("; ")),
    }
}
