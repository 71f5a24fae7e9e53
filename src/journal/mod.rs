//! What happens in a session, on the disk before it has consequences.
//!
//! A session is a folder of the [`Store`]:
//!
//! ```text
//! journal.jsonl   what happened, a line each: `log.rs` has the form, `entry.rs` the content
//! contents/       what is too long for a line, by its SHA-256
//! lock            held by the process that writes
//! ```
//!
//! A [`Journal`] is a session that is written, [`State`] what its lines tell. Whenever the
//! process is cut off, the state has everything that had consequences: the turns that
//! ended, and of the one under way what was asked, what ran, what was decided and which
//! writes were made. [`Journaled`] is the [`Overseer`](crate::agent::Overseer) that keeps
//! all this; when the turn is carried out again, with [`AskedOnce`] before the model, it
//! goes on where it was cut off.

mod contents;
mod entry;
mod journaled;
mod log;
mod recorder;
mod replay;
mod state;
mod store;
mod stored;
mod undoing;
mod values;
mod writer;

pub use contents::Contents;
pub use entry::{
    Asked, Begin, By, Change, Ended, Ending, Entry, Kept, Origin, Planned, Ran, Stepped, VERSION,
    Verdict, Written,
};
pub use journaled::{AskedOnce, Decider, Journaled};
pub use log::{Damage, Line, Lines, Torn, read, seal, write};
pub use recorder::{Clock, Journal};
pub use replay::{Guarding, Replaying, Rerun};
pub use state::{PlanState, State, TurnState};
pub use store::{Reading, Standing, Store, Summary};
pub use undoing::Inverse;
pub use values::{from_json, to_json};
pub use writer::Log;

/// The file of a session that has its entries.
const JOURNAL: &str = "journal.jsonl";
/// The folder of a session that has its contents.
const CONTENTS: &str = "contents";
/// The file of a session that its writer has locked.
const LOCK: &str = "lock";
