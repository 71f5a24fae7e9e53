//! `dialog2api claims`.

use crate::cli::support::{Home, model};
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

#[test]
fn options_of_the_judge_need_turns_to_judge() {
    check(
        "Goodbye!",
        "claims --rows rows.jsonl --reply - --repeat 3",
        expect![[r#"
            -- stderr --
            error: --repeat says how a model judges: name the turns that it judges with --judge FILE
            -- exit 2 --
        "#]],
    );
}

/// What a judge of turns said, with the words after the file of answers.
fn judged(home: &Home, answers: &[&str], words: &str) -> serde_json::Value {
    home.write("answers.txt", &answers.join("\n---\n"));
    let words =
        format!("claims --rows rows.jsonl --judge turns.jsonl --model script:answers.txt {words}");
    let output = home.command(&words).output().unwrap();
    assert!(output.status.success(), "{}", home.seen(&output));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Asked three times, the judge is of two minds about what the second reply says.
#[test]
fn a_judge_that_changes_its_mind_is_counted() {
    let home = Home::new();
    home.write("rows.jsonl", ROWS);
    home.write(
        "turns.jsonl",
        "{\"reply\": \"Goodbye!\"}\n{\"reply\": \"Meze Bar is in the south.\"}\n",
    );
    let answers = ["0", "0", "0", "1", "1", "1", "1", "0", "1", "1", "1", "1"];
    let told = judged(&home, &answers, "--repeat 3");
    expect![[r#"
        {"refers":{"asked":2,"flipped":0,"rate":0.0},"aligned":{"asked":1,"flipped":1,"rate":1.0},"grounded":{"asked":1,"flipped":0,"rate":0.0},"any":{"asked":2,"flipped":1,"rate":0.5}}
        [[true,true,true],[true,false,true],[true,true,true]]
        {"prompt":"own/1","history":0,"shown":"all","per":"turn","repeat":3}
        12 null"#]]
    .assert_eq(&format!(
        "{}\n{}\n{}\n{} {}",
        told["flips"], told["turns"][1]["repeats"], told["asked"], told["requests"], told["dollars"],
    ));
}

/// One request for all replies of a dialogue, and one for each sentence.
#[test]
fn a_judge_is_asked_about_dialogues_or_sentences() {
    let home = Home::new();
    home.write("rows.jsonl", ROWS);
    home.write(
        "turns.jsonl",
        "{\"dialogue\": \"a\", \"reply\": \"Royal Spice is in the south. It is cheap.\"}\n\
         {\"dialogue\": \"a\", \"reply\": \"Goodbye!\"}\n\
         {\"dialogue\": \"a\", \"reply\": \"Meze Bar is in the south.\"}\n",
    );
    let bits = |told: &serde_json::Value| {
        let turns = told["turns"].as_array().unwrap().iter();
        let bits = turns.map(|turn| {
            let judge = &turn["judge"];
            format!(
                "{} {} {}",
                judge["refers"], judge["aligned"], judge["grounded"]
            )
        });
        let bits = bits.collect::<Vec<_>>().join("; ");
        format!("{bits} in {} requests", told["requests"])
    };
    let told = judged(&home, &["1 0 1", "0, 1, 1", "1 1", "111"], "--per dialogue");
    let whole = bits(&told);
    // A list that is too short is asked for again, and then there is none.
    let told = judged(&home, &["1 0", "1"], "--per dialogue");
    let short = format!("{}, {} unreadable", bits(&told), told["unreadable"]);
    let answers = ["1", "0", "1", "1", "1", "1", "0", "1", "1", "1"];
    let told = judged(&home, &answers, "--per sentence --shown none");
    let sentences = bits(&told);
    expect![[r#"
        true false true; false null null; true true true in 4 requests
        null null null; null null null; null null null in 2 requests, 3 unreadable
        true false true; false null null; true true true in 10 requests"#]]
    .assert_eq(&format!("{whole}\n{short}\n{sentences}"));
}

/// The judge sees the turns before and the rows that matter, as it is asked to.
#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_judge_sees_the_turns_before_and_the_rows_that_matter() {
    let home = Home::new();
    home.write("rows.jsonl", ROWS);
    home.write(
        "turns.jsonl",
        "{\"dialogue\": \"a\", \"user\": \"a Turkish place?\", \"reply\": \"Meze Bar.\", \"context\": true}\n\
         {\"dialogue\": \"a\", \"user\": \"and where?\", \"reply\": \"It is in the north.\"}\n",
    );
    let server = model(&["1", "0", "1"]).await;
    let words = "claims --rows rows.jsonl --judge turns.jsonl --history 1 --shown relevant \
                 --disagreements differ.jsonl --model openai:judge --base-url";
    let output = home
        .command(&format!("{words} {}", server.base_url()))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", home.seen(&output));
    let asked = &server.requests()[1];
    let asked = asked
        .split_once("\r\n\r\n")
        .map_or(asked.as_str(), |(_, body)| body);
    let asked: serde_json::Value = serde_json::from_str(asked).unwrap();
    expect![[r#"
        Knowledge base:
        {"name": "meze bar", "area": "south", "food": "turkish", "pricerange": "expensive"}

        What was said before, which you do not check:
        User: a Turkish place?
        Assistant: Meze Bar.

        User: and where?
        Assistant: It is in the north.

        Does anything in the answer contradict the knowledge base, for instance by giving another value or number than the one listed, or by denying what is listed? 0 = it contradicts, 1 = it does not."#]]
    .assert_eq(asked["messages"][1]["content"].as_str().unwrap());
    // Both find that it contradicts the rows, so nothing is in the file.
    assert_eq!(home.read("differ.jsonl"), "");
}

/// What is planted is found by the judge, the checker, both or neither.
#[test]
fn what_is_planted_is_counted_by_its_operator() {
    let home = Home::new();
    home.write("rows.jsonl", ROWS);
    home.write(
        "turns.jsonl",
        "{\"reply\": \"Meze Bar is in the north.\", \"operator\": \"area_swap\", \"label\": {\"aligned\": false, \"grounded\": true}}\n\
         {\"reply\": \"Meze Bar is in the south.\", \"label\": {\"aligned\": true}}\n",
    );
    let answers = ["1", "1", "1", "1", "0", "1"];
    let told = judged(&home, &answers, "--disagreements differ.jsonl");
    expect![[r#"
        {"operators":{"area_swap":{"replies":1,"judge":0,"checker":1,"judge_rate":0.0,"checker_rate":1.0}},"right":{"replies":1,"judge":1,"checker":0,"judge_rate":1.0,"checker_rate":0.0}}"#]]
    .assert_eq(&told["planted"].to_string());
    let differ = home.read("differ.jsonl");
    let on = differ.lines().map(|line| {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        format!(
            "{} {} {}\n",
            line["on"], line["judge"]["raw"], line["checker"]["claims"][1]["rule"]
        )
    });
    expect![[r#"
        ["aligned"] ["1","1","1"] "differs"
        ["aligned"] ["1","0","1"] "equal"
    "#]]
    .assert_eq(&on.collect::<String>());
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
