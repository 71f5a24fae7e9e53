//! The host side of the sandbox: runs a program's text and returns its outcome.
//!
//! `exec` knows no domain. It carries each call of a program to a
//! [`World`](crate::domain::World) and the answer back. `link.rs` is the boundary: the only
//! file that links host functions into the guest, which is built from `sandbox/`.
//!
//! # How the sandbox differs from CPython
//!
//! - The clock starts at the time in the [`Seed`] and advances by one microsecond each time
//!   it is read. `time.sleep` advances it and returns at once. `random`, `uuid` and
//!   `os.urandom` follow the seed, and `hash` of a text is always the same.
//! - There are no files, processes, sockets or environment variables. Their functions raise
//!   `PermissionError`, and importing other modules raises `ModuleNotFoundError`; both
//!   messages name the sandbox as the reason. A thread runs to its end where it is started.
//! - Sizes have 32 bits, so an allocation that CPython refuses with `MemoryError` can raise
//!   `OverflowError`.
//! - A result is JSON: integers beyond 2⁵³ lose precision as a float does, and a value
//!   nested more than 100 levels deep is refused.
//! - Reference cycles are not collected. Their memory is freed when the program ends.
//! - A program that breaks one of its [`Limits`] ends without running `except` or `finally`,
//!   and its printed output is lost.

mod accident;
mod breach;
mod cache;
mod calls;
mod codec;
mod engine;
mod host;
mod limits;
mod link;
mod outcome;
mod prepare;
mod resident;
mod ticker;
mod waiting;

pub use accident::is_accident;
pub use breach::{Breach, is_limit};
pub use cache::Cache;
pub use calls::{CallLog, Calls};
pub use engine::Engine;
pub use limits::{Limits, Seed};
pub use prepare::Preparing;
pub use resident::Resident;

use crate::dialogue::Outcome;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The record of one program's run.
#[derive(Debug, Clone)]
pub struct Execution {
    /// The result or the error.
    pub outcome: Outcome,
    /// The operations that the program called, in order.
    pub calls: Vec<CallRecord>,
    /// The program's printed output, cut at [`Limits::output_bytes`].
    pub output: String,
    /// Wall-clock time from the request for an instance to the outcome. Waiting for a free
    /// instance is not counted.
    pub elapsed: Duration,
    /// Who determined the outcome.
    pub ended_by: EndedBy,
    /// A sentence for each listing of which the program read the first pages alone.
    pub unread: Vec<String>,
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
    /// The [`Overseer`](crate::agent::Overseer): the program's writes were declined, denied
    /// by a policy, or only partly made.
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
