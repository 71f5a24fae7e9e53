//! Which words of a text are names, values, codes and properties.

mod address;
mod code;
mod fresh;
mod name;
mod quantity;
mod value;

use std::ops::Range;

use crate::catalogue::Catalogue;
use crate::lexicon::{Cue, List};
use crate::text::{Classes, Hit, Shape, Token, tokens};
use crate::{Lexicon, Schema};

pub(crate) use quantity::Quantity;

/// What a span is of.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum What {
    /// Words that say nothing: the service's own name, times, party sizes.
    Mask,
    /// A booking reference.
    Ref(String),
    /// A phone number, as digits.
    Phone(String),
    /// A postcode, as letters and digits.
    Postcode(String),
    /// Words of an address.
    Address(Vec<String>),
    /// Rows with this name.
    Name(Vec<usize>),
    /// A name that no row has.
    New(String),
    /// A value of a slot, as the place of its entry in the lexicon.
    Value(usize),
    /// A quantity with a unit.
    Quantity(Quantity),
    /// A property outside the schema, as its category.
    Open(String),
}

/// A span of a text.
#[derive(Debug, Clone)]
pub(crate) struct Span {
    pub what: What,
    /// Its tokens.
    pub tokens: Range<usize>,
}

/// A text, read.
pub(crate) struct Reading<'a> {
    pub tokens: Vec<Token<'a>>,
    /// The spans that own their tokens, by place.
    pub spans: Vec<Span>,
    /// The open properties, which may overlap values.
    pub open: Vec<Span>,
    pub cues: Vec<Hit>,
    pub classes: Classes,
    /// The words that name a slot.
    pub slots: Vec<Hit>,
    /// Numbers as tokens say them, if no span owns them.
    pub numbers: Vec<Option<u32>>,
    owner: Vec<bool>,
}

/// What reading needs.
pub(crate) struct Reader<'a> {
    pub schema: &'a Schema,
    pub lexicon: &'a Lexicon,
    pub catalogue: &'a Catalogue,
    /// The day on which the reply is given.
    pub today: Option<jiff::civil::Date>,
}

impl Reader<'_> {
    /// Reads a text. New names are looked for in replies only.
    pub fn read<'t>(&self, text: &'t str, new_names: bool) -> Reading<'t> {
        let tokens = tokens(text);
        let count = tokens.len();
        let mut reading = Reading {
            numbers: self.numbers(&tokens),
            tokens,
            spans: Vec::new(),
            open: Vec::new(),
            cues: Vec::new(),
            classes: Classes {
                numbers: Vec::new(),
                nouns: vec![0; count],
                values: vec![0; count],
            },
            slots: Vec::new(),
            owner: vec![false; count],
        };
        reading.classes.numbers = reading
            .numbers
            .iter()
            .enumerate()
            .map(|(at, number)| if number.is_some() { at + 1 } else { 0 })
            .collect();
        let lexicon = self.lexicon;
        for hit in lexicon.noun_set.hits(&reading.tokens, &reading.classes) {
            if let Some(end) = reading.classes.nouns.get_mut(hit.start) {
                *end = hit.end;
            }
        }
        let values = lexicon.value_set.hits(&reading.tokens, &reading.classes);
        for hit in &values {
            if let Some(end) = reading.classes.values.get_mut(hit.start) {
                *end = hit.end.max(*end);
            }
        }
        reading.cues = lexicon.cue_set.hits(&reading.tokens, &reading.classes);
        reading.slots = lexicon.slot_set.hits(&reading.tokens, &reading.classes);
        self.mask(&mut reading, Cue::Service);
        self.references(&mut reading);
        self.codes(&mut reading);
        self.names(&mut reading, true);
        self.addresses(&mut reading, true);
        self.names(&mut reading, false);
        self.addresses(&mut reading, false);
        self.quantities(&mut reading);
        self.mask(&mut reading, Cue::Mask);
        self.properties(&mut reading);
        self.values(&mut reading, &values);
        if new_names {
            self.fresh(&mut reading);
        }
        reading.spans.sort_by_key(|span| span.tokens.start);
        reading.open.sort_by_key(|span| span.tokens.start);
        reading
    }

    fn numbers(&self, tokens: &[Token<'_>]) -> Vec<Option<u32>> {
        let number = |token: &Token<'_>| match token.shape {
            Shape::Number if token.low.len() <= 4 => token.low.parse().ok(),
            Shape::Word => self.lexicon.numbers.get(&token.low).copied(),
            _ => None,
        };
        tokens.iter().map(number).collect()
    }

    fn mask(&self, reading: &mut Reading<'_>, cue: Cue) {
        let hits = reading.hits(cue).collect::<Vec<_>>();
        for hit in hits {
            reading.claim(What::Mask, hit.start..hit.end);
        }
    }

    fn properties(&self, reading: &mut Reading<'_>) {
        for hit in self
            .lexicon
            .open_set
            .hits(&reading.tokens, &reading.classes)
        {
            let named = reading.spans.iter().any(|span| {
                matches!(span.what, What::Name(_))
                    && span.tokens.start < hit.end
                    && hit.start < span.tokens.end
            });
            if let Some(category) = self.lexicon.open.get(hit.tag).filter(|_| !named) {
                reading.open.push(Span {
                    what: What::Open(category.clone()),
                    tokens: hit.start..hit.end,
                });
            }
        }
    }

    pub(crate) fn has(&self, list: List, token: &Token<'_>) -> bool {
        self.lexicon.has(list, &token.low)
    }
}

impl Reading<'_> {
    /// Makes a span of tokens that no span has.
    pub fn claim(&mut self, what: What, range: Range<usize>) -> bool {
        if range.is_empty() || !self.free(&range) {
            return false;
        }
        for owned in self.owner.iter_mut().take(range.end).skip(range.start) {
            *owned = true;
        }
        self.spans.push(Span {
            what,
            tokens: range,
        });
        true
    }

    /// Whether no span has any of these tokens.
    pub fn free(&self, range: &Range<usize>) -> bool {
        let owned = self.owner.get(range.clone());
        owned.is_some_and(|owned| owned.iter().all(|owned| !owned))
    }

    /// Whether a span has this token.
    pub fn owned(&self, at: usize) -> bool {
        self.owner.get(at).copied().unwrap_or(false)
    }

    /// The hits of a cue.
    pub fn hits(&self, cue: Cue) -> impl Iterator<Item = Hit> + '_ {
        self.cues
            .iter()
            .copied()
            .filter(move |hit| hit.tag == cue as usize)
    }

    /// The hits of a cue that begin within tokens.
    pub fn within(&self, cue: Cue, range: &Range<usize>) -> impl Iterator<Item = Hit> + '_ {
        let range = range.clone();
        self.hits(cue).filter(move |hit| range.contains(&hit.start))
    }

    /// Whether a hit of a cue begins within tokens.
    pub fn any(&self, cue: Cue, range: &Range<usize>) -> bool {
        self.within(cue, range).next().is_some()
    }

    /// A hit of a cue that begins at a token.
    pub fn at(&self, cue: Cue, start: usize) -> Option<Hit> {
        self.hits(cue).find(|hit| hit.start == start)
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
