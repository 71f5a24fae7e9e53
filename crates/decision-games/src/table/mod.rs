//! One game under way: whose move it is, what waits for an answer, how it ended.

mod play;
mod position;

pub(crate) use play::{ANSWER, WITHDRAWN};
pub use position::{End, Pending, Position};

use std::sync::Arc;

use crate::game::{Decision, Game, Order};
use crate::illegal::{Code, Illegal};
use crate::points::Points;
use crate::rules::Rules;
use crate::turn::{self, Move, Recipient};

/// How strictly the order of play is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Play {
    /// For models: a seat moves only when it holds the turn.
    Strict,
    /// For people and for recorded games: anybody speaks at any time.
    Free,
}

/// What ends a game that nobody ends. The default is no limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Turns with more than thoughts and queries.
    pub moves: usize,
    /// Turns in a row with only thoughts and queries.
    pub silent: usize,
    /// Refused turns of one seat in a row.
    pub errors: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            moves: usize::MAX,
            silent: usize::MAX,
            errors: usize::MAX,
        }
    }
}

impl Limits {
    /// The usual limits for models: 30 turns, 45 with a mediator; 8 silent ones; 3 errors.
    pub fn usual(game: &dyn Game) -> Limits {
        Limits {
            moves: if game.seats().len() > 2 { 45 } else { 30 },
            silent: 8,
            errors: 3,
        }
    }
}

/// What a turn showed to each seat, by seat; empty where it showed nothing.
pub type Seen = Vec<String>;

/// One game under way.
///
/// A turn is applied as a whole or not at all.
#[derive(Clone)]
pub struct Table {
    game: Arc<dyn Game>,
    rules: Rules,
    play: Play,
    limits: Limits,
    /// The seats of people.
    people: Vec<usize>,
    position: Position,
}

impl Table {
    /// Begins a game without limits.
    pub fn new(game: Arc<dyn Game>, rules: Rules, play: Play) -> Table {
        Table {
            position: Position::new(game.as_ref()),
            rules: game.order_rules(rules),
            game,
            play,
            limits: Limits::default(),
            people: Vec::new(),
        }
    }

    /// Sets limits.
    pub fn with_limits(self, limits: Limits) -> Table {
        Table { limits, ..self }
    }

    /// Lets people in these seats err, and look things up, as often as they like.
    pub fn with_people(self, people: Vec<usize>) -> Table {
        Table { people, ..self }
    }

    /// Goes on in strict order, by these rules, from where it stands.
    pub fn strictly(self, rules: Rules) -> Table {
        Table {
            play: Play::Strict,
            rules: self.game.order_rules(rules),
            ..self
        }
    }

    /// Without the proposal that waits.
    pub(crate) fn without_pending(mut self) -> Table {
        self.position.pending = None;
        self
    }

    /// The rules and the world.
    pub fn game(&self) -> &Arc<dyn Game> {
        &self.game
    }

    /// Where the game stands.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The seats that may make a turn now, in their order.
    pub fn movers(&self) -> Vec<usize> {
        self.position.movers(self.game.as_ref(), self.play)
    }

    /// The tags of the moves that a seat may make now, such as `message`.
    pub fn allowed(&self, seat: usize) -> Vec<&'static str> {
        let Some(who) = self.game.seats().get(seat) else {
            return Vec::new();
        };
        let (rooms, awaits) = (self.rooms(seat), self.may_answer(seat));
        let says = !self.mediates(seat) || !rooms.is_empty();
        let to = rooms
            .first()
            .map_or(Recipient::Partner, |room| Recipient::Room(*room));
        let text = String::new;
        [
            ("message", says, Move::Message(to, text())),
            ("tool", who.may_query, Move::Tool(text())),
            ("propose", who.may_propose, Move::Propose(text())),
            ("accept", who.may_answer && awaits, Move::Accept),
            ("reject", who.may_answer && awaits, Move::Reject),
        ]
        .into_iter()
        .filter(|(_, has, made)| *has && self.may(seat, std::slice::from_ref(made)).is_ok())
        .map(|(tag, ..)| tag)
        .collect()
    }

    /// Whether a proposal waits that the seat may answer; as released, also once more.
    pub(crate) fn may_answer(&self, seat: usize) -> bool {
        let again = self.rules.repeated_answers && self.game.order() == Order::Rooms;
        let pending = self.position.pending.as_ref();
        self.position.must_answer(seat) || again && pending.is_some_and(|it| it.by != seat)
    }

    /// The rooms in which the mediator may speak now; none for other seats.
    pub fn rooms(&self, seat: usize) -> Vec<usize> {
        match (self.mediates(seat), self.play) {
            (false, _) => Vec::new(),
            (true, Play::Strict) => self.position.rooms_of(seat),
            (true, Play::Free) => (0..seat).collect(),
        }
    }

    /// What the decision is worth, once there is one.
    pub fn points(&self) -> Option<Points> {
        let decision = self.position.decision()?;
        Some(self.game.points(decision))
    }

    /// Applies a turn in text form.
    ///
    /// # Errors
    /// The turn is illegal. Nothing of it is applied. Too many such turns of a seat in a row end the
    /// game as [`End::Stuck`], if there is such a limit.
    pub fn turn(&mut self, seat: usize, text: &str) -> Result<Seen, Illegal> {
        if self.position.ended.is_some() {
            return Err(over());
        }
        let game = self.game.clone();
        self.attempt(seat, |table| {
            let rooms = game.order().rooms(seat, game.seats().len());
            let moves = turn::read(text, &game.seats()[seat], rooms)?;
            table.apply(seat, &moves)
        })
    }

    /// Makes one move, with a proposal in JSON form.
    ///
    /// # Errors
    /// As [`turn`](Table::turn).
    pub fn propose(&mut self, seat: usize, decision: &Decision) -> Result<Seen, Illegal> {
        if self.position.ended.is_some() {
            return Err(over());
        }
        self.may_propose(seat)?;
        self.attempt(seat, |table| {
            table.may(seat, &[Move::Propose(String::new())])?;
            let decision = table.game.check(decision)?;
            let mut seen = vec![Vec::new(); table.game.seats().len()];
            table.put_proposal(seat, decision, &mut seen);
            Ok(table.finish(seat, true, seen))
        })
    }

    /// Whether the role of a seat makes proposals.
    pub(crate) fn may_propose(&self, seat: usize) -> Result<(), Illegal> {
        match self.game.seats()[seat].may_propose {
            true => Ok(()),
            false => Err(Code::NotYourRole.because("Your role makes no proposals.")),
        }
    }

    /// Makes a turn on a copy, which counts only if the turn is legal. Counts the refusals.
    fn attempt(
        &mut self,
        seat: usize,
        make: impl FnOnce(&mut Table) -> Result<Seen, Illegal>,
    ) -> Result<Seen, Illegal> {
        let mut table = self.clone();
        let made = make(&mut table);
        if made.is_ok() {
            *self = table;
            self.position.errors[seat] = 0;
        } else if !self.people.contains(&seat) {
            self.position.errors[seat] += 1;
            if self.position.errors[seat] >= self.limits.errors {
                self.position.ended = Some(End::Stuck);
            }
        }
        made
    }
}

pub(crate) fn over() -> Illegal {
    Code::GameOver.because("The game has ended.")
}
