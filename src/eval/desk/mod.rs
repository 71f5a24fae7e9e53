//! Runs of simulated dialogues about rows: does what an assistant says agree with them (Labruna et
//! al. 2024)?
//!
//! A simulated user wants what a goal of MultiWOZ says, and talks with an [`AssistantKind`]. Each
//! reply is checked by `typed_claims`. `log.jsonl` has a line for each reply ([`DeskTurn`]), and
//! all figures ([`DeskScore`]) follow from it. A run is a folder, as those of datasets and games are.

mod assistant;
mod compare;
mod journal;
mod log;
mod programs;
mod rows;
mod runner;
mod score;
mod template;
mod user;

pub use compare::{DeskComparison, DeskDifference, compare};
pub use log::{
    AssistantKind, DeskDialogues, DeskEnd, DeskRun, DeskTurn, KIND, ProgramOutcome, RowRecipe,
    UserKind,
};
pub use programs::Programs;
pub use runner::{DeskOptions, DeskProgress, DeskRunner};
pub use score::{DeskFigure, DeskScore, RecordedDesk, read, score};
