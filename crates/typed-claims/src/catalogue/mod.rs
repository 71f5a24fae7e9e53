//! The rows that a reply may be about, and the words by which they are found.

mod alias;
mod letters;
mod place;

use std::collections::{HashMap, HashSet};

use indexmap::IndexMap;

pub(crate) use alias::{Known, Sure, Trie};
pub(crate) use letters::Letters;
pub(crate) use place::{Places, address, canonical, spelt};

use crate::exact::Spelt;
use crate::schema::Names;
use crate::text::{Shape, key, tokens};
use crate::{Error, Lexicon, Schema, SlotKind};

/// A row: slot to text. A slot that is empty or missing is unknown.
pub type Row = IndexMap<String, String>;

/// A word of the texts of rows counts from this many letters.
const CONTENT: usize = 5;

/// All rows that are known by name, prepared once. What a dialogue may rest on is a [`Base`].
#[derive(Debug)]
pub struct Catalogue {
    pub(crate) rows: Vec<Row>,
    pub(crate) names: Vec<String>,
    pub(crate) trie: Trie,
    /// The names as they are spelt, if the schema says that they are exact.
    pub(crate) spelt: Spelt,
    pub(crate) places: Places,
    /// The words of each row's free texts.
    pub(crate) texts: Vec<HashSet<String>>,
    /// All words of each row's free texts, accents and all, for dishes.
    pub(crate) dishes: Vec<HashSet<String>>,
    /// Slot and value to the rows that have it.
    having: HashMap<String, HashMap<String, Vec<usize>>>,
    by_name: HashMap<String, usize>,
    /// The slot that names a row, which every base knows.
    key: String,
}

/// The rows, and the slots of them, that a reply is judged by.
#[derive(Debug, Clone)]
pub struct Base {
    pub(crate) rows: Vec<bool>,
    slots: Option<HashSet<String>>,
}

impl Base {
    pub(crate) fn has(&self, row: usize) -> bool {
        self.rows.get(row).copied().unwrap_or(false)
    }

    pub(crate) fn knows(&self, slot: &str) -> bool {
        self.slots.as_ref().is_none_or(|slots| slots.contains(slot))
    }
}

impl Catalogue {
    /// Prepares rows. Each needs a text under the schema's key.
    pub fn new(rows: Vec<Row>, schema: &Schema, lexicon: &Lexicon) -> Result<Self, Error> {
        let mut names = Vec::with_capacity(rows.len());
        for (at, row) in rows.iter().enumerate() {
            let name = row.get(&schema.key).filter(|name| !name.trim().is_empty());
            let name = name.ok_or_else(|| Error::Row {
                line: at + 1,
                problem: format!("it has no `{}`", schema.key),
            })?;
            names.push(name.clone());
        }
        let mut having: HashMap<String, HashMap<String, Vec<usize>>> = HashMap::new();
        for (at, row) in rows.iter().enumerate() {
            for (slot, value) in row {
                let values = having.entry(slot.clone()).or_default();
                values.entry(value.to_lowercase()).or_default().push(at);
            }
        }
        let words = |row: &Row| {
            let texts = schema
                .of(SlotKind::Text)
                .filter_map(|(slot, _)| row.get(slot));
            texts.flat_map(|text| words(text)).collect::<HashSet<_>>()
        };
        let dishes = rows.iter().map(words).collect::<Vec<_>>();
        let long = |words: &HashSet<String>| {
            words
                .iter()
                .filter(|word| word.chars().count() >= CONTENT)
                .cloned()
                .collect()
        };
        Ok(Catalogue {
            trie: match schema.names {
                Names::Words => Trie::new(&names, lexicon),
                Names::Exact => Trie::new(&[], lexicon),
            },
            spelt: match schema.names {
                Names::Words => Spelt::default(),
                Names::Exact => Spelt::new(&names),
            },
            places: Places::new(&rows, schema),
            texts: dishes.iter().map(long).collect(),
            dishes,
            by_name: names
                .iter()
                .enumerate()
                .map(|(at, name)| (name.clone(), at))
                .collect(),
            names,
            key: schema.key.clone(),
            having,
            rows,
        })
    }

    /// A base of all rows and slots.
    pub fn full(&self) -> Base {
        Base {
            rows: vec![true; self.rows.len()],
            slots: None,
        }
    }

    /// A base of the rows with these names, and of all slots or these. Names that no row has are
    /// left out.
    pub fn base(&self, names: &[&str], slots: Option<&[&str]>) -> Base {
        let mut rows = vec![false; self.rows.len()];
        for at in names.iter().filter_map(|name| self.by_name.get(*name)) {
            if let Some(row) = rows.get_mut(*at) {
                *row = true;
            }
        }
        let slots = slots.map(|slots| slots.iter().map(|slot| (*slot).to_owned()).collect());
        Base { rows, slots }
    }

    /// The rows, in the order in which they were given.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The value of a row's slot, if a base knows it and it is not empty.
    pub(crate) fn value<'a>(&'a self, base: &Base, row: usize, slot: &str) -> Option<&'a str> {
        if !base.has(row) || !base.knows(slot) {
            return None;
        }
        let value = self.rows.get(row)?.get(slot)?;
        (!value.is_empty()).then_some(value)
    }

    /// The rows of a base whose slot has one of these values.
    pub(crate) fn with(&self, base: &Base, slot: &str, values: &[String]) -> Vec<bool> {
        let mut found = vec![false; self.rows.len()];
        if !base.knows(slot) && slot != self.key {
            return found;
        }
        let rows = self.having.get(slot);
        let rows = values.iter().filter_map(|value| rows?.get(value)).flatten();
        for row in rows.filter(|row| base.has(**row)) {
            if let Some(place) = found.get_mut(*row) {
                *place = true;
            }
        }
        found
    }

    /// All values of a slot, in lower case.
    pub(crate) fn values(&self, slot: &str) -> Vec<String> {
        let values = self.having.get(slot).into_iter().flat_map(HashMap::keys);
        let mut values = values
            .filter(|value| !value.is_empty())
            .cloned()
            .collect::<Vec<_>>();
        values.sort();
        values
    }

    pub(crate) fn name(&self, row: usize) -> &str {
        self.names.get(row).map_or("", String::as_str)
    }
}

/// The words of a text, as names are compared.
fn words(text: &str) -> Vec<String> {
    let tokens = tokens(text).into_iter();
    tokens
        .filter(|token| token.shape == Shape::Word)
        .map(|token| key(&token.low))
        .collect()
}
