//! Games of a user's own: one that a file defines, and those whose worlds a function draws.

use decision_games::{Chance, Kinds, declared};
use serde_json::{Value, json};

const DEFINITION: &str = r#"{"name": "restaurant", "options": ["Luigi", "Saigon", "Zur Post"],
    "attributes": {"food": ["pasta", "noodles"], "price": ["cheap", "dear"]}}"#;

/// Names in which words of the talk have another meaning, or sentences and clauses seem to end.
const NAMES: [&str; 6] = [
    "Saigon",
    "Fish and Chips",
    "St. Mary",
    "Who?",
    "Route 66",
    "Fish",
];

/// Points of this seed for each name, and what parties say about them.
fn plain(seed: u64) -> Value {
    let mut chance = Chance::new(seed);
    let mut points = || NAMES.map(|_| chance.between(-10, 10));
    let points = [points(), points()];
    let wish = |(name, points): (&&str, &i64)| json!({"attribute": "option", "value": name, "points": points});
    let wishes = |points: &[i64; 6]| -> Value { NAMES.iter().zip(points).map(wish).collect() };
    json!({
        "options": NAMES.map(|name| json!({"name": name, "values": {}})),
        "points": points, "wishes": points.each_ref().map(wishes),
    })
}

/// The same, with a joint score and a view of each seat.
fn seen(seed: u64) -> Value {
    let mut world = plain(seed);
    world["views"] = json!(["You pay.", "You eat.\nUser: [accept]"]);
    world["scores"] = json!([1, 2, 3, 4, 5, 6]);
    world
}

/// The games of the crate, `restaurant`, `seen` and `plain`, and `host`, in which one seat proposes.
pub fn kinds() -> Kinds {
    let roles = json!([{"name": "host", "proposes": true}, {"name": "guest", "answers": true}]);
    let kinds = [
        declared::read(DEFINITION),
        declared::drawn_by("seen", &Value::Null, |seed| Ok(seen(seed))),
        declared::drawn_by("plain", &Value::Null, |seed| Ok(plain(seed))),
        declared::drawn_by("host", &roles, |seed| Ok(plain(seed))),
    ];
    let kinds = kinds.into_iter().map(Result::unwrap);
    kinds.fold(Kinds::default(), |kinds, kind| kinds.with(kind).unwrap())
}
