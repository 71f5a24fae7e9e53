//! Sessions, plans and turns as front ends see them. All types are owned and serialisable.

use super::arguments;
use super::card::PlanCard;
use crate::agent::{TurnReport, UNFINISHED};
use crate::claims::Claim;
use crate::dialogue::{Goal, Outcome};
use crate::domain::{Change, Costly, Place, Words, counted, plural};
use crate::exec::{CallRecord, EndedBy};
use crate::journal::{ContentStore, DecidedBy, Origin, PlanState, SessionState};
use crate::llm::Usage;
use crate::plan::{Digest, Effect, Plan, Totals, write_lines};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// A session that was opened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionView {
    /// Its name.
    pub session: String,
    /// Its world, in one line.
    pub world: String,
    /// Its model.
    pub model: String,
    /// The last words of the agent.
    pub said: String,
    /// The turns that ended.
    pub turns: usize,
    /// The utterance of an interrupted turn, which will be carried on.
    pub interrupted: Option<String>,
    /// What became of its forms because their sheets have changed since, a line each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<String>,
}

/// An apply that was cut off after some of its writes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CutOffApply {
    /// The plan.
    pub plan: u64,
    /// Where the plan comes from.
    pub origin: Origin,
    /// The number of writes that are known to be made.
    pub made: usize,
    /// The number of writes of the plan.
    pub of: usize,
    /// What is made so far.
    pub done: Box<PlanView>,
    /// What is left of the plan: what would be done now.
    pub left: Box<PlanView>,
}

impl CutOffApply {
    /// The apply that was cut off, where there is one, in a domain with these words.
    pub(super) fn of(
        state: &SessionState,
        words: &Words,
        contents: &ContentStore,
    ) -> Option<CutOffApply> {
        let known = state.cut_off()?;
        let planned = &known.planned;
        let (id, origin, of) = (planned.id, planned.origin, planned.writes.len());
        let left = (0..of).filter(|number| !known.made.contains_key(number));
        let left = planned.shown(contents).only(&left.collect());
        let mut left = PlanView::new(id, origin, &left, words);
        if let Origin::Undo { of } = origin {
            left = left.taking_back(state.plan(of).map(|undone| undone.planned.origin));
        }
        Some(CutOffApply {
            plan: id,
            origin,
            made: known.made.len(),
            of,
            done: Box::new(PlanView::done(known, words, contents)),
            left: Box::new(left),
        })
    }
}

/// A plan of a program or an undo.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlanView {
    /// Its number in the session, from 1.
    pub plan: u64,
    /// Where it comes from.
    pub origin: Origin,
    /// For an undo, where the plan that it takes back comes from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undoes: Option<Origin>,
    /// The effect on each place.
    pub effects: Arc<[Effect]>,
    /// The sum of the effects: things and bytes.
    pub totals: Totals,
    /// The outcome that the program would have.
    pub outcome: Outcome,
    /// The calls that the program made, reads included.
    pub calls: Arc<[CallRecord]>,
    /// The places that an undo could not restore, each with a clause that follows "because".
    pub lasting: Vec<(Place, String)>,
    /// The words of its domain for containers and for what is in them.
    #[serde(default)]
    pub words: Box<Words>,
    /// The arguments of the calls whose effects are not known, whole, one per line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<String>,
    /// What people read of a plan that is too long for them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<Box<Digest>>,
    /// How many reads of the program are not compared again before it is carried out.
    #[serde(default, skip_serializing_if = "crate::plan::is_zero")]
    pub unchecked: usize,
    /// Who agreed to it, once it was carried out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<DecidedBy>,
    /// Its words.
    #[serde(default)]
    pub card: Box<PlanCard>,
}

impl PlanView {
    /// The view of a plan in a domain with these words.
    pub fn new(id: u64, origin: Origin, plan: &Plan, words: &Words) -> Self {
        let mut view = PlanView {
            plan: id,
            origin,
            undoes: None,
            effects: plan.effects.clone(),
            totals: plan.totals(),
            outcome: plan.outcome.clone(),
            calls: plan.calls.clone(),
            lasting: plan.lasting.clone(),
            words: Box::new(words.clone()),
            arguments: arguments::of(&plan.writes),
            digest: Digest::of(&plan.effects).map(Box::new),
            unchecked: plan.reads.unchecked(),
            by: None,
            card: Box::default(),
        };
        *view.card = PlanCard::of(&view);
        view
    }

    /// The same for an undo of a plan that comes from there.
    #[must_use]
    pub(super) fn taking_back(mut self, undone: Option<Origin>) -> Self {
        self.undoes = undone;
        *self.card = PlanCard::of(&self);
        self
    }

    /// The same with all its lines in a file of this folder, where it is too long to be read. Without
    /// the file the digest is still there.
    #[must_use]
    pub fn with_file(mut self, folder: &Path) -> Self {
        if let Some(digest) = &mut self.digest {
            let file = folder.join(format!("plan-{}.tsv", self.plan));
            digest.file = write_lines(&self.effects, &file).is_ok().then_some(file);
        }
        self
    }

    /// Whether it is one call of a program that goes on after it, in a world that cannot be
    /// copied: calls before it may have been made.
    pub fn is_step(&self) -> bool {
        matches!(&self.outcome, Outcome::Error(error) if error.error == UNFINISHED)
    }

    /// The part of a plan in the journal with these contents that was carried out.
    pub fn done(known: &PlanState, words: &Words, contents: &ContentStore) -> Self {
        let done = known.planned.shown(contents).only(&known.numbers());
        PlanView {
            by: known.decided.as_ref().map(|(_, by)| *by),
            ..PlanView::new(known.planned.id, known.planned.origin, &done, words)
        }
    }
}

/// A program that waits because of its cost.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CostView {
    /// The number of the question in the conversation, from 1.
    pub id: u64,
    /// The goal of the program.
    pub uid: u32,
    /// Its cost, and its next call.
    pub costly: Costly,
}

/// A front end's answer to a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlanAnswer {
    /// Carry out the plan.
    Apply,
    /// Do not: the user said no.
    Decline,
    /// Do not: the user said neither yes nor no.
    Unanswered,
    /// Do not: a client dropped the plan before anybody was asked, or had answered.
    Dropped,
}

/// A turn that ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TurnView {
    /// Which one, from 1.
    pub turn: usize,
    /// The user's utterance.
    pub user: String,
    /// The goals that the turn changed, in the model's order, with their outcomes.
    pub goals: Vec<Goal>,
    /// The programs that ran, in order.
    pub runs: Vec<ProgramRun>,
    /// The parts that were carried out of plans without a question.
    pub unasked: Vec<PlanView>,
    /// What the complete draft of the turn would change: a plain yes in the next turn agrees to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proposed: Option<Box<PlanView>>,
    /// The changes of the world since before the turn; empty if there are none, or if worlds
    /// are not compared.
    pub changes: Arc<[Change]>,
    /// How the turn ended.
    pub end: TurnEnd,
    /// What the user should know beside that, a sentence each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Its cost.
    pub usage: TurnUsage,
}

impl TurnView {
    /// Whether the turn, or its reply, failed on our side.
    pub fn failed(&self) -> bool {
        matches!(&self.end, TurnEnd::Replied(reply) if reply.failure.is_some())
    }
}

/// A program that ran.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProgramRun {
    /// Its goal.
    pub uid: u32,
    /// Its printed output.
    pub output: String,
    /// How long it took, in microseconds.
    pub elapsed_us: u64,
    /// Its calls.
    pub calls: Arc<[CallRecord]>,
    /// Who determined the outcome: the program, a limit, or the overseer.
    pub ended_by: EndedBy,
}

/// How a turn ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TurnEnd {
    /// The agent replied.
    Replied(Reply),
    /// [`Conversation::cancel`](super::Conversation::cancel) ended it before the reply.
    Stopped(Stopped),
}

/// The words of the agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reply {
    /// The text.
    pub text: String,
    /// The claims that nothing supports.
    pub unsupported: Vec<Claim>,
    /// Whether the text is not the model's but a plain account of what happened.
    pub plain: bool,
    /// Why the turn, or its reply, failed: a sentence.
    pub failure: Option<String>,
    /// Whether the user ended the dialogue.
    pub ends_dialogue: bool,
}

/// The end of a cancelled turn. `Display` tells the user what they should know.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stopped {
    /// The goal whose program was running.
    pub running: Option<u32>,
    /// Whether nothing had run, so that the turn was removed.
    pub taken_back: bool,
    /// The writes that its program had made, if it had made any.
    pub apply: Option<Abandoned>,
}

/// The writes of a program whose turn was cancelled, over all its plans.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Abandoned {
    /// The writes that are known to be made.
    pub made: usize,
    /// The writes that there were to make.
    pub of: usize,
    /// How many more writes were begun and may have been made.
    pub in_doubt: usize,
}

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.running, &self.apply) {
            (_, Some(Abandoned { made, of, in_doubt })) if made == of && *in_doubt == 0 => {
                let (writes, were) = (counted(*made, "write"), plural(*made, "was", "were"));
                write!(f, "Stopped. {writes} {were} made.")
            }
            (_, Some(Abandoned { made, of, in_doubt })) => {
                let (of, were) = (counted(*of, "planned write"), plural(*of, "was", "were"));
                write!(f, "Stopped. Only {made} of {of} {were} made")?;
                match in_doubt {
                    0 => {}
                    1 => f.write_str("; it is not known whether one more was made")?,
                    more => write!(f, "; it is not known whether {more} more were made")?,
                }
                f.write_str(".")
            }
            (Some(uid), None) => write!(
                f,
                "Stopped. The program of goal {uid} was running, and has changed nothing."
            ),
            (None, None) if self.taken_back => f.write_str("Stopped. Nothing was changed."),
            (None, None) => f.write_str("Stopped before the reply."),
        }
    }
}

/// The cost of a turn or of a conversation.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnUsage {
    /// Requests to the model.
    pub requests: usize,
    /// The requests that were answered.
    pub answered: usize,
    /// The tokens of all requests.
    pub tokens: Usage,
}

impl TurnUsage {
    /// The cost of a turn.
    pub(super) fn of(report: &TurnReport) -> Self {
        let answers = report.exchanges.iter().filter(|it| it.answer.is_ok());
        TurnUsage {
            requests: report.exchanges.len(),
            answered: answers.count(),
            tokens: report.usage(),
        }
    }
}

impl std::ops::AddAssign for TurnUsage {
    fn add_assign(&mut self, other: TurnUsage) {
        self.requests += other.requests;
        self.answered += other.answered;
        self.tokens += other.tokens;
    }
}

/// The result of an undo.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Undone {
    /// How it ended.
    pub how: How,
    /// The same in words.
    pub said: String,
    /// The writes that were made.
    pub made: usize,
    /// The writes that there were to make.
    pub of: usize,
    /// The plan, if it was carried out without a question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unasked: Option<Totals>,
    /// The changes of the world, if worlds are compared.
    #[serde(default, skip_serializing_if = "<[Change]>::is_empty")]
    pub changes: Arc<[Change]>,
}

/// How an undo ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum How {
    /// There is nothing to take back.
    Nothing,
    /// The policy does not allow it.
    Denied,
    /// The user said no.
    Declined,
    /// Everything was restored, except for places that the plan listed as lost.
    Whole,
    /// Only a part was restored, or nothing, because it was cancelled.
    Partly,
}

impl Undone {
    /// Nothing was changed.
    pub(super) fn without_change(how: How, said: impl Into<String>) -> Undone {
        Undone {
            how,
            said: said.into(),
            made: 0,
            of: 0,
            unasked: None,
            changes: Arc::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stop_says_what_was_written() {
        let said = |made, of, in_doubt| {
            let apply = (of > 0).then_some(Abandoned { made, of, in_doubt });
            let stopped = Stopped {
                running: Some(1),
                taken_back: false,
                apply,
            };
            stopped.to_string()
        };
        let nothing = "Stopped. The program of goal 1 was running, and has changed nothing.";
        assert_eq!(said(0, 0, 0), nothing);
        assert_eq!(said(1, 1, 0), "Stopped. 1 write was made.");
        assert_eq!(said(2, 2, 0), "Stopped. 2 writes were made.");
        let part = "Stopped. Only 1 of 3 planned writes were made";
        assert_eq!(said(1, 3, 0), format!("{part}."));
        let doubt = "; it is not known whether one more was made.";
        assert_eq!(said(1, 3, 1), format!("{part}{doubt}"));
        let doubts = "; it is not known whether 2 more were made.";
        assert_eq!(said(1, 3, 2), format!("{part}{doubts}"));
    }
}
