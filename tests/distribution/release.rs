//! The workflow that makes a release, and the scripts that it runs.

use super::text;
use std::collections::BTreeSet;

const WORKFLOW: &str = ".github/workflows/release.yml";

#[test]
fn the_workflow_builds_all_that_a_release_is_made_for() {
    let script = text(".github/release/project.py");
    let (_, table) = script.split_once("TARGETS = {\n").unwrap();
    let (table, _) = table.split_once("\n}\n").unwrap();
    let wanted = table.lines().filter_map(|line| line.split('"').nth(1));
    let workflow = text(WORKFLOW);
    let built = workflow.lines().filter_map(|line| {
        let (_, rest) = line.split_once("{ target: ")?;
        Some(rest.split_once(',')?.0)
    });
    let built = built.collect::<BTreeSet<_>>();
    assert_eq!(built, wanted.collect::<BTreeSet<_>>());
}

#[test]
fn the_scripts_of_the_workflow_are_there() {
    let workflow = text(WORKFLOW);
    let words = workflow.split_whitespace();
    let scripts = words.filter(|word| word.starts_with(".github/release/"));
    let scripts = scripts.collect::<BTreeSet<_>>();
    assert!(scripts.len() > 4, "{scripts:?}");
    for name in scripts {
        assert!(!text(name).is_empty(), "{name}");
    }
}
