//! Recorded dialogues of MultiWOZ: turns with acts, and the goal of the user.

use indexmap::IndexMap;
use serde::Deserialize;

use crate::Error;

/// A dialogue.
#[derive(Debug, Clone, Deserialize)]
#[serde(expecting = "a dialogue with id and goal")]
pub struct Dialogue {
    /// Its name, as `SNG0689`.
    pub id: String,
    /// What the user wants.
    pub goal: Goal,
    /// The goal in words.
    #[serde(default)]
    pub message: Vec<String>,
    /// What was said, in order.
    #[serde(default)]
    pub turns: Vec<Turn>,
}

/// One utterance.
#[derive(Debug, Clone, Deserialize)]
pub struct Turn {
    /// Who spoke.
    pub speaker: Speaker,
    /// What.
    pub text: String,
    /// Act to pairs of slot and value, as `Restaurant-Inform` to `[["Area", "west"]]`.
    #[serde(default)]
    pub acts: IndexMap<String, Vec<(String, String)>>,
}

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Speaker {
    /// The user.
    User,
    /// The desk.
    System,
}

/// A goal: constraints, requests, a booking, and what is tried before.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct Goal {
    /// Slot to value.
    #[serde(default)]
    pub info: IndexMap<String, String>,
    /// The constraints that are tried first, and fail.
    #[serde(default)]
    pub fail_info: IndexMap<String, String>,
    /// The slots to ask for.
    #[serde(default)]
    pub reqt: Vec<String>,
    /// The booking; a flag of the recordings stands beside its texts.
    #[serde(default)]
    book: IndexMap<String, serde_json::Value>,
    /// The values of the booking that are tried first, and refused.
    #[serde(default)]
    fail_book: IndexMap<String, serde_json::Value>,
}

impl Goal {
    /// Day, time and people of the booking; empty without one.
    pub fn book(&self) -> IndexMap<String, String> {
        texts(&self.book)
    }

    /// Whether anything is to be booked.
    pub fn is_booking(&self) -> bool {
        !(self.book.is_empty() && self.fail_book.is_empty())
    }

    /// The values that are refused.
    pub fn fail_book(&self) -> IndexMap<String, String> {
        texts(&self.fail_book)
    }

    /// The day and time of the booking that is refused, if the first one is.
    pub fn refused(&self) -> Option<(String, String)> {
        let (book, fail) = (self.book(), self.fail_book());
        if fail.is_empty() {
            return None;
        }
        let value = |slot: &str| fail.get(slot).or_else(|| book.get(slot)).cloned();
        Some((value("day")?, value("time")?))
    }
}

fn texts(values: &IndexMap<String, serde_json::Value>) -> IndexMap<String, String> {
    let texts = values.iter().filter_map(|(slot, value)| {
        let text = value.as_str().filter(|text| !text.is_empty())?;
        Some((slot.clone(), text.to_owned()))
    });
    texts.collect()
}

impl Turn {
    /// The values that the desk's acts give a slot, in lower case; acts of any domain whose name
    /// ends so, as `Inform`.
    pub fn values(&self, acts: &[&str], slot: &str) -> Vec<String> {
        let acts = self
            .acts
            .iter()
            .filter(|(name, _)| acts.iter().any(|act| name.ends_with(act)));
        let pairs = acts.flat_map(|(_, pairs)| pairs);
        let values = pairs.filter(|(said, _)| said.eq_ignore_ascii_case(slot));
        values.map(|(_, value)| value.to_lowercase()).collect()
    }
}

/// What is wrong with the JSON of a line. The parser sees this line alone and calls it line 1, so
/// its line number is left out.
fn without_place(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let problem = text
        .rsplit_once(" at line ")
        .map_or(&*text, |(problem, _)| problem);
    format!("{problem} (column {})", error.column())
}

/// Reads dialogues, one a line.
pub fn read(lines: &str) -> Result<Vec<Dialogue>, Error> {
    let lines = lines.lines().enumerate();
    let filled = lines.filter(|(_, line)| !line.trim().is_empty());
    filled
        .map(|(at, line)| {
            serde_json::from_str(line).map_err(|error| Error::Row {
                line: at + 1,
                problem: without_place(&error),
            })
        })
        .collect()
}
