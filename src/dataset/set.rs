//! A whole dataset, also where something in it is wrong.

use super::{Catalogue, Dialogue, file};
use crate::domain::{Domain, World};
use crate::error::{Error, Result};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A dataset as it lies in a folder: what could be read, and what could not.
pub struct Set {
    /// Where it lies.
    pub folder: PathBuf,
    /// What its programs act on.
    pub domain: &'static dyn Domain,
    /// The list of its goals; `Err` says what is wrong with it. `None` where there is none.
    pub catalogue: Option<Result<Catalogue, String>>,
    /// The dialogues, in the order of their paths.
    pub dialogues: Vec<Dialogue>,
    /// Files that are no dialogues, and why.
    pub unread: Vec<(PathBuf, String)>,
    /// The worlds that the dialogues name; `Err` says what is wrong with one.
    worlds: BTreeMap<String, Result<Arc<dyn World>, String>>,
}

/// The list of the goals, in a dataset's folder.
pub const CATALOGUE: &str = "goals.toml";

impl Set {
    /// Reads a dataset, or a single dialogue.
    ///
    /// # Errors
    /// There are no dialogues, or the disk failed. What is wrong in a file is part of the set.
    pub fn read(folder: &Path, domain: &'static dyn Domain) -> Result<Self> {
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
        domain: &'static dyn Domain,
        files: Vec<(PathBuf, Vec<u8>)>,
        catalogue: Option<&str>,
    ) -> Self {
        let mut set = Set {
            folder: folder.to_owned(),
            domain,
            catalogue: catalogue.map(Catalogue::parse),
            dialogues: Vec::new(),
            unread: Vec::new(),
            worlds: BTreeMap::new(),
        };
        for (path, bytes) in files {
            let Ok(text) = String::from_utf8(bytes) else {
                let problem = "is not UTF-8 text; save it as UTF-8".to_owned();
                set.unread.push((path, problem));
                continue;
            };
            match Dialogue::parse(&path, text) {
                Ok(dialogue) => set.dialogues.push(dialogue),
                Err(Error::Content { problem, .. }) => set.unread.push((path, problem)),
                Err(error) => set.unread.push((path, error.to_string())),
            }
        }
        for name in set.dialogues.iter().filter_map(Dialogue::world) {
            if !set.worlds.contains_key(name) {
                let world = open(folder, domain, name);
                set.worlds.insert(name.to_owned(), world);
            }
        }
        set
    }

    /// A fresh copy of the world that a dialogue starts from. `Err` says what is wrong
    /// with it; `None` where the dialogue names none.
    pub fn world(&self, dialogue: &Dialogue) -> Option<Result<Arc<dyn World>, String>> {
        let name = dialogue.world()?;
        let world = match self.worlds.get(name)? {
            Ok(world) => world.fork(),
            Err(problem) => return Some(Err(problem.clone())),
        };
        Some(world.ok_or_else(|| format!("the world {name:?} can not be copied")))
    }

    /// The list of the goals, where there is one and it can be read.
    pub fn listed(&self) -> Option<&Catalogue> {
        self.catalogue.as_ref()?.as_ref().ok()
    }

    /// A path as it is shown: within the dataset.
    pub fn shown<'a>(&self, path: &'a Path) -> &'a Path {
        let inside = path.strip_prefix(&self.folder).unwrap_or(path);
        if inside.as_os_str().is_empty() {
            path
        } else {
            inside
        }
    }
}

/// Opens the initial world of this name: the dataset's own description in its folder
/// `worlds`, or one that comes with the domain. `Err` is a sentence.
pub fn open(
    folder: &Path,
    domain: &'static dyn Domain,
    name: &str,
) -> Result<Arc<dyn World>, String> {
    // A name is no path: a dialogue does not open what lies elsewhere.
    let own = folder.join("worlds").join(format!("{name}.toml"));
    let is_name = !name.is_empty() && !name.starts_with('.') && !name.contains(['/', '\\']);
    if !is_name {
        return Err(format!(
            "a world is named by a word, and {name:?} is none; write the name of a world"
        ));
    }
    let spec = if own.is_file() {
        own.to_string_lossy().into_owned()
    } else if domain.worlds().contains(&name) {
        name.to_owned()
    } else {
        return Err(format!(
            "there is no world {name:?}; describe it in worlds/{name}.toml of the dataset, or \
             name one that `dialog2api world list` has"
        ));
    };
    domain
        .initial_world(&spec)
        .map_err(|error| error.to_string())
}
