//! A user who wants what a goal of MultiWOZ says, and a desk that speaks by templates: dialogues
//! about restaurants without a model. Same goal, seed and replies, same bytes.

mod base;
mod desk;
mod run;
mod user;
mod words;

pub use base::drawn;
pub use desk::{Answer, Desk};
pub use run::{Exchange, Outcome, Run, run};
pub use user::{Act, User, Utterance};
pub use words::Words;

/// The slots of which wishes are, in the order in which they are said.
const WISHES: [&str; 3] = ["pricerange", "food", "area"];
