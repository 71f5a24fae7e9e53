//! Whether a row has a value.

use super::{Judge, Ruling};
use crate::SlotKind;
use crate::analysis::{Name, Value};
use crate::catalogue::{address, canonical};
use crate::claim::ClaimRule;
use crate::spans::national;

/// Words of an address that say nothing, in canonical form.
const NOISE: [&str; 10] = [
    "city",
    "centre",
    "center",
    "cambridge",
    "town",
    "uk",
    "of",
    "in",
    "england",
    "the",
];

impl Judge<'_> {
    pub(crate) fn slot(&self, who: &[Name], slot: &str, value: &Value, negated: bool) -> Ruling {
        let rows = self.rows(who);
        let known = rows
            .iter()
            .filter(|row| self.catalogue.value(self.base, **row, slot).is_some())
            .copied()
            .collect::<Vec<_>>();
        let unjudged =
            matches!(value, Value::Words(values) if values.iter().any(|value| value == "?"));
        let in_kb = negated || unjudged || self.vocabulary(slot, value);
        // "The phone number of X is not available."
        if negated && matches!(value, Value::Words(values) if values.is_empty()) {
            let has = !known.is_empty();
            return Ruling {
                truth: (!rows.is_empty()).then_some(!has),
                in_kb,
                rule: if has {
                    ClaimRule::Equal
                } else {
                    ClaimRule::NoRow
                },
                rows: known,
            };
        }
        if unjudged || known.is_empty() {
            let rule = if unjudged {
                ClaimRule::Unjudged
            } else {
                ClaimRule::Unknown
            };
            return Ruling {
                truth: None,
                in_kb,
                rule,
                rows,
            };
        }
        let fits = known
            .iter()
            .filter(|row| self.has(**row, slot, value))
            .copied()
            .collect::<Vec<_>>();
        let has = !fits.is_empty();
        // What is true in the base occurs in it, also by the words of another slot.
        let in_kb = in_kb || has;
        if !has && !negated && self.in_name(&known, slot, value) {
            return Ruling {
                truth: None,
                in_kb: true,
                rule: ClaimRule::Unjudged,
                rows: known,
            };
        }
        let rule = if has {
            ClaimRule::Equal
        } else {
            ClaimRule::Differs
        };
        Ruling {
            truth: Some(has != negated),
            in_kb,
            rule,
            rows: if has { fits } else { known },
        }
    }

    /// Whether the name of a row says a value that its slot does not: *Thai Palace serves Thai food*.
    fn in_name(&self, rows: &[usize], slot: &str, value: &Value) -> bool {
        let (Value::Words(values), Some(slot)) = (value, self.schema.slot(slot)) else {
            return false;
        };
        // Of a place and of a price a name says nothing.
        if slot.place || slot.others {
            return false;
        }
        rows.iter().any(|row| {
            let name = self.catalogue.name(*row).to_lowercase();
            let mut words = name.split(|c: char| !c.is_alphanumeric());
            words.any(|word| values.iter().any(|value| value == word))
        })
    }

    pub(super) fn vocabulary(&self, slot: &str, value: &Value) -> bool {
        if let Value::Words(values) = value {
            let stands = self.catalogue.with(self.base, slot, values).contains(&true);
            let slot = self.schema.slot(slot);
            if stands || slot.is_none_or(|slot| slot.also.is_empty()) {
                return stands;
            }
        }
        (0..self.catalogue.rows().len()).any(|row| self.has(row, slot, value))
    }

    pub(super) fn has(&self, row: usize, slot: &str, value: &Value) -> bool {
        let Some(text) = self.catalogue.value(self.base, row, slot) else {
            return false;
        };
        if self
            .schema
            .slot(slot)
            .is_some_and(|slot| slot.kind == SlotKind::Address)
            && let (Value::Address(said), Some(words)) =
                (value, self.catalogue.places.words.get(row))
        {
            return stands(said, words);
        }
        let also = self
            .schema
            .slot(slot)
            .map(|slot| slot.also.as_slice())
            .unwrap_or_default();
        let also = also.iter().any(|also| {
            let said = matches!(value, Value::Words(values) if values.contains(&also.value));
            said && self
                .catalogue
                .value(self.base, row, &also.slot)
                .is_some_and(|text| text.to_lowercase().contains(&also.contains))
        });
        also || self.says(slot, value, &text.to_lowercase())
    }

    /// Whether a text says a value.
    pub(super) fn says(&self, _slot: &str, value: &Value, text: &str) -> bool {
        let plain = || {
            text.chars()
                .filter(|c| c.is_alphanumeric())
                .collect::<String>()
        };
        match value {
            Value::Words(values) => values.iter().any(|value| value == text),
            Value::Phone(code) => *code == phone(text),
            Value::Postcode(code) => *code == plain(),
            Value::Address(said) => stands(said, &address(text)),
            Value::Quantity(quantity) => quantity.is(text),
        }
    }
}

/// A row's phone number, as those of replies are read.
fn phone(text: &str) -> String {
    let digits = text.chars().filter(char::is_ascii_digit);
    let plus = text.trim_start_matches(['(', ' ']).starts_with('+');
    national(&digits.collect::<String>(), plus)
}

/// Whether every word of a said address that counts stands in an address. Places beside two
/// other words are noise.
fn stands(said: &[String], words: &[String]) -> bool {
    let content = said
        .iter()
        .map(|word| canonical(word))
        .filter(|word| !NOISE.contains(&word.as_str()))
        .collect::<Vec<_>>();
    let times = |list: &[String], word: &String| list.iter().filter(|other| *other == word).count();
    let number = |word: &String| word.bytes().all(|byte| byte.is_ascii_digit());
    let missing = content
        .iter()
        .filter(|word| {
            !words.contains(word) || number(word) && times(&content, word) > times(words, word)
        })
        .collect::<Vec<_>>();
    let place = |word: &&String| {
        matches!(
            word.as_str(),
            "chesterton" | "cherry" | "hinton" | "fen" | "ditton" | "newnham"
        )
    };
    let left = content.len() - missing.len();
    !content.is_empty() && (missing.is_empty() || (left >= 2 && missing.iter().all(place)))
}
