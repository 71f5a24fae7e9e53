//! The names below a statement: *I deleted these: …*, above a list or a table.

use std::ops::Range;

use super::Text;
use super::roles::QUOTES;
use super::told::Told;
use crate::clause::Clause;
use crate::deed::Voice;
use crate::lexicon::List;

impl Text<'_, '_> {
    /// The names below a clause, if it says that it was done with them. Lines, tags and reasons that
    /// it announces are no such names, nor is an item that says something else of its name.
    pub(super) fn names_below(
        &self,
        clause: &Clause,
        told: &Told,
        word: &Range<usize>,
    ) -> Vec<Range<usize>> {
        let end = clause.tokens.end;
        if !clause.announces || clause.item || !self.points_below(told, word, end) {
            return Vec::new();
        }
        let next = self.clauses.partition_point(|next| next.tokens.start < end);
        let below = self.clauses.iter().skip(next);
        let below: Vec<&Clause> = below.take_while(|entry| self.is_entry(entry)).collect();
        let entries = below.chunk_by(|_, next| next.item && !next.item_start);
        entries
            .flat_map(|entry| self.names_of_entry(entry))
            .collect()
    }

    /// Whether a statement names nothing but what rows are called: *these*, *the following files*.
    fn points_below(&self, told: &Told, word: &Range<usize>, end: usize) -> bool {
        let parts = match told.voice {
            // What stands before "I" says nothing of it.
            Voice::Active => 2,
            Voice::Passive | Voice::State => 3,
        };
        let mut ranges = self.around(told, word, end).into_iter().take(parts);
        ranges.all(|range| {
            let stop = self.named(&range).end;
            stop >= range.end || self.goes_on_at(stop)
        })
    }

    fn is_entry(&self, clause: &Clause) -> bool {
        clause.item || self.is_row(clause)
    }

    fn is_row(&self, clause: &Clause) -> bool {
        self.reading.low(clause.tokens.start) == "|"
    }

    /// The names with which an item begins, or those of the first cell that has any.
    fn names_of_entry(&self, entry: &[&Clause]) -> Vec<Range<usize>> {
        let (Some(first), Some(last)) = (entry.first(), entry.last()) else {
            return Vec::new();
        };
        let whole = first.tokens.start..last.tokens.end;
        let starts: Vec<usize> = match self.is_row(first) {
            true if self.heads_table(first) => Vec::new(),
            true => {
                let bars = whole.clone().filter(|at| self.reading.low(*at) == "|");
                bars.map(|bar| bar + 1).collect()
            }
            false => {
                let mut behind_sign = self.begin_of_item(first)..whole.end;
                let begins = |at: &usize| {
                    let token = self.reading.tokens.get(*at);
                    let is_solid = token.is_some_and(|token| token.solid());
                    is_solid || QUOTES.contains(&self.reading.low(*at))
                };
                behind_sign.find(begins).into_iter().collect()
            }
        };
        let mut found = starts.into_iter().map(|at| self.named(&(at..whole.end)));
        let Some(together) = found.find(|together| !together.names.is_empty()) else {
            return Vec::new();
        };
        let rest = together.end..whole.end;
        let is_other = self.is_open_about(&rest) || self.has_word(List::Negation, &rest);
        match is_other || !self.words(&whole).is_empty() {
            true => Vec::new(),
            false => together.names,
        }
    }
}
