//! The dataset: what its files become, and what its tools see.
//!
//! - `rows`: dialogues as JSON Lines and back, byte for byte; the schema; Hugging Face
//! - `chat`: lessons for fine-tuning are what an agent really asks
//! - `mutations`: which changes of a program the signature sees, and which it must not
#![allow(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

#[path = "dataset/chat.rs"]
mod chat;
#[path = "dataset/mutations.rs"]
mod mutations;
#[path = "dataset/rows.rs"]
mod rows;
mod support;
