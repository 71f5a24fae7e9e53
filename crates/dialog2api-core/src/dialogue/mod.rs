//! The data and rules of a dialogue. Pure: no I/O, no model, no Python, no S3.
//!
//! An utterance becomes a [`Program`]. A [`Stack`] holds the latest program of every goal and
//! enforces how a goal may change. A [`Transcript`] is the whole exchange, and
//! [`format`](mod@format) writes and reads all of them as text. Whatever people are shown of
//! it passes through [`clean`].

mod conversational;
pub mod format;
mod offer;
mod outcome;
mod placeholder;
mod program;
mod sanitize;
mod stack;
mod transcript;
mod violation;

pub use conversational::ConversationalException;
pub use format::{
    FormatError, MAX_MODEL_TEXT, read_reply, read_stack, read_transcript, read_updates,
    write_outcome, write_reply, write_stack, write_transcript, write_updates,
};
pub use offer::Offer;
pub use outcome::{Outcome, ProgramError};
pub use program::Program;
pub use sanitize::{clean, clean_json, one_line};
pub use stack::{Goal, Stack, Status, UnknownStatus, Update};
pub use transcript::{GoalRecord, Transcript, Turn};
pub use violation::Violation;
