//! The heads of a clause: names, denials, counts, and assertions that rows exist.

use std::collections::HashSet;
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

/// The most names that stand together, and that what follows is said of.
pub(crate) const MOST: usize = 128;

/// The most adverbs between *is* and its denial.
const ADVERBS: usize = 8;

impl Reader<'_> {
    /// The groups of names of a clause.
    pub fn groups(&self, reading: &Reading<'_>, clause: &Clause) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::new();
        for span in reading.spans_in(&clause.tokens) {
            let name = match &span.what {
                What::Name(rows) => Name::Rows(rows.clone()),
                What::New(name) => Name::New(name.clone()),
                _ => continue,
            };
            let joined = |group: &&mut Group| {
                group.members.len() < MOST
                    && self.joined(reading, group.tokens.end..span.tokens.start)
            };
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
        if groups.is_empty()
            && let Some((rows, tokens)) = self.at_address(reading, clause)
        {
            groups.push(Group {
                members: vec![Name::Rows(rows)],
                places: vec![tokens.clone()],
                tokens,
            });
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
                || reading.at(Cue::Nor, at).is_some()
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
            // A denial of a word that no slot knows cannot be looked up.
            let open = tokens.start..clause.tokens.end;
            let unknown = unknown || !reading.open_in(&open).is_empty();
            heads.push(Head::new(HeadKind::None { unknown }, tokens));
        } else if !clause.question || clause.offer {
            heads.extend(self.count_heads(reading, clause));
        }
        let counted = heads
            .iter()
            .any(|head| !matches!(head.kind, HeadKind::Group(_)));
        if !counted && !clause.denies && !clause.hypothesis {
            let mut hits = reading.within(Cue::Exists, &clause.tokens).iter();
            // A word alone says something of the name before it: "X found east has …".
            let of_name = |hit: &Hit| {
                hit.end == hit.start + 1
                    && groups_before(groups, hit.start)
                    && !matches!(reading.low(hit.start), ":")
            };
            let first = hits.find(|hit| {
                !reading.owned(hit.start)
                    && !of_name(hit)
                    && !self.behind_condition(reading, clause, hit.start)
            });
            heads.extend(first.map(|hit| Head::new(HeadKind::Exists, hit.start..hit.end)));
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
        let mut hits = reading.within(Cue::None, &clause.tokens).iter();
        let named = hits.find(|hit| {
            self.has_object(reading, clause, hit) && self.denies(reading, clause, groups, hit)
        });
        let bare = || {
            let mut hits = reading.within(Cue::Nothing, &clause.tokens).iter();
            hits.find(|hit| self.denies(reading, clause, groups, hit))
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
        let mut beside = reading.cues.touching(Cue::Beside, &(hit.start..end + 2));
        let beside = beside.next().is_some() && !self.about_rows(reading, clause, hit);
        let beside = beside || self.of_slot(reading, clause, hit);
        let mut unknown = reading.cues.touching(Cue::Unknown, &(hit.start..end));
        let unknown = unknown.any(|cue| {
            let next = groups.partition_point(|group| group.tokens.start < cue.end);
            groups
                .get(next)
                .is_some_and(|group| self.leads(reading, cue.end, group.tokens.start))
        });
        let mut before = hit.start;
        let adverb = |at: usize| {
            reading
                .tokens
                .get(at)
                .is_some_and(|token| self.has(List::Opener, token) || self.has(List::Vague, token))
        };
        while before > clause.tokens.start
            && hit.start - before < ADVERBS
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
        let named = (from.saturating_sub(1)..start).any(|at| {
            reading.span_at(at).is_some_and(|span| {
                matches!(span.what, What::Name(_) | What::New(_))
                    && (from..=start).contains(&span.tokens.end)
                    && span.tokens.start >= clause.tokens.start
            })
        });
        pronoun || named
    }

    /// Whether a named row has what is counted: *X has several options*.
    fn has_them(&self, reading: &Reading<'_>, clause: &Clause, start: usize) -> bool {
        let from = start.saturating_sub(2).max(clause.tokens.start);
        let copula = (from..start).any(|at| {
            let token = reading.tokens.get(at);
            token.is_some_and(|token| self.has(List::Copula, token))
        });
        !copula && self.third(reading, clause, start)
    }

    fn has_object(&self, reading: &Reading<'_>, clause: &Clause, hit: &Hit) -> bool {
        let rest = hit.start..clause.tokens.end;
        reading.noun_in(&rest) || reading.value_in(&rest)
    }

    /// Whether a denial in a clause is about tables and times.
    pub fn about_seats(&self, reading: &Reading<'_>, clause: &Clause) -> bool {
        let seats = reading.within(Cue::Seats, &clause.tokens);
        let denied = |hit: &&Hit| {
            let from = hit.start.saturating_sub(6).max(clause.tokens.start);
            (from..hit.start).any(|at| {
                reading
                    .tokens
                    .get(at)
                    .is_some_and(|token| self.has(List::Negation, token))
                    || matches!(reading.low(at), "unable" | "none")
            })
        };
        let denial = seats.iter().find(denied);
        denial.is_some_and(|hit| {
            let from = hit.start.saturating_sub(6).max(clause.tokens.start);
            !(from..hit.start).any(|at| reading.classes.nouns.get(at).is_some_and(|end| *end > 0))
        })
    }

    fn count_heads(&self, reading: &Reading<'_>, clause: &Clause) -> Vec<Head> {
        let range = &clause.tokens;
        let mut heads: Vec<Head> = Vec::new();
        let mut taken: HashSet<usize> = HashSet::new();
        let mut add = |taken: &mut HashSet<usize>, n, at_least, only, tokens: Range<usize>| {
            taken.extend(tokens.clone());
            let kind = HeadKind::Count { n, at_least, only };
            heads.push(Head::new(kind, tokens));
        };
        for hit in reading.within(Cue::Only, range) {
            let plural = reading
                .cues
                .touching(Cue::NotOnly, &(hit.start..hit.end))
                .any(|cue| cue.start < hit.start && cue.end >= hit.end);
            if !plural && !reading.owned(hit.start) && self.noun_or_value(reading, clause, hit.end)
            {
                add(&mut taken, 1, false, true, hit.start..hit.end);
            }
        }
        for (cue, n) in [(Cue::Several, 2), (Cue::Many, 3)] {
            for hit in reading.within(cue, range) {
                let counts = self.noun_near(reading, clause, hit.end)
                    || self.after_exists(reading, clause, hit.start);
                let counts = counts
                    && !self.counts_else(reading, clause, hit.start..hit.end)
                    && !self.has_them(reading, clause, hit.start);
                if counts && !reading.owned(hit.start) && !taken.contains(&hit.start) {
                    add(&mut taken, n, true, false, hit.start..hit.end);
                }
            }
        }
        for at in range.clone() {
            let Some(n) = reading.numbers.get(at).copied().flatten() else {
                continue;
            };
            let free = !reading.owned(at) && !taken.contains(&at);
            let counts = free
                && self.counts_rows(reading, clause, at)
                && !self.counts_else(reading, clause, at..at + 1);
            if counts {
                let at_least = reading.ended(Cue::AtLeast, at).is_some();
                add(&mut taken, n, at_least, false, at..at + 1);
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
            let valued = reading.value_at(at);
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
        let least = reading.ended(Cue::AtLeast, at).map_or(at, |cue| cue.start);
        let inside = |hits: &[Hit]| hits.iter().any(|cue| clause.tokens.contains(&cue.start));
        inside(reading.cues.ending(Cue::Exists, &(start..at + 1)))
            || inside(reading.cues.ending(Cue::Exists, &(least..least + 1)))
    }
}

fn groups_before(groups: &[Group], at: usize) -> bool {
    groups.first().is_some_and(|group| group.tokens.end <= at)
}
