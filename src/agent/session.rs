//! The state of one dialogue: its stack, its turns, and the way back from a draft.

use super::plain_reply::plain_reply;
use super::plain_yes::is_plain_yes;
use super::{Executed, Failure, Prediction, Proposal, TurnReport};
use crate::dialogue::{GoalRecord, Stack, Status, Transcript, Turn, Update, Violation};
use crate::domain::Signature;
use crate::plan::Plan;
use crate::retrieval::Excluded;
use jiff::Timestamp;

/// The agent's first words.
pub const GREETING: &str = "How can I help you?";

/// One dialogue: its stack, the agent's last words, and everything said so far.
///
/// Every turn keeps the stack that it started from. The goals, with their outcomes, are
/// shared between those stacks.
///
/// ```
/// use dialog2api::agent::{GREETING, Session};
///
/// let session = Session::new();
/// assert_eq!(session.said(), GREETING);
/// assert!(session.stack().is_empty());
/// ```
#[derive(Debug, Clone)]
pub struct Session {
    stack: Stack,
    said: String,
    greeting: String,
    turns: Vec<Turn>,
    history: Vec<Before>,
    excluded: Option<Excluded>,
    now: Now,
    proposal: Option<Proposal>,
}

/// The time of a turn: that of its programs, and the one that the model is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Now {
    /// The world's own time. In a world that has the machine's time, programs have that of
    /// [`Settings::seed`](super::Settings::seed), and the model is told none.
    #[default]
    OfWorld,
    /// The time when the turn began.
    At(Timestamp),
    /// That of [`Settings::seed`](super::Settings::seed), also in a world with a time of its
    /// own: a turn of a session from before turns had times is carried on.
    Unknown,
}

/// The state before a turn, and whether the turn ran anything.
#[derive(Debug, Clone)]
struct Before {
    stack: Stack,
    said: String,
    ran: bool,
}

impl Default for Session {
    fn default() -> Self {
        Session {
            stack: Stack::default(),
            said: GREETING.into(),
            greeting: GREETING.into(),
            turns: Vec::new(),
            history: Vec::new(),
            excluded: None,
            now: Now::default(),
            proposal: None,
        }
    }
}

impl Session {
    /// A dialogue that has only the greeting.
    pub fn new() -> Self {
        Self::default()
    }

    /// Goes on after the turns of a recorded dialogue; nothing runs again.
    ///
    /// # Errors
    /// The reasons, if the recorded updates break the status rules.
    pub fn resume(transcript: &Transcript) -> Result<Self, Vec<Violation>> {
        let mut session = Session::new();
        if let Some(greeting) = &transcript.greeting {
            session.greeting.clone_from(greeting);
            session.said.clone_from(greeting);
        }
        for turn in &transcript.turns {
            let stack = session.stack.replayed(turn)?;
            let said = turn.response.clone().unwrap_or_default();
            session.history.push(Before {
                stack: std::mem::replace(&mut session.stack, stack),
                said: std::mem::replace(&mut session.said, said),
                ran: turn.goals.iter().any(|goal| goal.status == Status::Final),
            });
            session.turns.push(turn.clone());
        }
        Ok(session)
    }

    /// Keeps examples of a dialogue out of its own prompts: for evaluation.
    #[must_use]
    pub fn excluding(mut self, excluded: Excluded) -> Self {
        self.excluded = Some(excluded);
        self
    }

    /// Sets the time of the turns that follow.
    pub fn set_now(&mut self, now: Now) {
        self.now = now;
    }

    pub(super) fn now(&self) -> Now {
        self.now
    }

    /// The program stack as it is now.
    pub fn stack(&self) -> &Stack {
        &self.stack
    }

    /// What the complete draft of the last turn would change, if that waits for a yes. The plain yes
    /// of the next turn agrees to it.
    pub fn proposal(&self) -> Option<&Proposal> {
        self.proposal.as_ref()
    }

    /// Withdraws the proposal: whoever says yes now is shown the plan again.
    pub fn withdraw_proposal(&mut self) {
        self.proposal = None;
    }

    pub(super) fn propose(&mut self, proposal: Option<Proposal>) {
        self.proposal = proposal;
    }

    /// The plan that was proposed for this goal. It counts once.
    pub(super) fn take_proposal(&mut self, uid: u32) -> Option<Plan> {
        let proposal = self.proposal.take_if(|proposal| proposal.uid == uid)?;
        Some(proposal.plan)
    }

    /// The agent's latest reply, which the next prompt quotes before the user's utterance.
    pub fn said(&self) -> &str {
        &self.said
    }

    /// Everything said so far, oldest first; the last turn may be under way.
    pub fn turns(&self) -> &[Turn] {
        &self.turns
    }

    /// The dialogue as it is saved.
    pub fn transcript(&self, uid: &str) -> Transcript {
        Transcript {
            uid: uid.to_owned(),
            greeting: Some(self.greeting.clone()),
            turns: self.turns.clone(),
            ..Transcript::default()
        }
    }

    /// Takes back the last turn, if it only drafted or gave up goals. A turn that ran a
    /// program stays, even if the program did not come to its end: then nothing changes and
    /// the answer is `false`.
    pub fn undo_draft(&mut self) -> bool {
        if self.history.last().is_none_or(|before| before.ran) {
            return false;
        }
        let Some(before) = self.history.pop() else {
            return false;
        };
        self.turns.pop();
        self.proposal = None;
        (self.stack, self.said) = (before.stack, before.said);
        true
    }

    /// Adds a turn that changes no goal: only words. A model cannot say that in the exchange
    /// format; baselines do.
    pub fn pass(&mut self, user: &str, reply: &str) {
        self.begin(user);
        reply.clone_into(&mut self.said);
        if let Some(turn) = self.turns.last_mut() {
            turn.response = Some(reply.to_owned());
        }
    }

    pub(super) fn user(&self) -> &str {
        self.turns.last().map_or("", |turn| &turn.user)
    }

    /// The turns before the last one, which is under way.
    pub(super) fn past(&self) -> &[Turn] {
        self.turns.split_last().map_or(&[], |(_, past)| past)
    }

    pub(super) fn excluded(&self) -> Option<&Excluded> {
        self.excluded.as_ref()
    }

    /// Begins a turn. The user's words are kept, whatever becomes of the turn.
    pub(super) fn begin(&mut self, user: &str) {
        if !is_plain_yes(user) {
            self.proposal = None;
        }
        self.history.push(Before {
            stack: self.stack.clone(),
            said: self.said.clone(),
            ran: false,
        });
        self.turns.push(Turn {
            user: user.trim().to_owned(),
            ..Turn::default()
        });
    }

    /// Updates the stack with what is certain by now: the prediction without the programs
    /// that have not ended. Their goals stay as they were before the turn.
    pub(super) fn settle(&mut self, prediction: &Prediction, executed: &[Executed]) {
        let outcome = |uid: u32| executed.iter().find(|done| done.uid == uid);
        let sure =
            |update: &&Update| update.status != Status::Final || outcome(update.uid).is_some();
        let sure: Vec<Update> = prediction.updates.iter().filter(sure).cloned().collect();
        let Some(before) = self.history.last_mut() else {
            return;
        };
        // What is predicted runs as soon as this is settled.
        before.ran |= !prediction.execute.is_empty();
        // Part of legal updates is legal too: each is judged alone.
        let Ok((mut stack, _)) = before.stack.updated(&sure) else {
            return;
        };
        for done in executed {
            stack.attach(done.uid, done.execution.outcome.clone());
        }
        self.stack = stack;
        if let Some(turn) = self.turns.last_mut() {
            let record = |update: Update| {
                let done = outcome(update.uid);
                GoalRecord {
                    uid: update.uid,
                    status: update.status,
                    program: update.program,
                    outcome: done.map(|done| done.execution.outcome.clone()),
                    signature: done.and_then(|done| Some(done.signature?.to_string())),
                }
            };
            turn.goals = sure.into_iter().map(record).collect();
        }
    }

    /// Adds the signature after a program of the turn to its goal.
    pub(super) fn sign(&mut self, uid: u32, signature: Signature) {
        let goals = self.turns.last_mut().map(|turn| turn.goals.iter_mut());
        for goal in goals.into_iter().flatten().filter(|goal| goal.uid == uid) {
            goal.signature = Some(signature.to_string());
        }
    }

    /// A turn ends with a reply.
    pub(super) fn finish(&mut self, report: &TurnReport) {
        self.said.clone_from(&report.reply);
        self.note(report);
    }

    /// Ends a turn without the model's reply: the user hears what ran and what failed. If
    /// nothing ran, the next prompt begins with the agent's words before this turn.
    pub(super) fn give_up(&mut self, mut report: TurnReport, failure: Failure) -> TurnReport {
        let happened = plain_reply(&self.stack, report.executed.iter().map(|done| done.uid));
        let sorry = if failure.may_have_written() || !report.executed.is_empty() {
            format!("Sorry, {failure}.")
        } else {
            let way_out = failure.way_out();
            format!("Sorry, {failure}. Nothing was changed; {way_out}.")
        };
        report.reply = [happened, sorry]
            .into_iter()
            .filter(|part| !part.is_empty())
            .collect::<Vec<_>>()
            .join("\n");
        report.plain = true;
        report.failure = Some(failure);
        if !report.executed.is_empty() {
            self.said.clone_from(&report.reply);
        }
        self.note(&report);
        report
    }

    /// Keeps the reply in the turn, and not as the words that the next prompt begins with.
    pub(super) fn note(&mut self, report: &TurnReport) {
        if let Some(turn) = self.turns.last_mut() {
            turn.response = Some(report.reply.clone());
        }
    }
}
