//! Reading the folder of a run.

use crate::error::{Error, Result};
use crate::eval::log::{Run, TurnLog, VERSION};
use serde_json::Value as Json;
use std::path::Path;

/// A run as it lies in its folder.
#[derive(Debug, Clone, PartialEq)]
pub struct Log {
    /// What ran.
    pub run: Run,
    /// Its turns, in the order of the file.
    pub turns: Vec<TurnLog>,
}

/// Reads `run.json` and `log.jsonl` of a run. A last line that was not written to its end
/// is left out where `partial` allows it.
///
/// # Errors
/// A file is missing or is not what it should be: a sentence with its name, the line, and
/// what is wrong.
pub fn load(folder: &Path, partial: bool) -> Result<Log> {
    let run = read_run(&folder.join("run.json"))?;
    let path = folder.join("log.jsonl");
    let bytes = std::fs::read(&path).map_err(Error::file("cannot read", &path))?;
    let wrong = |problem| Error::Content {
        path: path.clone(),
        problem,
    };
    // Before it is text: a cut may go through a character.
    let end = bytes.iter().rposition(|byte| *byte == b'\n');
    let (whole, rest) = bytes.split_at(end.map_or(0, |end| end + 1));
    let whole =
        std::str::from_utf8(whole).map_err(|error| wrong(format!("is no UTF-8 text: {error}")))?;
    if !rest.is_empty() && !partial {
        let line = whole.matches('\n').count() + 1;
        return Err(wrong(format!(
            "line {line}, the last one, is cut off: finish the run with `dialog2api eval \
             --resume`, or score what is finished with --partial"
        )));
    }
    let lines: Vec<(usize, &str)> = (1..)
        .zip(whole.lines())
        .filter(|(_, line)| !line.trim().is_empty())
        .collect();
    let turns = parse(&lines).map_err(wrong)?;
    Ok(Log { run, turns })
}

fn read_run(path: &Path) -> Result<Run> {
    let text = std::fs::read_to_string(path).map_err(Error::file("cannot read", path))?;
    let wrong = |problem| Error::Content {
        path: path.to_owned(),
        problem,
    };
    let json: Json = serde_json::from_str(&text)
        .map_err(|error| wrong(format!("is no JSON, and should say what ran: {error}")))?;
    // The version first: what another one says cannot be read at all.
    match json.get("version").and_then(Json::as_u64) {
        Some(version) if version == u64::from(VERSION) => {}
        Some(version) => {
            return Err(wrong(format!(
                "the log has version {version}, and this program reads version {VERSION}; score \
                 it with the version of dialog2api that wrote it, or run it again"
            )));
        }
        None => {
            return Err(wrong(
                "has no `version`, so it is no run of dialog2api".to_owned(),
            ));
        }
    }
    serde_json::from_value(json).map_err(|error| wrong(format!("is no run: {error}")))
}

/// The turns of these numbered lines. Prompts make them long, so that all processors read.
fn parse(lines: &[(usize, &str)]) -> std::result::Result<Vec<TurnLog>, String> {
    let parallel = std::thread::available_parallelism().map_or(1, usize::from);
    let share = lines.len().div_ceil(parallel).max(1);
    let parts = std::thread::scope(|scope| {
        let workers: Vec<_> = lines
            .chunks(share)
            .map(|lines| scope.spawn(|| lines.iter().map(parse_line).collect()))
            .collect();
        let parts = workers.into_iter().map(|worker| worker.join());
        parts.collect::<Vec<std::thread::Result<std::result::Result<Vec<TurnLog>, String>>>>()
    });
    let mut turns = Vec::with_capacity(lines.len());
    for part in parts {
        turns.extend(part.map_err(|_| "a line could not be read".to_owned())??);
    }
    Ok(turns)
}

fn parse_line((number, line): &(usize, &str)) -> std::result::Result<TurnLog, String> {
    serde_json::from_str(line).map_err(|error| {
        // What was read is one line, so that its own number of the line says nothing.
        let reason = error.to_string().replace(" at line 1 column", ", column");
        format!("line {number}: no turn of a log: {reason}")
    })
}
