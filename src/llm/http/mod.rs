//! What the clients of model servers have in common: how a request goes out and its
//! answer comes in, what a failure means in words, and when to ask again.
//!
//! `server.rs` is the server, `exchange.rs` one try, with `reading.rs` and `sse.rs` for the
//! answer and `failure.rs` and `judge.rs` for what goes wrong; `persist.rs` tries again,
//! after the waits of `retry.rs`. A provider adds what its requests and its
//! [`Answer`] look like, and the [`Words`] for people.

mod answer;
mod config;
mod exchange;
mod failure;
mod judge;
mod persist;
mod reading;
mod retry;
mod server;
mod sse;

pub(super) use answer::{Answer, cut};
pub use config::ServerConfig;
pub(super) use failure::{Failure, Refused, ServerError, is_about_length, quote, root_cause};
pub(super) use judge::Words;
pub(super) use persist::{Attempt, Patience, persist};
pub use retry::Backoff;
pub(super) use retry::{asked_wait, is_passing};
pub(super) use server::{Server, http_client};
