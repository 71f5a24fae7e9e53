//! Wishes of a partner, read from its words without a model.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::mind::USUAL;
use super::world::{OPTION, View, Wish};
use crate::mind::{self, Unread};
use crate::text::{find, heard, sentences, words};

/// Finds values of attributes in the partner's words, with the numbers behind them.
pub(super) struct Words {
    /// The attributes, with a value each, that a name of these words stands for.
    named: HashMap<Vec<String>, Vec<(String, String)>>,
    /// The words of the longest name.
    longest: usize,
    /// Names in which a sentence seems to end, with what is read in their place.
    whole: Vec<(String, String)>,
}

/// A part of a clause.
enum Part {
    Word(String),
    Named(Vec<(String, String)>),
}

impl Words {
    pub fn new(view: &View) -> Words {
        let mut reader = Words {
            named: HashMap::new(),
            longest: 0,
            whole: Vec::new(),
        };
        for option in &view.options {
            for (attribute, value) in &option.values {
                reader.learn(attribute, value);
            }
            // Elsewhere an option is named to talk about its values.
            if view.points.is_some() {
                reader.learn(OPTION, &option.name);
            }
        }
        // A name may begin as another one does.
        reader
            .whole
            .sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
        reader
    }

    fn learn(&mut self, attribute: &str, value: &str) {
        let phrase = words(value);
        let name = value.to_lowercase();
        if name.contains(['.', '!', '?', ';', '/']) {
            self.whole.push((name, phrase.join(" ")));
        }
        self.longest = self.longest.max(phrase.len());
        let meant = self.named.entry(phrase).or_default();
        let pair = (attribute.to_owned(), value.to_owned());
        if !meant.contains(&pair) {
            meant.push(pair);
        }
    }

    /// The sentences that say something: a question only asks.
    fn said(&self, content: &str) -> Vec<String> {
        let begin = content.to_lowercase();
        let text = self.whole.iter().fold(begin, |text, (name, read)| {
            text.replace(name.as_str(), read)
        });
        let mut said = sentences(&text);
        said.retain(|sentence| !sentence.trim_end().ends_with('?'));
        said
    }

    /// The clauses of a sentence. A name is one part, whatever words are in it.
    fn clauses(&self, sentence: &str) -> Vec<Vec<Part>> {
        let words = words(&signed(sentence));
        let (mut clauses, mut from) = (vec![Vec::new()], 0);
        while from < words.len() {
            let longest = self.longest.min(words.len() - from);
            let name = (1..=longest)
                .rev()
                .find_map(|length| Some((length, self.named.get(&words[from..from + length])?)));
            match (name, words[from].as_str()) {
                (None, "," | "and") => clauses.push(Vec::new()),
                (name, word) => {
                    let part = match name {
                        Some((_, meant)) => Part::Named(meant.clone()),
                        None => Part::Word(word.to_owned()),
                    };
                    clauses.last_mut().expect("there is one").push(part);
                }
            }
            from += name.map_or(1, |(length, _)| length);
        }
        clauses
    }
}

impl mind::Extractor for Words {
    fn facts(&mut self, _view: &str, read: &str) -> Result<Vec<Value>, Unread> {
        let mut facts: Vec<Wish> = Vec::new();
        let messages = heard(read)
            .into_iter()
            .filter(|heard| heard.tag == "message");
        for heard in messages.filter(|heard| !heard.from.starts_with("You")) {
            for sentence in self.said(&heard.content) {
                for wish in self
                    .clauses(&sentence)
                    .iter()
                    .flat_map(|clause| wishes(clause))
                {
                    let same = |known: &Wish| {
                        known.attribute == wish.attribute && known.value == wish.value
                    };
                    facts.retain(|known| !same(known));
                    facts.push(wish);
                }
            }
        }
        Ok(facts.into_iter().map(|wish| json!(wish)).collect())
    }
}

/// The wishes of a clause: each value that it names, with the last of its numbers as points.
fn wishes(clause: &[Part]) -> Vec<Wish> {
    let plain = clause.iter().filter_map(|part| match part {
        Part::Word(word) => Some(word.clone()),
        Part::Named(_) => None,
    });
    let plain: Vec<String> = plain.collect();
    let points = plain.iter().rposition(|word| word.parse::<i64>().is_ok());
    let points = points.map_or(USUAL, |place| {
        let number: i64 = plain[place].parse().unwrap_or(USUAL);
        match place > 0 && plain[place - 1] == "minus" {
            true => -number,
            false => number,
        }
    });
    let named = clause.iter().filter_map(|part| match part {
        Part::Named(meant) => Some(meant),
        Part::Word(_) => None,
    });
    let clear = named.flat_map(|meant| {
        // Two attributes may have one value: then the attribute must be named, too.
        let is_clear = |(attribute, _): &&(String, String)| {
            meant.len() == 1 || find(&plain, &words(attribute).join(" ")).is_some()
        };
        meant.iter().filter(is_clear)
    });
    clear
        .map(|(attribute, value)| Wish {
            attribute: attribute.clone(),
            value: value.clone(),
            points,
        })
        .collect()
}

/// The text with `minus` for signs, which words do not have.
fn signed(text: &str) -> String {
    let word = |word: &str| match word.strip_prefix(['-', '−']) {
        Some(number) if number.starts_with(|c: char| c.is_ascii_digit()) => {
            format!("minus {number}")
        }
        _ => word.to_owned(),
    };
    text.split(' ').map(word).collect::<Vec<_>>().join(" ")
}
