//! Models in decision games: they read for the players of `decision_games`, or talk themselves.
//!
//! A game is played on a thread that may wait: its players are plain functions of text. Models
//! answer on the runtime, and an [`Asker`] stands between the two. It keeps everything that was
//! said, so that each turn is logged with what it cost.
//!
//! - [`ModelReader`] turns talk into the facts of a seat's solver. The model writes no proposal: the
//!   solver makes it.
//! - [`Talker`] plays a seat that only speaks and answers.

mod asker;
mod reader;
mod talker;

pub use asker::{Asked, Asker, Asking};
pub use reader::ModelReader;
pub use talker::Talker;
