//! Whom a clause without a name is about.

use super::{Analysis, Name};
use crate::clause::Clause;
use crate::lexicon::Cue;

impl Analysis<'_, '_> {
    /// Whether a value without a head says that a row exists: of *the others*, or after a count
    /// and before any name.
    pub(super) fn asserts(&self, clause: &Clause, at: usize) -> bool {
        let named = self.names.iter().any(|(_, start, _)| *start < at);
        self.reading.any(Cue::Others, &clause.tokens) || (!named && self.last.is_some())
    }

    /// The subjects, each any of several names: the last name before, or what the dialogue is
    /// about; *both* and *all* are each of them.
    pub(super) fn subjects(&self, clause: &Clause, at: usize) -> Vec<Vec<Name>> {
        let named = self
            .names
            .iter()
            .filter(|(_, start, _)| *start < at)
            .map(|(name, ..)| name.clone());
        let named = named.collect::<Vec<_>>();
        let both = self.reading.any(Cue::Both, &clause.tokens);
        let all = self.reading.any(Cue::All, &clause.tokens);
        let list = if named.is_empty() { self.focus } else { &named };
        let each = |names: &[Name]| names.iter().map(|name| vec![name.clone()]).collect();
        if both {
            return each(list.get(list.len().saturating_sub(2)..).unwrap_or_default());
        }
        if all {
            return each(list);
        }
        match named.last() {
            Some(last) => vec![vec![last.clone()]],
            None if self.focus.is_empty() => Vec::new(),
            None => vec![self.focus.to_vec()],
        }
    }
}
