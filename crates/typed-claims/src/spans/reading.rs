//! A text with its spans and cues, and what stands where in it.

use std::ops::Range;

use super::places::{Cues, within};
use super::{Span, What};
use crate::lexicon::Cue;
use crate::text::{Classes, Hit, Shape, Token};

/// A text, read.
pub(crate) struct Reading<'a> {
    pub tokens: Vec<Token<'a>>,
    /// The spans that own their tokens, by place once all are found.
    pub spans: Vec<Span>,
    /// The open properties, which may overlap values.
    pub open: Vec<Span>,
    pub cues: Cues,
    pub classes: Classes,
    /// The words that name a slot.
    pub slots: Cues,
    /// Numbers as tokens say them, if no span owns them.
    pub numbers: Vec<Option<u32>>,
    /// The tokens at which a noun of the domain begins.
    nouns: Vec<usize>,
    /// The tokens at which the span of a value begins.
    values: Vec<usize>,
    /// Which tokens the words of a value cover.
    valued: Vec<bool>,
    /// The place of the span that has a token.
    owner: Vec<Option<usize>>,
}

impl<'a> Reading<'a> {
    pub fn new(tokens: Vec<Token<'a>>, numbers: Vec<Option<u32>>) -> Self {
        let count = tokens.len();
        let ends = numbers.iter().enumerate();
        let ends = ends.map(|(at, number)| if number.is_some() { at + 1 } else { 0 });
        Reading {
            classes: Classes {
                numbers: ends.collect(),
                nouns: vec![0; count],
                values: vec![0; count],
            },
            tokens,
            numbers,
            spans: Vec::new(),
            open: Vec::new(),
            cues: Cues::default(),
            slots: Cues::default(),
            nouns: Vec::new(),
            values: Vec::new(),
            valued: vec![false; count],
            owner: vec![None; count],
        }
    }

    /// Notes where nouns of the domain and words of values stand, which patterns ask for.
    pub fn classify(&mut self, nouns: &[Hit], values: &[Hit]) {
        for hit in nouns {
            if let Some(end) = self.classes.nouns.get_mut(hit.start) {
                *end = hit.end;
            }
            self.nouns.push(hit.start);
        }
        for hit in values {
            if let Some(end) = self.classes.values.get_mut(hit.start) {
                *end = hit.end.max(*end);
            }
            for valued in self.valued.iter_mut().take(hit.end).skip(hit.start) {
                *valued = true;
            }
        }
    }

    /// Puts the spans in order, when all are found.
    pub fn order(&mut self) {
        self.spans.sort_by_key(|span| span.tokens.start);
        self.open.sort_by_key(|span| span.tokens.start);
        for (place, span) in self.spans.iter().enumerate() {
            for owner in self
                .owner
                .iter_mut()
                .take(span.tokens.end)
                .skip(span.tokens.start)
            {
                *owner = Some(place);
            }
            if matches!(span.what, What::Value(_)) {
                self.values.push(span.tokens.start);
            }
        }
    }

    /// Makes a span of tokens that no span has.
    pub fn claim(&mut self, what: What, range: Range<usize>) -> bool {
        if range.is_empty() || !self.free(&range) {
            return false;
        }
        let place = self.spans.len();
        for owner in self.owner.iter_mut().take(range.end).skip(range.start) {
            *owner = Some(place);
        }
        self.spans.push(Span {
            what,
            tokens: range,
        });
        true
    }

    /// Whether no span has any of these tokens.
    pub fn free(&self, range: &Range<usize>) -> bool {
        let owners = self.owner.get(range.clone());
        owners.is_some_and(|owners| owners.iter().all(Option::is_none))
    }

    /// Whether a span has this token.
    pub fn owned(&self, at: usize) -> bool {
        self.span_at(at).is_some()
    }

    /// The span that has a token.
    pub fn span_at(&self, at: usize) -> Option<&Span> {
        self.spans.get((*self.owner.get(at)?)?)
    }

    /// Whether the span of a value has a token.
    pub fn value_at(&self, at: usize) -> bool {
        self.span_at(at)
            .is_some_and(|span| matches!(span.what, What::Value(_)))
    }

    /// Whether a token is among words that name a value, whoever owns them.
    pub fn valued(&self, at: usize) -> bool {
        self.valued.get(at).copied().unwrap_or(false)
    }

    /// The spans that begin within tokens.
    pub fn spans_in(&self, range: &Range<usize>) -> &[Span] {
        within(&self.spans, range, |span| span.tokens.start)
    }

    /// The open properties that begin within tokens.
    pub fn open_in(&self, range: &Range<usize>) -> &[Span] {
        within(&self.open, range, |span| span.tokens.start)
    }

    /// Whether a noun of the domain begins within tokens.
    pub fn noun_in(&self, range: &Range<usize>) -> bool {
        let next = self.nouns.partition_point(|at| *at < range.start);
        self.nouns.get(next).is_some_and(|at| *at < range.end)
    }

    /// Whether the span of a value begins within tokens.
    pub fn value_in(&self, range: &Range<usize>) -> bool {
        let next = self.values.partition_point(|at| *at < range.start);
        self.values.get(next).is_some_and(|at| *at < range.end)
    }

    /// The hits of a cue that begin within tokens.
    pub fn within(&self, cue: Cue, range: &Range<usize>) -> &[Hit] {
        self.cues.within(cue, range)
    }

    /// Whether a hit of a cue begins within tokens.
    pub fn any(&self, cue: Cue, range: &Range<usize>) -> bool {
        self.cues.any(cue as usize, range)
    }

    /// A hit of a cue that begins at a token.
    pub fn at(&self, cue: Cue, start: usize) -> Option<Hit> {
        self.within(cue, &(start..start + 1)).first().copied()
    }

    /// A hit of a cue that ends before a token.
    pub fn ended(&self, cue: Cue, end: usize) -> Option<Hit> {
        self.cues.ending(cue, &(end..end + 1)).first().copied()
    }

    pub fn low(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| token.low.as_str())
    }

    /// The token before, if there is one.
    pub fn before(&self, at: usize) -> &str {
        at.checked_sub(1).map_or("", |at| self.low(at))
    }

    /// The bytes of tokens in the text.
    pub fn bytes(&self, tokens: &Range<usize>) -> Range<usize> {
        let start = self
            .tokens
            .get(tokens.start)
            .map_or(0, |token| token.range.start);
        let end = tokens
            .end
            .checked_sub(1)
            .and_then(|last| self.tokens.get(last));
        start..end.map_or(start, |token| token.range.end.max(start))
    }

    /// Whether a point here ends a sentence.
    pub fn ends(&self, at: usize) -> bool {
        matches!(self.low(at), "." | "?" | "!")
            && self.tokens.get(at + 1).is_none_or(|next| {
                !next.glued || next.shape != Shape::Word && next.shape != Shape::Number
            })
    }
}
