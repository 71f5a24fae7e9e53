//! Runs of decision games: what a model that reads reaches, beside people and silence.
//!
//! ```text
//! recorded games + model ─► runner ─► log.jsonl ─► score ─► figures ─► report, comparison
//! ```
//!
//! As in runs of dialogues, the log is the interface: every figure can be computed again from it
//! alone. Whatever a model said is in `responses.jsonl` before it is used, so that a run that was
//! stopped, or whose provider failed, goes on without asking twice.

mod compare;
mod journal;
mod log;
mod merge;
mod page;
mod play;
mod runner;
mod score;
mod table;
mod units;

pub use compare::{GameComparison, GameDifference, compare};
pub use journal::is_run;
pub use log::{GameLine, GameMode, GameOutcome, GameRun, GameTurn, Games, KIND, UnitKey, VERSION};
pub use merge::merge;
pub use page::page;
pub use runner::{GameProgress, GameRunner, GameWatch, WORDS};
pub use score::{GameRow, GameScore, RecordedGames, read, score};
pub use table::{csv, markdown};
pub use units::GameOptions;
