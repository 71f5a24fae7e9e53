//! To whom values, codes and properties belong.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use super::{Analysis, Group, Head, HeadKind, Name, Placed, Said, Value};
use crate::SlotKind;
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
            if (offered && self.asked(clause, value.tokens.start))
                || self.reader.hedged(self.reading, clause, value.tokens.start)
            {
                continue;
            }
            let negated = self.negated(clause, &value.tokens);
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

    /// Whether a value is what the user asked for: *for your request for French food, I recommend X*.
    fn asked(&self, clause: &Clause, value: usize) -> bool {
        let from = value.saturating_sub(ASKED).max(clause.tokens.start);
        let echoes = self.reading.cues.ending(Cue::Echo, &(from..value + 1));
        echoes.iter().any(|hit| hit.start >= clause.tokens.start)
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

    /// Whether *not* stands before a value, with function words between.
    fn negated(&self, clause: &Clause, value: &Range<usize>) -> bool {
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

    /// Phones, postcodes, addresses, quantities.
    pub(super) fn codes(&mut self, clause: &Clause, groups: &[Group]) {
        let reading = self.reading;
        let belonging = self.belonging(groups);
        for span in reading.spans_in(&clause.tokens) {
            let (kind, value) = match &span.what {
                What::Phone(digits) => (SlotKind::Phone, Value::Phone(digits.clone())),
                What::Postcode(code) => (SlotKind::Postcode, Value::Postcode(code.clone())),
                // It stands for its row.
                What::Address(_) if is_subject(groups, &span.tokens) => continue,
                What::Address(words) => (SlotKind::Address, Value::Address(words.clone())),
                What::Quantity(quantity) => (SlotKind::Quantity, Value::Quantity(quantity.clone())),
                What::Ref(value) => {
                    self.draft(Said::Ref(value.clone()), span.tokens.clone());
                    continue;
                }
                _ => continue,
            };
            let slots = self.slots(kind, &value, clause);
            let who = self.owner(clause, groups, &span.tokens, belonging);
            let (Some(slot), Some(who)) = (slots, who) else {
                continue;
            };
            let negated = kind != SlotKind::Phone && self.negated(clause, &span.tokens);
            self.draft(
                Said::Slot {
                    who,
                    slot,
                    value,
                    negated,
                },
                span.tokens.clone(),
            );
        }
    }

    /// The slot of a kind; of several quantities of one unit that which the clause names.
    fn slots(&self, kind: SlotKind, value: &Value, clause: &Clause) -> Option<String> {
        let unit = match value {
            Value::Quantity(quantity) => Some(quantity.unit),
            _ => None,
        };
        let fits = self
            .reader
            .schema
            .of(kind)
            .filter(|(_, slot)| unit.is_none() || slot.unit == unit);
        let fits = fits.map(|(name, _)| name.to_owned()).collect::<Vec<_>>();
        let named = |name: &&String| {
            let mut slots = self.reader.lexicon.slots.iter();
            let at = slots.position(|slot| slot == *name);
            at.is_some_and(|at| self.reading.slots.any(at, &clause.tokens))
        };
        let bare = unit == Some(crate::schema::Unit::Number);
        let by_name = fits.iter().find(named).cloned();
        by_name.or_else(|| {
            fits.first()
                .filter(|_| !bare && (unit.is_none() || fits.len() == 1))
                .cloned()
        })
    }

    /// The first group before which a word says that something belongs to it.
    fn belonging<'g>(&self, groups: &'g [Group]) -> Option<&'g Group> {
        groups.iter().find(|group| {
            let at = self.reader.skipped(self.reading, group.tokens.start);
            let lexicon = self.reader.lexicon;
            at > 0 && lexicon.has(List::Belongs, self.reading.before(at))
        })
    }

    /// To whom a code or property belongs: the name on the left, that on the right if there is
    /// one for it, else whom the reply is about.
    pub(super) fn owner(
        &self,
        clause: &Clause,
        groups: &[Group],
        tokens: &Range<usize>,
        right: Option<&Group>,
    ) -> Option<Vec<Name>> {
        let left = groups.partition_point(|group| group.tokens.end <= tokens.start);
        let left = left.checked_sub(1).and_then(|left| groups.get(left));
        let right = right.filter(|group| group.tokens.start >= tokens.end);
        // "- 12 Mill Road has X": what an item begins with is of the name in it.
        let head = || {
            let first = groups.first()?;
            self.reader
                .heads_clause(self.reading, clause, tokens)
                .then_some(first)
        };
        let right = right.or_else(head);
        if let Some(group) = left.or(right) {
            return Some(group.members.clone());
        }
        self.subjects(clause, tokens.start).into_iter().next()
    }
}

/// Whether a group is nothing but these tokens.
fn is_subject(groups: &[Group], tokens: &Range<usize>) -> bool {
    let next = groups.partition_point(|group| group.tokens.start < tokens.start);
    groups
        .get(next)
        .is_some_and(|group| group.tokens == *tokens)
}
