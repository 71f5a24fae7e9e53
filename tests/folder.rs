//! Domains that are folders: their files, and reports of mistakes.
//!
//! What belongs here: `src/folder`. What is true of every domain is in `tests/domain.rs`.

mod applications;
mod bad;
mod bfcl;
mod clock;
mod findings;
mod generated;
mod judged;
pub mod lab;
mod large;
mod offered;
mod page;
mod plans;
mod programs;
mod restaurants;
mod rows;
mod servers;
mod tau2;
mod two_programs;
mod watched;
