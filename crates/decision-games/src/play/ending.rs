//! What people are told when a game is over: a best decision, and what silence would have reached.

use crate::game::Game;

/// A best decision, and what would have come of silence.
pub(super) struct Ending {
    /// A best decision, as its reader reads it.
    pub best: String,
    /// The seat that would have proposed without a word: the last one that may.
    pub silent: &'static str,
    /// What that proposal would have reached.
    pub norm: f64,
}

impl Ending {
    /// For the person in a seat; without one for the seat that proposes.
    pub fn of(game: &dyn Game, reader: Option<usize>) -> Ending {
        let seats = game.seats();
        let by = seats.iter().rposition(|seat| seat.may_propose).unwrap_or(0);
        Ending {
            best: game.show(&game.best(), reader.unwrap_or(by), by),
            silent: seats[by].name,
            norm: game.points(&game.silent(by)).norm(),
        }
    }
}
