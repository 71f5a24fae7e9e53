//! Errors that only the host gives. A program can raise an error of the same name; that one is
//! marked as forged.

use super::stepwise::UNFINISHED;
use crate::dialogue::{Outcome, ProgramError};
use crate::exec::{Breach, Execution, is_limit};
use crate::policy::REFUSED;

/// The code of a call that the policy or the world did not allow.
const DENIED: &str = "AccessDenied";
/// The codes of a plan that was declined, or was not carried out whole.
pub(super) const DECLINED: &str = "Declined";
pub(super) const INTERRUPTED: &str = "Interrupted";
/// The code of a program that lost its world.
pub(super) const LOST: &str = "ConnectionLost";
/// The beginning of the sentence in the message of such a program that says which writes it made
/// before it ended.
pub(super) const MADE_BEFORE: &str = " Before that, ";
/// The code of a program that its user did not let go on, because of what it costs.
pub(super) const TOO_COSTLY: &str = "TooCostly";
const OVERSEEN: [&str; 6] = [
    DECLINED,
    INTERRUPTED,
    TOO_COSTLY,
    UNFINISHED,
    "PlanOutdated",
    LOST,
];

/// Put before the message of a forged error, for the model and for people: no limit was
/// broken, and nobody declined.
const FORGED: &str = "raised by the program itself: ";

/// Whether the host, not the program or the world, ended this: a limit was broken, the policy
/// refused a call, or the user declined.
pub(super) fn is_of_host(execution: &Execution) -> bool {
    let by_policy = |outcome: &Outcome| match outcome {
        Outcome::Error(error) => refusal(error).is_some(),
        Outcome::Result(_) => false,
    };
    !execution.ended_by.is_program() || by_policy(&execution.outcome)
}

/// The sentence with which the policy refused a call, if an error has one and is not forged.
pub(super) fn refusal(error: &ProgramError) -> Option<&str> {
    if error.error != DENIED || is_forged(error) {
        return None;
    }
    let start = error.message.find(REFUSED)?;
    error.message.get(start..)
}

/// Whether an error says that the user declined, and is not forged.
pub(super) fn is_declined(error: &ProgramError) -> bool {
    error.error == DECLINED && !is_forged(error)
}

/// What a program did before the host ended it, as a clause: `2 writes were made: add × 2.`
pub(super) fn made_before(error: &ProgramError) -> Option<&str> {
    let (_, made) = error.message.rsplit_once(MADE_BEFORE)?;
    (OVERSEEN.contains(&error.error.as_str()) && !is_forged(error)).then_some(made)
}

/// Whether an error is [`marked`].
fn is_forged(error: &ProgramError) -> bool {
    error.message.starts_with(FORGED)
}

/// Marks an error that a program raised under the name of one of the host's.
pub(super) fn marked(mut execution: Execution) -> Execution {
    if let Outcome::Error(error) = &mut execution.outcome
        && execution.ended_by.is_program()
    {
        let name = error.error.as_str();
        let is_refused = |code: &str| {
            let mut calls = execution.calls.iter();
            calls.any(|call| call.error.as_deref() == Some(code))
        };
        // Python has a `MemoryError` of its own.
        let is_forged = (is_limit(name) && name != Breach::Memory.name())
            || OVERSEEN.contains(&name)
            || (name == DENIED && !is_refused(name));
        if is_forged {
            error.message.insert_str(0, FORGED);
        }
    }
    execution
}
