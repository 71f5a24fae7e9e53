//! Saves the dialogue as a file in the format of the datasets.

use crate::cli::terminal;
use crate::dialogue::{Transcript, write_transcript};
use crate::error::{Error, Result};
use crate::files::{self, Readers};
use crate::secrets::scrub;
use std::fs;
use std::path::{Path, PathBuf};

/// The files to which the dialogue is saved.
pub struct Saved {
    /// The file of `--save`, written after every turn.
    kept: Option<PathBuf>,
    /// The last text that was written to each file. A file that still contains it may be
    /// replaced.
    written: Vec<(PathBuf, String)>,
}

impl Saved {
    /// Prepares saving to this file after every turn. The file must not exist yet.
    pub fn new(kept: Option<PathBuf>) -> Result<Self> {
        let saved = Saved {
            kept,
            written: Vec::new(),
        };
        match &saved.kept {
            Some(path) if path.exists() => Err(Error::usage(format!(
                "{} is there already; give --save a new file",
                path.display()
            ))),
            _ => Ok(saved),
        }
    }

    /// Writes to the file of `--save`, if there is one. A failure is reported but does
    /// not end the dialogue.
    pub fn keep(&mut self, transcript: impl FnOnce(&str) -> Result<Transcript>) {
        if let Some(path) = self.kept.clone()
            && let Err(error) = self.write(transcript, &path, false)
        {
            terminal::complain("note", &format!("the dialogue is not saved: {error}"));
        }
    }

    /// Writes the dialogue so far, under the name of the file. An existing file is
    /// replaced only if it still contains the text that was written here before, or if
    /// `replace` is set.
    pub fn write(
        &mut self,
        transcript: impl FnOnce(&str) -> Result<Transcript>,
        path: &Path,
        replace: bool,
    ) -> Result<()> {
        let uid = path
            .file_stem()
            .map(|stem| stem.to_string_lossy())
            .unwrap_or_default();
        // A key that the user pasted is none of the reader's business.
        let text = scrub(&write_transcript(&transcript(&uid)?)).into_owned();
        let ours = self.written.iter().find(|(known, _)| known == path);
        match fs::read(path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Ok(bytes) if ours.is_some_and(|(_, last)| last.as_bytes() == bytes) => {}
            _ if replace => {}
            Ok(_) => {
                return Err(Error::usage(format!(
                    "there is a file {0} already; /save! {0} replaces it",
                    path.display()
                )));
            }
            Err(error) => return Err(Error::file("cannot write", path)(error)),
        }
        files::replace(path, text.as_bytes(), Readers::Owner)?;
        self.written.retain(|(known, _)| known != path);
        self.written.push((path.to_owned(), text));
        Ok(())
    }
}
