//! The conformance cases through the box: programs, actions and calls run as Python in the
//! sandbox, with a backend in `world.py`. The crate's own tests run them by their operations;
//! both come to the same state and acts, which are those of the case.

mod book;

use book::Book;
use serde_json::{Value as Json, json};
use std::io::Write;

const CASES: &str = include_str!("../../crates/worksheets/tests/data/cases.jsonl");

/// Runs the cases of a file that have a program; how many there are, and what failed.
async fn run(text: &str) -> (usize, Vec<String>) {
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let mut lines = lines.map(|line| serde_json::from_str::<Json>(line).unwrap());
    let header = lines.next().unwrap();
    let cases: Vec<Json> = lines.filter(|case| case["program"].is_string()).collect();
    let mut failures = Vec::new();
    for (name, sheets) in header["sheets"].as_object().unwrap() {
        let own = cases.iter().filter(|case| case["sheets"] == **name);
        let own: Vec<&Json> = own.collect();
        if own.is_empty() {
            continue;
        }
        let book = Book::new(sheets.as_str().unwrap(), &own).await;
        for (at, case) in own.into_iter().enumerate() {
            if let Err(why) = compare(&book, at, case).await {
                failures.push(format!("{}: {why}", case["id"]));
            }
        }
    }
    (cases.len(), failures)
}

/// Runs a case, and says where it comes to something else.
async fn compare(book: &Book, at: usize, case: &Json) -> Result<(), String> {
    let (kept, raised) = book.turn(at, case).await?;
    let mut after = case["after"].clone();
    // The answers of the case stand in for those of the database, without its statement.
    for query in after["records"].as_array_mut().into_iter().flatten() {
        query.as_object_mut().map(|query| query.shift_remove("sql"));
    }
    let mut found = kept["state"].clone();
    for query in found["records"].as_array_mut().into_iter().flatten() {
        query.as_object_mut().map(|query| query.shift_remove("sql"));
    }
    same("after", &found, &after)?;
    same("acts", &acts(&kept), &case["acts"])?;
    let ended = case["ended"].as_str().unwrap_or_default();
    let class = |text: &str| text.split(':').next().unwrap_or_default().to_owned();
    let wanted = ended.strip_prefix("error: ").map(class);
    same("exception", &json!(raised), &json!(wanted))?;
    same("end", &kept["over"], &json!(ended == "EndDialog"))
}

/// The acts with their reasons.
fn acts(kept: &Json) -> Json {
    let acts = kept["state"]["acts"].as_array().into_iter().flatten();
    let reasons = kept["reasons"].as_array().into_iter().flatten();
    let lines = acts
        .zip(reasons)
        .map(|(act, reason)| match reason.as_str() {
            Some(reason) => json!(format!("{} [{reason}]", act.as_str().unwrap())),
            None => act.clone(),
        });
    lines.collect()
}

fn same(what: &str, found: &Json, wanted: &Json) -> Result<(), String> {
    match found == wanted {
        true => Ok(()),
        false => Err(format!("{what}\n  found  {found}\n  wanted {wanted}")),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn all_cases_with_programs_pass_through_the_box() {
    let (count, failures) = run(CASES).await;
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert_eq!(count, 89);
}

/// A case that comes to something else is found.
#[tokio::test(flavor = "multi_thread")]
async fn what_goes_otherwise_is_told() {
    let only = |id: &str| {
        let header = CASES.lines().next().unwrap();
        let mark = format!("\"id\": \"{id}\"");
        let line = CASES.lines().find(|line| line.contains(&mark)).unwrap();
        (header.to_owned(), line.to_owned())
    };
    let (header, line) = only("unit.backend");
    for (from, to, what) in [
        ("order.at = \\\"9am\\\"", "order.at = \\\"8am\\\"", "after"),
        (
            "place(\\\"Extra Large\\\")",
            "place(\\\"Small\\\")",
            "after",
        ),
        ("\"Report(order)\"]", "\"Report(gift)\"]", "a"),
    ] {
        let line = line.replace(from, to);
        let (_, failures) = run(&format!("{header}\n{line}")).await;
        assert_eq!(failures.len(), 1, "{to}: {failures:?}");
        let start = format!("\"unit.backend\": {what}");
        assert!(failures[0].starts_with(&start), "{to}: {failures:?}");
    }
}

/// Further cases, from every file of the folder `DIALOG2API_EXTRA_CASES`.
#[tokio::test(flavor = "multi_thread")]
async fn further_cases_pass_through_the_box() {
    let Some(folder) = std::env::var_os("DIALOG2API_EXTRA_CASES") else {
        return;
    };
    let (mut count, mut failures) = (0, Vec::new());
    for entry in std::fs::read_dir(folder).unwrap() {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap_or_default();
        let first = text.lines().next().unwrap_or_default();
        if first.contains("worksheets-cases") {
            let (more, failed) = run(&text).await;
            count += more;
            failures.extend(failed);
        }
    }
    let passed = count - failures.len();
    // What a macro prints is seen only where a test fails.
    writeln!(
        std::io::stdout(),
        "{passed} of {count} further cases passed through the box"
    )
    .unwrap();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
