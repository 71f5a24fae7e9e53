//! The loop of a turn, what a model is shown, and which examples are found.

#[path = "agent/examples.rs"]
mod examples;
#[path = "agent/fake.rs"]
mod fake;
#[path = "agent/prompts.rs"]
mod prompts;
#[path = "agent/retrieval.rs"]
mod retrieval;
mod support;
#[path = "agent/truth.rs"]
mod truth;
#[path = "agent/turns.rs"]
mod turns;
