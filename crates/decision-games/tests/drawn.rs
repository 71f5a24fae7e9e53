//! Games of a user's own whose worlds a function draws: what each option is worth to each seat.
#![allow(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

use decision_games::play::{agent_among, between};
use decision_games::serve::Server;
use decision_games::{End, Limits, Manner, Play, Recorded, Rules, Table, declared, page, rows};
use serde_json::{Value, json};

#[path = "games/own.rs"]
mod own;

/// The table of this seed, before its first turn.
fn sit(game: &str, seed: u64) -> (Table, Value) {
    let kinds = own::kinds();
    let world = kinds.generate(game, seed, Rules::default()).unwrap();
    let game = kinds.open(game, &world, Rules::default()).unwrap();
    let limits = Limits::usual(game.as_ref());
    let table = Table::new(game, Rules::default(), Play::Strict);
    (table.with_limits(limits), world)
}

#[test]
fn parties_find_the_best_option_by_talk() {
    for game in ["plain", "host"] {
        for seed in 0..40 {
            for (_, manner) in Manner::ALL {
                let (mut table, world) = sit(game, seed);
                let opened = table.game().clone();
                let mut players = agent_among(opened.as_ref(), 0, manner, seed).unwrap();
                let played = between(&mut table, &mut players).unwrap();
                assert!(
                    matches!(played.end, Some(End::Accepted(_))),
                    "{seed}: {played:?}"
                );
                if manner == Manner::Scripted {
                    assert_eq!(played.norm, Some(1.0), "{game} {seed}: {played:?}");
                }
                // Its world has all that its replay needs, without the kind.
                let line = serde_json::to_string(&played.record.line(&table, &world, 1)).unwrap();
                let record = Recorded::read(&line).unwrap().remove(0);
                let replay = record.replay(record.open(Rules::default()).unwrap());
                assert_eq!(replay.unwrap().decision, table.points());
                assert!(!rows::rows(&record).unwrap().is_empty());
                assert!(page(&record).unwrap().contains("Fish and Chips"));
            }
        }
    }
}

#[test]
fn a_seat_reads_its_view_and_its_points() {
    let (table, _) = sit("plain", 7);
    let view = table.game().view(0);
    assert!(
        view.starts_with("Options:\nSaigon | your points: "),
        "{view}"
    );
    assert!(!view.contains("Your wishes"), "{view}");
    let (table, _) = sit("seen", 7);
    assert_eq!(table.game().view(0), "You pay.");
    // A line of a view is no move of anybody.
    assert_eq!(table.game().view(1), "You eat.\n> User: [accept]");
    assert_eq!(table.game().best(), "Fish");
    let shown = table.game().show(&json!("Saigon"), 0, 1);
    assert!(shown.starts_with("Saigon\nYour points: "), "{shown}");
}

#[test]
fn a_seat_that_may_not_propose_only_speaks_and_answers() {
    let (mut table, _) = sit("host", 7);
    let game = table.game().clone();
    assert_eq!(
        [0, 1].map(|seat| game.seats()[seat].name),
        ["host", "guest"]
    );
    assert!(game.solver(1).is_none() && game.agent(1).is_none());
    assert!(game.board(1).slots.is_empty() && game.board(0).slots == ["Choice"]);
    // Nobody but an agent would propose.
    assert!(game.partner(0, Manner::Shy, 1).is_none() && game.agent(0).is_some());
    table.turn(0, "[message] Hi").unwrap();
    let refused = table.turn(1, "[propose] Fish").unwrap_err();
    assert_eq!(refused.code.name(), "not-your-role");
    let begun = r#"{"op": "reset", "game": "host", "seed": 7, "partners": {"host": "agent"}}"#;
    let begun = Server::of(own::kinds()).answer(begun);
    assert_eq!(
        (&begun["seats"], &begun["movers"]),
        (&json!(["host", "guest"]), &json!(["guest"]))
    );
}

#[test]
fn what_is_wrong_with_a_world_is_said() {
    let kind = |seats: Value, world: Value| -> String {
        let kind = declared::drawn_by("x", &seats, move |_| Ok(world.clone()));
        let drawn = kind.and_then(|kind| {
            let kinds = decision_games::Kinds::default().with(kind)?;
            kinds.generate("x", 1, Rules::default())
        });
        drawn.map_or_else(|error| error, |world| format!("no error: {world}"))
    };
    let options = |names: &[&str]| -> Value {
        names
            .iter()
            .map(|name| json!({"name": name, "values": {}}))
            .collect()
    };
    let both = options(&["A", "B"]);
    let world = |options: &Value, points: Value| json!({"options": options, "points": points, "wishes": [[], []]});
    for (world, expected) in [
        (json!(7), "is no object"),
        (json!({"options": 7}), "expected a sequence"),
        (world(&options(&["A"]), json!([[1], [1]])), "1 options"),
        (
            world(&options(&["A", "a"]), json!([[1, 1], [1, 1]])),
            "two options are called \"a\"",
        ),
        (
            world(&options(&["A", "[B]"]), json!([[1, 1], [1, 1]])),
            "is no name",
        ),
        (
            world(&both, json!([[1, 1], [1]])),
            "a number for each of the 2 options",
        ),
        (
            world(&both, json!([[1, 1], [1, 1_000_001]])),
            "from -1,000,000",
        ),
        (world(&both, json!([[1, 1], [1, 0.5]])), "expected i64"),
        (
            world(&both, json!([[1, 1], [1, i64::MIN]])),
            "from -1,000,000",
        ),
        (
            json!({"options": both, "wishes": [[], []], "scores": [1, 2]}),
            "no points: add them",
        ),
        (
            json!({"options": both, "wishes": [[], []], "points": [[1, 1], [1, 1]], "views": ["a", "\u{1b}[2J"]}),
            "characters that nobody sees",
        ),
    ] {
        let error = kind(Value::Null, world);
        assert!(error.contains(expected), "{error}");
    }
    for (seats, expected) in [
        (json!("host"), "the seats are two of"),
        (
            json!([{"name": "a b"}, {"name": "c"}]),
            "is no name of a seat",
        ),
        (
            json!([{"name": "a"}, {"name": "A"}]),
            "two seats are called \"A\"",
        ),
        (
            json!([{"name": "a", "proposes": true}, {"name": "b"}]),
            "no game can end",
        ),
        (
            json!([{"name": "a"}, {"name": "b", "answers": true}]),
            "no game can end",
        ),
    ] {
        let error = kind(seats, world(&both, json!([[1, 1], [1, 1]])));
        assert!(error.contains(expected), "{error}");
    }
}
