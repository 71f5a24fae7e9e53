//! Counts, denials and whole lists, in the readings that a dialogue allows.

use std::collections::HashSet;

use super::{Judge, Ruling};
use crate::SlotKind;
use crate::analysis::{Context, Count, Name};
use crate::claim::{ClaimRule, Constraints};

/// The most values of a word that may mean one of them.
const CHOICES: usize = 8;

impl Judge<'_> {
    /// What constraints may mean: each other slot absent, as wished, or as counted last.
    fn readings(&self, said: &Constraints, context: &Context) -> Vec<Constraints> {
        let mut readings = vec![said.clone()];
        for (slot, kind) in self.schema.of(SlotKind::Value) {
            if said.contains_key(slot) || (kind.place && context.anywhere) {
                continue;
            }
            let options = [self.wishes.get(slot), context.last.get(slot)];
            let mut more = Vec::new();
            for values in options.into_iter().flatten() {
                more.extend(readings.iter().map(|reading| {
                    let mut reading = reading.clone();
                    reading.insert(slot.to_owned(), values.clone());
                    reading
                }));
            }
            readings.extend(more);
        }
        // A word of several values may mean one.
        for (slot, values) in said
            .iter()
            .filter(|(_, values)| (2..=CHOICES).contains(&values.len()))
        {
            let single = readings.iter().flat_map(|reading| {
                values.iter().map(move |value| {
                    let mut reading = reading.clone();
                    reading.insert(slot.clone(), vec![value.clone()]);
                    reading
                })
            });
            let single = single.collect::<Vec<_>>();
            readings.extend(single);
        }
        readings
    }

    pub(super) fn count(&self, count: &Count) -> Ruling {
        let n = usize::try_from(count.n).unwrap_or(usize::MAX);
        let named = !count.only && count.named == n;
        let short = if count.context.more {
            self.mentioned
        } else {
            0
        };
        let mut rule = ClaimRule::Miscounted;
        let mut decided = None;
        for reading in self.readings(&count.constraints, &count.context) {
            let rows = self.having(&reading);
            let found = rows.len();
            let exact = found == n || (count.at_least && found >= n);
            let rest = found > n && found - n <= short;
            if exact || rest || (named && found >= n) {
                rule = if exact || rest {
                    ClaimRule::Counted
                } else {
                    ClaimRule::CountsNamed
                };
                decided = Some(rows);
                break;
            }
        }
        let truth = decided.is_some();
        let rows = decided.unwrap_or_else(|| self.having(&count.constraints));
        Ruling {
            truth: Some(truth),
            in_kb: self.known(&count.constraints),
            rule,
            rows,
        }
    }

    pub(super) fn none(&self, said: &Constraints, context: &Context, unknown: bool) -> Ruling {
        if unknown || (said.is_empty() && self.wishes.is_empty()) {
            return Ruling {
                truth: None,
                in_kb: true,
                rule: ClaimRule::Bare,
                rows: Vec::new(),
            };
        }
        let spare = if context.more { self.mentioned } else { 0 };
        let found = self
            .readings(said, context)
            .iter()
            .map(|reading| self.having(reading))
            .min_by_key(Vec::len);
        let rows = found.unwrap_or_default();
        let truth = rows.len() <= spare;
        Ruling {
            truth: Some(truth),
            in_kb: true,
            rule: if truth {
                ClaimRule::NoRow
            } else {
                ClaimRule::SomeRow
            },
            rows,
        }
    }

    /// Whether the named rows are all of some reading; the rows are those left out.
    pub(super) fn all(&self, said: &Constraints, named: &[Name], context: &Context) -> Ruling {
        let listed = self.rows(named).into_iter().collect::<HashSet<_>>();
        let missing = |reading: &Constraints| {
            self.having(reading)
                .into_iter()
                .filter(|row| !listed.contains(row))
                .collect::<Vec<_>>()
        };
        let readings = self.readings(said, context);
        let sensible = readings.iter().filter(|reading| !reading.is_empty());
        let left = sensible
            .map(missing)
            .min_by_key(Vec::len)
            .unwrap_or_default();
        let spare = if context.more { self.mentioned } else { 0 };
        let whole = left.len() <= spare;
        Ruling {
            truth: Some(whole),
            in_kb: true,
            rule: if whole {
                ClaimRule::Complete
            } else {
                ClaimRule::Incomplete
            },
            rows: left,
        }
    }
}
