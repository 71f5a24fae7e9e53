//! Facts from talk are judged by the truth of the world.
#![allow(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

mod games;

use decision_games::Rules;
use decision_games::measure::Rows;
use serde_json::{Value, json};

/// What becomes of these facts of a seat in a recorded game.
fn judged(game: &str, index: u64, seat: usize, facts: &Value) -> String {
    let game = games::find(game, index).open(Rules::default()).unwrap();
    let sorts = game.judge(seat, facts.as_array().unwrap()).0.into_iter();
    let sorts = sorts.map(|(sort, count)| {
        let (right, taken, found, truths) = (count.right, count.taken, count.found, count.truths);
        format!("{sort}: {right} of {taken} right, {found} of {truths} found")
    });
    sorts.collect::<Vec<_>>().join("; ")
}

#[test]
fn a_wish_is_right_by_kind_subject_and_sign() {
    for (wish, right) in [
        (json!({"feature": "live music", "like": [true]}), 1),
        (json!({"feature": "live music", "dislike": [false]}), 1),
        (json!({"feature": "live music", "like": [false]}), 0),
        (json!({"feature": "live music", "dislike": [true]}), 0),
        (
            json!({"feature": "live music", "like": [true], "weight": -8}),
            0,
        ),
        // Recorded worlds write this one with a low line.
        (json!({"feature": "has takeout", "like": [true]}), 1),
        (json!({"feature": "cuisine", "like": ["korean", "thai"]}), 1),
        (json!({"feature": "cuisine", "like": ["thai"]}), 0),
        (
            json!({"feature": "cuisine", "like": ["korean"], "dislike": ["kosher"]}),
            0,
        ),
        (json!({"feature": "touristy", "like": [false]}), 0),
        (json!({"budget": 30}), 1),
        (json!({"budget": 40}), 0),
        (json!({"visit": ["Mad Seoul"]}), 1),
        (json!({"visit": ["Mad Seoul", "Atlas Park"]}), 0),
        (json!({"visit": []}), 0),
        (json!({"category": "park"}), 0),
        (json!({"travel": 9}), 1),
        (json!({"travel": 0}), 0),
    ] {
        let expected = format!("wishes: {right} of 1 right, {right} of 11 found");
        assert_eq!(judged("planning", 2, 1, &json!([wish])), expected, "{wish}");
    }
    let facts = json!([{"budget": 30}, {"budget": 30}, {"exclude": ["Mad Seoul"]}, "nonsense"]);
    assert_eq!(
        judged("planning", 2, 1, &facts),
        "wishes: 2 of 2 right, 1 of 11 found"
    );
}

#[test]
fn a_claim_is_right_within_one_level_of_what_the_partner_sees() {
    // The partner sees 423 of at most 855: the third of five levels.
    for (said, right) in [
        (json!({"level": 2}), 1),
        (json!({"level": 4}), 1),
        (json!({"level": 5}), 0),
        (json!({"number": 600}), 1),
        (json!({"number": 800}), 0),
        (json!({}), -1),
    ] {
        let mut claim = json!({"reviewer": "Ava Li", "paper": "LLaMA"});
        claim
            .as_object_mut()
            .unwrap()
            .extend(said.as_object().unwrap().clone());
        let expected = match right {
            -1 => "claims: 0 of 0 right, 0 of 19 found".to_owned(),
            right => format!("claims: {right} of 1 right, {right} of 19 found"),
        };
        let facts = json!([claim]);
        assert_eq!(judged("optimization", 1, 0, &facts), expected, "{said}");
    }
    // It does not see the first cell, and takes back what it said first about the second.
    let facts = json!([
        {"reviewer": "Ava Li", "paper": "BLEU", "level": 5},
        {"reviewer": "Daniel Nguyen", "paper": "BLEU", "level": 1},
        {"reviewer": "Daniel Nguyen", "paper": "BLEU", "level": 5},
    ]);
    assert_eq!(
        judged("optimization", 1, 0, &facts),
        "claims: 1 of 2 right, 1 of 19 found"
    );
}

#[test]
fn meetings_are_judged_by_the_calendars() {
    let meeting = |start: &str, end: &str, importance: f64| json!({"user": 0, "start": start, "end": end, "importance": importance});
    for (fact, importances, private) in [
        (
            json!({"user": 0, "event": 1, "importance": 10.0}),
            "1 of 1 right, 1",
            "0 of 0 right, 0",
        ),
        (
            json!({"user": 0, "event": 1, "importance": 5.5}),
            "0 of 1 right, 0",
            "0 of 0 right, 0",
        ),
        (
            json!({"user": 7, "event": 1, "importance": 5.5}),
            "0 of 0 right, 0",
            "0 of 0 right, 0",
        ),
        (
            meeting("2023-05-31T20:00", "2023-05-31T22:00", 5.5),
            "1 of 1 right, 1",
            "1 of 1 right, 1",
        ),
        (
            meeting("2023-05-31T20:00", "2023-05-31T22:00", 2.0),
            "0 of 1 right, 0",
            "1 of 1 right, 1",
        ),
        (
            meeting("2023-05-31T20:00", "2023-05-31T21:00", 5.5),
            "0 of 0 right, 0",
            "0 of 1 right, 0",
        ),
        // A shared meeting by its times.
        (
            meeting("2023-06-01T09:30", "2023-06-01T10:00", 9.0),
            "1 of 1 right, 1",
            "0 of 0 right, 0",
        ),
        (
            json!({"user": 0, "price": 3.0}),
            "0 of 0 right, 0",
            "0 of 0 right, 0",
        ),
    ] {
        assert_eq!(
            judged("mediation", 1, 2, &json!([fact])),
            format!(
                "importances: {importances} of 29 found; private meetings: {private} of 8 found"
            ),
            "{fact}"
        );
    }
}

#[test]
fn the_more_was_said_the_more_is_found() {
    let mut rows = Rows::default();
    let chosen = |index: u32| index % 3 == 2 && index < 60;
    games::all()
        .iter()
        .filter(|recorded| chosen(recorded.index))
        .for_each(|recorded| rows.forced(recorded).unwrap());
    for (game, sort) in [("optimization", "claims"), ("planning", "wishes")] {
        let at = |cut: &str| {
            let row = &rows.all[&(game.to_owned(), format!("forced {cut}"))];
            row.summary().extraction[sort]
        };
        let recall = |cut: &str| at(cut).recall.unwrap();
        assert_eq!((at("0").precision, recall("0")), (None, 0.0), "{game}");
        assert!(recall("25") < recall("50") && recall("50") < recall("end"));
        assert!(at("end").precision.unwrap() > 0.6, "{game}: {}", at("end"));
    }
}
