//! The loop of a turn, what a model is shown, and which examples are found.
#![allow(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

#[path = "agent/asked.rs"]
mod asked;
#[path = "agent/claims.rs"]
mod claims;
#[path = "agent/doubt.rs"]
mod doubt;
#[path = "agent/examples.rs"]
mod examples;
#[path = "agent/fake.rs"]
mod fake;
#[path = "agent/meant.rs"]
mod meant;
#[path = "agent/misuse.rs"]
mod misuse;
#[path = "agent/nonsense.rs"]
mod nonsense;
#[path = "agent/overseen.rs"]
mod overseen;
#[path = "agent/prompts.rs"]
mod prompts;
#[path = "agent/retrieval.rs"]
mod retrieval;
#[path = "agent/shown.rs"]
mod shown;
mod support;
#[path = "agent/turns.rs"]
mod turns;
