//! The files of a run of games.

use super::log::{GameLine, GameRun, KIND, UnitKey, VERSION};
use crate::error::{Error, Result};
use crate::eval::folder::{LOG, append_to, write_line};
use crate::eval::kinds::{RunKind, read_lines, replace_lines};
use crate::files::AppendLog;
use crate::lock::Locked;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

pub(super) const RUNS: RunKind = RunKind {
    name: KIND,
    version: VERSION,
    of: "games",
    made_by: "dialog2api game eval --out DIR",
};

/// Whether a folder has a run of games.
pub fn is_run(folder: &Path) -> bool {
    RUNS.is_in(folder)
}

/// The log of a run in progress. Only one process can have it open.
pub(super) struct Journal {
    path: PathBuf,
    file: Mutex<AppendLog>,
    /// The lock, held for the whole run.
    _run: Locked,
}

impl Journal {
    /// Opens the folder of a run: a new one, or with `resume` one that was begun. Games that were
    /// not played to their end are dropped and begin anew: what models said is in the cache. Gives
    /// the units that are done.
    ///
    /// # Errors
    /// Those of `begin_run`, or the log is damaged.
    pub fn open(
        folder: &Path,
        run: &GameRun,
        resume: bool,
    ) -> Result<(Journal, BTreeSet<UnitKey>)> {
        let lock = RUNS.begin(folder, run, resume)?;
        let path = folder.join(LOG);
        let mut lines: Vec<GameLine> = read_lines(&path)?;
        let done = samples(&lines);
        lines.retain(|line| done.contains(&line.unit));
        write(&path, &mut lines)?;
        let journal = Journal {
            file: Mutex::new(append_to(&path)?),
            path,
            _run: lock,
        };
        Ok((journal, done))
    }

    /// Appends a line. It is in the log when this returns.
    pub fn write(&self, line: &GameLine) -> Result<()> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        write_line(&mut file, line).map_err(Error::file("cannot write to", &self.path))
    }

    /// Ends the run: sorts the lines into the order of a complete log.
    pub fn finish(&self) -> Result<()> {
        let _writing = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        write(&self.path, &mut read_lines::<GameLine>(&self.path)?)
    }
}

/// The units that were played to their end.
fn samples(lines: &[GameLine]) -> BTreeSet<UnitKey> {
    let ends = lines.iter().filter(|line| line.sample().is_some());
    ends.map(|line| line.unit.clone()).collect()
}

pub(super) fn write(path: &Path, lines: &mut [GameLine]) -> Result<()> {
    lines.sort_by(|a, b| a.key().cmp(&b.key()));
    replace_lines(path, lines.iter())
}
