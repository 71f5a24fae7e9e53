//! EMR over the turns in which something truly runs.

use super::{Metric, Sums, mean};
use crate::eval::score::sheet::Runs;
use crate::eval::score::turn;

/// EMR where only turns count whose truth runs a program: the paper's wording. A dialogue
/// without such a turn is left out.
pub struct ExecutingEmr;

impl Metric for ExecutingEmr {
    fn name(&self) -> String {
        "executing_emr".to_owned()
    }

    fn title(&self) -> String {
        "EMR over executing turns".to_owned()
    }

    fn parts(&self, runs: &Runs<'_>) -> Option<Sums> {
        mean(runs.passes.iter().map(|pass| {
            let turns = pass.turns.iter().copied();
            turn::prefix(turns.filter(|log| turn::truth_runs(log)), turn::matches)
        }))
    }
}
