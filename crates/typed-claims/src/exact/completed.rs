//! Nouns for what was done: *The deletion was successful*, *Deletion of a.txt completed*.

use std::ops::Range;

use super::Text;
use crate::clause::Clause;
use crate::deed::{Deed, Done, Voice};
use crate::lexicon::{Cue, List};

/// The most tokens between *Deletion of a.txt* and *completed*: *has been successfully*.
const VERB: usize = 4;

impl Text<'_, '_> {
    /// A deletion that is finished. "Copy" and "upload" are not read so: they also name things, and
    /// a thing may be complete, too.
    pub(super) fn completed(&self, clause: &Clause) -> Option<Done> {
        let reading = &self.reading;
        let whole = clause.tokens.clone();
        let start = self.solid(whole.clone())?;
        let is_word = |at: &usize| {
            let is_solid = reading.tokens.get(*at).is_some_and(|token| token.solid());
            is_solid && !self.is_in(List::Article, *at)
        };
        let noun = reading.at(Cue::GoneNoun, (start..whole.end).find(is_word)?)?;
        let of = usize::from(self.is_in(List::Belongs, noun.end));
        let together = self.named(&(noun.end + of..whole.end));
        let verb = together.end..whole.end.min(together.end + VERB + 1);
        let end = reading.within(Cue::Completed, &verb).last()?.end;
        let said = start..end;
        let is_past = [Cue::Yesterday, Cue::Ago]
            .iter()
            .any(|cue| reading.any(*cue, &whole));
        let is_open = self.is_open_about(&whole)
            || is_past
            || self.has_word(List::Negation, &whole)
            || (verb.start..end).any(|at| self.parts_pieces(at))
            || self.has_day(&whole);
        (!is_open).then(|| Done {
            deed: Deed::Gone,
            of_rows: said.clone().any(|at| self.noun_at(at).is_some()),
            whole: together.names.is_empty() && self.says_every(&said),
            names: self.places_of(&together.names),
            voice: Voice::Passive,
            range: reading.bytes(&said),
            word: reading.bytes(&(noun.start..noun.end)),
        })
    }

    /// Whether tokens say that nothing was left out: *all*, but not *all 3* or *almost all*.
    pub(super) fn says_every(&self, tokens: &Range<usize>) -> bool {
        let mut numbers = tokens.clone().map(|at| self.reading.numbers.get(at));
        self.reading.any(Cue::Every, tokens)
            && !self.reading.any(Cue::Except, tokens)
            && !numbers.any(|number| number.copied().flatten().is_some())
    }
}
