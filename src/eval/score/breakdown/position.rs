//! By the turn's position in its dialogue.

use super::Tally;
use crate::eval::score::sheet::Sheet;
use serde::Serialize;

/// How it went in the turns with one position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct ByTurn {
    /// The position, 1 for the first.
    pub turn: usize,
    /// Of all dialogues that have so many turns.
    #[serde(flatten)]
    pub tally: Tally,
}

/// Scores by the number of the turn in its dialogue: the first turns first.
pub fn by_turn(sheet: &Sheet<'_>) -> Vec<ByTurn> {
    let longest = sheet.passes().map(|pass| pass.turns.len()).max();
    let rows = (0..longest.unwrap_or(0)).map(|index| {
        let mut tally = Tally::default();
        sheet.passes().for_each(|pass| tally.count(pass, index));
        let turn = index + 1;
        ByTurn { turn, tally }
    });
    rows.collect()
}
