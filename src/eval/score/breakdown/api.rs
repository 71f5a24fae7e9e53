//! By the operations in the programs that a turn truly runs.

use super::Tally;
use crate::dataset::steps;
use crate::dialogue::Status;
use crate::domain::call_sites;
use crate::eval::score::sheet::{Runs, Sheet};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// How it went in the turns that truly run one operation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ByApi {
    /// The operation; none for turns whose programs call nothing.
    pub operation: Option<String>,
    /// Turns that run a program with the operation. One with several is counted at each.
    #[serde(flatten)]
    pub tally: Tally,
}

/// How it went, by operation, in the order of their names.
pub fn by_api(sheet: &Sheet<'_>) -> Vec<ByApi> {
    let mut found: BTreeMap<Option<String>, Tally> = BTreeMap::new();
    for runs in &sheet.dialogues {
        for (index, operation) in operations(runs, sheet) {
            let tally = found.entry(operation).or_default();
            runs.passes.iter().for_each(|pass| tally.count(pass, index));
        }
    }
    let rows = found
        .into_iter()
        .map(|(operation, tally)| ByApi { operation, tally });
    rows.collect()
}

/// Each executing turn (from 0) with each operation of the programs that it runs.
fn operations(runs: &Runs<'_>, sheet: &Sheet<'_>) -> BTreeSet<(usize, Option<String>)> {
    let mut turns: BTreeMap<usize, BTreeSet<String>> = BTreeMap::new();
    for step in steps(&runs.truth) {
        if step.record.status != Status::Final {
            continue;
        }
        let called = turns.entry(step.turn - 1).or_default();
        let sites = step.program().map(|code| call_sites(code, &sheet.domain));
        called.extend(sites.into_iter().flatten().map(|site| site.operation));
    }
    let pairs = turns.into_iter().flat_map(|(turn, called)| {
        let none = called.is_empty().then_some((turn, None));
        let called = called.into_iter().map(move |name| (turn, Some(name)));
        none.into_iter().chain(called)
    });
    pairs.collect()
}
