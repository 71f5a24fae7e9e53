//! The files of a dataset.

use crate::dialogue::{Transcript, read_transcript};
use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::{Path, PathBuf};

/// The part of a dataset that a dialogue belongs to: the name of its folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Split {
    /// Dialogues that a model may be shown.
    Train,
    /// Dialogues that a model is scored on.
    Test,
}

impl fmt::Display for Split {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Split::Train => "train",
            Split::Test => "test",
        })
    }
}

/// One file of a dataset.
///
/// ```
/// use dialog2api::dataset::{Dialogue, Split};
///
/// let text = "<conversation uid=\"hello-1\" goal=\"greet\" world=\"empty\">\n<turns>\n\
///     <turn>User: Hello!</turn>\n</turns>\n</conversation>\n";
/// let dialogue = Dialogue::parse("clinic/train/hello-1.xml".as_ref(), text.to_owned())?;
/// assert_eq!(dialogue.split, Some(Split::Train));
/// assert_eq!(dialogue.goal(), Some("greet"));
/// assert_eq!(dialogue.transcript.turns[0].user, "Hello!");
/// # Ok::<(), dialog2api::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Dialogue {
    /// Where it was read from.
    pub path: PathBuf,
    /// Its part, where it lies in a folder `train` or `test`.
    pub split: Option<Split>,
    /// The file as it is.
    pub text: String,
    /// The dialogue in it.
    pub transcript: Transcript,
}

impl Dialogue {
    /// Reads one file.
    ///
    /// # Errors
    /// The file cannot be read, or is not a dialogue: the error says where, and what was
    /// expected.
    pub fn read(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path).map_err(Error::file("cannot read", path))?;
        Self::parse(path, text)
    }

    /// A dialogue from the text of a file.
    ///
    /// # Errors
    /// As [`Dialogue::read`].
    pub fn parse(path: &Path, text: String) -> Result<Self> {
        let transcript = read_transcript(&text).map_err(|error| Error::Content {
            path: path.to_owned(),
            problem: error.to_string(),
        })?;
        Ok(Dialogue {
            path: path.to_owned(),
            split: split(path),
            text,
            transcript,
        })
    }

    /// The goal that the dialogue was written for.
    pub fn goal(&self) -> Option<&str> {
        self.transcript.attribute("goal")
    }

    /// The name of the world that it starts from.
    pub fn world(&self) -> Option<&str> {
        self.transcript.attribute("world")
    }
}

/// The part that a file belongs to, by its folder.
pub(super) fn split(path: &Path) -> Option<Split> {
    split_of(path.parent()?)
}

/// The part that a file belongs to, by the nearest folder that names one, up to `root`.
pub(super) fn split_below(root: &Path, path: &Path) -> Option<Split> {
    let folders = path.ancestors().skip(1);
    folders
        .take_while(|folder| folder.starts_with(root))
        .find_map(split_of)
}

/// The part that a folder names. A domain that is a folder has its training part in `examples`
/// and, with worksheets, its test part in `tests`.
fn split_of(folder: &Path) -> Option<Split> {
    match folder.file_name()?.to_str()? {
        "train" | "examples" => Some(Split::Train),
        "test" | "tests" => Some(Split::Test),
        _ => None,
    }
}

/// Reads a dialogue, or all of [`files`].
///
/// # Errors
/// Those of [`files`]; a file cannot be read, or is no dialogue.
pub fn read(path: &Path) -> Result<Vec<Dialogue>> {
    let files = files(path)?;
    let read = |file: &PathBuf| {
        let dialogue = Dialogue::read(file)?;
        let split = dialogue.split.or_else(|| split_below(path, file));
        Ok(Dialogue { split, ..dialogue })
    };
    files.iter().map(read).collect()
}

/// The dialogue files at a path: the file itself, or every `*.xml` file in a folder and its
/// subfolders, in the order of their paths. Folders whose name begins with a dot, and those
/// called `recordings`, are left out.
///
/// # Errors
/// Nothing is there, or a folder cannot be read.
pub fn files(path: &Path) -> Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files = Vec::new();
    collect(path, &mut files)?;
    files.sort();
    if files.is_empty() {
        return Err(Error::Content {
            path: path.to_owned(),
            problem: "expected a folder with dialogues (*.xml), and has none".to_owned(),
        });
    }
    Ok(files)
}

/// Folders that hold dialogues of another purpose.
const APART: &[&str] = &["recordings"];

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    let entries = std::fs::read_dir(folder).map_err(Error::file("cannot read", folder))?;
    for entry in entries {
        let path = entry.map_err(Error::file("cannot read", folder))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() {
            if !name.starts_with('.') && !APART.contains(&&*name) {
                collect(&path, files)?;
            }
        } else if name.ends_with(".xml") {
            files.push(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_folder_names_the_part() {
        let part = |file: &str| split_below("data/test/own".as_ref(), file.as_ref());
        assert_eq!(part("data/test/own/test/deep/one.xml"), Some(Split::Test));
        assert_eq!(part("data/test/own/test/train/one.xml"), Some(Split::Train));
        assert_eq!(part("data/test/own/deep/one.xml"), None);
    }
}
