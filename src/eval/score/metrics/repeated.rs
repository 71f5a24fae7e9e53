//! The figures of k runs together: EMR^k, and the share of dialogues right in all of k.

use super::{Metric, Sums};
use crate::eval::score::sheet::Runs;

/// EMR^k: the share of a dialogue before the first turn that is wrong in any of k runs.
pub struct RepeatedEmr {
    /// How many runs.
    pub k: u32,
}

/// The share of dialogues that are right from end to end in each of k runs.
pub struct RepeatedComplete {
    /// How many runs.
    pub k: u32,
}

impl Metric for RepeatedEmr {
    fn name(&self) -> String {
        format!("emr^{}", self.k)
    }

    fn title(&self) -> String {
        format!("EMR^{} (right in all of {} runs)", self.k, self.k)
    }

    fn parts(&self, runs: &Runs<'_>) -> Option<Sums> {
        let rates = runs.passes.iter().map(|pass| pass.emr());
        worst_of(rates.flatten().collect(), self.k)
    }
}

impl Metric for RepeatedComplete {
    fn name(&self) -> String {
        format!("complete^{}", self.k)
    }

    fn title(&self) -> String {
        format!("dialogues with EMR = 1 in all of {} runs", self.k)
    }

    fn parts(&self, runs: &Runs<'_>) -> Option<Sums> {
        let complete = |right: bool| f64::from(u8::from(right));
        let passes = runs.passes.iter();
        worst_of(
            passes.map(|pass| complete(pass.is_complete())).collect(),
            self.k,
        )
    }
}

/// The mean, over all choices of k of the values, of the least value chosen. None where
/// there are fewer than k.
fn worst_of(mut values: Vec<f64>, k: u32) -> Option<Sums> {
    let (n, k) = (values.len(), usize::try_from(k).ok()?);
    if k == 0 || n < k {
        return None;
    }
    values.sort_by(f64::total_cmp);
    // The i-th least is the least of those choices that take the others from the n - i - 1
    // values above it. The share of such choices among all: k/n for the first, and from one
    // to the next by the ratio of binomial coefficients.
    let mut share = k as f64 / n as f64;
    let mut mean = 0.0;
    for (index, value) in values.iter().enumerate().take(n - k + 1) {
        mean += share * value;
        let above = n - index - 1;
        share *= (above + 1 - k) as f64 / above.max(1) as f64;
    }
    Some(vec![mean, 1.0])
}
