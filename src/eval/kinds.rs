//! What runs of other kinds than datasets share: a `run.json` that names the kind, and a log of
//! lines.

use super::folder::{RUN, begin_run, fields_differ};
use crate::error::{Error, Result};
use crate::files::{self, Readers};
use crate::lock::Locked;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;
use std::fs;
use std::io::Write;
use std::path::Path;

pub(super) struct RunKind {
    /// Its name in `run.json`.
    pub name: &'static str,
    /// The version of its log.
    pub version: u32,
    /// What it is a run of: `games`.
    pub of: &'static str,
    /// The command that makes one.
    pub made_by: &'static str,
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
        let RunKind { of, made_by, .. } = self;
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Err(Error::Content {
                    path: folder.to_owned(),
                    problem: format!("is no run of {of}: it has no {RUN}. `{made_by}` makes one"),
                });
            }
            Err(error) => return Err(Error::file("cannot read", &path)(error)),
        };
        let json: Json = serde_json::from_slice(&bytes).map_err(unclear)?;
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

    /// As [`begin_run`].
    pub fn begin<T>(&self, folder: &Path, run: &T, resume: bool) -> Result<Locked>
    where
        T: Serialize + DeserializeOwned,
    {
        begin_run(folder, run, resume, || {
            Ok(fields_differ(run, &self.read::<T>(folder)?))
        })
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
