//! The baseline that only retrieves.

use super::adapt::adapt;
use crate::error::Result;
use crate::eval::candidate::{Candidate, Play, TurnAtHand};
use crate::retrieval::Selection;

/// Repeats the most similar training turn.
pub struct NearestExample;

impl Candidate for NearestExample {
    fn name(&self) -> &str {
        "nearest-example"
    }

    fn play(&self, turn: &TurnAtHand<'_>) -> Result<Play> {
        let one = Selection {
            nearest: 1,
            ..turn.selection
        };
        let found = turn.pool.select(&turn.query(), &one)?;
        Ok(adapt(found.first().copied(), turn))
    }
}
