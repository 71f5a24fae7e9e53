//! How often the part of the API document that a prompt shows has what the right programs
//! call.

use super::document;
use crate::domain::{Calls, Domain};
use crate::error::Result;
use crate::retrieval::{Example, ExamplePool, Excluded, Query, Selection, Task};
use std::collections::BTreeSet;

/// How many turns have a prompt that describes every operation their right programs call.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PromptCoverage {
    /// The turns whose programs call operations.
    pub turns: usize,
    /// The turns whose prompt describes every operation that they call.
    pub covered: usize,
    /// The other turns: dialogue, number of the turn from 1, and the operations that are not
    /// described.
    pub missed: Vec<(String, usize, Vec<String>)>,
    /// The length of the document of each prompt in bytes, in ascending order.
    pub bytes: Vec<usize>,
}

/// Looks at the documents for the turns of `probes`, with examples from a pool that are never
/// from the same dialogue or goal. An operation counts as described
/// if its name is in the document: some stand only in the stub of another one.
///
/// # Errors
/// The model of the similarity failed.
pub fn coverage(
    domain: &Domain,
    pool: &ExamplePool,
    probes: &[Example],
    selection: &Selection,
) -> Result<PromptCoverage> {
    let mut coverage = PromptCoverage::default();
    for example in probes.iter().filter(|it| it.serves(Task::Program)) {
        let excluded = Excluded {
            dialogue: example.dialogue.clone(),
            goal: example.goal.clone(),
            ..Excluded::default()
        };
        let query = Query {
            excluded: Some(&excluded),
            ..Query::of(example)
        };
        let document = document(&query, &pool.select(&query, selection)?, domain);
        coverage.bytes.push(document.len());
        let programs = example.updates.iter();
        let programs = programs.filter_map(|update| update.program.as_ref());
        let sites = programs.flat_map(|program| Calls::of(program, domain).sites);
        let known = sites.filter_map(|site| domain.operation(&site.operation));
        let called: BTreeSet<&str> = known.map(|operation| &*operation.name).collect();
        if called.is_empty() {
            continue;
        }
        coverage.turns += 1;
        let words: BTreeSet<&str> = document.split(|c: char| !is_of_name(c)).collect();
        let described = |name: &str| words.contains(name);
        let missing = called.into_iter().filter(|name| !described(name));
        let missing: Vec<String> = missing.map(str::to_owned).collect();
        match missing.is_empty() {
            true => coverage.covered += 1,
            false => (coverage.missed).push((example.dialogue.clone(), example.turn + 1, missing)),
        }
    }
    coverage.bytes.sort_unstable();
    Ok(coverage)
}

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}
