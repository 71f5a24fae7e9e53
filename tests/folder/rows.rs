//! `claims.toml`: the rows of a folder's domain, from its files and from the state of a world.

use super::lab::{Lab, cache};
use dialog2api::claims::{Evidence, Knowledge, doubtful};
use dialog2api::dialogue::Turn;
use dialog2api::domain::NamedWorld;
use dialog2api::folder;
use serde_json::json;

const WORLD: &str = "def find(state, name):\n    return state['orders'].get(name)\n";

const CLAIMS: &str = r#"
key = "order"
rows = [{ state = ["orders"] }, { file = "old.jsonl" }]
[slots]
status = { kind = "value" }
total = { kind = "quantity", unit = "money" }
[lexicon.en]
nouns = ["order~"]
"#;

fn lab(claims: &str) -> Lab {
    let state = json!({"orders": {
        "A-100": {"status": "pending", "total": 12.5, "items": [1]},
        "A-200": {"status": "delivered", "total": 40},
    }});
    Lab::of(WORLD, state)
        .write(
            "old.jsonl",
            "{\"order\": \"A-300\", \"status\": \"archived\", \"total\": 7}\n",
        )
        .write("claims.toml", claims)
}

/// What is in doubt of a reply, and why.
async fn doubts(reply: &str) -> Vec<String> {
    let lab = lab(CLAIMS);
    let domain = folder::load(&lab.path(), &cache()).unwrap();
    let worlds = domain.worlds.clone().unwrap();
    let world = worlds
        .open(&NamedWorld::default(), Default::default())
        .await
        .unwrap();
    let facts = domain.facts.as_ref().unwrap();
    let rows = facts.rows(&*world.world, reply).await.unwrap();
    let known = Knowledge::read(facts.schema(), "en", rows).unwrap();
    let turns = [Turn {
        user: "What about my orders?".to_owned(),
        goals: Vec::new(),
        response: None,
    }];
    let doubts = doubtful(reply, &Evidence::of(&turns), Some(&known), &turns);
    let of_rows = doubts.into_iter().filter(|claim| claim.rule.is_some());
    of_rows
        .map(|claim| format!("{}: {}", claim.text, claim.reason()))
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_are_those_of_the_state_and_of_files() {
    for right in [
        "A-100 is pending. A-200 is delivered and costs £40.",
        "There are 3 orders.",
        "A-300 is archived.",
    ] {
        assert_eq!(doubts(right).await, [""; 0], "{right}");
    }
    assert_eq!(
        doubts("A-100 is delivered.").await,
        ["delivered: status of A-100: pending"]
    );
    assert_eq!(
        doubts("A-200 costs £12.50.").await,
        ["£12.50: total of A-200: 40"]
    );
    assert_eq!(
        doubts("There are 4 orders.").await,
        ["4: 3 rows fit: A-300, A-100, A-200"]
    );
}

#[test]
fn what_is_wrong_in_the_file_is_said() {
    let wrong = |claims: &str| {
        let lab = lab(claims);
        let error = folder::load(&lab.path(), &cache())
            .err()
            .unwrap()
            .to_string();
        error.replace(&lab.path().display().to_string(), "library")
    };
    let no_key = wrong("rows = []");
    assert!(
        no_key.contains("claims.toml") && no_key.contains("`key`"),
        "{no_key}"
    );
    let like = wrong("like = \"hotels\"\nrows = []");
    assert!(like.contains("there are `restaurants`"), "{like}");
    let nowhere = wrong(&CLAIMS.replace("state = ", "place = "));
    assert!(nowhere.contains("`file` or `state`"), "{nowhere}");
    let missing = wrong(&CLAIMS.replace("old.jsonl", "new.jsonl"));
    assert!(missing.contains("new.jsonl"), "{missing}");
}
