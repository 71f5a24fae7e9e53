//! The worlds that generated dialogues start from: made from a template, or the domain's own.

use super::chance::Chance;
use super::contents::Contents;
use super::stage::{Names, Stage};
use super::templates::{Templates, text};
use crate::dataset::{InitialWorlds, write};
use crate::domain::{Domain, World};
use crate::error::{Error, FailureReason, Result};
use serde_json::Value as Json;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::TempDir;

/// How many dialogues start from the same world of a template.
const DIALOGUES_A_WORLD: usize = 8;
/// The endings of files that can be read as data.
const ENDINGS: [&str; 2] = ["toml", "json"];

/// The template of worlds: `world.toml.j2` or `world.json.j2`.
pub struct WorldTemplate {
    path: PathBuf,
    text: String,
    /// The ending of the files that it makes.
    ending: &'static str,
}

/// A world that dialogues start from.
pub struct Start {
    /// Its name in dialogues.
    pub name: String,
    pub contents: Arc<Contents>,
}

/// The worlds of a set of dialogues.
pub struct Starts {
    /// The files of the worlds that were made, relative to the folder of the set.
    pub files: Vec<(PathBuf, String)>,
    all: Vec<Start>,
    /// How many dialogues in a row start from the same world.
    row: usize,
    /// The template of the worlds, and the place where their files lie meanwhile.
    template: Option<PathBuf>,
    folder: TempDir,
    domain: Arc<Domain>,
    worlds: InitialWorlds,
}

impl Starts {
    /// The worlds for so many dialogues.
    ///
    /// # Errors
    /// The template has a mistake, or there is no template and the domain has no worlds that
    /// templates could see.
    pub fn of(
        templates: &Templates,
        domain: &Arc<Domain>,
        seed: u64,
        dialogues: usize,
    ) -> Result<Self> {
        let mut starts = Starts {
            files: Vec::new(),
            all: Vec::new(),
            row: 1,
            template: None,
            folder: tempfile::tempdir().map_err(Error::file("cannot make", "a folder"))?,
            domain: domain.clone(),
            worlds: InitialWorlds::new(domain),
        };
        match &templates.world {
            Some(template) => starts.make(template, templates, seed, dialogues)?,
            None => starts.take(&templates.folder)?,
        }
        Ok(starts)
    }

    /// Makes worlds from a template.
    fn make(
        &mut self,
        template: &WorldTemplate,
        templates: &Templates,
        seed: u64,
        dialogues: usize,
    ) -> Result<()> {
        self.row = DIALOGUES_A_WORLD;
        self.template = Some(template.path.clone());
        let mut beside = Vec::new();
        for number in 0..dialogues.div_ceil(DIALOGUES_A_WORLD) {
            let name = format!("generated-{number:04}");
            let chance = Chance::of(seed, "world", number, 0);
            let stage = Stage::new(&templates.talk, chance, None);
            let text = stage
                .rendered(&template.text, &Names::new())
                .map_err(|error| template.wrong(format!("{error:#}")))?;
            self.add(name.clone(), template.data(&text)?);
            let path = Path::new("worlds").join(format!("{name}.{}", template.ending));
            beside.push((self.folder.path().join(&path), text.clone()));
            self.files.push((path, text));
        }
        write(&beside, false)?;
        Ok(())
    }

    /// Takes the worlds of the domain.
    fn take(&mut self, templates: &Path) -> Result<()> {
        let unseen = || Error::Content {
            path: templates.to_owned(),
            problem: format!(
                "has no template of a world, and the domain {} has no worlds that templates can \
                 see; write world.toml.j2 or world.json.j2",
                self.domain.name
            ),
        };
        let mut seen = Vec::new();
        for name in self.domain.world_names() {
            let world = self.worlds.named(self.folder.path(), &name)?;
            let state = world.state_value().ok_or_else(unseen)?;
            seen.push((name, state.to_json()));
        }
        if seen.is_empty() {
            return Err(unseen());
        }
        for (name, state) in seen {
            self.add(name, state);
        }
        Ok(())
    }

    fn add(&mut self, name: String, description: Json) {
        let contents = Arc::new(Contents::of(&self.domain, description));
        self.all.push(Start { name, contents });
    }

    /// The world of a dialogue.
    pub fn start(&self, dialogue: usize) -> Option<&Start> {
        let worlds = self.all.len().max(1);
        self.all.get(dialogue / self.row % worlds)
    }

    /// Opens a copy of a world.
    ///
    /// # Errors
    /// The domain cannot: where a template made the world, the error has its path.
    pub fn open(&self, start: &Start) -> Result<Arc<dyn World>> {
        let world = self.worlds.named(self.folder.path(), &start.name);
        world.map_err(|error| {
            let problem = match &error {
                Error::Content { problem, .. } => Some(problem.clone()),
                error => error.is(FailureReason::Usage).then(|| error.to_string()),
            };
            let (Some(path), Some(problem)) = (&self.template, problem) else {
                return error;
            };
            let domain = &self.domain.name;
            Error::Content {
                path: path.clone(),
                problem: format!("makes a world that the domain {domain} cannot open: {problem}"),
            }
        })
    }
}

impl WorldTemplate {
    /// The template in a folder, if it has one.
    ///
    /// # Errors
    /// It has two, or one whose worlds cannot be read as data.
    pub fn read(folder: &Path) -> Result<Option<Self>> {
        let entries = std::fs::read_dir(folder).map_err(Error::file("cannot read", folder))?;
        let mut found: Option<Self> = None;
        for entry in entries {
            let path = entry.map_err(Error::file("cannot read", folder))?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let named = name.strip_prefix("world.");
            let Some(named) = named.and_then(|name| name.strip_suffix(".j2")) else {
                continue;
            };
            let ending = ENDINGS.into_iter().find(|ending| *ending == named);
            let (Some(ending), None) = (ending, &found) else {
                return Err(Error::Content {
                    path: folder.to_owned(),
                    problem: "may have one template of a world: world.toml.j2 or world.json.j2"
                        .to_owned(),
                });
            };
            found = Some(WorldTemplate {
                text: text(&path)?,
                path: path.clone(),
                ending,
            });
        }
        Ok(found)
    }

    /// A world that it made, as data.
    fn data(&self, text: &str) -> Result<Json> {
        let (is_json, form) = (self.ending == "json", self.ending.to_uppercase());
        let data: Result<Json, String> = match is_json {
            true => serde_json::from_str(text).map_err(|error| {
                let line = text.lines().nth(error.line().saturating_sub(1));
                format!("{error}: {}", line.unwrap_or_default().trim())
            }),
            false => toml::from_str(text)
                .map(|table| json(&toml::Value::Table(table)))
                .map_err(|error| error.to_string()),
        };
        data.map_err(|problem| self.wrong(format!("makes a world that is not {form}: {problem}")))
    }

    fn wrong(&self, problem: String) -> Error {
        Error::Content {
            path: self.path.clone(),
            problem,
        }
    }
}

/// TOML as JSON, with times as text.
fn json(value: &toml::Value) -> Json {
    match value {
        toml::Value::String(text) => text.as_str().into(),
        toml::Value::Integer(number) => (*number).into(),
        toml::Value::Float(number) => (*number).into(),
        toml::Value::Boolean(is) => (*is).into(),
        toml::Value::Datetime(time) => time.to_string().into(),
        toml::Value::Array(list) => list.iter().map(json).collect(),
        toml::Value::Table(table) => {
            let pairs = table.iter();
            pairs.map(|(key, it)| (key.clone(), json(it))).collect()
        }
    }
}
