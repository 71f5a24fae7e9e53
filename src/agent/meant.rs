//! What a model plainly means and writes otherwise. Small models do, and a repair costs them
//! more than it mends: asked again they often give another program.

use crate::dialogue::{Program, Stack, Status, Update};

/// The updates of an answer as they are meant.
pub(super) fn meant(mut updates: Vec<Update>, stack: &Stack, user: &str) -> Vec<Update> {
    for update in &mut updates {
        let program = update.program.take();
        update.program = program.map(|program| unquoted(program, user));
        let lacks = |program: &Program| !program.placeholders().is_empty();
        if update.status == Status::Final && update.program.as_ref().is_some_and(lacks) {
            // What lacks a value cannot be decided.
            update.status = Status::Drafting;
        }
    }
    renumbered(updates, stack)
}

/// A placeholder in quotes is a placeholder, unless the user says such a thing.
fn unquoted(program: Program, user: &str) -> Program {
    let said = |text: &String| text.starts_with('?') && user.contains(text);
    match program.literals().iter().any(said) {
        true => program,
        false => program.with_placeholders_unquoted(),
    }
}

/// A program for a goal that is final or abandoned already is a new request, with the
/// number of an old one. If it is the program that the goal has, it may be no request at all,
/// and nothing runs a second time: that stays against the rules.
fn renumbered(mut updates: Vec<Update>, stack: &Stack) -> Vec<Update> {
    let known = stack.goals().iter().map(|goal| goal.uid);
    let named = updates.iter().map(|update| update.uid);
    let mut last = known.chain(named).max().unwrap_or_default();
    for update in &mut updates {
        let settled = stack.get(update.uid);
        let settled = settled.filter(|goal| goal.status != Status::Drafting);
        let program = (update.program.as_ref()).filter(|_| update.status != Status::Abandoned);
        let (Some(goal), Some(program)) = (settled, program) else {
            continue;
        };
        let same = goal.program.code().trim() == program.code().trim();
        if let Some(next) = last.checked_add(1).filter(|_| !same) {
            (update.uid, last) = (next, next);
        }
    }
    updates
}
