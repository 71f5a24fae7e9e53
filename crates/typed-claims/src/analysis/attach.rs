//! To whom values belong.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use super::{Analysis, Group, Head, HeadKind, Name, Placed, Said, Value};
use crate::clause::Clause;
use crate::lexicon::{Cue, List};
use crate::spans::What;

/// The most function words between a negation and its value.
const NEGATED: usize = 4;

/// The most tokens between *your request* and a value that was asked for.
const ASKED: usize = 8;

/// The most tokens between a value and the name to which it is put.
const APPOSED: usize = 40;

impl Analysis<'_, '_> {
    pub(super) fn values(&mut self, clause: &Clause, groups: &[Group], heads: &mut [Head]) {
        let spans = self.reading.spans_in(&clause.tokens).iter();
        let values = spans
            .filter_map(|span| self.reader.placed(span))
            .collect::<Vec<_>>();
        // Of a group each value is said once.
        let mut said = HashSet::new();
        let choices = self.choices(clause, &values);
        if heads.is_empty() && self.heads_names(clause) {
            self.list = Some(super::once(&values)).filter(|values| !values.is_empty());
            return;
        }
        let mut free: Vec<Placed> = Vec::new();
        for value in values {
            let before = heads.partition_point(|head| head.tokens.start <= value.tokens.start);
            let left = heads.get(..before).unwrap_or_default();
            let left = left.iter().rposition(|head| {
                head.tokens.end <= value.tokens.start || !matches!(head.kind, HeadKind::Group(_))
            });
            let right = heads.partition_point(|head| head.tokens.start < value.tokens.end);
            let head = left.or(Some(right).filter(|right| *right < heads.len()));
            let counts = !clause.question
                || heads
                    .get(head.unwrap_or(usize::MAX))
                    .is_some_and(|head| self.counts_in_question(clause, groups, head, &value));
            if !counts {
                if choices.contains(&value.slot) {
                    self.exist(std::slice::from_ref(&value), value.tokens.clone());
                }
                continue;
            }
            let offered = head.is_some() && left.is_none();
            let budget = self.reading.cues.touching(Cue::Budget, &value.tokens);
            if budget.into_iter().next().is_some()
                || (offered && self.asked(clause, value.tokens.start))
                || self
                    .reader
                    .asked_whether(self.reading, clause, value.tokens.start)
                || (head.is_none() && self.denied(clause, value.tokens.start))
                || (self.reader).hedged(self.reading, clause, value.tokens.start, false)
            {
                continue;
            }
            let of = heads.get(head.unwrap_or(usize::MAX)).map(|head| &head.kind);
            let of = match of {
                Some(HeadKind::Group(at)) => groups.get(*at),
                _ => None,
            };
            let negated =
                self.negated(clause, &value.tokens) || self.neither(clause, of, &value.tokens);
            match head.and_then(|at| heads.get_mut(at)) {
                Some(Head {
                    kind: HeadKind::Group(at),
                    ..
                }) => {
                    let Some(group) = groups.get(*at) else {
                        continue;
                    };
                    let who = self.meant(group, &value.tokens);
                    for name in who {
                        let what = (value.slot.clone(), value.values.clone());
                        if said.insert((*at, name.clone(), what, negated)) {
                            self.draft_slot(vec![name], &value, negated);
                        }
                    }
                }
                Some(head) if negated && !matches!(head.kind, HeadKind::None { .. }) => {}
                Some(head) => head.values.push(value),
                None if clause.question || clause.hypothesis || clause.echo => {}
                None if negated || !self.asserts(clause, value.tokens.start) => {
                    for who in self.subjects(clause, value.tokens.start) {
                        self.draft_slot(who, &value, negated);
                    }
                }
                None => free.push(value),
            }
        }
        if let (Some(first), Some(last)) = (free.first(), free.last()) {
            let tokens = first.tokens.start..last.tokens.end;
            self.exist(&free, tokens);
        }
    }

    /// Whether what a clause says is of the names in the list below it: *In the north: …*
    fn heads_names(&self, clause: &Clause) -> bool {
        let said = clause.question || clause.hypothesis || clause.echo || clause.denies;
        let below = self.clauses.get(self.at + 1);
        let names = below.filter(|item| item.item_start).is_some_and(|item| {
            let mut spans = self.reading.spans_in(&item.tokens).iter();
            spans.any(|span| matches!(span.what, What::Name(_) | What::New(_)))
        });
        clause.announces && !said && !clause.item && names
    }

    /// Whether a value is what the user asked for: *for your request for French food, I recommend X*.
    fn asked(&self, clause: &Clause, value: usize) -> bool {
        let from = value.saturating_sub(ASKED).max(clause.tokens.start);
        let echoes = self.reading.cues.ending(Cue::Echo, &(from..value + 1));
        echoes.iter().any(|hit| hit.start >= clause.tokens.start)
    }

    /// Whether a value is what there is no information about.
    fn denied(&self, clause: &Clause, value: usize) -> bool {
        let from = value.saturating_sub(ASKED).max(clause.tokens.start);
        let about = self.reading.cues.ending(Cue::About, &(from..value + 1));
        clause.denies && about.iter().any(|hit| hit.start >= clause.tokens.start)
    }

    fn draft_slot(&mut self, who: Vec<Name>, value: &Placed, negated: bool) {
        let said = Said::Slot {
            who,
            slot: value.slot.clone(),
            value: Value::Words(value.values.clone()),
            negated,
        };
        self.draft(said, value.tokens.clone());
    }

    /// The slots of which a question offers a choice: *cheap or expensive*.
    fn choices(&self, clause: &Clause, values: &[Placed]) -> Vec<String> {
        let or = |range: Range<usize>| {
            range.into_iter().any(|at| {
                self.reading
                    .tokens
                    .get(at)
                    .is_some_and(|token| self.reader.has(List::Or, token))
            })
        };
        if !clause.question || self.reading.any(Cue::Condition, &clause.tokens) {
            return Vec::new();
        }
        // Per slot, from the end of its first value to the start of its last one.
        let mut slots: BTreeMap<&str, Range<usize>> = BTreeMap::new();
        for value in values {
            let range = slots
                .entry(&value.slot)
                .or_insert(value.tokens.end..value.tokens.end);
            range.end = value.tokens.start.max(range.start);
        }
        let chosen = slots.into_iter().filter(|(_, range)| or(range.clone()));
        chosen.map(|(slot, _)| slot.to_owned()).collect()
    }

    /// In a question: under a count, in an offer of a name, and in an apposition to one.
    fn counts_in_question(
        &self,
        clause: &Clause,
        groups: &[Group],
        head: &Head,
        value: &Placed,
    ) -> bool {
        match head.kind {
            HeadKind::Count { .. } => true,
            HeadKind::None { .. } | HeadKind::Exists => false,
            HeadKind::Group(at) => {
                let Some(group) = groups.get(at) else {
                    return false;
                };
                clause.offer || self.apposed(group, &value.tokens)
            }
        }
    }

    fn apposed(&self, group: &Group, value: &Range<usize>) -> bool {
        let reading = self.reading;
        if value.start >= group.tokens.end {
            let next = reading.low(group.tokens.end);
            return matches!(next, "," | "(" | "-" | ":")
                || reading.at(Cue::Which, group.tokens.end).is_some();
        }
        let between = value.end..group.tokens.start;
        if between.len() > APPOSED {
            return false;
        }
        let noun = |at: usize| reading.classes.nouns.get(at).is_some_and(|end| *end > 0);
        let value = |at: usize| {
            reading.classes.values.get(at).is_some_and(|end| *end > 0) || reading.owned(at)
        };
        let naming = reading.any(Cue::Called, &between);
        naming
            || between
                .into_iter()
                .all(|at| noun(at) || value(at) || reading.low(at) == ",")
    }

    /// The members of a group that a value is said of: all, or the last one.
    fn meant(&self, group: &Group, value: &Range<usize>) -> Vec<Name> {
        let end = group.tokens.end;
        let next = if self.reading.low(end) == "," {
            end + 1
        } else {
            end
        };
        let which = self.reading.at(Cue::Which, next).is_some()
            && !self.reading.any(Cue::All, &(end..value.start))
            && !self.reading.any(Cue::Both, &(end..value.start));
        let before = value.end == group.tokens.start;
        match (value.start == end || which, before) {
            (true, _) => group.members.last().cloned().into_iter().collect(),
            (false, true) => group.members.first().cloned().into_iter().collect(),
            (false, false) => group.members.clone(),
        }
    }

    /// Whether a value is denied of each of whom it is said: *neither X nor Y is cheap*, *neither of
    /// them is cheap*.
    pub(super) fn neither(
        &self,
        clause: &Clause,
        of: Option<&Group>,
        value: &Range<usize>,
    ) -> bool {
        let reading = self.reading;
        let solid = |at: &usize| {
            let token = reading.tokens.get(*at);
            token.is_some_and(|token| token.solid())
        };
        let first = || (clause.tokens.start..value.start).find(solid);
        let hit = match of {
            Some(group) => {
                reading.ended(Cue::Neither, self.reader.led(reading, group.tokens.start))
            }
            None => first().and_then(|first| reading.at(Cue::Neither, first)),
        };
        let from = of.map_or(clause.tokens.start, |group| group.tokens.end);
        hit.is_some_and(|hit| clause.tokens.contains(&hit.start))
            && from < value.start
            && !self.says_anew(from..value.start)
    }

    /// Whether something else is said behind *and* within tokens: *and both are in the north*.
    fn says_anew(&self, mut tokens: Range<usize>) -> bool {
        let is_in = |list: List, at: usize| {
            let token = self.reading.tokens.get(at);
            token.is_some_and(|token| self.reader.has(list, token))
        };
        let end = tokens.end;
        let joint = tokens.find(|at| {
            self.reading.low(*at) == "," || is_in(List::Conjunction, *at) && !is_in(List::Or, *at)
        });
        joint.is_some_and(|joint| (joint..end).any(|at| is_in(List::Copula, at)))
    }

    /// Whether *not* stands before a value, with function words between.
    pub(super) fn negated(&self, clause: &Clause, value: &Range<usize>) -> bool {
        let mut at = value.start;
        for _ in 0..=NEGATED {
            let Some(before) = at
                .checked_sub(1)
                .filter(|before| clause.tokens.contains(before))
            else {
                return false;
            };
            let Some(token) = self.reading.tokens.get(before) else {
                return false;
            };
            if self.reader.has(List::Negation, token) {
                // "no." as an answer, and "not only".
                return self.reading.low(before + 1) != ",";
            }
            let passes =
                self.reader.has(List::Function, token) || self.reader.has(List::Article, token);
            if !passes || self.reading.owned(before) {
                return false;
            }
            at = before;
        }
        false
    }
}
