//! dialog2api: an utterance becomes a program, the program runs in a box, the
//! world changes, a reply is said.

pub mod agent;
pub mod cli;
pub mod dialogue;
pub mod domain;
pub mod error;
pub mod exec;
pub mod llm;
pub mod prompts;
pub mod retrieval;

pub use error::{Error, Result};
