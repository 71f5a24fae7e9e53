//! The desk without a model: it looks up what the user's acts ask for, and says it by templates.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value as Json, json};

use super::words::{Number, say};
use super::{Act, WISHES, Words};
use crate::chance::Chance;
use crate::plant::title;
use crate::{Error, Row};

/// From this many rows on the desk asks for more wishes; fewer are listed.
const MANY: usize = 5;

/// A reply of the desk, with the literals and results of its programs.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The reply.
    pub text: String,
    /// The programs of this turn.
    pub programs: Vec<(Vec<String>, Json)>,
}

/// The desk of one dialogue.
#[derive(Debug)]
pub struct Desk<'a> {
    rows: &'a [Row],
    words: &'a Words,
    chance: Chance,
    /// Days and times at which no restaurant has a table.
    refused: BTreeSet<(String, String)>,
    wishes: BTreeMap<String, String>,
    careless: BTreeSet<String>,
    name: Option<String>,
    reference: Option<String>,
}

impl<'a> Desk<'a> {
    /// A desk over rows. No table is free at the refused days and times.
    pub fn new(
        rows: &'a [Row],
        words: &'a Words,
        refused: impl IntoIterator<Item = (String, String)>,
        seed: u64,
        dialogue: &str,
    ) -> Self {
        Desk {
            rows,
            words,
            chance: Chance::new("trust-desk/1", seed, dialogue),
            refused: refused.into_iter().collect(),
            wishes: BTreeMap::new(),
            careless: BTreeSet::new(),
            name: None,
            reference: None,
        }
    }

    /// Answers what the user means. A result that cannot be written is an error.
    pub fn answer(&mut self, acts: &[Act]) -> Result<Answer, Error> {
        let mut answer = Answer {
            text: String::new(),
            programs: Vec::new(),
        };
        let mut finds = false;
        for act in acts {
            match act {
                Act::Inform(slot, value) if slot == "name" => {
                    let text = self.named(value, &mut answer)?;
                    add(&mut answer.text, &text);
                }
                Act::Inform(slot, value) => {
                    self.wishes.insert(slot.clone(), value.clone());
                    finds = true;
                }
                Act::Careless(slot) => {
                    self.wishes.remove(slot);
                    self.careless.insert(slot.clone());
                    finds = true;
                }
                Act::Suggest => {
                    self.careless.extend(WISHES.map(str::to_owned));
                    finds = true;
                }
                Act::Request(name, slots) => {
                    for slot in slots {
                        let text = self.value(name, slot, &mut answer)?;
                        add(&mut answer.text, &text);
                    }
                }
                Act::Book {
                    name,
                    day,
                    time,
                    people,
                } => {
                    let text = self.book([name, day, time, people], &mut answer);
                    add(&mut answer.text, &text);
                }
                Act::Reference => {
                    let reference = self.reference.clone().unwrap_or_default();
                    let text = self.say("reference", &[("reference", &reference)]);
                    add(&mut answer.text, &text);
                }
                Act::Bye => add(&mut answer.text, &self.say("bye", &[])),
            }
        }
        if finds {
            let text = self.find(&mut answer)?;
            add(&mut answer.text, &text);
        } else if answer.text.is_empty() {
            answer.text = self.say("greet", &[]);
        }
        Ok(answer)
    }

    fn say(&mut self, what: &str, values: &[(&str, &str)]) -> String {
        say(&self.words.desk, what, values, &mut self.chance)
    }

    fn named(&mut self, name: &str, answer: &mut Answer) -> Result<String, Error> {
        let found = self
            .rows
            .iter()
            .find(|row| row.get("name").is_some_and(|other| other == name));
        answer.programs.push((vec![name.to_owned()], json(&found)?));
        let shown = title(name);
        self.name = found.and_then(|row| row.get("name")).cloned();
        Ok(match found {
            None => self.say("unknown", &[("name", &shown)]),
            Some(row) => {
                let row = self.of_row(row);
                self.say("one", &[("name", &shown), ("row", &row)])
            }
        })
    }

    fn find(&mut self, answer: &mut Answer) -> Result<String, Error> {
        let fits = |row: &&Row| {
            self.wishes
                .iter()
                .all(|(slot, value)| row.get(slot) == Some(value))
        };
        let found = self.rows.iter().filter(fits).collect::<Vec<_>>();
        let literals = self.wishes.values().cloned().collect();
        answer.programs.push((literals, json(&found)?));
        let whats = self.words.describe(&self.wishes, Number::Whats);
        let bare = self.words.describe(&self.wishes, Number::Bare);
        let n = found.len().to_string();
        let values = [("bare", bare.as_str()), ("whats", &whats), ("n", &n)];
        let open = WISHES
            .into_iter()
            .find(|slot| !self.wishes.contains_key(*slot) && !self.careless.contains(*slot));
        let Some(row) = found.get(self.chance.below(found.len())) else {
            return Ok(self.say("none", &values));
        };
        if let Some(slot) = open.filter(|_| found.len() > MANY) {
            let slot = self.words.slot(slot).to_owned();
            return Ok(self.say("ask", &[&values[..], &[("slot", slot.as_str())]].concat()));
        }
        self.name = row.get("name").cloned();
        let name = title(self.name.as_deref().unwrap_or_default());
        let names = found
            .iter()
            .filter_map(|row| row.get("name"))
            .map(|name| title(name));
        let names = listed(&names.collect::<Vec<_>>());
        let of_row = self.of_row(row);
        let more = [("name", name.as_str()), ("names", &names), ("row", &of_row)];
        let act = match found.len() {
            1 => "one",
            2..=MANY => "few",
            _ => "some",
        };
        Ok(self.say(act, &[&values[..], &more[..]].concat()))
    }

    /// A row in words: *a cheap Indian restaurant in the west*.
    fn of_row(&self, row: &Row) -> String {
        let values = WISHES
            .iter()
            .filter_map(|slot| Some(((*slot).to_owned(), row.get(*slot)?.clone())));
        self.words.describe(&values.collect(), Number::What)
    }

    fn value(&mut self, name: &str, slot: &str, answer: &mut Answer) -> Result<String, Error> {
        let row = self
            .rows
            .iter()
            .find(|row| row.get("name").is_some_and(|other| other == name));
        answer.programs.push((vec![name.to_owned()], json(&row)?));
        let shown = title(name);
        Ok(match row.and_then(|row| row.get(slot)) {
            Some(value) => self.words.says(slot, &shown, value),
            None => {
                let slot = self.words.slot(slot).to_owned();
                self.say("unlisted", &[("slot", &slot), ("name", &shown)])
            }
        })
    }

    fn book(&mut self, [name, day, time, people]: [&String; 4], answer: &mut Answer) -> String {
        let shown = title(name);
        let day_shown = self.words.day(day);
        let values = [
            ("name", shown.as_str()),
            ("day", day_shown.as_str()),
            ("time", time),
            ("people", people),
        ];
        let literals = vec![name.clone(), day.clone(), time.clone(), people.clone()];
        if self.refused.contains(&(day.clone(), time.clone())) {
            answer
                .programs
                .push((literals, json!({"error": "NotAvailable"})));
            return self.say("refused", &values);
        }
        let reference = reference(&mut self.chance);
        let made = json!({"reference": reference, "name": name, "day": day, "time": time,
            "people": people});
        answer.programs.push((literals, made));
        let text = self.say(
            "booked",
            &[&values[..], &[("reference", reference.as_str())]].concat(),
        );
        self.reference = Some(reference);
        text
    }
}

fn add(text: &mut String, more: &str) {
    if !text.is_empty() {
        text.push(' ');
    }
    text.push_str(more);
}

fn listed(names: &[String]) -> String {
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => names.concat(),
    }
}

fn json(value: &impl serde::Serialize) -> Result<Json, Error> {
    serde_json::to_value(value).map_err(|error| Error::Row {
        line: 0,
        problem: error.to_string(),
    })
}

/// Eight letters and digits, of each one at least.
fn reference(chance: &mut Chance) -> String {
    const LETTERS: [char; 26] = [
        'A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'J', 'K', 'L', 'M', 'N', 'O', 'P', 'Q', 'R',
        'S', 'T', 'U', 'V', 'W', 'X', 'Y', 'Z',
    ];
    const DIGITS: [char; 10] = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'];
    let all = [&LETTERS[..], &DIGITS[..]].concat();
    let mut drawn = vec![
        chance.pick(&LETTERS).copied(),
        chance.pick(&DIGITS).copied(),
    ];
    drawn.extend((2..8).map(|_| chance.pick(&all).copied()));
    chance.shuffle(&mut drawn);
    drawn.into_iter().flatten().collect()
}
