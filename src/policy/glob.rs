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
    /// The characters that it begins with, and those that it ends with. Most names are
    /// told by them alone.
    head: String,
    tail: String,
    /// What is between, where it is at most one piece.
    middle: Middle,
}

/// What is between the characters at the beginning and the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Middle {
    Nothing,
    Segment,
    Deep,
    More,
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
const MOST_WORDS: usize = 16;

/// The positions at which a glob can be after some characters, as bits.
type Positions<const WORDS: usize> = [u64; WORDS];

/// What is known of a glob after some characters.
struct After {
    /// It can be at its end.
    ended: bool,
    /// It can end.
    alive: bool,
    /// It can be before its last piece.
    last: bool,
}

impl Glob {
    /// Reads a glob.
    ///
    /// # Errors
    /// A sentence on what it should be.
    pub fn new(text: impl Into<String>) -> Result<Self, String> {
        let text = text.into();
        let pieces = read(&text)?;
        let literal = |piece: &Piece| match piece {
            Piece::Literal(c) => Some(*c),
            _ => None,
        };
        let head: Vec<char> = pieces.iter().map_while(literal).collect();
        let rest = pieces.get(head.len()..).unwrap_or_default();
        let mut tail: Vec<char> = rest.iter().rev().map_while(literal).collect();
        tail.reverse();
        let middle = match rest.get(..rest.len() - tail.len()).unwrap_or_default() {
            [] => Middle::Nothing,
            [Piece::Segment] => Middle::Segment,
            [Piece::Deep] => Middle::Deep,
            _ => Middle::More,
        };
        let (head, tail) = (head.into_iter().collect(), tail.into_iter().collect());
        Ok(Glob {
            text,
            pieces,
            head,
            tail,
            middle,
        })
    }

    /// Whether a name is one of those that the glob means.
    pub fn matches(&self, name: &str) -> bool {
        let rest = name.strip_prefix(&self.head);
        let Some(rest) = rest.and_then(|rest| rest.strip_suffix(&self.tail)) else {
            return false;
        };
        match self.middle {
            Middle::Nothing => rest.is_empty(),
            Middle::Segment => !rest.contains('/'),
            Middle::Deep => true,
            Middle::More => self.after(name).ended,
        }
    }

    /// Whether it means at least one name that begins so.
    pub fn may_begin(&self, prefix: &str) -> bool {
        // From every position some characters lead to the end.
        self.after(prefix).alive
    }

    /// Whether it means every name that begins so. What ends with `**` is recognised;
    /// of an odd glob that does so in another way it may be said that it does not.
    pub fn covers(&self, prefix: &str) -> bool {
        self.pieces.last() == Some(&Piece::Deep) && self.after(prefix).last
    }

    /// Where it can be after these characters.
    fn after(&self, text: &str) -> After {
        // Most are short, and a word is much faster than an array.
        match self.pieces.len() < 64 {
            true => self.run::<1>(text),
            false => self.run::<MOST_WORDS>(text),
        }
    }

    fn run<const WORDS: usize>(&self, text: &str) -> After {
        let mut now = [0; WORDS];
        self.enter(&mut now, 0);
        for c in text.chars() {
            let mut next = [0; WORDS];
            for (index, word) in now.iter().enumerate() {
                let mut word = *word;
                while word != 0 {
                    let at = index * 64 + word.trailing_zeros() as usize;
                    word &= word - 1;
                    self.step(&mut next, at, c);
                }
            }
            now = next;
            if now == [0; WORDS] {
                break;
            }
        }
        let end = self.pieces.len();
        After {
            ended: has(&now, end),
            alive: now != [0; WORDS],
            last: end > 0 && has(&now, end - 1),
        }
    }

    /// Takes one character at one position.
    fn step<const WORDS: usize>(&self, next: &mut Positions<WORDS>, at: usize, c: char) {
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
    }

    /// Is at a position, and at those that it leads to without a character.
    fn enter<const WORDS: usize>(&self, positions: &mut Positions<WORDS>, mut at: usize) {
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
                    // The folders lead nowhere without a character.
                    let folders = at + 1;
                    if let Some(word) = positions.get_mut(folders / 64) {
                        *word |= 1 << (folders % 64);
                    }
                    at += 2;
                }
                _ => return,
            }
        }
    }
}

fn has<const WORDS: usize>(positions: &Positions<WORDS>, at: usize) -> bool {
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
