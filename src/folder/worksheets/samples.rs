//! Values of tables, as the model that writes queries sees them: few, short, each on its line.

use serde_json::{Map, Value as Json};

/// The most values of a column, and the most characters of one.
const VALUES: usize = 5;
const LONGEST: usize = 40;
/// The most rows that are looked at.
const ROWS: usize = 1000;

/// Some values of a column, in the order of the rows; nothing where there are none. `…` says that
/// there are more.
pub(super) fn samples(rows: &[Map<String, Json>], column: &str) -> String {
    let mut found: Vec<String> = Vec::new();
    for value in rows.iter().take(ROWS).filter_map(|row| row.get(column)) {
        let values = value
            .as_array()
            .map_or(std::slice::from_ref(value), Vec::as_slice);
        for value in values.iter().filter(|it| !it.is_null()).map(sample) {
            if found.contains(&value) {
                continue;
            }
            if found.len() == VALUES {
                found.push("…".to_owned());
                return found.join(", ");
            }
            found.push(value);
        }
    }
    found.join(", ")
}

/// A value as JSON, which has no line breaks, and not longer than a name.
pub(super) fn sample(value: &Json) -> String {
    match value {
        Json::String(text) => Json::from(shown_in_line(text, LONGEST)).to_string(),
        other => shown_in_line(&other.to_string(), LONGEST),
    }
}

/// A text without line breaks and other control characters, and its end left out if it is long.
pub(super) fn shown_in_line(text: &str, longest: usize) -> String {
    let is_break = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
    let mut chars = text.chars();
    let shown = chars.by_ref().take(longest);
    let mut shown: String = shown.map(|c| if is_break(c) { ' ' } else { c }).collect();
    if chars.next().is_some() {
        shown.push('…');
    }
    shown
}
