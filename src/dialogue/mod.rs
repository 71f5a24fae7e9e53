//! Pure data and rules of a dialogue: no I/O, no model, no Python, no S3.
//!
//! A [`Program`] is what an utterance became, a [`Stack`] holds the latest
//! program of every goal and enforces how a goal may change, a [`Conversation`]
//! is the whole exchange, and [`format`](mod@format) writes and reads them.
//! What people are shown of any of it goes through [`clean`].

mod foreign;
pub mod format;
mod outcome;
mod placeholder;
mod program;
mod stack;
mod transcript;
mod violation;

pub use foreign::{clean, clean_json};
pub use format::{
    FormatError, MAX_MODEL_TEXT, read_conversation, read_reply, read_stack, read_updates,
    reply_grammar, updates_grammar, write_conversation, write_outcome, write_reply, write_stack,
    write_updates,
};
pub use outcome::{Outcome, ProgramError};
pub use program::Program;
pub use stack::{Goal, Stack, Status, UnknownStatus, Update};
pub use transcript::{Conversation, GoalRecord, Turn};
pub use violation::Violation;
