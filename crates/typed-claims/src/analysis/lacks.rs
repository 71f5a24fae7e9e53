//! Statements about a slot of a row, and not about the row: *the phone number of X is not available*.

use std::ops::Range;

use super::{Analysis, Group, Said, Value};
use crate::SlotKind;
use crate::clause::Clause;
use crate::lexicon::{Cue, List};
use crate::schema::Unit;

/// The most tokens between a name and the denial of what belongs to it.
const NEAR: usize = 6;

impl Analysis<'_, '_> {
    /// The words for what belongs to a group of names, or is at it: *the phone number of X*, *X's
    /// phone number*, *a table at X*. None if a clause speaks of the names themselves.
    pub(super) fn part_of(&self, clause: &Clause, group: &Group) -> Option<Range<usize>> {
        let reading = self.reading;
        let end = group.tokens.end;
        if reading.low(end) == "'s" {
            return Some(end + 1..clause.tokens.end.min(end + 1 + NEAR));
        }
        let led = self.reader.led(reading, group.tokens.start);
        let before = led.checked_sub(1).filter(|at| *at > clause.tokens.start)?;
        let token = reading.tokens.get(before)?;
        let joins = token.solid()
            && !self.reader.has(List::Copula, token)
            && (self.reader.has(List::Belongs, token) || self.reader.has(List::Beside, token));
        let thing = reading.tokens.get(before - 1)?;
        // There is no information about X: there is no X.
        let about = reading.cues.ending(Cue::About, &(led..led + 1));
        let is_row = reading.noun_in(&(before - 1..before));
        let is_word = thing.solid() && !self.reader.has(List::Function, thing);
        (joins && is_word && about.is_empty() && !is_row).then_some(clause.tokens.start..before)
    }

    /// A slot that is said to be missing from rows.
    pub(super) fn lacks(&mut self, clause: &Clause, group: &Group, part: &Range<usize>) {
        let reading = self.reading;
        let near = group.tokens.end..clause.tokens.end.min(group.tokens.end + NEAR);
        if !reading.any(Cue::Missing, &near) {
            return;
        }
        let slots = self.reader.lexicon.slots.iter().enumerate();
        let slot = slots.filter(|(tag, slot)| {
            let kind = self.reader.schema.slot(slot).map(|slot| slot.kind);
            let is_code = !matches!(kind, None | Some(SlotKind::Value | SlotKind::Text));
            is_code && reading.slots.any(*tag, part)
        });
        let slot = slot.map(|(_, slot)| slot.clone()).next();
        let Some(slot) = slot else { return };
        let said = Said::Slot {
            who: group.members.clone(),
            slot,
            value: Value::Words(Vec::new()),
            negated: true,
        };
        self.draft(said, group.tokens.clone());
    }

    /// Whether an amount of money is the user's budget: *for £10 I would try X*.
    pub(super) fn is_budget(&self, clause: &Clause, tokens: &Range<usize>) -> bool {
        let reading = self.reading;
        let lexicon = self.reader.lexicon;
        let is_money = tokens.clone().any(|at| {
            let unit = lexicon.units.get(reading.low(at));
            unit.is_some_and(|(unit, _)| *unit == Unit::Money)
        });
        if !is_money {
            return false;
        }
        let from = tokens.start.saturating_sub(1).max(clause.tokens.start);
        let around = from.saturating_sub(2).max(clause.tokens.start)..tokens.end + 2;
        let budget = reading.cues.touching(Cue::Budget, &around).next().is_some();
        let within = reading
            .cues
            .ending(Cue::Within, &(tokens.start..tokens.start + 1));
        let number = tokens.clone().map(|at| reading.low(at));
        let mut number = number.filter(|low| low.starts_with(|c: char| c.is_ascii_digit()));
        let heard = number.next().is_some_and(|number| {
            let mut words = self.heard.split(|c: char| !c.is_alphanumeric());
            words.any(|word| word == number)
        });
        budget || !within.is_empty() && heard
    }

    /// Whether a code is of rows that are said to be there, and not of whom the dialogue is about:
    /// *there is a British place at 12 Mill Road*.
    pub(super) fn of_others(
        &self,
        clause: &Clause,
        groups: &[Group],
        slot: &str,
        tokens: &Range<usize>,
    ) -> bool {
        let reading = self.reading;
        let named = self.reader.lexicon.slots.iter().position(|it| it == slot);
        let named = named.is_some_and(|tag| reading.slots.any(tag, &clause.tokens));
        let exists = reading.within(Cue::Exists, &clause.tokens).iter();
        let mut exists = exists.filter(|hit| hit.end <= tokens.start);
        groups.is_empty()
            && !named
            && exists.any(|hit| {
                let between = hit.end..tokens.start;
                reading.noun_in(&between) || reading.value_in(&between)
            })
    }
}
