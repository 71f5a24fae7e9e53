//! The journal of a session: everything that happens is on the disk before it has
//! consequences.
//!
//! A session is a folder of the [`SessionStore`]:
//!
//! ```text
//! journal.jsonl   the entries, one a line: form in `log.rs`, content in `entry.rs`
//! approved/       plans that a person has approved outside of the process that writes
//! contents/       contents that are too long for a line, by their SHA-256
//! lock            held by the process that writes
//! ```
//!
//! A [`Journal`] is a session that is being written, and a [`SessionState`] is the sum of its
//! entries. Whenever the process is killed, the state holds everything that had consequences:
//! the turns that ended, and the requests, programs, decisions and writes of the turn under
//! way. [`Journaled`] is the [`Overseer`](crate::agent::Overseer) that writes all this. When
//! the interrupted turn is run again, with [`AskedOnce`] before the model, it continues where
//! it was cut off.
//!
//! ```
//! use dialog2api::journal::{Begin, SessionStore};
//!
//! let folder = tempfile::tempdir().expect("a folder");
//! let store = SessionStore::at(folder.path());
//! let journal = store.begin(Some("demo"), Begin::new("empty", "a model"))?;
//! journal.said(1, "list my buckets")?;
//! drop(journal);
//!
//! let resumed = store.resume("demo")?;
//! let unfinished = resumed.unfinished().expect("a turn that did not end");
//! assert_eq!(unfinished.user, "list my buckets");
//! # Ok::<(), dialog2api::Error>(())
//! ```

mod approval;
mod checked;
mod contents;
mod conversion;
mod entry;
mod inverse;
mod journaled;
mod kept_params;
mod log;
mod recorded;
mod recorder;
mod replay;
mod state;
mod store;
mod taken_back;
mod values;
mod writer;

pub use crate::agent::DecidedBy;
pub use approval::{plan_id, read_plan_id};
pub use checked::CheckedReply;
pub use contents::ContentStore;
pub use entry::{
    Begin, Ended, Ending, Entry, ExecutionRecord, ImageRecord, Origin, PlanVerdict, Planned,
    RequestRecord, StepRecord, UpdateRecord, VERSION, WriteRecord,
};
pub use inverse::Inverse;
pub use journaled::{AskedOnce, Journaled};
pub use kept_params::KeptParams;
pub use log::{Damage, Line, Lines, Torn, read, seal, write};
pub use recorder::{Journal, JournalClock};
pub use replay::{Guarding, Replaying, Rerun};
pub use state::{PlanState, SessionState, TurnState};
pub use store::{ReadSession, SessionStore, SessionSummary, Standing};
pub use values::{from_json, to_json};
pub use writer::JournalWriter;

/// The file of a session's entries.
const JOURNAL: &str = "journal.jsonl";
/// The folder of a session's contents.
const CONTENTS: &str = "contents";
/// The file that the writer of a session locks.
const LOCK: &str = "lock";
