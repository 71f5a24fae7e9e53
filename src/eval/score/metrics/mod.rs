//! The metrics: one file each, listed by [`metrics`].

pub mod bleu;
mod complete;
pub mod edits;
mod emr;
mod executing;
mod repeated;
mod state;
mod strict;
mod turns;

use super::sheet::Runs;
use crate::eval::log::{EvalMode, Run};
use serde::Serialize;

/// The contribution of a dialogue to a metric: numbers that are summed over dialogues.
pub type Sums = Vec<f64>;

/// A figure that is computed from sums over dialogues, so that it can be computed for any
/// selection of them: for all, and for each resample of a bootstrap.
pub trait Metric: Sync {
    /// The key in JSON: `emr`.
    fn name(&self) -> String;

    /// The name for people.
    fn title(&self) -> String;

    /// The unit of the figure.
    fn unit(&self) -> Unit {
        Unit::Share
    }

    /// Whether the metric is defined for such a run.
    fn applies(&self, _: EvalMode) -> bool {
        true
    }

    /// The contribution of a dialogue; `None` if the metric leaves it out. The number of
    /// components never varies.
    fn parts(&self, runs: &Runs<'_>) -> Option<Sums>;

    /// The figure from the summed contributions. Most are a sum over a count.
    fn figure(&self, sums: &[f64]) -> Option<f64> {
        match sums {
            [sum, count] if *count > 0.0 => Some(sum / count),
            _ => None,
        }
    }
}

/// The unit of a figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// 0 to 1, and 1 is best.
    Share,
    /// 0 to 100, and 100 is best.
    Points,
    /// Tokens, and 0 is best.
    Tokens,
}

/// Every metric of a run, in the order of the report.
pub fn metrics(run: &Run) -> Vec<Box<dyn Metric>> {
    let mut all: Vec<Box<dyn Metric>> = vec![
        Box::new(emr::Emr),
        Box::new(complete::Complete),
        Box::new(turns::TurnMatch),
        Box::new(state::StateEmr),
        Box::new(executing::ExecutingEmr),
        Box::new(bleu::Bleu),
        Box::new(edits::Edits),
    ];
    if run.settings.assist.is_some() {
        all.push(Box::new(strict::StrictEmr { mode: run.mode }));
        all.push(Box::new(strict::StrictTurnMatch));
    }
    for k in 2..=run.epochs {
        all.push(Box::new(repeated::RepeatedEmr { k }));
        all.push(Box::new(repeated::RepeatedComplete { k }));
    }
    all.retain(|metric| metric.applies(run.mode));
    all
}

/// The mean over the finished passes of a dialogue, as what the dialogue adds to a mean
/// over dialogues. None where no pass has the figure.
fn mean(passes: impl Iterator<Item = Option<f64>>) -> Option<Sums> {
    let (sum, count) = passes
        .flatten()
        .fold((0.0, 0.0), |(sum, count), one| (sum + one, count + 1.0));
    (count > 0.0).then(|| vec![sum / count, 1.0])
}
