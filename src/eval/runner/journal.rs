//! The files of a run in progress.

use crate::error::{Error, Result};
use crate::eval::folder::{
    self, LOG, TIMINGS, append_to, begin_run, differences, read_run, read_timings, write_line,
    write_timings,
};
use crate::eval::lines::{DialogueProgress, Line, Lines};
use crate::eval::log::{Run, TurnLog, TurnTiming};
use crate::files::AppendLog;
use crate::lock::Locked;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The log of a run in progress. Only one process can have it open.
pub(super) struct Journal {
    folder: PathBuf,
    files: Mutex<Files>,
    /// The lock, held for the whole run. Its file is never replaced.
    _run: Locked,
}

struct Files {
    log: AppendLog,
    timings: AppendLog,
    timed: BTreeSet<folder::TurnKey>,
}

/// The dialogues that an earlier process finished, by uid and epoch: for each turn, whether
/// it is right.
pub(super) type Kept = BTreeMap<(String, u32), Vec<bool>>;

impl Journal {
    /// Opens the folder of a run: a new one, or with `resume` one that was begun. Unfinished
    /// dialogues are dropped from the log and run again: their answers are in the response
    /// cache.
    ///
    /// # Errors
    /// The folder has a run already, or another run, or one that is in progress; or the disk
    /// failed.
    pub fn open(folder: &Path, run: &Run, resume: bool) -> Result<(Journal, Kept)> {
        let lock = begin_run(folder, run, resume, || {
            Ok(differences(run, &read_run(folder)?))
        })?;
        let log = folder.join(LOG);
        let mut kept = Kept::new();
        if log.exists() {
            let mut lines = Lines::read(&log)?;
            let standings = lines.standings();
            let finished = |line: &Line| {
                let key = (line.place.dialogue.clone(), line.place.epoch);
                standings.get(&key) == Some(&DialogueProgress::Finished)
            };
            if lines.retain(finished) {
                lines.write(&log)?;
            }
            for line in lines.lines {
                let key = (line.place.dialogue, line.place.epoch);
                kept.entry(key).or_default().push(line.matches);
            }
        }
        let mut timings = read_timings(folder);
        write_timings(folder, &mut timings)?;
        let files = Files {
            log: append_to(&log)?,
            timings: append_to(&folder.join(TIMINGS))?,
            timed: timings.iter().map(folder::place).collect(),
        };
        let journal = Journal {
            folder: folder.to_owned(),
            files: Mutex::new(files),
            _run: lock,
        };
        Ok((journal, kept))
    }

    /// Appends a turn. It is in the log when this returns.
    pub fn turn(&self, log: &TurnLog, timing: Option<&TurnTiming>) -> Result<()> {
        let mut files = self.lock();
        let Files {
            log: file,
            timings,
            timed,
        } = &mut *files;
        write_line(file, log).map_err(Error::file("cannot write to", self.folder.join(LOG)))?;
        // The first time is the one that was waited for.
        if let Some(timing) = timing.filter(|timing| timed.insert(folder::place(timing))) {
            write_line(timings, timing)
                .map_err(Error::file("cannot write to", self.folder.join(TIMINGS)))?;
        }
        Ok(())
    }

    /// Ends the run: sorts the lines into the order of a complete log.
    pub fn finish(&self) -> Result<()> {
        let _writing = self.lock();
        let log = self.folder.join(LOG);
        Lines::read(&log)?.write(&log)?;
        write_timings(&self.folder, &mut read_timings(&self.folder))
    }

    fn lock(&self) -> MutexGuard<'_, Files> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
