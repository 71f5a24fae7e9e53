//! `goals.toml`: the goals of a dataset, and targets for its figures.

use super::Split;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The goals of a dataset, the names of operations in its figures, and its targets.
///
/// ```
/// use dialog2api::dataset::Catalogue;
///
/// let catalogue = Catalogue::parse(r#"
///     [[goal]]
///     id = "latest-backup"
///     split = "train"
///     utterance = "show me the latest backup of the orders database"
///
///     [names]
///     list_objects_v2 = "ListObjects"
///
///     [targets]
///     source = "the paper"
///     goals = { value = 2.7, within = 0.2 }
/// "#)?;
/// assert_eq!(catalogue.goals[0].id, "latest-backup");
/// assert_eq!(catalogue.name("list_objects_v2"), "ListObjects");
/// assert_eq!(catalogue.name("put_object"), "PutObject");
/// # Ok::<(), String>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Catalogue {
    /// The goals.
    #[serde(default, rename = "goal")]
    pub goals: Vec<Named>,
    /// Whether dialogues of one part may paraphrase each other, as generated ones do.
    #[serde(default)]
    pub paraphrases: bool,
    /// Names of operations in the figures, where the operation's own in camel case will not
    /// do: two operations with one name are counted together.
    #[serde(default)]
    pub names: BTreeMap<String, String>,
    /// The targets for the figures.
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

/// The targets for the figures of a dataset. A figure without a target is not checked.
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
    pub utterances: Option<FigureTarget>,
    /// Goals a dialogue.
    pub goals: Option<FigureTarget>,
    /// Lines of code a program.
    pub lines: Option<FigureTarget>,
    /// Call sites of operations a program.
    pub apis: Option<FigureTarget>,
    /// The share of each operation among all call sites, in per cent, by its name in the
    /// figures.
    #[serde(default)]
    pub shares: BTreeMap<String, FigureTarget>,
    /// The least number of turns with a conversational complexity in each part, by its name
    /// in the figures.
    #[serde(default)]
    pub complexities: BTreeMap<String, usize>,
}

/// A figure, and how far from it a dataset may be.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FigureTarget {
    /// The figure.
    pub value: f64,
    /// The largest difference that is accepted.
    pub within: f64,
}

impl FigureTarget {
    /// Whether a figure is close enough. Figures are compared to two decimals, as they are
    /// shown.
    ///
    /// ```
    /// let target = dialog2api::dataset::FigureTarget { value: 2.7, within: 0.2 };
    /// assert!(target.is_met(2.9));
    /// assert!(!target.is_met(2.91));
    /// ```
    pub fn is_met(&self, figure: f64) -> bool {
        let hundredths = |number: f64| (number * 100.0).round();
        hundredths((figure - self.value).abs()) <= hundredths(self.within)
    }
}

impl Catalogue {
    /// Reads the text of a `goals.toml`.
    ///
    /// # Errors
    /// A sentence with the line of the first mistake.
    pub fn parse(text: &str) -> Result<Self, String> {
        toml::from_str(text).map_err(|error: toml::de::Error| {
            let before = error.span().and_then(|span| text.get(..span.start));
            let line = before.unwrap_or_default().matches('\n').count() + 1;
            format!("line {line}: {}", error.message())
        })
    }

    /// The name of an operation in the figures: `list_objects_v2` is `ListObjectsV2` unless
    /// [`Catalogue::names`] has another.
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
