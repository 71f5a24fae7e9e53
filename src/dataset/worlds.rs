//! The initial worlds of dialogues.

use super::Dialogue;
use crate::domain::{self, Domain, World};
use crate::error::{Error, FailureReason, Result};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// The initial worlds of dialogues. Each is opened once; every replay gets a fork.
pub struct InitialWorlds {
    domain: Arc<Domain>,
    /// The world for all dialogues, instead of the one that each names.
    given: Option<String>,
    open: Mutex<HashMap<String, Arc<dyn World>>>,
}

/// The folder of a dataset that has its worlds.
const FOLDER: &str = "worlds";

impl InitialWorlds {
    /// The worlds that the dialogues name.
    pub fn new(domain: &Arc<Domain>) -> Self {
        InitialWorlds {
            domain: domain.clone(),
            given: None,
            open: Mutex::default(),
        }
    }

    /// One world for all dialogues, whatever they name: see [`Domain::initial_world`].
    pub fn all_from(domain: &Arc<Domain>, spec: &str) -> Self {
        InitialWorlds {
            given: Some(spec.to_owned()),
            ..Self::new(domain)
        }
    }

    /// A fresh copy of the world that a dialogue starts from: see [`InitialWorlds::named`].
    ///
    /// # Errors
    /// It names no world, or one that does not exist: the error is about the dialogue. Or
    /// the description is wrong: the error has its path, line and column.
    pub fn of(&self, dialogue: &Dialogue) -> Result<Arc<dyn World>> {
        let name = dialogue.world().or(self.given.as_deref());
        let name = name.ok_or_else(|| Error::Content {
            path: dialogue.path.clone(),
            problem: "names no world to start from: write <conversation uid=\"…\" world=\"NAME\">"
                .to_owned(),
        })?;
        self.named(&root(dialogue), name)
            .map_err(|error| match error.is(FailureReason::Usage) {
                true => Error::Content {
                    path: dialogue.path.clone(),
                    problem: error.to_string(),
                },
                false => error,
            })
    }

    /// A fresh copy of a world: the description `worlds/NAME.*` of the dataset, or else the
    /// built-in world of that name. A name cannot lead to any other file.
    ///
    /// # Errors
    /// There is no such world, or the description is wrong.
    pub fn named(&self, dataset: &Path, name: &str) -> Result<Arc<dyn World>> {
        let spec = match &self.given {
            Some(spec) => spec.clone(),
            None => self.spec(&dataset.join(FOLDER), name)?,
        };
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let world = match open.get(&spec) {
            Some(world) => world,
            None => {
                let world = self.domain.initial_world(&spec)?;
                open.entry(spec).or_insert(world)
            }
        };
        domain::separate(&**world).ok_or_else(|| {
            Error::usage(format!(
                "starts from {}, which cannot be copied",
                world.describe()
            ))
        })
    }

    fn spec(&self, folder: &Path, name: &str) -> Result<String> {
        if let Some(file) = description(folder, name) {
            return Ok(file.to_string_lossy().into_owned());
        }
        if self.domain.world_names().iter().any(|known| known == name) {
            Ok(name.to_owned())
        } else {
            Err(Error::usage(format!(
                "starts from a world {name:?}, and there is none of that name: neither in {} nor \
                 with the program (`dialog2api world list` names those)",
                folder.display()
            )))
        }
    }
}

/// The folder of a dialogue's dataset.
fn root(dialogue: &Dialogue) -> PathBuf {
    let parent = dialogue.path.parent().unwrap_or(Path::new(""));
    match dialogue.split {
        Some(_) => parent.parent().unwrap_or(Path::new("")),
        None => parent,
    }
    .to_owned()
}

/// The description in this folder that has the name.
fn description(folder: &Path, name: &str) -> Option<PathBuf> {
    let entries = std::fs::read_dir(folder).ok()?;
    let files = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let is_named = |file: &PathBuf| {
        let file_name = file.file_name().unwrap_or_default().to_string_lossy();
        let ending = file_name.strip_prefix(name);
        ending.is_some_and(|ending| ending.starts_with('.') && !ending.contains(".."))
    };
    files.filter(|file| is_named(file) && file.is_file()).min()
}
