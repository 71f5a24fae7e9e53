//! Mediation: an agent finds flights for two travellers whose calendars it knows in part.

mod agent;
mod board;
mod check;
mod costs;
mod forms;
mod generate;
mod kind;
mod library;
mod partner;
mod picture;
mod proposal;
mod score;
mod silent;
mod solver;
mod truth;
mod view;
mod words;

pub use generate::generate;
pub use kind::MediationKind;
pub use score::{Costs, conflicts, costs, hours_apart, mean};
pub use silent::{calendars, silent};

use jiff::civil::DateTime;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Value, json};

use crate::board::{Board, Picks};
use crate::bounds::{self, POINTS};
use crate::extraction::Extraction;
use crate::game::{Decision, Game, Order, Seat};
use crate::illegal::Illegal;
use crate::mind::{Extractor, Solver};
use crate::player::{Manner, Player};
use crate::points::Points;
use crate::programs::Library;
use crate::reading::Forms;
use crate::rules::Rules;

const SEATS: [Seat; 3] = [
    Seat::new("user0", "User 0").answers(),
    Seat::new("user1", "User 1").answers(),
    Seat::new("agent", "Agent").proposes(),
];

/// A local time, to the minute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Time(pub DateTime);

impl Serialize for Time {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0.strftime("%Y-%m-%dT%H:%M"))
    }
}

impl<'de> Deserialize<'de> for Time {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Time, D::Error> {
        let text = String::deserialize(deserializer)?;
        let time = text.parse().map_err(serde::de::Error::custom)?;
        Ok(Time(time))
    }
}

/// A meeting.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// When it begins.
    pub start: Time,
    /// When it ends.
    pub end: Time,
    /// From 1 to 10.
    pub importance: i64,
}

/// A flight.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Flight {
    /// The airline.
    pub carrier: String,
    /// In dollars.
    pub price: i64,
    /// When it departs.
    pub start: Time,
    /// When it arrives.
    pub end: Time,
    /// In words.
    #[serde(default)]
    pub duration: String,
}

/// A traveller.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct User {
    /// How much the price counts.
    pub price_weight: i64,
    /// The price that counts as neither cheap nor dear.
    pub mean_price: i64,
    /// All meetings, by start.
    pub calendar: Vec<Event>,
    /// Those that the agent sees, without their importance.
    pub shared: Vec<Event>,
    /// Those that it does not see.
    pub private: Vec<Event>,
    /// The flights, by arrival.
    pub flights: Vec<Flight>,
}

/// Everything that is true in one game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MediationWorld {
    /// How much three hours between the arrivals cost.
    pub arrival_weight: i64,
    /// The travellers.
    pub users: [User; 2],
}

/// One game of mediation.
pub struct Mediation {
    world: MediationWorld,
    best: ([usize; 2], i64),
    worst: i64,
}

impl Mediation {
    /// Prepares a game; a sentence says what is wrong with the world.
    ///
    /// The released rules differ in nothing that is fixed by the world.
    pub fn new(world: MediationWorld, _rules: Rules) -> Result<Mediation, String> {
        bounds::within("arrival_weight", world.arrival_weight, 0, POINTS)?;
        world.users.iter().try_for_each(check::user)?;
        let mut best = ([0, 0], i64::MIN);
        let mut worst = i64::MAX;
        for pair in pairs(&world) {
            let value = score::total(&world, pair);
            if value > best.1 {
                best = (pair, value);
            }
            worst = worst.min(value);
        }
        Ok(Mediation { world, best, worst })
    }

    /// The world of the game.
    pub fn world(&self) -> &MediationWorld {
        &self.world
    }

    /// The decision with these flights.
    pub fn decision(flights: [usize; 2]) -> Decision {
        json!(flights)
    }

    /// The flights of a decision.
    pub fn flights(decision: &Decision) -> [usize; 2] {
        [0, 1].map(|user| decision[user].as_u64().unwrap_or(0) as usize)
    }
}

/// All pairs of flights, in order.
pub(crate) fn pairs(world: &MediationWorld) -> impl Iterator<Item = [usize; 2]> + use<> {
    let (n, m) = (world.users[0].flights.len(), world.users[1].flights.len());
    (0..n).flat_map(move |i| (0..m).map(move |j| [i, j]))
}

impl Game for Mediation {
    fn name(&self) -> &str {
        "mediation"
    }

    fn seats(&self) -> &[Seat] {
        &SEATS
    }

    fn order(&self) -> Order {
        Order::Rooms
    }

    fn order_rules(&self, rules: Rules) -> Rules {
        rules
    }

    fn view(&self, seat: usize) -> String {
        match self.world.users.get(seat) {
            Some(user) => view::of_user(user),
            None => view::of_agent(&self.world),
        }
    }

    fn read(&self, text: &str) -> Result<Decision, Illegal> {
        proposal::read(&self.world, text)
    }

    fn write(&self, decision: &Decision) -> String {
        let [a, b] = Self::flights(decision);
        format!("user 0: id {a}, user 1: id {b}")
    }

    fn check(&self, decision: &Decision) -> Result<Decision, Illegal> {
        proposal::check(&self.world, decision)
    }

    fn complete(&self, _: &Decision) -> bool {
        true
    }

    fn show(&self, decision: &Decision, to: usize, _by: usize) -> String {
        let flights = Self::flights(decision);
        match self.world.users.get(to) {
            Some(user) => view::scorecard(user, flights[to], &costs(&self.world, flights)[to]),
            None => view::echo(&self.world, flights),
        }
    }

    fn points(&self, decision: &Decision) -> Points {
        Points {
            score: score::total(&self.world, Self::flights(decision)),
            best: self.best.1,
            worst: self.worst,
        }
    }

    fn parts(&self, decision: &Decision) -> Value {
        score::parts(&self.world, Self::flights(decision))
    }

    fn numbers(&self, seat: usize, proposals: &[Decision]) -> Vec<i64> {
        let cost = |decision: &Decision| {
            let costs = costs(&self.world, Self::flights(decision));
            Some(costs.get(seat)?.total())
        };
        proposals.iter().filter_map(cost).collect()
    }

    fn best(&self) -> Decision {
        Self::decision(self.best.0)
    }

    fn silent(&self, _seat: usize) -> Decision {
        Self::decision(silent(&self.world).0)
    }

    fn solver(&self, seat: usize) -> Option<Box<dyn Solver>> {
        solver::of(self, seat)
    }

    fn judge(&self, _seat: usize, facts: &[Value]) -> Extraction {
        truth::judge(&self.world, facts)
    }

    fn extractor(&self, seat: usize) -> Option<Box<dyn Extractor>> {
        words::of(self, seat)
    }

    fn agent_by(&self, seat: usize, reader: Box<dyn Extractor>) -> Option<Box<dyn Player>> {
        agent::of(self, seat, reader)
    }

    fn forms(&self, seat: usize) -> Option<Box<dyn Forms>> {
        forms::of(self, seat)
    }

    fn stub(&self, seat: usize) -> &'static str {
        library::stub(seat)
    }

    fn library(&self, seat: usize) -> Option<Box<dyn Library>> {
        library::of(self, seat)
    }

    fn partner(&self, seat: usize, manner: Manner, seed: u64) -> Option<Box<dyn Player>> {
        partner::of(self, seat, manner, seed)
    }

    fn picture(&self, seat: usize) -> String {
        picture::draw(&self.world, seat)
    }

    fn field(&self) -> &'static str {
        "flights"
    }

    fn board(&self, seat: usize) -> Board {
        board::of(&self.world, seat)
    }

    fn picked(&self, picks: &Picks) -> Decision {
        board::picked(picks)
    }

    fn picks(&self, decision: &Decision) -> Picks {
        board::picks(decision)
    }
}
