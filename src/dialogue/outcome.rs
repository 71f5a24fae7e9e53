//! What became of a program.

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

/// What running a final program gave: a result, or an error that is data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// The returned JSON value; `null` without `return`.
    Result(Json),
    /// The program's failure: an exception, the environment's refusal, a limit.
    Error(ProgramError),
}

/// How a program failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProgramError {
    /// The environment's error code (`NoSuchBucket`) or the exception's class.
    pub error: String,
    /// The exception's text.
    pub message: String,
    /// The Python traceback, where there is one. Not part of the exchange format.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub traceback: Option<String>,
}

impl Outcome {
    /// Whether the program failed.
    pub fn is_error(&self) -> bool {
        matches!(self, Outcome::Error(_))
    }
}
