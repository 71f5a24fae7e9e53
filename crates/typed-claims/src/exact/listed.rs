//! Items of a list that says what was done: *Done: deleted a, copied b*.

use std::ops::Range;

use super::Text;
use super::told::Told;
use crate::clause::Clause;
use crate::deed::Voice;
use crate::lexicon::Cue;

impl Text<'_, '_> {
    /// Whether a clause announces a list of deeds: *Here is what I did:*
    pub(super) fn announces_deeds(&self, clause: &Clause) -> bool {
        let open = [
            Cue::Modal,
            Cue::Condition,
            Cue::Reserved,
            Cue::Reported,
            Cue::Undone,
        ];
        let is_open = || {
            let mut cues = open.iter();
            cues.any(|cue| self.reading.any(*cue, &clause.tokens))
        };
        clause.announces
            && !clause.denies
            && (self.finished(clause).is_some() || self.reading.any(Cue::Did, &clause.tokens))
            && !is_open()
    }

    /// The first or the last word of an item: *deleted a*, *a: deleted*.
    pub(super) fn listed(&self, clause: &Clause, word: &Range<usize>) -> Option<Told> {
        if !clause.item {
            return None;
        }
        let begin = clause.tokens.start;
        let begin = match self.numbers_an_item(begin) {
            true => begin + 2,
            false => begin,
        };
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
