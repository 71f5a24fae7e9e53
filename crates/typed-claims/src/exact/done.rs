//! Statements of what was done: *the bucket X has been created, and Y has been moved to Z*. What
//! came of it is in the rows.
//!
//! Such a clause need not be plain: what it says of a name holds whatever else is said.

use std::ops::Range;

use super::plain::Noun;
use super::roles::{Part, Role, What};
use super::segments::{Place, segments};
use super::{Asked, Judge, Text};
use crate::claim::Claim;
use crate::clause::Clause;
use crate::deed::Deed;
use crate::lexicon::{Cue, List};

impl Judge<'_> {
    /// What clauses say that was done, is there, or is not.
    pub(super) fn deeds(&self, text: &Text<'_, '_>, asked: &Asked, claims: &mut Vec<Claim>) {
        if self.reader.schema.holder.is_none() {
            return;
        }
        let mut last = asked.holder.clone();
        for (at, clause) in text.clauses.iter().enumerate() {
            if clause.question || clause.hypothesis || clause.offer || clause.item {
                continue;
            }
            let parts = text.parts(&clause.tokens);
            if parts.iter().any(|part| self.is_holder(part)) {
                let holders = parts.iter().filter(|part| self.is_holder(part));
                let into = holders.clone().filter(|part| part.role == Role::Into);
                if let Some(What::Rows(rows)) = into.chain(holders).next().map(|part| &part.what) {
                    last = Some(rows.clone());
                }
            }
            self.lacking(text, clause, &parts, claims);
            let deeds = segments(text, clause);
            for (deed, range) in &deeds {
                self.deed(text, *deed, range, last.as_deref(), claims);
            }
            if clause.announces {
                let deed = deeds.last();
                self.items(
                    text,
                    at,
                    deed.map(|(deed, range)| (*deed, range)),
                    last.as_deref(),
                    claims,
                );
            }
        }
    }

    fn deed(
        &self,
        text: &Text<'_, '_>,
        deed: Deed,
        range: &Range<usize>,
        last: Option<&[usize]>,
        claims: &mut Vec<Claim>,
    ) {
        let parts = text.parts(range);
        let subjects = || parts.iter().filter(|part| part.role == Role::Subject);
        let place = Place::of(self, text, &parts, range, last);
        for holder in subjects().filter(|part| self.is_holder(part)) {
            match deed {
                Deed::Made => claims.extend(self.is_there(text, holder, &[])),
                Deed::Gone => claims.extend(self.is_gone(text, holder, None)),
                _ => {}
            }
        }
        let held = || subjects().filter(|part| !self.is_holder(part));
        let named = |part: &&Part| {
            matches!(part.role, Role::As | Role::Into)
                && !self.is_holder(part)
                && (part.role == Role::As || part.direct && part.is_path() || self.is_held(part))
        };
        let mut results: Vec<&Part> = parts.iter().filter(named).collect();
        if results.is_empty() {
            results = held().collect();
        } else if deed == Deed::Gone {
            return;
        }
        match deed {
            Deed::Gone => {
                for part in held() {
                    claims.extend(match &part.what {
                        What::Start(start) => {
                            self.none_begins(text, start, part, &parts, range, &place)
                        }
                        _ => self.is_gone(text, part, place.old().or(part.holder.as_deref())),
                    });
                }
            }
            Deed::Made => self.are_there(text, &results, &place, claims),
            Deed::Copied if place.into.is_empty() => {}
            Deed::Changed | Deed::Shared | Deed::Finished => {}
            Deed::Copied => self.are_there(text, &results, &place, claims),
            Deed::Moved => {
                let is_renamed = results.iter().all(|part| part.role != Role::Subject);
                if is_renamed || !place.into.is_empty() {
                    self.are_there(text, &results, &place, claims);
                }
                let leaves =
                    is_renamed || place.from.is_some_and(|from| !place.into.contains(&from));
                for part in held().filter(|_| leaves) {
                    claims.extend(self.is_gone(
                        text,
                        part,
                        place.left().or(part.holder.as_deref()),
                    ));
                }
            }
        }
        for part in parts
            .iter()
            .filter(|part| part.role == Role::Into && self.is_holder(part))
        {
            if matches!(part.what, What::New(_)) {
                claims.extend(self.is_there(text, part, &[]));
            }
        }
    }

    fn are_there(
        &self,
        text: &Text<'_, '_>,
        results: &[&Part],
        place: &Place<'_>,
        claims: &mut Vec<Claim>,
    ) {
        for part in results {
            // Without a place, a name that no row has is of the last row that holds others.
            let is_new = matches!(part.what, What::New(_));
            let own = part.holder.as_deref().or(place.left().filter(|_| is_new));
            let own: Vec<&[usize]> = own.filter(|_| place.into.is_empty()).into_iter().collect();
            let holders = if own.is_empty() { &place.into } else { &own };
            claims.extend(self.is_there(text, part, holders));
        }
    }

    /// *X does not exist*, *X is not empty*.
    fn lacking(
        &self,
        text: &Text<'_, '_>,
        clause: &Clause,
        parts: &[Part],
        claims: &mut Vec<Claim>,
    ) {
        let subjects = |before: usize| {
            let subjects = parts.iter().filter(|part| part.role == Role::Subject);
            subjects.filter(move |part| part.tokens.start < before)
        };
        if let Some(hit) = text.reading.within(Cue::Absent, &clause.tokens).first() {
            let place = Place::of(self, text, parts, &clause.tokens, None);
            for part in subjects(hit.start) {
                match self.is_holder(part) {
                    true => claims.extend(self.is_gone(text, part, None)),
                    false => claims.extend(self.is_gone(text, part, place.left())),
                }
            }
        }
        if let Some(hit) = text.reading.within(Cue::Filled, &clause.tokens).first() {
            for part in subjects(hit.start).filter(|part| self.is_holder(part)) {
                if let What::Rows(rows) = &part.what {
                    claims.extend(self.is_filled(text, rows, &part.tokens));
                }
            }
        }
    }

    /// The items that a clause announces: with them something was done, or they are there.
    fn items(
        &self,
        text: &Text<'_, '_>,
        at: usize,
        deed: Option<(Deed, &Range<usize>)>,
        last: Option<&[usize]>,
        claims: &mut Vec<Claim>,
    ) {
        let Some(clause) = text.clauses.get(at) else {
            return;
        };
        let whole = &clause.tokens;
        let parts = text.parts(whole);
        let said = deed.map(|(_, range)| text.parts(range)).unwrap_or_default();
        let is_of_items = !said.iter().any(|part| part.role == Role::Subject);
        let deed = deed.filter(|_| is_of_items).map(|(deed, _)| deed);
        let is_here = text.reading.any(Cue::Here, whole) && !clause.denies;
        let is_empty = text.has_word(List::Empty, whole) && !clause.denies;
        let is_other = text.reading.any(Cue::Quoting, whole) || text.reading.any(Cue::Modal, whole);
        if is_other || deed.is_none() && !is_here && !is_empty {
            return;
        }
        let place = Place::of(self, text, &parts, whole, last);
        let here: Vec<&[usize]> = match (place.into.as_slice(), place.from) {
            ([], Some(from)) => vec![from],
            ([], None) => last.into_iter().collect(),
            (into, _) => into.to_vec(),
        };
        // "Here are your buckets with more than 5 objects", and not "the bucket X has these objects".
        let first = whole.clone().find_map(|at| text.noun_at(at));
        let of_holders = first == Some(Noun::Holder)
            && !parts.iter().any(|part| part.noun == Some(Noun::Holder));
        for item in self.items_of(text, at, of_holders.then_some(Noun::Holder)) {
            let own = item.holder.as_deref();
            let here: Vec<&[usize]> = own.map_or_else(|| here.clone(), |own| vec![own]);
            match (deed, is_empty) {
                (Some(Deed::Gone), _) => {
                    let from = if self.is_holder(&item) {
                        None
                    } else {
                        own.or(place.old()).or(last)
                    };
                    claims.extend(self.is_gone(text, &item, from));
                }
                (None, true) => {
                    if let What::Rows(rows) = item.what.clone()
                        && self.all_hold(&rows)
                    {
                        claims.extend(self.holds(text, &rows, 0, &item.tokens));
                    }
                }
                _ if self.is_holder(&item) => claims.extend(self.is_there(text, &item, &[])),
                _ => claims.extend(self.is_there(text, &item, &here)),
            }
        }
    }

    /// Whether a name is that of what holds rows, or is said to be.
    pub(super) fn is_holder(&self, part: &Part) -> bool {
        match &part.what {
            What::Rows(rows) => self.all_hold(rows),
            What::New(_) => match part.noun {
                Some(noun) => noun == Noun::Holder,
                None => {
                    let of_place = matches!(part.role, Role::From | Role::Into);
                    of_place && part.direct && !part.is_path()
                }
            },
            What::Start(_) | What::Other => false,
        }
    }

    fn is_held(&self, part: &Part) -> bool {
        matches!(&part.what, What::Rows(rows) if self.all_held(rows))
    }
}
