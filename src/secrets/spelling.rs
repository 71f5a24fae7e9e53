//! The spellings of a secret in the texts of others: raw, percent-encoded once or more, with
//! the escapes of JSON and of HTML, and in Base64.

/// The deepest nesting of links within links that is followed.
const DEPTH: usize = 6;
/// The most backslashes that stand for one, in JSON within JSON.
const SLASHES: usize = 16;

/// A text to be found in any spelling of its characters.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Needle {
    characters: Vec<char>,
    /// Whether it is found only where no letter or digit is beside it.
    is_word: bool,
    /// Whether large and small letters are the same.
    folds: bool,
    /// Whether lines may break within it.
    breaks: bool,
    /// From how many characters on its beginning is found, too.
    enough: usize,
}

impl Needle {
    /// A secret as it is.
    pub(super) fn plain(secret: &str, is_word: bool) -> Self {
        Needle {
            characters: secret.chars().collect(),
            is_word,
            folds: false,
            breaks: false,
            enough: usize::MAX,
        }
    }

    /// A secret of which so many characters at its beginning are one, too.
    pub(super) fn begun(secret: &str, enough: usize) -> Self {
        Needle {
            enough,
            ..Needle::plain(secret, false)
        }
    }

    /// A secret in hexadecimal digits.
    pub(super) fn hexadecimal(digits: &str, is_word: bool) -> Self {
        Needle {
            folds: true,
            ..Needle::plain(digits, is_word)
        }
    }

    /// A secret in Base64, which may be broken into lines.
    pub(super) fn base64(digits: &str, is_word: bool) -> Self {
        Needle {
            breaks: true,
            ..Needle::plain(digits, is_word)
        }
    }

    /// The number of its characters.
    pub(super) fn len(&self) -> usize {
        self.characters.len()
    }

    /// Marks the bytes with which one of its spellings can begin.
    pub(super) fn mark_beginnings(&self, begins: &mut [bool; 256]) {
        let Some(first) = self.characters.first() else {
            return;
        };
        let first = first.encode_utf8(&mut [0; 4]).as_bytes().first().copied();
        let first = first.unwrap_or_default();
        for byte in [
            first,
            first.to_ascii_uppercase(),
            first.to_ascii_lowercase(),
            b'%',
            b'\\',
            b'&',
            b'+',
        ] {
            if let Some(mark) = begins.get_mut(usize::from(byte)) {
                *mark = true;
            }
        }
    }

    /// The end of the longest spelling of it that begins here.
    pub(super) fn end(&self, text: &[u8], start: usize) -> Option<usize> {
        if self.characters.is_empty() || self.is_word && is_within_word(text, start) {
            return None;
        }
        let (mut places, mut next) = (vec![start], Vec::new());
        let mut begun = None;
        for (number, character) in self.characters.iter().enumerate() {
            next.clear();
            for place in &places {
                self.spelt(text, *place, *character, &mut next);
                if self.breaks && number > 0 {
                    let after = after_break(text, *place);
                    if after > *place {
                        self.spelt(text, after, *character, &mut next);
                    }
                }
            }
            next.sort_unstable();
            next.dedup();
            std::mem::swap(&mut places, &mut next);
            if places.is_empty() {
                return begun;
            }
            if number + 1 >= self.enough {
                begun = places.iter().copied().max();
            }
        }
        let follows = |end: &usize| text.get(*end).is_some_and(u8::is_ascii_alphanumeric);
        places.retain(|end| !(self.is_word && follows(end)));
        places.into_iter().max()
    }

    /// Adds the ends of the spellings of a character that begin here.
    fn spelt(&self, text: &[u8], at: usize, character: char, ends: &mut Vec<usize>) {
        let mut buffer = [0; 4];
        let raw = character.encode_utf8(&mut buffer).as_bytes();
        let rest = text.get(at..).unwrap_or_default();
        let is_raw = match self.folds {
            true => rest
                .first()
                .is_some_and(|it| raw.eq_ignore_ascii_case(&[*it])),
            false => rest.starts_with(raw),
        };
        if is_raw {
            ends.push(at + raw.len());
        }
        match rest.first() {
            Some(b'%') => ends.extend(percent(text, at, raw)),
            Some(b'\\') => escaped(text, at, character, ends),
            Some(b'&') => ends.extend(entity(rest, character).map(|length| at + length)),
            Some(b'+') if character == ' ' => ends.push(at + 1),
            _ => {}
        }
    }
}

/// The end of a character in percent-encoding, once or more often.
fn percent(text: &[u8], start: usize, raw: &[u8]) -> Option<usize> {
    let mut at = start;
    for byte in raw {
        let mut rest = text.get(at..)?.strip_prefix(b"%")?;
        let mut depth = 0;
        loop {
            if hexadecimal(rest, 2) == Some(u32::from(*byte)) {
                break;
            }
            rest = rest.strip_prefix(b"25")?;
            depth += 1;
            if depth > DEPTH {
                return None;
            }
        }
        at = text.len() - rest.len() + 2;
    }
    Some(at)
}

/// Adds the ends of a character after backslashes: `\/`, `\u002f`, `\x2f`. JSON within JSON has
/// several backslashes for one.
fn escaped(text: &[u8], start: usize, character: char, ends: &mut Vec<usize>) {
    let rest = text.get(start..).unwrap_or_default();
    let slashes = rest.iter().take_while(|it| **it == b'\\').take(SLASHES);
    let slashes = slashes.count();
    if character == '\\' {
        // As many as this is one at each depth of nesting.
        ends.extend(
            (1..=4)
                .map(|it| 1 << it)
                .filter(|it| *it <= slashes)
                .map(|it| start + it),
        );
    }
    let at = start + slashes;
    let rest = text.get(at..).unwrap_or_default();
    let mut buffer = [0; 4];
    let raw = character.encode_utf8(&mut buffer).as_bytes();
    if rest.starts_with(raw) && !character.is_ascii_alphanumeric() && character != '\\' {
        ends.push(at + raw.len());
    }
    let mut units = [0; 2];
    let units = character.encode_utf16(&mut units);
    let mut end = at;
    let mut is_spelt = true;
    for (number, unit) in units.iter().enumerate() {
        let mut rest = text.get(end..).unwrap_or_default();
        if number > 0 {
            while let Some(after) = rest.strip_prefix(b"\\") {
                rest = after;
            }
        }
        let digits = rest.strip_prefix(b"u");
        is_spelt &= digits.and_then(|it| hexadecimal(it, 4)) == Some(u32::from(*unit));
        end = text.len() - rest.len() + 5;
    }
    if is_spelt {
        ends.push(end);
    }
    let digits = rest.strip_prefix(b"x").and_then(|it| hexadecimal(it, 2));
    if digits == Some(u32::from(character)) {
        ends.push(at + 3);
    }
}

/// The length of a character as an entity of HTML.
fn entity(text: &[u8], character: char) -> Option<usize> {
    const LONGEST: usize = 12;
    let end = text.iter().take(LONGEST).position(|byte| *byte == b';')?;
    let name = std::str::from_utf8(text.get(1..end)?).ok()?;
    let number = name
        .strip_prefix('#')
        .map(|code| match code.strip_prefix(['x', 'X']) {
            Some(digits) => u32::from_str_radix(digits, 16).ok(),
            None => code.parse().ok(),
        });
    let named = match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        "sol" => '/',
        "plus" => '+',
        "equals" => '=',
        _ => return (number? == Some(u32::from(character))).then_some(end + 1),
    };
    (named == character).then_some(end + 1)
}

/// Hexadecimal digits as a number.
fn hexadecimal(text: &[u8], digits: usize) -> Option<u32> {
    let digits = text.get(..digits)?;
    digits.iter().try_fold(0, |number, digit| {
        Some(number * 16 + char::from(*digit).to_digit(16)?)
    })
}

/// The place after the line break that is here, as it is or as JSON writes it.
fn after_break(text: &[u8], at: usize) -> usize {
    let mut rest = text.get(at..).unwrap_or_default();
    for part in [&b"\r"[..], b"\\r", b"\n", b"\\n"] {
        rest = rest.strip_prefix(part).unwrap_or(rest);
    }
    text.len() - rest.len()
}

/// Whether a letter or a digit that is no part of an escape stands before this place.
fn is_within_word(text: &[u8], at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default();
    let is_letter = before.last().is_some_and(u8::is_ascii_alphanumeric);
    let is_escape = match before {
        [.., b'%', one, two] => one.is_ascii_hexdigit() && two.is_ascii_hexdigit(),
        [.., b'\\', letter] => b"nrtbf".contains(letter),
        _ => false,
    };
    let is_code = before.len() >= 6
        && before
            .get(before.len() - 6..)
            .is_some_and(|it| it.starts_with(b"\\u00"));
    is_letter && !is_escape && !is_code
}
