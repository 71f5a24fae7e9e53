//! Applies on a real S3 server that is sometimes hard to reach: SeaweedFS, started by the
//! test on loopback, behind a proxy that breaks what it is told to.
//!
//! - `proxy`, `http`: the proxy, and what it counts; `waiting`: the client before it
//! - `server`: the server behind it
//! - `work`: 200 writes, and what they make of a world
//! - `run`: such an apply in buckets of its own, with a journal, and what is true afterwards
//! - `once`: one fault at every position is survived
//! - `away`: a server that stays away stops an apply, which is gone on with from its journal
//! - `versions`: buckets that keep versions
//! - `together`: two sessions of the command line that change the same bucket
//!
//! The figures are printed: `cargo test --test faults -- --nocapture`.
#![allow(clippy::unwrap_used, reason = "a test stops where it cannot go on")]
#![allow(clippy::print_stdout, reason = "the figures are for people")]

#[path = "faults/away.rs"]
mod away;
#[path = "cli/support.rs"]
#[allow(dead_code, reason = "each test binary uses its own part")]
mod home;
#[path = "faults/http.rs"]
mod http;
#[path = "faults/once.rs"]
mod once;
#[path = "faults/proxy.rs"]
mod proxy;
#[path = "faults/run.rs"]
mod run;
#[allow(dead_code, reason = "each test binary uses its own part")]
#[path = "support/scripted_http.rs"]
mod scripted_http;
#[path = "faults/server.rs"]
mod server;
#[path = "faults/together.rs"]
mod together;
#[path = "faults/versions.rs"]
mod versions;
#[path = "faults/waiting.rs"]
mod waiting;
#[path = "support/weed.rs"]
mod weed;
#[path = "faults/work.rs"]
mod work;
