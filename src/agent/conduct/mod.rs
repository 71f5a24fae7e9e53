//! What an agent does for a domain that has a [`Conduct`]: it asks the model for one program a
//! turn, in the conduct's words, and lets code decide what follows.

mod around;
mod ask;
mod lesson;
mod prompt;
mod turn;

pub use around::{around, recall};
pub(super) use ask::RecordedAsks;
pub use dialog2api_core::conduct::{
    Asks, Conduct, Following, Prompting, Situation, TakenBack, Taught,
};
pub use lesson::lesson;
pub(super) use prompt::{asks_reply, program_of, said_reply};
pub use prompt::{code_of, messages, repaired};
