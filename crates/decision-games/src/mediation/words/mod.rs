//! Meetings, and times that suit, from the travellers' words.
//!
//! Complaints about prices and about the other's arrival are no facts: people make them whatever
//! their weights are.

mod exact;
mod tone;
mod window;

use jiff::ToSpan;
use jiff::civil::{Date, date};
use serde_json::{Value, json};

use super::score::conflict_times;
use super::solver::View;
use super::{Flight, Mediation, Time};
use crate::mind::{Extractor, Unread};
use crate::text::{Heard, heard, sentences};
pub(super) use exact::times;
use window::Window;

/// The gain of a flight at a time that a traveller asks for: travellers have fewer private meetings
/// at such times.
const ASKED: f64 = 3.0;

/// What a flight gains that overlaps one that its traveller has accepted.
const ACCEPTED: f64 = 4.5;

pub(super) fn of(game: &Mediation, seat: usize) -> Option<Box<dyn Extractor>> {
    (seat == 2).then(|| Box::new(Words(View::of(game.world()))) as Box<dyn Extractor>)
}

struct Words(View);

impl View {
    /// The year of the first flight: times that people say have none.
    pub(in crate::mediation) fn year(&self) -> i16 {
        let first = self.flights.iter().flatten().next();
        first.map_or_else(|| date(2023, 1, 1).year(), |flight| flight.start.0.year())
    }

    /// The days on which somebody can fly.
    fn days(&self) -> Vec<Date> {
        let flights = self.flights.iter().flatten();
        let mut days: Vec<Date> = flights.map(|flight| flight.start.0.date()).collect();
        days.sort_unstable();
        days.dedup();
        days
    }
}

impl Extractor for Words {
    fn facts(&mut self, _view: &str, read: &str) -> Result<Vec<Value>, Unread> {
        let mut talk = Talk {
            view: &self.0,
            days: self.0.days(),
            proposed: None,
            facts: Vec::new(),
        };
        for heard in heard(read) {
            talk.take(&heard);
        }
        Ok(talk.facts)
    }
}

/// What was said so far.
struct Talk<'a> {
    view: &'a View,
    days: Vec<Date>,
    /// The flights of the last proposal.
    proposed: Option<[usize; 2]>,
    facts: Vec<Value>,
}

impl Talk<'_> {
    fn take(&mut self, heard: &Heard) {
        let user = match heard.from.as_str() {
            "User 0" => 0,
            "User 1" => 1,
            _ => {
                if heard.tag == "propose" {
                    self.proposed = proposed(&heard.content);
                }
                return;
            }
        };
        match heard.tag.as_str() {
            "message" => {
                for sentence in sentences(&heard.content) {
                    self.sentence(user, &sentence);
                }
            }
            "accept" => {
                if let Some(flight) = self.flight(user) {
                    let (start, end) = (flight.start, flight.end);
                    self.suits(user, start, end, ACCEPTED);
                }
            }
            // A rejection is no fact: people go back to what they rejected. Leaving rejected pairs
            // out lost more than it gained.
            _ => {}
        }
    }

    /// The flight of a traveller in the last proposal.
    fn flight(&self, user: usize) -> Option<Flight> {
        self.view.flights[user].get(self.proposed?[user]).cloned()
    }

    fn sentence(&mut self, user: usize, sentence: &str) {
        let exact = times(sentence, self.view.year());
        if exact.is_empty() {
            let words = tone::words(sentence);
            for clause in tone::clauses(&words) {
                self.clause(user, clause);
            }
        }
        for said in exact {
            // Who repeats a flight does not name a meeting.
            let same = |flight: &Flight| flight.start == said.start && flight.end == said.end;
            let shared = self.view.shared[user].iter();
            let known = shared.clone().any(|times| *times == (said.start, said.end));
            let importance = tone::of_name(&said.behind);
            if self.view.flights[user].iter().any(same) || known && importance.is_none() {
                continue;
            }
            self.meeting(
                user,
                said.start,
                said.end,
                importance.unwrap_or(tone::USUAL),
            );
        }
    }

    fn clause(&mut self, user: usize, words: &[String]) {
        let flight = self.flight(user);
        let usual = match &flight {
            Some(flight) => vec![flight.start.0.date()],
            None => self.days.clone(),
        };
        let windows = window::windows(words, &self.days, &usual);
        let importance = tone::importance(words);
        let meetings = importance.is_some() || tone::of_meetings(words);
        let bad = tone::is_bad(words);
        for window in &windows {
            if meetings || window.exact && !tone::of_flight(words) || bad && !window.exact {
                let usual = if bad { tone::HIGH } else { tone::USUAL };
                self.meetings(user, window, importance.unwrap_or(usual));
            } else if !window.exact {
                self.suits(user, window.start, window.end, ASKED);
            }
        }
        if let Some(flight) = flight.filter(|_| windows.is_empty() && tone::conflicts(words)) {
            self.met(user, &flight, importance);
        }
    }

    fn suits(&mut self, user: usize, start: Time, end: Time, suits: f64) {
        let fact = json!({"user": user, "start": start, "end": end, "suits": suits});
        self.facts.push(fact);
    }

    fn meeting(&mut self, user: usize, start: Time, end: Time, importance: f64) {
        let fact = json!({"user": user, "start": start, "end": end, "importance": importance});
        self.facts.push(fact);
    }

    fn importance(&mut self, user: usize, event: usize, importance: f64) {
        let fact = json!({"user": user, "event": event, "importance": importance});
        self.facts.push(fact);
    }

    /// Meetings at a time that was named. Where none is known, those that have hours of their own
    /// are private.
    fn meetings(&mut self, user: usize, window: &Window, importance: f64) {
        let named = window.exact || window.point;
        // What is said of a whole part of a day is less true of each meeting in it.
        let importance = if named {
            importance
        } else {
            importance.clamp(4.0, 8.0)
        };
        let events: Vec<usize> = (0..)
            .zip(&self.view.shared[user])
            .filter(|(_, (start, end))| match window.point {
                true => *start == window.start,
                false => *start < window.end && window.start < *end,
            })
            .map(|(event, _)| event)
            .collect();
        for event in &events {
            self.importance(user, *event, importance);
        }
        if events.is_empty() && named {
            self.meeting(user, window.start, window.end, importance);
        }
    }

    /// A traveller says that a flight meets something: the shared meetings that it meets, or else
    /// a private one.
    fn met(&mut self, user: usize, flight: &Flight, importance: Option<f64>) {
        let events: Vec<usize> = (0..)
            .zip(&self.view.shared[user])
            .filter(|(_, (start, end))| conflict_times(*start, *end, flight))
            .map(|(event, _)| event)
            .collect();
        // Which one of several is meant stays open.
        let importance = importance.unwrap_or(7.0).min(7.0);
        for event in &events {
            self.importance(user, *event, importance);
        }
        if events.is_empty() && importance > tone::LOW {
            // Its hours are not known. A meeting that begins with the flight would not meet it.
            let start = Time(flight.start.0.saturating_add(1.minutes()));
            self.meeting(user, start, flight.end, importance / 2.0);
        }
    }
}

/// The flights of a proposal as it is shown.
fn proposed(content: &str) -> Option<[usize; 2]> {
    let mut numbers = content.lines().next()?.split("id ").skip(1).map(|rest| {
        let digits = rest.split(|c: char| !c.is_ascii_digit()).next()?;
        digits.parse().ok()
    });
    Some([numbers.next()??, numbers.next()??])
}

#[cfg(test)]
mod tests;
