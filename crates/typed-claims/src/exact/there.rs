//! Whether a row is there, or is not.

use std::collections::BTreeMap;
use std::ops::Range;

use super::plain::Noun;
use super::roles::{Part, Role, What, is_path};
use super::segments::Place;
use super::{Judge, Text};
use crate::analysis::{Name, Value};
use crate::claim::{Claim, ClaimRule, Kind, Subject};
use crate::clause::Clause;
use crate::lexicon::{Cue, List};
use crate::schema::Unit;
use crate::spans::Quantity;
use crate::text::Shape;

impl Judge<'_> {
    /// A name is that of a row, in one of these holders if there are any. Nothing if that is not
    /// known.
    pub(super) fn is_there(
        &self,
        text: &Text<'_, '_>,
        part: &Part,
        holders: &[&[usize]],
    ) -> Option<Claim> {
        match &part.what {
            What::Rows(rows) if holders.is_empty() || self.all_hold(rows) => {
                let kind = Kind::Entity(self.subject(rows));
                Some(self.claim(
                    text,
                    kind,
                    (Some(true), ClaimRule::Named),
                    rows,
                    &part.tokens,
                ))
            }
            What::Rows(rows) => {
                let slot = self.reader.schema.holder.as_deref()?;
                let fits = |holder: &&&[usize]| {
                    let held = self.held_by_any(holder);
                    rows.iter().any(|row| held.contains(row))
                };
                let missing = holders.iter().find(|holder| !fits(holder));
                let holder = missing.or(holders.first())?;
                if missing.is_some() && !self.content_is_known(holder) {
                    return None;
                }
                let rows = self.held_by(rows, holder);
                Some(self.has(text, &rows, slot, &self.name_of(holder), &part.tokens))
            }
            What::New(name) if self.is_holder(part) => {
                let kind = Kind::Entity(Subject::New(name.clone()));
                let known = !self.holding().is_empty();
                let ruling = (Some(false), ClaimRule::NewName);
                known.then(|| self.claim(text, kind, ruling, &[], &part.tokens))
            }
            What::New(name) => {
                let holder = holders
                    .first()
                    .filter(|holder| self.content_is_known(holder))?;
                let is_named = part.noun.is_some() || is_path(name);
                // A name may be said without its path.
                let tail = format!("/{name}");
                let held = self.held_by_any(holder);
                let is_short = held
                    .iter()
                    .any(|row| self.catalogue.name(*row).ends_with(&tail));
                match is_named && !is_short {
                    true => self.not_held(text, name.clone(), holder, &part.tokens),
                    false => None,
                }
            }
            What::Start(_) | What::Other => None,
        }
    }

    /// No row has a name any more, or none of those that one holds.
    pub(super) fn is_gone(
        &self,
        text: &Text<'_, '_>,
        part: &Part,
        holder: Option<&[usize]>,
    ) -> Option<Claim> {
        let (subject, rows) = match &part.what {
            What::Rows(rows) => (self.subject(rows), rows.clone()),
            What::New(name) => (Subject::New(name.clone()), Vec::new()),
            What::Start(_) | What::Other => return None,
        };
        let left: Vec<usize> = if self.is_holder(part) {
            (!self.holding().is_empty()).then_some(rows)?
        } else {
            let holder = holder.filter(|holder| self.content_is_known(holder))?;
            if part.noun.is_none() && rows.is_empty() && !part.is_path() {
                return None;
            }
            let held = self.held_by_any(holder);
            rows.into_iter().filter(|row| held.contains(row)).collect()
        };
        let ruling = match left.is_empty() {
            true => (Some(true), ClaimRule::NoRow),
            false => (Some(false), ClaimRule::SomeRow),
        };
        Some(self.claim(text, Kind::Absent(subject), ruling, &left, &part.tokens))
    }

    /// *All objects with the prefix X except Y have been deleted*: none begins so but Y.
    pub(super) fn none_begins(
        &self,
        text: &Text<'_, '_>,
        start: &str,
        part: &Part,
        parts: &[Part],
        range: &Range<usize>,
        place: &Place<'_>,
    ) -> Option<Claim> {
        let holder = place.from.or(place.into.first().copied())?;
        if !self.content_is_known(holder) || !text.says_all(range, parts) {
            return None;
        }
        let kept: Vec<String> = parts
            .iter()
            .filter(|part| part.role == Role::Except)
            .filter_map(|part| match &part.what {
                What::Rows(rows) => rows.first().map(|row| self.catalogue.name(*row).to_owned()),
                What::New(name) => Some(name.clone()),
                What::Start(_) | What::Other => None,
            })
            .collect();
        let left = self.held_by_any(holder).into_iter().filter(|row| {
            let name = self.catalogue.name(*row);
            let is_kept = kept
                .iter()
                .any(|kept| name == kept || name.ends_with(&format!("/{kept}")));
            name.starts_with(start) && !is_kept
        });
        let left: Vec<usize> = left.collect();
        let ruling = match left.is_empty() {
            true => (Some(true), ClaimRule::NoRow),
            false => (Some(false), ClaimRule::SomeRow),
        };
        let kind = Kind::Absent(Subject::New(start.to_owned()));
        Some(self.claim(text, kind, ruling, &left, &part.tokens))
    }

    /// A row that holds others holds one at least.
    pub(super) fn is_filled(
        &self,
        text: &Text<'_, '_>,
        rows: &[usize],
        tokens: &Range<usize>,
    ) -> Option<Claim> {
        let slot = self.reader.schema.holds.as_ref()?;
        let none = Value::Quantity(Quantity::of(Unit::Number, 0));
        let empty = BTreeMap::new();
        let ruling = self
            .slots_by(&empty)
            .slot(&[Name::Rows(rows.to_vec())], slot, &none, true);
        ruling.truth?;
        let kind = Kind::Slot {
            subject: self.subject(rows),
            slot: slot.clone(),
            value: none.spelt(),
            negated: true,
        };
        Some(self.claim(
            text,
            kind,
            (ruling.truth, ruling.rule),
            &ruling.rows,
            tokens,
        ))
    }

    /// The names of the items behind a clause, each with its first word if it has no name. `noun` is
    /// what the clause says that they are.
    pub(super) fn items_of(&self, text: &Text<'_, '_>, at: usize, noun: Option<Noun>) -> Vec<Part> {
        let behind = text.clauses.iter().skip(at + 1);
        let items = behind.take_while(|clause| clause.item);
        let items: Vec<_> = items.filter(|clause| clause.item_start).collect();
        // A list of what holds others has one that does at the beginning of an item, or is one item.
        let noun = noun.filter(|_| {
            items.len() == 1 || items.iter().any(|item| self.begins_with_holder(text, item))
        });
        let mut parts = Vec::new();
        for item in items {
            let named = text.parts(&item.tokens);
            let rows = named
                .iter()
                .filter(|part| matches!(part.what, What::Rows(_)));
            let rows: Vec<Part> = rows.cloned().collect();
            match rows.is_empty() {
                true => parts.extend(self.first_word(text, &item.tokens, noun)),
                false => parts.extend(rows),
            }
        }
        parts
    }

    fn begins_with_holder(&self, text: &Text<'_, '_>, item: &Clause) -> bool {
        let parts = text.parts(&item.tokens);
        parts.first().is_some_and(|part| {
            let before = item.tokens.start..part.tokens.start;
            let is_first = before.clone().all(|at| {
                let token = text.reading.tokens.get(at);
                token.is_none_or(|token| !token.solid()) || text.numbers_an_item(at)
            });
            is_first && matches!(&part.what, What::Rows(rows) if self.all_hold(rows))
        })
    }

    /// The first word of an item, as a name: that of a row behind the one that holds it, or one
    /// that no row has, where nothing but numbers stands beside it.
    fn first_word(
        &self,
        text: &Text<'_, '_>,
        item: &Range<usize>,
        noun: Option<Noun>,
    ) -> Option<Part> {
        let tokens = &text.reading.tokens;
        let mut solid = item.clone().filter(|at| {
            let token = tokens.get(*at);
            token.is_some_and(|token| token.solid()) && !text.numbers_an_item(*at)
        });
        let mut start = solid.next()?;
        let goes_on = |at: &usize| tokens.get(*at).is_some_and(|token| token.glued);
        let end_of = |start: usize| {
            let parts = (start + 1..item.end).take_while(goes_on);
            parts.last().map_or(start + 1, |at| at + 1)
        };
        let mut end = end_of(start);
        // "- anvil: machines/anvil/1.tar": the name of the row follows its label.
        let is_label = tokens.get(end - 1).is_some_and(|token| token.is(":")) && noun.is_none();
        if is_label && let Some(next) = solid.find(|at| *at >= end) {
            start = next;
            end = end_of(start);
        }
        let (first, last) = (tokens.get(start)?, tokens.get(end - 1)?);
        let word = text.text.get(first.range.start..last.range.end)?;
        let name = word.trim_end_matches([':', ',', '"', '\'', '`', '*', '.']);
        let part = |what| Part {
            what,
            role: Role::Subject,
            noun,
            direct: true,
            holder: None,
            tokens: start..end,
        };
        let under = text.under(name);
        if let Some((holder, rows, _)) = &under
            && !rows.is_empty()
        {
            return Some(Part {
                holder: Some(holder.clone()),
                ..part(What::Rows(rows.clone()))
            });
        }
        let is_alone = (end..item.end).all(|at| {
            let token = tokens.get(at);
            token.is_none_or(|token| token.shape != Shape::Word)
                || text.reading.owned(at)
                || text.covered.get(at).is_some_and(|covered| *covered)
        });
        // Among what holds others, "total" is no name.
        let is_name = match noun {
            Some(Noun::Holder) => name.contains(|c: char| c == '-' || c.is_ascii_digit()),
            _ => is_path(name),
        };
        // "x: us-east-1" says something of the bucket x.
        let is_told = noun == Some(Noun::Holder) && word.ends_with(':');
        if !((is_alone || is_told) && is_name) {
            return None;
        }
        Some(match under {
            Some((holder, _, key)) => Part {
                holder: Some(holder),
                ..part(What::New(key.to_owned()))
            },
            None => part(What::New(name.to_owned())),
        })
    }
}

impl Text<'_, '_> {
    /// Whether a statement is of all names that begin so: no word leaves any out but those before
    /// a name that is left out.
    fn says_all(&self, range: &Range<usize>, parts: &[Part]) -> bool {
        let starts = parts
            .iter()
            .filter(|part| matches!(part.what, What::Start(_)));
        let Some(end) = starts.map(|part| part.tokens.start).max() else {
            return false;
        };
        let begin = parts
            .iter()
            .filter(|part| part.tokens.end <= end && !matches!(part.what, What::Start(_)))
            .map(|part| part.tokens.end)
            .max()
            .unwrap_or(range.start);
        let excepts = self.reading.within(Cue::Except, range).len();
        let kept = parts
            .iter()
            .any(|part| part.role == Role::Except && part.direct);
        let is_other = parts.iter().any(|part| part.what == What::Other);
        let words = (begin..end).all(|at| {
            let Some(token) = self.reading.tokens.get(at) else {
                return true;
            };
            match token.shape {
                Shape::Number => false,
                Shape::Mark | Shape::Break => true,
                Shape::Word => {
                    self.reader.has(List::Plain, token)
                        || self.reader.has(List::Conjunction, token)
                        || self.covered.get(at).is_some_and(|covered| *covered)
                        || self.in_cue(Cue::Beginning, at)
                }
            }
        });
        words && !is_other && (excepts == 0 || kept)
    }

    fn in_cue(&self, cue: Cue, at: usize) -> bool {
        let hits = self.reading.within(cue, &(at.saturating_sub(4)..at + 1));
        hits.iter().any(|hit| hit.start <= at && at < hit.end)
    }
}
