//! Games in the form of recorded ones, while they are played.

use serde_json::{Map, Value};

use crate::game::{Game, Order};
use crate::recorded::{Figures, Recorded, Turn};
use crate::table::Table;
use crate::talk::TalkCount;
use crate::turn::{self, Move, Recipient};

/// The turns of a game so far.
#[derive(Clone, Debug, Default)]
pub struct Record {
    /// The turns, each move one of them. Thoughts and queries are left out.
    pub turns: Vec<Turn>,
    /// The seat that moved last.
    pub(super) last: Option<usize>,
    /// Questions in messages, by seat.
    questions: Vec<usize>,
}

impl Record {
    /// Takes over a turn of a game that is gone on with.
    pub(super) fn begin(&mut self, turn: &Turn) {
        self.last = Some(turn.player());
        self.turns.push(turn.clone());
    }

    /// Adds a legal turn.
    pub(crate) fn add(&mut self, game: &dyn Game, seat: usize, text: &str) {
        self.last = Some(seat);
        let rooms = game.order().rooms(seat, game.seats().len());
        // The table has read the same text.
        let moves = turn::read(text, &game.seats()[seat], rooms);
        for made in moves.unwrap_or_default() {
            self.add_move(game, seat, &made);
        }
    }

    fn add_move(&mut self, game: &dyn Game, seat: usize, made: &Move) {
        self.turns.push(match made {
            Move::Think(_) | Move::Tool(_) => return,
            Move::Message(to, text) => {
                self.questions.resize(game.seats().len(), 0);
                self.questions[seat] += text.matches('?').count();
                let room = match (game.order(), to) {
                    (Order::Turns, _) => None,
                    (Order::Rooms, Recipient::Room(room)) => Some(*room),
                    (Order::Rooms, _) => Some(seat),
                };
                Turn::Message {
                    player: seat,
                    text: text.clone(),
                    room,
                }
            }
            Move::Propose(text) => {
                let decision = game.read(text).unwrap_or_default();
                Turn::Proposal {
                    player: seat,
                    fields: Map::from_iter([(game.field().to_owned(), decision)]),
                }
            }
            Move::Accept | Move::Reject => Turn::Response {
                player: seat,
                accept: matches!(made, Move::Accept),
            },
        });
    }

    /// How many words were said.
    pub fn words(&self) -> usize {
        self.turns.iter().map(Turn::words).sum()
    }

    /// How many questions a seat has asked.
    pub fn questions(&self, seat: usize) -> usize {
        self.questions.get(seat).copied().unwrap_or(0)
    }

    /// What was said, with the questions that these seats have asked.
    pub fn talk(&self, game: &dyn Game, seats: &[usize]) -> TalkCount {
        TalkCount {
            questions: seats.iter().map(|seat| self.questions(*seat)).sum(),
            ..TalkCount::of(game, &self.turns)
        }
    }

    /// The game as a line of a file of games, with the figures of its decision.
    pub fn line(&self, table: &Table, world: &Value, index: u32) -> Recorded {
        let figures = table.points().map(|points| Figures {
            score: points.score,
            best: points.best,
            worst: points.worst,
            norm: points.norm(),
            parts: Map::new(),
        });
        Recorded {
            game: table.game().name().to_owned(),
            index,
            world: world.clone(),
            turns: self.turns.clone(),
            proposals: Vec::new(),
            recorded: figures,
        }
    }
}
