//! `dialog2api claims`.

use crate::cli::support::Home;
use expect_test::{Expect, expect};

const ROWS: &str = r#"{"name": "royal spice", "area": "north", "food": "indian", "pricerange": "cheap"}
{"name": "meze bar", "area": "south", "food": "turkish", "pricerange": "expensive"}
"#;

fn check(reply: &str, words: &str, expected: Expect) {
    let home = Home::new();
    home.write("rows.jsonl", ROWS);
    home.check(home.command(words), reply, expected);
}

#[test]
fn each_claim_of_a_reply_has_its_verdict_and_its_row() {
    check(
        "Royal Spice is a cheap place in the south.",
        "claims --rows rows.jsonl --reply -",
        expect![[r#""#]],
    );
    check(
        "Meze Bar serves Turkish food.",
        "claims --rows rows.jsonl --reply - --language en",
        expect![[r#""#]],
    );
}

#[test]
fn rows_of_ones_own_have_a_schema() {
    let home = Home::new();
    home.write("rows.jsonl", "{\"name\": \"atlas\", \"status\": \"archived\"}\n");
    home.write("schema.toml", "key = 'name'\n[slots]\nstatus = { kind = 'value' }\n");
    let words = "claims --rows rows.jsonl --reply - --schema schema.toml";
    home.check(home.command(words), "Atlas is archived.", expect![[r#""#]]);
    home.write("schema.toml", "slots");
    home.check(home.command(words), "Atlas is archived.", expect![[r#""#]]);
}

#[test]
fn what_cannot_be_read_is_said() {
    let words = "claims --rows rows.jsonl --reply -";
    check("hi", &format!("{words} --language fr"), expect![[r#""#]]);
    check(
        "hi",
        "claims --rows missing.jsonl --reply -",
        expect![[r#""#]],
    );
    let home = Home::new();
    home.write("rows.jsonl", "{\"name\": \"a\"}\n[1\n");
    home.check(home.command(words), "hi", expect![[r#""#]]);
}
