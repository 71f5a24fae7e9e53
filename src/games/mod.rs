//! Models in decision games: they read for the players of `decision_games`, or talk themselves.
//!
//! A game is played on a thread that may wait: its players are plain functions of text. Models
//! answer on the runtime, and an [`Asker`] stands between the two. It keeps everything that was
//! said, so that each turn is logged with what it cost.
//!
//! - [`ModelReader`] turns talk into the facts of a seat's solver. The model writes no proposal: the
//!   solver makes it.
//! - [`Programmer`] plays a seat by programs: an [`Agent`](crate::agent::Agent) whose world is the
//!   seat ([`SeatWorld`]). [`domain()`] makes the domain of a game for that.
//! - [`in_python`] is a kind of game that a file of the user draws the worlds of.
//! - [`Talker`] plays a seat that only speaks and answers.

mod acting;
mod asker;
mod conduct;
mod domain;
mod programmer;
mod python;
mod reader;
mod seat;
mod talker;
mod worlds;

pub use acting::Acting;
pub use asker::{Asked, Asker, Sampling};
pub use domain::{domain, domains};
pub use programmer::Programmer;
pub use python::in_python;
pub use reader::ModelReader;
pub use seat::SeatWorld;
pub use talker::Talker;
