//! Finds the tokens of prose that may state a fact: quoted texts, words that are spelt like
//! names, and numbers.

use super::number::{self, Number};
use super::spelling::{is_list_name, is_name};
use std::ops::Range;

/// A piece of a text that may state a fact.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Token {
    /// Its place in bytes, without quotes.
    pub range: Range<usize>,
    pub kind: TokenKind,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum TokenKind {
    /// A quoted text.
    Quoted,
    /// A word that is spelt like a key, a path, a bucket or a time: `a/b.txt`, `web-logs`,
    /// `05:31`.
    Name,
    /// Digits or a number word, with a unit if there is one.
    Number(Number),
    /// An ordinal, which is not an amount: `1st`, `28th`.
    Ordinal(Number),
    /// The `no` of `there are no …`, `found no …`.
    No,
}

/// A word of a line and its place in the text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Word<'a> {
    pub text: &'a str,
    pub start: usize,
}

/// The tokens of a text, in order.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let mut found = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        line_tokens(line.trim_end(), start, &mut found);
        start += line.len();
    }
    found
}

/// The items of the lists in a text, without their bullets, each with its place.
pub(super) fn items(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut start = 0;
    text.split_inclusive('\n').filter_map(move |line| {
        let here = start;
        start += line.len();
        let line = line.trim_end();
        let mark = mark(line);
        (mark > 0).then(|| (here + mark, line.get(mark..).unwrap_or_default()))
    })
}

/// The length of the bullet that a line starts with: `- `, `* `, `2. `, `2) `.
fn mark(line: &str) -> usize {
    let inner = line.trim_start();
    let indent = line.len() - inner.len();
    let rest = inner.trim_start_matches(|c: char| c.is_ascii_digit());
    let rest = match inner.len() - rest.len() {
        0 => inner.strip_prefix(['-', '*', '•', '–']),
        1..=3 => rest.strip_prefix(['.', ')']),
        _ => None,
    };
    match rest {
        Some(rest) if rest.starts_with(char::is_whitespace) => {
            indent + inner.len() - rest.trim_start().len()
        }
        _ => 0,
    }
}

fn line_tokens(line: &str, start: usize, found: &mut Vec<Token>) {
    let mark = mark(line);
    let (start, line) = (start + mark, line.get(mark..).unwrap_or_default());
    let mut words = Vec::new();
    let mut at = 0;
    while let Some(c) = line.get(at..).and_then(|rest| rest.chars().next()) {
        if let Some(inside) = quoted(line, at, c) {
            words_tokens(&words, mark > 0, found);
            words.clear();
            let range = start + inside.start..start + inside.end;
            at = inside.end + closing(c).len_utf8();
            let kind = TokenKind::Quoted;
            found.push(Token { range, kind });
        } else if is_outside(c) {
            at += c.len_utf8();
        } else {
            let rest = line.get(at..).unwrap_or_default();
            let end = rest.find(is_outside).unwrap_or(rest.len());
            cut(rest.get(..end).unwrap_or_default(), start + at, &mut words);
            at += end;
        }
    }
    words_tokens(&words, mark > 0, found);
}

/// Whether the character is part of neither words nor names.
fn is_outside(c: char) -> bool {
    c.is_whitespace() || "\"“”„«»`()[]{}<>*|—–…;!?".contains(c)
}

fn closing(open: char) -> char {
    match open {
        '“' | '„' => '”',
        '«' => '»',
        '‘' => '’',
        other => other,
    }
}

/// The longest quotation, in bytes; keys have 1024 at most. The limit keeps the time linear
/// for any text.
const MOST_QUOTED: usize = 1200;

/// The text between the quotes that open here, if they close on the same line.
fn quoted(line: &str, at: usize, open: char) -> Option<Range<usize>> {
    if !"\"“„«`'‘".contains(open) {
        return None;
    }
    let start = at + open.len_utf8();
    let before = line.get(..at)?.chars().next_back();
    let rest = line.get(start..)?;
    let rest = rest.get(..rest.floor_char_boundary(MOST_QUOTED))?;
    let apostrophe = matches!(open, '\'' | '‘');
    // The apostrophe of `don't` opens no quotation.
    if apostrophe && before.is_some_and(char::is_alphanumeric) {
        return None;
    }
    let mut ends = rest.match_indices(closing(open)).map(|(end, _)| end);
    let end = ends.find(|end| {
        let after = rest.get(end + closing(open).len_utf8()..);
        let after = after.and_then(|after| after.chars().next());
        !apostrophe || !after.is_some_and(char::is_alphanumeric)
    })?;
    let inside = rest.get(..end)?;
    (!inside.trim().is_empty()).then_some(start..start + end)
}

/// Splits a run without spaces into words. It drops the punctuation of the sentence and
/// splits at commas and colons, except between digits.
fn cut<'a>(run: &'a str, start: usize, words: &mut Vec<Word<'a>>) {
    let digit = |at: usize| run.as_bytes().get(at).is_some_and(u8::is_ascii_digit);
    let mut from = 0;
    for (at, c) in run.char_indices() {
        let url = || run.get(at..).is_some_and(|rest| rest.starts_with("://"));
        let part = match c {
            ':' => !(url() || at > 0 && digit(at - 1) && digit(at + 1)),
            // Thousands have three digits behind each comma.
            ',' => !(at > 0 && digit(at - 1) && (1..=3).all(|n| digit(at + n)) && !digit(at + 4)),
            _ => false,
        };
        if part {
            push(run, from..at, start, words);
            from = at + 1;
        }
    }
    push(run, from..run.len(), start, words);
}

fn push<'a>(run: &'a str, range: Range<usize>, start: usize, words: &mut Vec<Word<'a>>) {
    let Some(word) = run.get(range.clone()) else {
        return;
    };
    let left = word.trim_start_matches([',', ':', '\'', '’', '‘']);
    let start = start + range.start + (word.len() - left.len());
    let text = left.trim_end_matches(['.', ',', ':', '\'', '’']);
    let text = text.strip_suffix("'s").unwrap_or(text);
    let text = text.strip_suffix("’s").unwrap_or(text);
    if !text.is_empty() {
        words.push(Word { text, start });
    }
}

fn words_tokens(words: &[Word<'_>], item: bool, found: &mut Vec<Token>) {
    let mut at = 0;
    while let Some(rest) = words.get(at..).filter(|rest| !rest.is_empty()) {
        let (kind, used) = match number::read(rest) {
            Some((kind, used)) => (Some(kind), used),
            None if is_no(words, at) => (Some(TokenKind::No), 1),
            None => {
                // An item of a list starts with the name of its subject.
                let first = item && at == 0;
                let is_name =
                    |word: &Word<'_>| is_name(word.text) || first && is_list_name(word.text);
                let name = rest.first().is_some_and(is_name);
                (name.then_some(TokenKind::Name), 1)
            }
        };
        if let (Some(kind), Some(first), Some(last)) = (kind, rest.first(), rest.get(used - 1)) {
            let range = first.start..last.start + last.text.len();
            found.push(Token { range, kind });
        }
        at += used;
    }
}

/// Whether the word at this place is a `no` that says that something does not exist.
fn is_no(words: &[Word<'_>], at: usize) -> bool {
    let word = |at: Option<usize>| {
        let word = at.and_then(|at| words.get(at));
        word.map_or(String::new(), |word| word.text.to_lowercase())
    };
    let there = word(at.checked_sub(2)) == "there"
        && ["is", "are", "was", "were"].contains(&word(at.checked_sub(1)).as_str());
    let further = [
        "longer", "more", "need", "other", "others", "further", "way", "problem",
    ];
    word(Some(at)) == "no"
        && (there || word(at.checked_sub(1)) == "found")
        && !further.contains(&word(Some(at + 1)).as_str())
}
