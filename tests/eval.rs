//! Evaluation: a dataset and a model in; a log, and what is said about it, out.
//!
//! - `lab`: a small dataset, a model that says what it is told, and runs of it
//! - `runs`: what stands in the log, in both modes
//! - `resume`: what was interrupted goes on, and nothing is asked twice
//! - `shards`: parts of a run are joined to the bytes of one
//! - `folders`: folders that are no runs, or not whole
//! - `baselines`: what costs nothing
//! - `whole`: the ground truth on the dataset of the repository
#![allow(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

#[path = "eval/baselines.rs"]
mod baselines;
#[path = "eval/folders.rs"]
mod folders;
#[path = "eval/lab.rs"]
mod lab;
#[path = "eval/resume.rs"]
mod resume;
#[path = "eval/runs.rs"]
mod runs;
#[path = "eval/shards.rs"]
mod shards;
mod support;
#[path = "eval/whole.rs"]
mod whole;
