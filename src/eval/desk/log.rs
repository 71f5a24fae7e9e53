//! The log of a run: `run.json` says what ran ([`DeskRun`]), `log.jsonl` has a line for each reply
//! ([`DeskTurn`]). Nothing in them depends on when or how fast the run went.

use crate::llm::Usage;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use typed_claims::Flags;

/// The version of the log's format. A reader refuses any other.
pub const VERSION: u32 = 1;

/// What `run.json` says that the run is of.
pub const KIND: &str = "desk";

/// `run.json`: everything about the run that a figure depends on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeskRun {
    /// [`KIND`].
    pub kind: String,
    /// [`VERSION`].
    pub version: u32,
    /// The version of dialog2api that wrote it.
    pub dialog2api: String,
    /// The git revision that it was built from, if known.
    pub revision: Option<String>,
    /// Who answers.
    pub assistant: AssistantKind,
    /// The model that answers, and talks for users with one; none where neither has one.
    pub model: Option<String>,
    /// BLAKE3 over what the assistant is told: the prompt, or the API document, the examples and
    /// the form of prompts for programs.
    pub told: Option<String>,
    /// The aids for programs.
    pub assist: Option<String>,
    /// Who asks.
    pub user: UserKind,
    /// The language of the users.
    pub language: String,
    /// Which rows a dialogue is about.
    pub rows: RowRecipe,
    /// The seed of rows, users and sampling.
    pub seed: u64,
    /// The sampling temperature.
    pub temperature: f32,
    /// The goals.
    pub dialogues: DeskDialogues,
}

/// The goals of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeskDialogues {
    /// How many.
    pub count: usize,
    /// BLAKE3 over their names and goals.
    pub digest: String,
}

/// How an assistant answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum AssistantKind {
    /// Templates say what was looked up, without a model: right by construction
    Template,
    /// A model that has the rows in its prompt, as in the paper
    Rows,
    /// A model that writes programs, which look the rows up
    Programs,
}

impl fmt::Display for AssistantKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            AssistantKind::Template => "template",
            AssistantKind::Rows => "rows",
            AssistantKind::Programs => "programs",
        })
    }
}

/// Who asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum UserKind {
    /// An agenda made from the goal, without a model
    Agenda,
    /// The model, which is told the goal in words
    Model,
}

/// The rows of a dialogue, of all that there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowRecipe {
    /// All.
    Full,
    /// So many, drawn anew for each dialogue.
    Random(usize),
}

impl fmt::Display for RowRecipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RowRecipe::Full => f.write_str("full"),
            RowRecipe::Random(count) => write!(f, "random:{count}"),
        }
    }
}

impl FromStr for RowRecipe {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "full" {
            return Ok(RowRecipe::Full);
        }
        let count = text.strip_prefix("random:").and_then(|n| n.parse().ok());
        let count = count.filter(|count| *count > 0);
        (count.map(RowRecipe::Random)).ok_or_else(|| "full or random:70 is expected".to_owned())
    }
}

impl Serialize for RowRecipe {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for RowRecipe {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// A reply, with what was asked before it and what is thought of it: a line of `log.jsonl`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeskTurn {
    /// The dialogue: the name of its goal.
    pub dialogue: String,
    /// Which turn, from 1.
    pub turn: u32,
    /// What the user says.
    pub user: String,
    /// What the user wishes by now, slot to values.
    pub wishes: BTreeMap<String, Vec<String>>,
    /// The reply.
    pub reply: String,
    /// Whether the reply is the host's and not the model's, which could not make one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub plain: bool,
    /// Whether a server read only a part of a prompt of this turn.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cut_prompt: bool,
    /// The programs that ran in this turn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub programs: Vec<ProgramOutcome>,
    /// The claims of the model's reply in the form of `dialog2api claims`. Beside it, `known` says
    /// whether the words of a claim occur in the rows, and `supported` whether a program found it.
    pub claims: Vec<Json>,
    /// What the reply is by them.
    pub flags: Flags,
    /// The end of the dialogue, in its last line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<DeskEnd>,
}

/// A program that ran, by what its reply may rest on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProgramOutcome {
    /// The texts in it.
    pub literals: Vec<String>,
    /// What it returned, or `{"error": NAME}`.
    pub result: Json,
}

/// How a dialogue ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeskEnd {
    /// `done`, `failed` (the goal cannot be had), `stuck` (the user said one thing three times) or
    /// `cut` (too long).
    pub outcome: String,
    /// Whether the user has what was wanted, and was told it rightly. None with a model as the
    /// user: nothing says what it chose.
    pub reached: Option<bool>,
    /// Whether a user said a value that neither the goal nor a reply has.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub strayed: bool,
    /// Requests to the model.
    pub requests: u32,
    /// Their tokens.
    pub usage: Usage,
}
