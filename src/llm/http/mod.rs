//! The parts that all clients of model servers share: they send requests, read answers,
//! explain failures, and retry.
//!
//! `server.rs` is the server and `exchange.rs` one try, which reads the answer with
//! `reading.rs` and `sse.rs` and explains failures with `failure.rs` and `refusal.rs`.
//! `attempt.rs` repeats the try after the waits of `retry.rs`. A provider adds the form
//! of its requests, its [`Answer`], and its [`Words`] for messages.

mod answer;
mod attempt;
mod config;
mod exchange;
mod failure;
mod reading;
mod refusal;
mod retry;
mod server;
mod sse;
mod wait;

pub(super) use answer::{Answer, cut};
pub(super) use attempt::{Attempt, Patience, attempt_until_answered};
pub use config::ServerConfig;
pub(super) use failure::{Failure, Refused, ServerError, is_about_length, quote};
pub(super) use refusal::Words;
pub use retry::Backoff;
pub(super) use retry::{asked_wait, is_passing};
pub(super) use server::{Server, http_client};
