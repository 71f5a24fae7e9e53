//! A whole dataset, including the files that cannot be read.

use super::examples::folder_name;
use super::{Catalogue, Dialogue, InitialWorlds, file};
use crate::domain::{Domain, World};
use crate::error::{Error, Result};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A dataset as it was read from a folder.
pub struct Set {
    /// The folder.
    pub folder: PathBuf,
    /// The domain of its programs.
    pub domain: Arc<Domain>,
    /// Its `goals.toml`, or what is wrong with that file. `None` if there is none.
    pub catalogue: Option<Result<Catalogue, String>>,
    /// The dialogues, in the order of their paths.
    pub dialogues: Vec<Dialogue>,
    /// Files that are not dialogues, each with the reason.
    pub unread: Vec<(PathBuf, String)>,
    /// The worlds that the dialogues start from.
    worlds: InitialWorlds,
}

/// The list of goals in a dataset's folder.
pub const CATALOGUE: &str = "goals.toml";

impl Set {
    /// Reads a dataset, or a single dialogue.
    ///
    /// # Errors
    /// There are no dialogues, or the disk failed. A mistake in a file is no error: see
    /// [`Set::unread`] and [`Set::catalogue`].
    pub fn read(folder: &Path, domain: &Arc<Domain>) -> Result<Self> {
        let mut texts = Vec::new();
        for path in file::files(folder)? {
            let bytes = std::fs::read(&path).map_err(Error::file("cannot read", &path))?;
            texts.push((path, bytes));
        }
        if !folder.is_dir() {
            // A dialogue lies in a part of its dataset.
            let part = folder.parent().unwrap_or(Path::new(""));
            return Ok(Self::of(&part.join(".."), domain, texts, None));
        }
        let path = folder.join(CATALOGUE);
        let catalogue = match std::fs::read_to_string(&path) {
            Ok(text) => Some(text),
            Err(_) if !path.exists() => None,
            Err(error) => return Err(Error::file("cannot read", path)(error)),
        };
        Ok(Self::of(folder, domain, texts, catalogue.as_deref()))
    }

    /// A dataset of these files, with the text of its list of goals.
    pub fn of(
        folder: &Path,
        domain: &Arc<Domain>,
        files: Vec<(PathBuf, Vec<u8>)>,
        catalogue: Option<&str>,
    ) -> Self {
        let mut set = Set {
            folder: folder.to_owned(),
            domain: domain.clone(),
            catalogue: catalogue.map(Catalogue::parse),
            dialogues: Vec::new(),
            unread: Vec::new(),
            worlds: InitialWorlds::new(domain),
        };
        for (path, bytes) in files {
            let Ok(text) = String::from_utf8(bytes) else {
                let problem = "is not UTF-8 text; save it as UTF-8".to_owned();
                set.unread.push((path, problem));
                continue;
            };
            match Dialogue::parse(&path, text) {
                Ok(mut dialogue) => {
                    let below = || file::split_below(folder, &dialogue.path);
                    dialogue.split = dialogue.split.or_else(below);
                    set.dialogues.push(dialogue);
                }
                Err(Error::Content { problem, .. }) => set.unread.push((path, problem)),
                Err(error) => set.unread.push((path, error.to_string())),
            }
        }
        set
    }

    /// A fresh copy of the world that a dialogue starts from.
    ///
    /// # Errors
    /// Those of [`InitialWorlds::of`].
    pub fn world(&self, dialogue: &Dialogue) -> Result<Arc<dyn World>> {
        self.worlds.of(dialogue)
    }

    /// The name for people: that of its folder.
    pub fn name(&self) -> Option<String> {
        folder_name(&self.folder)
    }

    /// The list of goals, if there is one that can be read.
    pub fn listed(&self) -> Option<&Catalogue> {
        self.catalogue.as_ref()?.as_ref().ok()
    }

    /// A path relative to the dataset, for people.
    pub fn shown<'a>(&self, path: &'a Path) -> &'a Path {
        let inside = path.strip_prefix(&self.folder).unwrap_or(path);
        if inside.as_os_str().is_empty() {
            path
        } else {
            inside
        }
    }
}
