//! What the solver of a seat proposes, by what a person in it has read.

use crate::game::Game;
use crate::mind::{Mind, Suggestion};

/// Why a person in a seat is shown no suggestions; none if it is.
pub(super) fn refused(game: &dyn Game, seat: usize, allowed: bool) -> Option<&'static str> {
    match (game.solver(seat), allowed) {
        (None, _) => Some("There are no suggestions in this game for this seat."),
        (Some(_), false) => Some("Suggestions are off: begin the game with --suggest."),
        (Some(_), true) => None,
    }
}

/// The best proposal by the words that were read; none for a seat without a solver.
pub(super) fn suggested(game: &dyn Game, seat: usize, read: &str) -> Option<Suggestion> {
    let mut mind = Mind::new(game.solver(seat)?);
    if let Some(mut words) = game.extractor(seat) {
        for fact in words.facts("", read).unwrap_or_default() {
            // What the words did not name rightly is left out.
            let _ = mind.learn(&fact);
        }
    }
    mind.suggest(1).into_iter().next()
}
