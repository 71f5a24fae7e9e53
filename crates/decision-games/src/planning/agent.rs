//! A planner without a model: it asks for the kinds of wishes that count most, and proposes.

use serde_json::Value;

use super::solver::{city, of as solver};
use super::weights::{Complaint, weighed};
use super::{Planning, PlanningWorld, proposal};
use crate::game::Game;
use crate::mind::{Extractor, Solver, Suggestion};
use crate::player::{Memory, Player, believed, wanted};
use crate::text::heard;

/// Topics and their questions, the ones first whose answers change most.
const QUESTIONS: [(&str, &str); 20] = [
    ("travel", "Should the ways be short, or may it be far?"),
    ("budget", "Do you have a budget?"),
    ("visit", "Was a certain place recommended to you?"),
    ("category", "Which types of places should be in it?"),
    ("feature:rating", "Do ratings matter?"),
    ("feature:good for kids", "Do you come with kids?"),
    ("feature:good for groups", "Are you a group?"),
    ("feature:has parking", "Do you need parking?"),
    ("feature:touristy", "Do you like touristy places?"),
    ("feature:outdoor seating", "Do you like outdoor seating?"),
    ("feature:has takeout", "Do you want takeout?"),
    (
        "feature:accepts reservations",
        "Do you want to make reservations?",
    ),
    ("feature:vegetarian options", "Do you eat vegetarian?"),
    ("feature:vegan options", "Do you want vegan dishes?"),
    ("feature:has wifi", "Do you need wifi?"),
    ("feature:viewpoint", "Do you like views?"),
    ("feature:alcohol type", "What do you like to drink?"),
    ("feature:cuisine", "Which cuisines do you like or not?"),
    ("feature:live music", "Do you like live music?"),
    ("feature:ambience", "Which ambience do you like or not?"),
];

/// Questions in one message.
const AT_ONCE: usize = 3;

/// Users have about ten wishes beside that for short ways: with as many, asking pays no more.
const ENOUGH: usize = 8;

pub(super) fn of(
    game: &Planning,
    seat: usize,
    reader: Box<dyn Extractor>,
) -> Option<Box<dyn Player>> {
    Some(Box::new(Agent {
        solver: solver(game, seat)?,
        city: city(game),
        memory: Memory::default(),
        asked: 0,
        hurries: false,
        reader,
        view: game.view(seat),
    }))
}

struct Agent {
    solver: Box<dyn Solver>,
    city: PlanningWorld,
    memory: Memory,
    /// Questions that were asked or had an answer before.
    asked: usize,
    /// Time is up: it asks no more.
    hurries: bool,
    reader: Box<dyn Extractor>,
    view: String,
}

impl Agent {
    /// Wishes from the talk, with the weights that rejections tell.
    fn facts(&mut self) -> Result<Vec<Value>, String> {
        let mut facts = believed(self.reader.as_mut(), &self.view, &self.memory.read)?;
        let (mut complaints, mut stops) = (Vec::new(), None);
        for heard in heard(&self.memory.read) {
            if heard.tag == "propose" {
                stops = proposal::read(&self.city, &heard.content, false).ok();
            } else if heard.tag == "message"
                && Complaint::is(&heard.content)
                && let Some(stops) = &stops
            {
                let stops = proposal::stops(&self.city, stops);
                complaints.push(Complaint::read(&heard.content, stops));
            }
        }
        weighed(&self.city, &mut facts, &complaints);
        Ok(facts)
    }

    fn ask(&mut self, facts: &[Value]) -> Option<String> {
        let known = |topic: &str| {
            facts
                .iter()
                .any(|fact| match topic.strip_prefix("feature:") {
                    Some(feature) => fact["feature"] == feature,
                    None => !fact[topic].is_null(),
                })
        };
        let mut questions = Vec::new();
        while self.asked < QUESTIONS.len() && questions.len() < AT_ONCE {
            let (topic, question) = QUESTIONS[self.asked];
            if !known(topic) {
                questions.push(question);
            }
            self.asked += 1;
        }
        (!questions.is_empty()).then(|| format!("[message] {}", questions.join(" ")))
    }

    fn propose(best: &Suggestion) -> String {
        let names: Vec<&str> = best
            .decision
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        let mut reasons: Vec<_> = best.reasons.iter().collect();
        reasons.sort_by(|a, b| b.points.abs().total_cmp(&a.points.abs()));
        let said = |good: bool| {
            let some = reasons
                .iter()
                .filter(|part| (part.points > 0.0) == good)
                .take(2);
            some.map(|part| part.what.as_str())
                .collect::<Vec<_>>()
                .join("; ")
        };
        let (pro, con) = (said(true), said(false));
        let pro = if pro.is_empty() {
            "nothing you named".to_owned()
        } else {
            pro
        };
        let con = if con.is_empty() {
            String::new()
        } else {
            format!(" Against it: {con}.")
        };
        format!(
            "[propose] [{}]\n[message] For it: {pro}.{con}",
            names.join(", ")
        )
    }
}

impl Player for Agent {
    fn turn(&mut self, news: &str) -> Result<String, String> {
        self.memory.take(news);
        let facts = self.facts()?;
        let counted = facts
            .iter()
            .filter(|fact| fact["travel"].is_null() && fact["exclude"].is_null());
        if !self.hurries
            && !wanted(news)
            && counted.count() < ENOUGH
            && let Some(questions) = self.ask(&facts)
        {
            return Ok(questions);
        }
        Ok(match self.solver.suggest(&facts, 1).first() {
            Some(best) => Self::propose(best),
            None => "[message] I find nothing.".to_owned(),
        })
    }

    fn decide(&mut self, news: &str) -> Result<String, String> {
        self.hurries = true;
        self.turn(news)
    }
}
