//! What holds after every turn of every dialogue. An invariant is a function; the list of them
//! is [`INVARIANTS`].

mod acts;
mod calls;
mod state;

use super::SimulatedTurn;
use crate::agenda::Settings;
use crate::sheets::Sheets;

/// Looks at a turn; says what is wrong with it.
pub type Invariant = fn(&Sheets, Settings, &SimulatedTurn) -> Result<(), String>;

/// Every invariant, with its name.
pub const INVARIANTS: &[(&str, Invariant)] = &[
    ("no call is unconfirmed", calls::confirmed),
    (
        "a call is for the values that were shown",
        calls::for_what_was_shown,
    ),
    ("consent is for exactly one call", calls::consent),
    (
        "only what is open, awake and complete is called",
        calls::complete,
    ),
    ("every call and query is reported", calls::reported),
    (
        "one question at most, and it is the last act",
        acts::one_question,
    ),
    ("nothing is asked at the end", acts::nothing_at_the_end),
    ("only what is wanted is asked", acts::wanted),
    ("what is known is not asked", acts::unknown),
    ("optional fields are asked twice at most", acts::optional),
    ("no question is endless", acts::stuck),
    ("done is done", state::done_is_done),
    (
        "a program that fails changes nothing",
        state::failed_program,
    ),
    ("the focus is open roots", state::focus),
    ("an open record has one place", state::one_place),
    ("a no confirms nothing", state::no_false_confirm),
    ("proposals lapse", state::proposals),
    ("values fit their types", state::values_fit),
    ("the sheets come to an end", state::ends),
    ("the state reads back", state::reads_back),
    ("the same again gives the same", state::same_again),
];

/// Nothing is wrong if it holds.
fn hold(holds: bool, why: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(why()) }
}
