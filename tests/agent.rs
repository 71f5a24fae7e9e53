//! The loop of a turn, what a model is shown, and which examples are found.

mod asked;
mod claims;
mod doubt;
mod examples;
mod fake;
mod meant;
mod misuse;
mod nonsense;
mod overseen;
mod prompts;
mod retrieval;
mod shown;
mod turns;
