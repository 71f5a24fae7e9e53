//! What an environment answers to a call.

use super::{Map, Value};

/// The answer of an environment to a call.
pub type Answer = Result<Value, Refusal>;

/// The environment refused a call: an outcome of the program, not our failure.
#[derive(Debug, Clone, PartialEq)]
pub struct Refusal {
    /// The error's code: `NoSuchBucket`.
    pub code: String,
    /// The error's text, without the operation's name.
    pub message: String,
    /// The HTTP status, or 0 if there is none.
    pub status: u16,
    /// Further fields of the error (`BucketName`, `Key`).
    pub details: Map,
}

impl Refusal {
    /// An error without further fields.
    pub fn new(status: u16, code: impl Into<String>, message: impl Into<String>) -> Self {
        Refusal {
            code: code.into(),
            message: message.into(),
            status,
            details: Vec::new(),
        }
    }

    /// The same error with one more field. S3 sends every field as text.
    pub fn with(mut self, field: &'static str, value: impl Into<String>) -> Self {
        self.details.push((field.into(), Value::Str(value.into())));
        self
    }

    /// The error for the same refusal of a HEAD request. Its answer has no body, so
    /// botocore makes code and message from the HTTP status.
    pub fn without_body(self) -> Self {
        Refusal::of_status(self.status)
    }

    /// The error that botocore makes of an answer that has only a status
    /// (`_parse_error_from_http_status`), in the words of Python's `http.client`.
    pub fn of_status(status: u16) -> Self {
        let reason = match status {
            301 => "Moved Permanently",
            302 => "Found",
            304 => "Not Modified",
            307 => "Temporary Redirect",
            308 => "Permanent Redirect",
            400 => "Bad Request",
            401 => "Unauthorized",
            403 => "Forbidden",
            404 => "Not Found",
            405 => "Method Not Allowed",
            406 => "Not Acceptable",
            407 => "Proxy Authentication Required",
            408 => "Request Timeout",
            409 => "Conflict",
            410 => "Gone",
            411 => "Length Required",
            412 => "Precondition Failed",
            413 => "Request Entity Too Large",
            414 => "Request-URI Too Long",
            415 => "Unsupported Media Type",
            416 => "Requested Range Not Satisfiable",
            417 => "Expectation Failed",
            422 => "Unprocessable Entity",
            423 => "Locked",
            426 => "Upgrade Required",
            428 => "Precondition Required",
            429 => "Too Many Requests",
            431 => "Request Header Fields Too Large",
            451 => "Unavailable For Legal Reasons",
            500 => "Internal Server Error",
            501 => "Not Implemented",
            502 => "Bad Gateway",
            503 => "Service Unavailable",
            504 => "Gateway Timeout",
            507 => "Insufficient Storage",
            _ => "",
        };
        Refusal::new(status, status.to_string(), reason)
    }
}
