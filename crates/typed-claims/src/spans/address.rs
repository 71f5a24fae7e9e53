//! Addresses: runs of a row's address, places, and streets of nobody.

use std::ops::Range;

use super::{Reader, Reading, What};
use crate::catalogue::{canonical, spelt};
use crate::lexicon::List;
use crate::text::{Shape, Token};

/// From this many words that say something, a run with a number comes before aliases.
const LONG: usize = 4;

/// Whether a number may be that of a house.
fn house(token: &Token<'_>) -> bool {
    token.low.len() <= 3
}

impl Reader<'_> {
    /// Long runs with a number, or everything else that is an address.
    pub(super) fn addresses(&self, reading: &mut Reading<'_>, long: bool) {
        if self.catalogue.places.slot.is_none() {
            return;
        }
        let mut at = 0;
        while at < reading.tokens.len() {
            let end = self
                .catalogue
                .places
                .longest(&reading.tokens, at, |at| !reading.owned(at));
            let run = end
                .map(|end| at..end)
                .filter(|run| self.counts(reading, run, long));
            let Some(run) = run.or_else(|| (!long).then(|| self.invented(reading, at)).flatten())
            else {
                at += 1;
                continue;
            };
            let start = if long {
                run.start
            } else {
                self.numbered(reading, run.start)
            };
            let next = run.end;
            self.place(reading, start..run.end);
            at = next.max(at + 1);
        }
        if !long {
            self.localities(reading);
        }
    }

    fn counts(&self, reading: &Reading<'_>, run: &Range<usize>, long: bool) -> bool {
        let content = |token: &&Token<'_>| token.solid() && !self.has(List::Noise, token);
        let tokens = reading.tokens.get(run.clone()).unwrap_or_default();
        let words = tokens.iter().filter(content).count();
        let number = tokens.iter().any(|token| token.shape == Shape::Number);
        let street = tokens
            .iter()
            .any(|token| self.has(List::Street, token) || canonical(&token.low) == "st");
        if long {
            words >= LONG && number
        } else {
            words >= 3 || (words == 2 && (number || street))
        }
    }

    /// The number before a run belongs to it.
    fn numbered(&self, reading: &Reading<'_>, start: usize) -> usize {
        let Some(before) = start
            .checked_sub(1)
            .filter(|before| !reading.owned(*before))
        else {
            return start;
        };
        let number = reading
            .tokens
            .get(before)
            .is_some_and(|token| token.shape == Shape::Number);
        let first = reading
            .tokens
            .get(start)
            .is_some_and(|token| token.shape == Shape::Number);
        if number && !first {
            return before;
        }
        // "14 - 6 Rose Crescent": houses from one number to another.
        let from = before
            .checked_sub(1)
            .filter(|from| reading.low(before) == "-" && !reading.owned(*from))
            .and_then(|from| Some((from, reading.tokens.get(from)?)));
        match from {
            Some((from, token)) if first && token.shape == Shape::Number && house(token) => from,
            _ => start,
        }
    }

    /// `[number] Capital … Street` of no row.
    fn invented(&self, reading: &Reading<'_>, at: usize) -> Option<Range<usize>> {
        let first = reading.tokens.get(at).filter(|_| !reading.owned(at))?;
        let mut next = at;
        if first.shape == Shape::Number {
            // The run of a row behind the number takes it.
            let end = self
                .catalogue
                .places
                .longest(&reading.tokens, at + 1, |at| !reading.owned(at));
            if end.is_some_and(|end| self.counts(reading, &(at + 1..end), false)) {
                return None;
            }
            next += 1;
        }
        let words = next;
        while reading.tokens.get(next).is_some_and(|token| {
            token.shape == Shape::Word && token.capital() && !reading.owned(next)
        }) {
            let token = reading.tokens.get(next)?;
            if next == words && self.has(List::Stop, token) {
                return None;
            }
            next += 1;
            let last = canonical(&token.low);
            if next > words + 1 && (last == "st" || self.has(List::Street, token)) {
                let weak = matches!(
                    last.as_str(),
                    "place" | "way" | "close" | "common" | "church" | "hill"
                );
                return (first.shape == Shape::Number || !weak).then_some(at..next);
            }
        }
        None
    }

    fn place(&self, reading: &mut Reading<'_>, range: Range<usize>) {
        let tokens = reading.tokens.get(range.clone()).unwrap_or_default();
        let mut words: Vec<String> = Vec::new();
        for token in tokens {
            match words.last_mut() {
                Some(last) if token.is("'s") => last.push('s'),
                _ if token.solid() => words.push(spelt(&token.low, words.is_empty())),
                _ => {}
            }
        }
        reading.claim(What::Address(words), range);
    }

    fn localities(&self, reading: &mut Reading<'_>) {
        for at in 0..reading.tokens.len() {
            for place in &self.lexicon.localities {
                let fits = place
                    .iter()
                    .enumerate()
                    .all(|(offset, word)| reading.low(at + offset) == word);
                let range = at..at + place.len();
                if fits && reading.free(&range) {
                    self.place(reading, range);
                }
            }
        }
    }
}
