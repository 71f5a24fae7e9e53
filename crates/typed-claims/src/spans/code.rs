//! References, phone numbers and postcodes.

use super::{Reader, Reading, What};
use crate::SlotKind;
use crate::lexicon::Cue;
use crate::text::{Shape, Token};

const PHONE: std::ops::RangeInclusive<usize> = 9..=12;
const REFERENCE: std::ops::RangeInclusive<usize> = 6..=10;
/// The most tokens of a code that is written in pieces.
const PIECES: usize = 14;

impl Reader<'_> {
    /// What stands behind *reference number is*.
    pub(super) fn references(&self, reading: &mut Reading<'_>) {
        for hit in reading.cues.all(Cue::Reference).to_vec() {
            let mut at = hit.end;
            while matches!(reading.low(at), ":" | "#" | "is" | "*" | "\"" | "'") {
                at += 1;
            }
            let Some(token) = reading.tokens.get(at) else {
                continue;
            };
            let digit = token.text.bytes().any(|b| b.is_ascii_digit());
            let capitals = token.capitals() && REFERENCE.contains(&token.text.len());
            if token.solid()
                && (capitals || (token.text.len() >= 4 && digit && alone(&reading.tokens, at)))
            {
                let value = token.text.to_owned();
                reading.claim(What::Ref(value), at..at + 1);
            }
        }
    }

    /// Phone numbers and postcodes, then other tokens that look like references.
    pub(super) fn codes(&self, reading: &mut Reading<'_>) {
        let phones = self.schema.of(SlotKind::Phone).next().is_some();
        let prefixes = self
            .schema
            .of(SlotKind::Postcode)
            .map(|(_, slot)| slot.prefix.clone())
            .collect::<Vec<_>>();
        let mut at = 0;
        while at < reading.tokens.len() {
            let code = phones.then(|| phone(&reading.tokens, at)).flatten();
            let code = code.map(|(end, value)| (end, What::Phone(value)));
            let code = code.or_else(|| {
                let found = prefixes
                    .iter()
                    .find_map(|prefix| postcode(&reading.tokens, at, prefix));
                found.map(|(end, value)| (end, What::Postcode(value)))
            });
            match code {
                Some((end, what)) => {
                    at = if reading.claim(what, at..end) {
                        end
                    } else {
                        at + 1
                    }
                }
                None => at += 1,
            }
        }
        for at in 0..reading.tokens.len() {
            let Some(token) = reading.tokens.get(at) else {
                continue;
            };
            let text = token.text;
            let mixed = text.bytes().any(|b| b.is_ascii_digit())
                && text.bytes().any(|b| b.is_ascii_uppercase());
            if mixed
                && token.capitals()
                && REFERENCE.contains(&text.len())
                && alone(&reading.tokens, at)
            {
                let value = text.to_owned();
                reading.claim(What::Ref(value), at..at + 1);
            }
        }
    }
}

/// Whether a token is no part of a longer code or number.
fn alone(tokens: &[Token<'_>], at: usize) -> bool {
    let next = tokens
        .get(at + 1)
        .is_some_and(|next| next.shape == Shape::Number && next.low.len() >= 3);
    let joined = |at: usize| {
        tokens
            .get(at)
            .is_some_and(|mark| mark.glued && matches!(mark.low.as_str(), "/" | "_" | "-"))
            && tokens
                .get(at + 1)
                .is_some_and(|next| next.glued && next.solid())
    };
    !next && !joined(at + 1)
}

/// A phone number that begins here: the token behind it and its digits.
fn phone(tokens: &[Token<'_>], start: usize) -> Option<(usize, String)> {
    let first = tokens.get(start)?;
    let opens = first.shape == Shape::Number
        || ((first.is("+") || first.is("("))
            && tokens
                .get(start + 1)
                .is_some_and(|next| next.shape == Shape::Number));
    let before = start.checked_sub(1).and_then(|at| tokens.get(at));
    if !opens
        || (before.is_some_and(|before| before.shape == Shape::Number)
            && first.shape == Shape::Number)
    {
        return None;
    }
    let mut digits = String::new();
    let mut best = None;
    for (at, token) in tokens.iter().enumerate().skip(start).take(PIECES) {
        match token.shape {
            Shape::Number => {
                digits.push_str(&token.low);
                let number = national(&digits, first.is("+"));
                // The 0 that a number is given counts as little as one that it has.
                let bare = if digits.starts_with('0') && !digits.starts_with("00") {
                    digits.len()
                } else {
                    number.len() - 1
                };
                if PHONE.contains(&bare) {
                    best = Some((at + 1, number));
                }
            }
            Shape::Mark if matches!(token.low.as_str(), "." | "-" | "(" | ")" | "+" | "/") => {}
            _ => break,
        }
    }
    best
}

/// A phone number as it is compared: with a leading 0, without the country's `44`, which stands behind
/// a plus or `00`, or makes it as long as no number without it.
pub(crate) fn national(digits: &str, plus: bool) -> String {
    let abroad = digits.strip_prefix("00").or(plus.then_some(digits));
    let long = || (digits.len() == *PHONE.end()).then_some(digits);
    let bare = match abroad {
        Some(abroad) => abroad.strip_prefix("44").unwrap_or(abroad),
        None => long()
            .and_then(|digits| digits.strip_prefix("44"))
            .unwrap_or(digits),
    };
    format!("0{}", bare.strip_prefix('0').unwrap_or(bare))
}

/// A postcode that begins here: the token behind it, its letters and digits.
fn postcode(tokens: &[Token<'_>], start: usize, prefix: &str) -> Option<(usize, String)> {
    if prefix.is_empty() || !tokens.get(start)?.solid() {
        return None;
    }
    let mut value = String::new();
    for (at, token) in tokens.iter().enumerate().skip(start).take(PIECES) {
        match token.shape {
            Shape::Word | Shape::Number => value.push_str(&token.low),
            Shape::Mark if matches!(token.low.as_str(), "." | "," | "-") => continue,
            _ => return None,
        }
        let (head, tail) = (
            value.len().min(prefix.len()),
            value.get(prefix.len()..).unwrap_or(""),
        );
        if value.get(..head) != prefix.get(..head) {
            return None;
        }
        let digits = tail.trim_end_matches(|c: char| c.is_ascii_lowercase());
        let letters = tail.len() - digits.len();
        if !digits.bytes().all(|b| b.is_ascii_digit()) || letters > 2 || digits.len() > 3 {
            return None;
        }
        if letters == 2 && digits.len() >= 2 {
            return Some((at + 1, value));
        }
    }
    None
}
