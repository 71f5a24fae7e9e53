//! Recorded dialogues (section 9.5): what was said, the turn programs with their formal
//! queries, and what came of each turn. They play again without a model, a box or a database
//! of the owner's.

mod outcome;
mod play;
mod read;
mod rehearse;
mod write;

pub use outcome::outcome;
pub use play::{Backend, Made, Play, Played, Recorded};
pub use rehearse::{Difference, Rehearsed, rehearse};

use serde_json::Value as Json;

/// A recorded dialogue. It begins with the agent's greeting.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Dialogue {
    /// Its name.
    pub uid: String,
    /// What the user is after; dialogues of one goal belong together.
    pub goal: String,
    /// The backend's state in which it begins, by name.
    pub world: String,
    /// What the agent says first.
    pub greeting: String,
    /// The user's turns.
    pub turns: Vec<Turn>,
}

/// What a user says, and what comes of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Turn {
    /// The user's words.
    pub user: String,
    /// The turn program.
    pub program: String,
    /// What came of the program, as [`outcome()`] writes it.
    pub result: Option<Json>,
    /// The first digits of the signature of forms and backend after the turn, which the sandbox
    /// makes (`dialog2api dataset annotate`). It is kept here, and not compared.
    pub signature: Option<String>,
    /// The agent's reply.
    pub agent: String,
}
