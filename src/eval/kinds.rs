//! What runs of other kinds than datasets share: a `run.json` that names the kind, and a log of
//! lines.

use super::folder::{RUN, lock_run, write_run};
use crate::error::{Error, Result};
use crate::files::{self, Readers};
use crate::lock::Locked;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;
use std::fs;
use std::io::Write;
use std::path::Path;

/// A kind of run.
pub(super) struct RunKind {
    /// Its name in `run.json`.
    pub name: &'static str,
    /// The version of its log.
    pub version: u32,
    /// What it is a run of: `games`.
    pub of: &'static str,
    /// The command that makes one.
    pub made_by: &'static str,
    /// What decides whether two runs are one: `model, options and games`.
    pub identity: &'static str,
}

impl RunKind {
    /// Whether a folder has a run of this kind.
    pub fn is_in(&self, folder: &Path) -> bool {
        let json = fs::read(folder.join(RUN)).ok();
        let json = json.and_then(|bytes| serde_json::from_slice::<Json>(&bytes).ok());
        json.is_some_and(|json| json["kind"] == self.name)
    }

    /// Reads `run.json`.
    ///
    /// # Errors
    /// There is none, or it is of another kind or version.
    pub fn read<T: DeserializeOwned>(&self, folder: &Path) -> Result<T> {
        let path = folder.join(RUN);
        let wrong = |problem: String| Error::Content {
            path: path.clone(),
            problem,
        };
        let unclear = |error: serde_json::Error| wrong(format!("does not say what ran: {error}"));
        let bytes = fs::read(&path).map_err(Error::file("cannot read", &path))?;
        let json: Json = serde_json::from_slice(&bytes).map_err(unclear)?;
        let RunKind { of, made_by, .. } = self;
        if json["kind"] != self.name {
            return Err(wrong(format!("is no run of {of}; `{made_by}` makes one")));
        }
        if json["version"] != self.version {
            return Err(wrong(format!(
                "is of version {} of the log of {of}, and this dialog2api reads {}; run it again",
                json["version"], self.version
            )));
        }
        serde_json::from_value(json).map_err(unclear)
    }

    /// Begins a run in a new folder, or with `resume` goes on with the same run. Holds the lock of
    /// the run as long as the answer lives.
    ///
    /// # Errors
    /// The folder has a run already, or another run, or one in progress; or the disk failed.
    pub fn begin<T>(&self, folder: &Path, run: &T, resume: bool) -> Result<Locked>
    where
        T: PartialEq + Serialize + DeserializeOwned,
    {
        let (shown, begun) = (folder.display(), folder.join(RUN).exists());
        if begun && !resume {
            return Err(Error::Usage(format!(
                "{shown} has a run already: --resume goes on with it, and another --out begins anew"
            )));
        }
        if begun {
            if self.read::<T>(folder)? != *run {
                return Err(Error::Usage(format!(
                    "the run in {shown} is another one: name another --out, or the {} of that run, \
                     as {RUN} has them",
                    self.identity
                )));
            }
        } else {
            fs::create_dir_all(folder).map_err(Error::file("cannot make", folder))?;
            write_run(folder, run)?;
        }
        lock_run(folder)
    }
}

/// Reads the lines of a log. A last line that was not written to its end is left out.
pub(super) fn read_lines<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>> {
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

/// Replaces a log by these lines.
pub(super) fn replace_lines<'l, T: Serialize + 'l>(
    path: &Path,
    lines: impl Iterator<Item = &'l T> + Clone,
) -> Result<()> {
    files::replace_with(path, Readers::Umask, |file| {
        for line in lines.clone() {
            serde_json::to_writer(&mut *file, line)?;
            file.write_all(b"\n")?;
        }
        Ok(())
    })
}
