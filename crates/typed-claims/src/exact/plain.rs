//! Clauses that speak of all rows that one holds, as no word of theirs leaves any out.

use std::ops::Range;

use super::Text;
use crate::lexicon::{Cue, List};
use crate::spans::What;
use crate::text::Shape;

impl Text<'_, '_> {
    /// Whether every word of a clause is a name, a noun, a number with its unit, the word for a
    /// slot, or one that restricts nothing.
    pub fn is_plain(&self, clause: &Range<usize>) -> bool {
        clause.clone().all(|at| {
            let Some(token) = self.reading.tokens.get(at) else {
                return true;
            };
            if self.reading.owned(at) || self.covered.get(at).is_some_and(|covered| *covered) {
                return true;
            }
            match token.shape {
                Shape::Number => self.numbers_an_item(at),
                Shape::Break => true,
                Shape::Mark => !matches!(token.low.as_str(), "…" | "%" | "<" | ">" | "~" | "+"),
                Shape::Word => {
                    self.reader.has(List::Plain, token)
                        || self.reader.has(List::Empty, token)
                        || self.reading.numbers.get(at).copied().flatten().is_some()
                        || (self.denies(at) && self.noun_at(at + 1).is_some())
                }
            }
        }) && !self.goes_on(clause)
    }

    /// Whether an ellipsis says that there is more.
    fn goes_on(&self, clause: &Range<usize>) -> bool {
        clause
            .clone()
            .any(|at| self.reading.low(at) == "." && self.reading.low(at + 1) == ".")
    }

    /// Whether a number is the sign of an item: `2.`
    pub fn numbers_an_item(&self, at: usize) -> bool {
        let begins = at == 0 || self.reading.before(at) == "\n";
        begins && matches!(self.reading.low(at + 1), "." | ")")
    }

    pub fn denies(&self, at: usize) -> bool {
        let token = self.reading.tokens.get(at);
        token.is_some_and(|token| self.reader.has(List::Negation, token))
    }

    /// The noun at a token: of what is held, or of what holds. A part of a name is none.
    pub(super) fn noun_at(&self, at: usize) -> Option<Noun> {
        let span = self.reading.span_at(at);
        if span.is_some_and(|span| matches!(span.what, What::Name(_))) {
            return None;
        }
        let is_held = self
            .reading
            .classes
            .nouns
            .get(at)
            .is_some_and(|end| *end > 0);
        let holds = self.holders.get(at).is_some_and(|holds| *holds);
        match (is_held, holds) {
            (true, _) => Some(Noun::Held),
            (false, true) => Some(Noun::Holder),
            (false, false) => None,
        }
    }

    /// The names that begin in a clause.
    pub(super) fn names(&self, clause: &Range<usize>) -> Vec<Named> {
        let spans = self.reading.spans_in(clause).iter();
        let names = spans.filter_map(|span| match &span.what {
            What::Name(rows) => Some(Named {
                rows: rows.clone(),
                tokens: span.tokens.clone(),
            }),
            _ => None,
        });
        names.collect()
    }

    /// Whether a clause asks how many there are.
    pub fn asks_how_many(&self, clause: &Range<usize>) -> bool {
        self.reading.any(Cue::Amount, clause)
    }
}

/// What a noun is said of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Noun {
    /// The rows that others hold.
    Held,
    /// The rows that hold others.
    Holder,
}

/// A name in a text.
#[derive(Debug, Clone)]
pub(super) struct Named {
    pub rows: Vec<usize>,
    pub tokens: Range<usize>,
}
