//! The baseline that does nothing.

use crate::error::Result;
use crate::eval::candidate::{Candidate, Play, TurnAtHand};

/// Updates no goal and says nothing. It is right in turns that run no program, before the
/// first change of the world.
pub struct DoNothing;

impl Candidate for DoNothing {
    fn name(&self) -> &str {
        "do-nothing"
    }

    fn needs_examples(&self) -> bool {
        false
    }

    fn play(&self, _: &TurnAtHand<'_>) -> Result<Play> {
        Ok(Play::Say {
            updates: Vec::new(),
            reply: String::new(),
        })
    }
}
