//! Names that are looked for as they are spelt.

use std::collections::HashMap;

use crate::text::{Shape, Token, tokens};

/// The names of rows, by their first token and as a whole.
#[derive(Debug, Default)]
pub(crate) struct Spelt {
    rows: HashMap<String, Vec<usize>>,
    /// The first token of names, and the most tokens that one of them has.
    first: HashMap<String, usize>,
}

impl Spelt {
    pub fn new(names: &[String]) -> Self {
        let mut spelt = Spelt::default();
        for (row, name) in names.iter().enumerate() {
            let name = name.trim();
            let parts = tokens(name);
            let Some(first) = parts.first() else { continue };
            let most = spelt.first.entry(first.text.to_owned()).or_default();
            *most = parts.len().max(*most);
            spelt.rows.entry(name.to_owned()).or_default().push(row);
        }
        spelt
    }

    /// The longest name that begins at a token and stands there on its own: its rows, and the
    /// token behind it. A name that is a word counts if it is quoted, or if `is_meant` says so.
    pub fn longest(
        &self,
        text: &str,
        tokens: &[Token<'_>],
        at: usize,
        is_meant: impl Fn(&[usize]) -> bool,
    ) -> Option<(&[usize], usize)> {
        let first = tokens.get(at)?;
        let most = *self.first.get(first.text)?;
        let start = first.range.start;
        if text.get(..start)?.ends_with(part_of_a_name) {
            return None;
        }
        let last = (at + most).min(tokens.len());
        (at + 1..=last).rev().find_map(|end| {
            crate::steps::count(1);
            let stop = tokens.get(end - 1)?.range.end;
            let name = text.get(start..stop)?;
            let rows = self.rows.get(name)?;
            let is_name = || unlike_a_word(name) || quoted(tokens, at) || is_meant(rows);
            (ends(text.get(stop..)?) && is_name()).then_some((rows.as_slice(), end))
        })
    }
}

fn part_of_a_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '/' | '_' | '-' | '=' | '.' | '@')
}

/// Whether a name may end before this text.
fn ends(rest: &str) -> bool {
    let mut next = rest.chars();
    match next.next() {
        Some('.') => !next.next().is_some_and(part_of_a_name),
        Some(c) => !part_of_a_name(c),
        None => true,
    }
}

/// Whether a name cannot be a word of a sentence.
fn unlike_a_word(name: &str) -> bool {
    name.chars().any(|c| !c.is_alphabetic())
}

/// Whether a quote, or the sign of an item, stands before a token.
fn quoted(tokens: &[Token<'_>], at: usize) -> bool {
    let Some(before) = at.checked_sub(1).and_then(|at| tokens.get(at)) else {
        return false;
    };
    let item = matches!(before.low.as_str(), "-" | "*" | "•")
        && at
            .checked_sub(2)
            .and_then(|at| tokens.get(at))
            .is_none_or(|token| token.shape == Shape::Break);
    item || matches!(before.low.as_str(), "\"" | "'" | "`" | "*")
}
