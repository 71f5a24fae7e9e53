//! Edits of a text.

use crate::Row;

/// The text with the only place of a value replaced; none if it stands there not once, within a
/// word, or behind a comparison, which makes it no value.
pub(super) fn replace(text: &str, value: &str, other: &str) -> Option<String> {
    let low = text.to_ascii_lowercase();
    let value = value.to_ascii_lowercase();
    let mut places = low.match_indices(&value);
    let (at, _) = places.next().filter(|_| !value.is_empty())?;
    let (before, after) = (text.get(..at)?, text.get(at + value.len()..)?);
    let inside = |next: Option<char>| next.is_some_and(char::is_alphanumeric);
    let whole = !inside(before.chars().next_back()) && !inside(after.chars().next());
    let compared = ["more", "less", "most", "least", "not", "no"];
    let compared = before.split_whitespace().next_back().is_some_and(|word| {
        compared
            .iter()
            .any(|other| word.eq_ignore_ascii_case(other))
    });
    (whole && !compared && places.next().is_none()).then(|| format!("{before}{other}{after}"))
}

/// A text with one more sentence.
pub(super) fn append(text: &str, sentence: &str) -> String {
    let text = text.trim_end();
    let open = !text.ends_with(['.', '!', '?']);
    format!("{text}{} {sentence}", if open { "." } else { "" })
}

/// The values of a slot, each once, in order.
pub(super) fn values(rows: &[Row], slot: &str) -> Vec<String> {
    let values = rows.iter().filter_map(|row| row.get(slot));
    let mut values = values.map(|value| value.to_lowercase()).collect::<Vec<_>>();
    values.sort();
    values.dedup();
    values
}

/// Foods of which one word may mean the other: none is planted for another.
const RELATED: [&[&str]; 2] = [
    &["european", "modern european"],
    &[
        "asian oriental",
        "chinese",
        "japanese",
        "korean",
        "thai",
        "vietnamese",
    ],
];

/// Whether one value may be meant by the word for another.
pub(super) fn related(one: &str, other: &str) -> bool {
    let both = |group: &&[&str]| group.contains(&one) && group.contains(&other);
    one.contains(other) || other.contains(one) || RELATED.iter().any(both)
}

/// Whether an address puts a row into the centre, whatever its area.
pub(super) fn central(row: &Row) -> bool {
    let address = row.get("address").map(|address| address.to_lowercase());
    address.is_some_and(|address| address.contains("city centre"))
}

/// A name as a sentence writes it.
pub(crate) fn title(name: &str) -> String {
    let words = name.split(' ').map(|word| {
        let mut letters = word.chars();
        let first = letters.next().map(|first| first.to_uppercase().to_string());
        first.unwrap_or_default() + letters.as_str()
    });
    words.collect::<Vec<_>>().join(" ")
}
