//! Dialogues with their truth: reading a dataset, and what its programs really do.
//!
//! A dataset is a folder of dialogue files (`*.xml`, the exchange format) in `train/` and
//! `test/`, each with the `goal` that it was written for and the initial `world` that it
//! starts from. Everything here works for any domain: the worlds are the domain's.
//!
//! For other programs, [`rows`] are dialogues as JSON Lines and back, and [`chat`] makes
//! lessons for fine-tuning of them.

pub mod chat;
mod file;
mod replay;
pub mod rows;
mod write;

pub use file::{Dialogue, Split, read};
pub use replay::{Done, Replay, Replayed, Replayer};
pub use write::{Written, write};
