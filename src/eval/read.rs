//! Reads a run: its description, its turns, and whether they are complete.

use super::folder::{self, LOG, RUN};
use super::lines::{DialogueProgress, Lines, Texts};
use super::log::{Run, TurnLog};
use crate::domain::{counted, plural};
use crate::error::{Error, Result};
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

/// A run as it was read from a folder.
#[derive(Debug, Clone)]
pub struct RecordedRun {
    /// The folder.
    pub folder: PathBuf,
    /// The settings of the run.
    pub run: Run,
    /// The turns, in the order of dialogue, epoch and turn.
    pub turns: Vec<TurnLog>,
    /// Whether any are missing. No figure may be shown without it.
    pub completeness: Completeness,
}

/// The part of a run that is scored. It need not come from a folder.
#[derive(Debug, Clone, PartialEq)]
pub struct RunLog {
    /// The settings of the run.
    pub run: Run,
    /// Its turns, in any order.
    pub turns: Vec<TurnLog>,
}

/// Whether all turns of a run are in its log. `Display` is a sentence.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Completeness {
    /// The dialogues of the run, or of its shard, counted once for each epoch.
    pub dialogues: usize,
    /// The dialogues with all their turns.
    pub finished: usize,
    /// The dialogues that were begun and not finished: uid, epoch, progress.
    pub unfinished: BTreeMap<(String, u32), DialogueProgress>,
    /// Turns in the log.
    pub turns: usize,
    /// The number of the last line (from 1) if it was cut off. It was left out.
    pub cut_off: Option<usize>,
}

impl Completeness {
    /// Whether nothing is missing.
    pub fn is_complete(&self) -> bool {
        self.finished == self.dialogues && self.unfinished.is_empty() && self.cut_off.is_none()
    }

    /// The number of dialogues that were not begun.
    pub fn missing(&self) -> usize {
        self.dialogues
            .saturating_sub(self.finished + self.unfinished.len())
    }

    /// The number of dialogues that ended early, through no fault of the model.
    pub fn failed(&self) -> usize {
        let standings = self.unfinished.values();
        let failed =
            standings.filter(|standing| matches!(standing, DialogueProgress::Failed { .. }));
        failed.count()
    }

    pub(super) fn of(run: &Run, lines: &Lines) -> Self {
        let places = 1..=run.dataset.dialogues;
        let own = places.filter(|place| run.shard.is_none_or(|shard| shard.has(*place)));
        let mut unfinished = lines.standings();
        let begun = unfinished.len();
        unfinished.retain(|_, standing| *standing != DialogueProgress::Finished);
        Completeness {
            dialogues: own.count() * run.epochs as usize,
            finished: begun - unfinished.len(),
            unfinished,
            turns: lines.lines.len(),
            cut_off: lines.cut_off,
        }
    }
}

impl fmt::Display for Completeness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Completeness {
            dialogues,
            finished,
            turns,
            ..
        } = self;
        let (all, are) = (
            counted(*dialogues, "dialogue"),
            plural(*dialogues, "is", "are"),
        );
        let turns_are = plural(*turns, "is", "are");
        let turns = counted(*turns, "turn");
        if self.is_complete() {
            return match dialogues {
                1 => write!(f, "the dialogue is finished ({turns})"),
                _ => write!(f, "all {all} are finished ({turns})"),
            };
        }
        write!(
            f,
            "{finished} of {all} {are} finished ({turns} {turns_are} there)"
        )?;
        let failed = self.failed();
        if failed > 0 {
            write!(
                f,
                "; {failed} ended early because the provider or dialog2api failed"
            )?;
        }
        let partial = self.unfinished.len() - failed;
        if partial > 0 {
            write!(
                f,
                "; {partial} {} interrupted",
                plural(partial, "was", "were")
            )?;
        }
        if self.missing() > 0 {
            let missing = self.missing();
            write!(
                f,
                "; {missing} {} not begun",
                plural(missing, "was", "were")
            )?;
        }
        if let Some(line) = self.cut_off {
            write!(f, "; line {line} of the log is cut off and was left out")?;
        }
        write!(f, "; `dialog2api eval … --resume` goes on")
    }
}

/// Reads the folder of a run, complete or not: see [`RecordedRun::completeness`].
///
/// # Errors
/// It is not a run, has another version, or is damaged: the error says where.
pub fn read(folder: &Path) -> Result<RecordedRun> {
    let run = folder::read_run(folder)?;
    let path = folder.join(LOG);
    if !path.exists() {
        return Err(Error::Content {
            path: folder.to_owned(),
            problem: format!(
                "has {RUN} and no {LOG}: nothing ran yet; `dialog2api eval … --resume` begins"
            ),
        });
    }
    let (mut turns, cut_off) = Texts::read(&path)?.parse(&path)?;
    let lines = Lines::of(&turns, cut_off).map_err(|problem| Error::Content {
        path: path.clone(),
        problem,
    })?;
    check(&run, &lines).map_err(|problem| Error::Content {
        path: path.clone(),
        problem,
    })?;
    let completeness = Completeness::of(&run, &lines);
    turns.sort_by(|a, b| {
        let key = |turn: &TurnLog| (turn.epoch, turn.truth.turn);
        (&a.truth.dialogue, key(a)).cmp(&(&b.truth.dialogue, key(b)))
    });
    Ok(RecordedRun {
        folder: folder.to_owned(),
        run,
        turns,
        completeness,
    })
}

/// Reads the folder of a run, to score it. A last line that was not written to its end is
/// left out where `partial` allows it.
///
/// # Errors
/// Those of [`read`], and a log that is cut off: a sentence with the file, the line, and what
/// is wrong.
pub fn load(folder: &Path, partial: bool) -> Result<RunLog> {
    let recorded = read(folder)?;
    match recorded.completeness.cut_off {
        Some(line) if !partial => Err(Error::Content {
            path: folder.join(LOG),
            problem: format!(
                "line {line}, the last one, is cut off: finish the run with `dialog2api eval \
                 --resume`, or score what is finished with --partial"
            ),
        }),
        _ => Ok(RunLog {
            run: recorded.run,
            turns: recorded.turns,
        }),
    }
}

/// Checks that the lines belong to this run.
pub(super) fn check(run: &Run, lines: &Lines) -> Result<(), String> {
    for line in &lines.lines {
        let folder::TurnKey {
            dialogue,
            epoch,
            turn,
        } = &line.place;
        if *epoch == 0 || *epoch > run.epochs {
            return Err(format!(
                "has epoch {epoch} of dialogue {dialogue:?}, and {RUN} says {}; it is the log of \
                 another run",
                counted(run.epochs, "epoch")
            ));
        }
        if *turn == 0 || *turn > line.turns {
            return Err(format!(
                "has turn {turn} of dialogue {dialogue:?}, which has {}",
                counted(line.turns, "turn")
            ));
        }
    }
    let (standings, epochs) = (lines.standings().len(), run.epochs as usize);
    if standings > run.dataset.dialogues as usize * epochs {
        return Err(format!(
            "has more dialogues than the {} that {RUN} says; it is the log of another run",
            run.dataset.dialogues
        ));
    }
    Ok(())
}

/// Checks that two runs are about the same dialogues.
///
/// # Errors
/// A sentence that names what differs.
pub fn same_dialogues(a: &Run, b: &Run) -> Result<(), String> {
    let mut other = a.clone();
    (other.dataset.split, other.dataset.dialogues) = (b.dataset.split, b.dataset.dialogues);
    other.dataset.digest.clone_from(&b.dataset.digest);
    other.shard = b.shard;
    (other.signature, other.domain) = (b.signature, b.domain.clone());
    match folder::differences(&other, a) {
        differences if differences.is_empty() => Ok(()),
        differences => Err(format!(
            "the runs are not about the same dialogues: {}",
            differences.join("; ")
        )),
    }
}
