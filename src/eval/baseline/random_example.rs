//! The baseline that chooses by chance.

use super::adapt::adapt;
use crate::error::Result;
use crate::eval::candidate::{Candidate, Play, TurnAtHand};

/// Repeats a random training turn.
pub struct RandomExample;

impl Candidate for RandomExample {
    fn name(&self) -> &str {
        "random-example"
    }

    fn play(&self, turn: &TurnAtHand<'_>) -> Result<Play> {
        let usable = turn.usable();
        let count = u64::try_from(usable.len()).unwrap_or(u64::MAX).max(1);
        let index = usize::try_from(turn.seed % count).unwrap_or(0);
        Ok(adapt(usable.get(index).copied(), turn))
    }
}
