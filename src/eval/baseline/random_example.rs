//! How far one comes by chance.

use super::borrow::borrow;
use crate::error::Result;
use crate::eval::candidate::{Candidate, Play, Situation};

/// Repeats any training turn, each as likely as any other.
pub struct RandomExample;

impl Candidate for RandomExample {
    fn name(&self) -> &str {
        "random-example"
    }

    fn play(&self, situation: &Situation<'_>) -> Result<Play> {
        let usable = situation.usable();
        let count = u64::try_from(usable.len()).unwrap_or(u64::MAX).max(1);
        let index = usize::try_from(situation.seed % count).unwrap_or(0);
        Ok(borrow(usable.get(index).copied(), situation))
    }
}
