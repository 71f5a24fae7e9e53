//! What is, and what is not, about rows: dishes, conditions, slots, addresses that stand for rows.

use std::collections::BTreeSet;
use std::ops::Range;

use super::{Analysis, Group, Head, Name};
use crate::SlotKind;
use crate::catalogue::canonical;
use crate::clause::Clause;
use crate::lexicon::{Cue, List};
use crate::spans::{Reader, Reading, What};
use crate::text::{Hit, Shape};

/// The most words between a number and the dishes that it counts.
const BETWEEN: usize = 6;

/// From this many words an address without a number may stand for its row above a list.
const LONG: usize = 4;

/// The most tokens that are looked through for what is said with them.
const NEAR: usize = 16;

/// The most tokens between *if* and what may be there.
const CONDITION: usize = 3;

impl Analysis<'_, '_> {
    /// The rows that one name is said to have: *several restaurants called X*.
    pub(super) fn called(&self, groups: &[Group], head: &Head) -> Option<Vec<String>> {
        let reading = self.reading;
        let next = groups.partition_point(|group| group.tokens.start < head.tokens.end);
        let group = groups.get(next)?;
        if group.tokens.start > head.tokens.end + NEAR {
            return None;
        }
        let [Name::Rows(rows)] = group.members.as_slice() else {
            return None;
        };
        let led = self.reader.led(reading, group.tokens.start);
        let hits = reading
            .cues
            .ending(Cue::Called, &(led..group.tokens.start + 1));
        let mut nouns = head.tokens.end..group.tokens.start;
        let counted = nouns.any(|at| {
            let end = reading.classes.nouns.get(at).copied().unwrap_or(0);
            end > 0 && hits.iter().any(|hit| hit.start == end)
        });
        counted.then(|| {
            let names = rows.iter().map(|row| self.reader.catalogue.name(*row));
            let mut names = names.map(str::to_lowercase).collect::<Vec<_>>();
            names.sort();
            names
        })
    }
}

impl Reader<'_> {
    /// The first token of a clause that says something: behind bullets, openers and articles.
    fn begin(&self, reading: &Reading<'_>, clause: &Clause) -> usize {
        let mut at = clause.tokens.start;
        let number = |at: usize| {
            let token = reading.tokens.get(at);
            token.is_some_and(|token| token.shape == Shape::Number)
                && matches!(reading.low(at + 1), "." | ")")
        };
        if clause.item_start && number(at) {
            at += 2;
        }
        let last = clause.tokens.end.min(at + NEAR);
        while at < last
            && reading.tokens.get(at).is_some_and(|token| {
                !token.solid() || self.has(List::Opener, token) || self.has(List::Article, token)
            })
        {
            at += 1;
        }
        at
    }

    /// Whether a code begins a clause and leads to the name in it, as an item of a list or by what
    /// it does: *12 Mill Road has X*.
    pub(crate) fn heads_clause(
        &self,
        reading: &Reading<'_>,
        clause: &Clause,
        tokens: &Range<usize>,
    ) -> bool {
        (clause.item_start || reading.at(Cue::Predicate, tokens.end).is_some())
            && self.begin(reading, clause) == tokens.start
    }

    /// Whether an address in the middle of a clause leads to the name behind it: *12 Mill Road has X,
    /// and 3 Rose Crescent has Y*.
    pub(crate) fn leads_on(
        &self,
        reading: &Reading<'_>,
        clause: &Clause,
        tokens: &Range<usize>,
        name: usize,
    ) -> bool {
        let before = tokens.start.checked_sub(1);
        let before = before.filter(|at| clause.tokens.contains(at));
        let joins = before.and_then(|at| reading.tokens.get(at));
        let mark = |low: &str| matches!(low, "," | ":" | "(");
        joins.is_some_and(|token| mark(&token.low) || self.has(List::Conjunction, token))
            && reading
                .at(Cue::Predicate, tokens.end)
                .is_some_and(|hit| name <= hit.end + BETWEEN)
            && reading
                .span_at(tokens.start)
                .is_some_and(|span| matches!(span.what, What::Address(_)))
    }

    /// Whether something is only asked, behind *whether* within a clause.
    pub(super) fn asked_whether(&self, reading: &Reading<'_>, clause: &Clause, at: usize) -> bool {
        !clause.hypothesis && self.behind_condition(reading, clause, at)
    }

    /// Whether what ends at a token is the head of the lines below it: `12 Mill Road, Cambridge:`.
    fn heads_lines(&self, reading: &Reading<'_>, clause: &Clause, end: usize) -> bool {
        let rest = end..clause.tokens.end.saturating_sub(1);
        clause.announces
            && end < clause.tokens.end
            && rest.into_iter().all(|at| {
                let token = reading.tokens.get(at);
                token.is_none_or(|token| !token.solid() || self.has(List::Noise, token))
                    || reading
                        .span_at(at)
                        .is_some_and(|span| matches!(span.what, What::Postcode(_)))
            })
    }

    /// The rows whose full address, with a number, is the subject of a clause without a name.
    pub(crate) fn at_address(
        &self,
        reading: &Reading<'_>,
        clause: &Clause,
    ) -> Option<(Vec<usize>, Range<usize>)> {
        let begin = self.begin(reading, clause);
        let span = reading.spans_in(&(begin..begin + 1)).first()?;
        let What::Address(said) = &span.what else {
            return None;
        };
        let end = span.tokens.end;
        let next = if reading.low(end) == "," {
            end + 1
        } else {
            end
        };
        let acts =
            reading.at(Cue::Which, next).is_some() || reading.at(Cue::Predicate, end).is_some();
        let heads = self.heads_lines(reading, clause, end);
        let number = |word: &String| word.bytes().all(|byte| byte.is_ascii_digit());
        let has_number = said.iter().any(number);
        let noise = |word: &String| !self.lexicon.has(List::Noise, word);
        let said = said.iter().map(|word| canonical(word));
        let said = said.filter(noise).collect::<BTreeSet<_>>();
        let is_long = has_number || heads && said.len() >= LONG;
        if !(acts || heads) || !is_long {
            return None;
        }
        let rows = self.catalogue.places.words.iter().enumerate();
        let rows = rows
            .filter(|(_, words)| {
                let words = words.iter().filter(|word| noise(word));
                words.collect::<BTreeSet<_>>() == said.iter().collect()
            })
            .map(|(row, _)| row)
            .collect::<Vec<_>>();
        (!rows.is_empty()).then(|| (rows, span.tokens.clone()))
    }

    /// Whether a number or quantity counts dishes, what a named row has, or what may be there.
    pub(super) fn counts_else(
        &self,
        reading: &Reading<'_>,
        clause: &Clause,
        hit: Range<usize>,
    ) -> bool {
        let beside = reading.cues.touching(Cue::Beside, &(hit.end..hit.end + 2));
        self.dishes_near(reading, clause, hit.end)
            || beside.into_iter().next().is_some()
            || self.hedged(reading, clause, hit.start, false)
            || self.behind_condition(reading, clause, hit.start)
    }

    fn dishes_near(&self, reading: &Reading<'_>, clause: &Clause, start: usize) -> bool {
        for at in start..(start + BETWEEN + 1).min(clause.tokens.end) {
            let Some(token) = reading.tokens.get(at) else {
                return false;
            };
            if self.has(List::Dish, token) {
                return true;
            }
            let valued = reading.value_at(at) || reading.valued(at);
            let noun = reading.classes.nouns.get(at).is_some_and(|end| *end > 0);
            let stops = noun || self.has(List::Barrier, token) || reading.owned(at);
            let mark = !token.solid() && !matches!(token.low.as_str(), "," | "-" | "/");
            if (stops && !valued) || mark {
                return false;
            }
        }
        false
    }

    /// Whether *if* or *whether* stands before what is there, within a clause.
    pub(super) fn behind_condition(
        &self,
        reading: &Reading<'_>,
        clause: &Clause,
        at: usize,
    ) -> bool {
        let from = at.saturating_sub(CONDITION).max(clause.tokens.start);
        let hits = reading.cues.ending(Cue::Condition, &(from..at + 1));
        hits.iter().any(|hit| hit.start >= clause.tokens.start)
    }

    /// Whether a denial is of a phone number or the like, and of no row.
    pub(super) fn of_slot(&self, reading: &Reading<'_>, clause: &Clause, hit: &Hit) -> bool {
        let slots = self.lexicon.slots.iter().enumerate();
        let slots = slots.filter(|(_, slot)| {
            let slot = self.schema.slot(slot);
            slot.is_some_and(|slot| slot.kind != SlotKind::Value)
        });
        let slots = slots.map(|(tag, _)| tag).collect::<Vec<_>>();
        for at in hit.start..clause.tokens.end.min(hit.end + 3) {
            if slots
                .iter()
                .any(|tag| reading.slots.any(*tag, &(at..at + 1)))
            {
                return true;
            }
            let row = [&reading.classes.nouns, &reading.classes.values];
            if row
                .iter()
                .any(|ends| ends.get(at).is_some_and(|end| *end > 0))
            {
                return false;
            }
        }
        false
    }

    /// Whether a denial of information is one of places: *no information about Indian restaurants*.
    pub(super) fn about_rows(&self, reading: &Reading<'_>, clause: &Clause, hit: &Hit) -> bool {
        let near = hit.start..(hit.end + 4).min(clause.tokens.end);
        let Some(about) = reading.cues.touching(Cue::About, &near).last() else {
            return false;
        };
        let mut at = about.end;
        let definite = reading
            .tokens
            .get(at)
            .is_some_and(|token| self.has(List::Definite, token));
        while reading.tokens.get(at).is_some_and(|token| {
            self.has(List::Article, token) || self.lexicon.has(List::Vague, &token.low)
        }) {
            at += 1;
        }
        let ends = [&reading.classes.nouns, &reading.classes.values];
        let begins = ends
            .iter()
            .any(|ends| ends.get(at).is_some_and(|end| *end > 0));
        let rest = about.end..clause.tokens.end;
        let of_it = rest.clone().take(NEAR).any(|at| reading.low(at) == "'s");
        about.start < clause.tokens.end && begins && !definite && !of_it && reading.value_in(&rest)
    }
}
