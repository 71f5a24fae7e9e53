//! Dialogues with their truth: reading a dataset, and what its programs really do.
//!
//! A dataset is a folder of dialogue files (`*.xml`, the exchange format) in `train/` and
//! `test/`, each with the `goal` that it was written for and the initial `world` that it
//! starts from, and a list of the goals (`goals.toml`, see [`Catalogue`]). Everything here
//! works for any domain: the worlds are the domain's, and so is what an operation is.
//!
//! [`annotate`] fills in what the programs of a new dialogue do, [`check`](mod@check)
//! finds what is wrong with a dataset, and [`stats`] counts what is in it. For other
//! programs, [`rows`] are dialogues as JSON Lines and back, and [`chat`] makes lessons for
//! fine-tuning of them. `replay.rs` runs the programs of a dialogue, `verify.rs` compares
//! with what is recorded, and `borrowed.rs` does that on a real server.

mod annotate;
mod borrowed;
mod catalogue;
pub mod chat;
pub mod check;
mod file;
mod fill;
mod replay;
pub mod rows;
mod set;
pub mod stats;
mod steps;
mod verify;
mod worlds;
mod write;

pub use annotate::{Annotated, Broken, annotate};
pub use borrowed::Borrowed;
pub use catalogue::{Catalogue, Named, Target, Targets};
pub use file::{Dialogue, Split, files, read};
pub use fill::filled;
pub use replay::{Done, Replay, Replayed, Replayer};
pub use set::Set;
pub use steps::{Before, Step, steps};
pub use verify::{Difference, Seen, Verdict, compare, initial};
pub use worlds::Worlds;
pub use write::{Written, write};
