//! What is judged, and what is thought of it.

use crate::llm::Usage;
use serde::{Deserialize, Serialize};

/// One exchange.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JudgedTurn {
    /// The dialogue that it is of. One without a name is a dialogue of its own.
    #[serde(default)]
    pub dialogue: Option<String>,
    /// What the user says.
    #[serde(default)]
    pub user: String,
    /// The reply.
    pub reply: String,
    /// It is not judged: it came before those that are.
    #[serde(default)]
    pub context: bool,
    /// What is planted in the reply, for figures of each kind of error.
    #[serde(default)]
    pub operator: Option<String>,
    /// What the reply is, if that is known.
    #[serde(default)]
    pub label: Option<TurnLabel>,
}

/// What a reply is, as whoever wrote it knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TurnLabel {
    /// It contradicts nothing.
    pub aligned: bool,
    /// It brings in nothing; absent where the edit does not say.
    #[serde(default)]
    pub grounded: Option<bool>,
}

impl TurnLabel {
    /// Nothing is wrong with the reply.
    pub fn is_right(self) -> bool {
        self.aligned && self.grounded != Some(false)
    }
}

/// What a model thinks of a turn. A question that was not asked has no answer, nor has one whose
/// answers could not be read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Judgement {
    /// The reply refers to the rows.
    pub refers: Option<bool>,
    /// It contradicts nothing.
    pub aligned: Option<bool>,
    /// It brings in nothing.
    pub grounded: Option<bool>,
    /// An answer could not be read, even after the model was asked again.
    pub unreadable: bool,
    /// The answers as they were given. Those of a whole dialogue are at its first turn.
    pub raw: Vec<String>,
    /// The requests.
    pub requests: usize,
    /// Their tokens.
    pub usage: Usage,
}

impl Judgement {
    /// Nothing is wrong with the reply; `None` if that is not known.
    pub fn is_right(&self) -> Option<bool> {
        match self.refers? {
            false => Some(true),
            true => Some(self.aligned? && self.grounded?),
        }
    }
}
