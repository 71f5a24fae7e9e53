//! Names that no row has.

use std::ops::Range;

use strsim::damerau_levenshtein;

use super::{Reader, Reading, Span, What};
use crate::catalogue::{Known, Letters};
use crate::lexicon::{Cue, List};
use crate::text::{Shape, Token, key};

/// The shortest keys, in letters, in which one typo and two are forgiven.
const ONE_TYPO: usize = 7;
const TWO_TYPOS: usize = 12;

impl Reader<'_> {
    pub(super) fn fresh(&self, reading: &mut Reading<'_>) {
        let mut said = vec![false; reading.tokens.len()];
        for span in &reading.open {
            said.iter_mut()
                .take(span.tokens.end)
                .skip(span.tokens.start)
                .for_each(|said| *said = true);
        }
        let mut at = 0;
        while at < reading.tokens.len() {
            let marked = self.marked(reading, at);
            let run = marked.clone().unwrap_or_else(|| self.run(reading, at));
            if run.is_empty() {
                at += 1;
                continue;
            }
            let trimmed = self.trimmed(reading, run.clone());
            let least = if marked.is_some() || self.announced(reading, trimmed.start) {
                1
            } else {
                2
            };
            let end = run.end;
            // "belegte Brote und Snacks": what properties say is no name.
            let property = trimmed.clone().all(|at| {
                let token = reading.tokens.get(at);
                said.get(at).copied().unwrap_or(false)
                    || token.is_some_and(|token| self.has(List::Joint, token))
            });
            if !property && self.plausible(reading, &trimmed, least) {
                self.decide(reading, trimmed);
            }
            at = end.max(at + 1);
        }
    }

    /// Capitalised words in a row, joined by *of*, *and* and the like.
    fn run(&self, reading: &Reading<'_>, start: usize) -> Range<usize> {
        let big = |at: usize| {
            let token = reading.tokens.get(at);
            token.is_some_and(|token| token.shape == Shape::Word && token.capital())
                && !reading.owned(at)
        };
        if !big(start) {
            return start..start;
        }
        let mut end = start + 1;
        let mut next = end;
        while next < reading.tokens.len() {
            if big(next) {
                next += 1;
                end = next;
                continue;
            }
            let joint = reading
                .tokens
                .get(next)
                .is_some_and(|token| self.has(List::Joint, token) && token.shape != Shape::Break);
            if !joint || reading.owned(next) || next >= end + 2 {
                break;
            }
            next += 1;
        }
        start..end
    }

    /// The words in bold, in quotes or at the head of an item of a list.
    fn marked(&self, reading: &Reading<'_>, at: usize) -> Option<Range<usize>> {
        let open = reading.before(at);
        let bold = open == "*" && at >= 2 && reading.low(at - 2) == "*";
        let quoted = open == "\"";
        if bold || quoted {
            let close = if bold { "*" } else { "\"" };
            let length = reading
                .tokens
                .iter()
                .skip(at)
                .take(10)
                .position(|token| token.is(close) || token.is(":"))?;
            let run = at..at + length;
            let capital = reading.tokens.get(at).is_some_and(|token| token.capital());
            return (length > 0 && capital && reading.free(&run)).then_some(run);
        }
        self.item_head(reading, at)
            .then(|| self.run(reading, at))
            .filter(|run| {
                // `Name: …` or `Name - …` or the name alone.
                !run.is_empty()
                    && (reading.tokens.get(run.end).is_none_or(|token| {
                        matches!(token.low.as_str(), ":" | "\n" | "-" | "," | "(")
                    }))
            })
    }

    fn item_head(&self, reading: &Reading<'_>, at: usize) -> bool {
        let bullet = |at: usize| matches!(reading.low(at), "-" | "*" | "•");
        let line = |at: usize| at == 0 || reading.before(at) == "\n";
        let Some(before) = at.checked_sub(1) else {
            return false;
        };
        if bullet(before) && line(before) {
            return true;
        }
        let number = before
            .checked_sub(1)
            .filter(|_| matches!(reading.low(before), "." | ")"));
        number.is_some_and(|number| {
            line(number)
                && reading
                    .tokens
                    .get(number)
                    .is_some_and(|token| token.shape == Shape::Number)
        })
    }

    fn announced(&self, reading: &Reading<'_>, start: usize) -> bool {
        let mut at = start;
        while at > 0
            && (matches!(reading.before(at), "\"" | "'" | "*" | ":")
                || reading
                    .tokens
                    .get(at - 1)
                    .is_some_and(|token| self.has(List::Article, token)))
        {
            at -= 1;
        }
        reading.ended(Cue::Called, at).is_some() || reading.ended(Cue::Called, start).is_some()
    }

    fn stop(&self, token: &Token<'_>) -> bool {
        let stem = |token: &Token<'_>| {
            let endings = ["", "e", "er", "es", "en", "em"];
            endings.iter().any(|ending| {
                token
                    .low
                    .strip_suffix(ending)
                    .is_some_and(|stem| self.lexicon.has(List::StopStem, stem))
            })
        };
        !token.solid()
            || self.has(List::Stop, token)
            || self.has(List::Article, token)
            || stem(token)
    }

    fn trimmed(&self, reading: &Reading<'_>, mut run: Range<usize>) -> Range<usize> {
        let stop = |at: usize| {
            reading
                .tokens
                .get(at)
                .is_none_or(|token| self.stop(token) || self.has(List::Joint, token))
        };
        while !run.is_empty() && stop(run.start) {
            run.start += 1;
        }
        while !run.is_empty() && stop(run.end - 1) {
            run.end -= 1;
        }
        run
    }

    fn plausible(&self, reading: &Reading<'_>, run: &Range<usize>, least: usize) -> bool {
        let tokens = reading.tokens.get(run.clone()).unwrap_or_default();
        let words = tokens
            .iter()
            .filter(|token| token.shape == Shape::Word && token.capital());
        let inner = |token: &Token<'_>| self.stop(token) && !self.has(List::Joint, token);
        // A German noun has a capital, too: there no stop word may be left within.
        let german = self.lexicon.language == "de" && tokens.iter().any(inner);
        let capitals = tokens
            .iter()
            .all(|token| !token.solid() || token.capitals());
        words.count() >= least
            && !german
            && !capitals
            && !tokens.iter().any(|token| token.shape == Shape::Break)
    }

    /// A typo, an address, a dish, or a new name.
    fn decide(&self, reading: &mut Reading<'_>, run: Range<usize>) {
        let tokens = reading.tokens.get(run.clone()).unwrap_or_default();
        let words = tokens
            .iter()
            .filter(|token| token.solid())
            .collect::<Vec<_>>();
        let valued = (run.clone()).all(|at| self.is_value(reading, at));
        if valued || words.is_empty() {
            return;
        }
        let keys = words
            .iter()
            .map(|token| key(&token.low))
            .collect::<Vec<_>>();
        let content = keys
            .iter()
            .zip(&words)
            .filter(|(_, token)| !self.has(List::Noise, token) && !self.has(List::Joint, token));
        let content = content
            .map(|(key, _)| crate::catalogue::canonical(key))
            .collect::<Vec<_>>();
        let places = &self.catalogue.places.words;
        let row = places
            .iter()
            .position(|row| content.len() >= 2 && content.iter().all(|word| row.contains(word)));
        if let Some(row) = row {
            reading.claim(What::Name(vec![row]), run);
            return;
        }
        let dish = self
            .catalogue
            .dishes
            .iter()
            .any(|dishes| !keys.is_empty() && keys.iter().all(|word| dishes.contains(word)));
        if dish {
            reading.open.push(Span {
                what: What::Open("menu".into()),
                tokens: run,
            });
            return;
        }
        let said = keys.join(" ");
        if let Some(rows) = self.near_name(&said) {
            reading.claim(What::Name(rows), run);
            return;
        }
        let name = self.slice(reading, &run).unwrap_or(said);
        reading.claim(What::New(name), run);
    }

    /// The name as written, with single blanks.
    fn slice(&self, reading: &Reading<'_>, run: &Range<usize>) -> Option<String> {
        let mut name = String::new();
        for (at, token) in reading.tokens.get(run.clone())?.iter().enumerate() {
            if at > 0 && !token.glued && !token.is("'s") {
                name.push(' ');
            }
            name.push_str(token.text);
        }
        Some(name)
    }

    fn is_value(&self, reading: &Reading<'_>, at: usize) -> bool {
        reading.valued(at)
            || reading.value_at(at)
            || reading
                .tokens
                .get(at)
                .is_none_or(|token| self.stop(token) || self.has(List::Joint, token))
    }

    fn near_name(&self, said: &str) -> Option<Vec<usize>> {
        let length = said.chars().count();
        if length < ONE_TYPO {
            return None;
        }
        let most = if length >= TWO_TYPOS { 2 } else { 1 };
        let letters = Letters::of(said);
        let close = |known: &&Known| {
            let most = if known.letters.count >= TWO_TYPOS {
                most
            } else {
                1
            };
            known.letters.count >= ONE_TYPO
                && known.letters.may_be(&letters, most)
                && damerau_levenshtein(&known.name, said) <= most
        };
        let mut rows = self.catalogue.trie.keys.iter().find(close)?.rows.clone();
        rows.sort_unstable();
        rows.dedup();
        Some(rows)
    }
}
