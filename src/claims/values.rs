//! The parts of results: texts, numbers, and entries that join them.

use super::evidence::numbers;
use super::number::Number;
use super::tokens::{TokenKind, tokens};
use serde_json::Value as Json;

/// The parts of all results of a dialogue.
#[derive(Debug, Default)]
pub(super) struct Values {
    /// Every text, at any depth: values and the keys of maps.
    pub texts: Vec<String>,
    /// Every number, the numbers in texts, and the lengths of lists and maps.
    pub numbers: Vec<Number>,
    /// The lengths of lists and maps alone.
    pub lengths: Vec<Number>,
    /// The sums of lists of numbers, and of the fields of lists of records.
    pub totals: Vec<Number>,
    /// Names and numbers that belong together.
    pub entries: Vec<Entry>,
    /// The names that are listed together: texts of a list, names of its records, keys of a map.
    pub lists: Vec<Vec<String>>,
    /// How many lists and maps there were.
    collections: usize,
}

/// Names with the numbers that belong to them: `"month=03": {"files": 2, "bytes": 223}`,
/// `["a.txt", 2310]`.
#[derive(Debug)]
pub(super) struct Entry {
    pub names: Vec<String>,
    pub numbers: Vec<Number>,
    /// The list or map that it is one entry of. Lines of texts have none.
    pub of: Option<usize>,
}

/// The most fields of a record that totals are computed of.
const MOST_FIELDS: usize = 64;

impl Values {
    /// Adds a result of a program with these literals.
    pub fn add(&mut self, value: &Json, literals: &[String]) {
        self.add_in(value, literals, None);
    }

    fn add_in(&mut self, value: &Json, literals: &[String], of: Option<usize>) {
        match value {
            Json::Null | Json::Bool(_) => {}
            Json::Number(number) => self.numbers.extend(number.as_f64().map(Number::plain)),
            Json::String(text) => {
                self.numbers.extend(numbers(text));
                self.texts.push(text.clone());
                text.lines().for_each(|line| self.line(line));
            }
            Json::Array(list) => {
                // `["a.txt", 2310]` is a pair and not a list of two things.
                if alike(list.iter()) {
                    self.length(list.len());
                    self.list(list.iter().map(name_of));
                }
                self.total(list.iter());
                self.record(list.iter(), of);
                let here = self.collection();
                for value in list {
                    self.add_in(value, literals, here);
                }
            }
            Json::Object(map) => {
                // A map whose keys are all literals of the program is a record.
                if !map.keys().all(|key| literals.contains(key)) {
                    self.length(map.len());
                    // Fields of several types are those of one thing.
                    if alike(map.values()) {
                        self.list(map.keys().map(Some));
                    }
                }
                self.total(map.values());
                self.record(map.values(), of);
                let here = self.collection();
                for (name, value) in map {
                    self.texts.push(name.clone());
                    self.entry(vec![name.clone()], [value].into_iter(), here);
                    self.add_in(value, literals, here);
                }
            }
        }
    }

    fn length(&mut self, length: usize) {
        self.numbers.push(count(length));
        self.lengths.push(count(length));
    }

    fn collection(&mut self) -> Option<usize> {
        self.collections += 1;
        Some(self.collections)
    }

    /// Adds a list whose every member has a name.
    fn list<'a>(&mut self, names: impl Iterator<Item = Option<&'a String>>) {
        if let Some(names) = names.map(|name| name.cloned()).collect::<Option<Vec<_>>>()
            && names.len() > 1
        {
            self.lists.push(names);
        }
    }

    /// The sum of a list of numbers, and of each field of a list of records.
    fn total<'a>(&mut self, values: impl Iterator<Item = &'a Json> + Clone) {
        let sum = |numbers: &mut dyn Iterator<Item = f64>| numbers.sum::<f64>();
        let numbers = || values.clone().filter_map(Json::as_f64);
        if numbers().nth(1).is_some() {
            self.totals.push(Number::plain(sum(&mut numbers())));
        }
        let Some(first) = values.clone().next() else {
            return;
        };
        let fields: Vec<String> = match first {
            Json::Object(map) => (map.keys())
                .map(|key| format!("/{}", key.replace('~', "~0").replace('/', "~1")))
                .collect(),
            Json::Array(list) => (0..list.len()).map(|index| format!("/{index}")).collect(),
            _ => return,
        };
        for field in fields.into_iter().take(MOST_FIELDS) {
            let numbers = || values.clone().filter_map(|v| v.pointer(&field)?.as_f64());
            if numbers().nth(1).is_some() {
                self.totals.push(Number::plain(sum(&mut numbers())));
            }
        }
    }

    /// Adds an entry for the texts and numbers of one list or map.
    fn record<'a>(&mut self, values: impl Iterator<Item = &'a Json> + Clone, of: Option<usize>) {
        let names: Vec<String> = values
            .clone()
            .filter_map(Json::as_str)
            .map(str::to_owned)
            .collect();
        if !names.is_empty() {
            self.entry(names, values, of);
        }
    }

    /// Adds an entry for a line of a text that starts with a name.
    fn line(&mut self, line: &str) {
        let tokens = tokens(line);
        let name = tokens.first().filter(|token| token.range.start == 0);
        let name = name.filter(|token| token.kind == TokenKind::Name);
        let name = name.and_then(|token| line.get(token.range.clone()));
        let numbers: Vec<Number> = numbers(line).collect();
        if let Some(name) = name.filter(|_| !numbers.is_empty()) {
            let names = vec![name.to_owned()];
            self.entries.push(Entry {
                names,
                numbers,
                of: None,
            });
        }
    }

    fn entry<'a>(
        &mut self,
        names: Vec<String>,
        values: impl Iterator<Item = &'a Json>,
        of: Option<usize>,
    ) {
        let mut numbers = Vec::new();
        for value in values {
            deep(value, &mut numbers);
        }
        if !numbers.is_empty() {
            self.entries.push(Entry { names, numbers, of });
        }
    }
}

/// The name of a member of a list: itself, or the first text of a record or a pair.
fn name_of(member: &Json) -> Option<&String> {
    match member {
        Json::String(text) => Some(text),
        Json::Object(map) => map.values().find_map(of_text),
        Json::Array(list) => list.iter().find_map(of_text),
        _ => None,
    }
}

fn of_text(value: &Json) -> Option<&String> {
    match value {
        Json::String(text) => Some(text),
        _ => None,
    }
}

/// Whether a result has a 0, a false, a null or something empty in it.
pub(super) fn has_nothing(value: &Json) -> bool {
    match value {
        Json::Null => true,
        Json::Bool(truth) => !truth,
        Json::Number(number) => number
            .as_f64()
            .is_some_and(|value| value.abs() < f64::EPSILON),
        Json::String(text) => text.is_empty(),
        Json::Array(list) => list.is_empty() || list.iter().any(has_nothing),
        Json::Object(map) => map.is_empty() || map.values().any(has_nothing),
    }
}

fn deep(value: &Json, found: &mut Vec<Number>) {
    match value {
        Json::Number(number) => found.extend(number.as_f64().map(Number::plain)),
        Json::Array(list) => {
            found.push(count(list.len()));
            list.iter().for_each(|value| deep(value, found));
        }
        Json::Object(map) => map.values().for_each(|value| deep(value, found)),
        Json::String(text) => found.extend(numbers(text)),
        Json::Null | Json::Bool(_) => {}
    }
}

/// Whether all values have the same type.
fn alike<'a>(values: impl Iterator<Item = &'a Json>) -> bool {
    let mut types = values.map(std::mem::discriminant);
    let first = types.next();
    types.all(|other| Some(other) == first)
}

fn count(length: usize) -> Number {
    Number::plain(u32::try_from(length).map_or(f64::MAX, f64::from))
}
