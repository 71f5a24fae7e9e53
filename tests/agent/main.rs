//! The loop of a turn, what a model is shown, and which examples are found.

mod examples;
mod fake;
mod prompts;
mod retrieval;
mod turns;
