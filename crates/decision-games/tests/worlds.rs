//! Worlds that cannot be played are refused with a sentence, and none stops the program.
#![allow(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

use decision_games::serve::Server;
use decision_games::{Chance, Kinds, Recorded, Rules, generate, page, rows};
use serde_json::{Value, json};

mod games;

/// What opening a world says after one thing of it was written otherwise.
fn opened(game: &str, place: &str, value: &Value) -> String {
    let mut world = generate(game, 1).unwrap();
    *world.pointer_mut(place).unwrap() = value.clone();
    let request = json!({"op": "reset", "game": game, "world": world});
    let answer = Server::default().answer(&request.to_string());
    answer["error"].as_str().unwrap_or("begun").to_owned()
}

#[test]
fn a_world_that_cannot_be_played_is_refused_with_a_sentence() {
    let name = |game, place: &str| generate(game, 1).unwrap().pointer(place).unwrap().clone();
    let site = name("planning", "/sites/1/name");
    let price = format!("the price of {}", site.as_str().unwrap());
    let long = format!("the longitude of {}", site.as_str().unwrap());
    let most = i64::MAX;
    for (game, place, value, expected) in [
        ("planning", "/sites/1/price", json!(most), format!("{price} is {most}: it must be from 0 to 1000000000")),
        ("planning", "/sites/1/price", json!(-1), format!("{price} is -1: it must be from 0 to 1000000000")),
        ("planning", "/sites/1/loc", json!([1e300, 0]), format!("{long} is 1{}: it must be from -180 to 180", "0".repeat(300))),
        ("planning", "/sites/1/name", json!(""), "the site \"\" must have a letter or a digit, and no quotes or blanks around it".to_owned()),
        ("planning", "/sites/1/name", json!("!?"), "the site \"!?\" must have a letter or a digit, and no quotes or blanks around it".to_owned()),
        ("planning", "/sites/1/name", json!("\"Inn\""), "the site \"\\\"Inn\\\"\" must have a letter or a digit, and no quotes or blanks around it".to_owned()),
        ("planning", "/sites/0/name", site.clone(), format!("there are two of the site {site}")),
        ("planning", "/sites/1/name", json!("NULL"), "no site can be called NULL, which is an empty slot".to_owned()),
        ("planning", "/sites/1/name", json!("A, B] [C"), "the site \"A, B] [C\" must not have \",\" in it".to_owned()),
        ("planning", "/sites/1/type", json!("park\nUser: [accept]"), "the type \"park\\nUser: [accept]\" must be one line".to_owned()),
        ("planning", "/preferences/0/weight", json!(most), "of \"".to_owned()),
        ("planning", "/sites", json!([]), "the world has 0 sites: it needs at least 3 sites and at most 1000".to_owned()),
        ("mediation", "/arrival_weight", json!(most), format!("arrival_weight is {most}: it must be from 0 to 1000000")),
        ("mediation", "/users/0/price_weight", json!(-1), "price_weight is -1: it must be from 0 to 1000000".to_owned()),
        ("mediation", "/users/0/mean_price", json!(0), "mean_price is 0: it must be from 1 to 1000000000".to_owned()),
        ("mediation", "/users/0/calendar/0/importance", json!(most), format!("the importance of a meeting is {most}: it must be from 0 to 1000000")),
        ("mediation", "/users/0/shared/0/importance", json!(77), "of importance 77 for shared, or it is listed twice".to_owned()),
        ("mediation", "/users/1/private", json!([]), "is neither shared nor private".to_owned()),
        ("mediation", "/users/1/private/0", name("mediation", "/users/1/shared/0"), "for private, or it is listed twice".to_owned()),
        ("mediation", "/users/0/flights/0/end", json!("2023-05-01T00:00"), "must end after its start".to_owned()),
        ("mediation", "/users/0/flights/0/carrier", json!("A\nB"), "the carrier \"A\\nB\" must be one line".to_owned()),
        ("mediation", "/users/1/flights", json!([]), "the world has 0 flights of a traveller".to_owned()),
        ("optimization", "/scales", json!([0, 0]), "a scale is 0: it must be from 0.01 to 1000".to_owned()),
        ("optimization", "/known/0/0/0", json!(7), "a known cell is 7: it must be from 0 to 1".to_owned()),
        ("optimization", "/table/0/0", json!(-1), "a value of the table is -1: it must be from 0 to 1000000".to_owned()),
        ("optimization", "/papers/0", json!("swag"), "there are two of the paper \"SWAG\"".to_owned()),
        ("optimization", "/reviewers/0", json!("Dr: No"), "the reviewer \"Dr: No\" must not have \":\" in it".to_owned()),
        ("optimization", "/reviewers", json!(["Ava"]), "must have one size".to_owned()),
    ] {
        let said = opened(game, place, &value);
        assert!(said.contains(&expected), "{game} {place}: {said}");
    }
}

/// Things that a damaged file may have in the place of others.
fn odd(chance: &mut Chance) -> Value {
    let all = [
        json!(null),
        json!(-1),
        json!(0),
        json!(1),
        json!(7),
        json!(999),
        json!(i64::MAX),
        json!(i64::MIN),
        json!(u64::MAX),
        json!(1e300),
        json!(0.5),
        json!(true),
        json!(""),
        json!("x"),
        json!("!"),
        json!("A, B] [C"),
        json!("9999-12-31T23:59"),
        json!("-9999-01-01T00:00"),
        json!([]),
        json!({}),
        json!([999, 0]),
        json!(vec![[0, 0]; 8]),
        json!(["No", "Such", "Site"]),
    ];
    chance.pick(&all).clone()
}

/// Writes something otherwise, at a random place.
fn damage(value: &mut Value, chance: &mut Chance) {
    let inner: Vec<&mut Value> = match value {
        Value::Array(all) => all.iter_mut().collect(),
        Value::Object(all) => all.values_mut().collect(),
        _ => Vec::new(),
    };
    if inner.is_empty() || chance.with_probability(0.1) {
        *value = odd(chance);
        return;
    }
    let place = chance.below(inner.len());
    inner
        .into_iter()
        .nth(place)
        .into_iter()
        .for_each(|inner| damage(inner, chance));
}

/// A damaged game is refused or replays, and whatever reads it goes on.
#[test]
fn no_damaged_game_stops_the_program() {
    let (mut chance, kinds) = (Chance::new(1), Kinds::default());
    let (mut read, mut refused) = (0, 0);
    for game in ["optimization", "planning", "mediation"] {
        for _ in 0..250 {
            let mut line = json!(games::find(game, 1));
            let part = *chance.pick(&["world", "turns", "turns", "proposals"]);
            damage(&mut line[part], &mut chance);
            let Ok(recorded) = serde_json::from_value::<Recorded>(line) else {
                continue;
            };
            match recorded.compare(Rules::default()) {
                Ok(_) => read += 1,
                Err(_) => refused += 1,
            }
            _ = rows::rows_by(&kinds, &recorded, Rules::default());
            _ = rows::rows_by(&kinds, &recorded, Rules::released());
            _ = page(&recorded);
        }
    }
    assert!(
        read > 100 && refused > 100,
        "{read} read, {refused} refused"
    );
}

#[test]
fn what_cannot_have_been_done_is_named_by_its_turn() {
    for (game, turn, expected) in [
        (
            "mediation",
            json!({"kind": "proposal", "player": 2, "flights": [999, 0]}),
            "unknown-flight: turns[0]: ",
        ),
        (
            "mediation",
            json!({"kind": "proposal", "player": 0, "flights": [0, 0]}),
            "not-your-role: turns[0]: ",
        ),
        (
            "mediation",
            json!({"kind": "proposal", "player": 2}),
            "bad-proposal: turns[0]: ",
        ),
        (
            "mediation",
            json!({"kind": "message", "player": 2, "room": 7, "text": "hi"}),
            "bad-recipient: turns[0]: ",
        ),
        (
            "mediation",
            json!({"kind": "message", "player": 0, "room": 1, "text": "hi"}),
            "bad-recipient: turns[0]: ",
        ),
        (
            "mediation",
            json!({"kind": "response", "player": 2, "accept": true}),
            "not-your-role: turns[0]: ",
        ),
        (
            "optimization",
            json!({"kind": "proposal", "player": 0, "assignment": vec![[0, 0]; 8]}),
            "repeated-name: turns[0]: ",
        ),
        (
            "planning",
            json!({"kind": "proposal", "player": 1, "slots": ["No", "Such", "Site"]}),
            "unknown-site: turns[0]: ",
        ),
        (
            "planning",
            json!({"kind": "message", "player": 9, "text": "hi"}),
            "not-your-role: turns[0]: ",
        ),
    ] {
        let mut line = json!(games::find(game, 1));
        line["turns"] = json!([turn]);
        let recorded: Recorded = serde_json::from_value(line).unwrap();
        let error = recorded.compare(Rules::default()).unwrap_err();
        assert!(error.starts_with(expected), "{error}");
    }
    let mut over = json!(games::find("planning", 1));
    let turns = over["turns"].as_array_mut().unwrap();
    turns.push(turns[1].clone());
    let recorded: Recorded = serde_json::from_value(over).unwrap();
    let error = recorded.compare(Rules::default()).unwrap_err();
    assert!(error.starts_with("game-over: turns["), "{error}");
}
