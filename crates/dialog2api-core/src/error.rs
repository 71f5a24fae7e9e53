//! Failures on our side. What a program or a user did wrong is data, not an [`Error`].

use crate::exec::CallRecord;
use std::fmt;
use std::path::{Path, PathBuf};
use tokio::task::JoinError;

/// A failure on our side. It is never scored as a wrong program. `Display` is a sentence
/// that says what was tried and, where possible, what to do about it. The sentence is for people
/// and may change. What callers can rely on is its [`kind`](Error::kind), and the [`FailureReason`] of a
/// failure of which only a sentence is known.
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
    /// A failure for one of the [reasons](FailureReason) that callers can act on. [`Error::usage`] and the
    /// functions beside it make it.
    #[error("{sentence}")]
    #[non_exhaustive]
    Failed {
        /// Why.
        reason: FailureReason,
        /// The same for people, with the way out.
        sentence: String,
    },
    /// This machine refused what every program may ask of it: a thread, a signal, random numbers.
    #[error("{action}: {source}")]
    System {
        /// The failed action: "cannot start threads".
        action: &'static str,
        /// The operating system's error.
        source: std::io::Error,
    },
    /// This program is wrong: a task panicked, or what it made itself cannot be read or written.
    /// [`bug`](Error::bug) makes it.
    #[error("a defect of dialog2api: {problem}: {source}")]
    #[non_exhaustive]
    Bug {
        /// What went wrong, as a clause: "a template is broken".
        problem: String,
        /// The error that should not have come.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A program did not come to its end because of another failure.
    #[error("{}", .0.error)]
    Interrupted(Box<Interrupted>),
}

/// Why something failed. There may be more reasons in later versions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FailureReason {
    /// The request cannot be carried out. The sentence says what can be.
    Usage,
    /// Something is open elsewhere, and may be open once. The sentence says what can be done.
    Taken,
    /// A world failed: it could not be reached, or its answer could not be understood.
    World,
    /// The model could not be asked, or its answer could not be read.
    Model,
    /// The model's server could not be reached, or failed however often it was asked.
    Unanswered,
    /// The prompt is longer than the model accepts. A shorter one may work.
    PromptTooLong,
    /// The sandbox itself failed (not the program in it).
    Sandbox,
}

impl FailureReason {
    /// Whose failure it is.
    pub fn kind(self) -> ErrorKind {
        match self {
            FailureReason::Usage | FailureReason::Taken => ErrorKind::User,
            FailureReason::World => ErrorKind::World,
            FailureReason::Model | FailureReason::Unanswered | FailureReason::PromptTooLong => {
                ErrorKind::Model
            }
            FailureReason::Sandbox => ErrorKind::Sandbox,
        }
    }
}

/// Whose failure an [`Error`] is. A failure keeps its kind in later versions, whatever its sentence
/// says; there may be more kinds.
///
/// The words of `Display` are those of JSON outputs and of the Python package.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The user's, `usage`: another request, option or configuration helps.
    User,
    /// A file's, `file`: it is not there, not readable, full of something else, or damaged.
    File,
    /// The world's, `world`: it could not be reached, or did not do what such worlds do.
    World,
    /// The model's, `model`: it was not reached, or its answer was of no use.
    Model,
    /// The sandbox's, `sandbox`: it could not be prepared or run. Programs have no part in it.
    Sandbox,
    /// The machine's, `system`: it gave no thread, no random numbers or no signal.
    System,
    /// Ours, `bug`: nothing that a user does should lead to it, so it is worth a report.
    Bug,
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            ErrorKind::User => "usage",
            ErrorKind::File => "file",
            ErrorKind::World => "world",
            ErrorKind::Model => "model",
            ErrorKind::Sandbox => "sandbox",
            ErrorKind::System => "system",
            ErrorKind::Bug => "bug",
        })
    }
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

    /// A failure of the world, for those who implement one. The sentence says which world it was,
    /// what was tried, and what can be done.
    pub fn world(sentence: impl Into<String>) -> Error {
        Error::failed(FailureReason::World, sentence)
    }

    /// A failure of the model or its server, for those who implement one.
    pub fn model(sentence: impl Into<String>) -> Error {
        Error::failed(FailureReason::Model, sentence)
    }

    /// The model's server could not be reached, or failed however often it was asked.
    pub fn unanswered(sentence: impl Into<String>) -> Error {
        Error::failed(FailureReason::Unanswered, sentence)
    }

    /// The prompt is longer than the model accepts.
    pub fn prompt_too_long(sentence: impl Into<String>) -> Error {
        Error::failed(FailureReason::PromptTooLong, sentence)
    }

    /// A request that cannot be carried out. The sentence says what can be.
    pub fn usage(sentence: impl Into<String>) -> Error {
        Error::failed(FailureReason::Usage, sentence)
    }

    /// Something is open elsewhere, and may be open once. The sentence says what can be done.
    pub fn taken(sentence: impl Into<String>) -> Error {
        Error::failed(FailureReason::Taken, sentence)
    }

    /// The sandbox failed: `problem` says how, as a clause.
    pub fn sandbox(problem: impl fmt::Display) -> Error {
        Error::failed(
            FailureReason::Sandbox,
            format!("the sandbox failed: {problem}"),
        )
    }

    fn failed(reason: FailureReason, sentence: impl Into<String>) -> Error {
        Error::Failed {
            reason,
            sentence: sentence.into(),
        }
    }

    /// Whether it failed for this reason.
    pub fn is(&self, wanted: FailureReason) -> bool {
        matches!(self.cause(), Error::Failed { reason, .. } if *reason == wanted)
    }

    /// Adds the failed action to a refusal of the machine, for `map_err`.
    pub fn system<E: Into<std::io::Error>>(action: &'static str) -> impl FnOnce(E) -> Error {
        move |source| Error::System {
            action,
            source: source.into(),
        }
    }

    /// A defect of this program, for `map_err` where only a defect leads to an error.
    pub fn bug<E: Into<Box<dyn std::error::Error + Send + Sync>>>(
        problem: impl Into<String>,
    ) -> impl FnOnce(E) -> Error {
        let problem = problem.into();
        move |source| Error::Bug {
            problem,
            source: source.into(),
        }
    }

    /// A task did not come to its end: it panicked, or this program is shutting down.
    pub fn lost(error: JoinError) -> Error {
        match error.is_panic() {
            true => Error::bug("a task panicked")(error),
            false => Error::System {
                action: "dialog2api is shutting down",
                source: error.into(),
            },
        }
    }

    /// Whose failure it is.
    ///
    /// ```
    /// use dialog2api_core::error::{Error, ErrorKind};
    ///
    /// let error = Error::world("http://127.0.0.1:8333: no answer");
    /// assert_eq!(error.kind(), ErrorKind::World);
    /// assert_eq!(error.kind().to_string(), "world");
    /// ```
    pub fn kind(&self) -> ErrorKind {
        match self {
            Error::Failed { reason, .. } => reason.kind(),
            Error::File { .. } | Error::Content { .. } => ErrorKind::File,
            Error::System { .. } => ErrorKind::System,
            Error::Bug { .. } => ErrorKind::Bug,
            Error::Interrupted(interrupted) => interrupted.error.kind(),
        }
    }

    /// The same failure with another text, where a text of others may be in it.
    #[must_use]
    pub fn map_text(self, change: impl FnOnce(String) -> String) -> Error {
        match self {
            Error::Failed { reason, sentence } => Error::failed(reason, change(sentence)),
            Error::Content { path, problem } => Error::Content {
                path,
                problem: change(problem),
            },
            Error::Interrupted(mut interrupted) => {
                interrupted.error = interrupted.error.map_text(change);
                Error::Interrupted(interrupted)
            }
            Error::Bug { problem, source } => Error::Bug {
                problem,
                source: change(source.to_string()).into(),
            },
            other @ (Error::File { .. } | Error::System { .. }) => other,
        }
    }

    /// For a folder of the user's that cannot be made: names the variable that puts it elsewhere.
    pub fn no_folder(
        folder: impl AsRef<Path>,
        variable: &'static str,
    ) -> impl FnOnce(std::io::Error) -> Error {
        let folder = folder.as_ref().to_owned();
        move |error| {
            Error::usage(format!(
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
