//! The parts that all clients of model servers share: they send requests, read answers,
//! explain failures, and retry.
//!
//! `server.rs` is the server and `exchange.rs` one try, which reads the answer with
//! `reading.rs` and `sse.rs` and explains failures with `failure.rs` and `judge.rs`.
//! `persist.rs` repeats the try after the waits of `retry.rs`. A provider adds the form
//! of its requests, its [`Answer`], and its [`Words`] for messages.

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
