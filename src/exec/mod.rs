//! The host side of the box.

mod limits;

pub use limits::{Limits, Seed};

use crate::dialogue::Outcome;
use crate::domain::World;
use crate::error::Result;
use std::time::Duration;

/// The prepared sandbox. Cheap to clone.
#[derive(Clone)]
pub struct Engine;

/// What running one program gave.
#[derive(Debug, Clone)]
pub struct Execution {
    /// The result or the error.
    pub outcome: Outcome,
    /// The operations called, in order.
    pub calls: Vec<CallRecord>,
    /// What the program printed.
    pub output: String,
    /// Wall-clock time, from asking for the instance to the outcome.
    pub elapsed: Duration,
}

/// One call that a program made to its environment.
#[derive(Debug, Clone, PartialEq)]
pub struct CallRecord {
    /// The operation: `list_objects`.
    pub operation: String,
    /// The error code, when the environment refused.
    pub error: Option<String>,
}

impl Engine {
    /// Runs one program in a fresh instance against a world.
    pub async fn run(
        &self,
        _program: &str,
        _world: &dyn World,
        _limits: &Limits,
        _seed: &Seed,
    ) -> Result<Execution> {
        unimplemented!()
    }

    /// Whether the text is Python at all: the syntax error, or nothing.
    pub async fn check(&self, _program: &str) -> Result<Option<crate::dialogue::ProgramError>> {
        unimplemented!()
    }
}
