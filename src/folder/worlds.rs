//! The worlds of a folder's domain: its `worlds/`, and other files with a state.

use super::held_state::{HeldState, random_of};
use super::kept_file::KeptFile;
use super::runtime::SharedRuntime;
use super::state_file;
use super::world::{Facts, FolderWorld};
use crate::domain::{FoundWorld, NamedWorld, Opened, Opening, Overlaid, World, WorldKind, Worlds};
use crate::error::{Error, Result};
use crate::exec::Seed;
use async_trait::async_trait;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Opens the worlds of a folder.
pub struct FolderWorlds {
    /// The domain's name.
    pub name: String,
    /// The initial states by name; the first is the default.
    pub built_in: Vec<(String, PathBuf)>,
    /// The time when worlds start, if the domain has one.
    pub now: Option<jiff::Timestamp>,
    /// The part that answers calls.
    pub runtime: SharedRuntime,
    /// The operations.
    pub facts: Arc<Facts>,
}

/// Which state a user's words mean.
enum Choice<'a> {
    Initial(&'a str, &'a Path),
    File(&'a Path),
}

impl FolderWorlds {
    fn choose<'a>(&'a self, name: Option<&'a str>) -> Result<Choice<'a>> {
        let first = self.built_in.first().map(|(name, _)| name.as_str());
        let Some(name) = name.or(first) else {
            return Err(Error::usage(format!(
                "the domain {} has no world: put a state into its folder, as worlds/NAME.json, \
                 or name a file: --world FILE.json",
                self.name
            )));
        };
        if let Some((name, path)) = self.built_in.iter().find(|(known, _)| known == name) {
            return Ok(Choice::Initial(name, path));
        }
        if state_file::is_state(Path::new(name)) {
            return Ok(Choice::File(Path::new(name)));
        }
        let names: Vec<&str> = self
            .built_in
            .iter()
            .map(|(name, _)| name.as_str())
            .collect();
        Err(Error::usage(format!(
            "the domain {} has no world {name:?}; choose one of {}, or name a file with a state: \
             --world FILE.json",
            self.name,
            names.join(", ")
        )))
    }

    fn open_choice(&self, choice: &Choice<'_>, keep: bool) -> Result<FolderWorld> {
        let (path, about) = match choice {
            Choice::Initial(name, path) => (*path, format!("the world {name} of {}", self.name)),
            Choice::File(path) => (*path, path.display().to_string()),
        };
        let is_kept = keep && matches!(choice, Choice::File(_));
        let (file, state) = match is_kept {
            true => {
                let (file, state) = KeptFile::open(path)?;
                (Some(file), state)
            }
            false => (None, state_file::read(path)?),
        };
        let random = if is_kept { random_of(&state) } else { 0 };
        let start = self.now.unwrap_or_else(|| match is_kept {
            true => jiff::Timestamp::now(),
            false => Seed::default().now,
        });
        let held = HeldState::new(state, start, random).with_own_time(self.now.is_some());
        Ok(FolderWorld::new(
            &self.runtime,
            &self.facts,
            held,
            file,
            about,
        ))
    }

    fn identity(&self, choice: &Choice<'_>) -> String {
        match choice {
            Choice::Initial(name, _) => format!("{}/{name}", self.name),
            Choice::File(path) => {
                let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
                let whole = whole.canonicalize().unwrap_or(whole);
                whole.display().to_string()
            }
        }
    }
}

#[async_trait]
impl Worlds for FolderWorlds {
    fn built_in(&self) -> Vec<(String, String)> {
        let built_in = self.built_in.iter();
        let about = |path: &Path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            format!("worlds/{name}, in memory")
        };
        built_in
            .map(|(name, path)| (name.clone(), about(path)))
            .collect()
    }

    fn forms(&self) -> Vec<(String, String)> {
        let about = "a state in a file; what programs change is kept there";
        vec![("FILE.json".to_owned(), about.to_owned())]
    }

    fn find(&self, named: &NamedWorld) -> Result<FoundWorld> {
        let choice = self.choose(named.name.as_deref())?;
        let (name, kind) = match &choice {
            Choice::Initial(name, _) => ((*name).to_owned(), WorldKind::Memory),
            Choice::File(path) => (path.display().to_string(), WorldKind::Disk),
        };
        Ok(FoundWorld {
            name,
            kind,
            identity: Some(self.identity(&choice)),
            is_signed: true,
            blind_spots: None,
        })
    }

    async fn open(&self, named: &NamedWorld, _: Opening) -> Result<Opened> {
        let choice = self.choose(named.name.as_deref())?;
        Ok(Opened {
            kind: match choice {
                Choice::Initial(..) => WorldKind::Memory,
                Choice::File(_) => WorldKind::Disk,
            },
            identity: self.identity(&choice),
            world: Arc::new(self.open_choice(&choice, true)?),
            folders: BTreeMap::new(),
        })
    }

    async fn open_overlay(&self, named: &NamedWorld, _: Opening) -> Result<Arc<dyn Overlaid>> {
        let choice = self.choose(named.name.as_deref())?;
        Ok(Arc::new(self.open_choice(&choice, false)?.into_overlay()))
    }

    fn initial(&self, spec: &str) -> Result<Arc<dyn World>> {
        let choice = self.choose(Some(spec))?;
        Ok(Arc::new(self.open_choice(&choice, false)?))
    }
}
