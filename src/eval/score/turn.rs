//! Whether a turn is right.

use crate::dataset::rows::RowGoal;
use crate::dialogue::Status;
use crate::eval::log::{EvalMode, FailureKind, TurnLog};

/// Whether a turn has the true signature. A turn whose programs were cut off or could not be
/// understood is wrong, even if the truth runs no program.
pub fn matches(log: &TurnLog) -> bool {
    let failure = log.failure.as_ref().map(|failure| failure.kind);
    is_match(failure, &log.signature, &log.truth_signature)
}

/// The same, from the parts of a turn that it depends on.
pub fn is_match(failure: Option<FailureKind>, signature: &str, truth: &str) -> bool {
    is_understood(failure) && signature == truth
}

/// Whether the first answer of a turn is right by itself, without any aid.
pub fn strictly_matches(log: &TurnLog) -> bool {
    match &log.strict {
        None => matches(log),
        Some(strict) => {
            strict.understood && strict.signature.as_ref() == Some(&log.truth_signature)
        }
    }
}

/// How far the first answers of a pass are right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StrictlyKept {
    /// Turns that are strictly matched without a gap, from the first on.
    pub turns: usize,
    /// Whether an aid took the dialogue another way after them, before its end.
    pub departed: bool,
}

/// How far the first answers of a pass are right. End to end, a turn whose aids change what
/// comes after it is the last that counts.
pub fn strictly_kept(turns: &[&TurnLog], mode: EvalMode) -> StrictlyKept {
    for (kept, log) in turns.iter().enumerate() {
        if !strictly_matches(log) {
            return StrictlyKept {
                turns: kept,
                departed: false,
            };
        }
        let departs = log.strict.as_ref().is_some_and(|strict| strict.departs);
        if departs && mode == EvalMode::EndToEnd && kept + 1 < turns.len() {
            return StrictlyKept {
                turns: kept + 1,
                departed: true,
            };
        }
    }
    StrictlyKept {
        turns: turns.len(),
        departed: false,
    }
}

/// Whether the state after a turn is right, whatever its programs returned.
pub fn state_matches(log: &TurnLog) -> bool {
    let failure = log.failure.as_ref().map(|failure| failure.kind);
    is_understood(failure) && log.state == log.truth_state
}

/// Whether the model's programs were understood.
fn is_understood(failure: Option<FailureKind>) -> bool {
    failure.is_none_or(|kind| kind == FailureKind::Response)
}

/// Whether a failure that is not the model's ended the dialogue.
pub fn is_cut_short(log: &TurnLog) -> bool {
    let kind = log.failure.as_ref().map(|failure| failure.kind);
    matches!(kind, Some(FailureKind::Provider | FailureKind::Ours))
}

/// The number of right turns before the first wrong one.
pub fn kept<'a>(
    turns: impl Iterator<Item = &'a TurnLog>,
    is_right: impl Fn(&TurnLog) -> bool,
) -> usize {
    turns.take_while(|log| is_right(log)).count()
}

/// [`kept`] as the share of these turns; none where there are none.
pub fn prefix<'a>(
    turns: impl Iterator<Item = &'a TurnLog> + Clone,
    is_right: impl Fn(&TurnLog) -> bool,
) -> Option<f64> {
    let all = turns.clone().count();
    (all > 0).then(|| kept(turns, is_right) as f64 / all as f64)
}

/// The goals of a turn whose programs ran.
pub fn ran(goals: &[RowGoal]) -> impl Iterator<Item = &RowGoal> {
    goals.iter().filter(|goal| goal.status == Status::Final)
}

/// Whether the true turn runs a program.
pub fn truth_runs(log: &TurnLog) -> bool {
    ran(&log.truth.programs).next().is_some()
}
