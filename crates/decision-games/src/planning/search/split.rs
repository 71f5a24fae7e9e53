//! Splits the text of a query where brackets, parentheses and quotes allow it.

use crate::illegal::{Code, Illegal};

/// Splits at a separator outside of brackets, parentheses and quoted values.
///
/// An apostrophe inside a word is no quote, and a quoted value must close.
pub(super) fn split<'a>(text: &'a str, separator: &str) -> Result<Vec<&'a str>, Illegal> {
    let mut parts = Vec::new();
    let (mut depth, mut start, mut at) = (0i32, 0, 0);
    let mut opens = true;
    while let Some(c) = text[at..].chars().next() {
        if opens && (c == '"' || c == '\'') {
            let rest = &text[at + 1..];
            let end = rest
                .find(c)
                .ok_or_else(|| Code::BadQuery.because("A quoted value must close."))?;
            at += 1 + end + 1;
            opens = false;
            continue;
        }
        match c {
            '[' | '(' => depth += 1,
            ']' | ')' => depth -= 1,
            _ => {}
        }
        if depth < 0 {
            return Err(Code::BadQuery.because("A bracket closes that was not opened."));
        }
        if depth == 0 && text[at..].starts_with(separator) {
            parts.push(text[start..at].trim());
            at += separator.len();
            start = at;
            opens = true;
            continue;
        }
        opens = match c {
            c if c.is_whitespace() => opens,
            '[' | '(' | ',' | '=' | '<' | '>' => true,
            _ => false,
        };
        at += c.len_utf8();
    }
    if depth != 0 {
        return Err(Code::BadQuery.because("A bracket does not close."));
    }
    parts.push(text[start..].trim());
    Ok(parts)
}

/// The items of a list in brackets.
pub(super) fn list(text: &str) -> Result<Vec<&str>, Illegal> {
    let inner = text
        .strip_prefix('[')
        .and_then(|text| text.strip_suffix(']'));
    let inner = inner.ok_or_else(|| Code::BadQuery.because("Write lists in brackets: [a, b]."))?;
    match inner.trim() {
        "" => Ok(Vec::new()),
        inner => {
            let items = split(inner, ",")?;
            match items.iter().any(|item| item.is_empty()) {
                true => Err(Code::BadQuery.because("A list has an empty item.")),
                false => Ok(items),
            }
        }
    }
}

/// A value without its quotes.
pub(super) fn value(text: &str) -> Result<&str, Illegal> {
    let text = text.trim();
    let Some(quote) = text.chars().next().filter(|c| *c == '"' || *c == '\'') else {
        return Ok(text);
    };
    let inner = text
        .get(1..text.len() - 1)
        .filter(|_| text.len() > 1 && text.ends_with(quote));
    match inner {
        Some(inner) if !inner.contains(quote) => Ok(inner),
        _ => Err(Code::BadQuery.because("A value that opens with a quote must close with it.")),
    }
}
