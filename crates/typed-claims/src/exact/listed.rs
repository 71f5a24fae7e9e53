//! Items of a list that says what was done, labels, and cells of tables: *Done: deleted a, copied
//! b*, *Deleted: a*, *| a | deleted |*.

use std::ops::Range;

use super::Text;
use super::told::Told;
use crate::clause::Clause;
use crate::deed::{Deed, Voice};
use crate::lexicon::Cue;
use crate::text::Shape;

impl Text<'_, '_> {
    /// Whether a clause announces a list of deeds: *Here is what I did:*
    pub(super) fn announces_deeds(&self, clause: &Clause) -> bool {
        clause.announces
            && !clause.denies
            && (self.finished(clause).is_some() || self.reading.any(Cue::Did, &clause.tokens))
            && !self.is_open_about(&clause.tokens)
    }

    /// Whether tokens leave open whether something was done now.
    pub(super) fn is_open_about(&self, tokens: &Range<usize>) -> bool {
        let open = [
            Cue::Modal,
            Cue::Condition,
            Cue::Reserved,
            Cue::Reported,
            Cue::Undone,
        ];
        open.iter().any(|cue| self.reading.any(*cue, tokens))
    }

    /// Whether labels are those of a plan: *This would be changed: …*, *Shall I go on?*
    pub(super) fn plans(&self) -> bool {
        self.clauses.iter().any(|clause| {
            let asks = self.reading.low(clause.tokens.end) == "?";
            asks && self.reading.any(Cue::Hypothesis, &clause.tokens)
                || clause.announces && self.is_open_about(&clause.tokens)
        })
    }

    /// A label, or the cell of a table, beside the names of what it was done with. A result may
    /// word it so, too.
    pub(super) fn labelled(
        &self,
        clause: &Clause,
        deed: Deed,
        word: &Range<usize>,
    ) -> Option<Told> {
        if matches!(deed, Deed::Changed | Deed::Shared) {
            return None;
        }
        let cell = self.cell(clause, word).map(|name| (name, word.end));
        let (start, end) = cell.or_else(|| self.label(clause, word))?;
        Some(Told {
            voice: Voice::Passive,
            from: start,
            start,
            verb: word.start..end,
        })
    }

    /// *Deleted: a.txt*, *Deleted: 3 objects*, and *Deleted:* above a list: its first token, and the
    /// one behind the colon.
    fn label(&self, clause: &Clause, word: &Range<usize>) -> Option<(usize, usize)> {
        let begin = self.begin_of_item(clause);
        let colon = self.colon_behind(word)?;
        let rest = colon + 1..clause.tokens.end;
        if self.first(begin..clause.tokens.end)? != word.start || self.is_open_about(&rest) {
            return None;
        }
        let lists = match self.solid(rest.clone()) {
            None => self.heads_list(clause),
            Some(_) => !self.named(&rest).names.is_empty() || self.counts_nouns(&rest),
        };
        lists.then_some((word.start, colon + 1))
    }

    /// The colon behind a word, which may be bold.
    pub(super) fn colon_behind(&self, word: &Range<usize>) -> Option<usize> {
        let mut at = word.end;
        while self.reading.low(at) == "*" {
            at += 1;
        }
        (self.reading.low(at) == ":").then_some(at)
    }

    fn heads_list(&self, clause: &Clause) -> bool {
        let clauses = &self.clauses;
        let next = clauses.partition_point(|next| next.tokens.start < clause.tokens.end);
        clauses.get(next).is_some_and(|next| next.item_start)
    }

    fn counts_nouns(&self, tokens: &Range<usize>) -> bool {
        tokens.clone().any(|at| {
            let number = self.reading.numbers.get(at).copied().flatten();
            number.is_some_and(|number| number > 0) && self.noun_at(at + 1).is_some()
        })
    }

    /// The first name in the row of a table of which a word is a whole cell. The row above the line
    /// of dashes names columns.
    fn cell(&self, clause: &Clause, word: &Range<usize>) -> Option<usize> {
        let tokens = &clause.tokens;
        let is_bar = |at: &usize| self.reading.low(*at) == "|";
        if !is_bar(&tokens.start) || self.heads_table(clause) {
            return None;
        }
        let begin = (tokens.start..word.start).rev().find(is_bar)? + 1;
        let end = (word.end..tokens.end).find(is_bar)?;
        let says_nothing = |at: usize| {
            let token = self.reading.tokens.get(at);
            self.is_adverb(at) || token.is_none_or(|token| !token.solid())
        };
        if !(begin..word.start).chain(word.end..end).all(says_nothing) {
            return None;
        }
        let cells = tokens.clone().filter(is_bar);
        let mut names = cells.filter_map(|bar| {
            let names = self.named(&(bar + 1..tokens.end)).names;
            names.first().map(|name| name.start)
        });
        names.find(|name| *name < word.start)
    }

    pub(super) fn heads_table(&self, clause: &Clause) -> bool {
        let below = self.reading.tokens.iter().skip(clause.tokens.end + 1);
        let mut below = below.take_while(|token| token.shape != Shape::Break);
        below.next().is_some_and(|token| token.is("|")) && below.all(|token| !token.solid())
    }

    pub(super) fn begin_of_item(&self, clause: &Clause) -> usize {
        let begin = clause.tokens.start;
        match self.numbers_an_item(begin) {
            true => begin + 2,
            false => begin,
        }
    }

    /// The first or the last word of an item: *deleted a*, *a: deleted*.
    pub(super) fn listed(&self, clause: &Clause, word: &Range<usize>) -> Option<Told> {
        if !clause.item {
            return None;
        }
        let begin = self.begin_of_item(clause);
        let behind = word.end..clause.tokens.end;
        let (voice, start) = if self.solid(behind.clone()).is_none() {
            // Passive, because a result may word it so, too.
            (Voice::Passive, self.solid(begin..word.start)?)
        } else if self.first(begin..clause.tokens.end)? == word.start {
            if self.has_verb(&(word.end..self.piece_end(word.end, behind.end))) {
                return None;
            }
            (Voice::Active, word.start)
        } else {
            return None;
        };
        Some(Told {
            voice,
            from: begin.min(word.start),
            start,
            verb: word.clone(),
        })
    }
}
