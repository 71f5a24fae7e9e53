//! Failures on our side. What a program or a user did wrong is data, not an [`Error`].

use crate::exec::CallRecord;
use std::path::{Path, PathBuf};

/// A failure on our side. It is never scored as a wrong program. `Display` is a sentence
/// that says what was tried and, where possible, what to do about it.
///
/// ```
/// use dialog2api_core::error::{Error, Result};
///
/// fn read(path: &str) -> Result<String> {
///     std::fs::read_to_string(path).map_err(Error::file("cannot read", path))
/// }
/// let error = read("no/such/file").unwrap_err();
/// assert!(error.to_string().starts_with("cannot read no/such/file: "));
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file or folder could not be read or written.
    #[error("{action} {}: {source}", path.display())]
    File {
        /// The failed action: "cannot read", "cannot write".
        action: &'static str,
        /// The path.
        path: PathBuf,
        /// The operating system's error.
        source: std::io::Error,
    },
    /// A file could be read, but its content is wrong.
    #[error("{}: {problem}", path.display())]
    Content {
        /// The path.
        path: PathBuf,
        /// The mistake and the expectation, as a clause.
        problem: String,
    },
    /// The sandbox itself failed (not the program in it).
    #[error("the sandbox failed: {0}")]
    Sandbox(String),
    /// A world failed: it could not be reached, or its answer could not be understood.
    #[error("{0}")]
    World(String),
    /// The model could not be asked, or its answer could not be read.
    #[error("{0}")]
    Model(String),
    /// The model's server could not be reached, or failed however often it was asked.
    #[error("{0}")]
    Unanswered(String),
    /// The prompt is longer than the model accepts. A shorter one may work.
    #[error("{0}")]
    PromptTooLong(String),
    /// The request cannot be carried out. The sentence says what can be.
    #[error("{0}")]
    Usage(String),
    /// Something is open elsewhere, and may be open once. The sentence says what can be done.
    #[error("{0}")]
    Taken(String),
    /// A program did not come to its end because of another failure.
    #[error("{}", .0.error)]
    Interrupted(Box<Interrupted>),
}

/// The innermost cause of an error, which is the informative one.
pub fn innermost(error: &(dyn std::error::Error + 'static)) -> String {
    let mut deepest = error;
    while let Some(source) = deepest.source() {
        deepest = source;
    }
    deepest.to_string()
}

/// What is known of a program that did not come to its end, because something on our side failed.
#[derive(Debug)]
pub struct Interrupted {
    /// The failure.
    pub error: Error,
    /// What the program printed before it.
    pub output: String,
    /// The calls that it made before it, and the one that was not answered.
    pub calls: Vec<CallRecord>,
}

impl Error {
    /// The failure, in a program or not.
    pub fn cause(&self) -> &Error {
        match self {
            Error::Interrupted(interrupted) => interrupted.error.cause(),
            other => other,
        }
    }

    /// What a program printed before this failure ended it.
    pub fn output(&self) -> &str {
        match self {
            Error::Interrupted(interrupted) => &interrupted.output,
            _ => "",
        }
    }

    /// Adds the failed action and the path to an I/O error, for `map_err`.
    pub fn file(
        action: &'static str,
        path: impl AsRef<Path>,
    ) -> impl FnOnce(std::io::Error) -> Error {
        let path = path.as_ref().to_owned();
        move |source| Error::File {
            action,
            path,
            source,
        }
    }

    /// Whose failure it is, as a word for clients that tell failures apart: `usage`, `file`,
    /// `sandbox`, `world` or `model`.
    pub fn kind(&self) -> &'static str {
        match self {
            Error::Usage(_) | Error::Taken(_) => "usage",
            Error::File { .. } | Error::Content { .. } => "file",
            Error::Sandbox(_) => "sandbox",
            Error::World(_) => "world",
            Error::Model(_) | Error::Unanswered(_) | Error::PromptTooLong(_) => "model",
            Error::Interrupted(interrupted) => interrupted.error.kind(),
        }
    }

    /// The same failure with another text, where a text of others may be in it.
    #[must_use]
    pub fn map_text(self, change: impl FnOnce(String) -> String) -> Error {
        match self {
            Error::World(text) => Error::World(change(text)),
            Error::Usage(text) => Error::Usage(change(text)),
            Error::Taken(text) => Error::Taken(change(text)),
            Error::Model(text) => Error::Model(change(text)),
            Error::Unanswered(text) => Error::Unanswered(change(text)),
            Error::PromptTooLong(text) => Error::PromptTooLong(change(text)),
            Error::Sandbox(text) => Error::Sandbox(change(text)),
            Error::Content { path, problem } => Error::Content {
                path,
                problem: change(problem),
            },
            Error::Interrupted(mut interrupted) => {
                interrupted.error = interrupted.error.map_text(change);
                Error::Interrupted(interrupted)
            }
            other @ Error::File { .. } => other,
        }
    }

    /// For a folder of the user's that cannot be made: names the variable that puts it elsewhere.
    pub fn no_folder(
        folder: impl AsRef<Path>,
        variable: &'static str,
    ) -> impl FnOnce(std::io::Error) -> Error {
        let folder = folder.as_ref().to_owned();
        move |error| {
            Error::Usage(format!(
                "cannot make the folder {}: {error}; set HOME or {variable} to a folder that can \
                 be written to",
                folder.display()
            ))
        }
    }
}

/// `Result` with the crate's [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The line, from 1, on which a byte of a text is: for errors that name a place.
pub fn line_of(text: &str, byte: usize) -> usize {
    let before = text.bytes().take(byte);
    1 + before.filter(|byte| *byte == b'\n').count()
}
