//! A mediator without a model: it asks each traveller what the best flights would make it miss,
//! and proposes once it has asked about them.

use std::collections::BTreeSet;

use serde_json::Value;

use super::solver::{View, of as solver};
use super::view::times;
use super::{Mediation, Time};
use crate::game::{Decision, Game};
use crate::mind::{Extractor, Solver, Suggestion};
use crate::player::{Memory, Player, believed, wanted};

/// Messages with questions in a room.
const ROUNDS: usize = 6;

/// A room in which this many meetings were named at once needs no questions.
const OPEN: usize = 3;

pub(super) fn of(
    game: &Mediation,
    seat: usize,
    reader: Box<dyn Extractor>,
) -> Option<Box<dyn Player>> {
    Some(Box::new(Agent {
        solver: solver(game, seat)?,
        reader,
        text: game.view(seat),
        hurries: false,
        view: View::of(game.world()),
        memory: Memory::default(),
        asked: BTreeSet::new(),
        rounds: [0; 2],
        proposals: 0,
    }))
}

struct Agent {
    solver: Box<dyn Solver>,
    reader: Box<dyn Extractor>,
    /// The view as text.
    text: String,
    /// Time is up: it asks no more.
    hurries: bool,
    view: View,
    memory: Memory,
    /// Users and flights that were asked about.
    asked: BTreeSet<(usize, usize)>,
    rounds: [usize; 2],
    proposals: usize,
}

impl Agent {
    fn facts(&mut self) -> Result<Vec<Value>, String> {
        believed(self.reader.as_mut(), &self.text, &self.memory.read)
    }

    /// A question about the time of a flight, if it can still change something.
    fn ask(&mut self, user: usize, flight: usize, facts: &[Value]) -> Option<String> {
        let meeting = |fact: &&Value| fact["user"] == user && !fact["importance"].is_null();
        let told = facts.iter().filter(meeting).count();
        if self.rounds[user] == 0 && told >= OPEN {
            // It tells by itself: there is nothing to ask for.
            self.rounds[user] = ROUNDS;
        }
        if self.rounds[user] >= ROUNDS || !self.asked.insert((user, flight)) {
            return None;
        }
        self.rounds[user] += 1;
        let flight = self.view.flights[user].get(flight)?;
        let span = span(flight.start, flight.end);
        Some(format!(
            "{user}: [message] Which meetings do you have at {span}, and how important are they?"
        ))
    }

    fn propose(&mut self, best: &Suggestion) -> String {
        self.proposals += 1;
        let [a, b] = Mediation::flights(&best.decision);
        let again = if self.proposals > 1 {
            "It is still the best for both: "
        } else {
            ""
        };
        let part = |user: &str| -> String {
            let own = best
                .reasons
                .iter()
                .filter(|part| part.what.starts_with(user) || part.what.contains("between"));
            own.map(|part| {
                part.what
                    .replace(user, "you")
                    .replace("you misses", "you miss")
                    .replace("you flies", "you fly")
                    .replace("you pays", "you pay")
            })
            .collect::<Vec<_>>()
            .join(", ")
        };
        format!(
            "all: [propose] user 0: id {a}, user 1: id {b}\n0: [message] {again}{}.\n1: [message] {again}{}.",
            part("user 0"),
            part("user 1")
        )
    }

    fn best(&self, facts: &[Value]) -> Option<(Suggestion, Decision)> {
        let best = self.solver.suggest(facts, 1).into_iter().next()?;
        let decision = best.decision.clone();
        Some((best, decision))
    }
}

fn span(start: Time, end: Time) -> String {
    times(start, end, true)
}

impl Player for Agent {
    fn turn(&mut self, news: &str) -> Result<String, String> {
        self.memory.take(news);
        let facts = self.facts()?;
        let Some((best, decision)) = self.best(&facts) else {
            return Ok("all: [think] There is no flight.".to_owned());
        };
        // A room may be asked only when its traveller has spoken last.
        let holds = |user: usize| news.contains(&format!("User {user}: [message]"));
        let flights = Mediation::flights(&decision);
        let mut questions = Vec::new();
        for (user, flight) in flights.into_iter().enumerate() {
            if holds(user) && !self.hurries && !wanted(news) {
                questions.extend(self.ask(user, flight, &facts));
            }
        }
        Ok(match questions.is_empty() {
            true => self.propose(&best),
            false => questions.join("\n"),
        })
    }

    fn decide(&mut self, news: &str) -> Result<String, String> {
        self.hurries = true;
        self.turn(news)
    }
}
