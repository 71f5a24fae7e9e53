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
                _ => proposals.extend(turn.decision().and_then(|it| game.check(it).ok())),
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
    use crate::{Rules, generate, open};
    use serde_json::json;

    /// How many of these messages have a number of their own, after the best decision was proposed.
    fn with_numbers(game: &str, said: &[(usize, &str)]) -> (usize, usize) {
        let world = generate(game, 1).expect("a world");
        let game = open(game, &world, Rules::default()).expect("a game");
        let by = crate::rows::proposers(game.as_ref())[0];
        let proposal = json!({"kind": "proposal", "player": by, game.field(): game.best()});
        let mut turns = vec![serde_json::from_value(proposal).expect("a turn")];
        let own = |seat: usize| game.numbers(seat, &[game.best()]);
        turns.extend(said.iter().map(|(seat, text)| Turn::Message {
            player: *seat,
            // A number that the seat does have stands for NUMBER.
            text: text.replace("NUMBER", &own(*seat).first().unwrap_or(&-1).to_string()),
            room: Some(0),
        }));
        let count = TalkCount::of(game.as_ref(), &turns);
        assert_eq!((count.moves, count.messages), (said.len() + 1, said.len()));
        (count.numbers, own(said[0].0).len())
    }

    #[test]
    fn messages_with_a_value_of_the_own_table_or_an_own_score_say_numbers() {
        let said = [(0, "Ava has NUMBER!"), (0, "8 papers"), (0, "good")];
        assert!(with_numbers("optimization", &said).1 > 10);
        assert_eq!(with_numbers("optimization", &said).0, 1);
        let said = [(0, "that is only NUMBER"), (1, "NUMBER"), (0, "no")];
        assert_eq!(with_numbers("planning", &said), (1, 1));
        let said = [(1, "it costs me NUMBER"), (2, "NUMBER, 6/1 7 PM")];
        assert_eq!(with_numbers("mediation", &said), (1, 1));
    }

    #[test]
    fn digits_that_stand_together_are_one_number() {
        let all: Vec<u64> = numbers("id 12: -3, 99999999999999999999999 of 4th").collect();
        assert_eq!(all, [12, 3, 4]);
    }
}
