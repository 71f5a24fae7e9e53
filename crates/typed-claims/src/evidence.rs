//! What programs of a dialogue returned, and what their literals and the user said.

use serde_json::Value as Json;

/// The outcomes of a dialogue's programs, in order.
#[derive(Debug, Clone, Default)]
pub struct Evidence {
    programs: Vec<Program>,
}

#[derive(Debug, Clone)]
struct Program {
    literals: Vec<String>,
    result: Json,
}

impl Evidence {
    /// Adds a program: its literals and its result.
    pub fn push(&mut self, literals: Vec<String>, result: Json) {
        let literals = literals
            .iter()
            .map(|literal| literal.to_lowercase())
            .collect();
        self.programs.push(Program { literals, result });
    }

    /// The programs that did not fail: an error says nothing of what there is.
    fn succeeded(&self) -> impl Iterator<Item = &Program> {
        let programs = self.programs.iter();
        programs.filter(|program| program.result.get("error").is_none())
    }

    /// Whether a name stands in a result.
    pub(crate) fn names(&self, name: &str) -> bool {
        self.programs
            .iter()
            .any(|program| has_text(&program.result, name))
    }

    /// The bookings that programs made: objects with a `reference`.
    pub(crate) fn bookings(&self) -> impl Iterator<Item = &serde_json::Map<String, Json>> {
        let found = self
            .programs
            .iter()
            .flat_map(|program| objects(&program.result));
        found.filter(|object| object.get("reference").and_then(text).is_some())
    }

    /// Whether the last program refused to book.
    pub(crate) fn refused(&self) -> bool {
        self.nothing()
            || self.programs.last().is_some_and(|program| {
                let mut texts = leaves(&program.result).into_iter();
                texts.any(|text| text.starts_with("NotAvailable"))
            })
    }

    /// Whether a row of this name has a value, or was selected by it, or was asked for it.
    pub(crate) fn value(&self, name: &str, slot: &str, fits: &dyn Fn(&str) -> bool) -> bool {
        self.programs.iter().any(|program| {
            let object = objects(&program.result).into_iter().any(|object| {
                let named = object
                    .values()
                    .any(|value| text(value).is_some_and(|text| text.eq_ignore_ascii_case(name)));
                named
                    && object
                        .get(slot)
                        .and_then(text)
                        .is_some_and(|text| fits(&text))
            });
            let selected = program.literals.iter().any(|literal| fits(literal))
                && has_text(&program.result, name);
            let asked = program
                .literals
                .iter()
                .any(|literal| literal.eq_ignore_ascii_case(name))
                && leaves(&program.result).iter().any(|leaf| fits(leaf));
            object || selected || asked
        })
    }

    /// Whether a list or map has this length, or a result has this number.
    pub(crate) fn count(&self, n: u32, at_least: bool) -> bool {
        let fits = |found: u64| {
            if at_least {
                found >= u64::from(n)
            } else {
                found == u64::from(n)
            }
        };
        self.succeeded().any(|program| {
            any(&program.result, &|value| match value {
                Json::Array(items) => fits(items.len() as u64),
                Json::Object(entries) => fits(entries.len() as u64),
                Json::Number(number) => number.as_u64().is_some_and(fits),
                _ => false,
            })
        })
    }

    /// Whether the last result is nothing.
    pub(crate) fn nothing(&self) -> bool {
        self.programs
            .last()
            .is_some_and(|program| match &program.result {
                Json::Null | Json::Bool(false) => true,
                Json::Number(number) => number.as_f64() == Some(0.0),
                Json::Array(items) => items.is_empty(),
                Json::Object(entries) => entries.is_empty(),
                Json::String(text) => text.is_empty(),
                Json::Bool(true) => false,
            })
    }

    /// Whether a row in a result fits, or all values are literals of a program with a result.
    pub(crate) fn exists(&self, constraints: &crate::Constraints) -> bool {
        let fits = |object: &serde_json::Map<String, Json>| {
            constraints.iter().all(|(slot, values)| {
                object
                    .get(slot)
                    .and_then(text)
                    .is_some_and(|text| values.contains(&text.to_lowercase()))
            })
        };
        self.succeeded().any(|program| {
            let selected = constraints
                .values()
                .all(|values| values.iter().any(|value| program.literals.contains(value)));
            let some = !matches!(&program.result, Json::Null | Json::Bool(false))
                && program.result != Json::Array(Vec::new());
            (selected && some) || objects(&program.result).into_iter().any(fits)
        })
    }

    /// Whether a word stands in a result.
    pub(crate) fn word(&self, word: &str) -> bool {
        self.programs.iter().any(|program| {
            leaves(&program.result)
                .iter()
                .any(|leaf| leaf.to_lowercase().contains(&word.to_lowercase()))
        })
    }
}

/// Calls a predicate on a value and all in it, without recursion.
fn any(value: &Json, found: &dyn Fn(&Json) -> bool) -> bool {
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        if found(value) {
            return true;
        }
        match value {
            Json::Array(items) => open.extend(items),
            Json::Object(entries) => open.extend(entries.values()),
            _ => {}
        }
    }
    false
}

fn objects(value: &Json) -> Vec<&serde_json::Map<String, Json>> {
    let (mut open, mut found) = (vec![value], Vec::new());
    while let Some(value) = open.pop() {
        match value {
            Json::Array(items) => open.extend(items),
            Json::Object(entries) => {
                found.push(entries);
                open.extend(entries.values());
            }
            _ => {}
        }
    }
    found
}

fn text(value: &Json) -> Option<String> {
    match value {
        Json::String(text) => Some(text.clone()),
        Json::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

fn leaves(value: &Json) -> Vec<String> {
    let (mut open, mut found) = (vec![value], Vec::new());
    while let Some(value) = open.pop() {
        match value {
            Json::Array(items) => open.extend(items),
            Json::Object(entries) => open.extend(entries.values()),
            leaf => found.extend(text(leaf)),
        }
    }
    found
}

fn has_text(value: &Json, name: &str) -> bool {
    let keys = objects(value)
        .into_iter()
        .any(|object| object.keys().any(|key| key.eq_ignore_ascii_case(name)));
    keys || leaves(value)
        .iter()
        .any(|leaf| leaf.eq_ignore_ascii_case(name))
}
