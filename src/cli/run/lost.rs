//! What `run` says of a program that did not come to its end.

use super::report::{Failure, Report, printed};
use super::{RunArgs, STOPPED};
use crate::cli::terminal;
use crate::domain::{CallEnd, Domain, Noted, tallied};
use crate::error::{Error, Result};
use crate::exec::CallRecord;
use serde::Serialize;
use serde_json::Value as Json;
use std::fmt::Write;

/// A write that was begun.
#[derive(Serialize)]
pub(super) struct Begun {
    operation: String,
    /// Where it writes, where that is known.
    places: Vec<String>,
    /// Whether it was made; none where that is not known.
    made: Option<bool>,
}

/// The failure of a program that did not come to its end, with the writes that it made. With
/// `--json` it is printed as a report, too; without, what the program printed.
pub(super) fn lost(
    error: Error,
    output: &str,
    calls: &[Noted],
    domain: &Domain,
    args: &RunArgs,
) -> Result<Error> {
    let error = match error {
        Error::Interrupted(interrupted) => interrupted.error,
        other => other,
    };
    if calls.is_empty() && output.is_empty() {
        return Ok(error);
    }
    let writes = |end: &CallEnd| {
        let writes = calls.iter();
        let writes = writes.filter(|it| it.end == *end && domain.writes(&it.operation));
        writes.map(|it| it.operation.as_str()).collect::<Vec<_>>()
    };
    let (made, unknown) = (writes(&CallEnd::Done), writes(&CallEnd::Unknown));
    let mut said = match made.as_slice() {
        _ if args.overlay => "Nothing was written, because --overlay keeps it apart".to_owned(),
        [] => "No write was made before that".to_owned(),
        [one] => format!("Before that, 1 write was made: {one}"),
        many => format!(
            "Before that, {} writes were made: {}",
            many.len(),
            tallied(many)
        ),
    };
    if !unknown.is_empty() && !args.overlay {
        let _ = write!(said, "; it is not known of {}", tallied(&unknown));
    }
    let why = error.to_string();
    let said = format!("{}. {said}", why.trim_end_matches('.'));
    if !args.json {
        terminal::print(printed(output))?;
    } else {
        let begun = calls.iter().filter(|it| domain.writes(&it.operation));
        let writes = match args.overlay {
            true => Vec::new(),
            false => begun.map(write).collect(),
        };
        let calls: Vec<CallRecord> = calls.iter().map(record).collect();
        terminal::print_json(&Report {
            result: &Json::Null,
            error: Some(Failure {
                error: match why.as_str() {
                    STOPPED => "Stopped",
                    _ => "ConnectionLost",
                },
                message: &said,
                traceback: None,
            }),
            changes: None,
            signature: None,
            calls: &calls,
            elapsed: 0.0,
            output,
            unread: Vec::new(),
            writes: Some(writes),
        })?;
    }
    Ok(match error {
        Error::File { .. } | Error::System { .. } => Error::world(said),
        other => other.map_text(|_| said),
    })
}

fn record(call: &Noted) -> CallRecord {
    CallRecord {
        operation: call.operation.clone(),
        error: match &call.end {
            CallEnd::Done => None,
            CallEnd::Refused(code) => Some(code.clone()),
            CallEnd::Unknown => Some("ConnectionLost".to_owned()),
        },
    }
}

fn write(call: &Noted) -> Begun {
    Begun {
        operation: call.operation.clone(),
        places: call.written.iter().map(ToString::to_string).collect(),
        made: match &call.end {
            CallEnd::Done => Some(true),
            CallEnd::Refused(_) => Some(false),
            CallEnd::Unknown => None,
        },
    }
}
