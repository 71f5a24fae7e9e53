//! Runs of programs as data: what one may use, what came of it, and the trait of what runs it.

mod accident;
mod breach;
mod limits;

pub use accident::is_accident;
pub use breach::{Breach, is_limit};
pub use limits::{Limits, Seed};

use crate::dialogue::{Outcome, ProgramError};
use crate::domain::{Touch, World};
use crate::error::Result;
use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Duration;

/// A place to run programs. The engine of `dialog2api` is the real one; tests bring their own.
#[async_trait]
pub trait Sandbox: Send + Sync {
    /// Runs one program in a fresh instance against a world.
    ///
    /// # Errors
    /// The sandbox or the world failed.
    async fn run(
        &self,
        program: &str,
        world: &Arc<dyn World>,
        limits: &Limits,
        seed: &Seed,
    ) -> Result<Execution>;

    /// The syntax error of a text that is not Python; none if it is.
    ///
    /// # Errors
    /// The sandbox failed.
    async fn check(&self, program: &str) -> Result<Option<ProgramError>>;
}

/// The record of one program's run.
#[derive(Debug, Clone)]
pub struct Execution {
    /// The result or the error.
    pub outcome: Outcome,
    /// The operations that the program called, in order.
    pub calls: Arc<[CallRecord]>,
    /// The program's printed output, cut at [`Limits::output_bytes`].
    pub output: String,
    /// Wall-clock time from the request for an instance to the outcome. Waiting for a free
    /// instance is not counted.
    pub elapsed: Duration,
    /// Who determined the outcome.
    pub ended_by: EndedBy,
    /// A sentence for each listing of which the program read the first pages alone.
    pub unread: Vec<String>,
    /// The places that the program's writes touched, in order. `None` if that is not known.
    pub touched: Option<Vec<Touch>>,
}

/// Who determined an outcome: the program, a limit, or the overseer.
///
/// Only the host sets it, because a program can raise an error of any name and message.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EndedBy {
    /// The program: its result, or an error that it raised or did not catch.
    #[default]
    Program,
    /// The host, because the program broke a limit or its instance ended early in another
    /// way. The error is that of a [`Breach`].
    Limit,
    /// The overseer: the program's writes were declined, denied by a policy, or only partly made.
    Overseer,
}

impl EndedBy {
    /// Whether the program itself determined the outcome.
    pub fn is_program(&self) -> bool {
        *self == EndedBy::Program
    }
}

/// One call of a program to its environment.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct CallRecord {
    /// The operation: `list_objects`.
    pub operation: String,
    /// The error code, if the environment refused the call.
    pub error: Option<String>,
}
