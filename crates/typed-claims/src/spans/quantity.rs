//! Quantities: sizes, durations, money, days. Only for schemas that have such slots.

use jiff::ToSpan;
use jiff::civil::Date;

use super::{Reader, Reading, What};
use crate::SlotKind;
use crate::lexicon::Cue;
use crate::schema::Unit;
use crate::text::{Shape, Token};

/// A number with a unit, as precise as it is written.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Quantity {
    pub unit: Unit,
    /// As claims spell it: `1.2 mb`, `2026-11-28`.
    pub said: String,
    /// What it may be, least and most. Bytes have a decimal and a binary reading.
    ranges: Vec<(f64, f64)>,
}

impl Quantity {
    /// A whole number of a unit.
    pub fn of(unit: Unit, n: u32) -> Self {
        let value = f64::from(n);
        Quantity {
            unit,
            said: n.to_string(),
            ranges: vec![(value, value)],
        }
    }

    /// The whole number that it is, as it is written.
    pub fn whole(&self) -> Option<u32> {
        self.said.split(' ').next()?.parse().ok()
    }

    /// Whether a row's value, in bytes, seconds, money or as a day, is this quantity.
    pub fn is(&self, value: &str) -> bool {
        if self.unit == Unit::Date {
            return value.get(..10).is_some_and(|day| day == self.said);
        }
        let value = value.trim().parse::<f64>();
        value.is_ok_and(|value| {
            self.ranges
                .iter()
                .any(|(least, most)| *least <= value && value <= *most)
        })
    }
}

/// A binary unit against a decimal one.
const BINARY: f64 = 1.024;

impl Reader<'_> {
    pub(crate) fn quantities(&self, reading: &mut Reading<'_>) {
        let slots = self
            .schema
            .of(SlotKind::Quantity)
            .filter_map(|(_, slot)| slot.unit);
        let units = slots.collect::<Vec<_>>();
        if units.is_empty() {
            return;
        }
        for at in 0..reading.tokens.len() {
            let day = units
                .contains(&Unit::Date)
                .then(|| self.day(reading, at))
                .flatten();
            let found = day.or_else(|| self.quantity(reading, at, &units));
            if let Some((end, quantity)) = found {
                let start = if reading.before(at).chars().count() == 1
                    && reading
                        .tokens
                        .get(at - 1)
                        .is_some_and(|sign| self.lexicon.units.contains_key(&sign.low))
                {
                    at - 1
                } else {
                    at
                };
                reading.claim(What::Quantity(quantity), start..end);
            }
        }
    }

    fn quantity(
        &self,
        reading: &Reading<'_>,
        at: usize,
        units: &[Unit],
    ) -> Option<(usize, Quantity)> {
        if reading
            .tokens
            .get(at.checked_sub(1).unwrap_or(usize::MAX))
            .is_some_and(|before| before.is(".") && reading.tokens.get(at).is_some_and(|t| t.glued))
        {
            return None;
        }
        let (end, number, half) = number(&reading.tokens, at)?;
        let sign = at
            .checked_sub(1)
            .and_then(|at| self.lexicon.units.get(reading.low(at)));
        let word = self.lexicon.units.get(reading.low(end));
        let ((unit, factor), end, name) = match (word, sign) {
            (Some(unit), _) => (*unit, end + 1, reading.low(end).to_owned()),
            (None, Some(unit)) => (*unit, end, reading.before(at).to_owned()),
            (None, None) => ((Unit::Number, 1.0), end, String::new()),
        };
        if !units.contains(&unit) {
            return None;
        }
        let range = |factor: f64| ((number - half) * factor, (number + half) * factor);
        let mut ranges = vec![range(factor)];
        if unit == Unit::Bytes && factor >= 1000.0 && !name.contains('i') {
            let power = (factor.log10() / 3.0).round();
            ranges.push(range(factor * BINARY.powf(power)));
        }
        let said = format!("{number} {name}").trim().to_owned();
        Some((end, Quantity { unit, said, ranges }))
    }

    /// `2026-11-28`, `28 November 2026`, `November 28`, `today`, `3 days ago`.
    fn day(&self, reading: &Reading<'_>, at: usize) -> Option<(usize, Quantity)> {
        let quantity = |end: usize, day: Date| {
            (
                end,
                Quantity {
                    unit: Unit::Date,
                    said: day.to_string(),
                    ranges: Vec::new(),
                },
            )
        };
        let number = |at: usize| {
            reading
                .tokens
                .get(at)
                .filter(|token| token.shape == Shape::Number)?
                .low
                .parse::<i16>()
                .ok()
        };
        if let (Some(year), "-", "-") = (number(at), reading.low(at + 1), reading.low(at + 3)) {
            let day = Date::new(
                year,
                i8::try_from(number(at + 2)?).ok()?,
                i8::try_from(number(at + 4)?).ok()?,
            );
            return day.ok().map(|day| quantity(at + 5, day));
        }
        if let Some(hit) = reading.at(Cue::Month, at) {
            let month = self.month(reading.low(at))?;
            let before = at.checked_sub(1).and_then(number).or_else(|| {
                at.checked_sub(2)
                    .filter(|_| reading.before(at) == ".")
                    .and_then(number)
            });
            let (day, end) = match before {
                Some(day) => (day, hit.end),
                None => (number(hit.end)?, hit.end + 1),
            };
            let next = if reading.low(end) == "," {
                end + 1
            } else {
                end
            };
            let year = number(next).filter(|year| *year > 1000);
            let end = if year.is_some() { next + 1 } else { end };
            let year = year.or(self.today.map(Date::year))?;
            return Date::new(year, month, i8::try_from(day).ok()?)
                .ok()
                .map(|day| quantity(end, day));
        }
        let today = self.today?;
        for (cue, offset) in [(Cue::Today, 0), (Cue::Yesterday, -1), (Cue::Tomorrow, 1)] {
            if let Some(hit) = reading.at(cue, at) {
                return today
                    .checked_add(offset.days())
                    .ok()
                    .map(|day| quantity(hit.end, day));
            }
        }
        let count = i64::from(reading.numbers.get(at).copied().flatten()?);
        let (unit, factor) = self.lexicon.units.get(reading.low(at + 1))?;
        let days = (factor / 86400.0).round();
        let ago = reading.at(Cue::Ago, at + 2).map(|hit| hit.end);
        let ago = ago.or_else(|| reading.ended(Cue::Ago, at).map(|_| at + 2));
        if *unit != Unit::Seconds || !(1.0..=366.0).contains(&days) {
            return None;
        }
        #[expect(clippy::cast_possible_truncation, reason = "at most 366")]
        let days = count.checked_mul(days as i64)?;
        let day = today.checked_sub(days.min(40_000).days()).ok()?;
        ago.map(|end| quantity(end, day))
    }

    /// The month that a word names: the languages list them in order.
    fn month(&self, low: &str) -> Option<i8> {
        let at = self.lexicon.months.iter().position(|month| month == low)?;
        i8::try_from(at % 12 + 1).ok()
    }
}

/// The most tokens of a number: groups of thousands, and the signs between.
const GROUPS: usize = 24;

/// A number that begins here, with thousands and decimals: the token behind it, its value, and
/// half of the last digit that is written.
fn number(tokens: &[Token<'_>], at: usize) -> Option<(usize, f64, f64)> {
    let first = tokens
        .get(at)
        .filter(|token| token.shape == Shape::Number)?;
    let mut digits = first.low.clone();
    let mut decimals = 0;
    let mut end = at + 1;
    while let (Some(mark), Some(next)) = (tokens.get(end), tokens.get(end + 1)) {
        let joined = mark.glued
            && next.glued
            && next.shape == Shape::Number
            && matches!(mark.low.as_str(), "." | ",");
        if !joined || decimals > 0 || end > at + GROUPS {
            break;
        }
        if mark.is(",") && next.low.len() == 3 {
            digits.push_str(&next.low);
        } else {
            digits.push('.');
            digits.push_str(&next.low);
            decimals = next.low.len();
        }
        end += 2;
    }
    let value = digits
        .parse::<f64>()
        .ok()
        .filter(|value| value.is_finite())?;
    let half = 0.5 * 10f64.powi(-i32::try_from(decimals.min(12)).ok()?);
    Some((end, value, half))
}
