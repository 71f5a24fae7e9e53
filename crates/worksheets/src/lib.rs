//! Worksheets: what an agent must ask, say and do, written down by its owner as forms in a
//! spreadsheet (Genie, first called KITA).
//!
//! The crate reads and checks sheets, keeps the dialogue state, and comes from a turn program
//! to the acts of the turn. It runs no Python, asks no model and does no I/O: what needs a
//! host leaves the [`Agenda`] as a [`Next`] and comes back as an [`Effect`].

#![deny(missing_docs)]

mod act;
mod agenda;
mod canonical;
mod check;
mod consent;
mod coverage;
mod desk;
#[cfg(feature = "knowledge")]
pub mod dialogue;
#[cfg(feature = "knowledge")]
pub mod evaluate;
mod fit;
mod judge;
#[cfg(feature = "knowledge")]
pub mod knowledge;
mod migrate;
pub mod plain;
mod predicate;
mod problem;
pub mod program;
mod read;
mod reply;
mod sheets;
mod show;
mod show_page;
pub mod simulate;
pub mod star;
mod state;
mod stats;
mod text;
mod words;
mod write;

pub use act::{Act, Performed, Reason};
pub use agenda::{Agenda, Effect, Ended, Host, Next, Place, Settings, Turned, follow};
pub use canonical::canonical;
pub use check::{check, check_actions, check_calls, unknown_calls};
pub use consent::digest as consent_digest;
pub use coverage::{Coverage, Gap};
pub use desk::{Desk, Op, Refused, variable};
pub use judge::{OPTIONAL_ASKS, STEPS, STUCK};
pub use migrate::{Change, migrate};
pub use predicate::{Predicate, Unreadable};
pub use problem::{At, Problem, Severity};
pub use read::{Format, read};
pub use reply::{is_said, judge_reply};
pub use sheets::{Column, Field, FieldKind, Sheet, SheetKind, Sheets, Type};
pub use show::show;
pub use show_page::show_page;
pub use state::{
    Body, By, Failed, Given, Invalid, Query, Record, Slot, State, Status, Task, Value,
};
pub use stats::{FieldStats, SheetStats, Stats};
pub use text::state_text;
pub use write::{write, write_bytes};

/// Whether a predicate holds, read where a record stands; the record may be absent.
pub fn holds(sheets: &Sheets, state: &State, record: Option<&str>, predicate: &str) -> bool {
    let predicate = Predicate::parse(predicate);
    let view = predicate::View::new(sheets, state);
    let me = record.and_then(|var| view.place(var));
    view.holds(&predicate, predicate::Scope { me, value: None })
}
