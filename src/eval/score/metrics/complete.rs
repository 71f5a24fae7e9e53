//! The share of dialogues in which every turn is right.

use super::{Metric, Sums, mean};
use crate::eval::score::sheet::Runs;

/// The share of dialogues with EMR = 1.
pub struct Complete;

impl Metric for Complete {
    fn name(&self) -> String {
        "complete".to_owned()
    }

    fn title(&self) -> String {
        "dialogues with EMR = 1".to_owned()
    }

    fn parts(&self, runs: &Runs<'_>) -> Option<Sums> {
        let complete = |right: bool| Some(f64::from(u8::from(right)));
        mean(runs.passes.iter().map(|pass| complete(pass.is_complete())))
    }
}
