//! `goals.toml`: the goals that a dataset is about, and what it is meant to be like.

use super::Split;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The goals of a dataset, how operations are called in its figures, and its targets.
///
/// ```toml
/// [[goal]]
/// id = "latest-backup"
/// split = "train"
/// utterance = "show me the latest backup of the orders database"
///
/// [names]
/// list_objects_v2 = "ListObjects"
///
/// [targets]
/// source = "the paper"
/// goals = { value = 2.7, within = 0.2 }
/// ```
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Catalogue {
    /// The goals.
    #[serde(default, rename = "goal")]
    pub goals: Vec<Named>,
    /// The names of operations in the figures, where it is not the operation's own in
    /// camel case: several operations can be counted under one name.
    #[serde(default)]
    pub names: BTreeMap<String, String>,
    /// What the figures are meant to be.
    pub targets: Option<Targets>,
}

/// A goal that dialogues are written for.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Named {
    /// The `goal` of its dialogues.
    pub id: String,
    /// The part that all of its dialogues belong to.
    pub split: Split,
    /// The goal in one sentence, as a user could say it: the canonical utterance.
    pub utterance: String,
}

/// What the figures of a dataset are meant to be. What is not given is not checked.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Targets {
    /// Where the targets come from: the title of their column.
    pub source: String,
    /// Dialogues in each part, exactly.
    #[serde(default)]
    pub dialogues: BTreeMap<Split, usize>,
    /// Dialogues of each goal, exactly.
    pub dialogues_a_goal: Option<usize>,
    /// Utterances a dialogue.
    pub utterances: Option<Target>,
    /// Goals a dialogue.
    pub goals: Option<Target>,
    /// Lines of code a program.
    pub lines: Option<Target>,
    /// Call sites of operations a program.
    pub apis: Option<Target>,
    /// The share of each operation among all call sites, in per cent, by its name in the
    /// figures.
    #[serde(default)]
    pub shares: BTreeMap<String, Target>,
    /// How often a conversational complexity occurs at least, in each part, by its name
    /// in the figures.
    #[serde(default)]
    pub complexities: BTreeMap<String, usize>,
}

/// A figure, and how far from it a dataset may be.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Target {
    /// The figure.
    pub value: f64,
    /// The most that a dataset's may be away from it.
    pub within: f64,
}

impl Target {
    /// Whether a figure is as it is meant to be. Figures are compared as they are shown,
    /// to two decimals.
    pub fn is_met(&self, figure: f64) -> bool {
        let hundredths = |number: f64| (number * 100.0).round();
        hundredths((figure - self.value).abs()) <= hundredths(self.within)
    }
}

impl Catalogue {
    /// Reads the text of a `goals.toml`. `Err` has what is wrong, and where.
    ///
    /// # Errors
    /// The text is no such list.
    pub fn parse(text: &str) -> Result<Self, String> {
        toml::from_str(text).map_err(|error: toml::de::Error| {
            let before = error.span().and_then(|span| text.get(..span.start));
            let line = before.unwrap_or_default().matches('\n').count() + 1;
            format!("line {line}: {}", error.message())
        })
    }

    /// What an operation is called in the figures: `list_objects_v2` is `ListObjectsV2`,
    /// unless [`Catalogue::names`] says otherwise.
    pub fn name(&self, operation: &str) -> String {
        if let Some(name) = self.names.get(operation) {
            return name.clone();
        }
        let words = operation.split('_').map(|word| {
            let mut letters = word.chars();
            let first = letters.next().map(|letter| letter.to_ascii_uppercase());
            first.into_iter().chain(letters).collect::<String>()
        });
        words.collect()
    }
}
