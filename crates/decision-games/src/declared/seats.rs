//! The seats of a game of a user's own.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use crate::game::Seat;

/// The seats of games that name none.
pub(super) const USUAL: [Seat; 2] = [
    Seat::new("first", "Partner").proposes().answers(),
    Seat::new("second", "Partner").proposes().answers(),
];

/// The longest name, in bytes: names are kept for ever.
const LONGEST: usize = 40;

/// A seat in a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Role {
    name: String,
    #[serde(default)]
    proposes: bool,
    #[serde(default)]
    answers: bool,
}

/// The seats with these roles.
pub(super) fn of(roles: &[Role; 2]) -> Result<[Seat; 2], String> {
    for Role { name, .. } in roles {
        let fits = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
        if name.is_empty() || name.len() > LONGEST || !name.chars().all(fits) {
            return Err(format!(
                "{name:?} is no name of a seat: it has letters, digits, - and _, 40 at most"
            ));
        }
    }
    let [first, second] = roles;
    if first.name.to_lowercase() == second.name.to_lowercase() {
        return Err(format!("two seats are called {:?}", second.name));
    }
    let ends = |by: &Role, other: &Role| !by.proposes || other.answers;
    if !(first.proposes || second.proposes) || !ends(first, second) || !ends(second, first) {
        return Err(
            "no game can end with these seats: one of them has to propose, and where one proposes \
             the other has to answer"
                .to_owned(),
        );
    }
    Ok([seat(first), seat(second)])
}

fn seat(role: &Role) -> Seat {
    Seat {
        may_propose: role.proposes,
        may_answer: role.answers,
        ..Seat::new(kept(&role.name), "Partner")
    }
}

/// The name for as long as the program runs; every name is kept once.
fn kept(name: &str) -> &'static str {
    static NAMES: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = names.get(name) {
        return known;
    }
    let name: &'static str = Box::leak(name.into());
    names.insert(name);
    name
}
