//! Lists that present themselves as whole.

use super::{Analysis, Context, Name, Said};
use crate::claim::Constraints;
use crate::clause::Clause;
use crate::lexicon::Cue;

impl Analysis<'_, '_> {
    /// An enumeration behind an exact count of as many, or behind *the places are*, *all*.
    pub(super) fn listings(&mut self) {
        let mut found: Vec<(Said, std::ops::Range<usize>, usize)> = Vec::new();
        for (at, clause) in self.clauses.iter().enumerate() {
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
            let count = self.drafts.iter().find_map(|draft| match &draft.said {
                Said::Count(count) if draft.clause == at && !count.only && !count.at_least => {
                    Some(count)
                }
                _ => None,
            });
            let exact =
                count.filter(|count| usize::try_from(count.n).is_ok_and(|n| n == named.len()));
            let whole = self.reading.any(Cue::Whole, &clause.tokens);
            let said = match exact {
                Some(count) => Some((count.constraints.clone(), count.context.clone())),
                None if whole && count.is_none() => self.described(at, clause),
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
        let within = |clause: &Clause| {
            let tokens = clause.tokens.clone();
            self.names
                .iter()
                .filter(move |(_, start, _)| tokens.contains(start))
        };
        let mut names = within(clause)
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
                names.extend(within(item).next().map(|(name, ..)| name.clone()));
            }
        }
        names
    }

    /// The constraints that *the … restaurants are* names.
    fn described(&self, at: usize, clause: &Clause) -> Option<(Constraints, Context)> {
        let first = self
            .names
            .iter()
            .filter(|(_, start, _)| *start >= clause.tokens.start)
            .map(|(_, start, _)| *start)
            .min()?;
        let values =
            self.reading.spans.iter().filter(|span| {
                span.tokens.start >= clause.tokens.start && span.tokens.end <= first
            });
        let values = values
            .filter_map(|span| self.reader.placed(span))
            .collect::<Vec<_>>();
        let noun = (clause.tokens.start..first.min(clause.tokens.end)).any(|at| {
            self.reading
                .classes
                .nouns
                .get(at)
                .is_some_and(|end| *end > 0)
        });
        let last = if values.is_empty() {
            self.drafts
                .iter()
                .rev()
                .find_map(|draft| match &draft.said {
                    Said::Count(count) if draft.clause < at => Some(count.constraints.clone()),
                    _ => None,
                })
        } else {
            None
        };
        let anywhere = self.reading.any(Cue::Anywhere, &clause.tokens);
        let more = self.reading.any(Cue::More, &clause.tokens);
        let context = Context {
            last: last.unwrap_or_default(),
            anywhere,
            more,
        };
        (noun || !values.is_empty()).then(|| (super::constraints(&values), context))
    }
}
