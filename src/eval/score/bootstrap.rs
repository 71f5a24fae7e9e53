//! Bootstrap by dialogue: how much a figure depends on the choice of dialogues.
//!
//! A resample draws as many dialogues as there are, with replacement. A dialogue comes with
//! all its turns and epochs. Every metric uses the same resamples.

use super::metrics::Metric;
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
    /// The contributions of the dialogues, `width` numbers each, one after the other, since
    /// every resample reads all of them; zeros if the metric leaves a dialogue out.
    parts: Vec<f64>,
    width: usize,
    /// How many dialogues there are.
    dialogues: usize,
    /// How many dialogues the metric counts.
    pub counted: usize,
}

impl<'m> Column<'m> {
    /// The contribution of each of these dialogues.
    pub fn of(metric: &'m dyn Metric, dialogues: &[&Runs<'_>]) -> Self {
        let found: Vec<_> = dialogues.iter().map(|runs| metric.parts(runs)).collect();
        let width = found.iter().flatten().map(Vec::len).max().unwrap_or(0);
        let mut parts = Vec::with_capacity(width * found.len());
        for part in &found {
            let part = part.as_deref().unwrap_or_default();
            parts.extend_from_slice(part);
            parts.extend(std::iter::repeat_n(0.0, width - part.len()));
        }
        Column {
            metric,
            counted: found.iter().flatten().count(),
            dialogues: found.len(),
            parts,
            width,
        }
    }

    /// The figure of all dialogues.
    pub fn figure(&self) -> Option<f64> {
        self.resampled(&vec![1.0; self.dialogues], &mut Vec::new())
    }

    /// The figure of a selection: how often each dialogue is in it. `sums` is room for the
    /// calculation, which one call after the other can use.
    pub fn resampled(&self, times: &[f64], sums: &mut Vec<f64>) -> Option<f64> {
        sums.clear();
        sums.resize(self.width, 0.0);
        let parts = self.parts.chunks_exact(self.width.max(1));
        match sums.as_mut_slice() {
            // Nearly every metric is a sum over a count, and the compiler keeps two numbers
            // in registers.
            [one, other] => {
                for (part, times) in parts.zip(times) {
                    if let [first, second] = part {
                        *one += times * first;
                        *other += times * second;
                    }
                }
            }
            sums => {
                for (part, times) in parts.zip(times).filter(|(_, times)| **times != 0.0) {
                    for (sum, more) in sums.iter_mut().zip(part) {
                        *sum += times * more;
                    }
                }
            }
        }
        self.metric.figure(sums)
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
