//! The lines that a finished game ends with: a best decision, and what silence would have scored.

use crate::game::Game;
use crate::rows::{proposers, silence};

/// A best decision, and what would have come of silence.
pub(crate) struct Ending {
    /// A best decision, as its reader reads it.
    pub best: String,
    /// What silence would have reached, as a sentence.
    pub silence: String,
}

impl Ending {
    /// For the person in a seat; without one for the seat that proposes.
    pub fn of(game: &dyn Game, reader: Option<usize>) -> Ending {
        let by = proposers(game).first().copied().unwrap_or(0);
        Ending {
            best: game.show(&game.best(), reader.unwrap_or(by), by),
            silence: silence(game),
        }
    }
}
