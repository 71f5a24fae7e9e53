//! What *we* failed at. What a program or a user did wrong is data, not an [`Error`].

use std::path::{Path, PathBuf};

/// A failure on our side: never scored as a wrong program, always a sentence
/// that names what was tried and, where there is one, the way out.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file or folder could not be read or written.
    #[error("{action} {}: {source}", path.display())]
    File {
        /// What was tried: "cannot read", "cannot write" …
        action: &'static str,
        /// The path.
        path: PathBuf,
        /// The operating system's answer.
        source: std::io::Error,
    },
    /// A file was read, and is not what it should be.
    #[error("{}: {problem}", path.display())]
    Content {
        /// The path.
        path: PathBuf,
        /// What is wrong, and what was expected.
        problem: String,
    },
    /// The sandbox itself failed (not the program in it).
    #[error("the sandbox failed: {0}")]
    Sandbox(String),
    /// The environment could not be reached or answered nonsense.
    #[error("{0}")]
    World(String),
    /// The model could not be reached, or gave up.
    #[error("{0}")]
    Model(String),
    /// The prompt is longer than the model reads. A shorter one may do.
    #[error("{0}")]
    PromptTooLong(String),
    /// What was asked for cannot be done; the sentence says what can.
    #[error("{0}")]
    Usage(String),
}

impl Error {
    /// Attaches what was tried, and on which path, to an I/O error: for `map_err`.
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
}

/// `Result` with the crate's [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;
