//! The heads of a clause: names, denials, counts, and assertions that rows exist.

use std::ops::Range;

use super::{Name, Placed};
use crate::clause::Clause;
use crate::lexicon::{Cue, List};
use crate::spans::{Reader, Reading, What};
use crate::text::Hit;

/// Names that stand together.
#[derive(Debug, Clone)]
pub(crate) struct Group {
    pub members: Vec<Name>,
    /// The tokens of each.
    pub places: Vec<Range<usize>>,
    pub tokens: Range<usize>,
}

#[derive(Debug, Clone)]
pub(crate) enum HeadKind {
    /// The place of a group.
    Group(usize),
    None {
        unknown: bool,
    },
    Count {
        n: u32,
        at_least: bool,
        only: bool,
    },
    Exists,
}

/// A head, and the values that belong to it.
#[derive(Debug, Clone)]
pub(crate) struct Head {
    pub kind: HeadKind,
    pub tokens: Range<usize>,
    pub values: Vec<Placed>,
}

impl Head {
    fn new(kind: HeadKind, tokens: Range<usize>) -> Self {
        Head {
            kind,
            tokens,
            values: Vec::new(),
        }
    }
}

/// The most words between a number and its noun.
const BETWEEN: usize = 6;

impl Reader<'_> {
    /// The groups of names of a clause.
    pub fn groups(&self, reading: &Reading<'_>, clause: &Clause) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::new();
        for span in reading
            .spans
            .iter()
            .filter(|span| clause.tokens.contains(&span.tokens.start))
        {
            let name = match &span.what {
                What::Name(rows) => Name::Rows(rows.clone()),
                What::New(name) => Name::New(name.clone()),
                _ => continue,
            };
            let joined =
                |group: &&mut Group| self.joined(reading, group.tokens.end..span.tokens.start);
            match groups.last_mut().filter(joined) {
                Some(group) => {
                    group.tokens.end = span.tokens.end;
                    group.members.push(name);
                    group.places.push(span.tokens.clone());
                }
                None => groups.push(Group {
                    members: vec![name],
                    places: vec![span.tokens.clone()],
                    tokens: span.tokens.clone(),
                }),
            }
        }
        groups
    }

    fn joined(&self, reading: &Reading<'_>, between: Range<usize>) -> bool {
        let mut joint = false;
        for at in between {
            let Some(token) = reading.tokens.get(at) else {
                return false;
            };
            let link = token.is(",")
                || self.has(List::Conjunction, token)
                || (token.is("well") && reading.before(at) == "as");
            joint |= link;
            let passes = link
                || self.has(List::Article, token)
                || matches!(token.low.as_str(), "*" | "\"" | "'" | "as" | "also");
            if !passes {
                return false;
            }
        }
        joint
    }

    /// The heads of a clause, in order.
    pub fn heads(&self, reading: &Reading<'_>, clause: &Clause, groups: &[Group]) -> Vec<Head> {
        let mut heads = Vec::new();
        for (at, group) in groups.iter().enumerate() {
            heads.push(Head::new(HeadKind::Group(at), group.tokens.clone()));
        }
        if let Some(tokens) = self.denial(reading, clause, groups) {
            let unknown = groups.iter().any(|group| {
                let new = group
                    .members
                    .iter()
                    .any(|name| matches!(name, Name::New(_)));
                new && group.tokens.start >= tokens.start
            });
            heads.push(Head::new(HeadKind::None { unknown }, tokens));
        } else if !clause.question || clause.offer {
            heads.extend(self.count_heads(reading, clause));
        }
        let counted = heads
            .iter()
            .any(|head| !matches!(head.kind, HeadKind::Group(_)));
        if !counted && !clause.denies && !clause.hypothesis {
            let hits = reading.within(Cue::Exists, &clause.tokens);
            heads.extend(
                hits.filter(|hit| !reading.owned(hit.start))
                    .map(|hit| Head::new(HeadKind::Exists, hit.start..hit.end))
                    .take(1),
            );
        }
        heads.sort_by_key(|head| head.tokens.start);
        heads
    }

    /// The cue of a denial that there are rows.
    fn denial(
        &self,
        reading: &Reading<'_>,
        clause: &Clause,
        groups: &[Group],
    ) -> Option<Range<usize>> {
        if clause.question || self.conditional(reading, clause) || self.about_seats(reading, clause)
        {
            return None;
        }
        let named = reading
            .within(Cue::None, &clause.tokens)
            .filter(|hit| self.denies(reading, clause, groups, hit));
        let named = named
            .filter(|hit| self.has_object(reading, clause, hit))
            .min_by_key(|hit| hit.start);
        let bare = || {
            reading
                .within(Cue::Nothing, &clause.tokens)
                .find(|hit| self.denies(reading, clause, groups, hit))
        };
        named.or_else(bare).map(|hit| hit.start..hit.end)
    }

    fn conditional(&self, reading: &Reading<'_>, clause: &Clause) -> bool {
        let opens = |at: &usize| {
            reading
                .tokens
                .get(*at)
                .is_some_and(|token| token.solid() && !self.has(List::Opener, token))
        };
        clause
            .tokens
            .clone()
            .find(opens)
            .is_some_and(|at| reading.at(Cue::Condition, at).is_some())
    }

    fn denies(&self, reading: &Reading<'_>, clause: &Clause, groups: &[Group], hit: &Hit) -> bool {
        let end = hit.end.min(clause.tokens.end);
        let beside = reading
            .hits(Cue::Beside)
            .any(|cue| hit.start < cue.end && cue.start <= end + 1);
        let unknown = reading.hits(Cue::Unknown).any(|cue| {
            let object = groups
                .iter()
                .any(|group| self.leads(reading, cue.end, group.tokens.start));
            object && cue.start < end && hit.start < cue.end
        });
        let mut before = hit.start;
        let adverb = |at: usize| {
            reading
                .tokens
                .get(at)
                .is_some_and(|token| self.has(List::Opener, token) || self.has(List::Vague, token))
        };
        while before > clause.tokens.start
            && adverb(before - 1)
            && !self.lexicon.has(List::Copula, reading.before(before))
        {
            before -= 1;
        }
        let copula = before > clause.tokens.start
            && self.lexicon.has(List::Copula, reading.before(before))
            && reading.before(before.saturating_sub(1)) != "there"
            && groups_before(groups, hit.start);
        let copula = copula
            || (hit.start > clause.tokens.start
                && self.lexicon.has(List::Copula, reading.before(hit.start))
                && groups_before(groups, hit.start));
        let others = self.third(reading, clause, hit.start);
        !beside && !unknown && !copula && !others && !reading.owned(hit.start)
    }

    /// Whether *they* or *it* is who does not have something.
    fn third(&self, reading: &Reading<'_>, clause: &Clause, start: usize) -> bool {
        let from = start.saturating_sub(2).max(clause.tokens.start);
        let pronoun = (from..start).any(|at| {
            reading
                .tokens
                .get(at)
                .is_some_and(|token| self.has(List::Third, token))
        });
        let named = reading.spans.iter().any(|span| {
            matches!(span.what, What::Name(_) | What::New(_))
                && span.tokens.end <= start
                && span.tokens.end >= from
                && span.tokens.start >= clause.tokens.start
        });
        pronoun || named
    }

    fn has_object(&self, reading: &Reading<'_>, clause: &Clause, hit: &Hit) -> bool {
        let nouns = reading
            .classes
            .nouns
            .iter()
            .enumerate()
            .take(clause.tokens.end)
            .skip(hit.start);
        let noun = nouns.into_iter().any(|(_, end)| *end > 0);
        let value = reading.spans.iter().any(|span| {
            matches!(span.what, What::Value(_))
                && clause.tokens.contains(&span.tokens.start)
                && span.tokens.end > hit.start
        });
        noun || value
    }

    /// Whether a denial in a clause is about tables and times.
    pub fn about_seats(&self, reading: &Reading<'_>, clause: &Clause) -> bool {
        let seats = reading
            .within(Cue::Seats, &clause.tokens)
            .collect::<Vec<_>>();
        let denied = |hit: &Hit| {
            let from = hit.start.saturating_sub(6).max(clause.tokens.start);
            (from..hit.start).any(|at| {
                reading
                    .tokens
                    .get(at)
                    .is_some_and(|token| self.has(List::Negation, token))
                    || reading.low(at) == "unable"
            })
        };
        let denial = seats.iter().find(|hit| denied(hit));
        denial.is_some_and(|hit| {
            let from = hit.start.saturating_sub(6).max(clause.tokens.start);
            !(from..hit.start).any(|at| reading.classes.nouns.get(at).is_some_and(|end| *end > 0))
        })
    }

    fn count_heads(&self, reading: &Reading<'_>, clause: &Clause) -> Vec<Head> {
        let mut heads = Vec::new();
        let range = &clause.tokens;
        for hit in reading.within(Cue::Only, range) {
            let plural = reading
                .hits(Cue::NotOnly)
                .any(|cue| cue.start < hit.start && cue.end >= hit.end);
            if !plural && !reading.owned(hit.start) && self.noun_or_value(reading, clause, hit.end)
            {
                heads.push(Head::new(
                    HeadKind::Count {
                        n: 1,
                        at_least: false,
                        only: true,
                    },
                    hit.start..hit.end,
                ));
            }
        }
        for (cue, n) in [(Cue::Several, 2), (Cue::Many, 3)] {
            for hit in reading.within(cue, range) {
                let counts = self.noun_near(reading, clause, hit.end)
                    || self.after_exists(reading, clause, hit.start);
                if counts && !reading.owned(hit.start) && !overlap(&heads, hit.start) {
                    heads.push(Head::new(
                        HeadKind::Count {
                            n,
                            at_least: true,
                            only: false,
                        },
                        hit.start..hit.end,
                    ));
                }
            }
        }
        for at in range.clone() {
            let Some(n) = reading.numbers.get(at).copied().flatten() else {
                continue;
            };
            if !reading.owned(at) && !overlap(&heads, at) && self.counts_rows(reading, clause, at) {
                let at_least = reading.hits(Cue::AtLeast).any(|cue| cue.end == at);
                heads.push(Head::new(
                    HeadKind::Count {
                        n,
                        at_least,
                        only: false,
                    },
                    at..at + 1,
                ));
            }
        }
        heads
    }

    /// Whether a number counts rows.
    fn counts_rows(&self, reading: &Reading<'_>, clause: &Clause, at: usize) -> bool {
        let Some(token) = reading.tokens.get(at) else {
            return false;
        };
        let one = self.has(List::One, token);
        let definite =
            at > clause.tokens.start && self.lexicon.has(List::Definite, reading.before(at));
        let item = clause.item_start
            && at < clause.tokens.start + 2
            && matches!(reading.low(at + 1), "." | ")");
        let part = matches!(reading.before(at), "#" | "." | ":" | "£" | "$" | "€") && token.glued;
        let identifies = reading.at(Cue::Identify, at).is_some();
        if definite || item || part || identifies {
            return false;
        }
        if self.noun_near(reading, clause, at + 1) {
            return true;
        }
        !one && (self.after_exists(reading, clause, at)
            || reading.at(Cue::Counted, at + 1).is_some())
    }

    /// Whether a noun of the domain stands within six words.
    fn noun_near(&self, reading: &Reading<'_>, clause: &Clause, start: usize) -> bool {
        for at in start..(start + BETWEEN + 1).min(clause.tokens.end) {
            if reading.classes.nouns.get(at).is_some_and(|end| *end > 0) {
                return true;
            }
            let Some(token) = reading.tokens.get(at) else {
                return false;
            };
            let valued = reading
                .spans
                .iter()
                .any(|span| matches!(span.what, What::Value(_)) && span.tokens.contains(&at));
            let named = reading.owned(at) && !valued;
            let stops = self.has(List::Barrier, token)
                || reading.numbers.get(at).copied().flatten().is_some();
            let mark = !token.solid() && !matches!(token.low.as_str(), "," | "-" | "/");
            if (stops && !valued) || named || mark {
                return false;
            }
        }
        false
    }

    fn noun_or_value(&self, reading: &Reading<'_>, clause: &Clause, start: usize) -> bool {
        let valued = |at: usize| reading.classes.values.get(at).is_some_and(|end| *end > 0);
        self.noun_near(reading, clause, start) || valued(start) || reading.low(start) == "one"
    }

    /// Whether a cue that rows exist stands just before.
    fn after_exists(&self, reading: &Reading<'_>, clause: &Clause, at: usize) -> bool {
        let mut start = at;
        while start > clause.tokens.start
            && reading
                .tokens
                .get(start - 1)
                .is_some_and(|token| self.has(List::Function, token) && !reading.owned(start - 1))
        {
            start -= 1;
            if at - start > 3 {
                break;
            }
        }
        let least = reading
            .hits(Cue::AtLeast)
            .find(|cue| cue.end == at)
            .map_or(at, |cue| cue.start);
        reading
            .within(Cue::Exists, &clause.tokens)
            .any(|cue| (start..=at).contains(&cue.end) || cue.end == least)
    }
}

fn groups_before(groups: &[Group], at: usize) -> bool {
    groups.iter().any(|group| group.tokens.end <= at)
}

fn overlap(heads: &[Head], at: usize) -> bool {
    heads
        .iter()
        .any(|head| head.tokens.contains(&at) || (at > head.tokens.end && at - head.tokens.end < 1))
}
