//! The program stack: the latest program of every goal, and the rules by which a goal may
//! change.

use super::{Outcome, Program, Turn, Violation};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// The state of a goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// A draft, which may be revised and may have placeholders.
    Drafting,
    /// Decided. Its program runs exactly once, and the goal never changes again.
    Final,
    /// Given up. Its program never runs, and the goal never changes again.
    Abandoned,
}

/// One goal, its program and the outcome.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Goal {
    /// The goal's number, unique in its dialogue.
    pub uid: u32,
    /// Its state.
    pub status: Status,
    /// Its latest code.
    pub program: Program,
    /// The outcome of its program, once it has run.
    pub outcome: Option<Outcome>,
    /// The world's signature after its program ran, if it was recorded.
    pub signature: Option<String>,
}

/// One change to one goal, as a model predicts it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Update {
    /// The goal. A number that the stack does not have starts a new goal.
    pub uid: u32,
    /// The new status.
    pub status: Status,
    /// The new code. `None` keeps the old code, as `<goal uid="1" status="final"/>` does.
    pub program: Option<Program>,
}

/// The goals of a dialogue. The one most recently updated is on top.
///
/// ```
/// use dialog2api_core::dialogue::{Outcome, Program, Stack, Status, Update, Violation};
///
/// let update = |status, code: Option<&str>| Update {
///     uid: 1,
///     status,
///     program: code.map(Program::new),
/// };
/// let draft = update(Status::Drafting, Some("s3.delete_bucket(Bucket=?1)"));
/// let (stack, _) = Stack::default().updated(&[draft]).expect("a draft may miss a value");
///
/// // A program with a placeholder cannot run.
/// let reasons = stack.updated(&[update(Status::Final, None)]).unwrap_err();
/// assert!(matches!(reasons[..], [Violation::PlaceholderLeft { uid: 1, .. }]));
///
/// let whole = update(Status::Final, Some("s3.delete_bucket(Bucket=\"zoo\")"));
/// let (mut stack, to_run) = stack.updated(&[whole]).expect("it has all values");
/// assert_eq!(to_run, [1]);
/// // An outcome is attached once.
/// assert!(stack.attach(1, Outcome::Result(serde_json::Value::Null)));
/// assert!(!stack.attach(1, Outcome::Result(serde_json::Value::Null)));
/// ```
///
/// A clone shares its goals with the original: outcomes are large, and every turn keeps the
/// stack that it started from.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Stack {
    goals: Vec<Arc<Goal>>,
}

impl Stack {
    /// A stack of these goals, bottom first. `Err` holds the uids that occur twice.
    pub fn from_goals(goals: Vec<Goal>) -> Result<Stack, BTreeSet<u32>> {
        let mut seen = HashSet::new();
        let twice: BTreeSet<u32> = goals
            .iter()
            .map(|goal| goal.uid)
            .filter(|uid| !seen.insert(*uid))
            .collect();
        if twice.is_empty() {
            let goals = goals.into_iter().map(Arc::new).collect();
            Ok(Stack { goals })
        } else {
            Err(twice)
        }
    }

    /// The goals, bottom first.
    pub fn goals(&self) -> &[Arc<Goal>] {
        &self.goals
    }

    /// The goal with this number.
    pub fn get(&self, uid: u32) -> Option<&Goal> {
        let goal = self.goals.iter().find(|goal| goal.uid == uid);
        goal.map(|goal| &**goal)
    }

    /// The number of a goal that comes next: one more than the highest, which need not be on top.
    pub fn next_uid(&self) -> u32 {
        let uids = self.goals.iter().map(|goal| goal.uid);
        uids.max().unwrap_or_default().saturating_add(1)
    }

    /// Whether there is no goal.
    pub fn is_empty(&self) -> bool {
        self.goals.is_empty()
    }

    /// A number that no goal has.
    pub fn free_uid(&self) -> u32 {
        free_uid(self.goals.iter().map(|goal| goal.uid).collect())
    }

    /// The stack after one turn's updates, and the uids of the programs to run, in the order
    /// of the updates. Updated goals move to the top.
    ///
    /// # Errors
    /// Every rule that an update breaks. Then no update takes effect.
    pub fn updated(&self, updates: &[Update]) -> Result<(Stack, Vec<u32>), Vec<Violation>> {
        let violations = self.violations(updates);
        if !violations.is_empty() {
            return Err(violations);
        }
        let touched: HashSet<u32> = updates.iter().map(|update| update.uid).collect();
        let untouched = |goal: &&Arc<Goal>| !touched.contains(&goal.uid);
        let mut goals: Vec<Arc<Goal>> = self.goals.iter().filter(untouched).cloned().collect();
        for update in updates {
            let old = || self.get(update.uid).map(|goal| goal.program.clone());
            goals.push(Arc::new(Goal {
                uid: update.uid,
                status: update.status,
                program: update.program.clone().or_else(old).unwrap_or_default(),
                outcome: None,
                signature: None,
            }));
        }
        let execute = updates
            .iter()
            .filter(|update| update.status == Status::Final)
            .map(|update| update.uid)
            .collect();
        Ok((Stack { goals }, execute))
    }

    /// Attaches the outcome of a goal's program. Returns whether it did: a program runs
    /// once, so only a final goal without an outcome takes one.
    pub fn attach(&mut self, uid: u32, outcome: Outcome) -> bool {
        let waiting = self
            .goals
            .iter_mut()
            .find(|goal| goal.uid == uid && goal.status == Status::Final && goal.outcome.is_none());
        match waiting {
            Some(goal) => {
                Arc::make_mut(goal).outcome = Some(outcome);
                true
            }
            None => false,
        }
    }

    /// The stack after a recorded turn, with its recorded outcomes and signatures. Nothing
    /// runs.
    ///
    /// # Errors
    /// Every status rule that the turn breaks.
    pub fn replayed(&self, turn: &Turn) -> Result<Stack, Vec<Violation>> {
        let (mut stack, _) = self.updated(&turn.updates())?;
        for record in &turn.goals {
            if let Some(outcome) = &record.outcome {
                stack.attach(record.uid, outcome.clone());
            }
            if let Some(goal) = stack.goals.iter_mut().find(|goal| goal.uid == record.uid) {
                Arc::make_mut(goal).signature.clone_from(&record.signature);
            }
        }
        Ok(stack)
    }

    fn violations(&self, updates: &[Update]) -> Vec<Violation> {
        let known: HashMap<u32, &Goal> =
            self.goals.iter().map(|goal| (goal.uid, &**goal)).collect();
        let taken = known.keys().copied().chain(updates.iter().map(|u| u.uid));
        let free = free_uid(taken.collect());
        let mut seen = HashMap::new();
        let mut violations = Vec::new();
        for update in updates {
            let count: &mut usize = seen.entry(update.uid).or_default();
            *count += 1;
            match *count {
                1 => violations.extend(broken_rule(known.get(&update.uid).copied(), update, free)),
                2 => violations.push(Violation::Twice { uid: update.uid }),
                _ => {}
            }
        }
        violations
    }
}

/// The rule that an update breaks, whatever the other updates are.
fn broken_rule(goal: Option<&Goal>, update: &Update, free: u32) -> Option<Violation> {
    let uid = update.uid;
    match goal {
        Some(goal) if goal.status != Status::Drafting => {
            let status = goal.status;
            return Some(Violation::Closed { uid, status, free });
        }
        None if update.status == Status::Abandoned => return Some(Violation::NewAbandoned { uid }),
        None if update.program.is_none() => return Some(Violation::NewWithoutProgram { uid }),
        _ => {}
    }
    if update.status != Status::Final {
        return None;
    }
    let program = update.program.as_ref().or(goal.map(|goal| &goal.program))?;
    if program.is_empty() {
        return Some(Violation::EmptyFinal { uid });
    }
    let placeholders = program.placeholders();
    (!placeholders.is_empty()).then_some(Violation::PlaceholderLeft { uid, placeholders })
}

/// The number after the highest one, or the lowest free number where that one is the
/// largest possible.
fn free_uid(taken: BTreeSet<u32>) -> u32 {
    match taken.last() {
        None => 1,
        Some(highest) => highest
            .checked_add(1)
            .or_else(|| (1..u32::MAX).find(|uid| !taken.contains(uid)))
            .unwrap_or(0),
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Status::Drafting => "drafting",
            Status::Final => "final",
            Status::Abandoned => "abandoned",
        })
    }
}

/// The error for a word that is not a status.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a status is \"drafting\", \"final\" or \"abandoned\", not {0:?}")]
pub struct UnknownStatus(pub String);

impl FromStr for Status {
    type Err = UnknownStatus;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        [Status::Drafting, Status::Final, Status::Abandoned]
            .into_iter()
            .find(|status| status.to_string() == text)
            .ok_or_else(|| UnknownStatus(text.to_owned()))
    }
}
