//! The verdicts on statements about exact names.

use std::collections::BTreeMap;
use std::ops::Range;

use super::{Judge, Text};
use crate::analysis::{Name, Value};
use crate::claim::{Claim, ClaimRule, Kind, Subject};
use crate::schema::Unit;
use crate::spans::Quantity;
use crate::verdict;

/// The most rows that a claim names as its reason.
const SHOWN: usize = 10;

impl Judge<'_> {
    pub(super) fn claim(
        &self,
        text: &Text<'_, '_>,
        kind: Kind,
        (truth, rule): (Option<bool>, ClaimRule),
        rows: &[usize],
        tokens: &Range<usize>,
    ) -> Claim {
        Claim {
            kind,
            range: text.reading.bytes(tokens),
            truth,
            in_kb: true,
            evidenced: None,
            rule,
            rows: rows
                .iter()
                .take(SHOWN)
                .map(|row| self.catalogue.name(*row).to_owned())
                .collect(),
            elliptic: false,
        }
    }

    /// A row has a value.
    pub fn has(
        &self,
        text: &Text<'_, '_>,
        rows: &[usize],
        slot: &str,
        value: &Value,
        tokens: &Range<usize>,
    ) -> Claim {
        let empty = BTreeMap::new();
        let ruling = self
            .slots_by(&empty)
            .slot(&[Name::Rows(rows.to_vec())], slot, value, false);
        let kind = Kind::Slot {
            subject: self.subject(rows),
            slot: slot.to_owned(),
            value: value.spelt(),
            negated: false,
        };
        self.claim(
            text,
            kind,
            (ruling.truth, ruling.rule),
            &ruling.rows,
            tokens,
        )
    }

    /// What judges the slots of rows, by nothing but them.
    pub(super) fn slots_by<'j>(
        &'j self,
        wishes: &'j BTreeMap<String, Vec<String>>,
    ) -> verdict::Judge<'j> {
        verdict::Judge {
            schema: self.reader.schema,
            catalogue: self.catalogue,
            base: self.base,
            wishes,
            mentioned: 0,
            evidence: None,
            heard: "",
        }
    }

    /// A row holds so many.
    pub fn holds(
        &self,
        text: &Text<'_, '_>,
        rows: &[usize],
        n: u32,
        tokens: &Range<usize>,
    ) -> Option<Claim> {
        let slot = self.reader.schema.holds.as_ref()?;
        let value = Value::Quantity(Quantity::of(Unit::Number, n));
        Some(self.has(text, rows, slot, &value, tokens))
    }

    /// So many rows hold others.
    pub fn count(&self, text: &Text<'_, '_>, n: u32, tokens: &Range<usize>) -> Claim {
        let rows = self.holding();
        let truth = usize::try_from(n) == Ok(rows.len());
        let kind = Kind::Count {
            n,
            at_least: false,
            constraints: BTreeMap::new(),
        };
        let rule = if truth {
            ClaimRule::Counted
        } else {
            ClaimRule::Miscounted
        };
        self.claim(text, kind, (Some(truth), rule), &rows, tokens)
    }

    /// These are all rows that one holds, or all that hold others.
    pub fn all(
        &self,
        text: &Text<'_, '_>,
        holder: Option<&[usize]>,
        named: &[usize],
        tokens: &Range<usize>,
    ) -> Claim {
        let (of, known) = match holder {
            Some(holder) => (self.held_by_any(holder), self.content_is_known(holder)),
            None => (self.holding(), true),
        };
        let left: Vec<usize> = of.into_iter().filter(|row| !named.contains(row)).collect();
        let mut constraints = BTreeMap::new();
        if let (Some(holder), Some(slot)) = (holder, &self.reader.schema.holder) {
            let names = holder
                .iter()
                .map(|row| self.catalogue.name(*row).to_owned());
            constraints.insert(slot.clone(), names.collect());
        }
        let names = named.iter().map(|row| self.catalogue.name(*row).to_owned());
        let kind = Kind::All {
            constraints,
            named: names.collect(),
        };
        let ruling = match (known, left.is_empty()) {
            (false, _) => (None, ClaimRule::Unknown),
            (true, true) => (Some(true), ClaimRule::Complete),
            (true, false) => (Some(false), ClaimRule::Incomplete),
        };
        self.claim(text, kind, ruling, &left, tokens)
    }

    /// The name of a row, as the value of a slot.
    pub fn name_of(&self, rows: &[usize]) -> Value {
        let name = rows.first().map_or("", |row| self.catalogue.name(*row));
        Value::Words(vec![name.to_lowercase()])
    }

    /// A name that no row has is of no row that one holds.
    pub fn not_held(
        &self,
        text: &Text<'_, '_>,
        name: String,
        holder: &[usize],
        tokens: &Range<usize>,
    ) -> Option<Claim> {
        let kind = Kind::Slot {
            subject: Subject::New(name),
            slot: self.reader.schema.holder.clone()?,
            value: self.name_of(holder).spelt(),
            negated: false,
        };
        Some(self.claim(text, kind, (Some(false), ClaimRule::Differs), &[], tokens))
    }

    pub(super) fn subject(&self, rows: &[usize]) -> Subject {
        let mut names: Vec<String> = rows
            .iter()
            .map(|row| self.catalogue.name(*row).to_owned())
            .collect();
        names.sort();
        names.dedup();
        Subject::Rows(vec![names])
    }

    /// The rows that hold others.
    pub(super) fn holding(&self) -> Vec<usize> {
        let rows = 0..self.catalogue.rows().len();
        rows.filter(|row| self.base.has(*row) && self.all_hold(&[*row]))
            .collect()
    }

    pub(super) fn held_by_any(&self, holders: &[usize]) -> Vec<usize> {
        let Some(slot) = &self.reader.schema.holder else {
            return Vec::new();
        };
        let names = holders
            .iter()
            .map(|row| self.catalogue.name(*row).to_lowercase());
        let held = self
            .catalogue
            .with(self.base, slot, &names.collect::<Vec<_>>());
        (0..held.len())
            .filter(|row| held.get(*row) == Some(&true))
            .collect()
    }

    /// Those of the rows that one of the holders holds; all if none does.
    pub fn held_by(&self, rows: &[usize], holders: &[usize]) -> Vec<usize> {
        let held = self.held_by_any(holders);
        let of_it: Vec<usize> = rows
            .iter()
            .copied()
            .filter(|row| held.contains(row))
            .collect();
        if of_it.is_empty() {
            rows.to_vec()
        } else {
            of_it
        }
    }

    /// Whether the base has all that rows hold: it says how many they are.
    pub fn content_is_known(&self, holders: &[usize]) -> bool {
        let Some(slot) = &self.reader.schema.holds else {
            return true;
        };
        holders
            .iter()
            .all(|row| self.catalogue.value(self.base, *row, slot).is_some())
    }
}
