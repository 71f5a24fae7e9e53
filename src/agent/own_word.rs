//! Errors that only the host gives, in the mouth of a program.

use crate::dialogue::Outcome;
use crate::exec::{Breach, Execution, is_limit};

/// The code of a call that was not allowed, by the policy or by the world.
const DENIED: &str = "AccessDenied";
/// What becomes of a plan that is not carried out whole.
pub(super) const DECLINED: &str = "Declined";
pub(super) const INTERRUPTED: &str = "Interrupted";
const OVERSEEN: [&str; 4] = [DECLINED, INTERRUPTED, "PlanOutdated", "ConnectionLost"];

/// What stands before the message of such an error, for the model and for people: it is no
/// limit that was broken, and nobody who said no.
const OWN: &str = "raised by the program itself: ";

/// Says of an error that it is the program's own word, where its name is one that the host
/// gives.
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
            error.message.insert_str(0, OWN);
        }
    }
    execution
}
