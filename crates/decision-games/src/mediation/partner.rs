//! Fixed travellers.

use super::score::{conflict, conflict_times};
use super::view::event_times;
use super::words::times;
use super::{Event, Flight, Mediation};
use crate::chance::Chance;
use crate::player::{Manner, Memory, Player};
use crate::text::{heard, sentences};

const GREETINGS: [&str; 3] = ["Hi!", "Hello!", "Hi, I need a flight."];

/// A total of its own numbers from which it accepts.
const GOOD: i64 = -10;

/// A proposal that is accepted in any case.
const LAST: usize = 3;

pub(super) fn of(
    game: &Mediation,
    seat: usize,
    manner: Manner,
    seed: u64,
) -> Option<Box<dyn Player>> {
    let user = game.world().users.get(seat)?;
    Some(Box::new(Partner {
        meetings: user.private.iter().chain(&user.shared).cloned().collect(),
        flights: user.flights.clone(),
        manner,
        greeting: GREETINGS[Chance::new(seed).below(GREETINGS.len())],
        memory: Memory::default(),
        told: false,
        proposals: 0,
    }))
}

struct Partner {
    meetings: Vec<Event>,
    flights: Vec<Flight>,
    manner: Manner,
    greeting: &'static str,
    memory: Memory,
    told: bool,
    proposals: usize,
}

impl Partner {
    fn tell(events: &[&Event], numbers: bool) -> String {
        let one = |event: &&Event| {
            let level = match event.importance {
                8.. => "high",
                4..=7 => "medium",
                _ => "low",
            };
            match numbers {
                true => format!("{} ({level}, {})", event_times(event), event.importance),
                false => format!("{} ({level})", event_times(event)),
            }
        };
        events.iter().map(one).collect::<Vec<_>>().join(", ")
    }

    /// The meetings that a flight could make it miss.
    fn in_the_way(&self) -> Vec<&Event> {
        let meets = |event: &&Event| self.flights.iter().any(|flight| conflict(event, flight));
        let all = self.meetings.iter().filter(meets);
        match self.manner {
            Manner::Shy => Vec::new(),
            Manner::Top => all.filter(|event| event.importance >= 8).collect(),
            Manner::Scripted | Manner::Numbers => all.collect(),
        }
    }

    /// Meetings at the times that questions name.
    fn answers(&self, news: &str) -> Option<String> {
        let year = self.flights.first()?.start.0.year();
        let mut found: Vec<&Event> = Vec::new();
        let mut asked = false;
        for heard in heard(news)
            .into_iter()
            .filter(|heard| heard.from == "Agent" && heard.tag == "message")
        {
            for question in sentences(&heard.content)
                .iter()
                .filter(|text| text.trim_end().ends_with('?'))
            {
                for said in times(question, year) {
                    asked = true;
                    let span = Flight {
                        carrier: String::new(),
                        price: 0,
                        start: said.start,
                        end: said.end,
                        duration: String::new(),
                    };
                    for event in &self.meetings {
                        let meets = conflict_times(event.start, event.end, &span)
                            || event.start == span.start;
                        if meets && !found.contains(&event) {
                            found.push(event);
                        }
                    }
                }
            }
        }
        asked.then(|| match found.is_empty() {
            true => "Nothing then.".to_owned(),
            false => format!(
                "I have {}.",
                Self::tell(&found, self.manner == Manner::Numbers)
            ),
        })
    }

    fn answer(&mut self) -> String {
        self.proposals += 1;
        let card = self.memory.proposal().unwrap_or_default();
        let total = card
            .lines()
            .find_map(|line| line.strip_prefix("Total score: ")?.parse::<i64>().ok());
        if total.is_some_and(|total| total >= GOOD) || self.proposals >= LAST {
            return "[accept]".to_owned();
        }
        let reason = match self.manner {
            Manner::Shy => "That does not suit me.",
            _ => "That costs me too much.",
        };
        format!("[reject]\n[message] {reason}")
    }
}

impl Player for Partner {
    fn turn(&mut self, news: &str) -> Result<String, String> {
        Ok(self.respond(news))
    }
}

impl Partner {
    fn respond(&mut self, news: &str) -> String {
        if self.memory.take(news) {
            return self.answer();
        }
        let first = !std::mem::replace(&mut self.told, true);
        let answers = self.answers(news);
        let text = match (first, answers) {
            (_, Some(answers)) if self.manner == Manner::Shy => answers,
            (true, _) => {
                let all = self.in_the_way();
                match all.is_empty() {
                    true => self.greeting.to_owned(),
                    false => format!(
                        "I have {}.",
                        Self::tell(&all, self.manner == Manner::Numbers)
                    ),
                }
            }
            (false, Some(answers)) => answers,
            (false, None) => "I have nothing to add.".to_owned(),
        };
        format!("[message] {text}")
    }
}
