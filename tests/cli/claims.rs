//! `dialog2api claims`.

use crate::cli::support::Home;
use crate::support::page;
use expect_test::{Expect, expect, expect_file};

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
        expect![[r#"
            {
              "version": 1,
              "claims": [
                {
                  "start": 0,
                  "end": 11,
                  "kind": "entity",
                  "about": "royal spice",
                  "verdict": "true",
                  "row": [
                    "royal spice"
                  ],
                  "rule": "named"
                },
                {
                  "start": 17,
                  "end": 22,
                  "kind": "slot",
                  "about": "royal spice",
                  "slot": "pricerange",
                  "values": [
                    "cheap"
                  ],
                  "negated": false,
                  "verdict": "true",
                  "row": [
                    "royal spice"
                  ],
                  "rule": "equal"
                },
                {
                  "start": 36,
                  "end": 41,
                  "kind": "slot",
                  "about": "royal spice",
                  "slot": "area",
                  "values": [
                    "south"
                  ],
                  "negated": false,
                  "verdict": "false",
                  "row": [
                    "royal spice"
                  ],
                  "rule": "differs"
                }
              ],
              "flags": {
                "refers": true,
                "aligned": false,
                "grounded": true,
                "strict": false,
                "evidenced": null,
                "consistent": true,
                "complete": true,
                "booking": null
              }
            }
            -- exit 3 --
        "#]],
    );
    check(
        "Meze Bar serves Turkish food.",
        "claims --rows rows.jsonl --reply - --language en",
        expect![[r#"
            {
              "version": 1,
              "claims": [
                {
                  "start": 0,
                  "end": 8,
                  "kind": "entity",
                  "about": "meze bar",
                  "verdict": "true",
                  "row": [
                    "meze bar"
                  ],
                  "rule": "named"
                },
                {
                  "start": 16,
                  "end": 23,
                  "kind": "slot",
                  "about": "meze bar",
                  "slot": "food",
                  "values": [
                    "turkish"
                  ],
                  "negated": false,
                  "verdict": "true",
                  "row": [
                    "meze bar"
                  ],
                  "rule": "equal"
                }
              ],
              "flags": {
                "refers": true,
                "aligned": true,
                "grounded": true,
                "strict": true,
                "evidenced": null,
                "consistent": true,
                "complete": true,
                "booking": null
              }
            }
            -- exit 0 --
        "#]],
    );
}

#[test]
fn rows_of_ones_own_have_a_schema() {
    let home = Home::new();
    home.write(
        "rows.jsonl",
        "{\"name\": \"atlas\", \"status\": \"archived\"}\n",
    );
    home.write(
        "schema.toml",
        "key = 'name'\n[slots]\nstatus = { kind = 'value' }\n",
    );
    let words = "claims --rows rows.jsonl --reply - --schema schema.toml";
    home.check(
        home.command(words),
        "Atlas is archived.",
        expect![[r#"
            {
              "version": 1,
              "claims": [
                {
                  "start": 0,
                  "end": 5,
                  "kind": "entity",
                  "about": "atlas",
                  "verdict": "true",
                  "row": [
                    "atlas"
                  ],
                  "rule": "named"
                },
                {
                  "start": 9,
                  "end": 17,
                  "kind": "slot",
                  "about": "atlas",
                  "slot": "status",
                  "values": [
                    "archived"
                  ],
                  "negated": false,
                  "verdict": "true",
                  "row": [
                    "atlas"
                  ],
                  "rule": "equal"
                }
              ],
              "flags": {
                "refers": true,
                "aligned": true,
                "grounded": true,
                "strict": true,
                "evidenced": null,
                "consistent": true,
                "complete": true,
                "booking": null
              }
            }
            -- exit 0 --
        "#]],
    );
    home.write("schema.toml", "slots");
    home.check(
        home.command(words),
        "Atlas is archived.",
        expect![[r#"
        -- stderr --
        error: the schema cannot be used: TOML parse error at line 1, column 6
          |
        1 | slots
          |      ^
        key with no value, expected `=`

        -- exit 2 --
    "#]],
    );
}

#[test]
fn what_cannot_be_read_is_said() {
    let words = "claims --rows rows.jsonl --reply -";
    check(
        "hi",
        &format!("{words} --language fr"),
        expect![[r#"
        -- stderr --
        error: there is no lexicon of the language `fr`; there are en, de, it
        -- exit 2 --
    "#]],
    );
    check(
        "hi",
        "claims --rows missing.jsonl --reply -",
        expect![[r#"
            -- stderr --
            error: cannot read missing.jsonl: No such file or directory (os error 2)
            -- exit 1 --
        "#]],
    );
    let home = Home::new();
    home.write("rows.jsonl", "{\"name\": \"a\"}\n[1\n");
    home.check(
        home.command(words),
        "hi",
        expect![[r#"
        -- stderr --
        error: row 2: invalid type: sequence, expected a map at line 1 column 0
        -- exit 2 --
    "#]],
    );
}

#[test]
fn every_command_of_the_page_prints_what_the_page_says() {
    page::check(
        include_str!("../../src/documentation/own_replies.md"),
        expect_file!["../../src/documentation/own_replies.md"],
    );
}

/// Two turns that a model and the checker judge: what each says, and how far they agree.
#[test]
fn a_model_judges_turns_beside_the_checker() {
    let home = Home::new();
    home.write("rows.jsonl", ROWS);
    home.write(
        "turns.jsonl",
        "{\"user\": \"where is it?\", \"reply\": \"Royal Spice is in the south.\"}\n\
         {\"user\": \"and meze bar?\", \"reply\": \"Meze Bar is in the south.\"}\n\
         {\"user\": \"thanks\", \"reply\": \"Goodbye!\"}\n\
         {\"user\": \"and?\", \"reply\": \"Meze Bar is cheap.\"}\n",
    );
    // The second question of the second turn is answered when it is asked again, and the first of
    // the last turn is never answered.
    home.write(
        "answers.txt",
        "1\n---\n0\n---\n1\n---\n1\n---\nIt is.\n---\n1\n---\n1\n---\n0\n---\nyes\n---\n1.\n",
    );
    let words = "claims --rows rows.jsonl --judge turns.jsonl --model script:answers.txt";
    let output = home.command(words).output().unwrap();
    assert!(output.status.success(), "{}", home.seen(&output));
    let told: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let judged = told["turns"].as_array().unwrap().iter().map(|turn| {
        let judge = &turn["judge"];
        let of = |name: &str| judge[name].to_string();
        let checker = (&turn["checker"]["refers"], &turn["checker"]["aligned"]);
        format!(
            "{} {} {} {}, {checker:?}\n",
            of("refers"),
            of("aligned"),
            of("grounded"),
            of("unreadable")
        )
    });
    expect![[r#"
        true false true false, (Bool(true), Bool(false))
        true true true false, (Bool(true), Bool(true))
        false null null false, (Bool(false), Bool(true))
        null null null true, (Bool(true), Bool(false))
    "#]]
    .assert_eq(&judged.collect::<String>());
    let agreement = |name: &str| {
        format!(
            "{name}: {} {}\n",
            told["agreement"][name]["table"], told["agreement"][name]["kappa"]
        )
    };
    let all = ["refers", "aligned", "grounded", "correct"]
        .map(agreement)
        .concat();
    expect![[r#"
        refers: [[1,0],[0,2]] 1.0
        aligned: [[1,0],[0,1]] 1.0
        grounded: [[0,0],[0,2]] null
        correct: [[1,0],[0,1]] 1.0
        1 unreadable, 10 requests"#]]
    .assert_eq(&format!(
        "{all}{} unreadable, {} requests",
        told["unreadable"], told["requests"]
    ));
}
