//! Lists that present themselves as whole.

use super::{Analysis, Context, Count, Name, Said};
use crate::claim::Constraints;
use crate::clause::Clause;
use crate::lexicon::Cue;

impl Analysis<'_, '_> {
    /// An enumeration behind an exact count of as many, or behind *the places are*, *all*.
    pub(super) fn listings(&mut self) {
        let mut found: Vec<(Said, std::ops::Range<usize>, usize)> = Vec::new();
        // The counts of a clause, and the last one before it.
        let mut drafts = self.drafts.iter().peekable();
        let mut before: Option<&Count> = None;
        for (at, clause) in self.clauses.iter().enumerate() {
            let earlier = before;
            let mut here = None;
            while let Some(draft) = drafts.next_if(|draft| draft.clause <= at) {
                if let Said::Count(count) = &draft.said {
                    before = Some(count);
                    here = here.or(Some(count).filter(|count| !count.only && !count.at_least));
                }
            }
            if clause.question
                || clause.hypothesis
                || clause.item
                || self.reading.any(Cue::Part, &clause.tokens)
            {
                continue;
            }
            let named = self.listed(at, clause);
            if named.is_empty() {
                continue;
            }
            let exact =
                here.filter(|count| usize::try_from(count.n).is_ok_and(|n| n == named.len()));
            let whole = self.reading.any(Cue::Whole, &clause.tokens);
            let said = match exact {
                Some(count) => Some((count.constraints.clone(), count.context.clone())),
                None if whole && here.is_none() => self.described(clause, earlier),
                None => None,
            };
            if let Some((constraints, context)) = said {
                let tokens = clause.tokens.clone();
                found.push((
                    Said::All {
                        constraints,
                        named,
                        context,
                    },
                    tokens,
                    at,
                ));
            }
        }
        for (said, tokens, clause) in found {
            self.drafts.push(super::Draft {
                said,
                tokens,
                clause,
            });
        }
    }

    /// The names in a clause, or in the list that it announces.
    fn listed(&self, at: usize, clause: &Clause) -> Vec<Name> {
        let mut names = self
            .names_in(&clause.tokens)
            .iter()
            .map(|(name, ..)| name.clone())
            .collect::<Vec<_>>();
        if clause.announces {
            for item in self
                .clauses
                .iter()
                .skip(at + 1)
                .take_while(|clause| clause.item)
                .filter(|clause| clause.item_start)
            {
                let first = self.names_in(&item.tokens).first();
                names.extend(first.map(|(name, ..)| name.clone()));
            }
        }
        names
    }

    /// The constraints that *the … restaurants are* names.
    fn described(
        &self,
        clause: &Clause,
        earlier: Option<&Count>,
    ) -> Option<(Constraints, Context)> {
        let next = self
            .names
            .partition_point(|(_, start, _)| *start < clause.tokens.start);
        let (_, first, _) = self.names.get(next)?;
        let head = clause.tokens.start..*first;
        let values = self
            .reading
            .spans_in(&head)
            .iter()
            .filter_map(|span| self.reader.placed(span))
            .collect::<Vec<_>>();
        let noun = self
            .reading
            .noun_in(&(head.start..head.end.min(clause.tokens.end)));
        let last = earlier.filter(|_| values.is_empty());
        let anywhere = self.reading.any(Cue::Anywhere, &clause.tokens);
        let more = self.reading.any(Cue::More, &clause.tokens);
        let context = Context {
            last: last
                .map(|count| count.constraints.clone())
                .unwrap_or_default(),
            anywhere,
            more,
        };
        (noun || !values.is_empty()).then(|| (super::constraints(&values), context))
    }
}
