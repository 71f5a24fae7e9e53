//! Whom a clause without a name is about.

use std::collections::HashSet;

use super::{Analysis, MOST, Name};
use crate::clause::Clause;
use crate::lexicon::Cue;

impl Analysis<'_, '_> {
    /// Whether a value without a head says that a row exists: of *the others*, or after a count
    /// and before any name.
    pub(super) fn asserts(&self, clause: &Clause, at: usize) -> bool {
        let named = self.names.first().is_some_and(|(_, start, _)| *start < at);
        self.reading.any(Cue::Others, &clause.tokens) || (!named && self.last.is_some())
    }

    /// The subjects, each any of several names: the last name before, or what the dialogue is
    /// about; *both* and *all* are each of them.
    pub(super) fn subjects(&self, clause: &Clause, at: usize) -> Vec<Vec<Name>> {
        let before = self.names.partition_point(|(_, start, _)| *start < at);
        let named = self.names.get(..before).unwrap_or_default();
        let last = |most: usize| -> Vec<&Name> {
            if named.is_empty() {
                self.focus.iter().rev().take(most).rev().collect()
            } else {
                let names = named.iter().rev().take(most).rev();
                names.map(|(name, ..)| name).collect()
            }
        };
        let each = |names: Vec<&Name>| {
            let mut seen = HashSet::new();
            let names = names.into_iter().filter(|name| seen.insert(*name));
            names.map(|name| vec![name.clone()]).collect::<Vec<_>>()
        };
        if self.reading.any(Cue::Both, &clause.tokens) {
            return each(last(2));
        }
        if self.reading.any(Cue::All, &clause.tokens) {
            return each(last(MOST));
        }
        match named.last() {
            Some((last, ..)) => vec![vec![last.clone()]],
            None if self.focus.is_empty() => Vec::new(),
            None => vec![self.focus.to_vec()],
        }
    }
}
