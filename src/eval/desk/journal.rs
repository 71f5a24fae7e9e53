//! The files of a run.

use super::log::{DeskRun, DeskTurn, KIND, VERSION};
use crate::error::{Error, Result};
use crate::eval::folder::{LOG, append_to, write_line};
use crate::eval::kinds::{RunKind, read_lines, replace_lines};
use crate::files::AppendLog;
use crate::lock::Locked;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

pub(super) const RUNS: RunKind = RunKind {
    name: KIND,
    version: VERSION,
    of: "simulated dialogues",
    made_by: "dialog2api claims simulate --out DIR",
};

/// The dialogues of a log that came to their end, by name.
///
/// # Errors
/// A dialogue has other turns than the first, the second and so on up to its end.
pub(super) fn read_dialogues(path: &Path) -> Result<BTreeMap<String, Vec<DeskTurn>>> {
    let mut dialogues: BTreeMap<String, Vec<DeskTurn>> = BTreeMap::new();
    for turn in read_lines::<DeskTurn>(path)? {
        let turns = dialogues.entry(turn.dialogue.clone()).or_default();
        let is_over = turns.last().is_some_and(|last| last.end.is_some());
        if is_over || turn.turn as usize != turns.len() + 1 {
            return Err(Error::Content {
                path: path.to_owned(),
                problem: format!(
                    "has turn {} of {} behind {} of its turns: it is damaged, so begin anew with \
                     another --out",
                    turn.turn,
                    turn.dialogue,
                    turns.len()
                ),
            });
        }
        turns.push(turn);
    }
    dialogues.retain(|_, turns| turns.last().is_some_and(|turn| turn.end.is_some()));
    Ok(dialogues)
}

/// The log of a run in progress. Only one process can have it open.
pub(super) struct Journal {
    path: PathBuf,
    file: Mutex<AppendLog>,
    /// The lock, held for the whole run.
    _run: Locked,
}

impl Journal {
    /// Opens the folder of a run: a new one, or with `resume` one that was begun. Gives the names
    /// of the dialogues that are done.
    ///
    /// # Errors
    /// Those of `begin_run`, or the log is damaged.
    pub fn open(folder: &Path, run: &DeskRun, resume: bool) -> Result<(Journal, Vec<String>)> {
        let lock = RUNS.begin(folder, run, resume)?;
        let path = folder.join(LOG);
        let dialogues = read_dialogues(&path)?;
        replace_lines(&path, dialogues.values().flatten())?;
        let journal = Journal {
            file: Mutex::new(append_to(&path)?),
            path,
            _run: lock,
        };
        Ok((journal, dialogues.into_keys().collect()))
    }

    /// Appends a dialogue.
    pub fn write(&self, turns: &[DeskTurn]) -> Result<()> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        for turn in turns {
            write_line(&mut file, turn).map_err(Error::file("cannot write to", &self.path))?;
        }
        Ok(())
    }

    /// Ends the run: sorts the dialogues by name.
    pub fn finish(&self) -> Result<()> {
        let _writing = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let dialogues = read_dialogues(&self.path)?;
        replace_lines(&self.path, dialogues.values().flatten())
    }
}
