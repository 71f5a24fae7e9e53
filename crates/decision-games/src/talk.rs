//! How much was said in a game: words, moves, numbers.

use serde::{Deserialize, Serialize};

use crate::game::{Decision, Game};
use crate::recorded::Turn;

/// What was said in a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TalkCount {
    /// Words in messages.
    pub words: usize,
    /// Messages, proposals and answers of all parties.
    pub moves: usize,
    /// Messages.
    pub messages: usize,
    /// Messages in which a party says one of [its numbers](Game::numbers).
    pub numbers: usize,
    /// Questions that the seat asked which is measured; none where it only reads.
    pub questions: usize,
}

impl TalkCount {
    /// Counts what was said in these turns.
    pub fn of(game: &dyn Game, turns: &[Turn]) -> TalkCount {
        let mut count = TalkCount {
            words: turns.iter().map(Turn::words).sum(),
            moves: turns.len(),
            ..TalkCount::default()
        };
        let mut proposals: Vec<Decision> = Vec::new();
        for turn in turns {
            match turn {
                Turn::Message { player, text, .. } => {
                    count.messages += 1;
                    let own = game.numbers(*player, &proposals);
                    let says = |said| own.iter().any(|own| own.unsigned_abs() == said);
                    count.numbers += usize::from(numbers(text).any(says));
                }
                // What nobody may propose shows no score.
                _ => proposals.extend(turn.decision(game).and_then(|it| game.check(it).ok())),
            }
        }
        count
    }
}

/// The runs of digits in a text; those that are too long for a number are left out.
fn numbers(text: &str) -> impl Iterator<Item = u64> {
    let runs = text.split(|c: char| !c.is_ascii_digit());
    runs.filter_map(|run| run.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_that_stand_together_are_one_number() {
        let all: Vec<u64> = numbers("id 12: -3, 99999999999999999999999 of 4th").collect();
        assert_eq!(all, [12, 3, 4]);
    }
}
