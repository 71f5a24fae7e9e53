//! The names of a statement, those that no row has included, and what part each plays in it.

use std::ops::Range;

use super::Text;
use super::plain::Noun;
use crate::lexicon::{Cue, List};
use crate::spans::What as Span;
use crate::text::Shape;

/// What a name is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum What {
    /// That of rows.
    Rows(Vec<usize>),
    /// No row has it.
    New(String),
    /// The beginning of names, as a folder: `photos/`.
    Start(String),
    /// Another quoted text.
    Other,
}

/// What a name is in its statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// What something was done with, or is said of.
    Subject,
    /// Where it was: *from*.
    From,
    /// Where it is: *in, to*.
    Into,
    /// What it is called now: *as*.
    As,
    /// What is left out: *except*.
    Except,
}

/// A name with its role.
#[derive(Debug, Clone)]
pub(super) struct Part {
    pub what: What,
    pub role: Role,
    /// The noun before it: what it is said to be.
    pub noun: Option<Noun>,
    /// Nothing but articles and nouns stand between it and what gives it its role.
    pub direct: bool,
    /// The row that holds it, where its name says so: `photos/cat.png` of the bucket `photos`.
    pub holder: Option<Vec<usize>>,
    pub tokens: Range<usize>,
}

impl Part {
    /// A name with a path or an ending, as those of rows that others hold.
    pub fn is_path(&self) -> bool {
        matches!(&self.what, What::New(name) if is_path(name))
    }
}

/// Whether a name has a path or an ending.
pub(super) fn is_path(name: &str) -> bool {
    let inner = name.trim_matches(['.', '/']);
    !name.starts_with('.') && !name.ends_with(['/', '.']) && inner.contains(['.', '/'])
}

pub(super) const QUOTES: [&str; 3] = ["\"", "'", "`"];

/// The roles that a word before a name gives it.
const ROLES: [(Cue, Role); 4] = [
    (Cue::From, Role::From),
    (Cue::Into, Role::Into),
    (Cue::As, Role::As),
    (Cue::Except, Role::Except),
];

impl Text<'_, '_> {
    /// The names in tokens, by place.
    pub(super) fn parts(&self, range: &Range<usize>) -> Vec<Part> {
        let mut parts: Vec<Part> = Vec::new();
        let mut at = range.start;
        while at < range.end {
            let found = self.quoted(at, range).or_else(|| self.bare(at));
            let Some((what, tokens, next)) = found else {
                at += 1;
                continue;
            };
            let gap = parts.last().map_or(range.start, |part| part.tokens.end)..tokens.start;
            let part = self.part(what, tokens, &gap, parts.last());
            // "a to b and c to d": what stands before a goal of its own has none.
            let leads = part.role == Role::Into && self.joint(&gap) == Joint::Other;
            let before = parts.len().checked_sub(2).and_then(|at| parts.get(at));
            let shares = before.is_some_and(|before| before.role == Role::Into);
            if let Some(last) = parts
                .last_mut()
                .filter(|last| leads && shares && last.role == Role::Into && !self.holds(last))
            {
                last.role = Role::Subject;
            }
            parts.push(part);
            at = next;
        }
        parts
    }

    /// Whether the rows of a name hold others.
    fn holds(&self, part: &Part) -> bool {
        matches!(&part.what, What::Rows(rows) if super::all_hold(self.reader, rows))
    }

    /// A name that no quotes are around.
    pub(super) fn bare(&self, at: usize) -> Option<(What, Range<usize>, usize)> {
        let span = self.reading.span_at(at)?;
        let Span::Name(rows) = &span.what else {
            return None;
        };
        let end = span.tokens.end;
        (span.tokens.start == at).then(|| (What::Rows(rows.clone()), at..end, end))
    }

    /// A name in quotes, and the token behind them.
    pub(super) fn quoted(
        &self,
        at: usize,
        range: &Range<usize>,
    ) -> Option<(What, Range<usize>, usize)> {
        let tokens = &self.reading.tokens;
        let sign = self.reading.low(at);
        if !QUOTES.contains(&sign) || self.reading.owned(at) {
            return None;
        }
        let close = (at + 1..range.end)
            .take_while(|at| self.reading.low(*at) != "\n")
            .find(|at| self.reading.low(*at) == sign)?;
        let (first, last) = (tokens.get(at + 1)?, tokens.get(close.checked_sub(1)?)?);
        if close == at + 1 {
            return None;
        }
        let inner = at + 1..close;
        if let Some((What::Rows(rows), tokens, _)) = self.bare(at + 1)
            && tokens.end == close
        {
            return Some((What::Rows(rows), inner, close + 1));
        }
        let name = self.text.get(first.range.start..last.range.end)?;
        let is_word = !name.contains(char::is_whitespace) && name.contains(char::is_alphanumeric);
        let what = match is_word {
            true if name.ends_with('/') => What::Start(name.to_owned()),
            true if !name.starts_with('.') => What::New(name.to_owned()),
            _ => What::Other,
        };
        Some((what, inner, close + 1))
    }

    fn part(
        &self,
        what: What,
        tokens: Range<usize>,
        gap: &Range<usize>,
        last: Option<&Part>,
    ) -> Part {
        let (what, holder) = self.within_holder(what);
        if let Some(last) = last.filter(|_| self.joint(gap) == Joint::And) {
            return Part {
                what,
                holder,
                tokens,
                ..last.clone()
            };
        }
        let hits = ROLES.iter().flat_map(|(cue, role)| {
            let hits = self.reading.within(*cue, gap).iter();
            hits.map(move |hit| (hit.start, hit.end, *role))
        });
        let given = hits.max_by_key(|(start, ..)| *start);
        let from = given.map_or(gap.start, |(_, end, _)| end).min(gap.end);
        let noun = (from..gap.end).rev().find(|at| self.noun_at(*at).is_some());
        let near = noun.unwrap_or(from)..gap.end;
        Part {
            noun: noun
                .filter(|_| self.is_open(&near))
                .and_then(|at| self.noun_at(at)),
            direct: self.is_open(&(from..gap.end)),
            role: given.map_or(Role::Subject, |(.., role)| role),
            what,
            holder,
            tokens,
        }
    }

    /// Splits `photos/cat.png` into the row `cat.png` and the row `photos` that holds it, if both are
    /// known.
    fn within_holder(&self, what: What) -> (What, Option<Vec<usize>>) {
        if let What::New(name) = &what
            && let Some((holder, rows, _)) = self.under(name)
            && !rows.is_empty()
        {
            return (What::Rows(rows), Some(holder));
        }
        (what, None)
    }

    /// The row that holds others and has the beginning of a name, the rows in it with the rest of
    /// the name, and the rest.
    pub(super) fn under<'n>(&self, name: &'n str) -> Option<(Vec<usize>, Vec<usize>, &'n str)> {
        let name = name.split_once("://").map_or(name, |(_, name)| name);
        let (holder, rest) = name.split_once('/')?;
        let slot = self.reader.schema.holder.as_ref()?;
        let rows = self.reader.catalogue.rows();
        let names = self.reader.catalogue.names.iter().enumerate();
        let named = names
            .filter(|(_, name)| *name == holder)
            .map(|(row, _)| row);
        let holders: Vec<usize> = named
            .filter(|row| super::all_hold(self.reader, &[*row]))
            .collect();
        let names = self.reader.catalogue.names.iter().zip(rows).enumerate();
        let held = names.filter(|(_, (name, row))| {
            *name == rest && row.get(slot).is_some_and(|it| it == holder)
        });
        let held = held.map(|(row, _)| row).collect();
        (!holders.is_empty() && !rest.is_empty()).then_some((holders, held, rest))
    }

    /// Whether tokens have no word but nouns and those that restrict nothing.
    pub fn is_open(&self, range: &Range<usize>) -> bool {
        range.clone().all(|at| {
            let Some(token) = self.reading.tokens.get(at) else {
                return true;
            };
            token.shape != Shape::Word
                || self.covered.get(at).is_some_and(|covered| *covered)
                || self.reader.has(List::Plain, token)
                || self.reader.has(List::Article, token)
        })
    }

    /// What stands between two names.
    fn joint(&self, gap: &Range<usize>) -> Joint {
        let joins = gap.clone().all(|at| {
            let Some(token) = self.reading.tokens.get(at) else {
                return true;
            };
            match token.shape {
                Shape::Word => self.reader.has(List::Conjunction, token),
                Shape::Mark => QUOTES.contains(&token.low.as_str()) || token.low == ",",
                Shape::Number | Shape::Break => false,
            }
        });
        if joins { Joint::And } else { Joint::Other }
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Joint {
    /// The second is named with the first.
    And,
    Other,
}
