//! The conformance cases of the specification.

mod case;

use std::io::Write;

#[test]
fn all_cases_pass() {
    let (count, failures) = case::run(include_str!("data/cases.jsonl"));
    println!("{} of {count} cases", count - failures.len());
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert_eq!(count, 115);
}

/// Further cases, from every file of the folder `DIALOG2API_EXTRA_CASES`.
#[test]
fn further_cases_pass() {
    let Some(folder) = std::env::var_os("DIALOG2API_EXTRA_CASES") else {
        return;
    };
    let (mut count, mut failures) = (0, Vec::new());
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        if text
            .lines()
            .next()
            .is_some_and(|line| line.contains("worksheets-cases"))
        {
            let (more, failed) = case::run(&text);
            count += more;
            failures.extend(failed);
        }
    }
    let passed = count - failures.len();
    // What a macro prints is seen only where a test fails.
    writeln!(
        std::io::stdout(),
        "{passed} of {count} further cases passed"
    )
    .unwrap();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
