//! The templates of user and desk.

use std::collections::BTreeMap;

use indexmap::IndexMap;
use serde::Deserialize;

use crate::Error;
use crate::chance::Chance;

/// The templates of a language.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Words {
    /// Of the user, by act.
    pub user: IndexMap<String, Vec<String>>,
    /// Of the desk, by what it found.
    pub desk: IndexMap<String, Vec<String>>,
    says: IndexMap<String, String>,
    slots: IndexMap<String, String>,
}

impl Words {
    /// The English ones.
    pub fn english() -> Result<Self, Error> {
        let text = include_str!("../../data/simulate/en.toml");
        toml::from_str(text).map_err(|error| Error::Lexicon(error.to_string()))
    }

    /// How a slot is called.
    pub fn slot<'w>(&'w self, slot: &'w str) -> &'w str {
        self.slots.get(slot).map_or(slot, String::as_str)
    }

    /// What is said of a row's slot.
    pub(super) fn says(&self, slot: &str, name: &str, value: &str) -> String {
        let says = self.says.get(slot).map(String::as_str).unwrap_or_default();
        fill(says, &[("name", name), ("value", value)])
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

/// Rows in words: *a cheap Indian restaurant in the west*, or *cheap Indian restaurants …*.
pub(super) fn describe(wishes: &BTreeMap<String, String>, many: bool) -> String {
    let mut words = Vec::new();
    words.extend(wishes.get("pricerange").cloned());
    words.extend(wishes.get("food").map(|food| crate::plant::title(food)));
    words.push(if many { "restaurants" } else { "restaurant" }.to_owned());
    words.extend(wishes.get("area").map(|area| format!("in the {area}")));
    let text = words.join(" ");
    if many {
        return text;
    }
    let vowel = text.starts_with(['a', 'e', 'i', 'o', 'A', 'E', 'I', 'O']);
    format!("{} {text}", if vowel { "an" } else { "a" })
}
