//! Facts that were taken from talk, beside the truth of the world.
//!
//! A proposal can be good by chance, or by what is usual. Whether talk was understood shows here.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

/// Facts of one sort.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FactCount {
    /// How many were taken.
    pub taken: usize,
    /// How many of these are right.
    pub right: usize,
    /// How many truths they name.
    pub found: usize,
    /// How many truths there are, whether or not somebody spoke of them.
    pub truths: usize,
}

/// Facts by their sort, such as `wishes`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Extraction(pub BTreeMap<String, FactCount>);

/// How well facts of one sort were taken.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct FactRates {
    /// The facts.
    #[serde(flatten)]
    pub count: FactCount,
    /// The share of those taken that are right; none where none was taken.
    pub precision: Option<f64>,
    /// The share of the truths that were found; none where there is no truth. A truth that nobody
    /// said counts as missed, so compare only readers of the same talk by it.
    pub recall: Option<f64>,
}

impl FactCount {
    /// Counts facts, each with the truth that it names if it is right.
    pub(crate) fn of<T: Ord>(facts: impl Iterator<Item = Option<T>>, truths: usize) -> FactCount {
        let (mut count, mut found) = (FactCount::default(), BTreeSet::new());
        for truth in facts {
            count.taken += 1;
            count.right += usize::from(truth.is_some());
            found.extend(truth);
        }
        FactCount {
            found: found.len(),
            truths,
            ..count
        }
    }
}

impl Extraction {
    pub(crate) fn new<const N: usize>(counts: [(&str, FactCount); N]) -> Extraction {
        let named = counts.map(|(sort, count)| (sort.to_owned(), count));
        Extraction(named.into())
    }

    /// No facts are judged.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Precision and recall by sort.
    pub fn rates(&self) -> BTreeMap<String, FactRates> {
        let share = |part: usize, of: usize| (of > 0).then(|| part as f64 / of as f64);
        let rates = |(sort, count): (&String, &FactCount)| {
            let rates = FactRates {
                count: *count,
                precision: share(count.right, count.taken),
                recall: share(count.found, count.truths),
            };
            (sort.clone(), rates)
        };
        self.0.iter().map(rates).collect()
    }
}

impl AddAssign<&Extraction> for Extraction {
    fn add_assign(&mut self, other: &Extraction) {
        for (sort, more) in &other.0 {
            let count = self.0.entry(sort.clone()).or_default();
            count.taken += more.taken;
            count.right += more.right;
            count.found += more.found;
            count.truths += more.truths;
        }
    }
}

impl fmt::Display for FactRates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FactCount { taken, truths, .. } = self.count;
        let rate = |name: &str, rate: Option<f64>, of: usize| {
            rate.map(|rate| format!("{name} {rate:.3} of {of}"))
        };
        let rates = [
            rate("precision", self.precision, taken),
            rate("recall", self.recall, truths),
        ];
        let rates: Vec<String> = rates.into_iter().flatten().collect();
        f.write_str(&rates.join(", "))
    }
}
