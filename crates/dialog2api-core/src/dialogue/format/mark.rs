//! The tags that end a raw text, and their escape within one.

use std::borrow::Cow;

/// The elements of the format.
const ELEMENTS: [&str; 12] = [
    "program",
    "goal",
    "result",
    "error",
    "signature",
    "turn",
    "turns",
    "output",
    "stack",
    "conversation",
    "metadata",
    "initial_signature",
];

/// The element in which a reasoning model thinks. Its opening tag may be in the prompt, and
/// thoughts may look like goals, so only `</think>` ends them.
const THOUGHTS: [&str; 2] = ["think", "thinking"];

/// The start of a tag of the format, up to the end of its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Head {
    /// Whether it is a closing tag.
    pub closing: bool,
    /// The element's name, in lower case.
    pub name: &'static str,
    /// Where the name ends.
    pub end: usize,
}

/// The tag head that starts at this `<`, if there is one. Case does not matter.
pub(super) fn head_at(text: &str, offset: usize) -> Option<Head> {
    head_after(text, offset.checked_add(1)?)
}

/// The tag head whose `<` (and backslashes) stand just before `offset`.
fn head_after(text: &str, offset: usize) -> Option<Head> {
    let rest = text.get(offset..)?;
    let (closing, from_name) = match rest.strip_prefix('/') {
        Some(rest) => (true, rest.trim_ascii_start()),
        None => (false, rest),
    };
    let length = from_name
        .find(|c: char| !is_name_char(c))
        .unwrap_or(from_name.len());
    let name = from_name.get(..length)?;
    let name = ELEMENTS
        .into_iter()
        .chain(THOUGHTS)
        .find(|element| element.eq_ignore_ascii_case(name))?;
    let end = text.len() - from_name.len() + length;
    Some(Head { closing, name, end })
}

/// Whether the character can be part of an element's or an attribute's name.
pub(super) fn is_name_char(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':')
}

/// The place of the first tag at or after `offset` that ends a raw text.
pub(super) fn next_mark(text: &str, offset: usize) -> Option<usize> {
    marks(text, offset)
        .find(|mark| mark.backslashes == 0)
        .map(|mark| mark.offset)
}

/// Whether a raw text ends at this `<`.
pub(super) fn is_mark(text: &str, offset: usize) -> bool {
    mark_at(text, offset).is_some_and(|mark| mark.backslashes == 0)
}

struct Mark {
    offset: usize,
    backslashes: usize,
}

fn marks(text: &str, offset: usize) -> impl Iterator<Item = Mark> {
    text.get(offset..)
        .unwrap_or("")
        .match_indices('<')
        .filter_map(move |(at, _)| mark_at(text, offset + at))
}

/// It reads no further `<`, so escaping one tag does not change what another one is.
fn mark_at(text: &str, offset: usize) -> Option<Mark> {
    let rest = text.get(offset..)?.strip_prefix('<')?;
    let backslashes = rest.bytes().take_while(|byte| *byte == b'\\').count();
    let head = head_after(text, offset + 1 + backslashes)?;
    let after = text.get(head.end..).unwrap_or("");
    let ends = match head.name {
        _ if head.closing => true,
        "turn" | "stack" | "output" => after.starts_with('>'),
        "goal" => starts_goal(after),
        _ => false,
    };
    ends.then_some(Mark {
        offset,
        backslashes,
    })
}

/// Whether an attribute of a goal follows `<goal`: `x <goal` is Python.
fn starts_goal(after: &str) -> bool {
    let attribute = after.trim_ascii_start();
    let name = attribute
        .split(|c: char| !is_name_char(c))
        .next()
        .unwrap_or("");
    attribute.len() < after.len()
        && ["uid", "status"]
            .iter()
            .any(|known| known.eq_ignore_ascii_case(name))
        && attribute
            .get(name.len()..)
            .is_some_and(|rest| rest.trim_ascii_start().starts_with('='))
}

/// Escapes the tags of the format in a raw text.
pub(super) fn escape(text: &str) -> Cow<'_, str> {
    rewrite(text, 0, |backslashes| backslashes + 1)
}

/// Removes the escapes that [`escape`] added.
pub(super) fn unescape(text: &str) -> Cow<'_, str> {
    rewrite(text, 1, |backslashes| backslashes - 1)
}

/// Changes the number of backslashes of every tag that has at least `least` of them.
fn rewrite(text: &str, least: usize, change: impl Fn(usize) -> usize) -> Cow<'_, str> {
    let mut rewritten = String::new();
    let mut rest = 0;
    for mark in marks(text, 0).filter(|mark| mark.backslashes >= least) {
        rewritten.push_str(text.get(rest..=mark.offset).unwrap_or(""));
        rewritten.extend(std::iter::repeat_n('\\', change(mark.backslashes)));
        rest = mark.offset + 1 + mark.backslashes;
    }
    if rest == 0 {
        return Cow::Borrowed(text);
    }
    rewritten.push_str(text.get(rest..).unwrap_or(""));
    Cow::Owned(rewritten)
}
