//! Offline evaluation: a model runs on every turn of a dataset, and figures are computed from
//! the log of the run (paper, sections 2.2 and 5).
//!
//! ```text
//! dataset + model ─► runner ─► log.jsonl ─► score ─► figures ─► report, comparison
//! ```
//!
//! The **log** is the interface. Each line holds everything about a turn, including the
//! ground truth, so every figure can be computed again from the log alone, without a model, a
//! sandbox or the dataset.
//!
//! - [`runner`] runs a [`candidate`] on every turn: a model, or a [`baseline`] that needs none.
//! - [`read`](mod@read) reads the [`folder`] of a run and says whether it is complete;
//!   [`merge`](mod@merge) joins the shards of a run.
//! - [`score`](mod@score) computes the figures, and [`report`] shows them.
//! - [`judge`] asks a model what it thinks of replies, and compares it with the checker.
//! - [`desk`] has runs of simulated dialogues, and says whether replies agree with rows.
//! - [`reward`] has runs of another kind: decision games, and what a model reaches in them.

pub mod baseline;
pub mod candidate;
pub mod desk;
pub mod folder;
pub mod judge;
mod kinds;
mod lines;
pub mod log;
pub mod merge;
pub mod read;
pub mod report;
pub mod reward;
pub mod runner;
pub mod score;

pub use lines::DialogueProgress;
