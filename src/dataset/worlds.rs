//! What dialogues start from.

use super::Dialogue;
use crate::domain::{Domain, World};
use crate::error::{Error, Result};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// The initial worlds of dialogues. Each is opened once; every replay has a fork.
pub struct Worlds {
    domain: &'static dyn Domain,
    /// Opened instead of what the dialogues name.
    given: Option<String>,
    open: Mutex<HashMap<String, Arc<dyn World>>>,
}

/// The folder of a dataset that has its worlds.
const FOLDER: &str = "worlds";

impl Worlds {
    /// The worlds that the dialogues name.
    pub fn new(domain: &'static dyn Domain) -> Self {
        Worlds {
            domain,
            given: None,
            open: Mutex::default(),
        }
    }

    /// One world for all dialogues, whatever they name: see [`Domain::initial_world`].
    pub fn all_from(domain: &'static dyn Domain, spec: &str) -> Self {
        Worlds {
            given: Some(spec.to_owned()),
            ..Self::new(domain)
        }
    }

    /// A fresh copy of the world that a dialogue starts from: a description of the name
    /// it gives in the folder `worlds` of its dataset, or else the domain's world of that
    /// name. A dialogue cannot name any other file.
    ///
    /// # Errors
    /// It names none, or none that there is, or the description is wrong.
    pub fn of(&self, dialogue: &Dialogue) -> Result<Arc<dyn World>> {
        let spec = match &self.given {
            Some(spec) => spec.clone(),
            None => self.spec(dialogue)?,
        };
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let world = match open.get(&spec) {
            Some(world) => world,
            None => {
                let world = self.domain.initial_world(&spec)?;
                open.entry(spec).or_insert(world)
            }
        };
        world.fork().ok_or_else(|| Error::Content {
            path: dialogue.path.clone(),
            problem: format!("{} cannot be copied", world.describe()),
        })
    }

    fn spec(&self, dialogue: &Dialogue) -> Result<String> {
        let wrong = |problem: String| Error::Content {
            path: dialogue.path.clone(),
            problem,
        };
        let name = dialogue.world().ok_or_else(|| {
            wrong(
                "names no world to start from: write <conversation uid=\"…\" world=\"NAME\">"
                    .to_owned(),
            )
        })?;
        let folder = folder(dialogue);
        if let Some(file) = description(&folder, name) {
            return Ok(file.to_string_lossy().into_owned());
        }
        match self.domain.worlds().contains(&name) {
            true => Ok(name.to_owned()),
            false => Err(wrong(format!(
                "starts from a world {name:?}, and there is none of that name: neither in {} nor \
                 with the program (`dialog2api world list` names those)",
                folder.display()
            ))),
        }
    }
}

/// Where the worlds of a dialogue's dataset are.
fn folder(dialogue: &Dialogue) -> PathBuf {
    let parent = dialogue.path.parent().unwrap_or(Path::new(""));
    let root = match dialogue.split {
        Some(_) => parent.parent().unwrap_or(Path::new("")),
        None => parent,
    };
    root.join(FOLDER)
}

/// The description in this folder that has the name.
fn description(folder: &Path, name: &str) -> Option<PathBuf> {
    let entries = std::fs::read_dir(folder).ok()?;
    let files = entries.filter_map(|entry| Some(entry.ok()?.path()));
    files
        .filter(|file| file.file_stem().is_some_and(|stem| stem == name) && file.is_file())
        .min()
}
