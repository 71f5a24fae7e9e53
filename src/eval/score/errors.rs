//! The classes of wrong turns.

use super::sheet::{Pass, Sheet};
use super::turn;
use crate::dataset::rows::RowGoal;
use crate::dialogue::{Goal, Stack, Violation};
use crate::eval::log::{FailureKind, TurnLog};
use crate::exec::is_limit;
use crate::prompts::Form;
use crate::retrieval::Task;
use serde::Serialize;
use std::collections::BTreeMap;

/// Why a turn is wrong; the first that holds, in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrorClass {
    /// The answer was cut off, so that nothing of it was used.
    CutOff,
    /// The answer could not be parsed, or a program in it is not Python.
    Unparsable,
    /// An update that the status rules do not allow.
    IllegalStatus,
    /// A program with a placeholder was made final.
    PlaceholderLeft,
    /// A program ran before its turn.
    TooEarly,
    /// A program did not run in its turn.
    TooLate,
    /// A program broke a limit.
    Limit,
    /// A program ended with an error that the true one does not end with.
    Exception,
    /// The state after the turn is wrong.
    WrongState,
    /// The state is right, and a program returned something else.
    WrongValue,
}

impl ErrorClass {
    /// All of them, in order.
    pub const ALL: [ErrorClass; 10] = [
        ErrorClass::CutOff,
        ErrorClass::Unparsable,
        ErrorClass::IllegalStatus,
        ErrorClass::PlaceholderLeft,
        ErrorClass::TooEarly,
        ErrorClass::TooLate,
        ErrorClass::Limit,
        ErrorClass::Exception,
        ErrorClass::WrongState,
        ErrorClass::WrongValue,
    ];

    /// The name for people.
    pub fn title(self) -> &'static str {
        match self {
            ErrorClass::CutOff => "answer cut off",
            ErrorClass::Unparsable => "unparsable",
            ErrorClass::IllegalStatus => "illegal status",
            ErrorClass::PlaceholderLeft => "placeholder left",
            ErrorClass::TooEarly => "executed too early",
            ErrorClass::TooLate => "executed too late",
            ErrorClass::Limit => "limit",
            ErrorClass::Exception => "exception",
            ErrorClass::WrongState => "wrong state",
            ErrorClass::WrongValue => "right state, wrong value",
        }
    }
}

/// How many wrong turns there are of each class.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Errors {
    /// Of the first wrong turns of all finished passes.
    pub first: BTreeMap<ErrorClass, usize>,
    /// Of all wrong turns.
    pub all: BTreeMap<ErrorClass, usize>,
    /// Finished passes without a wrong turn.
    pub none: usize,
    /// Passes that were cut short. Their turns are not in the other counts.
    pub not_finished: usize,
}

impl Errors {
    /// The classes of the wrong turns of a log.
    pub fn of(sheet: &Sheet<'_>) -> Self {
        // Logs of versions that did not know it have none of that class.
        let known = |class: &&ErrorClass| **class != ErrorClass::CutOff;
        let zero = || {
            let classes = ErrorClass::ALL.iter().filter(known);
            classes.map(|class| (*class, 0)).collect()
        };
        let mut errors = Errors {
            first: zero(),
            all: zero(),
            none: 0,
            not_finished: sheet.cut_short.len(),
        };
        for pass in sheet.passes() {
            let classes = classes(pass);
            let mut wrong = classes.iter().flatten().peekable();
            match wrong.peek() {
                Some(first) => *errors.first.entry(**first).or_default() += 1,
                None => errors.none += 1,
            }
            for class in wrong {
                *errors.all.entry(*class).or_default() += 1;
            }
        }
        errors
    }
}

/// The class of each turn of a pass; `None` for right turns.
pub fn classes(pass: &Pass<'_>) -> Vec<Option<ErrorClass>> {
    // How many programs ran so far, and how many should have.
    let (mut ran, mut due) = (0usize, 0usize);
    let mut classes = Vec::with_capacity(pass.turns.len());
    for log in &pass.turns {
        classes.push((!turn::matches(log)).then(|| class(log, ran, due)));
        ran += turn::ran(&log.programs).count();
        due += turn::ran(&log.truth.programs).count();
    }
    classes
}

fn class(log: &TurnLog, ran: usize, due: usize) -> ErrorClass {
    match log.failure.as_ref().map(|failure| failure.kind) {
        Some(FailureKind::CutOff) => return ErrorClass::CutOff,
        Some(FailureKind::Programs) => return refused(log),
        _ => {}
    }
    let runs = turn::ran(&log.programs).next().is_some();
    match (runs, turn::truth_runs(log)) {
        // A program that was late runs now.
        (true, false) if ran < due => ErrorClass::TooLate,
        (true, false) => ErrorClass::TooEarly,
        // The program of this turn ran earlier.
        (false, true) if ran > due => ErrorClass::TooEarly,
        (false, true) => ErrorClass::TooLate,
        _ => outcome(log),
    }
}

/// Why programs were not accepted, from the last answer of the model.
fn refused(log: &TurnLog) -> ErrorClass {
    let mut exchanges = log.exchanges.iter().rev();
    let last = exchanges.find(|exchange| exchange.task == Task::Program);
    let text = last.and_then(|exchange| exchange.text.as_deref());
    // No text can be read in both forms.
    let read = |form: Form| text.and_then(|text| form.protocol().read_updates(text).ok());
    let mut readings = [Form::Chat, Form::Trained].into_iter().filter_map(read);
    let Some(updates) = readings.find(|updates| !updates.is_empty()) else {
        return ErrorClass::Unparsable;
    };
    let goals = log.stack.iter().filter_map(|goal| {
        let record = goal.record().ok()?;
        Some(Goal {
            uid: record.uid,
            status: record.status,
            program: record.program.unwrap_or_default(),
            outcome: record.outcome,
            signature: record.signature,
        })
    });
    let stack = Stack::from_goals(goals.collect()).unwrap_or_default();
    let Err(violations) = stack.updated(&updates) else {
        return ErrorClass::Unparsable;
    };
    let is_placeholder =
        |violation: &Violation| matches!(violation, Violation::PlaceholderLeft { .. });
    if violations.iter().all(is_placeholder) {
        ErrorClass::PlaceholderLeft
    } else {
        ErrorClass::IllegalStatus
    }
}

/// The class of the mistake in what programs did.
fn outcome(log: &TurnLog) -> ErrorClass {
    let expected = |name: &str| {
        let mut errors = turn::ran(&log.truth.programs).filter_map(|goal| goal.error.as_deref());
        errors.any(|error| error == name)
    };
    let failed = turn::ran(&log.programs);
    let unexpected = failed.filter(|goal| goal.error.as_deref().is_some_and(|e| !expected(e)));
    let mut unexpected = unexpected.peekable();
    if unexpected.peek().is_some() {
        return if unexpected.any(|goal| broke_limit(log, goal)) {
            ErrorClass::Limit
        } else {
            ErrorClass::Exception
        };
    }
    if turn::state_matches(log) {
        ErrorClass::WrongValue
    } else {
        ErrorClass::WrongState
    }
}

/// Whether a program broke a limit. The name of its error is no proof, but older logs have
/// nothing else.
fn broke_limit(log: &TurnLog, goal: &RowGoal) -> bool {
    match &log.limits {
        Some(uids) => uids.contains(&goal.uid),
        None => goal.error.as_deref().is_some_and(is_limit),
    }
}
