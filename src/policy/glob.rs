//! Globs: which names a rule is about. Names are hostile, so that the time is linear in
//! them, whatever the glob.
//!
//! It is not a glob of files, and no crate for those is used: here `?` is one character
//! and not one byte, names are no paths of this machine, and it can be asked what a glob
//! makes of *all* names that begin alike, which a listing shows.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A pattern of names. What its characters mean:
///
/// | | |
/// |---|---|
/// | `*` | any characters but `/`, also none |
/// | `**` | any characters, also none |
/// | `**/` at the beginning or behind a `/` | any folders, also none: `**/x` is also `x` |
/// | `?` | one character but `/` |
/// | `\x` | the character `x`, whatever it is |
/// | `[`, `]`, `{`, `}` | reserved: written `\[` |
/// | anything else | itself, capitals told from small letters |
///
/// `/` ends what `*` and `?` stand for and means nothing else: S3 has no folders, and
/// `logs/*` is `logs/a` and `logs/` but not `logs/a/b`, which is in `logs/**`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Glob {
    text: String,
    pieces: Vec<Piece>,
}

/// What a position in a glob takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Piece {
    /// This character.
    Literal(char),
    /// `?`
    One,
    /// `*`
    Segment,
    /// `**`
    Deep,
    /// Before [`Piece::Folders`]: it may be left out.
    Maybe,
    /// `**/`: anything that ends with a `/`.
    Folders,
}

/// The longest glob, in characters.
const MOST_CHARS: usize = 1000;

/// Bits for every position of the longest glob and its end.
const WORDS: usize = 16;

/// The positions at which a glob can be after some characters.
type Positions = [u64; WORDS];

impl Glob {
    /// Reads a glob.
    ///
    /// # Errors
    /// A sentence on what it should be.
    pub fn new(text: impl Into<String>) -> Result<Self, String> {
        let text = text.into();
        let pieces = read(&text)?;
        Ok(Glob { text, pieces })
    }

    /// Whether a name is one of those that the glob means.
    pub fn matches(&self, name: &str) -> bool {
        has(&self.after(name), self.pieces.len())
    }

    /// Whether it means at least one name that begins so.
    pub fn may_begin(&self, prefix: &str) -> bool {
        // From every position some characters lead to the end.
        self.after(prefix).iter().any(|word| *word != 0)
    }

    /// Whether it means every name that begins so. What ends with `**` is recognised;
    /// of an odd glob that does so in another way it may be said that it does not.
    pub fn covers(&self, prefix: &str) -> bool {
        let last = self.pieces.len().wrapping_sub(1);
        self.pieces.last() == Some(&Piece::Deep) && has(&self.after(prefix), last)
    }

    /// Where it can be after these characters.
    fn after(&self, text: &str) -> Positions {
        let words = self.pieces.len() / 64 + 1;
        let mut now = [0; WORDS];
        self.enter(&mut now, 0);
        for c in text.chars() {
            let mut next = [0; WORDS];
            let mut alive = false;
            for (index, word) in now.iter().enumerate().take(words) {
                let mut word = *word;
                while word != 0 {
                    let at = index * 64 + word.trailing_zeros() as usize;
                    word &= word - 1;
                    alive |= self.step(&mut next, at, c);
                }
            }
            if !alive {
                return next;
            }
            now = next;
        }
        now
    }

    /// Takes one character at one position; whether that leads anywhere.
    fn step(&self, next: &mut Positions, at: usize, c: char) -> bool {
        let (stays, goes) = match self.pieces.get(at) {
            Some(Piece::Literal(literal)) => (false, *literal == c),
            Some(Piece::One) => (false, c != '/'),
            Some(Piece::Segment) => (c != '/', false),
            Some(Piece::Deep) => (true, false),
            Some(Piece::Folders) => (true, c == '/'),
            Some(Piece::Maybe) | None => (false, false),
        };
        if stays {
            self.enter(next, at);
        }
        if goes {
            self.enter(next, at + 1);
        }
        stays || goes
    }

    /// Is at a position, and at those that it leads to without a character.
    fn enter(&self, positions: &mut Positions, mut at: usize) {
        loop {
            let Some(word) = positions.get_mut(at / 64) else {
                return;
            };
            let bit = 1 << (at % 64);
            if *word & bit != 0 {
                return;
            }
            *word |= bit;
            match self.pieces.get(at) {
                Some(Piece::Segment | Piece::Deep) => at += 1,
                Some(Piece::Maybe) => {
                    // The folders themselves lead nowhere without a character.
                    self.enter_alone(positions, at + 1);
                    at += 2;
                }
                _ => return,
            }
        }
    }

    fn enter_alone(&self, positions: &mut Positions, at: usize) {
        if let Some(word) = positions.get_mut(at / 64) {
            *word |= 1 << (at % 64);
        }
    }
}

fn has(positions: &Positions, at: usize) -> bool {
    (positions.get(at / 64)).is_some_and(|word| word & (1 << (at % 64)) != 0)
}

fn read(text: &str) -> Result<Vec<Piece>, String> {
    if text.is_empty() {
        return Err("an empty glob means nothing: \"**\" is every name".to_owned());
    }
    if text.chars().count() > MOST_CHARS {
        return Err(format!(
            "a glob has at most {MOST_CHARS} characters, and this one has more"
        ));
    }
    let mut pieces = Vec::new();
    let mut chars = text.chars().peekable();
    // At the beginning, or behind a `/`.
    let mut fresh = true;
    while let Some(c) = chars.next() {
        let was_fresh = std::mem::replace(&mut fresh, c == '/');
        let piece = match c {
            '*' => {
                let mut deep = false;
                while chars.next_if_eq(&'*').is_some() {
                    deep = true;
                }
                match deep {
                    false => Piece::Segment,
                    true if was_fresh && chars.next_if_eq(&'/').is_some() => {
                        fresh = true;
                        pieces.push(Piece::Maybe);
                        Piece::Folders
                    }
                    true => Piece::Deep,
                }
            }
            '?' => Piece::One,
            '[' | ']' | '{' | '}' => {
                return Err(format!(
                    "in {text:?}, {c} is reserved: write \\{c} for the character, and a glob \
                     each for several names"
                ));
            }
            '\\' => {
                let escaped = chars.next();
                let escaped = escaped.ok_or_else(|| {
                    format!("{text:?} ends with a \\ that stands before nothing: \\\\ is a \\")
                })?;
                fresh = escaped == '/';
                Piece::Literal(escaped)
            }
            _ => Piece::Literal(c),
        };
        pieces.push(piece);
    }
    Ok(pieces)
}

impl TryFrom<String> for Glob {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        Glob::new(text)
    }
}

impl From<Glob> for String {
    fn from(glob: Glob) -> String {
        glob.text
    }
}

impl fmt::Display for Glob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
