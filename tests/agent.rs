//! The loop of a turn, the prompts of the model, and the choice of examples.

mod asked;
mod claims;
mod doubt;
mod examples;
mod fake;
mod long;
mod meant;
mod misuse;
mod nonsense;
mod overseen;
mod prompts;
mod retrieval;
mod shown;
mod turns;
