//! A log line by line: which turns are there, and how far each dialogue came.

use super::folder::TurnKey;
use super::log::{FailureKind, TurnLog};
use super::score::turn::{self, is_match};
use crate::error::{Error, Result};
use crate::files::{self, Readers};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;

/// A line of a log, parsed only as far as ordering and completeness need it.
#[derive(Debug, Clone)]
pub(super) struct Line {
    pub place: TurnKey,
    /// How many turns its dialogue has.
    pub turns: u32,
    /// Whether the turn is right.
    pub matches: bool,
    /// The failure of the turn, with its message.
    pub failure: Option<(FailureKind, String)>,
    /// The line, without the line break.
    pub text: String,
}

/// The lines of a log.
#[derive(Debug, Default)]
pub(super) struct Lines {
    pub lines: Vec<Line>,
    /// The number of the last line (from 1) if it was cut off. It is not among `lines`.
    pub cut_off: Option<usize>,
}

/// The progress of a dialogue in one epoch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DialogueProgress {
    /// All its turns are there.
    Finished,
    /// It ended early, through no fault of the model.
    Failed {
        /// The turn, from 1.
        turn: u32,
        /// The kind of failure.
        kind: FailureKind,
        /// Why.
        message: String,
    },
    /// The run was interrupted during the dialogue.
    Partial {
        /// The number of turns in the log.
        logged: u32,
        /// The number of turns of the dialogue.
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
        let texts = Texts::read(path)?;
        let (heads, cut_off) = texts.parse(path)?;
        let lines = texts
            .lines()
            .zip(heads)
            .map(|(text, head): (_, Head)| Line {
                place: TurnKey {
                    dialogue: head.truth.dialogue,
                    epoch: head.epoch,
                    turn: head.truth.turn,
                },
                turns: head.truth.turns,
                matches: is_match(
                    head.failure.as_ref().map(|failure| failure.kind),
                    &head.signature,
                    &head.truth_signature,
                ),
                failure: head.failure.map(|failure| (failure.kind, failure.message)),
                text: text.to_owned(),
            });
        let lines = lines.collect();
        Self::in_order(lines, cut_off).map_err(|problem| Error::Content {
            path: path.to_owned(),
            problem,
        })
    }

    /// The lines of these turns, without their texts.
    pub fn of(turns: &[TurnLog], cut_off: Option<usize>) -> Result<Lines, String> {
        let lines = turns.iter().map(|turn| Line {
            place: TurnKey {
                dialogue: turn.truth.dialogue.clone(),
                epoch: turn.epoch,
                turn: turn.truth.turn,
            },
            turns: turn.truth.turns,
            matches: turn::matches(turn),
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

    /// The progress of each dialogue in each epoch.
    pub fn standings(&self) -> BTreeMap<(String, u32), DialogueProgress> {
        let mut found: BTreeMap<(String, u32), DialogueProgress> = BTreeMap::new();
        for line in &self.lines {
            let key = (line.place.dialogue.clone(), line.place.epoch);
            let logged = match found.get(&key) {
                Some(DialogueProgress::Partial { logged, .. }) => *logged,
                Some(DialogueProgress::Failed { .. }) => continue,
                Some(DialogueProgress::Finished) | None => 0,
            };
            let turns = line.turns;
            let ended = line.failure.as_ref();
            let standing = match ended.filter(|(kind, _)| kind.ends_dialogue()) {
                Some((kind, message)) => DialogueProgress::Failed {
                    turn: line.place.turn,
                    kind: *kind,
                    message: message.clone(),
                },
                // Lines are sorted by turn: the dialogue is finished if this is its last turn
                // and no line before it is missing.
                None if logged + 1 == turns && line.place.turn == turns => {
                    DialogueProgress::Finished
                }
                None => DialogueProgress::Partial {
                    logged: logged + 1,
                    turns,
                },
            };
            found.insert(key, standing);
        }
        found
    }

    /// Keeps only these lines. Returns whether any was dropped.
    pub fn retain(&mut self, wanted: impl FnMut(&Line) -> bool) -> bool {
        let before = self.lines.len();
        self.lines.retain(wanted);
        self.lines.len() < before || self.cut_off.take().is_some()
    }

    /// Writes the lines in the order of a complete log, in the place of `path`.
    pub fn write(&mut self, path: &Path) -> Result<()> {
        self.lines.sort_by(|a, b| a.place.cmp(&b.place));
        files::replace_with(path, Readers::Umask, |file| {
            for line in &self.lines {
                file.write_all(line.text.as_bytes())?;
                file.write_all(b"\n")?;
            }
            Ok(())
        })
    }
}

/// The whole lines of a file.
pub(super) struct Texts {
    text: String,
    cut_off: Option<usize>,
}

impl Texts {
    pub fn read(path: &Path) -> Result<Texts> {
        let bytes = fs::read(path).map_err(Error::file("cannot read the log", path))?;
        let (lines, rest) = files::whole_lines(&bytes);
        let count = lines.iter().filter(|byte| **byte == b'\n').count();
        let text = String::from_utf8(lines.to_vec()).map_err(|_| Error::Content {
            path: path.to_owned(),
            problem: "is not UTF-8 text, so it is no log".to_owned(),
        })?;
        Ok(Texts {
            text,
            cut_off: (!rest.is_empty()).then_some(count + 1),
        })
    }

    /// The parsed lines, and the number of the last line (from 1) if it was cut off when the
    /// machine stopped: it has no line break, or cannot be parsed.
    ///
    /// # Errors
    /// A line before the last cannot be parsed.
    pub fn parse<T: DeserializeOwned + Send>(
        &self,
        path: &Path,
    ) -> Result<(Vec<T>, Option<usize>)> {
        let lines: Vec<&str> = self.text.lines().collect();
        let mut cut_off = self.cut_off;
        let mut parsed = in_parallel(&lines);
        if cut_off.is_none() && matches!(parsed.last(), Some(Err(_))) {
            parsed.pop();
            cut_off = Some(lines.len());
        }
        let parsed = (1..).zip(parsed).map(|(number, parsed): (usize, _)| {
            parsed.map_err(|error: serde_json::Error| Error::Content {
                path: path.to_owned(),
                // Only this line was parsed, so the parser's own line number is always 1.
                problem: format!(
                    "line {number} is no turn of a log: {}",
                    error.to_string().replace(" at line 1 column", ", column")
                ),
            })
        });
        Ok((parsed.collect::<Result<_>>()?, cut_off))
    }

    /// The lines, including a cut-off one that has a line break.
    pub fn lines(&self) -> impl Iterator<Item = &str> {
        self.text.lines()
    }
}

/// Parses lines of JSON on all processors: prompts make them long.
fn in_parallel<T: DeserializeOwned + Send>(lines: &[&str]) -> Vec<serde_json::Result<T>> {
    let parallel = std::thread::available_parallelism().map_or(1, usize::from);
    let share = lines.len().div_ceil(parallel).max(1);
    std::thread::scope(|scope| {
        let read = |lines: &[&str]| {
            lines
                .iter()
                .map(|line| serde_json::from_str(line))
                .collect()
        };
        let workers: Vec<_> = lines
            .chunks(share)
            .map(|lines| scope.spawn(move || -> Vec<serde_json::Result<T>> { read(lines) }))
            .collect();
        let mut parsed = Vec::with_capacity(lines.len());
        for worker in workers {
            match worker.join() {
                Ok(part) => parsed.extend(part),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        parsed
    })
}
