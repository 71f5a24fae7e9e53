//! What a customer gives or refuses, by the form of the words and by what was asked.

use serde_json::Value as Json;

use super::{Bank, FIELDS};
use crate::star::words::Words;

const NOT: &[&str] = &[
    "forg*",
    "foget",
    "remember*",
    "dont",
    "do not",
    "not sure",
    "no idea",
    "unsure",
    "cant",
    "cannot",
    "can not",
    "lost",
    "never",
    "why",
    "no",
    "nope",
];
const LOSS: &[&str] = &[
    "stole*",
    "transfer*",
    "withdr*",
    "missing",
    "suspicious*",
    "lost my debit*",
    "$*",
];

impl Bank {
    fn give(&mut self, field: &'static str, value: Option<&str>) {
        let value = value.map(|value| value.trim().to_owned());
        self.now.entry(field).or_insert(value);
    }

    fn has(&self, field: &str) -> bool {
        matches!(self.known.get(field), Some(Some(_)))
    }

    /// What is given or refused, by its form and by what was asked.
    pub(super) fn understand(&mut self, text: &str, belief: &serde_json::Map<String, Json>) {
        let words = Words::of(text);
        let asked = FIELDS
            .iter()
            .find(|(_, _, label)| self.prev.as_deref() == Some(label));
        let asked = match self.prev.as_deref() {
            Some("custom") => self.own_words,
            _ => asked.map(|(_, field, _)| *field),
        };
        let refuses = words.has(NOT);
        if !self.person.is_empty() && words.say(&self.person) {
            self.give("full_name", Some(&self.person.clone()));
        }
        if let Some(number) = words.digits(7..=14) {
            self.give("account_number", Some(number));
        }
        let dated =
            asked == Some("date_of_birth") && !words.has(&["pin", "either", "remember*", "think"]);
        if let Some(pin) = words
            .digits(4..=4)
            .filter(|pin| !dated && stands_alone(text, pin))
        {
            self.give("pin", Some(pin));
        }
        for (key, field, _) in FIELDS {
            let Some(value) = belief.get(key).map(as_text) else {
                continue;
            };
            if value.eq_ignore_ascii_case("forgot") {
                if refuses && !self.known.contains_key(field) {
                    self.give(field, None);
                }
            } else if !self.has(field)
                && (matches!(field, "full_name" | "fraud_report") || words.touch(&value))
            {
                self.give(field, Some(&value));
            }
        }
        if refuses && words.has(&["pin"]) {
            self.give("pin", None);
        }
        if refuses && words.has(&["account"]) && words.has(&["number"]) {
            self.give("account_number", None);
        }
        let asks = text.contains('?');
        match asked {
            Some("full_name") if !asks => self.give("full_name", Some(text)),
            Some("full_name") | None => {}
            Some("fraud_report") => self.give("fraud_report", Some(text)),
            Some(field) if refuses => self.give(field, None),
            Some("date_of_birth") => {
                if text.bytes().any(|b| b.is_ascii_digit()) && !self.now.contains_key("pin") {
                    self.give("date_of_birth", Some(text));
                }
            }
            Some(field @ ("security_answer_1" | "security_answer_2"))
                if !asks && self.now.is_empty() =>
            {
                self.give(field, Some(text));
            }
            Some(_) => {}
        }
        let loses = words.has(LOSS);
        if loses && !self.known.contains_key("fraud_report") {
            self.give("fraud_report", Some(text));
        }
        // The wish to report a fraud is no report yet.
        let wish = words.has(&["fraud report", "report fraud", "report a fraud"]);
        if !loses && !words.has(&["debit"]) && (wish || text.len() <= 15) {
            self.now.shift_remove("fraud_report");
        }
        let asked_again = |field: &str| asked == Some(field);
        let known = &self.known;
        self.now.retain(|field, value| {
            value.is_some() || asked_again(field) || !matches!(known.get(field), Some(Some(_)))
        });
    }
}

/// The field that a question is about, by its words.
pub(super) fn asked_in(words: &Words) -> Option<&'static str> {
    let about: [(&str, &[&str]); 7] = [
        ("date_of_birth", &["birth*", "dob"]),
        ("security_answer_1", &["maiden"]),
        ("security_answer_2", &["pet*"]),
        ("pin", &["pin"]),
        ("account_number", &["account number", "acct*"]),
        ("full_name", &["name", "full name"]),
        ("fraud_report", &["happened", "fraud report", "details"]),
    ];
    let found = about.iter().find(|(_, said)| words.has(said));
    found.map(|(field, _)| *field)
}

fn as_text(json: &Json) -> String {
    json.as_str()
        .map_or_else(|| json.to_string(), str::to_owned)
}

/// Whether a number is no part of a date.
fn stands_alone(text: &str, number: &str) -> bool {
    let Some((before, after)) = text.split_once(number) else {
        return false;
    };
    !before.ends_with(['/', '-']) && !after.starts_with(['/', '-'])
}
