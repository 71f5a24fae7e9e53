//! A dialogue that is being written. Its turns run at once, so that replies and later requests
//! can use their outcomes.

use super::Stop;
use super::figures::Figures;
use super::stage::{Names, Stage, value};
use super::templates::{Goal, Templates};
use super::wish::Wish;
use crate::dataset::DialogueReplay;
use crate::dialogue::{ConversationalException, GoalRecord, Outcome, Program, Status, Turn};
use minijinja::Value;
use std::collections::BTreeMap;

/// The dialogue so far.
pub struct Scene<'a> {
    pub templates: &'a Templates,
    pub stage: Stage<'a>,
    pub replay: DialogueReplay<'a>,
    pub turns: Vec<Turn>,
    pub figures: Figures,
    /// The goal that the dialogue begins with.
    pub first: Option<&'a str>,
    last: Option<&'a str>,
    /// The value that ties goals, in the last one that had such a value and succeeded.
    same: Option<Value>,
    goals: u32,
}

/// How often a goal with the same value is tried before one with any.
const STAY: usize = 6;
/// How often another goal is tried where the drawn one does not fit.
const ATTEMPTS: usize = 30;

impl<'a> Scene<'a> {
    pub fn new(templates: &'a Templates, stage: Stage<'a>, replay: DialogueReplay<'a>) -> Self {
        Scene {
            templates,
            stage,
            replay,
            turns: Vec::new(),
            figures: Figures::default(),
            first: None,
            last: None,
            same: None,
            goals: 0,
        }
    }

    /// The number of a new goal.
    pub fn new_goal(&mut self) -> u32 {
        self.goals += 1;
        self.goals
    }

    /// A wish that fits what was said before.
    pub fn wish(&mut self, fits: impl Fn(&Goal) -> bool) -> Result<Wish<'a>, Stop> {
        let follows = |goal: &Goal| {
            let last = self.last.and_then(|last| self.templates.goal(last));
            let is_last =
                |it: &String| last.is_some_and(|last| *it == last.id || last.gives.contains(it));
            goal.after.iter().any(is_last)
        };
        let odds = &self.stage.talk.odds;
        let wants_follow = self.stage.chance.percent(odds.follow_up);
        let goals = || self.templates.goals.iter().filter(|goal| fits(goal));
        let following: Vec<&Goal> = goals().filter(|goal| follows(goal)).collect();
        let others: Vec<&Goal> = goals().filter(|goal| goal.after.is_empty()).collect();
        let mut reason = "no goal fits".to_owned();
        let stays = self.same.is_some() && self.stage.chance.percent(odds.stay);
        if stays {
            self.stage.stay(self.same.as_ref());
        }
        for attempt in 0..ATTEMPTS {
            if stays && attempt == STAY {
                self.stage.stay(None);
            }
            let goal = match wants_follow && attempt < 3 && !following.is_empty() {
                true => self.stage.chance.pick(&following).copied(),
                false => self.of_a_kind(&others),
            };
            let Some(goal) = goal else { break };
            match Wish::drawn(goal, &self.stage) {
                Ok(mut wish) => {
                    wish.stays = stays && attempt < STAY && self.is_same(&wish);
                    self.stage.stay(None);
                    self.figures.count(&goal.kind);
                    self.first.get_or_insert(&goal.id);
                    if follows(goal) {
                        self.figures.count("follow-up");
                    }
                    return Ok(wish);
                }
                Err(Stop::Unfit(why)) => reason = why,
                Err(failed) => return Err(failed),
            }
        }
        Err(Stop::Unfit(reason))
    }

    /// Whether a wish is about the value that ties it to the goal before.
    fn is_same(&self, wish: &Wish<'_>) -> bool {
        wish.tie(self.stage.talk) == self.same.as_ref()
    }

    /// One of the goals: first its kind is drawn, so that many goals of a kind do not make it
    /// frequent.
    fn of_a_kind(&self, goals: &[&'a Goal]) -> Option<&'a Goal> {
        let there = |kind: &str| goals.iter().any(|goal| goal.kind == kind);
        let kinds: Vec<(&String, usize)> = (self.stage.talk.kinds.iter())
            .filter(|(kind, _)| there(kind))
            .map(|(kind, weight)| (kind, *weight))
            .collect();
        let kind = *self.stage.chance.weighted(&kinds)?;
        let of_kind: Vec<(&Goal, usize)> = (goals.iter())
            .filter(|goal| goal.kind == *kind)
            .map(|goal| (*goal, goal.weight))
            .collect();
        self.stage.chance.weighted(&of_kind).copied()
    }

    /// A turn without its response.
    pub async fn turn(
        &mut self,
        user: String,
        uid: u32,
        status: Status,
        program: Option<Program>,
    ) -> Result<Option<Outcome>, Stop> {
        let record = GoalRecord {
            uid,
            status,
            program,
            outcome: None,
            signature: None,
        };
        let mut turn = Turn {
            user,
            goals: vec![record],
            response: None,
        };
        let replayed = self.replay.turn(&turn).await.map_err(Stop::Failed)?;
        let replayed = replayed.map_err(|violations| {
            let broken: Vec<String> = violations.iter().map(ToString::to_string).collect();
            Stop::Unfit(broken.join("; "))
        })?;
        let mut outcome = None;
        for done in replayed.done {
            for goal in turn.goals.iter_mut().filter(|goal| goal.uid == done.uid) {
                goal.outcome = Some(done.execution.outcome.clone());
                goal.signature = Some(done.signature.to_string());
            }
            outcome = Some(done.execution.outcome);
        }
        self.turns.push(turn);
        Ok(outcome)
    }

    /// The agent's words for the last turn.
    pub fn respond(&mut self, text: String) {
        if let Some(turn) = self.turns.last_mut() {
            turn.response = Some(text);
        }
    }

    /// The reply to an outcome. An error that no template has words for makes the dialogue
    /// unfit: nobody meant it.
    pub fn reply(&mut self, wish: &Wish<'a>, outcome: &Outcome) -> Result<String, Stop> {
        let goal = wish.goal;
        let mut names: Names = wish.names.clone();
        let result = match outcome {
            Outcome::Result(json) => value(json),
            Outcome::Error(_) => Value::from(()),
        };
        names.insert("result".to_owned(), result.clone());
        if let Some((slot, _)) = &wish.mistake
            && let Some(wrong) = wish.names.get(&slot.name)
        {
            names.insert("wrong".to_owned(), wrong.clone());
        }
        let slots = Value::from(wish.names.clone());
        let words = match outcome {
            Outcome::Error(error) if ConversationalException::named(&error.error).is_none() => {
                let common = &self.templates.talk.errors;
                let words = goal.errors.get(&error.error).or(common.get(&error.error));
                let unmeant =
                    || Stop::Unfit(format!("{}: {}: {}", goal.id, error.error, error.message));
                self.figures.count("error");
                self.last = None;
                words.ok_or_else(unmeant)?
            }
            _ => {
                self.last = Some(&goal.id);
                wish.reply
            }
        };
        if !outcome.is_error()
            && let Some(same) = wish.tie(self.stage.talk)
        {
            self.same = Some(same.clone());
        }
        let last = BTreeMap::from([("result", result), ("slots", slots)]);
        self.stage.set("last", Value::from(last));
        self.stage.spoken(words, &names)
    }
}
