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

/// The contributions of each dialogue to all metrics, ready to be summed over any selection.
pub struct Table<'m> {
    metrics: &'m [Box<dyn Metric>],
    /// The numbers of one dialogue after those of another, since every resample reads them
    /// all; zeros where a metric leaves a dialogue out.
    cells: Vec<f64>,
    /// How many numbers a dialogue has.
    width: usize,
    /// How many of them belong to each metric.
    widths: Vec<usize>,
    /// How many dialogues each metric counts.
    pub counted: Vec<usize>,
}

impl<'m> Table<'m> {
    /// The contributions of these dialogues.
    pub fn of(metrics: &'m [Box<dyn Metric>], dialogues: &[&Runs<'_>]) -> Self {
        let parts_of = |metric: &dyn Metric| -> Vec<_> {
            dialogues.iter().map(|runs| metric.parts(runs)).collect()
        };
        let columns = metrics.iter().map(|metric| parts_of(&**metric));
        let columns: Vec<Vec<_>> = columns.collect();
        let width_of = |column: &Vec<Option<Sums>>| column.iter().flatten().map(Vec::len).max();
        let widths: Vec<usize> = columns.iter().map(|it| width_of(it).unwrap_or(0)).collect();
        let width = widths.iter().sum();
        let mut cells = Vec::with_capacity(width * dialogues.len());
        for number in 0..dialogues.len() {
            for (column, width) in columns.iter().zip(&widths) {
                let parts = column.get(number).and_then(Option::as_deref);
                let parts = parts.unwrap_or_default();
                cells.extend_from_slice(parts);
                cells.extend(std::iter::repeat_n(0.0, width - parts.len()));
            }
        }
        Table {
            metrics,
            cells,
            width,
            widths,
            counted: (columns.iter())
                .map(|it| it.iter().flatten().count())
                .collect(),
        }
    }

    /// The figures of all dialogues.
    pub fn figures(&self) -> Vec<Option<f64>> {
        let dialogues = self.cells.len() / self.width.max(1);
        let mut sums = Vec::new();
        self.resampled(&vec![1.0; dialogues], &mut sums).collect()
    }

    /// The figures of a selection: how often each dialogue is in it. `sums` is room for the
    /// calculation, which one call after the other can use.
    pub fn resampled<'s>(
        &'s self,
        times: &[f64],
        sums: &'s mut Vec<f64>,
    ) -> impl Iterator<Item = Option<f64>> + use<'s, 'm> {
        sums.clear();
        sums.resize(self.width, 0.0);
        let rows = self.cells.chunks_exact(self.width.max(1));
        for (row, times) in rows.zip(times).filter(|(_, times)| **times != 0.0) {
            for (sum, more) in sums.iter_mut().zip(row) {
                *sum += times * more;
            }
        }
        let mut rest = sums.as_slice();
        let metrics = self.metrics.iter().zip(&self.widths);
        metrics.map(move |(metric, width)| metric.figure(rest.split_off(..*width)?))
    }
}

/// The 95 % percentile interval of a figure's resamples: of 10,000 the 250th from below
/// and the 250th from above. None where there are none.
pub fn interval(mut figures: Vec<f64>) -> Option<(f64, f64)> {
    // A fortieth at each end.
    let beyond = (figures.len() / 40).saturating_sub(1);
    let last = figures.len().checked_sub(beyond + 1)?;
    let (_, low, _) = figures.select_nth_unstable_by(beyond, f64::total_cmp);
    let low = *low;
    let (_, high, _) = figures.select_nth_unstable_by(last, f64::total_cmp);
    Some((low, *high))
}
