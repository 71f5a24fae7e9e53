//! Evaluation: a dataset and a model in; a log, and what is said about it, out.
//!
//! - `lab`: a small dataset, a model that says what it is told, and runs of it
//! - `runs`: what stands in the log, in both modes
//! - `resume`: what was interrupted goes on, and nothing is asked twice
//! - `shards`: parts of a run are joined to the bytes of one
//! - `folders`: folders that are no runs, or not whole
//! - `baselines`: what costs nothing
//! - `offered`: dialogues that offer only some operations
//! - `strict`: the strict figures of a run beside the assisted ones
//! - `whole`: the ground truth on the dataset of the repository

mod baselines;
mod folders;
mod lab;
mod offered;
mod resume;
mod runs;
mod shards;
mod strict;
mod whole;
