//! The pool of examples and which of them stand in a prompt (paper, section 5.1).
//!
//! The pool is every turn of the training dialogues. The score of an example is
//! `sim_state + α · sim_text`: how alike the program stacks are in the operations
//! and exceptions that their drafting programs name, and how alike the two last utterances are.
//!
//! `sim_text` is a [`TextSimilarity`], chosen by a [`Similarity`]: sentence embeddings
//! ([`Embedded`]) of all-MiniLM-L6-v2, or the words alone ([`TfIdf`], [`Bm25`]).
//! [`quality`] counts how often each finds the same kind of request.

mod bm25;
mod cover;
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
pub use state::{CONVERSATIONAL_EXCEPTIONS, Keywords};
pub use text::{TextSimilarity, Utterances};
pub use tfidf::TfIdf;
pub use vectors::Vectors;

use crate::dialogue::Stack;
use serde::{Deserialize, Serialize};

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

/// Which of the two requests of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Task {
    /// From S_{t-1}, R_{t-1} and U_t to the goals of P_t.
    Program,
    /// And on from there, with what became of those goals, to R_t.
    Response,
}

/// What is looked for: the situation of the turn at hand.
#[derive(Debug, Clone, Copy)]
pub struct Query<'a> {
    /// S_{t-1}: the stack that the model sees.
    pub stack: &'a Stack,
    /// What the agent said last.
    pub said: &'a str,
    /// What the user said.
    pub user: &'a str,
    /// What must not be retrieved.
    pub excluded: Option<&'a Excluded>,
}

impl<'a> Query<'a> {
    /// The situation that an example was in.
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
