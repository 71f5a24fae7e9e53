//! Turns a new program for a closed goal into a new goal.
//!
//! An update that repeats the goal's own program is left as it is, and is invalid: it may not
//! be a request at all, and no program may run twice.

use super::{Normalizer, Turn};
use crate::dialogue::{Stack, Status, Update};

pub(super) struct ReusedUid;

impl Normalizer for ReusedUid {
    fn name(&self) -> &'static str {
        "reused-uid"
    }

    fn normalize(&self, mut updates: Vec<Update>, turn: &Turn<'_>) -> Vec<Update> {
        let on_stack = turn.stack.goals().iter().map(|goal| goal.uid);
        let in_updates = updates.iter().map(|update| update.uid);
        let mut last = on_stack.chain(in_updates).max().unwrap_or_default();
        for update in &mut updates {
            if is_new_program(update, turn.stack)
                && let Some(next) = last.checked_add(1)
            {
                (update.uid, last) = (next, next);
            }
        }
        updates
    }
}

/// Whether an update has a program for a closed goal, and not the one that it has.
fn is_new_program(update: &Update, stack: &Stack) -> bool {
    let goal = stack.get(update.uid);
    let closed = goal.filter(|goal| goal.status != Status::Drafting);
    let program = (update.program.as_ref()).filter(|_| update.status != Status::Abandoned);
    match (closed, program) {
        (Some(goal), Some(program)) => goal.program.code().trim() != program.code().trim(),
        _ => false,
    }
}
