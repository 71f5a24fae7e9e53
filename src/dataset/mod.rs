//! Datasets: annotated dialogues, and the programs in them run again.
//!
//! A dataset is a folder of dialogue files (`*.xml`, the exchange format) in `train/` and
//! `test/`. Each names the `goal` that it was written for and the `world` that it starts
//! from. `goals.toml` lists the goals ([`Catalogue`]), `worlds/` describes the worlds. All
//! code here works for any domain. The page
//! [A dataset of your own](crate::documentation::own_dataset) shows how to make one.
//!
//! - [`annotate`] records what the programs of a new dialogue do; [`accidents`] are errors
//!   that nobody meant.
//! - [`check`](mod@check) finds what is wrong with a dataset, and [`stats`] counts what is
//!   in it.
//! - [`Replayer`] runs the programs of a dialogue, and [`compare`] holds them to what is
//!   recorded; [`play()`] does both, turn by turn. [`EmptyAccount`] does that on a real server.
//! - [`rows`] converts dialogues to JSON Lines and back; [`chat`] makes chats for
//!   fine-tuning.
//! - [`generate`](mod@generate) makes dialogues from templates.
//! - [`ExampleDialogues`] are the dialogues that a model is shown.

mod accidents;
mod annotate;
mod catalogue;
pub mod chat;
pub mod check;
mod empty_account;
mod examples;
mod file;
pub mod generate;
mod placeholder_values;
mod play;
mod play_report;
mod replay;
pub mod rows;
mod set;
pub mod stats;
mod steps;
mod verify;
mod worlds;
mod write;

pub use accidents::{Accident, accept, accidents};
pub use annotate::{Annotated, BrokenRule, annotate};
pub use catalogue::{Catalogue, FigureTarget, Named, Targets};
pub use empty_account::EmptyAccount;
pub use examples::{BUILT_IN, ExampleDialogues};
pub use file::{Dialogue, Split, files, read};
pub use placeholder_values::filled;
pub use play::{Audience, Played, PlayedTurn, play};
pub use replay::{DialogueReplay, Done, ReplayedTurn, Replayer};
pub use set::Set;
pub use steps::{Before, GoalStep, steps};
pub use verify::{Difference, SignedOutcome, Verification, compare, initial};
pub use worlds::InitialWorlds;
pub use write::{Written, write};
