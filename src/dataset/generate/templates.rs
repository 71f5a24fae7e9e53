//! The templates that the generated dialogues of a dataset are made of.

use super::starts::WorldTemplate;
use super::talk::{Shared, Talk};
use crate::error::{Error, Result};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The folder of a dataset that has the templates.
const FOLDER: &str = "generator";

/// All templates.
pub struct Templates {
    /// The folder that has them.
    pub folder: PathBuf,
    /// The template of worlds. Without it dialogues start from the domain's own.
    pub world: Option<WorldTemplate>,
    /// `talk.toml`.
    pub talk: Talk,
    /// The goals of all files in `goals/`, in the order of the files.
    pub goals: Vec<Goal>,
}

/// A goal of a user.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Goal {
    pub id: String,
    /// A word of `kinds`; `end` is said last.
    pub kind: String,
    #[serde(default = "one")]
    pub weight: usize,
    /// The request. A phrasing that does not name a slot leaves it out.
    pub say: Vec<String>,
    /// The values in it, in the order of the API's parameters.
    #[serde(default, rename = "slot")]
    pub slots: Vec<Slot>,
    /// Programs that do the same. Slots are Python code in them, and `raw` has their values.
    pub program: Vec<String>,
    /// The answer to `result`.
    pub reply: Vec<String>,
    /// The answer to an error, by its name.
    #[serde(default)]
    pub errors: BTreeMap<String, Vec<String>>,
    /// The question before the program runs, where it needs a yes.
    #[serde(default)]
    pub confirm: Vec<String>,
    /// Changes that the user may ask for before they confirm.
    #[serde(default, rename = "change")]
    pub changes: Vec<Change>,
    /// Programs that show the affected data before the user confirms.
    #[serde(default, rename = "look")]
    pub looks: Vec<Look>,
    /// Goals that cannot be carried out and that the user may name first.
    #[serde(default, rename = "detour")]
    pub detours: Vec<Detour>,
    /// Words for what it gives, which other goals can follow.
    #[serde(default)]
    pub gives: Vec<String>,
    /// The goals whose result it follows, known as `last.result` and `last.slots`: their
    /// names, or words of their `gives`.
    #[serde(default)]
    pub after: Vec<String>,
    /// An expression: whether it may be chosen.
    pub when: Option<String>,
    /// The slot whose question the user answers with this goal, to find the value.
    pub finds: Option<String>,
    /// Whether it may interrupt another goal.
    #[serde(default)]
    pub aside: bool,
}

/// A value of a request, or a value that others are made of (one without `ask`).
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Slot {
    pub name: String,
    /// The slot of `talk.toml` that has what this one leaves out.
    like: Option<String>,
    /// An expression. The slots before it are known.
    #[serde(default)]
    pub value: String,
    /// Whether nobody has to say it: it is `none` until the user does.
    #[serde(default)]
    pub option: bool,
    /// Whether the goal needs no yes once this option was said.
    #[serde(default)]
    pub harmless: bool,
    /// An expression: a value that ends with an error. `it` is the right one.
    pub wrong: Option<String>,
    /// An expression: another value, said by one of `revise`.
    pub other: Option<String>,
    #[serde(default)]
    pub revise: Vec<String>,
    #[serde(default)]
    pub ask: Vec<String>,
    #[serde(default)]
    pub answer: Vec<String>,
    /// The option in the same breath as an answer.
    #[serde(default)]
    pub beside: Vec<String>,
    /// The option once the goal is done without it.
    #[serde(default)]
    pub again: Vec<String>,
}

impl Goal {
    /// Whether users may ask for it at any time, in place of an answer to a question.
    pub fn is_aside(&self) -> bool {
        self.aside && self.after.is_empty() && self.finds.is_none()
    }
}

impl Slot {
    /// Takes what it leaves out from another.
    fn complete(&mut self, from: &Shared) {
        fn list(own: &mut Vec<String>, from: &[String]) {
            if own.is_empty() {
                own.extend_from_slice(from);
            }
        }
        if self.value.is_empty() {
            self.value.clone_from(&from.value);
        }
        self.wrong = self.wrong.take().or_else(|| from.wrong.clone());
        self.other = self.other.take().or_else(|| from.other.clone());
        list(&mut self.revise, &from.revise);
        list(&mut self.ask, &from.ask);
        list(&mut self.answer, &from.answer);
        list(&mut self.beside, &from.beside);
        list(&mut self.again, &from.again);
    }
}

/// A program that shows what the goal is about, while it waits for a yes.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Look {
    pub say: Vec<String>,
    pub program: String,
    pub reply: Vec<String>,
}

/// Something that ends with a conversational exception, and the request that follows it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Detour {
    pub say: Vec<String>,
    pub raises: String,
    pub reply: Vec<String>,
    /// The goal's request in this place, like `say` of the goal.
    pub then: Vec<String>,
}

/// Another program for a goal that waits for a yes.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Change {
    pub say: Vec<String>,
    pub program: String,
    pub confirm: Vec<String>,
    pub reply: Vec<String>,
}

fn one() -> usize {
    1
}

/// A file of goals.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Goals {
    goal: Vec<Goal>,
}

impl Templates {
    /// Reads the templates of a dataset.
    ///
    /// # Errors
    /// A file is missing, or has a mistake: the error names the file and the place.
    pub fn read(dataset: &Path) -> Result<Self> {
        let folder = dataset.join(FOLDER);
        if !folder.is_dir() {
            return Err(Error::Content {
                path: folder,
                problem: "is missing, and would have the templates of the dataset; write them, or \
                          take those of another dataset with --from DIR"
                    .to_owned(),
            });
        }
        let listed = folder.join("goals");
        let mut files = std::fs::read_dir(&listed)
            .and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect())
            .map_err(Error::file("cannot read", &listed))
            .map(|files: Vec<_>| files)?;
        files.retain(|file| file.extension().is_some_and(|ending| ending == "toml"));
        files.sort();
        let mut goals = Vec::new();
        for file in &files {
            goals.extend(parsed::<Goals>(file)?.goal);
        }
        let talk: Talk = parsed(&folder.join("talk.toml"))?;
        for slot in goals.iter_mut().flat_map(|goal| &mut goal.slots) {
            if let Some(shared) = slot.like.as_ref().and_then(|it| talk.slots.get(it)) {
                slot.complete(shared);
            }
        }
        let templates = Templates {
            world: WorldTemplate::read(&folder)?,
            folder,
            talk,
            goals,
        };
        templates.sound().map_err(|problem| Error::Content {
            path: listed,
            problem,
        })?;
        Ok(templates)
    }

    /// Names that no table has, and lists without an entry.
    fn sound(&self) -> Result<(), String> {
        if self.goals.is_empty() {
            return Err("has no goals: write [[goal]] into a file NAME.toml".to_owned());
        }
        self.sound_talk()?;
        for goal in &self.goals {
            let id = &goal.id;
            let is_of_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
            if id.is_empty() || !id.chars().all(is_of_name) {
                return Err(format!(
                    "the id {id:?} becomes the name of a file: it may have letters, digits, - and _"
                ));
            }
            if !self.talk.kinds.contains_key(&goal.kind) {
                return Err(format!("{id}: kinds of talk.toml has no {:?}", goal.kind));
            }
            let is_given = |it: &String| self.goals.iter().any(|goal| goal.gives.contains(it));
            let unknown = |it: &&String| self.goal(it).is_none() && !is_given(it);
            if let Some(unknown) = goal.after.iter().find(unknown) {
                return Err(format!(
                    "{id}: follows {unknown:?}, and there is no such goal"
                ));
            }
            let (slots, shared) = (&goal.slots, &self.talk.slots);
            let mut likes = slots.iter().filter_map(|slot| slot.like.as_ref());
            if let Some(unknown) = likes.find(|it| !shared.contains_key(*it)) {
                return Err(format!("{id}: talk.toml has no slot {unknown:?}"));
            }
            if let Some(slot) = slots.iter().find(|slot| slot.value.is_empty()) {
                return Err(format!("{id}: the slot {:?} has no value", slot.name));
            }
            if goal.say.is_empty() || goal.program.is_empty() || goal.reply.is_empty() {
                return Err(format!("{id}: say, program and reply need a text each"));
            }
        }
        Ok(())
    }

    /// Settings of `talk.toml` for which no goal fits.
    fn sound_talk(&self) -> Result<(), String> {
        let odds = &self.talk.odds;
        match &self.talk.stay {
            None if odds.stay == 0 => {}
            None => {
                let problem = "talk.toml has odds for stay, but does not say with what: write \
                               stay = \"NAME\" before its tables, with the name of a slot";
                return Err(problem.to_owned());
            }
            Some(tie) => {
                let mut slots = self.goals.iter().flat_map(|goal| &goal.slots);
                if !slots.any(|slot| slot.name == *tie) {
                    return Err(format!(
                        "talk.toml says stay = {tie:?}, and no goal has a slot of that name"
                    ));
                }
            }
        }
        if odds.end > 0 && !self.goals.iter().any(|goal| goal.kind == "end") {
            let problem = "talk.toml has odds for end, and no goal is of the kind \"end\"";
            return Err(problem.to_owned());
        }
        if odds.aside > 0 && !self.goals.iter().any(Goal::is_aside) {
            let problem = "talk.toml has odds for aside, and no goal that can be drawn at any time \
                           has aside = true";
            return Err(problem.to_owned());
        }
        Ok(())
    }

    /// The goal of that name.
    pub fn goal(&self, id: &str) -> Option<&Goal> {
        self.goals.iter().find(|goal| goal.id == id)
    }
}

/// The text of a template.
pub fn text(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).map_err(Error::file("cannot read", path))
}

fn parsed<T: serde::de::DeserializeOwned>(path: &Path) -> Result<T> {
    toml::from_str(&text(path)?).map_err(|error| Error::Content {
        path: path.to_owned(),
        problem: error.to_string(),
    })
}
