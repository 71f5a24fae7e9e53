//! The files of a run of games.

use super::log::{GameLine, GameRun, KIND, UnitKey, VERSION};
use crate::error::{Error, Result};
use crate::eval::folder::{LOG, RUN, append_to, lock_run, write_line, write_run};
use crate::files::{self, AppendLog, Readers};
use crate::lock::Locked;
use serde_json::Value as Json;
use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Whether a folder has a run of games.
pub fn is_run(folder: &Path) -> bool {
    let json = fs::read(folder.join(RUN)).ok();
    let json = json.and_then(|bytes| serde_json::from_slice::<Json>(&bytes).ok());
    json.is_some_and(|json| json["kind"] == KIND)
}

/// Reads `run.json`.
pub(super) fn read_run(folder: &Path) -> Result<GameRun> {
    let path = folder.join(RUN);
    let wrong = |problem: String| Error::Content {
        path: path.clone(),
        problem,
    };
    let bytes = fs::read(&path).map_err(Error::file("cannot read", &path))?;
    let json: Json = serde_json::from_slice(&bytes)
        .map_err(|error| wrong(format!("does not say what ran: {error}")))?;
    if json["kind"] != KIND {
        return Err(wrong(
            "is no run of games; `dialog2api game eval --out DIR` makes one".to_owned(),
        ));
    }
    if json["version"] != VERSION {
        return Err(wrong(format!(
            "is of version {} of the log of games, and this dialog2api reads {VERSION}; run it again",
            json["version"]
        )));
    }
    serde_json::from_value(json).map_err(|error| wrong(format!("does not say what ran: {error}")))
}

/// Reads the lines of a log. A last line that was not written to its end is left out.
pub(super) fn read_lines(path: &Path) -> Result<Vec<GameLine>> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(Error::file("cannot read", path)(error)),
    };
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    let lines = (1..).zip(whole.lines());
    let read = |(number, line): (usize, &str)| {
        serde_json::from_str(line).map_err(|error| Error::Content {
            path: path.to_owned(),
            problem: format!("line {number}: {error}"),
        })
    };
    lines.map(read).collect()
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
    /// The folder has a run already, or another run, or one in progress; or the disk failed.
    pub fn open(
        folder: &Path,
        run: &GameRun,
        resume: bool,
    ) -> Result<(Journal, BTreeSet<UnitKey>)> {
        let (shown, begun) = (folder.display(), folder.join(RUN).exists());
        if begun && !resume {
            return Err(Error::Usage(format!(
                "{shown} has a run already: --resume goes on with it, and another --out begins anew"
            )));
        }
        if begun {
            if read_run(folder)? != *run {
                return Err(Error::Usage(format!(
                    "the run in {shown} is another one: name another --out, or the model, options \
                     and games of that run, as {RUN} has them"
                )));
            }
        } else {
            fs::create_dir_all(folder).map_err(Error::file("cannot make", folder))?;
            write_run(folder, run)?;
        }
        let lock = lock_run(folder)?;
        let path = folder.join(LOG);
        let mut lines = read_lines(&path)?;
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
        write(&self.path, &mut read_lines(&self.path)?)
    }
}

/// The units that were played to their end.
fn samples(lines: &[GameLine]) -> BTreeSet<UnitKey> {
    let ends = lines.iter().filter(|line| line.sample().is_some());
    ends.map(|line| line.unit.clone()).collect()
}

pub(super) fn write(path: &Path, lines: &mut [GameLine]) -> Result<()> {
    lines.sort_by(|a, b| a.key().cmp(&b.key()));
    files::replace_with(path, Readers::Umask, |file| {
        for line in lines.iter() {
            serde_json::to_writer(&mut *file, line)?;
            file.write_all(b"\n")?;
        }
        Ok(())
    })
}
