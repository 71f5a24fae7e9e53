//! Addresses of rows, as runs of words.

use std::collections::HashMap;

use super::Row;
use crate::text::{Token, key, tokens};
use crate::{Schema, SlotKind};

/// The words of the rows' addresses.
#[derive(Debug)]
pub(crate) struct Places {
    /// The slot of the addresses.
    pub slot: Option<String>,
    /// The words of each row.
    pub words: Vec<Vec<String>>,
    places: HashMap<String, Vec<(usize, usize)>>,
}

impl Places {
    pub fn new(rows: &[Row], schema: &Schema) -> Self {
        let slot = schema
            .of(SlotKind::Address)
            .next()
            .map(|(slot, _)| slot.to_owned());
        let text = |row: &Row| {
            slot.as_ref()
                .and_then(|slot| row.get(slot))
                .cloned()
                .unwrap_or_default()
        };
        let words = rows
            .iter()
            .map(|row| address(&text(row)))
            .collect::<Vec<_>>();
        let mut places: HashMap<String, Vec<(usize, usize)>> = HashMap::new();
        for (row, words) in words.iter().enumerate() {
            for (at, word) in words.iter().enumerate() {
                places.entry(word.clone()).or_default().push((row, at));
            }
        }
        Places {
            slot,
            words,
            places,
        }
    }

    /// The token behind the longest run from a token on that stands in one row's address.
    pub fn longest(
        &self,
        tokens: &[Token<'_>],
        start: usize,
        free: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        let first = tokens
            .get(start)
            .filter(|token| token.solid() && free(start))?;
        let places = self.places.get(&canonical(&first.low))?;
        places
            .iter()
            .map(|(row, at)| self.run(tokens, start, *row, *at, &free))
            .max()
    }

    fn run(
        &self,
        tokens: &[Token<'_>],
        start: usize,
        row: usize,
        at: usize,
        free: impl Fn(usize) -> bool,
    ) -> usize {
        let Some(words) = self.words.get(row) else {
            return start;
        };
        let mut end = start;
        let mut next = start;
        let mut at = at;
        while let Some(token) = tokens.get(next).filter(|_| free(next)) {
            crate::steps::count(1);
            if !token.solid() {
                let skipped = matches!(token.low.as_str(), "," | "-" | "'")
                    || (token.is(".") && next > start);
                if !skipped || next > end + 1 {
                    break;
                }
                next += 1;
                continue;
            }
            let mut width = 1;
            let mut word = canonical(&token.low);
            if tokens.get(next + 1).is_some_and(|suffix| suffix.is("'s"))
                && words.get(at).is_none_or(|w| *w != word)
            {
                word.push('s');
                width = 2;
            }
            if words.get(at) != Some(&word) {
                break;
            }
            next += width;
            end = next;
            at += 1;
        }
        end
    }
}

/// A word of an address as it is compared: *Street*, *St.* and *Saint* are one.
pub(crate) fn canonical(low: &str) -> String {
    match low {
        "street" | "str" | "saint" => "st".into(),
        "rd" => "road".into(),
        "ave" => "avenue".into(),
        "ln" => "lane".into(),
        "st" => "st".into(),
        other => key(other),
    }
}

/// A word of an address as claims spell it.
pub(crate) fn spelt(low: &str, first: bool) -> String {
    match low {
        "st" | "str" if !first => "street".into(),
        "rd" => "road".into(),
        other => other.to_owned(),
    }
}

/// The words of an address as they are compared.
pub(crate) fn address(address: &str) -> Vec<String> {
    let parts = tokens(address);
    let mut words: Vec<String> = Vec::new();
    for token in &parts {
        if token.is("'s") {
            if let Some(last) = words.last_mut() {
                last.push('s');
            }
        } else if token.solid() {
            words.push(canonical(&token.low));
        }
    }
    words
}
