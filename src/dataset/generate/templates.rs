//! The templates of a dataset: what its generated dialogues are made of.

use crate::error::{Error, Result};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

/// The folder of a dataset that has the templates.
const FOLDER: &str = "generator";

/// All templates.
pub struct Templates {
    /// `world.toml.j2`: a world, as the text of its description.
    pub world: String,
    /// `talk.toml`.
    pub talk: Talk,
    /// The goals of all files in `goals/`, in the order of the files.
    pub goals: Vec<Goal>,
}

/// What every dialogue shares. A list of texts has several ways to say the same thing.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Talk {
    /// The agent's first words.
    pub greeting: Vec<String>,
    /// The user agrees.
    pub yes: Vec<String>,
    /// The user refuses, and the agent's answer.
    pub no: Vec<String>,
    pub kept: Vec<String>,
    /// The user gives a goal up before it is complete, and the agent's answer.
    pub drop: Vec<String>,
    pub dropped: Vec<String>,
    /// The user says the right `value` after an error.
    pub repair: Vec<String>,
    /// Words before and after a request.
    pub before: Vec<String>,
    pub after: Vec<String>,
    /// What the agent says of an error, unless the goal has its own words.
    pub errors: BTreeMap<String, Vec<String>>,
    /// How often a kind of goal is chosen, in proportion.
    pub kinds: BTreeMap<String, usize>,
    pub odds: Odds,
    /// Lists that all templates may pick from, as `words.NAME`.
    pub words: BTreeMap<String, Vec<String>>,
}

/// How often something happens, of a hundred cases.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Odds {
    /// A value is wrong, where a goal knows a wrong one.
    pub wrong: usize,
    /// After an error the user says the right value.
    pub repair: usize,
    /// A goal follows the last result, where one can.
    pub follow_up: usize,
    /// A request leaves a value out, where a phrasing allows that.
    pub missing: usize,
    /// In place of an answer to a question: something else first, a change, or nothing more.
    pub aside: usize,
    pub revise: usize,
    pub drop: usize,
    /// An answer says another missing value, or two of them.
    pub any_order: usize,
    /// A confirmation is refused, or answered with a change.
    pub refuse: usize,
    pub change: usize,
    /// An utterance is polite, or has a mistake in typing.
    pub polite: usize,
    pub typo: usize,
    /// The user types in lower case throughout.
    pub lower: usize,
    /// The dialogue ends with a goodbye.
    pub end: usize,
}

/// What a user may want.
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
    /// What else the user may want before they say yes.
    #[serde(default, rename = "change")]
    pub changes: Vec<Change>,
    /// The goals whose result it follows, known as `last.result` and `last.slots`.
    #[serde(default)]
    pub after: Vec<String>,
    /// An expression: whether it may be chosen.
    pub when: Option<String>,
    /// Whether it may interrupt another goal.
    #[serde(default)]
    pub aside: bool,
}

/// A value of a request, or a value that others are made of (one without `ask`).
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Slot {
    pub name: String,
    /// An expression. The slots before it are known.
    pub value: String,
    /// An expression: a value that ends with an error.
    pub wrong: Option<String>,
    /// An expression: another value, said by one of `revise`.
    pub other: Option<String>,
    #[serde(default)]
    pub revise: Vec<String>,
    #[serde(default)]
    pub ask: Vec<String>,
    #[serde(default)]
    pub answer: Vec<String>,
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
        let world = folder.join("world.toml.j2");
        let templates = Templates {
            world: text(&world)?,
            talk: parsed(&folder.join("talk.toml"))?,
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
        for goal in &self.goals {
            let id = &goal.id;
            if !self.talk.kinds.contains_key(&goal.kind) {
                return Err(format!("{id}: kinds of talk.toml has no {:?}", goal.kind));
            }
            if let Some(unknown) = goal.after.iter().find(|it| self.goal(it).is_none()) {
                return Err(format!(
                    "{id}: follows {unknown:?}, and there is no such goal"
                ));
            }
            if goal.say.is_empty() || goal.program.is_empty() || goal.reply.is_empty() {
                return Err(format!(
                    "{id}: needs at least one of say, program and reply"
                ));
            }
        }
        Ok(())
    }

    /// The goal of that name.
    pub fn goal(&self, id: &str) -> Option<&Goal> {
        self.goals.iter().find(|goal| goal.id == id)
    }
}

fn text(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).map_err(Error::file("cannot read", path))
}

fn parsed<T: serde::de::DeserializeOwned>(path: &Path) -> Result<T> {
    toml::from_str(&text(path)?).map_err(|error| Error::Content {
        path: path.to_owned(),
        problem: error.to_string(),
    })
}
