//! The files in the folder of a run.

use super::log::{Run, TurnTiming, VERSION};
use crate::error::{Error, Result};
use crate::files::{self, AppendLog, Readers};
use crate::lock::Locked;
use serde::Serialize;
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::Path;

/// The description of the run: a [`Run`].
pub const RUN: &str = "run.json";
/// The turns: a [`TurnLog`](super::log::TurnLog) on each line.
pub const LOG: &str = "log.jsonl";
/// The durations: a [`TurnTiming`] on each line, for turns without a cached answer.
pub const TIMINGS: &str = "timings.jsonl";
/// The requests to the model and its answers, as a recording.
pub const RESPONSES: &str = "responses.jsonl";

/// The turn that a line is about. Ordered as in a complete log.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TurnKey {
    /// The dialogue's uid.
    pub dialogue: String,
    /// Which repetition, from 1.
    pub epoch: u32,
    /// The turn, from 1.
    pub turn: u32,
}

/// The durations of a run, in the order of a complete log. Lines that cannot be read are left
/// out: no figure of the score depends on them.
pub fn read_timings(folder: &Path) -> Vec<TurnTiming> {
    let text = fs::read_to_string(folder.join(TIMINGS)).unwrap_or_default();
    let lines = text.lines();
    let mut timings: Vec<TurnTiming> = lines
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect();
    timings.sort_by_key(place);
    timings
}

/// The turn that a duration is of.
pub(super) fn place(timing: &TurnTiming) -> TurnKey {
    TurnKey {
        dialogue: timing.dialogue.clone(),
        epoch: timing.epoch,
        turn: timing.turn,
    }
}

/// Writes times in the order of a complete log.
pub(super) fn write_timings(folder: &Path, timings: &mut [TurnTiming]) -> Result<()> {
    timings.sort_by_key(place);
    files::replace_with(&folder.join(TIMINGS), Readers::Umask, |file| {
        for timing in timings.iter() {
            serde_json::to_writer(&mut *file, timing)?;
            file.write_all(b"\n")?;
        }
        Ok(())
    })
}

/// Reads `run.json` of a run's folder.
///
/// # Errors
/// There is none, or it has another version: the error says which, and what reads it.
pub fn read_run(folder: &Path) -> Result<Run> {
    let path = folder.join(RUN);
    let wrong = |problem: String| Error::Content {
        path: path.clone(),
        problem,
    };
    let bytes = match fs::read(&path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Err(Error::Content {
                path: folder.to_owned(),
                problem: format!(
                    "is no run: it has no {RUN}. `dialog2api eval --out DIR` makes one"
                ),
            });
        }
        Err(error) => return Err(Error::file("cannot read", &path)(error)),
    };
    let json: Json = serde_json::from_slice(&bytes)
        .map_err(|error| wrong(format!("does not say what ran: {error}")))?;
    let shown_by = match json.get("kind").and_then(Json::as_str) {
        Some(super::reward::KIND) => Some(("games", "`eval report` and `eval compare` show")),
        Some(super::desk::KIND) => Some(("simulated dialogues", "`claims score` shows")),
        _ => None,
    };
    if let Some((of, shown_by)) = shown_by {
        return Err(wrong(format!("is of a run of {of}: {shown_by} such runs")));
    }
    let Some(version) = json.get("version").and_then(Json::as_u64) else {
        return Err(wrong(
            "does not say what ran: it has no version of a log".to_owned(),
        ));
    };
    if version != u64::from(VERSION) {
        let by = json.get("dialog2api").and_then(Json::as_str);
        return Err(wrong(format!(
            "is of version {version} of the log, and this dialog2api reads {VERSION}; use the \
             one that wrote it ({}), or run it again",
            by.unwrap_or("it does not say which").escape_debug()
        )));
    }
    serde_json::from_value(json).map_err(|error| wrong(format!("does not say what ran: {error}")))
}

/// Writes `run.json`.
pub(super) fn write_run(folder: &Path, run: &impl Serialize) -> Result<()> {
    files::replace_with(&folder.join(RUN), Readers::Umask, |file| {
        serde_json::to_writer_pretty(&mut *file, run)?;
        file.write_all(b"\n")
    })
}

/// Begins a run in a new folder, or with `resume` goes on with the one that is there; `differ` says
/// how that differs from this one. Nobody else works on the run while the answer lives.
///
/// # Errors
/// The folder has a run already, or another run, or one in progress; or the disk failed.
pub(super) fn begin_run(
    folder: &Path,
    run: &impl Serialize,
    resume: bool,
    differ: impl FnOnce() -> Result<Vec<String>>,
) -> Result<Locked> {
    let (shown, path) = (folder.display(), folder.join(RUN));
    let is_there = || {
        Error::usage(format!(
            "{shown} has a run already: --resume goes on with it, and another --out begins anew"
        ))
    };
    if path.exists() {
        if !resume {
            return Err(is_there());
        }
    } else if folder.join(LOG).exists() {
        return Err(Error::usage(format!(
            "{shown} has a log but no {RUN}, so its run is unknown; name another --out"
        )));
    } else {
        fs::create_dir_all(folder).map_err(Error::file("cannot make", folder))?;
        // Of two processes that begin at once, one makes the file.
        match File::create_new(&path) {
            Ok(_) => write_run(folder, run)?,
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
                return Err(is_there());
            }
            Err(error) => return Err(Error::file("cannot write", &path)(error)),
        }
    }
    let lock = lock_run(folder)?;
    let differences = differ()?;
    if !differences.is_empty() {
        return Err(Error::usage(format!(
            "the run in {shown} is another one: {}; name another --out, or the options of that run",
            differences.join("; ")
        )));
    }
    Ok(lock)
}

/// Locks a run, so that one process at a time works on it.
fn lock_run(folder: &Path) -> Result<Locked> {
    let path = folder.join(RUN);
    let file = File::open(&path).map_err(Error::file("cannot read", &path))?;
    Locked::new(file).map_err(|_| {
        Error::usage(format!(
            "another process works on the run in {}; wait for it, or name another --out",
            folder.display()
        ))
    })
}

/// Opens a file of lines to append to it.
pub(super) fn append_to(path: &Path) -> Result<AppendLog> {
    let mut options = OpenOptions::new();
    let file = options.read(true).append(true).create(true).open(path);
    let log = file.and_then(AppendLog::of_lines);
    log.map_err(Error::file("cannot write", path))
}

/// Appends a line with a single write, so that only a crash of the machine can cut it off.
pub(super) fn write_line(log: &mut AppendLog, line: &impl Serialize) -> std::io::Result<()> {
    let mut text = serde_json::to_vec(line)?;
    text.push(b'\n');
    log.append_soon(&text)
}

/// The differences between two runs, one sentence for each field, including the shard. Names
/// of datasets are not compared: the digests are.
pub fn differences(ours: &Run, theirs: &Run) -> Vec<String> {
    let unnamed = |run: &Run| {
        let mut run = run.clone();
        (run.dataset.name, run.dataset.examples) = (None, None);
        run
    };
    fields_differ(&unnamed(ours), &unnamed(theirs))
}

/// The differences between the descriptions of two runs of any kind.
pub(super) fn fields_differ(ours: &impl Serialize, theirs: &impl Serialize) -> Vec<String> {
    fn fields(run: &impl Serialize) -> BTreeMap<String, String> {
        let mut fields = BTreeMap::new();
        let json = serde_json::to_value(run).unwrap_or_default();
        flatten("", &json, &mut fields);
        fields
    }
    let (ours, mut theirs) = (fields(ours), fields(theirs));
    let mut found = Vec::new();
    for (name, ours) in ours {
        match theirs.remove(&name) {
            Some(theirs) if theirs == ours => {}
            theirs => {
                let theirs = theirs.unwrap_or_else(|| "null".to_owned());
                found.push(format!("{name} is {theirs} there and {ours} here"));
            }
        }
    }
    let only_there = theirs.into_iter();
    found
        .extend(only_there.map(|(name, theirs)| format!("{name} is {theirs} there, and not here")));
    found
}

fn flatten(name: &str, json: &Json, fields: &mut BTreeMap<String, String>) {
    match json {
        Json::Object(object) => {
            for (key, value) in object {
                let name = if name.is_empty() {
                    key.clone()
                } else {
                    format!("{name}.{key}")
                };
                flatten(&name, value, fields);
            }
        }
        value => {
            fields.insert(name.to_owned(), value.to_string());
        }
    }
}
