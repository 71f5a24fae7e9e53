//! Pure data and rules of a dialogue: no I/O, no model, no Python, no S3.

mod outcome;

pub use outcome::{Outcome, ProgramError};
