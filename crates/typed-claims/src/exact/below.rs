//! The names below a statement: *I deleted these: …*, above a list or a table.

use std::ops::Range;

use super::Text;
use super::roles::QUOTES;
use super::told::Told;
use crate::clause::Clause;
use crate::deed::Voice;
use crate::lexicon::{Cue, List};

/// Signs that something was not done.
const FAILED: [&str; 8] = ["❌", "❎", "✗", "✘", "✖", "✕", "⚠", "🚫"];

impl Text<'_, '_> {
    /// The names below a clause, if it says that it was done with them. None if the clause
    /// announces something else (lines, tags, reasons). An item that says more of its name than its
    /// size is left out.
    pub(super) fn names_below(
        &self,
        clause: &Clause,
        told: &Told,
        word: &Range<usize>,
    ) -> Vec<Range<usize>> {
        let end = clause.tokens.end;
        let leaves_out = self.reading.any(Cue::Except, &clause.tokens);
        let announces = clause.announces && !clause.item && !leaves_out;
        if !announces || !self.points_below(told, word, end) {
            return Vec::new();
        }
        let next = self.clauses.partition_point(|next| next.tokens.start < end);
        let below = self.clauses.iter().skip(next);
        let mut before = None;
        let below = below.take_while(|entry| {
            let start = entry.tokens.start;
            let before = before.replace(entry.tokens.end);
            self.is_entry(entry) && !before.is_some_and(|end| self.has_blank_line(end..start))
        });
        let below: Vec<&Clause> = below.collect();
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

    fn has_blank_line(&self, gap: Range<usize>) -> bool {
        let is_break = |at: &usize| self.reading.low(*at) == "\n";
        gap.filter(is_break).count() > 1
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
        let last = together.names.last().map_or(rest.start, |name| name.end);
        let is_other = self.is_open_about(&rest)
            || self.has_word(List::Negation, &rest)
            || self.says_more(last..whole.end)
            || whole
                .clone()
                .any(|at| FAILED.contains(&self.reading.low(at)));
        match is_other || !self.words(&whole).is_empty() {
            true => Vec::new(),
            false => together.names,
        }
    }

    /// Whether an item goes on behind its name with a word that is no size: *a.txt: AccessDenied*.
    /// Where it was or went, and what follows a comma, is no such word.
    fn says_more(&self, behind: Range<usize>) -> bool {
        let low = |at: &usize| self.reading.low(*at);
        let is_around = |at: &usize| low(at) == "*" || QUOTES.contains(&low(at));
        let mut rest = behind.skip_while(is_around).peekable();
        let is_place = |at: &usize| {
            let mut cues = [Cue::From, Cue::Into].into_iter();
            cues.any(|cue| self.reading.at(cue, *at).is_some())
        };
        if rest.peek().is_some_and(is_place) {
            return false;
        }
        let mut said = rest.take_while(|at| !matches!(low(at), "," | ">" | "→"));
        said.any(|at| self.is_no_size(at))
    }

    /// Whether a token is a word, but none of a size, a noun, a slot or the name of a row.
    fn is_no_size(&self, at: usize) -> bool {
        let token = self.reading.tokens.get(at);
        token.is_some_and(|token| {
            let low = token.low.as_str();
            let is_size = low.starts_with(|first: char| first.is_ascii_digit())
                || low == "b"
                || self.reader.lexicon.units.contains_key(low);
            let is_known = self.reading.owned(at) || self.covered.get(at) == Some(&true);
            low.contains(char::is_alphanumeric) && !is_size && !is_known
        })
    }
}
