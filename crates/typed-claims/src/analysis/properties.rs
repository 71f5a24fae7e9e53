//! Properties outside the schema, and what is not said to be so.

use std::ops::Range;

use super::{Analysis, Group, Said};
use crate::clause::Clause;
use crate::lexicon::{Cue, List};
use crate::spans::{Reader, Reading, What};
use crate::text::key;

/// The most tokens between *may be* and what may be so.
const HEDGED: usize = 6;

/// The most tokens between *ask about* and what is asked about.
const ASKED: usize = 8;

/// The most tokens that name a dish.
const DISH: usize = 12;

/// The least letters of a word that supports a property.
const CONTENT: usize = 5;

impl Analysis<'_, '_> {
    /// Open properties: not in questions, conditions and denials.
    pub(super) fn properties(&mut self, clause: &Clause, groups: &[Group]) {
        if clause.question || clause.hypothesis || clause.denies {
            return;
        }
        let reading = self.reading;
        for span in reading.open_in(&clause.tokens) {
            let What::Open(category) = &span.what else {
                continue;
            };
            if self.asks(clause, &span.tokens)
                || self.reader.hedged(reading, clause, span.tokens.start, true)
                || self
                    .reader
                    .asked_whether(reading, clause, span.tokens.start)
                || self.only_values(&span.tokens)
                || self.is_budget(clause, &span.tokens)
            {
                continue;
            }
            let Some(who) = self.owner(clause, groups, &span.tokens, groups.first()) else {
                continue;
            };
            let dish = self.dish(clause, &span.tokens);
            let said = if dish.is_empty() {
                span.tokens.clone()
            } else {
                dish
            };
            let said = said.filter_map(|at| reading.tokens.get(at));
            let words = said
                .map(|token| key(&token.low))
                .filter(|word| word.chars().count() >= CONTENT)
                .collect();
            self.draft(
                Said::Open {
                    who,
                    category: category.clone(),
                    words,
                },
                span.tokens.clone(),
            );
        }
    }

    /// Whether one is told to ask for it: *call X and ask about their opening hours*.
    fn asks(&self, clause: &Clause, tokens: &Range<usize>) -> bool {
        let reading = self.reading;
        let from = tokens.start.saturating_sub(ASKED).max(clause.tokens.start);
        let within = reading.cues.touching(Cue::Ask, tokens);
        let before = reading.cues.ending(Cue::Ask, &(from..tokens.start + 1));
        let mut hits = within.chain(before.iter().copied());
        hits.any(|hit| {
            let mut between = hit.end..tokens.start;
            hit.start >= clause.tokens.start
                && !between.any(|at| {
                    self.reader.said_of(reading, at)
                        || reading.tokens.get(at).is_some_and(|token| {
                            self.reader.has(List::Third, token) || token.is(":")
                        })
                })
        })
    }

    /// Whether a property is values and words that say nothing beside them, as *a variety of
    /// Indian dishes*: then the values say it.
    fn only_values(&self, tokens: &Range<usize>) -> bool {
        let reading = self.reading;
        let empty = |at: usize| {
            reading.tokens.get(at).is_some_and(|token| {
                [List::Dish, List::Range, List::Function, List::Article]
                    .iter()
                    .any(|list| self.reader.has(*list, token))
            })
        };
        reading.value_in(tokens) && tokens.clone().all(|at| reading.value_at(at) || empty(at))
    }

    /// The tokens of the dish that a property names behind itself: *a signature dish of …*.
    fn dish(&self, clause: &Clause, tokens: &Range<usize>) -> Range<usize> {
        let reading = self.reading;
        let Some(hit) = reading.cues.touching(Cue::Dishes, tokens).last() else {
            return tokens.end..tokens.end;
        };
        let mut start = hit.end.max(tokens.end);
        let last = clause.tokens.end.min(start + DISH);
        // "The signature dish of X is …"
        let leads = |at: usize| {
            reading.tokens.get(at).is_some_and(|token| {
                !token.solid()
                    || self.reader.has(List::Function, token)
                    || self.reader.has(List::Article, token)
                    || self.reader.has(List::Copula, token)
            }) || reading
                .span_at(at)
                .is_some_and(|span| matches!(span.what, What::Name(_)))
        };
        while start < last && leads(start) {
            start += 1;
        }
        let last = clause.tokens.end.min(start + DISH);
        let end = (start..last).find(|at| !self.reader.of_dish(reading, *at));
        start..end.unwrap_or(last)
    }
}

impl Reader<'_> {
    /// Whether something may be so, and is not said to be: *X may have …*.
    /// A comma is within it where things are listed.
    pub(crate) fn hedged(
        &self,
        reading: &Reading<'_>,
        clause: &Clause,
        at: usize,
        listed: bool,
    ) -> bool {
        let from = at.saturating_sub(HEDGED).max(clause.tokens.start);
        let hits = reading.cues.ending(Cue::Hedge, &(from..at + 1));
        hits.iter().any(|hit| {
            let person = self.lexicon.has(List::Person, reading.before(hit.start));
            let said = (hit.end..at)
                .any(|at| self.said_of(reading, at) || (!listed && reading.low(at) == ","));
            hit.start >= clause.tokens.start && !person && !said
        })
    }

    /// Whether something is said anew at a token: a name, *which*, *is*.
    fn said_of(&self, reading: &Reading<'_>, at: usize) -> bool {
        let token = reading.tokens.get(at);
        token.is_some_and(|token| self.has(List::Copula, token))
            || reading.at(Cue::Which, at).is_some()
            || reading
                .span_at(at)
                .is_some_and(|span| matches!(span.what, What::Name(_) | What::New(_)))
    }

    /// Whether a token may be of the name of a dish.
    fn of_dish(&self, reading: &Reading<'_>, at: usize) -> bool {
        let Some(token) = reading.tokens.get(at) else {
            return false;
        };
        let mark = matches!(token.low.as_str(), "," | "\"" | "'" | "-" | "&" | "*");
        let named = reading
            .span_at(at)
            .is_some_and(|span| matches!(span.what, What::Name(_)));
        (token.solid() || mark)
            && !named
            && !self.has(List::Copula, token)
            && reading.at(Cue::Which, at).is_none()
    }

    /// Whether words stand in the name of a dish, as *seafood* in *dishes like seafood paella*, and
    /// are not what its kitchen is, as in *dishes like Italian food*.
    pub(crate) fn in_dish(&self, reading: &Reading<'_>, tokens: &Range<usize>) -> bool {
        let kind = reading.tokens.get(tokens.end);
        if kind.is_some_and(|token| self.has(List::Kind, token) || self.has(List::Dish, token)) {
            return false;
        }
        let from = tokens.start.saturating_sub(ASKED);
        let hits = reading.cues.ending(Cue::Dishes, &(from..tokens.start + 1));
        hits.iter()
            .any(|hit| (hit.end..tokens.start).all(|at| self.of_dish(reading, at)))
    }
}
