//! The words around a number, and what they say about it.

use super::number::Number;
use super::tokens::{TokenKind, items, tokens};
use std::ops::Range;

/// The sentence around this place of a text.
pub(super) fn sentence(text: &str, place: usize) -> &str {
    let (before, after) = text.split_at_checked(place).unwrap_or((text, ""));
    let ends = ["\n", ". ", "? ", "! ", ".\n", "?\n", "!\n"];
    let start = ends
        .iter()
        .filter_map(|end| Some(before.rfind(end)? + 1))
        .max();
    let end = ends.iter().filter_map(|end| after.find(end)).min();
    let end = place + end.unwrap_or(after.len());
    text.get(start.unwrap_or(0)..end).unwrap_or_default()
}

/// Whether a sentence states a total.
pub(super) fn says_total(sentence: &str) -> bool {
    const WORDS: &[&str] = &[
        "all",
        "altogether",
        "combined",
        "overall",
        "sum",
        "together",
        "total",
        "totals",
    ];
    words(sentence).any(|word| WORDS.contains(&word.to_lowercase().as_str()))
}

/// Whether the number at this place counts things that the reply itself names: `the two limits`
/// after a sentence with two numbers, or `these 3 objects:` before a list of three items.
pub(super) fn counts_named(reply: &str, place: usize, number: &Number) -> bool {
    let before = reply.get(..place).unwrap_or_default();
    let pointing = words(before).last().unwrap_or_default().to_lowercase();
    if !["the", "these", "those"].contains(&pointing.as_str()) {
        return false;
    }
    let is = |count: usize| u32::try_from(count).is_ok_and(|count| number.is(f64::from(count)));
    let here = sentence(reply, place);
    let listed = items(reply).count();
    if listed > 0 && here.trim_end().ends_with(':') {
        return is(listed);
    }
    let Some(end) = before.rfind(['.', '?', '!', '\n']) else {
        return false;
    };
    let earlier = tokens(sentence(reply, end)).into_iter();
    let is_number = |kind: &TokenKind| matches!(kind, TokenKind::Number(_));
    let (numbers, names): (Vec<_>, Vec<_>) = earlier.partition(|token| is_number(&token.kind));
    is(numbers.len()) || is(names.len())
}

/// Whether the name of a month is within two words of this place in the reply.
pub(super) fn is_dated(reply: &str, range: &Range<usize>) -> bool {
    const MONTHS: &[&str] = &[
        "jan",
        "feb",
        "mar",
        "apr",
        "may",
        "jun",
        "jul",
        "aug",
        "sep",
        "sept",
        "oct",
        "nov",
        "dec",
        "january",
        "february",
        "march",
        "april",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ];
    let before = words(reply.get(..range.start).unwrap_or_default());
    let before: Vec<&str> = before.collect();
    let after = words(reply.get(range.end..).unwrap_or_default());
    // `March 1, 2024`, `the 1 of March`.
    let mut beside = before.into_iter().rev().take(2).chain(after.take(2));
    beside.any(|word| MONTHS.contains(&word.to_lowercase().as_str()))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    words.filter(|word| !word.is_empty())
}
