//! The outcome of a program.

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

/// The outcome of a program that ran: its result, or its error. Both are data that the
/// model is shown.
///
/// ```
/// use dialog2api_core::dialogue::{Outcome, ProgramError, write_outcome};
///
/// let found = Outcome::Result(serde_json::json!(["otter.txt"]));
/// assert_eq!(write_outcome(&found), "<result>[\"otter.txt\"]</result>\n<error/>");
/// let refused = Outcome::Error(ProgramError {
///     error: "NoSuchBucket".into(),
///     message: "The specified bucket does not exist".into(),
///     traceback: None,
/// });
/// assert!(refused.is_error());
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// The returned JSON value; `null` without `return`.
    Result(Json),
    /// An exception, a refusal of the environment, or a broken limit.
    Error(ProgramError),
}

/// How a program failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProgramError {
    /// The environment's error code (`NoSuchBucket`) or the exception's class.
    pub error: String,
    /// The exception's message.
    pub message: String,
    /// The Python traceback, if there is one. The exchange format leaves it out.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub traceback: Option<String>,
}

impl ProgramError {
    /// The last line of the program in the traceback, from 1.
    pub fn line(&self) -> Option<u32> {
        let frames = self.traceback.as_deref()?.lines().rev();
        frames
            .filter_map(|frame| {
                frame
                    .trim_start()
                    .strip_prefix("File \"program.py\", line ")
            })
            .find_map(|rest| rest.split(',').next()?.trim().parse().ok())
    }
}

impl Outcome {
    /// Whether the program failed.
    pub fn is_error(&self) -> bool {
        matches!(self, Outcome::Error(_))
    }
}
