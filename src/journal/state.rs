//! What a session is, from what its journal says.

use super::entry::{Asked, Begin, By, Ending, Entry, Origin, Planned, Ran, Stepped, Verdict};
use super::log::{Damage, Line};
use super::stored::executed_of;
use crate::agent::{Past, Session};
use crate::dialogue::{Conversation, Update, Violation};
use jiff::Timestamp;

/// A session as its journal tells it. It reads no contents: what is long is named.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct State {
    /// What it started from; none before the first entry.
    pub begin: Option<Begin>,
    /// The text of the policy that holds; empty where none does.
    pub policy: String,
    /// When something was written last.
    pub last: Option<Timestamp>,
    /// The turns that ended, oldest first.
    pub turns: Vec<TurnState>,
    /// The turn that was begun and did not end.
    pub unfinished: Option<TurnState>,
    /// Every plan, in the order of the names.
    pub plans: Vec<PlanState>,
    /// Every write that was made, in order: the plan's name, and which of its writes.
    pub steps: Vec<(u64, usize)>,
    /// Whether the session ended and was not resumed.
    pub ended: bool,
}

/// A turn as the journal tells it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TurnState {
    /// What the user said.
    pub user: String,
    /// What the model was asked.
    pub asked: Vec<Asked>,
    /// The programs, once they are known.
    pub updates: Option<Vec<Update>>,
    /// The programs that came to their end, in order.
    pub executed: Vec<Ran>,
    /// What the agent said; empty before it did.
    pub reply: String,
}

/// A plan as the journal tells it.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanState {
    /// The plan.
    pub planned: Planned,
    /// What was decided, and who did.
    pub decided: Option<(Verdict, By)>,
    /// The writes that were made, from the first on.
    pub made: Vec<Stepped>,
    /// The write after them, where it was begun: whether it was made is not known.
    pub begun: Option<Stepped>,
    /// How the apply ended, once it did, and why.
    pub end: Option<(Ending, String)>,
    /// Whether it was taken back.
    pub undone: bool,
    /// Whether its turn was given up for another one in its place.
    pub given_up: bool,
}

impl PlanState {
    /// Whether it was to be applied, and no end of that is known.
    pub fn is_open(&self) -> bool {
        matches!(self.decided, Some((Verdict::Apply {}, _))) && self.end.is_none()
    }

    /// Whether it did something, or may have.
    pub fn has_effect(&self) -> bool {
        !self.made.is_empty() || self.begun.is_some()
    }
}

impl State {
    /// What these lines tell.
    ///
    /// # Errors
    /// A line that cannot follow those before it.
    pub fn of(lines: &[Line]) -> Result<State, Damage> {
        let mut state = State::default();
        for line in lines {
            state.take(line.at, &line.entry).map_err(|problem| Damage {
                line: line.number,
                problem,
            })?;
        }
        Ok(state)
    }

    /// Goes on with an entry. One that cannot be changes nothing, and the answer says why.
    pub(super) fn take(&mut self, at: Timestamp, entry: &Entry) -> Result<(), String> {
        if self.begin.is_some() == matches!(entry, Entry::Begin(_)) {
            return Err("a journal begins with its beginning, and only there".to_owned());
        }
        match entry {
            Entry::Begin(begin) => {
                self.policy.clone_from(&begin.policy);
                self.begin = Some(begin.clone());
            }
            Entry::Policy { text } => self.policy.clone_from(text),
            Entry::Resumed {} => self.ended = false,
            Entry::Ended {} => self.ended = true,
            Entry::Said { turn, user } => self.said(*turn, user)?,
            Entry::Asked(asked) => self.turn(asked.turn)?.asked.push(asked.clone()),
            Entry::Predicted { turn, updates } => {
                let updates = updates.iter().map(Update::from).collect();
                self.turn(*turn)?.updates = Some(updates);
            }
            Entry::Executed(ran) => {
                let turn = self.turn(ran.turn)?;
                if turn.executed.iter().any(|known| known.uid == ran.uid) {
                    return Err(format!("the program of goal {} has run already", ran.uid));
                }
                turn.executed.push(ran.clone());
            }
            Entry::Replied { turn, text } => {
                text.clone_into(&mut self.turn(*turn)?.reply);
                self.turns.extend(self.unfinished.take());
            }
            Entry::TakenBack { turn } => {
                if self.unfinished.is_some() || *turn != self.turns.len() || *turn == 0 {
                    return Err(format!("turn {turn} is not the last one that ended"));
                }
                self.turns.pop();
            }
            Entry::Plan(planned) => self.planned(planned)?,
            Entry::Decided { plan, verdict, by } => {
                self.plan_mut(*plan)?.decided = Some((verdict.clone(), *by));
            }
            Entry::Intent { plan, number, step } => {
                self.open_plan(*plan, *number)?.begun = Some(step.clone());
            }
            Entry::Done { plan, number, left } => {
                let known = self.open_plan(*plan, *number)?;
                let begun = known.begun.take();
                let mut step = begun.ok_or_else(|| {
                    format!("write {number} of plan {plan} was made and not begun")
                })?;
                step.left.clone_from(left);
                known.made.push(step);
                self.steps.push((*plan, *number));
            }
            Entry::Applied {
                plan,
                end,
                sentence,
                ..
            } => self.applied(*plan, (*end, sentence.clone()))?,
            Entry::Undone { plan } => self.plan_mut(*plan)?.undone = true,
        }
        self.last = Some(at);
        Ok(())
    }

    fn said(&mut self, turn: usize, user: &str) -> Result<(), String> {
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
            self.unfinished = Some(TurnState {
                user: user.to_owned(),
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
        // Who stops an apply finds out first what became of a write that was begun.
        known.begun.take_if(|_| end.0 == Ending::Stopped);
        let is_whole = end.0 == Ending::Whole;
        known.end = Some(end);
        match known.planned.origin {
            // What says so in as many words may be missing, where the writer was killed.
            Origin::Undo { of } if is_whole => {
                self.plan_mut(of)?.undone = true;
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn planned(&mut self, planned: &Planned) -> Result<(), String> {
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
            planned: planned.clone(),
            decided: None,
            made: Vec::new(),
            begun: None,
            end: None,
            undone: false,
            given_up: false,
        });
        Ok(())
    }

    /// The plan of this name.
    pub fn plan(&self, id: u64) -> Option<&PlanState> {
        self.plans.get(usize::try_from(id).ok()?.checked_sub(1)?)
    }

    fn plan_mut(&mut self, id: u64) -> Result<&mut PlanState, String> {
        let index = usize::try_from(id).ok().and_then(|id| id.checked_sub(1));
        let known = index.and_then(|index| self.plans.get_mut(index));
        known.ok_or_else(|| format!("there is no plan {id}"))
    }

    /// The plan whose write of this number comes next.
    fn open_plan(&mut self, id: u64, number: usize) -> Result<&mut PlanState, String> {
        let known = self.plan_mut(id)?;
        let next = known.made.len();
        match number == next && number < known.planned.writes.len() {
            true => Ok(known),
            false => Err(format!(
                "write {number} of plan {id} stands where write {next} should"
            )),
        }
    }

    /// The last plan of a goal's program in a turn.
    pub fn plan_of(&self, turn: usize, uid: u32) -> Option<&PlanState> {
        let origin = Origin::Program { turn, uid };
        let mut plans = self.plans.iter().rev();
        plans.find(|known| known.planned.origin == origin && !known.given_up)
    }

    /// The newest plan whose apply was cut off after it had begun: to be finished, or to be
    /// taken back. Between an apply's first write and its end this is the plan itself.
    pub fn cut_off(&self) -> Option<&PlanState> {
        let mut plans = self.plans.iter().rev();
        plans.find(|known| known.is_open() && known.has_effect() && !known.undone)
    }

    /// The plans of programs that did something and were not taken back, newest first.
    pub fn undoable(&self) -> impl Iterator<Item = &PlanState> {
        let plans = self.plans.iter().rev();
        plans.filter(|known| {
            let is_program = matches!(known.planned.origin, Origin::Program { .. });
            is_program && !known.undone && known.has_effect()
        })
    }

    /// The session after the turns that ended, as it was.
    ///
    /// # Errors
    /// Updates that break the status rules: these were not written by an agent.
    pub fn session(&self) -> Result<Session, Vec<Violation>> {
        let turns = self.turns.iter().map(|turn| Past {
            user: turn.user.clone(),
            updates: turn.updates.clone(),
            executed: turn.executed.iter().map(executed_of).collect(),
            reply: turn.reply.clone(),
        });
        Session::restore(turns)
    }

    /// The dialogue of the turns that ended, as a file has it.
    ///
    /// # Errors
    /// Those of [`State::session`].
    pub fn conversation(&self, name: &str) -> Result<Conversation, Vec<Violation>> {
        let mut conversation = self.session()?.conversation(name);
        if let Some(begin) = &self.begin {
            conversation.initial_signature.clone_from(&begin.signature);
            let world = ("world".to_owned(), begin.world.clone());
            conversation.attributes.push(world);
        }
        Ok(conversation)
    }
}
