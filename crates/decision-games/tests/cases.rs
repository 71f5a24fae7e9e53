//! The cases of the games' rules, and every file of that form in the folder that
//! `DIALOG2API_EXTRA_CASES` names.
#![allow(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

mod case;
mod games;

use std::fs;
use std::path::Path;

use serde_json::Value;

/// Runs the cases of a text of lines; gives the failures and the number of cases.
fn run(text: &str) -> (Vec<String>, usize) {
    let mut failures = Vec::new();
    let mut count = 0;
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let case: Value = serde_json::from_str(line).unwrap();
        count += 1;
        if let Err(failure) = case::check(&case) {
            failures.push(format!("{}: {failure}", case["id"]));
        }
    }
    (failures, count)
}

fn all_pass(name: &str, text: &str) {
    let (failures, count) = run(text);
    println!("{name}: {} of {count} cases passed", count - failures.len());
    assert!(failures.is_empty(), "{name}:\n{}", failures.join("\n"));
}

#[test]
fn the_cases_pass() {
    all_pass("cases.jsonl", include_str!("data/cases.jsonl"));
}

#[test]
fn further_cases_pass() {
    let Some(folder) = std::env::var_os("DIALOG2API_EXTRA_CASES") else {
        return;
    };
    for entry in fs::read_dir(Path::new(&folder)).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if name.starts_with("dialop") && name.ends_with(".jsonl") {
            all_pass(&name, &fs::read_to_string(&path).unwrap());
        }
    }
}
