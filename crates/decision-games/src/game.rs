//! What the games share: seats, views, decisions.

use serde_json::{Value, json};

use crate::board::{Board, Picks};
use crate::extraction::Extraction;
use crate::illegal::{Code, Illegal};
use crate::mind::{Extractor, Solver};
use crate::player::{Manner, Player};
use crate::points::Points;
use crate::programs::Library;
use crate::reading::Forms;
use crate::rules::Rules;

/// A proposal, complete or not, in the JSON form of its game.
pub type Decision = Value;

/// One party of a game, and what it may do beside thinking and speaking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seat {
    /// The name in logs, such as `player-1`.
    pub name: &'static str,
    /// Its name in the texts that other seats read, such as `Partner`.
    pub shown_as: &'static str,
    /// It may propose.
    pub may_propose: bool,
    /// It answers proposals.
    pub may_answer: bool,
    /// It may ask queries.
    pub may_query: bool,
}

impl Seat {
    /// A seat that only speaks.
    pub const fn new(name: &'static str, shown_as: &'static str) -> Seat {
        Seat {
            name,
            shown_as,
            may_propose: false,
            may_answer: false,
            may_query: false,
        }
    }

    /// It may propose, too.
    pub const fn proposes(self) -> Seat {
        Seat {
            may_propose: true,
            ..self
        }
    }

    /// It answers proposals, too.
    pub const fn answers(self) -> Seat {
        Seat {
            may_answer: true,
            ..self
        }
    }

    /// It may ask queries, too.
    pub const fn queries(self) -> Seat {
        Seat {
            may_query: true,
            ..self
        }
    }
}

/// Who speaks after whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Seats take turns in their order; the first begins, and all read what one says.
    Turns,
    /// The last seat mediates: it has a room with each of the others, and each room a turn holder.
    Rooms,
}

impl Order {
    /// Whether the seat is the mediator of that many seats, who says whom it speaks to.
    pub(crate) fn mediates(self, seat: usize, seats: usize) -> bool {
        self == Order::Rooms && seat + 1 == seats
    }

    /// How many rooms the seat mediates of that many seats.
    pub(crate) fn rooms(self, seat: usize, seats: usize) -> usize {
        match self.mediates(seat, seats) {
            true => seat,
            false => 0,
        }
    }
}

/// The rules and the world of one game: everything but its course.
pub trait Game: Send + Sync {
    /// The name of the kind of game.
    fn name(&self) -> &str;

    /// The parties, in the order in which they are asked to move.
    fn seats(&self) -> &[Seat];

    /// Who speaks after whom.
    fn order(&self) -> Order;

    /// Those of these rules that this game takes for the order of play.
    fn order_rules(&self, _rules: Rules) -> Rules {
        Rules::default()
    }

    /// The text that a seat reads at the start. A seat learns more of the world only from
    /// [`show`](Game::show) and [`query`](Game::query).
    fn view(&self, seat: usize) -> String;

    /// Reads a proposal from text.
    fn read(&self, text: &str) -> Result<Decision, Illegal>;

    /// A checked proposal as text, which [`read`](Game::read) reads back.
    fn write(&self, decision: &Decision) -> String;

    /// Checks a proposal in JSON, and gives it its canonical form.
    fn check(&self, decision: &Decision) -> Result<Decision, Illegal>;

    /// Checks a proposal that people made, who could propose what a text form refuses.
    ///
    /// # Errors
    /// The record is damaged.
    fn recorded(&self, decision: &Decision) -> Result<Decision, Illegal> {
        self.check(decision)
    }

    /// Whether a proposal leaves nothing open, so that it waits for an answer.
    fn complete(&self, decision: &Decision) -> bool;

    /// How a seat reads the proposal that another seat, or itself, has made.
    fn show(&self, decision: &Decision, to: usize, by: usize) -> String;

    /// Answers a query.
    fn query(&self, _text: &str) -> Result<String, Illegal> {
        Err(Code::NotYourRole.because("This game has no queries."))
    }

    /// The decision that others get when this one is sent as text. As released, that can be another.
    fn sent(&self, decision: &Decision) -> Decision {
        decision.clone()
    }

    /// What a decision is worth, for all parties alike.
    fn points(&self, decision: &Decision) -> Points;

    /// The score of a decision and its parts, in the form of the records.
    fn parts(&self, decision: &Decision) -> Value {
        json!({ "score": self.points(decision).score })
    }

    /// The numbers that tell others the points of a seat when it says them: those that its view has
    /// in its table, and what it read that these proposals are worth.
    fn numbers(&self, _seat: usize, _proposals: &[Decision]) -> Vec<i64> {
        Vec::new()
    }

    /// The best decision there is.
    fn best(&self) -> Decision;

    /// The decision of a seat before anybody has spoken: the best by its own view and by what is
    /// usual in such worlds.
    fn silent(&self, seat: usize) -> Decision;

    /// What the [silent](Game::silent) decision of a seat is worth.
    fn silence(&self, seat: usize) -> Points {
        self.points(&self.sent(&self.silent(seat)))
    }

    /// The solver of a seat that may propose, made from its view alone.
    fn solver(&self, _seat: usize) -> Option<Box<dyn Solver>> {
        None
    }

    /// Judges facts that the seat took from talk, in their canonical form, by the truth of the world.
    fn judge(&self, _seat: usize, _facts: &[Value]) -> Extraction {
        Extraction::default()
    }

    /// An extractor that reads words and numbers, without a model.
    fn extractor(&self, _seat: usize) -> Option<Box<dyn Extractor>> {
        None
    }

    /// A player made from the view of its seat alone. It decides by the solver and by what the
    /// reader takes from the talk, and speaks in templates.
    fn agent_by(&self, _seat: usize, _reader: Box<dyn Extractor>) -> Option<Box<dyn Player>> {
        None
    }

    /// The [agent](Game::agent_by) that reads without a model.
    fn agent(&self, seat: usize) -> Option<Box<dyn Player>> {
        self.agent_by(seat, self.extractor(seat)?)
    }

    /// How a model is asked for the facts of the seat's solver.
    fn forms(&self, _seat: usize) -> Option<Box<dyn Forms>> {
        None
    }

    /// Python stubs of what programs of a seat can call beside what all games have.
    fn stub(&self, _seat: usize) -> &'static str {
        ""
    }

    /// Answers those of these calls that note no facts.
    fn library(&self, _seat: usize) -> Option<Box<dyn Library>> {
        None
    }

    /// A fixed party without a model, made from the view of its seat alone; the seed chooses
    /// among equal wordings.
    fn partner(&self, _seat: usize, _manner: Manner, _seed: u64) -> Option<Box<dyn Player>> {
        None
    }

    /// The view for the eyes of a person: a table or a map.
    fn picture(&self, seat: usize) -> String {
        self.view(seat)
    }

    /// The view for a page, from what the [view](Game::view), queries and programs of the seat have.
    fn board(&self, seat: usize) -> Board {
        Board::of_text(&self.view(seat))
    }

    /// The proposal that these picks of a [board](Game::board) are, not checked.
    fn picked(&self, _picks: &Picks) -> Decision {
        Decision::Null
    }

    /// The picks of a checked proposal.
    fn picks(&self, _decision: &Decision) -> Picks {
        Picks::new()
    }

    /// What these picks come to, as far as the seat can know it.
    fn about(&self, _seat: usize, _picks: &Picks) -> String {
        String::new()
    }

    /// The field of a recorded proposal that has its decision.
    fn field(&self) -> &'static str {
        "decision"
    }
}

/// The place of the seat of this name.
///
/// # Errors
/// There is no such seat; the sentence lists the seats.
pub fn seat_named(seats: &[Seat], name: &str) -> Result<usize, String> {
    let place = seats.iter().position(|seat| seat.name == name);
    place.ok_or_else(|| {
        let names: Vec<&str> = seats.iter().map(|seat| seat.name).collect();
        let names = names.join(", ");
        format!("there is no seat {name:?}; the seats are {names}")
    })
}
