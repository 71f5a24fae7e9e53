//! `talk.toml`: what all generated dialogues share.

use serde::Deserialize;
use std::collections::BTreeMap;

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
    #[serde(default)]
    pub before: Vec<String>,
    #[serde(default)]
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
    /// The slot that ties goals: a goal can have the value of the one before in it.
    pub stay: Option<String>,
    /// Words in a request for that value.
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
    #[serde(default)]
    pub errors: BTreeMap<String, Vec<String>>,
    /// How often a kind of goal is chosen, in proportion.
    pub kinds: BTreeMap<String, usize>,
    #[serde(default)]
    pub odds: Odds,
    /// Lists that all templates may pick from, as `words.NAME`.
    #[serde(default)]
    pub words: BTreeMap<String, toml::Value>,
}

/// How often something happens, of a hundred cases; 0 unless `talk.toml` says more.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
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
    pub option: usize,
    pub look: usize,
    /// A goal stays with the value of the one before, where it can, and the request may call
    /// that value `there`.
    pub stay: usize,
    pub there: usize,
    /// The same again with one more option, once it was done.
    pub again: usize,
    /// A goal begins with one of its detours.
    pub detour: usize,
    /// A request has a reason, or an answer some words around it.
    pub reason: usize,
    pub chatty: usize,
    /// An utterance is polite, or has a mistake in typing.
    pub polite: usize,
    pub typo: usize,
    /// The user types in lower case throughout.
    pub lower: usize,
    /// The dialogue ends with a goodbye.
    pub end: usize,
}

/// The fields that a slot takes over from `talk.toml` by `like`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Shared {
    pub value: String,
    pub wrong: Option<String>,
    pub other: Option<String>,
    pub revise: Vec<String>,
    pub ask: Vec<String>,
    pub answer: Vec<String>,
    pub beside: Vec<String>,
    pub again: Vec<String>,
}
