//! Facts that a party takes from talk, and the best proposals by them.

use serde_json::Value;

use crate::game::Decision;
use crate::illegal::{Code, Illegal};

/// One reason for the value of a suggestion.
#[derive(Clone, Debug, PartialEq)]
pub struct Reason {
    /// What gains or loses, in words.
    pub what: String,
    /// How many points, on the scale of the game's scores.
    pub points: f64,
}

/// A proposal, and why it is worth making.
#[derive(Clone, Debug, PartialEq)]
pub struct Suggestion {
    /// The proposal.
    pub decision: Decision,
    /// Its expected value: the sum of the reasons.
    pub value: f64,
    /// Why, in the order of the proposal.
    pub reasons: Vec<Reason>,
}

/// Finds the best proposals of one seat, exactly, from its view and from facts.
///
/// A solver is made from the view of its seat and knows no more of the world.
pub trait Solver: Send + Sync {
    /// Checks a fact in JSON, and gives it its canonical form: names as the world has them.
    ///
    /// # Errors
    /// The fact cannot be read, or names what the view does not have.
    fn check(&self, fact: &Value) -> Result<Value, Illegal>;

    /// The `count` best proposals under these facts, the best first.
    ///
    /// Facts that [`check`](Solver::check) refuses are left out.
    fn suggest(&self, facts: &[Value], count: usize) -> Vec<Suggestion>;

    /// A complete proposal as it is worth under these facts; none if it is no such proposal.
    fn weigh(&self, facts: &[Value], decision: &Decision) -> Option<Suggestion>;
}

/// Takes facts from what a seat has read. A model does this, or a reader of words.
pub trait Extractor: Send {
    /// The facts, in the JSON form of the game's solver, that a seat with this view can take from
    /// all it has read, its own words among it.
    ///
    /// # Errors
    /// The extractor did not answer. Unclear talk is no error.
    fn facts(&mut self, view: &str, read: &str) -> Result<Vec<Value>, Unread>;
}

/// Why an extractor has no facts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unread {
    /// It answered, and nobody can read the answer: its own failure, which counts against it.
    Unclear(String),
    /// It could not be asked. That says nothing about it, and whatever depends on it is no sample.
    Unreached(String),
}

impl std::fmt::Display for Unread {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Unread::Unclear(reason) | Unread::Unreached(reason) => f.write_str(reason),
        }
    }
}

/// What a seat believes: a solver and the facts so far.
///
/// ```
/// use decision_games::{Mind, Rules, generate, open};
/// use serde_json::json;
///
/// let world = generate("planning", 7).unwrap();
/// let game = open("planning", &world, Rules::default()).unwrap();
/// let mut mind = Mind::new(game.solver(1).unwrap());
/// mind.learn(&json!({"category": "museum", "must": true})).unwrap();
/// let best = &mind.suggest(3)[0];
/// assert!(best.reasons.iter().any(|reason| reason.what.contains("museum")));
///
/// let refused = mind.learn(&json!({"visit": ["Nowhere"]})).unwrap_err();
/// assert_eq!(refused.code.name(), "unknown-site");
/// ```
pub struct Mind {
    solver: Box<dyn Solver>,
    facts: Vec<Value>,
}

impl Mind {
    /// Knows nothing but the view of the solver's seat.
    pub fn new(solver: Box<dyn Solver>) -> Mind {
        let facts = Vec::new();
        Mind { solver, facts }
    }

    /// Takes a fact; of facts about the same, the solver says which one counts.
    ///
    /// # Errors
    /// As [`Solver::check`]; nothing changes.
    pub fn learn(&mut self, fact: &Value) -> Result<(), Illegal> {
        let fact = self.solver.check(fact)?;
        self.facts.push(fact);
        Ok(())
    }

    /// All facts, in the order in which they came.
    pub fn facts(&self) -> &[Value] {
        &self.facts
    }

    /// Forgets the fact with this number, from 0.
    ///
    /// # Errors
    /// There are fewer facts.
    pub fn forget(&mut self, number: usize) -> Result<(), Illegal> {
        if number >= self.facts.len() {
            let known = match self.facts.len() {
                0 => "There is no fact.".to_owned(),
                1 => "There is one fact, 0.".to_owned(),
                count => format!("There are {count} facts, from 0."),
            };
            return Err(Code::BadQuery.because(known));
        }
        self.facts.remove(number);
        Ok(())
    }

    /// The `count` best proposals under the facts, the best first.
    pub fn suggest(&self, count: usize) -> Vec<Suggestion> {
        self.solver.suggest(&self.facts, count)
    }
}

/// Reads a fact of the type that a game has for them.
pub(crate) fn read_fact<F: serde::de::DeserializeOwned>(
    fact: &Value,
    forms: &str,
) -> Result<F, Illegal> {
    serde_json::from_value(fact.clone())
        .map_err(|_| Code::BadQuery.because(format!("A fact is one of {forms}.")))
}
