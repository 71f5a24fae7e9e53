//! Where a game stands.

use super::Play;
use crate::game::{Decision, Game, Order};

/// How a game ended.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    /// All who must have accepted this.
    Accepted(Decision),
    /// The turns are used up.
    Limit,
    /// Too many turns in a row were refused, or held nothing for the others.
    Stuck,
}

/// A proposal that waits for answers.
#[derive(Clone, Debug, PartialEq)]
pub struct Pending {
    /// The seat that proposed.
    pub by: usize,
    /// What it proposed.
    pub decision: Decision,
    /// The seats that have accepted it.
    pub accepted: Vec<usize>,
    /// The how many-th of the game it is, from 1.
    pub number: usize,
}

/// Who may speak in a pair of parties.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Holder {
    Seat(usize),
    Nobody,
}

/// Where a game stands. A value: cheap to copy, and to compare.
#[derive(Clone, Debug, PartialEq)]
pub struct Position {
    /// The holder of the turn: one, or one for each room.
    pub(crate) holders: Vec<Holder>,
    /// The proposal that waits.
    pub(crate) pending: Option<Pending>,
    /// The last proposal was rejected by one of several parties: an answer to it is late.
    pub(crate) withdrawn: bool,
    /// How it ended.
    pub(crate) ended: Option<End>,
    pub(crate) moves: usize,
    pub(crate) silent: usize,
    /// Refused turns in a row, by seat.
    pub(crate) errors: Vec<usize>,
    /// Proposals that have waited for answers.
    pub(super) proposed: usize,
    /// Proposals that a newer one replaced.
    pub(crate) replaced: usize,
    /// Proposals that left something open.
    pub(crate) partial: usize,
    /// Answers to a proposal that was withdrawn.
    pub(crate) late: usize,
}

impl Position {
    pub(super) fn new(game: &dyn Game) -> Position {
        let holders = match game.order() {
            Order::Turns => vec![Holder::Seat(0)],
            Order::Rooms => (0..game.seats().len() - 1).map(Holder::Seat).collect(),
        };
        Position {
            holders,
            pending: None,
            withdrawn: false,
            ended: None,
            moves: 0,
            silent: 0,
            errors: vec![0; game.seats().len()],
            proposed: 0,
            replaced: 0,
            partial: 0,
            late: 0,
        }
    }

    /// The proposal that waits for answers.
    pub fn pending(&self) -> Option<&Pending> {
        self.pending.as_ref()
    }

    /// How the game ended; none while it goes on.
    pub fn ended(&self) -> Option<&End> {
        self.ended.as_ref()
    }

    /// The decision, if the game ended with one.
    pub fn decision(&self) -> Option<&Decision> {
        match &self.ended {
            Some(End::Accepted(decision)) => Some(decision),
            _ => None,
        }
    }

    /// How many turns were more than thoughts and queries.
    pub fn moves(&self) -> usize {
        self.moves
    }

    /// How many full proposals a newer one replaced while they waited.
    pub fn replaced(&self) -> usize {
        self.replaced
    }

    /// How many proposals left something open.
    pub fn partial(&self) -> usize {
        self.partial
    }

    /// How many answers came after another party had rejected the proposal.
    pub fn late_answers(&self) -> usize {
        self.late
    }

    /// Whether the seat has yet to answer the proposal that waits.
    pub fn awaits(&self, seat: usize) -> bool {
        self.must_answer(seat)
    }

    pub(super) fn must_answer(&self, seat: usize) -> bool {
        let waits = |pending: &Pending| pending.by != seat && !pending.accepted.contains(&seat);
        self.pending.as_ref().is_some_and(waits)
    }

    pub(super) fn holds(&self, seat: usize) -> bool {
        self.holders.contains(&Holder::Seat(seat))
    }

    /// The rooms in which a seat may speak.
    pub(crate) fn rooms_of(&self, seat: usize) -> Vec<usize> {
        let rooms = self.holders.iter().enumerate();
        let held = rooms.filter(|(_, holder)| **holder == Holder::Seat(seat));
        held.map(|(room, _)| room).collect()
    }

    pub(super) fn movers(&self, game: &dyn Game, play: Play) -> Vec<usize> {
        let all = 0..game.seats().len();
        match (&self.ended, play) {
            (Some(_), _) => Vec::new(),
            (None, Play::Free) => all.collect(),
            (None, Play::Strict) => all.filter(|seat| self.holds(*seat)).collect(),
        }
    }
}
