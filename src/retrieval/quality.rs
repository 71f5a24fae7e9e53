//! The quality of retrieval: how often it finds examples of the same kind of request.

use super::{Example, ExamplePool, Excluded, Query, Selection, Task};
use crate::error::Result;
use serde::Serialize;
use std::collections::BTreeSet;

/// The results for turns of dialogues that are not in the pool. All shares are 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Quality {
    /// The number of turns.
    pub turns: usize,
    /// The share of turns whose nearest example is of the same kind.
    pub nearest: f64,
    /// The mean share of a prompt's examples that are of the same kind.
    pub all: f64,
    /// The share of turns with at least one example of the same kind in the prompt.
    pub any: f64,
    /// The share of turns whose kind is in the pool at all: the upper bound.
    pub possible: f64,
    /// The mean share of the pool that is of the same kind: what a random example reaches.
    pub random: f64,
}

/// Retrieves examples for every turn of `probes`, as for the prediction of its programs, and
/// never from its own dialogue or goal.
///
/// Two turns are of the same **kind** if their true programs have the same set of operations
/// and conversational exceptions. Turns without a program are left out.
///
/// # Errors
/// The model of the similarity failed.
pub fn quality(pool: &ExamplePool, probes: &[Example], selection: &Selection) -> Result<Quality> {
    let kinds: Vec<_> = (pool.examples().iter())
        .map(|example| pool.kind(example))
        .collect();
    let (mut nearest, mut all, mut any, mut possible, mut random) = (0.0, 0.0, 0.0, 0.0, 0.0);
    let probes: Vec<_> = (probes.iter())
        .filter(|probe| probe.serves(Task::Program))
        .collect();
    for probe in &probes {
        let excluded = Excluded {
            dialogue: probe.dialogue.clone(),
            goal: probe.goal.clone(),
            ..Excluded::default()
        };
        let query = Query {
            excluded: Some(&excluded),
            ..Query::of(probe)
        };
        let kind = pool.kind(probe);
        let found = pool.select(&query, selection)?;
        let same: Vec<bool> = (found.iter())
            .map(|example| pool.kind(example) == kind)
            .collect();
        nearest += f64::from(u8::from(same.last() == Some(&true)));
        all += share(same.iter().copied());
        any += f64::from(u8::from(same.contains(&true)));
        let by_chance = share(
            (pool.examples().iter().zip(&kinds))
                .filter(|(example, _)| ExamplePool::is_usable(&query, example))
                .map(|(_, other)| *other == kind),
        );
        possible += f64::from(u8::from(by_chance > 0.0));
        random += by_chance;
    }
    let turns = probes.len();
    let mean = |sum: f64| if turns == 0 { 0.0 } else { sum / turns as f64 };
    Ok(Quality {
        turns,
        nearest: mean(nearest),
        all: mean(all),
        any: mean(any),
        possible: mean(possible),
        random: mean(random),
    })
}

impl ExamplePool {
    /// The operations and conversational exceptions in the programs that a turn updates.
    pub fn kind(&self, example: &Example) -> BTreeSet<String> {
        let updated = |uid| example.updates.iter().any(|update| update.uid == uid);
        let goals = example.after.goals().iter();
        goals
            .filter(|goal| updated(goal.uid))
            .flat_map(|goal| self.keywords().of_goal(goal).into_keys())
            .collect()
    }
}

fn share(same: impl Iterator<Item = bool>) -> f64 {
    let (mut hits, mut count) = (0usize, 0usize);
    for hit in same {
        hits += usize::from(hit);
        count += 1;
    }
    if count == 0 {
        0.0
    } else {
        hits as f64 / count as f64
    }
}
