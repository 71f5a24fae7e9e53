//! EMR of the state alone: outcomes of programs are left out.

use super::{Metric, Sums, mean};
use crate::eval::score::sheet::Runs;
use crate::eval::score::turn;

/// EMR where a turn is right as soon as the state after it is.
pub struct StateEmr;

impl Metric for StateEmr {
    fn name(&self) -> String {
        "state_emr".to_owned()
    }

    fn title(&self) -> String {
        "state-only EMR".to_owned()
    }

    fn parts(&self, runs: &Runs<'_>) -> Option<Sums> {
        let passes = runs.passes.iter();
        mean(passes.map(|pass| turn::prefix(pass.turns.iter().copied(), turn::state_matches)))
    }
}
