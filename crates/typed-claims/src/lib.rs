//! Finds what a reply claims about the rows of a knowledge base, and says of each claim whether
//! it is true, known and supported. Text in, claims out: no model, no I/O, no domain.

#![deny(missing_docs)]

mod agreement;
mod analysis;
mod catalogue;
mod chance;
mod claim;
mod clause;
mod deed;
pub mod dialogues;
mod domain;
mod error;
mod evidence;
mod exact;
mod knowledge;
mod languages;
mod lexicon;
mod metrics;
mod number_words;
pub mod plant;
mod report;
pub mod restaurant;
mod schema;
pub mod simulate;
mod spans;
mod steps;
mod text;
mod tracker;
mod verdict;

pub use agreement::Agreement;
pub use catalogue::{Base, Catalogue, Row};
pub use claim::{Claim, ClaimRule, Constraints, Flags, Kind, Subject, Verdict};
pub use deed::{Deed, Done, Voice};
pub use error::Error;
pub use evidence::Evidence;
pub use knowledge::Knowledge;
pub use languages::language_of;
pub use lexicon::Lexicon;
pub use metrics::Figures;
pub use number_words::NUMBER_WORDS;
pub use report::{report, report_with, rows_of_lines};
pub use schema::{Also, Names, Schema, Slot, SlotKind, Unit};
pub use tracker::Tracker;
