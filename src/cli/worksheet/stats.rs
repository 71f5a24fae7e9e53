//! `dialog2api worksheet stats`: where people stop.

use super::{Exit, sheets, terminal};
use crate::error::{Error, Result};
use crate::journal::{Entry, SessionStore};
use std::path::{Path, PathBuf};
use worksheets::{State, Stats};

/// Counts the turns of files and of sessions.
pub(super) fn stats(
    path: &Path,
    (files, sessions): (&[PathBuf], &[String]),
    as_json: bool,
) -> Result<Exit> {
    let sheets = sheets(path)?;
    let mut stats = Stats::new(&sheets);
    for file in files {
        recorded(&mut stats, file)?;
        stats.end();
    }
    for name in sessions {
        session(&mut stats, name)?;
        stats.end();
    }
    match as_json {
        true => terminal::print_json(&stats.json())?,
        false => terminal::print(terminal::clean(&stats.text()))?,
    }
    Ok(Exit::Done)
}

fn recorded(stats: &mut Stats<'_>, file: &Path) -> Result<()> {
    let text = std::fs::read_to_string(file).map_err(Error::file("cannot read", file))?;
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim().is_empty() {
            continue;
        }
        let turn = serde_json::from_str(line).map_err(|error| format!("no JSON: {error}"));
        let counted = turn.and_then(|turn| stats.recorded(&turn));
        counted.map_err(|why| Error::Content {
            path: file.to_owned(),
            problem: format!(
                "line {number}: {why}; expected a turn, {{\"before\": state, \"after\": state}}"
            ),
        })?;
    }
    Ok(())
}

/// The turns of a session: what its journal keeps of the forms after each of them.
fn session(stats: &mut Stats<'_>, name: &str) -> Result<()> {
    let reading = SessionStore::of_user()?.read(name)?;
    let mut before = State::default();
    let mut is_any = false;
    for line in &reading.lines {
        let state = match &line.entry {
            Entry::Kept { kept, .. } => kept.get("state"),
            _ => None,
        };
        let Some(state) = state else {
            continue;
        };
        let after = State::of(state).map_err(|why| {
            Error::usage(format!("the session {name}, entry {}: {why}", line.number))
        })?;
        is_any = true;
        // An undo changes what is kept, and is no turn.
        if after.turn > before.turn {
            stats.turn(&before, &after);
        }
        before = after;
    }
    match is_any {
        true => Ok(()),
        false => Err(Error::usage(format!(
            "the session {name} keeps no forms: it is of a domain without worksheets, or nothing \
             was said in it"
        ))),
    }
}
