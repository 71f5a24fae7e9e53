//! Secret access keys that stand beside the id of a key, or after a word that announces one. They are
//! 40 digits in base64 without any mark of their own, as many other texts are.

use super::patterns::is_word_start;
use std::ops::Range;

/// The length of a secret access key.
const LENGTH: usize = 40;
/// How far from the id of its key a secret is looked for, in bytes: the row of a table, a form.
const BESIDE: usize = 256;
/// How far after a word that announces it.
const AFTER: usize = 48;
/// Words that announce a secret key, in small letters.
const WORDS: [&str; 7] = [
    "secret",
    "access key",
    "access-key",
    "access_key",
    "accesskey",
    "aws",
    "credential",
];
/// How the tokens of sessions begin: what Amazon wraps them in has a name at its start.
const TOKENS: [&str; 4] = ["IQoJb3JpZ2lu", "FwoGZXIvYXdz", "FQoGZXIvYXdz", "AQoDYXdz"];
/// The shortest token of a session.
const SHORTEST_TOKEN: usize = 80;

/// The secrets beside these ids of keys.
pub(super) fn beside_ids(text: &str, ids: &[Range<usize>], found: &mut Vec<Range<usize>>) {
    // What is near two ids is looked at once, so that many of them take no longer.
    let mut seen = 0;
    for id in ids {
        let from = id.start.saturating_sub(BESIDE).max(seen);
        keys_in(text, after_run(text, from)..id.start, found);
        let to = (id.end + BESIDE).min(text.len());
        keys_in(text, id.end.max(seen)..to, found);
        seen = seen.max(to);
    }
}

/// The secrets after words that announce one.
pub(super) fn announced_keys(text: &str, found: &mut Vec<Range<usize>>) {
    let lower = text.to_ascii_lowercase();
    let mut ends: Vec<usize> = WORDS
        .iter()
        .flat_map(|word| lower.match_indices(word).map(|(at, it)| at + it.len()))
        .collect();
    ends.sort_unstable();
    let mut seen = 0;
    for end in ends {
        let to = (end + AFTER).min(text.len());
        keys_in(text, after_run(text, end.max(seen))..to, found);
        seen = seen.max(to);
    }
}

/// The end of the run of digits within which this place is: what begins before it is another word.
fn after_run(text: &str, at: usize) -> usize {
    let is_within = at > 0 && text.as_bytes().get(at - 1).copied().is_some_and(is_digit);
    let rest = text.as_bytes().get(at..).unwrap_or_default();
    let run = rest.iter().take(AFTER).take_while(|byte| is_digit(**byte));
    at + if is_within { run.count() } else { 0 }
}

/// The tokens of sessions, wherever they are.
pub(super) fn session_tokens(text: &str, found: &mut Vec<Range<usize>>) {
    for begin in TOKENS {
        let mut after = 0;
        for (at, _) in text.match_indices(begin) {
            if at < after || !is_word_start(text, at) {
                continue;
            }
            let rest = text.get(at..).unwrap_or_default();
            let is_part = |c: char| c.is_ascii_alphanumeric() || "+/=_-".contains(c);
            let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
            after = at + length;
            if length >= SHORTEST_TOKEN {
                found.push(at..after);
            }
        }
    }
}

/// The keys that begin in a part of a text.
fn keys_in(text: &str, part: Range<usize>, found: &mut Vec<Range<usize>>) {
    let bytes = text.as_bytes();
    let is_digit = |at: usize| bytes.get(at).is_some_and(|byte| is_digit(*byte));
    let mut at = part.start;
    while at < part.end {
        if !is_digit(at) {
            at += 1;
            continue;
        }
        let mut start = at + escape(bytes, at);
        let mut end = at;
        // The end of a longer run does not matter.
        while end <= start + LENGTH + 1 && is_digit(end) {
            end += 1;
        }
        // A slash may stand between the id of the key and its secret.
        if end == start + LENGTH + 1 && bytes.get(start) == Some(&b'/') {
            start += 1;
        }
        if text.get(start..end).is_some_and(is_key) && bytes.get(end) != Some(&b'=') {
            found.push(start..end);
        }
        at = end;
        while at < part.end && is_digit(at) {
            at += 1;
        }
    }
}

/// A digit in base64.
fn is_digit(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/')
}

/// How many of the digits from here on are the end of an escape: `\n`, `\u003d`, `%3D`.
fn escape(bytes: &[u8], at: usize) -> usize {
    let before = at.checked_sub(1).and_then(|before| bytes.get(before));
    match (before, bytes.get(at)) {
        (Some(b'\\'), Some(b'n' | b'r' | b't')) => 1,
        (Some(b'\\'), Some(b'u')) => 5,
        (Some(b'%'), Some(_)) => 2,
        _ => 0,
    }
}

/// Whether a text is a key by its looks: letters of both sizes, mixed as only chance mixes them. Digests
/// have one size, and the words of a path change seldom.
fn is_key(text: &str) -> bool {
    const CHANGES: usize = 12;
    const SLASHES: usize = 4;
    let kind = |byte: u8| match byte {
        b'A'..=b'Z' => 0,
        b'a'..=b'z' => 1,
        b'0'..=b'9' => 2,
        _ => 3,
    };
    let kinds: Vec<u8> = text.bytes().map(kind).collect();
    let changes = kinds.windows(2).filter(|pair| pair.first() != pair.last());
    text.len() == LENGTH
        && kinds.contains(&0)
        && kinds.contains(&1)
        && !text.bytes().all(|byte| byte.is_ascii_hexdigit())
        && text.matches('/').count() <= SLASHES
        && changes.count() >= CHANGES
}
