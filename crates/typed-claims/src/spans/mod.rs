//! Which words of a text are names, values, codes and properties.

mod address;
mod code;
mod fresh;
mod name;
mod places;
mod quantity;
mod reading;
mod value;

use std::ops::Range;

use crate::catalogue::Catalogue;
use crate::lexicon::{Cue, List};
use crate::text::{Shape, Token, tokens};
use crate::{Lexicon, Schema};

pub(crate) use code::national;
use places::Cues;
pub(crate) use places::within;
pub(crate) use quantity::Quantity;
pub(crate) use reading::Reading;

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
    pub tokens: Range<usize>,
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
        let numbers = self.numbers(&tokens);
        let mut reading = Reading::new(tokens, numbers);
        let lexicon = self.lexicon;
        let nouns = lexicon.noun_set.hits(&reading.tokens, &reading.classes);
        reading.classify(&nouns, &[]);
        let values = lexicon.value_set.hits(&reading.tokens, &reading.classes);
        reading.classify(&[], &values);
        self.cues(&mut reading);
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
        reading.order();
        reading
    }

    /// Finds the cues, and the words for slots.
    pub(crate) fn cues(&self, reading: &mut Reading<'_>) {
        let lexicon = self.lexicon;
        reading.cues = Cues::new(lexicon.cue_set.hits(&reading.tokens, &reading.classes));
        reading.slots = Cues::new(lexicon.slot_set.hits(&reading.tokens, &reading.classes));
    }

    pub(crate) fn numbers(&self, tokens: &[Token<'_>]) -> Vec<Option<u32>> {
        let number = |token: &Token<'_>| match token.shape {
            Shape::Number if token.low.len() <= 4 => token.low.parse().ok(),
            Shape::Word => self.lexicon.numbers.get(&token.low).copied(),
            _ => None,
        };
        tokens.iter().map(number).collect()
    }

    fn mask(&self, reading: &mut Reading<'_>, cue: Cue) {
        for hit in reading.cues.all(cue).to_vec() {
            reading.claim(What::Mask, hit.start..hit.end);
        }
    }

    fn properties(&self, reading: &mut Reading<'_>) {
        for hit in self
            .lexicon
            .open_set
            .hits(&reading.tokens, &reading.classes)
        {
            let named = (hit.start..hit.end).any(|at| {
                let span = reading.span_at(at);
                span.is_some_and(|span| matches!(span.what, What::Name(_)))
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
