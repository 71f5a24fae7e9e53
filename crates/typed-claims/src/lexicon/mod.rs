//! The words of a language and of a domain, read from TOML.

mod cue;
mod file;

use std::collections::{HashMap, HashSet};

pub(crate) use cue::{Cue, List};
pub(crate) use file::DomainFile;
use file::LanguageFile;

use crate::text::{Set, tokens};
use crate::{Error, Row, Schema, SlotKind};

/// The words by which claims are found: those of a language and, in it, those of a domain.
#[derive(Debug)]
pub struct Lexicon {
    /// The language, as `en`.
    pub language: String,
    pub(crate) numbers: HashMap<String, u32>,
    words: HashMap<List, HashSet<String>>,
    /// Slot and values of each entry of the set of values.
    pub(crate) values: Vec<(String, Vec<String>)>,
    pub(crate) value_set: Set,
    /// The categories of open properties.
    pub(crate) open: Vec<String>,
    pub(crate) open_set: Set,
    pub(crate) noun_set: Set,
    /// The nouns for rows that hold others.
    pub(crate) holder_set: Set,
    /// The words that name a slot, tagged with its place in `slots`.
    pub(crate) slot_set: Set,
    pub(crate) slots: Vec<String>,
    pub(crate) cue_set: Set,
    /// The names of places within addresses, as words.
    pub(crate) localities: Vec<Vec<String>>,
    /// From January on.
    pub(crate) months: Vec<String>,
    /// The first word of each unit, and what it measures.
    pub(crate) units: HashMap<String, (crate::schema::Unit, f64)>,
}

impl Lexicon {
    /// Reads the file of a language and that of a domain in it.
    pub fn parse(language: &str, domain: &str, schema: &Schema) -> Result<Self, Error> {
        Lexicon::of(language, &read(domain)?, schema)
    }

    /// Reads the file of a language, with the words of a domain in it.
    pub(crate) fn of(language: &str, domain: &DomainFile, schema: &Schema) -> Result<Self, Error> {
        let general: LanguageFile = read(language)?;
        if let Some(slot) = domain
            .values
            .keys()
            .find(|slot| schema.slot(slot).is_none())
        {
            return Err(Error::Lexicon(format!(
                "`values.{slot}` names no slot of the schema"
            )));
        }
        let mut lexicon = Lexicon::empty(&general);
        lexicon.fill(&general, domain).map_err(Error::Lexicon)?;
        Ok(lexicon)
    }

    /// The words of a language's file that other languages do not have as often, and those for what
    /// was done, of which short replies consist.
    pub(crate) fn small_words(language: &str) -> HashSet<String> {
        let Ok(general) = read::<LanguageFile>(language) else {
            return HashSet::new();
        };
        let small = [
            "article", "function", "stop", "plain", "definite", "copula", "negation",
        ];
        let lists = small.iter().filter_map(|name| general.words.get(*name));
        let deeds = [
            "made_word",
            "gone_word",
            "moved_word",
            "copied_word",
            "gone_noun",
            "completed",
            "every",
        ];
        let patterns = deeds.iter().filter_map(|cue| general.cues.get(*cue));
        let said = patterns.flatten().flat_map(|said| said.split([' ', '|']));
        let inflected = said.flat_map(|word| match word.strip_suffix('~') {
            Some(stem) => {
                let endings = general.endings.iter();
                let words = endings.map(|ending| format!("{stem}{ending}"));
                words.collect::<Vec<_>>()
            }
            None => vec![word.to_owned()],
        });
        lists.flatten().cloned().chain(inflected).collect()
    }

    fn empty(general: &LanguageFile) -> Self {
        let set = || Set::new(&general.endings);
        Lexicon {
            language: general.language.clone(),
            numbers: general.numbers.clone(),
            words: HashMap::new(),
            values: Vec::new(),
            value_set: set(),
            open: Vec::new(),
            open_set: set(),
            noun_set: set(),
            holder_set: set(),
            slot_set: set(),
            slots: Vec::new(),
            cue_set: set(),
            localities: Vec::new(),
            months: general.months.clone(),
            units: HashMap::new(),
        }
    }

    fn fill(&mut self, general: &LanguageFile, domain: &DomainFile) -> Result<(), String> {
        for (slot, values) in &domain.values {
            for (said, patterns) in values {
                let mut said = said.split('|').map(str::to_owned).collect::<Vec<_>>();
                said.sort();
                for pattern in patterns {
                    self.value_set.add(self.values.len(), pattern)?;
                }
                self.values.push((slot.clone(), said));
            }
        }
        for (category, patterns) in &domain.open {
            for pattern in patterns {
                self.open_set.add(self.open.len(), pattern)?;
            }
            self.open.push(category.clone());
        }
        for (slot, patterns) in &domain.slots {
            for pattern in patterns {
                self.slot_set.add(self.slots.len(), pattern)?;
            }
            self.slots.push(slot.clone());
        }
        for pattern in &domain.nouns {
            self.noun_set.add(0, pattern)?;
        }
        for pattern in &domain.holders {
            self.holder_set.add(0, pattern)?;
        }
        for (name, patterns) in general.cues.iter().chain(&domain.cues) {
            let cue = Cue::of(name)?;
            for pattern in patterns {
                self.cue_set.add(cue as usize, pattern)?;
            }
        }
        for month in &general.months {
            self.cue_set.add(Cue::Month as usize, month)?;
        }
        for (name, words) in general.words.iter().chain(&domain.words) {
            self.words
                .entry(List::of(name)?)
                .or_default()
                .extend(words.iter().cloned());
        }
        let localities = domain.localities.iter();
        self.localities = localities
            .map(|name| tokens(name).into_iter().map(|token| token.low).collect())
            .collect();
        for (unit, words) in &general.units {
            for (word, factor) in words {
                self.units.insert(word.clone(), (*unit, *factor));
            }
        }
        Ok(())
    }

    /// Adds the values of rows that no words say yet, as they are spelt, and the names of slots
    /// that have no words.
    pub(crate) fn learn(&mut self, rows: &[Row], schema: &Schema) -> Result<(), String> {
        for (name, _) in schema.of(SlotKind::Value) {
            let said = self.values.iter().filter(|(slot, _)| slot == name);
            let mut known: HashSet<String> = said.flat_map(|(_, values)| values.clone()).collect();
            let values = rows.iter().filter_map(|row| row.get(name));
            for value in values.map(|value| value.to_lowercase()) {
                if !known.insert(value.clone()) {
                    continue;
                }
                if let Some(pattern) = literal(&value) {
                    self.value_set.add(self.values.len(), &pattern)?;
                    self.values.push((name.to_owned(), vec![value]));
                }
            }
        }
        for name in schema.slots.keys() {
            if self.slots.contains(name) {
                continue;
            }
            if let Some(pattern) = literal(&name.replace('_', " ")) {
                self.slot_set.add(self.slots.len(), &pattern)?;
                self.slots.push(name.clone());
            }
        }
        Ok(())
    }

    /// Whether a list has a word.
    pub(crate) fn has(&self, list: List, low: &str) -> bool {
        self.words
            .get(&list)
            .is_some_and(|words| words.contains(low))
    }
}

/// The most words of a row's value that are looked for as they are spelt.
const WORDS: usize = 64;

/// The pattern of a text as it is spelt; none if a token of it would mean something in a pattern.
fn literal(text: &str) -> Option<String> {
    let words = tokens(text).into_iter().map(|token| token.low);
    let words = words.collect::<Vec<_>>();
    let plain =
        |word: &String| word == "-" || word == "'s" || word.chars().all(char::is_alphanumeric);
    ((1..=WORDS).contains(&words.len()) && words.iter().all(plain)).then(|| words.join(" "))
}

fn read<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, Error> {
    toml::from_str(text).map_err(|error| Error::Lexicon(error.to_string()))
}
