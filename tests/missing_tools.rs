//! The last of the test binaries: lists the tests that were left out because a tool is
//! missing, each tool with the line that installs it. `support/tools.rs` has the tools.
#![allow(clippy::print_stdout, reason = "people read it")]

#[path = "support"]
mod support {
    pub mod tools;
}

use std::collections::{BTreeMap, BTreeSet};

fn main() {
    // Test runners ask for a list of tests before they start any.
    if std::env::args().any(|argument| argument == "--list") {
        return;
    }
    let list = support::tools::list();
    let text = std::fs::read_to_string(&list).unwrap_or_default();
    let mut tools: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (advice, test) in text.lines().filter_map(|line| line.split_once('\t')) {
        tools.entry(advice).or_default().insert(test);
    }
    let count: usize = tools.values().map(BTreeSet::len).sum();
    if count == 0 {
        println!("\nno test was left out for want of a tool\n");
        return;
    }
    println!("\n{count} tests were LEFT OUT, because this machine lacks what they need:");
    for (advice, tests) in &tools {
        println!("\n  {advice}");
        for test in tests {
            println!("    {test}");
        }
    }
    println!("\n`.ci/run` installs all of it, and fails where a test is left out.\n");
    let _ = std::fs::remove_file(list);
}
