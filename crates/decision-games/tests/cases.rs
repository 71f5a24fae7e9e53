//! The cases of the games' rules, and every file of that form in the folder that
//! `DIALOG2API_EXTRA_CASES` names.
#![allow(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

mod case;
mod games;

use std::fs;
use std::io::{Write, stdout};
use std::path::Path;

use serde_json::Value;

/// Runs the cases of a text of lines; gives the failures and the number of cases.
fn run(text: &str) -> (Vec<String>, usize) {
    let mut failures = Vec::new();
    let mut count = 0;
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        count += 1;
        failures.extend(check(line));
    }
    (failures, count)
}

/// How a case fails. A line that cannot be read and a case that panics fail alone.
fn check(line: &str) -> Option<String> {
    let case: Value = match serde_json::from_str(line) {
        Ok(case) => case,
        Err(error) => return Some(format!("{error}: {line}")),
    };
    let failure = match std::panic::catch_unwind(|| case::check(&case)) {
        Ok(checked) => checked.err()?,
        Err(_) => "it panics".to_owned(),
    };
    Some(format!("{}: {failure}", case["id"]))
}

#[test]
fn a_broken_case_fails_alone() {
    let good = include_str!("data/cases.jsonl").lines().next().unwrap();
    let missing = r#"{"id": "x", "game": "planning", "kind": "score", "index": 0}"#;
    let (failures, count) = run(&format!("{{\n{missing}\n{good}"));
    assert_eq!((failures.len(), count), (2, 3), "{failures:?}");
    assert_eq!(failures[1], "\"x\": it panics");
}

#[test]
fn the_cases_pass() {
    let (failures, _) = run(include_str!("data/cases.jsonl"));
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn further_cases_pass() {
    let Some(folder) = std::env::var_os("DIALOG2API_EXTRA_CASES") else {
        return;
    };
    let (mut failures, mut count) = (Vec::new(), 0);
    for entry in fs::read_dir(Path::new(&folder)).unwrap() {
        let text = fs::read_to_string(entry.unwrap().path()).unwrap_or_default();
        if is_of_games(&text) {
            let (failed, more) = run(&text);
            failures.extend(failed);
            count += more;
        }
    }
    let passed = count - failures.len();
    // What a macro prints is seen only where a test fails.
    writeln!(stdout(), "{passed} of {count} further cases passed").unwrap();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Whether the first line is a case of this form.
fn is_of_games(text: &str) -> bool {
    let first = text.lines().next().unwrap_or_default();
    let case = serde_json::from_str::<Value>(first).unwrap_or_default();
    ["game", "kind"].iter().all(|key| case.get(key).is_some())
}
