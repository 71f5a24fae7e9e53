//! Applies on a real S3 server that fails: SeaweedFS on loopback, started by the test,
//! behind a proxy that breaks the exchanges that a test names.
//!
//! - `proxy`, `http`: the proxy, and what it counts; `waiting`: the client before it
//! - `server`: the server behind it
//! - `work`: 200 writes, and what they make of a world
//! - `run`: such an apply in buckets of its own, with a journal, and what is true afterwards
//! - `once`: one fault at every position is survived
//! - `away`: a server that stays away stops an apply, which continues from its journal
//! - `versions`: buckets that keep versions
//! - `together`: two sessions of the command line that change the same bucket
//!
//! The figures are printed: `cargo test --locked --test integration faults:: -- --nocapture`.
#![allow(clippy::print_stdout, reason = "the figures are for people")]

mod away;
mod http;
mod once;
mod proxy;
mod run;
mod server;
mod together;
mod versions;
mod waiting;
mod work;
