//! Bootstrap by dialogue: how much a figure depends on the choice of dialogues.
//!
//! A resample draws as many dialogues as there are, with replacement. A dialogue comes with
//! all its turns and epochs. Every metric uses the same resamples.

use super::metrics::{Metric, Sums};
use super::sheet::Runs;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde::Serialize;

/// How the intervals are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Bootstrap {
    /// How many resamples.
    pub resamples: u32,
    /// The seed of the draws.
    pub seed: u64,
}

impl Default for Bootstrap {
    fn default() -> Self {
        Bootstrap {
            resamples: 10_000,
            seed: 0,
        }
    }
}

impl Bootstrap {
    /// Calls `each` with every resample: how often each of `count` dialogues is in it.
    pub fn each(&self, count: usize, mut each: impl FnMut(&[f64])) {
        let mut key = [0; 32];
        for (byte, of_seed) in key.iter_mut().zip(self.seed.to_le_bytes()) {
            *byte = of_seed;
        }
        let mut random = ChaCha8Rng::from_seed(key);
        let mut times = vec![0.0; count];
        for _ in 0..self.resamples {
            times.fill(0.0);
            for _ in 0..count {
                // Below 2^32 dialogues, so that the product does not wrap.
                let drawn = (u64::from(random.next_u32()) * count as u64) >> 32;
                if let Some(times) = usize::try_from(drawn).ok().and_then(|at| times.get_mut(at)) {
                    *times += 1.0;
                }
            }
            each(&times);
        }
    }
}

/// The contribution of each dialogue to one metric, ready to be summed over any selection.
pub struct Column<'m> {
    metric: &'m dyn Metric,
    /// The contribution of each dialogue; zeros if the metric leaves it out.
    parts: Vec<Sums>,
    /// How many dialogues the metric counts.
    pub counted: usize,
    width: usize,
}

impl<'m> Column<'m> {
    /// What each of these dialogues adds.
    pub fn of(metric: &'m dyn Metric, dialogues: &[&Runs<'_>]) -> Self {
        let parts: Vec<Option<Sums>> = dialogues.iter().map(|runs| metric.parts(runs)).collect();
        let width = parts.iter().flatten().map(Vec::len).max().unwrap_or(0);
        Column {
            metric,
            counted: parts.iter().flatten().count(),
            parts: parts
                .into_iter()
                .map(|part| part.unwrap_or_else(|| vec![0.0; width]))
                .collect(),
            width,
        }
    }

    /// The figure of all dialogues.
    pub fn figure(&self) -> Option<f64> {
        self.resampled(&vec![1.0; self.parts.len()])
    }

    /// The figure of a selection: how often each dialogue is in it.
    pub fn resampled(&self, times: &[f64]) -> Option<f64> {
        let mut sums = vec![0.0; self.width];
        for (part, times) in self.parts.iter().zip(times) {
            if *times == 0.0 {
                continue;
            }
            for (sum, more) in sums.iter_mut().zip(part) {
                *sum += times * more;
            }
        }
        self.metric.figure(&sums)
    }
}

/// The 95 % percentile interval of a figure's resamples: of 10,000 the 250th from below
/// and the 250th from above. None where there are none.
pub fn interval(mut figures: Vec<f64>) -> Option<(f64, f64)> {
    figures.sort_by(f64::total_cmp);
    // A fortieth at each end.
    let beyond = (figures.len() / 40).saturating_sub(1);
    let low = figures.get(beyond)?;
    let high = figures.get(figures.len().checked_sub(beyond + 1)?)?;
    Some((*low, *high))
}
