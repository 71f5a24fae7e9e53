//! The baseline that only retrieves.

use super::adapt::adapt;
use crate::error::Result;
use crate::eval::candidate::{Candidate, Play, Situation};
use crate::retrieval::Selection;

/// Repeats the most similar training turn.
pub struct NearestExample;

impl Candidate for NearestExample {
    fn name(&self) -> &str {
        "nearest-example"
    }

    fn play(&self, situation: &Situation<'_>) -> Result<Play> {
        let one = Selection {
            nearest: 1,
            ..situation.selection
        };
        let found = situation.pool.select(&situation.query(), &one)?;
        Ok(adapt(found.first().copied(), situation))
    }
}
