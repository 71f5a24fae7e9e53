//! Retrieval of examples: the turns of training dialogues that are most similar to the turn
//! at hand (paper, section 5.1).
//!
//! The pool holds every turn of the training dialogues. The score of an example is
//! `sim_state + α · sim_text`. `sim_state` compares the operations and exceptions in the
//! drafting programs of the two stacks, `sim_text` the agent's last words and the user's.
//!
//! `sim_text` is a [`TextSimilarity`], chosen by a [`Similarity`]: sentence embeddings of
//! all-MiniLM-L6-v2 ([`Embedded`]), or words alone ([`TfIdf`], [`Bm25`]). [`quality`]
//! measures how often each of them finds the same kind of request.

mod bm25;
mod embedded;
mod example;
#[cfg(feature = "minilm")]
mod minilm;
mod pool;
mod postings;
pub mod quality;
mod similarity;
mod state;
mod text;
mod tfidf;
mod vectors;

pub use bm25::Bm25;
pub use embedded::{Embedded, Embedder, Names};
pub use example::Example;
#[cfg(feature = "minilm")]
pub use minilm::MiniLm;
pub use pool::{ExamplePool, built_in_dialogues, dialogues_in};
pub use similarity::{Measure, Similarity};
pub use state::Keywords;
pub use text::{TextSimilarity, Utterances};
pub use tfidf::TfIdf;
pub use vectors::Vectors;

use crate::dialogue::Stack;
use crate::domain::Text;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// How many examples a prompt has, and how they are chosen.
///
/// ```
/// use dialog2api::retrieval::Selection;
///
/// let paper = Selection::default();
/// assert_eq!((paper.nearest, paper.alpha), (5, 1.0));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Selection {
    /// The number of examples that are most similar to the turn (the paper's K).
    pub nearest: usize,
    /// The weight of the utterances relative to the stack (the paper's α).
    pub alpha: f64,
}

impl Default for Selection {
    /// The paper's settings.
    fn default() -> Self {
        Selection {
            nearest: 5,
            alpha: 1.0,
        }
    }
}

/// Which of the two requests of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Task {
    /// The first: from the stack and the last two utterances to programs.
    Program,
    /// The second: from there, with the outcomes of the programs, to the agent's reply.
    Response,
}

/// The situation of the turn at hand, which examples are compared with.
#[derive(Debug, Clone, Copy)]
pub struct Query<'a> {
    /// The stack before the turn, S_{t-1} in the paper: the one that the model sees.
    pub stack: &'a Stack,
    /// What the agent said last, R_{t-1} in the paper.
    pub said: &'a str,
    /// What the user said, U_t in the paper.
    pub user: &'a str,
    /// The dialogue and the goal that must not be retrieved.
    pub excluded: Option<&'a Excluded>,
}

impl<'a> Query<'a> {
    /// The situation of an example.
    pub fn of(example: &'a Example) -> Query<'a> {
        Query {
            stack: &example.before,
            said: &example.said,
            user: &example.user,
            excluded: None,
        }
    }
}

/// The dialogue under test, and its goal: an evaluation never retrieves from either.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Excluded {
    /// The dialogue's uid.
    pub dialogue: String,
    /// The dialogue's goal.
    pub goal: Option<String>,
    /// The operations that are not offered: no example shows how they are called.
    pub operations: BTreeSet<Text>,
}

impl Excluded {
    /// Whether the example must not be retrieved.
    pub fn covers(&self, example: &Example) -> bool {
        let has_same_goal = self.goal.is_some() && self.goal == example.goal;
        self.dialogue == example.dialogue || has_same_goal || self.covers_a_call_of(example)
    }

    /// Whether a program of the example, or of its dialogue before it, looks up one of the
    /// operations.
    fn covers_a_call_of(&self, example: &Example) -> bool {
        let is_held_back = |rest: &str| {
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
            let name = rest.get(..end.unwrap_or(rest.len()));
            name.is_some_and(|name| self.operations.contains(name))
        };
        let mut goals = example.after.goals().iter();
        !self.operations.is_empty()
            && goals.any(|goal| {
                let code = goal.program.without_text();
                code.split('.').skip(1).any(is_held_back)
            })
    }
}
