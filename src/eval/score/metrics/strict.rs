//! The strict figures: what the model's first answers come to, without any aid.

use super::{Metric, Sums, mean};
use crate::eval::log::EvalMode;
use crate::eval::score::sheet::Runs;
use crate::eval::score::turn;

/// EMR of the first answers. A pass counts up to the turn in which an aid took the dialogue
/// another way, so that end to end it is the least that it could be.
pub struct StrictEmr {
    /// Whether a turn starts from what the turns before it led to.
    pub mode: EvalMode,
}

impl Metric for StrictEmr {
    fn name(&self) -> String {
        "strict_emr".to_owned()
    }

    fn title(&self) -> String {
        "EMR, strict".to_owned()
    }

    fn parts(&self, runs: &Runs<'_>) -> Option<Sums> {
        mean(runs.passes.iter().map(|pass| {
            let kept = turn::strictly_kept(&pass.turns, self.mode).turns;
            (!pass.turns.is_empty()).then(|| kept as f64 / pass.turns.len() as f64)
        }))
    }
}

/// The share of turns whose first answer is right.
pub struct StrictTurnMatch;

impl Metric for StrictTurnMatch {
    fn name(&self) -> String {
        "strict_turn_match".to_owned()
    }

    fn title(&self) -> String {
        "turn match, strict".to_owned()
    }

    fn parts(&self, runs: &Runs<'_>) -> Option<Sums> {
        let turns = runs.turns().count();
        let right = runs.turns().filter(|log| turn::strictly_matches(log));
        let right = right.count();
        (turns > 0).then(|| vec![right as f64, turns as f64])
    }
}
