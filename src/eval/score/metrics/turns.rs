//! Turn match: the share of turns that are right, whatever came before.

use super::{Metric, Sums};
use crate::eval::score::sheet::Runs;
use crate::eval::score::turn;

/// The share of turns whose signature is the true one.
pub struct TurnMatch;

impl Metric for TurnMatch {
    fn name(&self) -> String {
        "turn_match".to_owned()
    }

    fn title(&self) -> String {
        "turn match".to_owned()
    }

    fn parts(&self, runs: &Runs<'_>) -> Option<Sums> {
        let turns = runs.turns().count();
        let right = runs.turns().filter(|log| turn::matches(log)).count();
        (turns > 0).then(|| vec![right as f64, turns as f64])
    }
}
