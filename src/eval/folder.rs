//! The files of a run, line by line: what is in the folder, and how it gets there.

use super::log::{FailureKind, Run, TurnLog, TurnTiming, VERSION};
use crate::error::{Error, Result};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

/// What ran: a [`Run`].
pub const RUN: &str = "run.json";
/// A [`TurnLog`] on each line.
pub const LOG: &str = "log.jsonl";
/// A [`TurnTiming`] on each line, for the turns whose answers were all waited for.
pub const TIMINGS: &str = "timings.jsonl";
/// What the model was asked and answered, as a recording.
pub const RESPONSES: &str = "responses.jsonl";

/// Which turn a line is about, in the order of a complete log.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The dialogue's uid.
    pub dialogue: String,
    /// Which repetition, from 1.
    pub epoch: u32,
    /// The turn, from 1.
    pub turn: u32,
}

/// A line of a log, and of what is in it only what says where it belongs.
#[derive(Debug, Clone)]
pub(super) struct Line {
    pub place: Place,
    /// How many turns its dialogue has.
    pub turns: u32,
    /// Whether the signature is the truth's.
    pub matches: bool,
    /// Why the turn failed, and the sentence.
    pub failure: Option<(FailureKind, String)>,
    /// The line as it is, without its end.
    pub text: String,
}

/// The lines of a log.
#[derive(Debug, Default)]
pub(super) struct Lines {
    pub lines: Vec<Line>,
    /// The last line, from 1, when its writing was interrupted; it is not among the others.
    pub cut_off: Option<usize>,
}

/// How far a dialogue came in one epoch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing {
    /// All its turns are there.
    Finished,
    /// It ended early, for no fault of the model's: the turn, and the sentence.
    Failed {
        /// The turn, from 1.
        turn: u32,
        /// What failed.
        kind: FailureKind,
        /// Why.
        message: String,
    },
    /// The run was interrupted in it.
    Partial {
        /// How many turns are there.
        logged: u32,
        /// How many it has.
        turns: u32,
    },
}

#[derive(Deserialize)]
struct Head {
    epoch: u32,
    truth: HeadTruth,
    truth_signature: String,
    signature: String,
    failure: Option<HeadFailure>,
}

#[derive(Deserialize)]
struct HeadTruth {
    dialogue: String,
    turn: u32,
    turns: u32,
}

#[derive(Deserialize)]
struct HeadFailure {
    kind: FailureKind,
    message: String,
}

impl Lines {
    /// Reads a log.
    ///
    /// # Errors
    /// It cannot be read, a line before the last is no turn, or a turn is there twice.
    pub fn read(path: &Path) -> Result<Lines> {
        let mut lines = Vec::new();
        let mut cut_off = None;
        Texts::read(path)?.parse(path, &mut cut_off, |_, text, head: Head| {
            lines.push(Line {
                place: Place {
                    dialogue: head.truth.dialogue,
                    epoch: head.epoch,
                    turn: head.truth.turn,
                },
                turns: head.truth.turns,
                matches: head.signature == head.truth_signature,
                failure: head.failure.map(|failure| (failure.kind, failure.message)),
                text: text.to_owned(),
            });
            Ok(())
        })?;
        Self::in_order(lines, cut_off).map_err(|problem| Error::Content {
            path: path.to_owned(),
            problem,
        })
    }

    /// The lines of these turns, without their texts.
    pub fn of(turns: &[TurnLog], cut_off: Option<usize>) -> Result<Lines, String> {
        let lines = turns.iter().map(|turn| Line {
            place: Place {
                dialogue: turn.truth.dialogue.clone(),
                epoch: turn.epoch,
                turn: turn.truth.turn,
            },
            turns: turn.truth.turns,
            matches: turn.signature == turn.truth_signature,
            failure: (turn.failure.as_ref()).map(|failure| (failure.kind, failure.message.clone())),
            text: String::new(),
        });
        Self::in_order(lines.collect(), cut_off)
    }

    fn in_order(mut lines: Vec<Line>, cut_off: Option<usize>) -> Result<Lines, String> {
        lines.sort_by(|a, b| a.place.cmp(&b.place));
        let pairs = lines.iter().zip(lines.iter().skip(1));
        let twice = pairs
            .map(|(a, b)| (&a.place, &b.place))
            .find(|(a, b)| a == b);
        if let Some((place, _)) = twice {
            return Err(format!(
                "has turn {} of dialogue {:?} twice (epoch {}); one of them is of another run",
                place.turn, place.dialogue, place.epoch
            ));
        }
        Ok(Lines { lines, cut_off })
    }

    /// How far each dialogue came in each epoch.
    pub fn standings(&self) -> BTreeMap<(String, u32), Standing> {
        let mut found: BTreeMap<(String, u32), Standing> = BTreeMap::new();
        for line in &self.lines {
            let key = (line.place.dialogue.clone(), line.place.epoch);
            let logged = match found.get(&key) {
                Some(Standing::Partial { logged, .. }) => *logged,
                Some(Standing::Failed { .. }) => continue,
                Some(Standing::Finished) | None => 0,
            };
            let turns = line.turns;
            let ended = line.failure.as_ref();
            let standing = match ended.filter(|(kind, _)| kind.ends_dialogue()) {
                Some((kind, message)) => Standing::Failed {
                    turn: line.place.turn,
                    kind: *kind,
                    message: message.clone(),
                },
                // Lines are in the order of turns, so that the last comes last.
                None if logged + 1 == turns && line.place.turn == turns => Standing::Finished,
                None => Standing::Partial {
                    logged: logged + 1,
                    turns,
                },
            };
            found.insert(key, standing);
        }
        found
    }

    /// Keeps these lines only. Says whether any was dropped.
    pub fn retain(&mut self, wanted: impl FnMut(&Line) -> bool) -> bool {
        let before = self.lines.len();
        self.lines.retain(wanted);
        self.lines.len() < before || self.cut_off.take().is_some()
    }

    /// Writes the lines in the order of a complete log, in the place of `path`.
    pub fn write(&mut self, path: &Path) -> Result<()> {
        self.lines.sort_by(|a, b| a.place.cmp(&b.place));
        replace(path, |file| {
            for line in &self.lines {
                file.write_all(line.text.as_bytes())?;
                file.write_all(b"\n")?;
            }
            Ok(())
        })
    }
}

/// The times of a run, in the order of a complete log; none where there is no such file.
/// What can not be read of them is left out: no figure of the score depends on them.
pub fn read_timings(folder: &Path) -> Vec<TurnTiming> {
    let text = fs::read_to_string(folder.join(TIMINGS)).unwrap_or_default();
    let lines = text.lines();
    let mut timings: Vec<TurnTiming> = lines
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect();
    timings.sort_by(|a, b| place(a).cmp(&place(b)));
    timings
}

/// Which turn a time is of.
pub(super) fn place(timing: &TurnTiming) -> Place {
    Place {
        dialogue: timing.dialogue.clone(),
        epoch: timing.epoch,
        turn: timing.turn,
    }
}

/// Writes times in the order of a complete log.
pub(super) fn write_timings(folder: &Path, timings: &mut [TurnTiming]) -> Result<()> {
    timings.sort_by(|a, b| place(a).cmp(&place(b)));
    replace(&folder.join(TIMINGS), |file| {
        for timing in timings.iter() {
            serde_json::to_writer(&mut *file, timing)?;
            file.write_all(b"\n")?;
        }
        Ok(())
    })
}

/// The whole lines of a file.
pub(super) struct Texts {
    text: String,
    cut_off: Option<usize>,
}

impl Texts {
    pub fn read(path: &Path) -> Result<Texts> {
        let bytes = fs::read(path).map_err(Error::file("cannot read the log", path))?;
        let whole = bytes.iter().rposition(|byte| *byte == b'\n');
        let whole = whole.map_or(0, |end| end + 1);
        let lines = bytes.get(..whole).unwrap_or_default();
        let count = lines.iter().filter(|byte| **byte == b'\n').count();
        let text = String::from_utf8(lines.to_vec()).map_err(|_| Error::Content {
            path: path.to_owned(),
            problem: "is not UTF-8 text, so it is no log".to_owned(),
        })?;
        Ok(Texts {
            text,
            cut_off: (whole < bytes.len()).then_some(count + 1),
        })
    }

    /// Hands out what each line says. A last line that says nothing was being written
    /// when the machine stopped.
    pub fn parse<T: DeserializeOwned>(
        &self,
        path: &Path,
        cut_off: &mut Option<usize>,
        mut take: impl FnMut(usize, &str, T) -> Result<(), String>,
    ) -> Result<()> {
        let count = self.text.lines().count();
        *cut_off = self.cut_off;
        for (number, line) in (1..).zip(self.text.lines()) {
            let taken = match serde_json::from_str(line) {
                Ok(parsed) => take(number, line, parsed),
                Err(_) if number == count && cut_off.is_none() => {
                    *cut_off = Some(number);
                    Ok(())
                }
                Err(error) => Err(format!("is no turn of a log: {error}")),
            };
            taken.map_err(|problem| Error::Content {
                path: path.to_owned(),
                problem: format!("line {number} {problem}"),
            })?;
        }
        Ok(())
    }
}

/// Reads `run.json` of a run's folder.
///
/// # Errors
/// There is none, or it is of another version: then which, and what reads it.
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
    let Some(version) = json.get("version").and_then(Json::as_u64) else {
        return Err(wrong(
            "does not say what ran: it has no version of a log".to_owned(),
        ));
    };
    if version != u64::from(VERSION) {
        let by = json.get("dialog2api").and_then(Json::as_str);
        return Err(wrong(format!(
            "is of version {version} of the log, and this dialog2api reads {VERSION}; use the \
             one that wrote it ({})",
            by.unwrap_or("it does not say which").escape_debug()
        )));
    }
    serde_json::from_value(json).map_err(|error| wrong(format!("does not say what ran: {error}")))
}

/// Writes `run.json`.
pub(super) fn write_run(folder: &Path, run: &Run) -> Result<()> {
    replace(&folder.join(RUN), |file| {
        serde_json::to_writer_pretty(&mut *file, run)?;
        file.write_all(b"\n")
    })
}

/// In what two runs differ, one sentence for each field, shard included.
pub fn differences(ours: &Run, theirs: &Run) -> Vec<String> {
    let fields = |run: &Run| {
        let mut fields = BTreeMap::new();
        flatten(
            "",
            &serde_json::to_value(run).unwrap_or_default(),
            &mut fields,
        );
        fields
    };
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

/// Puts a file in the place of `path`: the old one or the new one is there, whatever
/// happens.
pub(super) fn replace(
    path: &Path,
    write: impl FnOnce(&mut std::io::BufWriter<File>) -> std::io::Result<()>,
) -> Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".partial");
    let partial: PathBuf = path.with_file_name(name);
    let written = File::create(&partial).and_then(|file| {
        let mut file = std::io::BufWriter::new(file);
        write(&mut file)?;
        file.flush()?;
        file.get_ref().sync_all()?;
        fs::rename(&partial, path)
    });
    if written.is_err() {
        // It failed already; what is left of it is only untidy.
        let _ = fs::remove_file(&partial);
    }
    written.map_err(Error::file("cannot write", path))
}
