//! The pool of examples and which of them stand in a prompt (paper, section 5.1).
//!
//! The pool is every turn of the training dialogues. The score of an example is
//! `sim_state + α · sim_text`: how alike the program stacks are in the operations
//! and exceptions they name, and how alike the two last utterances are.

mod cover;
mod state;
mod text;

pub use state::{CONVERSATIONAL_EXCEPTIONS, Keywords};
pub use text::{TextSimilarity, TfIdf, Utterances};

use crate::dialogue::{Conversation, Stack, Status, Update, read_conversation};
use crate::domain::Domain;
use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// How many examples a prompt has, and which.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Selection {
    /// Examples that are the same in every turn, so that a model server that
    /// caches reads them only once. They come first.
    pub fixed: usize,
    /// Examples that are nearest to the turn (the paper's K).
    pub nearest: usize,
    /// How much the utterances count against the stack (the paper's α).
    pub alpha: f64,
}

impl Default for Selection {
    /// The paper's.
    fn default() -> Self {
        Selection {
            fixed: 0,
            nearest: 5,
            alpha: 1.0,
        }
    }
}

/// Which of the two model calls an example is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Task {
    /// From S_{t-1}, R_{t-1} and U_t to the goals of P_t.
    Program,
    /// From S_t with outcomes, R_{t-1} and U_t to R_t.
    Response,
}

/// One turn of a training dialogue.
#[derive(Debug, Clone, PartialEq)]
pub struct Example {
    /// The dialogue it comes from.
    pub dialogue: String,
    /// The goal that the dialogue was written for.
    pub goal: Option<String>,
    /// The turn in its dialogue, 0 for the first.
    pub turn: usize,
    /// S_{t-1}.
    pub before: Stack,
    /// S_t, with the outcomes recorded.
    pub after: Stack,
    /// R_{t-1}: what the agent had said.
    pub said: String,
    /// U_t: what the user said.
    pub user: String,
    /// P_t.
    pub updates: Vec<Update>,
    /// R_t, where the dialogue has one.
    pub reply: Option<String>,
}

impl Example {
    /// The stack that a model sees for this task.
    pub fn stack(&self, task: Task) -> &Stack {
        match task {
            Task::Program => &self.before,
            Task::Response => &self.after,
        }
    }

    fn utterances(&self) -> Utterances<'_> {
        Utterances {
            said: &self.said,
            user: &self.user,
        }
    }

    /// Whether the example has what the task shows: a reply without the outcome
    /// that it speaks of would teach the model to invent one.
    pub fn serves(&self, task: Task) -> bool {
        let outcome_known = |update: &Update| {
            update.status != Status::Final
                || (self.after.get(update.uid)).is_some_and(|goal| goal.outcome.is_some())
        };
        match task {
            Task::Program => !self.updates.is_empty(),
            Task::Response => self.reply.is_some() && self.updates.iter().all(outcome_known),
        }
    }
}

/// What is looked for: the situation of the turn at hand.
#[derive(Debug, Clone, Copy)]
pub struct Query<'a> {
    /// Which call the examples are for.
    pub task: Task,
    /// The stack that the model will see.
    pub stack: &'a Stack,
    /// What the agent said last.
    pub said: &'a str,
    /// What the user said.
    pub user: &'a str,
    /// What must not be retrieved.
    pub excluded: Option<&'a Excluded>,
}

/// The dialogue under test, and its goal: an evaluation never retrieves from either.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excluded {
    /// The dialogue's uid.
    pub dialogue: String,
    /// The dialogue's goal.
    pub goal: Option<String>,
}

impl Excluded {
    fn covers(&self, example: &Example) -> bool {
        self.dialogue == example.dialogue || (self.goal.is_some() && self.goal == example.goal)
    }
}

/// Every turn of the training dialogues, ready to be searched.
pub struct ExamplePool {
    examples: Vec<Example>,
    keywords: Keywords,
    text: Box<dyn TextSimilarity>,
}

impl ExamplePool {
    /// A pool of these dialogues, compared by their words.
    ///
    /// Fails with the dialogue's uid when its turns break the status rules.
    pub fn new(dialogues: &[Conversation], domain: &dyn Domain) -> Result<Self> {
        Self::with_similarity(dialogues, domain, |texts| Ok(Box::new(TfIdf::new(texts))))
    }

    /// A pool whose utterances are compared by what `build` makes of them.
    pub fn with_similarity(
        dialogues: &[Conversation],
        domain: &dyn Domain,
        build: impl FnOnce(&[Utterances<'_>]) -> Result<Box<dyn TextSimilarity>>,
    ) -> Result<Self> {
        let examples: Vec<Example> = dialogues
            .iter()
            .map(turns)
            .collect::<Result<Vec<_>>>()?
            .into_iter()
            .flatten()
            .collect();
        let texts: Vec<Utterances<'_>> = examples.iter().map(Example::utterances).collect();
        Ok(ExamplePool {
            text: build(&texts)?,
            keywords: Keywords::new(domain),
            examples,
        })
    }

    /// The pool that comes with the program; empty for a domain without one.
    pub fn built_in(domain: &dyn Domain) -> Result<Self> {
        let dialogues = domain
            .examples()
            .iter()
            .map(|(name, text)| read(Path::new(name), text))
            .collect::<Result<Vec<_>>>()?;
        Self::new(&dialogues, domain)
    }

    /// The pool of all `*.xml` files of a folder, in the order of their names.
    pub fn from_dir(dir: &Path, domain: &dyn Domain) -> Result<Self> {
        let mut paths = std::fs::read_dir(dir)
            .and_then(|entries| {
                entries
                    .map(|entry| Ok(entry?.path()))
                    .collect::<std::io::Result<Vec<_>>>()
            })
            .map_err(Error::file("cannot read the example dialogues in", dir))?;
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "xml"));
        paths.sort();
        if paths.is_empty() {
            return Err(Error::Content {
                path: dir.to_owned(),
                problem: "expected a folder with example dialogues (*.xml), and has none".into(),
            });
        }
        let dialogues = paths
            .iter()
            .map(|path| {
                let text = std::fs::read_to_string(path).map_err(Error::file("cannot read", path));
                read(path, &text?)
            })
            .collect::<Result<Vec<_>>>()?;
        Self::new(&dialogues, domain)
    }

    /// All examples, dialogue by dialogue.
    pub fn examples(&self) -> &[Example] {
        &self.examples
    }

    /// The examples of a prompt: first those that are the same for every turn,
    /// then those with the highest scores, the most similar last. Of two with
    /// one score, the earlier in the pool counts as more similar.
    pub fn select(&self, query: &Query<'_>, selection: &Selection) -> Result<Vec<&Example>> {
        let usable = |example: &&Example| {
            example.serves(query.task)
                && !query
                    .excluded
                    .is_some_and(|excluded| excluded.covers(example))
        };
        let all: Vec<&Example> = self.examples.iter().filter(usable).collect();
        let mut chosen = cover::representative(all, &self.keywords, query.task, selection.fixed);
        let taken = |example: &Example| chosen.iter().any(|other| std::ptr::eq(*other, example));

        let counts = self.keywords.counts(query.stack);
        let texts = self.text.to_all(Utterances {
            said: query.said,
            user: query.user,
        })?;
        let mut scored: Vec<(f64, &Example)> = self
            .examples
            .iter()
            .zip(texts)
            .filter(|(example, _)| usable(example) && !taken(example))
            .map(|(example, text)| {
                let there = self.keywords.counts(example.stack(query.task));
                (
                    state::cosine(&counts, &there) + selection.alpha * text,
                    example,
                )
            })
            .collect();
        // Stable, so that ties keep the pool's order.
        scored.sort_by(|a, b| b.0.total_cmp(&a.0));
        scored.truncate(selection.nearest);
        chosen.extend(scored.into_iter().rev().map(|(_, example)| example));
        Ok(chosen)
    }
}

fn read(path: &Path, text: &str) -> Result<Conversation> {
    read_conversation(text).map_err(|error| Error::Content {
        path: path.to_owned(),
        problem: error.to_string(),
    })
}

/// The turns of one dialogue, each with the stacks around it.
fn turns(dialogue: &Conversation) -> Result<Vec<Example>> {
    let goal = dialogue.attributes.iter().find(|(name, _)| name == "goal");
    let mut before = Stack::default();
    let mut said = dialogue.greeting.clone().unwrap_or_default();
    let mut examples = Vec::new();
    for (index, turn) in dialogue.turns.iter().enumerate() {
        let after = before.replayed(turn).map_err(|violations| {
            let reasons: Vec<String> = violations.iter().map(ToString::to_string).collect();
            let place = format!("dialogue {}, turn {}", dialogue.uid, index + 1);
            Error::Usage(format!("{place}: {}", reasons.join("; ")))
        })?;
        examples.push(Example {
            dialogue: dialogue.uid.clone(),
            goal: goal.map(|(_, value)| value.clone()),
            turn: index,
            before: std::mem::replace(&mut before, after.clone()),
            after,
            said: std::mem::take(&mut said),
            user: turn.user.clone(),
            updates: turn.updates(),
            reply: turn.response.clone(),
        });
        said = turn.response.clone().unwrap_or_default();
    }
    Ok(examples)
}
