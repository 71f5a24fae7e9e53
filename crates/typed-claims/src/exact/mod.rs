//! Replies about rows whose names are identifiers, as the keys of objects.
//!
//! Such rows are many, and replies speak of parts of them in ways that no lexicon has: *the logs
//! of March over 5 MB that I moved*. So a clause is judged only if it is plain: all its words are
//! names, nouns, numbers, units, words for slots, and words that leave nothing out. What the
//! clause leaves to the question (*There are 12*) is judged if the question is plain, too. What a
//! clause says that was done with a name, or that a name is there or not, is judged in any clause.

mod below;
mod completed;
mod done;
mod judge;
mod listed;
mod names;
mod objects;
mod plain;
mod roles;
mod said;
mod segments;
mod there;
mod told;

pub(crate) use names::Spelt;
pub(crate) use told::{names_deeds, told};

use std::ops::Range;

use crate::catalogue::{Base, Catalogue};
use crate::claim::Claim;
use crate::clause::Clause;
use crate::lexicon::List;
use crate::spans::{Reader, Reading, What};
use crate::text::tokens;

/// A text with its names, numbers and nouns.
pub(super) struct Text<'r, 't> {
    pub reader: &'r Reader<'r>,
    pub text: &'t str,
    pub reading: Reading<'t>,
    pub clauses: Vec<Clause>,
    /// The tokens of nouns, and of words for slots.
    covered: Vec<bool>,
    /// The tokens at which a noun for what holds begins.
    holders: Vec<bool>,
}

impl<'r, 't> Text<'r, 't> {
    fn of(reader: &'r Reader<'r>, text: &'t str) -> Self {
        let lexicon = reader.lexicon;
        let tokens = tokens(text);
        let numbers = reader.numbers(&tokens);
        let mut reading = Reading::new(tokens, numbers);
        let nouns = lexicon.noun_set.hits(&reading.tokens, &reading.classes);
        reading.classify(&nouns, &[]);
        let values = lexicon.value_set.hits(&reading.tokens, &reading.classes);
        reading.classify(&[], &values);
        reader.cues(&mut reading);
        let spelt = &reader.catalogue.spelt;
        let mut at = 0;
        while at < reading.tokens.len() {
            let token = reading.tokens.get(at);
            let is_common = reading.classes.nouns.get(at).is_some_and(|end| *end > 0)
                || token.is_some_and(|token| reader.has(List::Plain, token));
            let found = spelt.longest(text, &reading.tokens, at, |rows| {
                !is_common && all_hold(reader, rows)
            });
            let Some((rows, end)) = found else {
                at += 1;
                continue;
            };
            let rows = rows.to_vec();
            reading.claim(What::Name(rows), at..end);
            at = end;
        }
        reader.quantities(&mut reading);
        reading.order();
        let holders = lexicon.holder_set.hits(&reading.tokens, &reading.classes);
        let slots = lexicon.slot_set.hits(&reading.tokens, &reading.classes);
        let mut covered = vec![false; reading.tokens.len()];
        for hit in nouns.iter().chain(&holders).chain(&slots) {
            covered
                .iter_mut()
                .take(hit.end)
                .skip(hit.start)
                .for_each(|it| *it = true);
        }
        let mut starts = vec![false; reading.tokens.len()];
        for hit in &holders {
            starts
                .iter_mut()
                .skip(hit.start)
                .take(1)
                .for_each(|it| *it = true);
        }
        let clauses = reader.clauses(&reading);
        Text {
            reader,
            text,
            reading,
            clauses,
            covered,
            holders: starts,
        }
    }
}

/// What the user asked, as far as a reply leaves it out.
#[derive(Debug, Default)]
pub(super) struct Asked {
    /// A word of the question leaves rows out.
    pub restricts: bool,
    /// The row whose rows it is about, if it is one.
    pub holder: Option<Vec<usize>>,
    /// It is a question, or speaks of rows without naming them: *what is in*, *the files of*.
    pub asks: bool,
    /// It asks how many rows one holds.
    pub how_many: bool,
    /// Rows that it names and that hold none.
    pub named: Vec<usize>,
}

/// What judges a reply.
pub(super) struct Judge<'a> {
    pub reader: &'a Reader<'a>,
    pub catalogue: &'a Catalogue,
    pub base: &'a Base,
}

/// The claims of a reply to what the user said since the last reply that was no question.
pub(crate) fn check(reader: &Reader<'_>, base: &Base, asked: &[String], reply: &str) -> Vec<Claim> {
    let judge = Judge {
        reader,
        catalogue: reader.catalogue,
        base,
    };
    let asked = judge.asked(asked);
    judge.reply(&Text::of(reader, reply), &asked)
}

impl Judge<'_> {
    /// Reads the user's words. Sentences without a name and a noun are about something else.
    fn asked(&self, said: &[String]) -> Asked {
        let mut asked = Asked::default();
        let mut holders: Vec<Vec<usize>> = Vec::new();
        for said in said {
            let text = Text::of(self.reader, said);
            for clause in &text.clauses {
                let tokens = &clause.tokens;
                let names = text.names(tokens);
                let asks = tokens.clone().any(|at| text.noun_at(at).is_some())
                    || text.asks_how_many(tokens)
                    || clause.question;
                if names.is_empty() && !asks {
                    continue;
                }
                asked.asks |= asks;
                asked.restricts |= !text.is_plain(tokens) || text.has_number(tokens);
                asked.how_many |= text.asks_how_many(tokens);
                for name in names {
                    match self.all_hold(&name.rows) {
                        true if !holders.contains(&name.rows) => holders.push(name.rows),
                        true => {}
                        false => asked.named.extend(name.rows),
                    }
                }
            }
        }
        if let [holder] = holders.as_slice() {
            asked.holder = Some(holder.clone());
        }
        asked
    }

    /// Whether rows hold others, and are held by none.
    pub fn all_hold(&self, rows: &[usize]) -> bool {
        all_hold(self.reader, rows)
    }

    /// Whether each of these rows is held by one.
    pub fn all_held(&self, rows: &[usize]) -> bool {
        let Some(slot) = &self.reader.schema.holder else {
            return true;
        };
        rows.iter()
            .all(|row| self.catalogue.value(self.base, *row, slot).is_some())
    }
}

fn all_hold(reader: &Reader<'_>, rows: &[usize]) -> bool {
    let Some(slot) = &reader.schema.holder else {
        return false;
    };
    let held = |row: &usize| {
        reader
            .catalogue
            .rows()
            .get(*row)
            .is_some_and(|row| row.contains_key(slot))
    };
    !rows.iter().any(held)
}

impl Text<'_, '_> {
    fn has_number(&self, clause: &Range<usize>) -> bool {
        let mut spans = self.reading.spans_in(clause).iter();
        spans.any(|span| matches!(span.what, What::Quantity(_)))
    }
}
