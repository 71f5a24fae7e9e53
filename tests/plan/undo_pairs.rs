//! Two of the programs of the table of undo, one after the other, as one program: what one of them
//! made, moved or took away is what the other finds.

use super::lab::at_each_window;
use super::undo_table::{buckets, outcome, plain, remembered, rows, store};
use dialog2api::domain::World;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Of the pairs that only have a bucket in common, one of so many is run.
const EVERY: usize = 11;

/// The keys that a program names, with their buckets.
fn keys<'a>(program: &[&'a str]) -> BTreeSet<(&'a str, &'a str)> {
    let key = |line: &'a str| {
        let name = |what: &str| line.split_once(what)?.1.split('"').next();
        Some((name("\"Bucket\": \"")?, name("\"Key\": \"")?))
    };
    program.iter().filter_map(|line| key(line)).collect()
}

/// Those pairs that are run: all that name the same key, and all that make or remove a bucket.
fn pairs(rows: &[(&'static str, Vec<&'static str>)]) -> Vec<(String, Vec<&'static str>)> {
    let mut pairs = Vec::new();
    let mut others = 0;
    for (first, one) in rows {
        for (second, other) in rows {
            if buckets(one).is_disjoint(&buckets(other)) {
                continue;
            }
            let of_buckets = [first, second].iter().any(|it| it.starts_with("bucket: "));
            if keys(one).is_disjoint(&keys(other)) && !of_buckets {
                others += 1;
                if others % EVERY != 0 {
                    continue;
                }
            }
            pairs.push((
                format!("{first} + {second}"),
                [one.as_slice(), other].concat(),
            ));
        }
    }
    pairs
}

#[test]
fn two_programs_in_one_are_undone_or_named_before_the_yes() {
    let store = store();
    let mut failed = Vec::new();
    let mut ran = 0;
    at_each_window(|| {
        for (name, program) in pairs(&rows().1) {
            let world: Arc<dyn World> = Arc::new(store.fork());
            match outcome(&world, &*world, &program, remembered) {
                Ok(_) => ran += 1,
                // The second cannot be done after the first.
                Err(why) if why.starts_with("the draft: ") => {}
                Err(why) => failed.push(format!("{name}: {}", plain(&why))),
            }
        }
    });
    assert!(
        failed.is_empty() && ran > 1600,
        "{} failed, {ran} did not:\n{}",
        failed.len(),
        failed.join("\n")
    );
}
