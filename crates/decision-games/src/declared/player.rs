//! Parties of declared games that need no model.

use serde_json::Value;

use super::mind::Solver;
use super::world::{OPTION, View, Wish};
use crate::mind::{Extractor, Solver as _};
use crate::player::{Manner, Memory, Player, believed};
use crate::text::{find, heard, sentences, words};

/// A proposal is good enough from this part of the best that is known.
const ENOUGH: f64 = 0.9;

/// A party that tells its wishes; one that `leads` asks and proposes, too.
pub(super) struct Party {
    own: Vec<Wish>,
    solver: Solver,
    reader: Box<dyn Extractor>,
    manner: Manner,
    /// The view as text, of one that leads.
    leads: Option<String>,
    /// Time is up: it asks no more.
    hurries: bool,
    told: bool,
    rejected: bool,
    memory: Memory,
}

impl Party {
    pub fn new(
        view: View,
        manner: Manner,
        leads: Option<String>,
        reader: Box<dyn Extractor>,
    ) -> Party {
        Party {
            own: view.own.clone(),
            solver: Solver(view),
            reader,
            hurries: false,
            manner,
            leads,
            told: false,
            rejected: false,
            memory: Memory::default(),
        }
    }

    fn tell(&self, pass: impl Fn(&Wish) -> bool) -> String {
        let one = |wish: &Wish| format!("{} {} {}", wish.attribute, wish.value, wish.points);
        self.own
            .iter()
            .filter(|wish| pass(wish))
            .map(one)
            .collect::<Vec<_>>()
            .join(", ")
    }

    /// Wishes about the attributes that questions name.
    fn answers(&self, news: &str) -> String {
        let messages = heard(news)
            .into_iter()
            .filter(|heard| heard.tag == "message" && heard.from == "Partner");
        let texts: Vec<String> = messages
            .flat_map(|heard| sentences(&heard.content))
            .collect();
        let questions: Vec<Vec<String>> = texts
            .iter()
            .filter(|text| text.trim_end().ends_with('?'))
            .map(|text| words(text))
            .collect();
        let names =
            |question: &Vec<String>, name: &str| find(question, &words(name).join(" ")).is_some();
        self.tell(|wish| {
            let asked = |question| {
                let option = wish.attribute == OPTION && names(question, &wish.value);
                option || names(question, &wish.attribute)
            };
            questions.iter().any(asked)
        })
    }

    fn speak(&mut self, news: &str) -> String {
        let shy = self.manner == Manner::Shy;
        let first = !std::mem::replace(&mut self.told, true);
        let text = match (first, shy) {
            (true, false) if self.manner == Manner::Top => {
                let best = self.own.iter().map(|wish| wish.points).max().unwrap_or(0);
                self.tell(|wish| 5 * (best - wish.points) <= best.abs())
            }
            (true, false) => self.tell(|_| true),
            _ => self.answers(news),
        };
        let mut text = match text.is_empty() {
            true => "I have nothing to add.".to_owned(),
            false => format!("I wish {text}."),
        };
        if self.leads.is_some() && first {
            let mut asked: Vec<&str> = Vec::new();
            for attribute in self.own.iter().map(|wish| wish.attribute.as_str()) {
                if !asked.contains(&attribute) {
                    asked.push(attribute);
                    text += &format!(" What about {attribute}?");
                }
            }
        }
        format!("[message] {text}")
    }
}

impl Player for Party {
    fn turn(&mut self, news: &str) -> Result<String, String> {
        let answers = self.memory.take(news);
        let view = self.leads.as_deref().unwrap_or_default();
        let facts = believed(self.reader.as_mut(), view, &self.memory.read)?;
        Ok(self.act(news, answers, &facts))
    }

    fn decide(&mut self, news: &str) -> Result<String, String> {
        self.hurries = true;
        self.turn(news)
    }
}

impl Party {
    fn act(&mut self, news: &str, answers: bool, facts: &[Value]) -> String {
        let Some(best) = self.solver.suggest(facts, 1).into_iter().next() else {
            return "[message] There is nothing to choose.".to_owned();
        };
        if answers {
            let text = self.memory.proposal().unwrap_or_default();
            let name = text.lines().next().unwrap_or_default();
            let worth = self
                .solver
                .weigh(facts, &name.into())
                .map_or(0.0, |worth| worth.value);
            // A best that is below 0 is good enough, too.
            if self.rejected || best.value - worth <= (1.0 - ENOUGH) * best.value.abs() {
                return "[accept]".to_owned();
            }
            self.rejected = true;
            let text = self.tell(|_| self.manner != Manner::Shy);
            return format!("[reject]\n[message] I hoped for more. {text}");
        }
        match self.leads.is_some() && (self.told || self.hurries) {
            true => format!("[propose] {}", best.decision.as_str().unwrap_or_default()),
            false => self.speak(news),
        }
    }
}
