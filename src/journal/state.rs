//! The state of a session, computed from its journal.

use super::checked::CheckedReply;
use super::conversion::executed_of;
use super::entry::{
    Begin, Ending, Entry, ExecutionRecord, Origin, PlanVerdict, Planned, RequestRecord, StepRecord,
};
use super::log::{Damage, Line};
use crate::agent::{DecidedBy, Left, Past, Session};
use crate::dialogue::{Outcome, Stack, Transcript, Update, Violation};
use crate::domain::counted;
use jiff::Timestamp;
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};

/// The state of a session. Contents are named, not read.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SessionState {
    /// Its beginning; `None` before the first entry.
    pub begin: Option<Begin>,
    /// The text of the current policy; empty if there is none.
    pub policy: String,
    /// The time of the last entry.
    pub last: Option<Timestamp>,
    /// The turns that ended, oldest first.
    pub turns: Vec<TurnState>,
    /// The turn that was begun and did not end.
    pub unfinished: Option<TurnState>,
    /// All plans, ordered by number.
    pub plans: Vec<PlanState>,
    /// All writes that were made, in order: the plan's number, and the write's index in it.
    pub steps: Vec<(u64, usize)>,
    /// For each of these writes the time of the turn in which it was made.
    pub step_times: Vec<Option<Timestamp>>,
    /// The time of the turn that began last; `None` where the journal has none.
    pub now: Option<Timestamp>,
    /// What the conduct keeps, and what is pending; `None` before anything is kept.
    pub kept: Option<(Json, Option<Json>)>,
    /// Whether the session ended and was not resumed.
    pub ended: bool,
}

/// The state of a turn.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TurnState {
    /// The user's utterance.
    pub user: String,
    /// The time that its programs have; none in journals of before it was kept.
    pub now: Option<Timestamp>,
    /// The requests to the model, with their answers.
    pub asked: Vec<RequestRecord>,
    /// The programs, once they are known.
    pub updates: Option<Vec<Update>>,
    /// The programs that ended, in order.
    pub executed: Vec<ExecutionRecord>,
    /// The agent's reply; empty before there is one.
    pub reply: String,
    /// What was found in the reply; none where that is not known.
    pub checked: Option<CheckedReply>,
}

/// The state of a plan.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanState {
    /// The plan.
    pub planned: Planned,
    /// The decision, and who made it.
    pub decided: Option<(PlanVerdict, DecidedBy)>,
    /// The writes that were made, by their numbers in the plan. Some may be missing between them.
    pub made: BTreeMap<usize, StepRecord>,
    /// The writes that were begun. Whether they were made is unknown.
    pub begun: BTreeMap<usize, StepRecord>,
    /// How the apply ended, once it did, and why.
    pub end: Option<(Ending, String)>,
    /// Whether it was undone.
    pub undone: bool,
    /// Whether a part of it was undone, and the rest had changed since.
    pub partly_undone: bool,
    /// Whether its turn was replaced by another one.
    pub given_up: bool,
    /// What was pending in the slate when it was made. Once it is taken back and the slate says
    /// so, there is none.
    pub noted: Option<Json>,
    /// How many places had been taken back when the slate was kept last, of a plan that was not
    /// undone as a whole.
    pub told: usize,
}

impl PlanState {
    /// Whether it was to be applied and the apply did not end.
    pub fn is_open(&self) -> bool {
        matches!(self.decided, Some((PlanVerdict::Apply {}, _))) && self.end.is_none()
    }

    /// The numbers of the writes that were made.
    pub fn numbers(&self) -> BTreeSet<usize> {
        self.made.keys().copied().collect()
    }

    /// Whether it changed the world, or may have.
    pub fn has_effect(&self) -> bool {
        !self.made.is_empty() || !self.begun.is_empty()
    }
}

impl SessionState {
    /// The state after these lines.
    ///
    /// # Errors
    /// [`Damage`] if a line cannot follow the lines before it.
    pub fn of(lines: impl IntoIterator<Item = Line>) -> Result<SessionState, Damage> {
        let mut state = SessionState::default();
        for Line { number, at, entry } in lines {
            let taken = state.take(at, entry);
            taken.map_err(|problem| Damage {
                line: number,
                problem,
            })?;
        }
        Ok(state)
    }

    /// Applies an entry. An impossible entry changes nothing, and the error says why it is
    /// impossible.
    pub(super) fn take(&mut self, at: Timestamp, entry: Entry) -> Result<(), String> {
        if self.begin.is_some() == matches!(entry, Entry::Begin(_)) {
            return Err("a journal begins with its beginning, and only there".to_owned());
        }
        match entry {
            Entry::Begin(begin) => {
                self.policy.clone_from(&begin.policy);
                self.begin = Some(begin);
            }
            Entry::Policy { text } => self.policy = text,
            Entry::Moved { world, identity } => {
                if let Some(begin) = &mut self.begin {
                    begin.world = world;
                    begin.identity = Some(identity);
                }
            }
            Entry::Granted { folders } => {
                if let Some(begin) = &mut self.begin {
                    begin.folders.extend(folders);
                }
            }
            Entry::Resumed {} => self.ended = false,
            Entry::Ended {} => self.ended = true,
            Entry::Said { turn, user, now } => self.said(turn, user, now)?,
            Entry::Asked(asked) => self.turn(asked.turn)?.asked.push(asked),
            Entry::Predicted { turn, updates } => {
                let updates = updates.into_iter().map(Update::from).collect();
                self.turn(turn)?.updates = Some(updates);
            }
            Entry::Kept { kept, pending, .. } => {
                self.kept = Some((kept, pending));
                self.slate_is_kept();
            }
            Entry::Executed(ran) => {
                let turn = self.turn(ran.turn)?;
                if turn.executed.iter().any(|known| known.uid == ran.uid) {
                    return Err(format!("the program of goal {} has run already", ran.uid));
                }
                turn.executed.push(ran);
            }
            Entry::Replied {
                turn,
                text,
                checked,
            } => {
                let known = self.turn(turn)?;
                (known.reply, known.checked) = (text, checked);
                self.turns.extend(self.unfinished.take());
            }
            Entry::TakenBack { turn } => {
                if self.unfinished.is_some() || turn != self.turns.len() || turn == 0 {
                    return Err(format!("turn {turn} is not the last one that ended"));
                }
                self.turns.pop();
            }
            Entry::Plan(planned) => self.planned(planned)?,
            Entry::Decided { plan, verdict, by } => {
                self.plan_mut(plan)?.decided = Some((verdict, by));
            }
            Entry::Intent { plan, number, step } => {
                self.open_plan(plan, number)?.begun.insert(number, step);
            }
            Entry::Done {
                plan,
                number,
                left,
                ids,
            } => {
                let known = self.open_plan(plan, number)?;
                let begun = known.begun.remove(&number);
                let mut step = begun.ok_or_else(|| {
                    format!("write {number} of plan {plan} was made and not begun")
                })?;
                (step.left, step.ids) = (left, ids);
                known.made.insert(number, step);
                self.steps.push((plan, number));
                self.step_times.push(self.now);
            }
            Entry::Applied {
                plan,
                end,
                sentence,
                ..
            } => self.applied(plan, (end, sentence))?,
            Entry::Undone { plan } => self.plan_mut(plan)?.undone = true,
        }
        self.last = Some(at);
        Ok(())
    }

    fn said(&mut self, turn: usize, user: String, now: Option<Timestamp>) -> Result<(), String> {
        let next = self.turns.len() + 1;
        if turn != next {
            return Err(format!("turn {turn} begins where turn {next} should"));
        }
        if self
            .unfinished
            .as_ref()
            .is_none_or(|known| known.user != user)
        {
            for known in self.plans.iter_mut().rev() {
                match known.planned.origin {
                    Origin::Program { turn: of, .. } if of < turn => break,
                    Origin::Program { turn: of, .. } => known.given_up |= of == turn,
                    Origin::Undo { .. } => {}
                }
            }
            self.now = now;
            self.unfinished = Some(TurnState {
                user,
                now,
                ..TurnState::default()
            });
        }
        Ok(())
    }

    fn turn(&mut self, turn: usize) -> Result<&mut TurnState, String> {
        let known = self.unfinished.as_mut();
        known
            .filter(|_| turn == self.turns.len() + 1)
            .ok_or_else(|| format!("turn {turn} is not under way"))
    }

    fn applied(&mut self, plan: u64, end: (Ending, String)) -> Result<(), String> {
        let known = self.plan_mut(plan)?;
        // Before an apply is reported as stopped, the fate of the begun writes is looked up.
        if end.0 == Ending::Stopped {
            known.begun.clear();
        }
        let is_whole = end.0 == Ending::Whole;
        known.end = Some(end);
        match known.planned.origin {
            // The entry `Undone` is missing if the writer was killed before it.
            Origin::Undo { of } if is_whole => {
                let is_all = known.planned.left_alone.is_empty();
                let undone = self.plan_mut(of)?;
                undone.undone = is_all;
                undone.partly_undone = !is_all;
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn planned(&mut self, planned: Planned) -> Result<(), String> {
        let next = self.plans.len() as u64 + 1;
        if planned.id != next {
            return Err(format!(
                "plan {} stands where plan {next} should",
                planned.id
            ));
        }
        if let Origin::Undo { of } = planned.origin {
            self.plan_mut(of)?;
        }
        self.plans.push(PlanState {
            planned,
            decided: None,
            made: BTreeMap::new(),
            begun: BTreeMap::new(),
            end: None,
            undone: false,
            partly_undone: false,
            given_up: false,
            noted: self.kept.as_ref().and_then(|(_, pending)| pending.clone()),
            told: 0,
        });
        Ok(())
    }

    /// What was found in the replies so far, one for each turn; none where that is not kept.
    pub fn checked(&self) -> Vec<Option<CheckedReply>> {
        self.turns.iter().map(|turn| turn.checked.clone()).collect()
    }

    /// The last reply, and what was found in it. A turn that was stopped has none.
    pub fn last_reply(&self) -> Option<(String, Option<CheckedReply>)> {
        let mut turns = self.turns.iter().rev();
        let last = turns.find(|turn| !turn.reply.is_empty())?;
        Some((last.reply.clone(), last.checked.clone()))
    }

    /// The number of the next plan.
    pub fn next_plan(&self) -> u64 {
        self.plans.len() as u64 + 1
    }

    /// The plan with this number.
    pub fn plan(&self, id: u64) -> Option<&PlanState> {
        self.plans.get(usize::try_from(id).ok()?.checked_sub(1)?)
    }

    fn plan_mut(&mut self, id: u64) -> Result<&mut PlanState, String> {
        let index = usize::try_from(id).ok().and_then(|id| id.checked_sub(1));
        let known = index.and_then(|index| self.plans.get_mut(index));
        known.ok_or_else(|| format!("there is no plan {id}"))
    }

    /// The plan, if it has a write with this index that was not made.
    fn open_plan(&mut self, id: u64, number: usize) -> Result<&mut PlanState, String> {
        let known = self.plan_mut(id)?;
        if known.made.contains_key(&number) {
            return Err(format!("write {number} of plan {id} was made before"));
        }
        let count = known.planned.writes.len();
        match number < count {
            true => Ok(known),
            false => Err(format!(
                "plan {id} has {}, and no write {number}",
                counted(count, "write")
            )),
        }
    }

    /// The last plan of a goal's program in a turn.
    pub fn plan_of(&self, turn: usize, uid: u32) -> Option<&PlanState> {
        let origin = Origin::Program { turn, uid };
        let mut plans = self.plans.iter().rev();
        plans.find(|known| known.planned.origin == origin && !known.given_up)
    }

    /// All plans of a goal's program in a turn: one, or one a write in a world without drafts.
    pub fn plans_of(&self, turn: usize, uid: u32) -> impl Iterator<Item = &PlanState> {
        let origin = Origin::Program { turn, uid };
        let plans = self.plans.iter();
        plans.filter(move |known| known.planned.origin == origin && !known.given_up)
    }

    /// How much of what a goal's program did in a turn is still done.
    pub fn left(&self, turn: usize, uid: u32) -> Left {
        let left = |known: &PlanState| {
            let is_part = known.made.len() < known.planned.writes.len()
                || known.partly_undone
                || self.taken_back_in_part(known.planned.id).is_some();
            match known.undone || !known.has_effect() {
                true => Left::Nothing,
                false if is_part => Left::Part,
                false => Left::Whole,
            }
        };
        let each = self.plans_of(turn, uid).map(left);
        let both = |one: Left, other: Left| if one == other { one } else { Left::Part };
        each.reduce(both).unwrap_or(Left::Nothing)
    }

    /// Whether a plan of the session names a place with this root, unless it was declined.
    pub fn touches(&self, root: &str) -> bool {
        let is_declined =
            |known: &PlanState| matches!(known.decided, Some((PlanVerdict::Decline { .. }, _)));
        let plans = self.plans.iter().filter(|known| !is_declined(known));
        let writes = plans.flat_map(|known| &known.planned.writes);
        let mut touched = writes.flat_map(|write| write.touched.iter());
        touched.any(|it| it.place.root() == root)
    }

    /// How far a plan was taken back by an undo that ended early, as a sentence behind
    /// another one.
    pub(super) fn taken_back_in_part(&self, of: u64) -> Option<String> {
        let mut undos = self.plans.iter().rev();
        let undo = undos.find(|known| known.planned.origin == Origin::Undo { of })?;
        let (made, all) = (undo.made.len(), undo.planned.writes.len());
        let is_part = made > 0 && made < all;
        is_part.then(|| format!(" Then {made} of {all} writes that take it back were made."))
    }

    /// The newest plan whose apply was cut off after its first write, to be finished or
    /// undone. While an apply is under way, this is its plan.
    pub fn cut_off(&self) -> Option<&PlanState> {
        let mut plans = self.plans.iter().rev();
        plans.find(|known| known.is_open() && known.has_effect() && !known.undone)
    }

    /// The plans of programs that changed the world and were not undone, newest first. Those of
    /// which a part was undone come last.
    pub fn undoable(&self) -> impl Iterator<Item = &PlanState> {
        let plans = || {
            let plans = self.plans.iter().rev();
            plans.filter(|known| {
                let is_program = matches!(known.planned.origin, Origin::Program { .. });
                is_program && !known.undone && known.has_effect()
            })
        };
        let whole = plans().filter(|known| !known.partly_undone);
        whole.chain(plans().filter(|known| known.partly_undone))
    }

    /// The session after its last complete turn.
    ///
    /// # Errors
    /// Updates that break the status rules. No agent writes such updates.
    pub fn session(&self) -> Result<Session, Vec<Violation>> {
        let turns = self.turns.iter().map(|turn| Past {
            user: turn.user.clone(),
            updates: turn.updates.clone(),
            executed: turn.executed.iter().map(executed_of).collect(),
            reply: turn.reply.clone(),
        });
        Session::restore(turns)
    }

    /// The stack as far as the turn under way has come.
    ///
    /// # Errors
    /// Those of [`SessionState::session`].
    pub fn stack(&self) -> Result<Stack, Vec<Violation>> {
        let session = self.session()?;
        let Some(TurnState {
            updates: Some(updates),
            executed,
            ..
        }) = &self.unfinished
        else {
            return Ok(session.stack().clone());
        };
        let (mut stack, _) = session.stack().updated(updates)?;
        for ran in executed {
            stack.attach(ran.uid, Outcome::from(&ran.outcome));
        }
        Ok(stack)
    }

    /// The dialogue of the complete turns, in the form of a dialogue file.
    ///
    /// # Errors
    /// Those of [`SessionState::session`].
    pub fn transcript(&self, name: &str) -> Result<Transcript, Vec<Violation>> {
        let mut transcript = self.session()?.transcript(name);
        if let Some(begin) = &self.begin {
            transcript.initial_signature.clone_from(&begin.signature);
            let world = ("world".to_owned(), begin.world.clone());
            transcript.attributes.push(world);
        }
        Ok(transcript)
    }
}
