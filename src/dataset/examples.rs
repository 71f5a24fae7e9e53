//! The dialogues that the examples of a prompt are taken from.

use super::{Dialogue, Set, Split, file};
use crate::dialogue::Transcript;
use crate::domain::Domain;
use crate::error::{Error, Result};
use std::path::Path;

/// The name of the examples that come with the program. A folder of that name is
/// `./builtin`.
pub const BUILT_IN: &str = "builtin";

/// Dialogues to take examples from. None of them is of a test part: a model that was shown
/// the answers cannot be scored on them.
#[derive(Debug, Clone, Default)]
pub struct ExampleDialogues {
    /// The name for people: `builtin`, `s3/train`. `None` where there are none, or where
    /// the dataset is not in a folder with a name.
    pub name: Option<String>,
    /// The dialogues.
    pub dialogues: Vec<Dialogue>,
    /// How many test dialogues of the folder were left out.
    pub left_out: usize,
}

impl ExampleDialogues {
    /// Examples as a user names them: [`BUILT_IN`], a dataset, a folder with dialogues, or
    /// one dialogue. Of a dataset only the training part is taken.
    ///
    /// # Errors
    /// A file is no dialogue, or nothing is left without the test dialogues.
    pub fn named(name: &Path, domain: &Domain) -> Result<Self> {
        if name == Path::new(BUILT_IN) {
            return Self::built_in(domain);
        }
        let mut dialogues = file::read(name)?;
        let all = dialogues.len();
        dialogues.retain(|dialogue| dialogue.split != Some(Split::Test));
        if dialogues.is_empty() {
            return Err(Error::Content {
                path: name.to_owned(),
                problem: "has only test dialogues. A model must not be shown what it is scored \
                          on: name training dialogues or `builtin` (those that come with the \
                          program)"
                    .to_owned(),
            });
        }
        let has_part = dialogues
            .iter()
            .any(|dialogue| dialogue.split == Some(Split::Train));
        let in_folder = folder_name(name);
        Ok(ExampleDialogues {
            name: in_folder.map(|name| {
                if has_part && name != "train" {
                    format!("{name}/{}", Split::Train)
                } else {
                    name
                }
            }),
            left_out: all - dialogues.len(),
            dialogues,
        })
    }

    /// The examples that come with the program; none for a domain without them.
    ///
    /// # Errors
    /// One of them is no dialogue.
    pub fn built_in(domain: &Domain) -> Result<Self> {
        let dialogues = (domain.teaching.examples.iter())
            .map(|(path, text)| Dialogue::parse(Path::new(&**path), text.to_string()))
            .collect::<Result<Vec<_>>>()?;
        Ok(ExampleDialogues {
            name: (!dialogues.is_empty()).then(|| BUILT_IN.to_owned()),
            dialogues,
            left_out: 0,
        })
    }

    /// The training part of a dataset, which may be empty.
    pub fn training_part(set: &Set) -> Self {
        let is_training = |dialogue: &&Dialogue| dialogue.split == Some(Split::Train);
        let dialogues: Vec<Dialogue> = set.dialogues.iter().filter(is_training).cloned().collect();
        let name = set.name().filter(|_| !dialogues.is_empty());
        ExampleDialogues {
            name: name.map(|name| format!("{name}/{}", Split::Train)),
            dialogues,
            left_out: 0,
        }
    }

    /// Those that a user names, else the training part of the dataset, else those that come
    /// with the program.
    ///
    /// # Errors
    /// As [`ExampleDialogues::named`].
    pub fn choose(named: Option<&Path>, set: &Set) -> Result<Self> {
        if let Some(name) = named {
            return Self::named(name, &set.domain);
        }
        let own = Self::training_part(set);
        if own.dialogues.is_empty() {
            return Self::built_in(&set.domain);
        }
        Ok(own)
    }

    /// The transcripts of the recorded dialogues.
    pub fn transcripts(&self) -> Vec<Transcript> {
        let dialogues = self.dialogues.iter();
        dialogues
            .map(|dialogue| dialogue.transcript.clone())
            .collect()
    }
}

/// The name of a folder, or of the folder that a file lies in, wherever it is named from.
pub(super) fn folder_name(path: &Path) -> Option<String> {
    let path = path.canonicalize().ok()?;
    let folder = if path.is_dir() {
        &*path
    } else {
        path.parent()?
    };
    Some(folder.file_name()?.to_string_lossy().into_owned())
}
