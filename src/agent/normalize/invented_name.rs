//! Replaces names of containers that nobody gave with placeholders. Names within a container
//! are often guessed right, and stay.
//!
//! This is for trained models. Other models are told that a name is invented
//! (`lint/ungiven_name.rs`). A trained model does not understand that, and invents another
//! name when it is asked again.

use super::{Normalizer, Turn};
use crate::agent::lint::ungiven_containers;
use crate::dialogue::{Program, Status, Update};
use crate::domain::Calls;

pub(in crate::agent) const INVENTED_NAME: &str = "invented-name";

pub(super) struct InventedName;

impl Normalizer for InventedName {
    fn name(&self) -> &'static str {
        INVENTED_NAME
    }

    fn normalize(&self, mut updates: Vec<Update>, turn: &Turn<'_>) -> Vec<Update> {
        if turn.is_instructed {
            return updates;
        }
        for update in &mut updates {
            if update.status == Status::Abandoned {
                continue;
            }
            let is_new = turn.stack.get(update.uid).is_none();
            update.program = (update.program.take()).map(|program| asked(program, is_new, turn));
        }
        updates
    }
}

/// The program with a placeholder for each invented name. In a new goal the placeholders are
/// numbered in their order; those that the user was asked about keep their numbers.
fn asked(program: Program, is_new: bool, turn: &Turn<'_>) -> Program {
    let calls = Calls::of(&program, turn.domain);
    let mut asked = program.clone();
    for name in ungiven_containers(&calls, turn.domain, turn.turns) {
        let last = asked.placeholders().last().copied().unwrap_or_default();
        if let Some(next) = last.checked_add(1) {
            asked = asked.with_missing(&name, next);
        }
    }
    if asked == program {
        program
    } else if is_new {
        asked.with_placeholders_renumbered()
    } else {
        asked
    }
}
