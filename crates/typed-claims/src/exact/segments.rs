//! The verbs of clauses that say what was done, and the places that they name.

use std::ops::Range;

use super::roles::{Part, Role, What};
use super::{Judge, Text};
use crate::clause::Clause;
use crate::deed::Deed;
use crate::lexicon::{Cue, List};
use crate::text::Shape;

const DEEDS: [(Cue, Deed); 4] = [
    (Cue::Made, Deed::Made),
    (Cue::Gone, Deed::Gone),
    (Cue::Moved, Deed::Moved),
    (Cue::Copied, Deed::Copied),
];

/// Where something was, and where it is.
#[derive(Debug)]
pub(super) struct Place<'p> {
    pub from: Option<&'p [usize]>,
    pub into: Vec<&'p [usize]>,
    last: Option<&'p [usize]>,
}

impl<'p> Place<'p> {
    pub fn of(
        judge: &Judge<'_>,
        text: &Text<'_, '_>,
        parts: &'p [Part],
        range: &Range<usize>,
        last: Option<&'p [usize]>,
    ) -> Self {
        let holders = |role: Role| {
            let holders = parts.iter().filter(move |part| part.role == role);
            holders.filter_map(|part| match &part.what {
                What::Rows(rows) if judge.all_hold(rows) => Some(rows.as_slice()),
                _ => None,
            })
        };
        let mut into: Vec<&[usize]> = holders(Role::Into).collect();
        let is_new = parts
            .iter()
            .any(|part| part.role == Role::Into && judge.is_holder(part));
        // "in it" is where the last one was.
        let points = text.reading.within(Cue::Into, range).iter().any(|hit| {
            let next = hit.end..hit.end + 1;
            text.reading.any(Cue::Pronoun, &next)
        });
        if !is_new && points {
            into.extend(last);
        }
        Place {
            from: holders(Role::From).next(),
            into,
            last,
        }
    }

    /// Where what is gone was.
    pub fn old(&self) -> Option<&'p [usize]> {
        self.from.or(self.into.first().copied())
    }

    /// Where what was moved or renamed was.
    pub fn left(&self) -> Option<&'p [usize]> {
        self.old().or(self.last)
    }
}

/// The verbs of a clause, each with the tokens that belong to it. A denied one is none.
pub(super) fn segments(text: &Text<'_, '_>, clause: &Clause) -> Vec<(Deed, Range<usize>)> {
    let mut hits: Vec<(Deed, Range<usize>)> = Vec::new();
    for (cue, deed) in DEEDS {
        let found = text.reading.within(cue, &clause.tokens).iter();
        hits.extend(found.map(|hit| (deed, hit.start..hit.end)));
    }
    hits.sort_by_key(|(_, hit)| (hit.start, std::cmp::Reverse(hit.end)));
    hits.dedup_by(|next, before| next.1.start < before.1.end);
    let mut start = clause.tokens.start;
    let mut segments = Vec::new();
    for (at, (deed, hit)) in hits.iter().enumerate() {
        let end = match hits.get(at + 1) {
            None => clause.tokens.end,
            Some((_, next)) => text.cut(hit.end..next.start),
        };
        let range = start..end;
        let denied =
            text.has_word(List::Negation, &range) && !text.reading.any(Cue::Except, &range);
        if !denied && !text.reading.any(Cue::Modal, &range) {
            segments.push((*deed, range));
        }
        start = end;
    }
    segments
}

impl Text<'_, '_> {
    /// Where the next statement begins: at the last comma, or the last *and*.
    fn cut(&self, range: Range<usize>) -> usize {
        let comma = range.clone().rev().find(|at| self.reading.low(*at) == ",");
        let and = || {
            let mut places = range.clone().rev();
            places.find(|at| {
                let token = self.reading.tokens.get(*at);
                token.is_some_and(|token| {
                    token.shape == Shape::Word && self.reader.has(List::Conjunction, token)
                })
            })
        };
        comma.or_else(and).unwrap_or(range.end)
    }

    /// Whether a word of a list stands in tokens, but in a name.
    pub fn has_word(&self, list: List, range: &Range<usize>) -> bool {
        range.clone().any(|at| {
            let token = self.reading.tokens.get(at);
            !self.reading.owned(at) && token.is_some_and(|token| self.reader.has(list, token))
        })
    }
}
