//! The templates of user and desk.

use std::collections::BTreeMap;

use indexmap::IndexMap;
use serde::Deserialize;

use crate::Error;
use crate::chance::Chance;
use crate::plant::title;

/// The templates of a language.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Words {
    /// What joins two slots.
    pub(super) joint: String,
    /// Of the user, by act.
    pub user: IndexMap<String, Vec<String>>,
    /// Of the desk, by what it found.
    pub desk: IndexMap<String, Vec<String>>,
    rows: Rows,
    says: IndexMap<String, String>,
    slots: IndexMap<String, String>,
    #[serde(default)]
    days: IndexMap<String, String>,
    #[serde(default)]
    values: IndexMap<String, IndexMap<String, Vec<String>>>,
}

/// How rows are described.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Rows {
    /// *a cheap Indian restaurant in the west*.
    what: String,
    /// The same without an article.
    bare: String,
    /// *cheap Indian restaurants in the west*.
    whats: String,
}

/// Which description of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Number {
    What,
    Bare,
    Whats,
}

impl Words {
    /// Those of a language: `en` or `de`.
    pub fn of(language: &str) -> Result<Self, Error> {
        let text = match language {
            "en" => include_str!("../../data/simulate/en.toml"),
            "de" => include_str!("../../data/simulate/de.toml"),
            other => return Err(Error::Language(other.to_owned())),
        };
        toml::from_str(text).map_err(|error| Error::Lexicon(error.to_string()))
    }

    /// How a slot is called.
    pub fn slot<'w>(&'w self, slot: &'w str) -> &'w str {
        self.slots.get(slot).map_or(slot, String::as_str)
    }

    /// How a day is called.
    pub(super) fn day(&self, day: &str) -> String {
        self.days.get(day).cloned().unwrap_or_else(|| title(day))
    }

    /// What is said of a row's slot.
    pub(super) fn says(&self, slot: &str, name: &str, value: &str) -> String {
        let says = self.says.get(slot).map(String::as_str).unwrap_or_default();
        let value = self.value(slot, value, false);
        fill(says, &[("name", name), ("value", &value)])
    }

    fn value(&self, slot: &str, value: &str, many: bool) -> String {
        let forms = self.values.get(slot).and_then(|values| values.get(value));
        let form = match forms.map(Vec::as_slice) {
            Some([_, plural, ..]) if many => Some(plural),
            Some([one, ..]) => Some(one),
            _ => None,
        };
        form.cloned().unwrap_or_else(|| match slot {
            "food" => title(value),
            _ => value.to_owned(),
        })
    }

    /// Rows with these values, in words.
    pub(super) fn describe(&self, wishes: &BTreeMap<String, String>, number: Number) -> String {
        let many = number == Number::Whats;
        let value = |slot: &str| {
            let value = wishes.get(slot).map(|value| self.value(slot, value, many));
            value.unwrap_or_default()
        };
        let (price, food, area) = (value("pricerange"), value("food"), value("area"));
        let mut values = vec![("price", price.as_str()), ("food", &food), ("area", &area)];
        let first = [&price, &food].into_iter().find(|word| !word.is_empty());
        let vowel =
            first.is_some_and(|word| word.starts_with(['a', 'e', 'i', 'o', 'A', 'E', 'I', 'O']));
        values.push(("a", if vowel { "an" } else { "a" }));
        let template = match number {
            Number::What => &self.rows.what,
            Number::Bare => &self.rows.bare,
            Number::Whats => &self.rows.whats,
        };
        let text = fill(template, &values);
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

/// One of the templates of an act, filled.
pub(super) fn say(
    templates: &IndexMap<String, Vec<String>>,
    act: &str,
    values: &[(&str, &str)],
    chance: &mut Chance,
) -> String {
    let templates = templates.get(act).map(Vec::as_slice).unwrap_or_default();
    let template = chance
        .pick(templates)
        .map(String::as_str)
        .unwrap_or_default();
    fill(template, values)
}

/// A template with its places filled, in one pass, so that a value that looks like a place stays.
fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut text = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        text.push_str(before);
        let Some((place, behind)) = after.split_once('}') else {
            text.push('{');
            rest = after;
            continue;
        };
        let value = values.iter().find(|(name, _)| *name == place);
        text.push_str(value.map_or("", |(_, value)| value));
        rest = behind;
    }
    text.push_str(rest);
    text
}
