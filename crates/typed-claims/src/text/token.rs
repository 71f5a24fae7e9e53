//! Text to tokens. A token knows its place in the text, so nothing maps offsets.

use std::ops::Range;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// What a token is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Letters, or letters and digits.
    Word,
    /// Digits alone.
    Number,
    /// One sign.
    Mark,
    /// The end of a line.
    Break,
}

/// A word, a number or a sign of a text.
#[derive(Debug, Clone)]
pub(crate) struct Token<'a> {
    /// As written.
    pub text: &'a str,
    /// In lower case and NFC, with plain quotes and dashes. The contractions are tokens of
    /// their own: `do` `n't`, `it` `'s`.
    pub low: String,
    /// Its bytes in the text.
    pub range: Range<usize>,
    pub shape: Shape,
    /// No blank stands before it.
    pub glued: bool,
}

impl Token<'_> {
    /// Whether it begins with a capital.
    pub fn capital(&self) -> bool {
        self.text.chars().next().is_some_and(char::is_uppercase)
    }

    /// Whether it is written in capitals and digits only.
    pub fn capitals(&self) -> bool {
        let fits = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit();
        !self.text.is_empty() && self.text.chars().all(fits)
    }

    /// Whether it is this sign or word.
    pub fn is(&self, low: &str) -> bool {
        self.low == low
    }

    /// Whether it is a word or a number.
    pub fn solid(&self) -> bool {
        matches!(self.shape, Shape::Word | Shape::Number)
    }
}

/// The tokens of a text, in order.
pub(crate) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut found: Vec<Token<'_>> = Vec::with_capacity(text.len() / 4);
    let mut at = 0;
    let mut glued = true;
    while let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) {
        let end = at + c.len_utf8();
        if c == '\n' {
            push(&mut found, text, at..end, "\n".into(), Shape::Break, glued);
            glued = true;
            at = end;
        } else if c.is_whitespace() || matches!(c, '\u{200b}' | '\u{feff}') {
            glued = false;
            at = end;
        } else if in_word(c) {
            let end = at + run(&text[at..]);
            let word = &text[at..end];
            let digits = word.bytes().all(|b| b.is_ascii_digit());
            let shape = if digits { Shape::Number } else { Shape::Word };
            push(&mut found, text, at..end, lower(word), shape, glued);
            glued = true;
            at = end;
        } else {
            let sign = plain(c);
            let suffix = (sign == '\'').then(|| contraction(&text[end..])).flatten();
            let after_word = found.last().is_some_and(|last| last.shape == Shape::Word);
            if let Some(suffix) = suffix.filter(|_| after_word) {
                at = contract(&mut found, text, at, end + suffix, glued);
            } else {
                push(&mut found, text, at..end, sign.into(), Shape::Mark, glued);
                at = end;
            }
            glued = true;
        }
    }
    found
}

fn push<'a>(
    found: &mut Vec<Token<'a>>,
    text: &'a str,
    range: Range<usize>,
    low: String,
    shape: Shape,
    glued: bool,
) {
    let text = &text[range.clone()];
    found.push(Token {
        text,
        low,
        range,
        shape,
        glued,
    });
}

fn in_word(c: char) -> bool {
    c.is_alphanumeric() || (!c.is_ascii() && is_combining_mark(c))
}

/// The bytes of the word with which a text begins.
fn run(text: &str) -> usize {
    text.find(|c: char| !in_word(c)).unwrap_or(text.len())
}

/// The bytes of the contraction behind an apostrophe: `s`, `re`, `t` and the like.
fn contraction(rest: &str) -> Option<usize> {
    let length = run(rest);
    let known = ["s", "re", "ll", "ve", "m", "d", "t", "S"];
    known.contains(&rest.get(..length)?).then_some(length)
}

/// Adds a contraction. That of *not* takes the *n* of the word before.
fn contract<'a>(
    found: &mut Vec<Token<'a>>,
    text: &'a str,
    at: usize,
    end: usize,
    glued: bool,
) -> usize {
    let low = format!(
        "'{}",
        text[at..end].trim_start_matches(|c: char| !c.is_alphanumeric())
    )
    .to_lowercase();
    let mut start = at;
    let mut spelt = low;
    let mut glue = glued;
    if spelt == "'t"
        && let Some(last) = found.last_mut().filter(|last| last.low.ends_with('n'))
    {
        start = last.range.end - 1;
        spelt = "n't".into();
        if last.low == "n" {
            glue = last.glued;
            found.pop();
        } else {
            glue = true;
            last.range.end = start;
            last.text = &text[last.range.clone()];
            last.low.pop();
        }
    }
    push(found, text, start..end, spelt, Shape::Word, glue);
    end
}

fn lower(word: &str) -> String {
    if word.is_ascii() {
        return word.to_ascii_lowercase();
    }
    word.nfc().flat_map(char::to_lowercase).collect()
}

/// The plain form of typographic quotes and dashes.
fn plain(c: char) -> char {
    match c {
        '\u{2018}' | '\u{2019}' | '\u{201b}' | '`' | '\u{b4}' => '\'',
        '\u{201c}' | '\u{201d}' | '\u{201e}' | '\u{ab}' | '\u{bb}' => '"',
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        other => other,
    }
}

/// A word as names are compared: without accents, `st` for `saint`.
pub(crate) fn key(low: &str) -> String {
    match low {
        "&" => return "and".into(),
        "st" => return "saint".into(),
        _ => {}
    }
    if low.is_ascii() {
        return low.chars().filter(|c| *c != '\'').collect();
    }
    low.nfd()
        .filter(|c| !is_combining_mark(*c) && *c != '\'')
        .collect()
}
