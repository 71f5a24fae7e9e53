//! The baseline that answers with the truth, in the format of a model.

use crate::error::Result;
use crate::eval::candidate::{Candidate, Play, TurnAtHand};

/// Answers with the programs and the response of the dataset.
pub struct GroundTruth;

impl Candidate for GroundTruth {
    fn name(&self) -> &str {
        "ground-truth"
    }

    fn needs_examples(&self) -> bool {
        false
    }

    fn play(&self, turn: &TurnAtHand<'_>) -> Result<Play> {
        let reply = turn.truth.response.as_deref();
        Ok(Play::Say {
            updates: turn.truth.updates(),
            // A dialogue may end with the user's words; an agent always has to say something.
            reply: reply.unwrap_or("Goodbye.").to_owned(),
        })
    }
}
