//! Whether a world heeds the conditions of writes. Most servers refuse a write whose condition is
//! not met; some ignore it, and then the places of a write are looked at once more right before it,
//! since the look of its lot may be some seconds old by then.
//!
//! It is found out by the first write of each kind in a large plan: its first call has a condition
//! that nothing meets. A world that heeds it refuses the call, which costs one request. One that
//! does not makes just the write that was to be made.

use super::pace::Pace;
use super::write::{Doubt, Made};
use super::{Apply, Drift, End};
use crate::domain::{Mark, Place, Write};
use crate::error::Error;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The most bytes that are sent in vain.
const LITTLE: u64 = 1 << 20;

/// A tag that no content has.
const NOBODYS: &str = "00000000000000000000000000000000";

/// What is known so far, by operation: whether its conditions are ignored.
#[derive(Default)]
pub(super) struct Conditions(Mutex<BTreeMap<String, bool>>);

impl Conditions {
    fn known(&self) -> MutexGuard<'_, BTreeMap<String, bool>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether nobody has asked so far. It counts as asked then.
    fn is_first(&self, operation: &str) -> bool {
        let mut known = self.known();
        let is_first = !known.contains_key(operation);
        if is_first {
            known.insert(operation.to_owned(), false);
        }
        is_first
    }

    fn ignores(&self, operation: &str) {
        self.known().insert(operation.to_owned(), true);
    }

    fn are_ignored(&self, operation: &str) -> bool {
        self.known().get(operation).copied().unwrap_or_default()
    }
}

/// What came of a call with a condition that nothing meets.
pub(super) enum Tried {
    /// The world ignored it, and made the write.
    Made(Made),
    /// Nobody knows whether it did.
    Doubted(Doubt),
    /// Nothing was made, or nothing was tried.
    Nothing,
}

impl Apply<'_> {
    /// Whether looks may be old when their writes are begun.
    fn is_long(&self) -> bool {
        let places = self.writes.iter().map(|write| write.touched.len());
        self.window > 1 && places.sum::<usize>() > self.window
    }

    /// Whether a write can be sent in vain.
    fn brings_little(&self, write: &Write) -> bool {
        let changed = write.touched.iter().filter(|touched| touched.changed);
        let bytes = changed.filter_map(|touched| Some(touched.after.as_ref()?.size));
        let is_copy = self.planning.source(&write.operation, &write.params);
        is_copy.is_some() || bytes.sum::<u64>() <= LITTLE
    }

    /// Makes the first write of its kind under a condition that nothing meets.
    pub(super) async fn try_condition(
        &self,
        write: &Write,
        found: &[Option<Mark>],
        pace: &Pace,
    ) -> Tried {
        let is_cheap = self.is_long() && self.brings_little(write);
        let params = match is_cheap {
            true => self.planning.guarded(write, &vec![nobodys(); found.len()]),
            false => return Tried::Nothing,
        };
        if params == write.params || !pace.conditions.is_first(&write.operation) {
            return Tried::Nothing;
        }
        match self.world.call_once(&write.operation, &params).await {
            Ok(answer) => match self.told(write, answer) {
                Ok(made) => {
                    pace.conditions.ignores(&write.operation);
                    Tried::Made(made)
                }
                Err(_) => Tried::Nothing,
            },
            Err(error) => Tried::Doubted(Doubt::Unanswered(error)),
        }
    }

    /// The same for several writes that are made by one call: what came of each.
    pub(super) async fn try_conditions(
        &self,
        writes: &[(&Write, &[Option<Mark>])],
        pace: &Pace,
    ) -> Vec<Tried> {
        let nothing = || writes.iter().map(|_| Tried::Nothing).collect();
        let tags = [nobodys()];
        let wrong = writes.iter().map(|(write, _)| (*write, &tags[..]));
        let wrong: Vec<(&Write, &[Option<Mark>])> = wrong.collect();
        let Some((operation, params)) = self.planning.gathered(&wrong) else {
            return nothing();
        };
        if !self.is_long() || !pace.conditions.is_first(&operation) {
            return nothing();
        }
        let answer = match self.world.call_once(&operation, &params).await {
            Ok(Ok(answer)) => answer,
            Ok(Err(_)) => return nothing(),
            Err(error) => {
                let doubt = || Doubt::Unanswered(Error::world(error.to_string()));
                return writes.iter().map(|_| Tried::Doubted(doubt())).collect();
            }
        };
        let each = writes.iter().map(|(write, _)| {
            let alone = self.planning.answer_of(write, &answer);
            match alone.map(|alone| self.told(write, alone)) {
                Some(Ok(made)) => {
                    pace.conditions.ignores(&operation);
                    Tried::Made(made)
                }
                _ => Tried::Nothing,
            }
        });
        each.collect()
    }

    /// Looks at the places of writes once more, where their world ignores conditions: why they
    /// cannot be made, if something has changed since the look before.
    pub(super) async fn changed_since(
        &self,
        writes: &[(&Write, &[Option<Mark>])],
        pace: &Pace,
    ) -> Option<End> {
        let operation = match writes {
            [(write, _)] => Some(write.operation.clone()),
            _ => (self.planning.gathered(writes)).map(|(operation, _)| operation),
        };
        if !operation.is_some_and(|operation| pace.conditions.are_ignored(&operation)) {
            return None;
        }
        let touched = writes.iter().flat_map(|(write, found)| {
            let places = write.touched.iter().map(|touched| &touched.place);
            places.zip(found.iter())
        });
        let touched: Vec<(&Place, &Option<Mark>)> = touched.collect();
        let places: Vec<&Place> = touched.iter().map(|(place, _)| *place).collect();
        let now = match self.planning.marks(&self.reads(), &places).await {
            Ok(now) => now,
            Err(error) => return Some(End::Failed(error)),
        };
        let mut looked = touched.into_iter().zip(now);
        let changed = looked.find(|((_, found), now)| !Mark::same(found.as_ref(), now.as_ref()));
        changed.map(|((place, found), now)| {
            End::Drifted(Box::new(Drift {
                place: place.clone(),
                expected: found.clone(),
                found: now,
                is_read: false,
            }))
        })
    }
}

fn nobodys() -> Option<Mark> {
    Some(Mark {
        tag: NOBODYS.to_owned(),
        size: 0,
        version: None,
        summary: None,
    })
}
