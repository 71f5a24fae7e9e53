//! Offline evaluation: what a model does on a dataset, turn by turn, and the figures
//! that come of it (paper, sections 2.2 and 5).
//!
//! ```text
//! dataset + model ─► runner ─► log.jsonl ─► score ─► figures ─► report, comparison
//! ```
//!
//! The **log** is the interface: a line of it has everything that is known of a turn, the
//! ground truth included, so that every figure can be computed again from the log alone,
//! without a model, a sandbox or the dataset.
//!
//! [`runner`] runs a [`candidate`] on every turn: a model, or a [`baseline`] that costs
//! nothing. [`read`](mod@read) gives back what is in a [`folder`] and says whether it is
//! all, and [`merge`](mod@merge) joins the shards of a run. [`score`](mod@score) computes
//! the figures, and [`report`] shows them.

pub mod baseline;
pub mod candidate;
pub mod folder;
mod lines;
pub mod log;
pub mod merge;
pub mod read;
pub mod report;
pub mod runner;
pub mod score;

pub use lines::Standing;
