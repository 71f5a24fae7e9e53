//! The templates that the generated dialogues of a dataset are made of.

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

/// The texts that every dialogue shares. A list of texts has several ways to say the same thing.
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
    /// A reason before or after a request for something that is run.
    #[serde(default)]
    pub lead: Vec<String>,
    #[serde(default)]
    pub trail: Vec<String>,
    /// Words before and after the answer to a question.
    #[serde(default)]
    pub answer_before: Vec<String>,
    #[serde(default)]
    pub answer_after: Vec<String>,
    /// Words for the bucket of the goal before.
    #[serde(default)]
    pub there: Vec<String>,
    /// The texts that join an answer and the option that follows it.
    #[serde(default)]
    pub joins: Vec<String>,
    /// The longest dialogue, in bytes; any length without it.
    pub longest: Option<usize>,
    /// Shared parts of slots. A slot takes one over by naming it in `like`.
    #[serde(default, rename = "slot")]
    pub slots: BTreeMap<String, Shared>,
    /// The replies to each error, unless the goal has its own. They can use the wrong value as
    /// `wrong`, if there is one.
    pub errors: BTreeMap<String, Vec<String>>,
    /// How often a kind of goal is chosen, in proportion.
    pub kinds: BTreeMap<String, usize>,
    pub odds: Odds,
    /// Lists that all templates may pick from, as `words.NAME`.
    pub words: BTreeMap<String, toml::Value>,
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
    /// In place of an answer to a question: a goal that finds the value, something else first,
    /// a change, or nothing more.
    #[serde(default)]
    pub find: usize,
    pub aside: usize,
    pub revise: usize,
    pub drop: usize,
    /// An answer says another missing value, or two of them.
    pub any_order: usize,
    /// A confirmation is refused, or answered with a change.
    pub refuse: usize,
    pub change: usize,
    /// An answer or a confirmation says one of the goal's options, or asks to see first what
    /// the program is about to do.
    #[serde(default)]
    pub option: usize,
    #[serde(default)]
    pub look: usize,
    /// A goal is about the bucket of the one before, where it can be, and the request may call
    /// it `there`.
    #[serde(default)]
    pub stay: usize,
    #[serde(default)]
    pub there: usize,
    /// The same again with one more option, once it was done.
    #[serde(default)]
    pub again: usize,
    /// A goal begins with one of its detours.
    #[serde(default)]
    pub detour: usize,
    /// A request has a reason, or an answer some words around it.
    #[serde(default)]
    pub reason: usize,
    #[serde(default)]
    pub chatty: usize,
    /// An utterance is polite, or has a mistake in typing.
    pub polite: usize,
    pub typo: usize,
    /// The user types in lower case throughout.
    pub lower: usize,
    /// The dialogue ends with a goodbye.
    pub end: usize,
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

/// The fields that a slot takes over from `talk.toml` by `like`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Shared {
    value: String,
    wrong: Option<String>,
    other: Option<String>,
    revise: Vec<String>,
    ask: Vec<String>,
    answer: Vec<String>,
    beside: Vec<String>,
    again: Vec<String>,
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
        let world = folder.join("world.toml.j2");
        let templates = Templates {
            world: text(&world)?,
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
        for goal in &self.goals {
            let id = &goal.id;
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
