//! The statements of plain clauses.

use std::ops::Range;

use super::plain::{Named, Noun};
use super::{Asked, Judge, Text};
use crate::SlotKind;
use crate::analysis::Value;
use crate::claim::Claim;
use crate::clause::Clause;
use crate::lexicon::{Cue, List};
use crate::schema::Unit;
use crate::spans::{Quantity, What};
use crate::verdict::distinct;

/// A number that counts, with its place.
struct Counted {
    of: Noun,
    n: u32,
    tokens: Range<usize>,
}

impl Judge<'_> {
    pub(super) fn reply(&self, text: &Text<'_, '_>, asked: &Asked) -> Vec<Claim> {
        let mut claims = Vec::new();
        // Whom a clause without a name is about, and the list that a clause announced.
        let mut holder = asked.holder.clone();
        for (at, clause) in text.clauses.iter().enumerate() {
            if clause.question
                || clause.hypothesis
                || clause.offer
                || !text.is_plain(&clause.tokens)
            {
                continue;
            }
            let names = text.names(&clause.tokens);
            let (held, holders): (Vec<Named>, Vec<Named>) = names
                .into_iter()
                .partition(|name| !self.all_hold(&name.rows));
            if held.iter().any(|name| !self.all_held(&name.rows)) {
                continue;
            }
            if let [one] = holders.as_slice() {
                holder = Some(one.rows.clone());
            }
            if clause.item {
                self.slots(text, &clause.tokens, &held, &holders, &mut claims);
                continue;
            }
            self.slots(text, &clause.tokens, &held, &holders, &mut claims);
            if !asked.restricts {
                self.counts(
                    text,
                    clause,
                    asked,
                    &held,
                    &holders,
                    holder.as_deref(),
                    &mut claims,
                );
            }
            self.lists(
                text,
                at,
                asked,
                &held,
                &holders,
                holder.as_deref(),
                &mut claims,
            );
        }
        self.deeds(text, asked, &mut claims);
        distinct(claims)
    }

    /// How many rows one holds, and how many hold others.
    #[expect(clippy::too_many_arguments, reason = "what a clause has")]
    fn counts(
        &self,
        text: &Text<'_, '_>,
        clause: &Clause,
        asked: &Asked,
        held: &[Named],
        holders: &[Named],
        holder: Option<&[usize]>,
        claims: &mut Vec<Claim>,
    ) {
        if text.reading.any(Cue::Part, &clause.tokens) && held.is_empty() && holders.is_empty() {
            return;
        }
        for (tokens, owner) in parts(text, &clause.tokens, holders) {
            let found = text.counted(&tokens);
            let [one] = found.as_slice() else { continue };
            match (one.of, owner.or(holder.filter(|_| holders.is_empty()))) {
                (Noun::Held, Some(rows)) => {
                    claims.extend(self.holds(text, rows, one.n, &one.tokens))
                }
                (Noun::Holder, _) if holders.is_empty() || clause.announces => {
                    claims.push(self.count(text, one.n, &one.tokens));
                }
                _ => {}
            }
        }
        let bare = text.only_number(&clause.tokens);
        let about = asked
            .holder
            .as_deref()
            .filter(|_| asked.how_many && asked.named.is_empty());
        if let (Some((n, tokens)), Some(rows)) = (bare, about) {
            claims.extend(self.holds(text, rows, n, &tokens));
        }
    }

    /// What rows have: their sizes, days, and who holds them.
    fn slots(
        &self,
        text: &Text<'_, '_>,
        clause: &Range<usize>,
        held: &[Named],
        holders: &[Named],
        claims: &mut Vec<Claim>,
    ) {
        let within = |rows: &[usize]| match holders {
            [one] => self.held_by(rows, &one.rows),
            _ => rows.to_vec(),
        };
        let subjects = if held.is_empty() { holders } else { held };
        let quantities = |part: &Range<usize>| -> Vec<(Quantity, Range<usize>)> {
            let spans = text.reading.spans_in(part).iter();
            let found = spans.filter_map(|span| match &span.what {
                What::Quantity(quantity) if quantity.unit != Unit::Number => {
                    Some((quantity.clone(), span.tokens.clone()))
                }
                _ => None,
            });
            found.collect()
        };
        if subjects.len() == 1 || !quantities(clause).is_empty() {
            let each = parts(text, clause, subjects);
            let all_have =
                each.len() == 1 || each.iter().all(|(part, _)| !quantities(part).is_empty());
            for (part, owner) in each.into_iter().filter(|_| all_have) {
                let Some(rows) = owner else { continue };
                let rows = within(rows);
                for (quantity, tokens) in quantities(&part) {
                    if let Some(slot) = self.slot_of(text, clause, &rows, &quantity) {
                        claims.push(self.has(
                            text,
                            &rows,
                            &slot,
                            &Value::Quantity(quantity),
                            &tokens,
                        ));
                    }
                }
            }
        }
        if let ([one], Some(slot)) = (holders, &self.reader.schema.holder) {
            let value = self.name_of(&one.rows);
            for name in held {
                claims.push(self.has(text, &name.rows, slot, &value, &name.tokens));
            }
        }
    }

    /// The slot that a quantity is of: the one of its unit that a row has, by its word if there
    /// are more.
    fn slot_of(
        &self,
        text: &Text<'_, '_>,
        clause: &Range<usize>,
        rows: &[usize],
        quantity: &Quantity,
    ) -> Option<String> {
        let slots = self.reader.schema.of(SlotKind::Quantity);
        let fits = slots.filter(|(name, slot)| {
            let known = |row: &usize| self.catalogue.value(self.base, *row, name).is_some();
            slot.unit == Some(quantity.unit) && rows.iter().any(known)
        });
        let fits: Vec<&str> = fits.map(|(name, _)| name).collect();
        let named = |slot: &&&str| {
            let mut slots = self.reader.lexicon.slots.iter();
            let tag = slots.position(|known| known == **slot);
            tag.is_some_and(|tag| text.reading.slots.any(tag, clause))
        };
        match (fits.as_slice(), fits.iter().find(named)) {
            (_, Some(slot)) | ([slot], None) => Some((*slot).to_owned()),
            _ => None,
        }
    }

    /// An enumeration that presents itself as whole.
    #[expect(clippy::too_many_arguments, reason = "what a clause has")]
    fn lists(
        &self,
        text: &Text<'_, '_>,
        at: usize,
        asked: &Asked,
        held: &[Named],
        holders: &[Named],
        holder: Option<&[usize]>,
        claims: &mut Vec<Claim>,
    ) {
        let Some(clause) = text.clauses.get(at) else {
            return;
        };
        let items = || {
            let behind = text.clauses.iter().skip(at + 1);
            behind
                .take_while(|clause| clause.item)
                .filter(|clause| clause.item_start)
        };
        let nouns: Vec<Noun> = clause
            .tokens
            .clone()
            .filter_map(|at| text.noun_at(at))
            .collect();
        let mut listed: Vec<Named> = Vec::new();
        let mut strangers = Vec::new();
        for item in items().filter(|_| clause.announces) {
            let start = item.tokens.start..item.tokens.end.min(item.tokens.start + 6);
            match (
                text.names(&start).into_iter().next(),
                self.stranger(text, &start),
            ) {
                (Some(first), _) => listed.push(first),
                (None, Some(stranger)) => strangers.push(stranger),
                (None, None) => return,
            }
        }
        let is_listed = !listed.is_empty() || !strangers.is_empty();
        let of_holders = strangers.is_empty()
            && is_listed
            && listed.iter().all(|name| self.all_hold(&name.rows))
            || !is_listed && held.is_empty() && holders.len() > 1;
        let names = match (is_listed, of_holders) {
            (true, _) => listed,
            (false, true) => holders.to_vec(),
            (false, false) => held.to_vec(),
        };
        let asked_for = |name: &Named| name.rows.iter().any(|row| asked.named.contains(row));
        let is_empty = names.is_empty() && strangers.is_empty();
        if is_empty || names.iter().any(asked_for) || asked.restricts {
            return;
        }
        let tokens = clause.tokens.clone();
        let rows: Vec<usize> = names.iter().flat_map(|name| name.rows.clone()).collect();
        if of_holders {
            if nouns.contains(&Noun::Holder)
                && !nouns.contains(&Noun::Held)
                && asked.holder.is_none()
                // Of those that hold none it may be whole.
                && !text.has_word(List::Empty, &clause.tokens)
            {
                claims.push(self.all(text, None, &rows, &tokens));
            }
            return;
        }
        let Some(holder) = holder.filter(|_| names.iter().all(|name| self.all_held(&name.rows)))
        else {
            return;
        };
        if let Some(slot) = self
            .reader
            .schema
            .holder
            .as_ref()
            .filter(|_| is_listed || holders.is_empty())
        {
            for name in &names {
                let value = self.name_of(holder);
                claims.push(self.has(text, &name.rows, slot, &value, &name.tokens));
            }
        }
        if self.content_is_known(holder) {
            for (name, tokens) in strangers {
                claims.extend(self.not_held(text, name, holder, &tokens));
            }
        }
        // "X is in Y" says where X is, and "Y has X" what is in Y.
        let first = names.first().map_or(0, |name| name.tokens.start);
        let leads = holders
            .first()
            .is_some_and(|holder| holder.tokens.start < first);
        let says_all = is_listed && !holders.is_empty()
            || !nouns.is_empty()
            || leads
            || holders.is_empty() && asked.holder.is_some() && asked.asks;
        let says_all = says_all && (is_listed || !text.measures(&clause.tokens));
        if says_all && !text.reading.any(Cue::Part, &clause.tokens) {
            claims.push(self.all(text, Some(holder), &rows, &tokens));
        }
    }

    /// The name with which an item begins, if it is spelt as one and no row has it. Where it may be
    /// a part of names, as a folder, the item stands for several rows.
    fn stranger(&self, text: &Text<'_, '_>, item: &Range<usize>) -> Option<(String, Range<usize>)> {
        let tokens = &text.reading.tokens;
        let mut solid = item
            .clone()
            .filter(|at| tokens.get(*at).is_some_and(|token| token.solid()));
        let start = solid.find(|at| !text.numbers_an_item(*at))?;
        let goes_on = |at: &usize| {
            let token = tokens.get(*at);
            token.is_some_and(|it| {
                it.glued
                    && !matches!(
                        it.low.as_str(),
                        "\"" | "'" | "`" | ":" | "," | "*" | ")" | "(" | "\n"
                    )
            })
        };
        let end = (start + 1..)
            .take_while(goes_on)
            .last()
            .map_or(start + 1, |last| last + 1);
        let parts = tokens.get(start..end)?;
        let name: String = parts.iter().map(|token| token.text).collect();
        let is_name = name.chars().any(char::is_alphabetic)
            && name.trim_end_matches('.').contains(['.', '/'])
            && !name.ends_with(['/', '.']);
        let is_part = self
            .catalogue
            .names
            .iter()
            .any(|known| known.starts_with(&name));
        (is_name && !is_part).then_some((name, start..end))
    }
}

/// A clause in parts, one for each of several names; the whole without one or with one.
fn parts<'n>(
    text: &Text<'_, '_>,
    clause: &Range<usize>,
    names: &'n [Named],
) -> Vec<(Range<usize>, Option<&'n [usize]>)> {
    let [first, _, ..] = names else {
        return vec![(
            clause.clone(),
            names.first().map(|name| name.rows.as_slice()),
        )];
    };
    let leads = text.has_number(&(clause.start..first.tokens.start));
    let each = names.iter().enumerate().map(|(at, name)| {
        let part = if leads {
            let start = at.checked_sub(1).and_then(|at| names.get(at));
            start.map_or(clause.start, |before| before.tokens.end)..name.tokens.end
        } else {
            let next = names.get(at + 1);
            name.tokens.start..next.map_or(clause.end, |next| next.tokens.start)
        };
        (part, Some(name.rows.as_slice()))
    });
    each.collect()
}

impl Text<'_, '_> {
    /// The numbers of a part that count, with their nouns. Nothing if another number stands there.
    fn counted(&self, part: &Range<usize>) -> Vec<Counted> {
        let mut found = Vec::new();
        let mut skip = part.start;
        for at in part.clone() {
            if at < skip || self.numbers_an_item(at) {
                continue;
            }
            let span = self.reading.span_at(at);
            let (n, end) = match span.map(|span| (&span.what, span.tokens.end)) {
                Some((What::Quantity(quantity), end)) if quantity.unit == Unit::Number => {
                    (quantity.whole(), end)
                }
                Some((_, end)) => {
                    skip = end;
                    continue;
                }
                None if self.denies(at) => (Some(0), at + 1),
                None if self.is_empty(at) => {
                    found.push(Counted {
                        of: Noun::Held,
                        n: 0,
                        tokens: at..at + 1,
                    });
                    continue;
                }
                None => (self.reading.numbers.get(at).copied().flatten(), at + 1),
            };
            skip = end;
            let Some(n) = n else { continue };
            let plain = self
                .reading
                .tokens
                .get(end)
                .is_some_and(|token| self.reader.has(List::Plain, token));
            let noun = self.noun_at(end).map(|noun| (noun, end));
            let noun = noun.or_else(|| {
                self.noun_at(end + 1)
                    .filter(|_| plain)
                    .map(|noun| (noun, end + 1))
            });
            match noun {
                Some((of, noun)) => found.push(Counted {
                    of,
                    n,
                    tokens: at..noun + 1,
                }),
                // A pronoun, as *one*.
                None if span.is_none() => {}
                None => return Vec::new(),
            }
        }
        found
    }

    /// Whether a clause has a quantity with a unit.
    fn measures(&self, clause: &Range<usize>) -> bool {
        let mut spans = self.reading.spans_in(clause).iter();
        spans.any(|span| matches!(&span.what, What::Quantity(it) if it.unit != Unit::Number))
    }

    fn is_empty(&self, at: usize) -> bool {
        let token = self.reading.tokens.get(at);
        token.is_some_and(|token| self.reader.has(List::Empty, token))
    }

    /// The number of a clause that says nothing else.
    fn only_number(&self, clause: &Range<usize>) -> Option<(u32, Range<usize>)> {
        let mut spans = self.reading.spans_in(clause).iter();
        let (first, second) = (spans.next()?, spans.next());
        let noun = clause.clone().any(|at| self.noun_at(at).is_some());
        match &first.what {
            What::Quantity(quantity)
                if second.is_none() && !noun && quantity.unit == Unit::Number =>
            {
                Some((quantity.whole()?, first.tokens.clone()))
            }
            _ => None,
        }
    }
}
