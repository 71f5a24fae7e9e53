//! EMR: the share of a dialogue before its first wrong turn.

use super::{Metric, Sums, mean};
use crate::eval::score::sheet::Runs;

/// Environment-signature match rate (paper, section 2.2): `t_last / T`, the mean over
/// dialogues.
pub struct Emr;

impl Metric for Emr {
    fn name(&self) -> String {
        "emr".to_owned()
    }

    fn title(&self) -> String {
        "EMR".to_owned()
    }

    fn parts(&self, runs: &Runs<'_>) -> Option<Sums> {
        mean(runs.passes.iter().map(|pass| pass.emr()))
    }
}
