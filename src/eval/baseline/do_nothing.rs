//! How far one comes without doing anything.

use crate::error::Result;
use crate::eval::candidate::{Candidate, Play, Situation};

/// Updates no goal, in no turn, and says nothing. It is right wherever the truth runs no
/// program and changed nothing before.
pub struct DoNothing;

impl Candidate for DoNothing {
    fn name(&self) -> &str {
        "do-nothing"
    }

    fn play(&self, _: &Situation<'_>) -> Result<Play> {
        Ok(Play::Say {
            updates: Vec::new(),
            reply: String::new(),
        })
    }
}
