//! Planning: an agent that knows a city plans three stops for a user who knows what it likes.

mod agent;
mod beliefs;
mod board;
mod check;
mod forms;
mod generate;
mod itinerary;
mod kind;
mod library;
mod partner;
mod picture;
mod places;
mod preference;
mod proposal;
mod score;
mod search;
mod site;
mod solver;
mod truth;
mod weights;
mod words;

pub use beliefs::{BestItinerary, Wish, suggest, suggest_several};
pub use generate::generate;
pub use itinerary::mean;
pub use kind::{PlanningKind, wish};
pub use preference::Preference;
pub use score::{Score, score};
pub use site::{Feature, Site, miles};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::board::{Board, Picks};
use crate::extraction::Extraction;
use crate::game::{Decision, Game, Order, Seat};
use crate::illegal::Illegal;
use crate::mind::{Extractor, Solver};
use crate::player::{Manner, Player};
use crate::points::Points;
use crate::programs::Library;
use crate::reading::Forms;
use crate::rules::Rules;
use itinerary::Extremes;

/// The stops of an itinerary.
pub const STOPS: usize = 3;

const SEATS: [Seat; 2] = [
    Seat::new("user", "User").answers(),
    Seat::new("agent", "Agent").proposes().queries(),
];

/// The types of sites, in the order in which they are counted for the agent.
const TYPES: [&str; 7] = [
    "restaurant",
    "cafe",
    "museum",
    "bar",
    "landmark",
    "park",
    "shop",
];

/// Everything that is true in one game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlanningWorld {
    /// The sites, in the order of the database.
    pub sites: Vec<Site>,
    /// What the user wants, in the order in which it reads it.
    pub preferences: Vec<Preference>,
    /// A recorded world in which an unmet wish for a category cost nothing.
    #[serde(default)]
    pub legacy_at_least_one: bool,
}

/// Three stops, each a site or empty.
pub type Stops = [Option<usize>; STOPS];

/// One game of planning.
pub struct Planning {
    world: PlanningWorld,
    rules: Rules,
    extremes: Extremes,
}

impl Planning {
    /// Prepares a game; a sentence says what is wrong with the world.
    pub fn new(world: PlanningWorld, rules: Rules) -> Result<Planning, String> {
        check::check(&world)?;
        // Best and worst never follow the legacy rule; the recorded ones did not, either.
        let extremes = itinerary::extremes(&world);
        Ok(Planning {
            world,
            rules,
            extremes,
        })
    }

    /// The world of the game.
    pub fn world(&self) -> &PlanningWorld {
        &self.world
    }

    /// The score of an itinerary, with its parts.
    pub fn score(&self, stops: &Stops) -> Score {
        let legacy = self.rules.legacy_categories && self.world.legacy_at_least_one;
        score(&self.world, stops, legacy)
    }

    /// What the user reads about an itinerary.
    pub fn scorecard(&self, stops: &Stops) -> String {
        self.score(stops).card(&self.world, stops)
    }

    /// The stops of a decision.
    pub fn stops(&self, decision: &Decision) -> Stops {
        proposal::stops(&self.world, decision)
    }

    /// The decision with these stops.
    pub fn decision(&self, stops: &Stops) -> Decision {
        proposal::decision(&self.world, stops)
    }
}

impl Game for Planning {
    fn name(&self) -> &str {
        "planning"
    }

    fn seats(&self) -> &[Seat] {
        &SEATS
    }

    fn order(&self) -> Order {
        Order::Turns
    }

    fn order_rules(&self, rules: Rules) -> Rules {
        rules
    }

    fn view(&self, seat: usize) -> String {
        if seat == 0 {
            let texts = self.world.preferences.iter().map(Preference::text);
            return texts.fold("Travel Preferences:".to_owned(), |view, text| {
                view + "\n" + text
            });
        }
        let count = |kind: &str| {
            self.world
                .sites
                .iter()
                .filter(|site| site.kind == kind)
                .count()
        };
        let counts: Vec<String> = TYPES
            .iter()
            .map(|kind| (kind, count(kind)))
            .filter(|(_, count)| *count > 0)
            .map(|(kind, count)| format!("{kind} {count}"))
            .collect();
        format!("Sites: {} ({})", self.world.sites.len(), counts.join(", "))
    }

    fn read(&self, text: &str) -> Result<Decision, Illegal> {
        proposal::read(&self.world, text, self.rules.repeated_sites)
    }

    fn write(&self, decision: &Decision) -> String {
        proposal::write(&self.world, &self.stops(decision))
    }

    fn check(&self, decision: &Decision) -> Result<Decision, Illegal> {
        proposal::check(&self.world, decision, self.rules.repeated_sites)
    }

    fn recorded(&self, decision: &Decision) -> Result<Decision, Illegal> {
        // People could propose an itinerary without a stop.
        let empty = decision
            .as_array()
            .is_some_and(|slots| slots.len() == STOPS && slots.iter().all(Value::is_null));
        match empty {
            true => Ok(decision.clone()),
            false => self.check(decision),
        }
    }

    fn complete(&self, decision: &Decision) -> bool {
        self.stops(decision).iter().all(Option::is_some)
    }

    fn show(&self, decision: &Decision, to: usize, _by: usize) -> String {
        let stops = self.stops(decision);
        match to {
            0 => self.scorecard(&stops),
            _ => proposal::write(&self.world, &stops),
        }
    }

    fn query(&self, text: &str) -> Result<String, Illegal> {
        search::answer(&self.world, text, self.rules.simple_search)
    }

    fn points(&self, decision: &Decision) -> Points {
        Points {
            score: self.score(&self.stops(decision)).total,
            best: self.extremes.best.1,
            worst: self.extremes.worst,
        }
    }

    fn parts(&self, decision: &Decision) -> Value {
        let stops = self.stops(decision);
        self.score(&stops).parts(&stops)
    }

    fn numbers(&self, seat: usize, proposals: &[Decision]) -> Vec<i64> {
        let worth = |decision: &Decision| self.score(&self.stops(decision)).total;
        match seat {
            0 => proposals.iter().map(worth).collect(),
            _ => Vec::new(),
        }
    }

    fn best(&self) -> Decision {
        self.decision(&self.extremes.best.0.map(Some))
    }

    fn silent(&self, _seat: usize) -> Decision {
        let found = suggest(&self.world.sites, &[], true);
        self.decision(&found.stops.map(Some))
    }

    fn solver(&self, seat: usize) -> Option<Box<dyn Solver>> {
        solver::of(self, seat)
    }

    fn judge(&self, _seat: usize, facts: &[Value]) -> Extraction {
        truth::judge(&self.world.preferences, facts)
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
        "slots"
    }

    fn board(&self, seat: usize) -> Board {
        board::of(&self.world, seat)
    }

    fn picked(&self, picks: &Picks) -> Decision {
        board::picked(&self.world, picks)
    }

    fn picks(&self, decision: &Decision) -> Picks {
        board::picks(self, decision)
    }

    fn about(&self, seat: usize, picks: &Picks) -> String {
        match seat {
            0 => String::new(),
            _ => board::about(&self.world, picks),
        }
    }
}
