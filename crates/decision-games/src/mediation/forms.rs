//! How a model writes down what travellers say about their meetings.

use serde_json::{Value, json};

use super::Mediation;
use super::solver::View;
use super::view;
use super::words::times;
use crate::illegal::{Code, Illegal};
use crate::reading::{self, Form};

const GUIDE: &str = include_str!("../../data/reading/mediation.txt");

/// What words for importance count.
const WORDS: [(&str, f64); 3] = [("high", 9.0), ("medium", 5.5), ("low", 2.0)];

pub(super) fn of(game: &Mediation, seat: usize) -> Option<Box<dyn reading::Forms>> {
    (seat == 2).then(|| Box::new(Forms(View::of(game.world()))) as Box<dyn reading::Forms>)
}

struct Forms(View);

impl reading::Forms for Forms {
    fn guide(&self) -> String {
        let calendar = |user: usize| {
            let meetings = (0..).zip(&self.0.shared[user]);
            let lines = meetings.map(|(id, (start, end)): (usize, _)| {
                format!("\n{id} | {}", view::times(*start, *end, false))
            });
            format!("Calendar of User {user}:{}", lines.collect::<String>())
        };
        GUIDE.replace("CALENDARS", &format!("{}\n{}", calendar(0), calendar(1)))
    }

    fn calls(&self) -> &'static [Form] {
        &[
            Form {
                name: "importance",
                places: &["user", "event", "importance"],
            },
            Form {
                name: "meeting",
                places: &["user", "times", "importance"],
            },
            Form {
                name: "price",
                places: &["user", "price"],
            },
            Form {
                name: "exclude",
                places: &["user", "exclude"],
            },
        ]
    }

    fn tidy(&self, mut fact: Value) -> Result<Value, Illegal> {
        if let Some(word) = fact["importance"].as_str() {
            let word = word.trim().to_lowercase();
            let known = WORDS.iter().find(|(known, _)| *known == word);
            let text = "An importance is a number from 1 to 10, high, medium or low.";
            let (_, value) = known.ok_or_else(|| Code::BadQuery.because(text))?;
            fact["importance"] = json!(value);
        }
        if let Some(written) = fact["times"].as_str() {
            let said = times(written, self.0.year()).into_iter().next();
            let text = format!("{written:?} is no time such as \"6/1 8 PM - 10 PM\".");
            let said = said.ok_or_else(|| Code::BadQuery.because(text))?;
            (fact["start"], fact["end"]) = (json!(said.start), json!(said.end));
        }
        if let Some(fields) = fact.as_object_mut() {
            fields.remove("times");
            fields.retain(|_, value| !value.is_null());
        }
        Ok(fact)
    }

    fn topic(&self, fact: &Value) -> String {
        let user = &fact["user"];
        // A meeting of the calendar that was written by its times is the same meeting.
        let id = fact["event"]
            .as_u64()
            .and_then(|id| usize::try_from(id).ok());
        let event = id.and_then(|id| self.0.shared[usize::from(*user == 1)].get(id));
        let (start, end) = match event {
            Some((start, end)) => (json!(start), json!(end)),
            None => (fact["start"].clone(), fact["end"].clone()),
        };
        let what = if fact["price"].is_null() {
            "meeting"
        } else {
            "price"
        };
        format!("{user} {what} {start} {end} {}", fact["exclude"])
    }
}
