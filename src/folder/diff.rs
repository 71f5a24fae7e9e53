//! How two states differ: for plans by record, and for people in lines.

use crate::domain::{Place, StateValue, Touched};
use std::fmt::Write as _;

/// The most lines about one record.
const LINES: usize = 12;
/// The most characters of one value in a line.
const SHOWN: usize = 80;

/// A record that differs: a value at the top of the state, or in an object at its top.
pub struct Difference<'a> {
    /// The keys that lead to it, one or two.
    pub keys: Vec<&'a str>,
    /// The old value.
    pub before: Option<&'a StateValue>,
    /// The new value.
    pub after: Option<&'a StateValue>,
}

/// The records that differ, in the order of the later state; those that are gone come after
/// what is left of their container.
pub fn differences<'a>(before: &'a StateValue, after: &'a StateValue) -> Vec<Difference<'a>> {
    let mut found = Vec::new();
    for (key, one, other) in pairs(before, after) {
        match (one, other) {
            (Some(one @ StateValue::Map(_)), Some(other @ StateValue::Map(_))) => {
                for (name, before, after) in pairs(one, other) {
                    found.push(Difference {
                        keys: vec![key, name],
                        before,
                        after,
                    });
                }
            }
            (before, after) => found.push(Difference {
                keys: vec![key],
                before,
                after,
            }),
        }
    }
    found
}

/// The pairs of two objects that differ.
fn pairs<'a>(
    before: &'a StateValue,
    after: &'a StateValue,
) -> Vec<(&'a str, Option<&'a StateValue>, Option<&'a StateValue>)> {
    let (Some(one), Some(other)) = (before.pairs(), after.pairs()) else {
        return Vec::new();
    };
    if before.is_same(after) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (key, after) in other {
        let before = one.get(key);
        let is_same = before.is_some_and(|before| before.is_same(after) || before == after);
        if !is_same {
            found.push((&**key, before, Some(after)));
        }
    }
    for (key, before) in one {
        if !other.contains_key(key) {
            found.push((&**key, Some(before), None));
        }
    }
    found
}

/// The changes that a call made to records.
pub fn touched(before: &StateValue, after: &StateValue) -> Vec<Touched> {
    let differences = differences(before, after).into_iter();
    let touched = differences.map(|it| Touched {
        shares: false,
        place: Place::new(it.keys),
        before: it.before.map(StateValue::mark),
        after: it.after.map(StateValue::mark),
        changed: true,
        lines: lines(it.before, it.after),
        ..Touched::default()
    });
    touched.collect()
}

/// How a record differs, in lines for people: `status: "pending" → "cancelled"`. A new
/// record is one line; one that is gone has none.
pub fn lines(before: Option<&StateValue>, after: Option<&StateValue>) -> Vec<String> {
    let mut lines = Vec::new();
    match (before, after) {
        (Some(before), Some(after)) => compare("", before, after, &mut lines),
        (None, Some(after)) => lines.push(shown(after)),
        (_, None) => {}
    }
    if let Some(more) = lines.len().checked_sub(LINES).filter(|more| *more > 0) {
        lines.truncate(LINES);
        lines.push(format!("… and {more} more"));
    }
    lines
}

fn compare(path: &str, before: &StateValue, after: &StateValue, lines: &mut Vec<String>) {
    if before == after {
        return;
    }
    let within = |key: &str| match path {
        "" => key.to_owned(),
        path => format!("{path}.{key}"),
    };
    match (before, after) {
        (StateValue::Map(_), StateValue::Map(_)) => {
            for (key, one, other) in pairs(before, after) {
                let path = within(key);
                match (one, other) {
                    (Some(one), Some(other)) => compare(&path, one, other, lines),
                    (None, Some(other)) => lines.push(format!("{path}: + {}", shown(other))),
                    (Some(one), None) => lines.push(format!("{path}: - {}", shown(one))),
                    (None, None) => {}
                }
            }
        }
        (StateValue::List(one), StateValue::List(other)) => {
            let start = one
                .iter()
                .zip(other.iter())
                .take_while(|(a, b)| a == b)
                .count();
            let most = one.len().min(other.len()) - start;
            let ends = one.iter().rev().zip(other.iter().rev()).take(most);
            let end = ends.take_while(|(a, b)| a == b).count();
            let gone = one.get(start..one.len() - end).unwrap_or_default();
            let new = other.get(start..other.len() - end).unwrap_or_default();
            if gone.len() == new.len() {
                for (index, (one, other)) in gone.iter().zip(new).enumerate() {
                    let path = format!("{path}[{}]", start + index);
                    compare(&path, one, other, lines);
                }
                return;
            }
            let path = if path.is_empty() { "items" } else { path };
            lines.extend(gone.iter().map(|item| format!("{path}: - {}", shown(item))));
            lines.extend(new.iter().map(|item| format!("{path}: + {}", shown(item))));
        }
        _ => {
            let colon = if path.is_empty() { "" } else { ": " };
            lines.push(format!("{path}{colon}{} → {}", shown(before), shown(after)));
        }
    }
}

/// A value as JSON on one line, cut to a length that people can read.
pub fn shown(value: &StateValue) -> String {
    let mut text = String::new();
    let _ = write!(text, "{}", value.to_json());
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
