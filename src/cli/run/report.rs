//! What `run` prints of a program that came to its end.

use super::lost::Begun;
use crate::cli::show;
use crate::cli::terminal::{self, BAD, BOLD, DIM, GOOD, Style, Styled, clean, columns, one_line};
use crate::dialogue::{Outcome, ProgramError};
use crate::domain::{Change, Signature};
use crate::exec::{CallRecord, Execution};
use serde::Serialize;
use serde_json::Value as Json;
use std::fmt::{self, Display, Formatter, Write};

/// The JSON object of `--json`.
#[derive(Serialize)]
pub(super) struct Report<'a> {
    pub(super) result: &'a Json,
    pub(super) error: Option<Failure<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) changes: Option<Vec<Json>>,
    pub(super) signature: Option<String>,
    pub(super) calls: &'a [CallRecord],
    pub(super) elapsed: f64,
    pub(super) output: &'a str,
    /// The listings that it did not read to the end, in sentences.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) unread: Vec<String>,
    /// Where the program did not come to its end: the writes that were begun.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) writes: Option<Vec<Begun>>,
}

#[derive(Serialize)]
pub(super) struct Failure<'a> {
    pub(super) error: &'a str,
    pub(super) message: &'a str,
    pub(super) traceback: Option<&'a str>,
}

/// What is known of the signature after the program.
pub(super) enum Signed {
    As(Signature),
    /// Nobody asked for it.
    NotComputed,
    /// Reading it failed or was stopped.
    NotKnown,
}

impl Signed {
    pub(super) fn digits(&self) -> Option<String> {
        match self {
            Signed::As(signature) => Some(signature.to_string()),
            Signed::NotComputed | Signed::NotKnown => None,
        }
    }
}

impl Display for Signed {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Signed::As(signature) => signature.fmt(f),
            Signed::NotComputed => f.write_str("not computed"),
            Signed::NotKnown => f.write_str("not known"),
        }
    }
}

impl<'a> Report<'a> {
    pub(super) fn new(
        done: &'a Execution,
        changes: Option<Vec<Change>>,
        signature: Option<String>,
        unread: Vec<String>,
    ) -> Self {
        let (result, error) = match &done.outcome {
            Outcome::Result(value) => (value, None),
            Outcome::Error(error) => (&Json::Null, Some(Failure::new(error))),
        };
        Report {
            result,
            error,
            changes: changes
                .map(|changes| changes.into_iter().map(|change| change.details).collect()),
            signature,
            calls: &done.calls,
            elapsed: done.elapsed.as_secs_f64(),
            output: &done.output,
            unread,
            writes: None,
        }
    }
}

impl<'a> Failure<'a> {
    fn new(error: &'a ProgramError) -> Self {
        Failure {
            error: &error.error,
            message: &error.message,
            traceback: error.traceback.as_deref(),
        }
    }
}

/// The report for people: labels with their values beside them.
pub(super) fn human(done: &Execution, changes: Option<&[Change]>, signature: &Signed) -> String {
    let mut text = printed(&done.output);
    let mut part = |label, style, content: &str| push(&mut text, label, style, content);
    match &done.outcome {
        Outcome::Result(value) => part("result", GOOD, &show::json(value)),
        Outcome::Error(error) => {
            part("error", BAD, &show::error(error));
            part("traceback", DIM, &show::frames(error));
        }
    }
    part("calls", DIM, &one_line(&show::calls(&done.calls)));
    if let Some(changes) = changes {
        let lines = changes.iter().map(|change| columns(&change.line));
        let lines: Vec<String> = lines.collect();
        match lines.is_empty() {
            true => part("changes", DIM, "none"),
            false => part("changes", BOLD, &lines.join("\n")),
        }
    }
    part("signature", DIM, &signature.to_string());
    part("elapsed", DIM, &show::elapsed(done.elapsed));
    text
}

/// What a program printed, as it is shown.
pub(super) fn printed(output: &str) -> String {
    let mut text = String::new();
    push(&mut text, "output", DIM, output);
    text
}

fn push(text: &mut String, label: &str, style: Style, content: &str) {
    let content = clean(content);
    let frame = if terminal::is_framed(&content) {
        "         │"
    } else {
        ""
    };
    for (number, line) in content.lines().enumerate() {
        let label = Styled(style, if number == 0 { label } else { frame });
        let _ = writeln!(text, "{label:10} {line}");
    }
}
