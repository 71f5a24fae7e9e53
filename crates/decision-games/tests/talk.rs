//! What is counted of the talk of a game.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test stops where it cannot go on"
)]

use decision_games::{Rules, TalkCount, Turn, generate, open};
use serde_json::json;

/// How many of these messages have a number of their own, after the best decision was proposed.
fn with_numbers(game: &str, said: &[(usize, &str)]) -> (usize, usize) {
    let world = generate(game, 1).expect("a world");
    let game = open(game, &world, Rules::default()).expect("a game");
    let mut seats = game.seats().iter();
    let by = seats.position(|seat| seat.may_propose);
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
