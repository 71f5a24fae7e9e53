//! What can be wrong with the files and rows that a caller gives.

use crate::restaurant::LANGUAGES;

/// A file or row that cannot be used, and why.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The schema.
    #[error("the schema cannot be used: {0}")]
    Schema(String),
    /// A lexicon of a language or of a domain.
    #[error("the lexicon cannot be used: {0}")]
    Lexicon(String),
    /// A row.
    #[error("row {line}: {problem}")]
    Row {
        /// Its line, from 1.
        line: usize,
        /// What is wrong.
        problem: String,
    },
    /// A language without a lexicon.
    #[error("there is no lexicon of the language `{0}`; there are {known}", known = LANGUAGES.join(", "))]
    Language(String),
    /// The reply.
    #[error("the reply is not UTF-8 (byte {0})")]
    Reply(usize),
}
