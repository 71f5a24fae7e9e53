//! The host side of the box: everything between a program's text and its outcome.
//!
//! `exec` knows no domain: it hands calls to a [`World`](crate::domain::World) and
//! answers back to the program. `link.rs` is the boundary, the one file that links
//! host functions into the guest.
//!
//! # How a program can tell the box from CPython
//!
//! - The clock starts where the [`Seed`] says and moves a microsecond at each look;
//!   `time.sleep` moves it and takes no time. `random`, `uuid` and `os.urandom` follow
//!   the seed, and `hash` of a text is always the same.
//! - Files, processes, sockets and the environment are not there. Their functions raise
//!   `PermissionError`, other modules `ModuleNotFoundError`, both saying that it is the
//!   sandbox that lacks them. A thread runs to its end where it is started.
//! - Sizes have 32 bits: what CPython refuses with `MemoryError` for want of room can be
//!   an `OverflowError`.
//! - A result is JSON: integers beyond 2⁵³ keep the precision of a float, and a value
//!   nested more than 100 levels deep is refused.
//! - Cycles of objects are not collected; their memory comes back when the program ends.
//! - What breaks a [`Limits`] ends the program without `except` or `finally`, and what it
//!   had printed is lost.

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
mod ticker;

pub use breach::{Breach, is_limit};
pub use cache::Cache;
pub use calls::{CallLog, Calls};
pub use engine::Engine;
pub use limits::{Limits, Seed};
pub use prepare::Preparing;

use crate::dialogue::Outcome;
use serde::{Deserialize, Serialize};
use std::time::Duration;

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
    /// Whose word the outcome is.
    pub ended_by: EndedBy,
}

/// Whose word an outcome is. Only the host sets it: a program can raise an error of any
/// name, with any message.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EndedBy {
    /// The program's: a result, or an error that it raised or let through.
    #[default]
    Program,
    /// The host's, because a limit was broken or the instance ended early in another way:
    /// the error is that of a [`Breach`].
    Limit,
    /// Whoever stands over the program: what it would write was declined or denied, or
    /// was not written whole.
    Overseer,
}

impl EndedBy {
    /// Whether the outcome is the program's own word.
    pub fn is_program(&self) -> bool {
        *self == EndedBy::Program
    }
}

/// One call that a program made to its environment.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct CallRecord {
    /// The operation: `list_objects`.
    pub operation: String,
    /// The error code, when the environment refused.
    pub error: Option<String>,
}
