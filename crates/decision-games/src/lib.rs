//! Decision games: parties who know different things talk until they agree on one decision, and
//! the decision has a score.
//!
//! The three games are those of *Decision-Oriented Dialogue* (DialOp): [`optimization`],
//! [`planning`] and [`mediation`]. This crate draws worlds from seeds and shows each party its
//! view. It reads turns, holds the order of play, and scores decisions. It replays recorded games.
//! Its exact solvers find the best decision, and the one that a party would make without a word.
//! It does no I/O.
//!
//! ```
//! use decision_games::{Play, Rules, Table, generate, open};
//!
//! let world = generate("planning", 7).unwrap();
//! let game = open("planning", &world, Rules::default()).unwrap();
//! assert!(game.view(0).starts_with("Travel Preferences:"));
//!
//! let mut table = Table::new(game, Rules::default(), Play::Strict);
//! let seen = table.turn(0, "[message] Hi! I like parks.").unwrap();
//! assert_eq!(seen[1], "User: [message] Hi! I like parks.");
//!
//! // An illegal turn changes nothing. Its mover gets the reason as data.
//! let refused = table.turn(0, "[accept]").unwrap_err();
//! assert_eq!(refused.code.name(), "not-your-turn");
//! ```
//!
//! # Map
//!
//! - [`Game`] is the trait of all games: seats, views, proposals, scores. [`Kinds`] has them by
//!   name; [`open`] and [`generate`] know the three.
//! - [`Mind`] has what a seat believes, and suggests the best proposals with their reasons. An
//!   [`Extractor`] takes facts from talk.
//! - [`Player`] makes turns: [`Game::agent`] and [`Game::partner`] are players without a model,
//!   [`play`] lets them play to the end, and people with them. [`forced`] asks for a proposal after
//!   a part of a recorded game, and an [`Extraction`] judges what was understood; [`measure`] and [`figures`] have the figures.
//! - [`Board`] has what a page draws for a seat, and [`play::Pages`] what people do at pages.
//! - [`speaking`] lets fixed parties speak German or Italian.
//! - [`programs`] has what programs of a seat can call.
//! - [`declared`] reads a game of a user from a file.
//! - [`Table`] is one game under way. [`turn`] reads what a party writes.
//! - [`solve`] has the solvers, [`rows`] what they reach without a word, [`RowTable`] the means.
//! - [`Recorded`] is a game that people played.
//! - [`serve`] steps games from outside.
//! - [`Rules`] has the defects of the released environment, each as a switch.

#![deny(missing_docs)]

pub mod board;
mod bounds;
mod chance;
mod compare;
pub mod declared;
mod extraction;
pub mod figures;
pub mod forced;
mod game;
mod illegal;
mod kinds;
mod language;
mod means;
pub mod measure;
pub mod mediation;
mod mind;
pub mod names;
pub mod optimization;
mod page;
pub mod planning;
pub mod play;
mod player;
mod points;
pub mod programs;
pub mod reading;
mod recorded;
pub mod rows;
mod rules;
pub mod serve;
pub mod solve;
mod table;
mod talk;
mod text;
pub mod turn;

pub use board::{Board, Picks};
pub use chance::Chance;
pub use compare::Match;
pub use extraction::{Extraction, FactCount, FactRates};
pub use game::{Decision, Game, Order, Seat, seat_named};
pub use illegal::{Code, Illegal};
pub use kinds::{Kind, Kinds, generate, open};
pub use language::{Language, speaking};
pub use means::{RowMean, RowTable};
pub use mind::{Extractor, Mind, Reason, Solver, Suggestion, Unread};
pub use page::page;
pub use player::{Manner, Player};
pub use points::Points;
pub use recorded::{Figures, Recorded, Replay, Turn};
pub use rules::Rules;
pub use table::{End, Limits, Pending, Play, Position, Seen, Table};
pub use talk::TalkCount;
pub use text::{Heard, heard};
