//! Numbers as people write them: `12,049`, `three`, `1.2 MB`, `50 %`.

use super::tokens::{TokenKind, Word};
use typed_claims::NUMBER_WORDS;

/// A number that a text states.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Number {
    pub value: f64,
    /// The number of decimals, to which it may be rounded.
    pub decimals: u32,
    pub unit: Unit,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    None,
    /// The power: 1 for KB and KiB, 2 for MB and MiB. People use either for both 1000 and
    /// 1024.
    Bytes(u32),
    Percent,
}

/// The number that these words start with, and how many words it consists of.
pub(super) fn read(words: &[Word<'_>]) -> Option<(TokenKind, usize)> {
    let first = words.first()?;
    if let Some(value) = word(first.text) {
        let number = Number::plain(value);
        return Some((TokenKind::Number(number), 1));
    }
    let text = first
        .text
        .strip_prefix(['~', '+', '$', '€', '£', '≈', '-', '−']);
    let text = text.unwrap_or(first.text);
    let digits = text.trim_end_matches(|c: char| c.is_alphabetic() || c == '%');
    let (value, decimals) = parse(digits)?;
    let mut number = Number {
        decimals,
        ..Number::plain(value)
    };
    match text.get(digits.len()..).unwrap_or_default() {
        "" => {
            let next = words.get(1).and_then(|next| unit(next.text));
            if let Some(unit) = next {
                number.unit = unit;
                return Some((TokenKind::Number(number), 2));
            }
        }
        "st" | "nd" | "rd" | "th" => return Some((TokenKind::Ordinal(number), 1)),
        // `3x` and `5xx` are not amounts.
        suffix => number.unit = unit(suffix)?,
    }
    Some((TokenKind::Number(number), 1))
}

fn parse(digits: &str) -> Option<(f64, u32)> {
    let plain = digits.replace(',', "");
    if !plain.starts_with(|c: char| c.is_ascii_digit())
        || !plain.chars().all(|c| c.is_ascii_digit() || c == '.')
    {
        return None;
    }
    let decimals = plain
        .split_once('.')
        .map_or(0, |(_, decimals)| decimals.len());
    Some((plain.parse().ok()?, u32::try_from(decimals).ok()?))
}

fn unit(text: &str) -> Option<Unit> {
    Some(match text.to_lowercase().as_str() {
        "%" | "percent" => Unit::Percent,
        "b" | "byte" | "bytes" => Unit::Bytes(0),
        "kb" | "kib" | "kilobyte" | "kilobytes" => Unit::Bytes(1),
        "mb" | "mib" | "megabyte" | "megabytes" => Unit::Bytes(2),
        "gb" | "gib" | "gigabyte" | "gigabytes" => Unit::Bytes(3),
        "tb" | "tib" | "terabyte" | "terabytes" => Unit::Bytes(4),
        _ => return None,
    })
}

const TENS: &[&str] = &[
    "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
];

fn word(text: &str) -> Option<f64> {
    let text = text.to_lowercase();
    let place = |words: &[&str], text: &str| {
        let place = words.iter().position(|word| *word == text)?;
        u8::try_from(place).ok().map(f64::from)
    };
    // `one` is left out, since it is usually a pronoun.
    if let Some(number) = place(&NUMBER_WORDS, &text).filter(|number| *number > 1.0) {
        return Some(number);
    }
    let (tens, ones) = text.split_once('-').unwrap_or((&text, ""));
    let tens = place(TENS, tens)? * 10.0 + 20.0;
    match ones {
        "" => Some(tens),
        ones => Some(tens + place(NUMBER_WORDS.get(1..10)?, ones)? + 1.0),
    }
}

impl Number {
    /// A number without decimals or unit.
    pub(super) fn plain(value: f64) -> Self {
        Number {
            value,
            decimals: 0,
            unit: Unit::None,
        }
    }

    /// Whether this is exactly the value.
    pub(super) fn is(&self, value: f64) -> bool {
        self.value.to_bits() == value.to_bits()
    }

    /// Whether this is the number of a fact, rounded to this one's decimals and unit.
    pub(super) fn states(&self, fact: &Number) -> bool {
        match (self.unit, fact.unit) {
            (Unit::Percent, Unit::Percent) => self.rounds(fact.value),
            (Unit::Percent, _) => self.rounds(fact.value) || self.rounds(fact.value * 100.0),
            (Unit::Bytes(power @ 1..), _) => {
                let mut sizes = fact.sizes().into_iter();
                sizes.any(|size| [1000.0_f64, 1024.0].iter().any(|k| self.rounds(size / k.powf(f64::from(power)))))
                    // "the 5 MB ones" of a result that says only `5`.
                    || fact.unit == Unit::None && self.rounds(fact.value)
            }
            _ => self.rounds(fact.value) || fact.sizes().into_iter().any(|size| self.rounds(size)),
        }
    }

    fn rounds(&self, value: f64) -> bool {
        let shift = 10_f64.powf(f64::from(self.decimals));
        let exact = self.decimals == 0 && !matches!(self.unit, Unit::Bytes(1..) | Unit::Percent);
        if exact {
            self.is(value)
        } else {
            // Rounded up, down or to the nearest.
            (self.value - value).abs() * shift <= 0.5 + 1e-6
        }
    }

    /// The sizes in bytes that this can mean.
    fn sizes(self) -> Vec<f64> {
        match self.unit {
            Unit::Bytes(power @ 1..) => [1000.0_f64, 1024.0]
                .iter()
                .map(|k| self.value * k.powf(f64::from(power)))
                .collect(),
            _ => vec![self.value],
        }
    }
}
