//! Phones, postcodes, addresses and quantities, and to whom they and properties belong.

use std::ops::Range;

use super::{Analysis, Group, Name, Said, Value};
use crate::SlotKind;
use crate::clause::Clause;
use crate::lexicon::List;
use crate::spans::What;

impl Analysis<'_, '_> {
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
            let budget = kind == SlotKind::Quantity && self.is_budget(clause, &span.tokens);
            if budget || self.of_others(clause, groups, &slot, &span.tokens) {
                continue;
            }
            let left = groups
                .iter()
                .rfind(|group| group.tokens.end <= span.tokens.start);
            let negated = kind != SlotKind::Phone && self.negated(clause, &span.tokens)
                || self.neither(clause, left, &span.tokens);
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
        let next = groups.partition_point(|group| group.tokens.start < tokens.end);
        let led = groups.get(next).filter(|group| {
            (self.reader).leads_on(self.reading, clause, tokens, group.tokens.start)
        });
        if let Some(group) = led {
            return Some(group.members.clone());
        }
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
