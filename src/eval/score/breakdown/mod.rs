//! Where turns go wrong: by conversational complexity, by operation, by position.

mod api;
mod complexity;
mod position;

pub use api::{ByApi, by_api};
pub use complexity::{ByComplexity, by_complexity};
pub use position::{ByTurn, by_turn};

use super::sheet::Pass;
use super::turn;
use serde::Serialize;

/// The counts of right turns among some turns.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Turns.
    pub turns: usize,
    /// Those that are right, whatever came before.
    pub matched: usize,
    /// Those before which everything was right.
    pub reached: usize,
    /// Those up to which everything is right, themselves included.
    pub kept: usize,
}

impl Tally {
    /// Counts the turn with this index (0 for the first) of a pass.
    fn count(&mut self, pass: &Pass<'_>, index: usize) {
        let Some(log) = pass.turns.get(index) else {
            return;
        };
        let kept = pass.kept();
        self.turns += 1;
        self.matched += usize::from(turn::matches(log));
        self.reached += usize::from(kept >= index);
        self.kept += usize::from(kept > index);
    }

    /// Turn match: the share of the turns that are right.
    pub fn turn_match(&self) -> Option<f64> {
        share(self.matched, self.turns)
    }

    /// The share of the turns up to which everything is right.
    pub fn kept_share(&self) -> Option<f64> {
        share(self.kept, self.turns)
    }

    /// Of the turns before which everything was right, the share that is right.
    pub fn held(&self) -> Option<f64> {
        share(self.kept, self.reached)
    }
}

pub(super) fn share(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}
