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
//! - Files are in memory and end with the program. There are no processes, sockets or environment
//!   variables: their functions raise `PermissionError`, and importing other modules raises
//!   `ModuleNotFoundError`; both messages name the sandbox as the reason.
//! - Threads take turns: one runs when another waits for it, and a wait that nothing can end is
//!   an error.
//! - Sizes have 32 bits, so an allocation that CPython refuses with `MemoryError` can raise
//!   `OverflowError`.
//! - A result is JSON: integers keep all their digits, and a value nested more than 100 levels
//!   deep is refused.
//! - Reference cycles are not collected. Their memory is freed when the program ends.
//! - A program that breaks one of its [`Limits`] ends without running `except` or `finally`. What
//!   it printed until then is kept.

mod cache;
mod calls;
mod codec;
mod engine;
mod host;
mod link;
mod outcome;
mod prepare;
mod printed;
mod resident;
mod ticker;
mod waiting;

pub use cache::Cache;
pub use calls::{CallHandler, CallLog};
pub use dialog2api_core::exec::{
    Breach, CallRecord, EndedBy, Execution, Limits, Sandbox, Seed, is_accident, is_limit,
};
pub use engine::Engine;
pub(crate) use prepare::Nowhere;
pub use prepare::Preparing;
pub use printed::Printed;
pub use resident::Resident;
