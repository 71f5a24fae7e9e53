//! `dialog2api game`, and `replay` of recorded games.

use crate::cli::support::Home;
use expect_test::{Expect, expect};

/// A game of planning with three sites and one wish.
const TINY: &str = r#"{"game": "planning", "index": 1, "world": {"sites": [
{"name": "A", "type": "park", "price": 0, "loc": [0, 0], "features": {"rating": 5}},
{"name": "B", "type": "cafe", "price": 5, "loc": [0, 0.1], "features": {}},
{"name": "C", "type": "shop", "price": 50, "loc": [0, 0.2], "features": {}}],
"preferences": [{"kind": "DistancePreference", "text": "minimize travel distance", "weight": -1}]},
"turns": [{"kind": "message", "player": 0, "text": "hi there"},
{"kind": "proposal", "player": 1, "slots": ["A", "C", "B"]},
{"kind": "response", "player": 0, "accept": true}],
"recorded": {"score": SCORE, "best": -12, "worst": -19, "norm": 0.0}}"#;

fn game(score: &str) -> String {
    TINY.replace('\n', " ").replace("SCORE", score) + "\n"
}

fn check(files: &[(&str, String)], words: &str, input: &str, expected: Expect) {
    let home = Home::new();
    std::fs::create_dir_all(home.path("games")).expect("a folder");
    for (name, text) in files {
        home.write(name, text);
    }
    home.check(home.command(words), input, expected);
}

#[test]
fn recorded_games_are_replayed_by_replay() {
    let files = [("games/games.jsonl", game("-19"))];
    check(
        &files,
        "game replay games",
        "",
        expect![[r#"
        planning 1: 0.0000, 1 full proposal
        1 game, 1 full proposal, all match, TIME
        -- exit 0 --
    "#]],
    );
    check(
        &files,
        "replay --json games/games.jsonl",
        "",
        expect![[r#"
            {"game":"planning","index":1,"matches":true,"difference":null,"score":-19,"best":-12,"worst":-19,"norm":0.0,"proposals":[0.0],"partial":0,"replaced":0,"late_answers":0,"words":2}
            -- exit 0 --
        "#]],
    );
}

#[test]
fn a_game_that_differs_from_its_record_says_how() {
    let files = [("games/games.jsonl", game("-3"))];
    check(
        &files,
        "replay games",
        "",
        expect![[r#"
        planning 1: 0.0000, 1 full proposal; scores -19 of -19 to -12, recorded -3 of -19 to -12
        1 game, 1 full proposal, 1 differ, TIME
        -- exit 3 --
    "#]],
    );
}

#[test]
fn what_is_no_game_is_named_by_its_line() {
    let files = [("games/games.jsonl", game("-19") + "{}\n")];
    check(
        &files,
        "replay games",
        "",
        expect![[r#"
        -- stderr --
        error: games/games.jsonl: line 2: missing field `game` at line 1 column 2
        -- exit 2 --
    "#]],
    );
    check(
        &files,
        "game generate chess",
        "",
        expect![[r#"
        -- stderr --
        error: there is no game "chess"; the games are optimization, planning, mediation
        -- exit 2 --
    "#]],
    );
}

#[test]
fn rows_are_computed_for_any_file_of_games() {
    let files = [("games/games.jsonl", game("-19"))];
    check(
        &files,
        "game rows games",
        "",
        expect![[r#"
        planning
          random       0.3333 ± 0.0000  0 of 1 perfect
          worst        0.0000 ± 0.0000  0 of 1 perfect
          optimum      1.0000 ± 0.0000  1 of 1 perfect
          silent       1.0000 ± 0.0000  1 of 1 perfect
          all wishes   1.0000 ± 0.0000  1 of 1 perfect
          human first  0.0000 ± 0.0000  0 of 1 perfect
          human final  0.0000 ± 0.0000  0 of 1 perfect
        -- exit 0 --
    "#]],
    );
}

#[test]
fn another_program_steps_a_game() {
    let requests = [
        r#"{"op": "reset", "game": "mediation", "seed": 1}"#,
        r#"{"op": "step", "seat": "agent", "text": "0: [message] hello"}"#,
        "nonsense",
    ];
    let home = Home::new();
    let output = assert_cmd::Command::from(home.command("game serve"))
        .write_stdin(requests.join("\n"))
        .output()
        .expect("it starts");
    let text = String::from_utf8(output.stdout).expect("text");
    let lines: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(lines[0]["movers"], serde_json::json!(["user0", "user1"]));
    assert_eq!(lines[1]["info"]["code"], "not-your-turn");
    assert!(lines[2]["error"].is_string());
}
