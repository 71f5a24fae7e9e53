//! Globs: patterns of the names that a rule is about. Names can be hostile, so matching
//! takes linear time in the name, whatever the glob.
//!
//! Crates for globs of files do not fit: here `?` is one character and not one byte, names
//! are not paths of this machine, and a listing asks whether a glob matches some, or all,
//! of the names that begin with a prefix.

use crate::domain::Segment;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt;

/// A pattern of names. Its characters mean:
///
/// | | |
/// |---|---|
/// | `*` | any characters but `/`, also none |
/// | `**` | any characters, also none |
/// | `**/` at the beginning or after a `/` | any folders, also none: `**/x` matches `x` too |
/// | `?` | one character but `/` |
/// | `\x` | the character `x`, whatever it is |
/// | `[`, `]`, `{`, `}` | reserved: written `\[` |
/// | anything else | itself; case matters |
///
/// `/` has no meaning but that `*` and `?` do not match it, since S3 has no folders:
/// `logs/*` matches `logs/a` and `logs/`, but not `logs/a/b`, which `logs/**` matches.
///
/// ```
/// use dialog2api::policy::Glob;
///
/// let logs = Glob::new("logs/*.txt")?;
/// assert!(logs.matches("logs/monday.txt") && !logs.matches("logs/old/monday.txt"));
/// assert!(logs.may_begin("logs/m") && !logs.may_begin("photos/"));
/// assert!(Glob::new("logs/**")?.covers("logs/"));
/// # Ok::<(), String>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Glob {
    text: String,
    pieces: Vec<Piece>,
    /// The literal characters at its beginning and at its end. Most names are decided by
    /// them alone.
    head: String,
    tail: String,
    /// The pieces between head and tail, if there is at most one.
    middle: Middle,
}

/// The pieces between the literal head and tail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Middle {
    Nothing,
    Segment,
    Deep,
    More,
}

/// The part of a text that a position in a glob matches.
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
    /// Stands before [`Piece::Folders`], which may match nothing.
    Maybe,
    /// `**/`: any text that ends with `/`.
    Folders,
}

/// The most characters of a glob.
const MOST_CHARS: usize = 1000;

/// Words with a bit for every position of the longest glob and its end.
const MOST_WORDS: usize = 16;

/// The set of positions that a glob can be at after some characters.
type Positions<const WORDS: usize> = [u64; WORDS];

/// The state of a glob after some characters.
struct After {
    /// The glob matches the characters.
    ended: bool,
    /// The glob matches some name that begins with the characters.
    alive: bool,
    /// The last piece may be next.
    last: bool,
}

impl Glob {
    /// Reads a glob.
    ///
    /// # Errors
    /// A sentence about the mistake.
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

    /// Whether the glob matches a name.
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

    /// Whether it matches nothing but this container or what is in it.
    pub fn is_within(&self, container: &str) -> bool {
        let rest = self.head.strip_prefix(container);
        rest.is_some_and(|rest| rest.starts_with('/') || rest.is_empty() && self.is_literal())
    }

    /// Whether all that it matches ends with `/`.
    pub fn ends_with_slash(&self) -> bool {
        self.text.ends_with('/')
    }

    /// The glob without the `/` at its end, if there is one.
    pub fn without_slash(&self) -> Option<Glob> {
        let text = self.text.strip_suffix('/')?;
        Glob::new(text).ok().filter(|_| !text.is_empty())
    }

    /// The one name that it matches, if it matches no other.
    pub fn literal(&self) -> Option<&str> {
        self.is_literal().then_some(&self.head)
    }

    /// Whether it matches one name alone.
    pub fn is_literal(&self) -> bool {
        self.middle == Middle::Nothing
    }

    /// Whether the glob matches at least one path of a form.
    pub fn meets(&self, form: &[Segment]) -> bool {
        let mut now = [0; MOST_WORDS];
        self.enter(&mut now, 0);
        for (number, segment) in form.iter().enumerate() {
            if number > 0 {
                now = self.stepped(&now, '/');
            }
            match segment {
                Segment::Text(text) => {
                    for c in text.chars() {
                        now = self.stepped(&now, c);
                    }
                }
                Segment::Value => now = self.anything(now, false),
                Segment::Path => now = self.anything(now, true),
            }
        }
        has(&now, self.pieces.len())
    }

    /// The positions after some characters: one at least if they have no `/`.
    fn anything(&self, from: Positions<MOST_WORDS>, has_slash: bool) -> Positions<MOST_WORDS> {
        // A character that no glob has stands for those that nothing but a wildcard matches.
        let known = self.pieces.iter().filter_map(|piece| match piece {
            Piece::Literal(c) => Some(*c),
            _ => None,
        });
        let all = known.chain(['\u{ffff}', '/']);
        let all: BTreeSet<char> = all.filter(|c| has_slash || *c != '/').collect();
        let with_one_more = |before: &Positions<MOST_WORDS>, mut found: Positions<MOST_WORDS>| {
            for c in &all {
                for (word, more) in found.iter_mut().zip(self.stepped(before, *c)) {
                    *word |= more;
                }
            }
            found
        };
        let mut found = match has_slash {
            true => from,
            false => with_one_more(&from, [0; MOST_WORDS]),
        };
        loop {
            let more = with_one_more(&found, found);
            if more == found {
                return found;
            }
            found = more;
        }
    }

    /// The positions after one more character.
    fn stepped<const WORDS: usize>(&self, now: &Positions<WORDS>, c: char) -> Positions<WORDS> {
        let mut next = [0; WORDS];
        for (index, word) in now.iter().enumerate() {
            let mut word = *word;
            while word != 0 {
                let at = index * 64 + word.trailing_zeros() as usize;
                word &= word - 1;
                self.step(&mut next, at, c);
            }
        }
        next
    }

    /// Whether the glob matches at least one name that begins with `prefix`.
    pub fn may_begin(&self, prefix: &str) -> bool {
        // Every position can be continued to the end.
        self.after(prefix).alive
    }

    /// Whether the glob matches every name that begins with `prefix`. Exact for globs that
    /// end with `**`; an odd glob that matches everything in another way can give `false`.
    pub fn covers(&self, prefix: &str) -> bool {
        self.pieces.last() == Some(&Piece::Deep) && self.after(prefix).last
    }

    /// The state after these characters.
    fn after(&self, text: &str) -> After {
        // Most globs are short, and one word is much faster than an array.
        if self.pieces.len() < 64 {
            self.run::<1>(text)
        } else {
            self.run::<MOST_WORDS>(text)
        }
    }

    fn run<const WORDS: usize>(&self, text: &str) -> After {
        let mut now = [0; WORDS];
        self.enter(&mut now, 0);
        for c in text.chars() {
            now = self.stepped(&now, c);
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

    /// Adds the positions that one character leads to from `at`.
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

    /// Adds a position, and those that follow it without a character.
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
