//! Runs of simulated dialogues about rows: does what an assistant says agree with them (Labruna et
//! al. 2024)?
//!
//! A simulated user wants what a goal of MultiWOZ says, and talks with an [`AssistantKind`]. Each
//! reply is checked by `typed_claims`. `log.jsonl` has a line for each reply ([`DeskTurn`]), and
//! all figures ([`DeskScore`]) follow from it. A run is a folder, as those of datasets and games are.

mod assistant;
mod compare;
mod dialogue;
mod journal;
mod log;
mod options;
mod programs;
mod rows;
mod runner;
mod score;
mod table;
mod template;
mod user;

pub use compare::{DeskComparison, DeskDifference, compare};
pub use log::{
    AssistantKind, DeskDialogues, DeskEnd, DeskRun, DeskTurn, KIND, ProgramOutcome, RowRecipe,
    UserKind, VERSION,
};
pub use options::DeskOptions;
pub use programs::Programs;
pub use runner::{DeskProgress, DeskRunner};
pub use score::{DeskFigure, DeskScore, RecordedDesk, read, score};
