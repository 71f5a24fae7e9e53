//! Moves through a text tag by tag.

use super::Problem;
use super::mark::{self, Head};
use std::borrow::Cow;

/// A place in a text. It only moves forward.
#[derive(Clone)]
pub(super) struct Cursor<'a> {
    pub text: &'a str,
    pub at: usize,
}

/// A whole tag.
pub(super) struct Tag<'a> {
    /// Where its `<` is.
    pub start: usize,
    pub name: &'static str,
    pub closing: bool,
    /// `<name/>`.
    pub empty: bool,
    pub attributes: Vec<Attribute<'a>>,
    /// The place of its first mistake, and what was expected there.
    pub flaw: Option<(usize, &'static str)>,
}

/// An attribute of a tag.
pub(super) struct Attribute<'a> {
    /// Where its name is.
    pub start: usize,
    pub name: &'a str,
    pub value: Cow<'a, str>,
}

impl<'a> Cursor<'a> {
    /// The start of a text. A byte order mark is no part of it.
    pub fn new(text: &'a str) -> Self {
        let at = if text.starts_with('\u{feff}') { 3 } else { 0 };
        Cursor { text, at }
    }

    /// The rest of the text.
    pub fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or("")
    }

    /// The problem that something else was expected here.
    pub fn expected(&self, what: impl Into<Cow<'static, str>>) -> Problem {
        Problem::expected(self.at, what)
    }

    /// Moves past white space.
    pub fn skip_white(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    /// Moves past `prefix`, if it is here.
    pub fn take(&mut self, prefix: &str) -> bool {
        let here = self.rest().starts_with(prefix);
        if here {
            self.at += prefix.len();
        }
        here
    }

    /// Moves to the next tag that is wanted and returns its head. Stays in place if there
    /// is none.
    pub fn find_tag(&mut self, wanted: impl Fn(&Head) -> bool) -> Option<Head> {
        self.find(|text, offset| mark::head_at(text, offset).filter(&wanted))
    }

    /// Moves to the next `<` for which `test` returns something.
    pub fn find<T>(&mut self, test: impl Fn(&'a str, usize) -> Option<T>) -> Option<T> {
        let (offset, given) = self
            .rest()
            .match_indices('<')
            .map(|(offset, _)| self.at + offset)
            .find_map(|offset| Some((offset, test(self.text, offset)?)))?;
        self.at = offset;
        Some(given)
    }

    /// The raw text from here to the tag that ends it, as it is written.
    pub fn raw(&mut self) -> &'a str {
        let start = self.at;
        self.at = mark::next_mark(self.text, start).unwrap_or(self.text.len());
        self.text.get(start..self.at).unwrap_or("")
    }

    /// The tag that starts here.
    pub fn tag(&mut self) -> Option<Tag<'a>> {
        if !self.rest().starts_with('<') {
            return None;
        }
        let head = mark::head_at(self.text, self.at)?;
        let mut tag = Tag {
            start: self.at,
            name: head.name,
            closing: head.closing,
            empty: false,
            attributes: Vec::new(),
            flaw: None,
        };
        self.at = head.end;
        loop {
            self.skip_white();
            let here = self.at;
            let mut flaw = |what| {
                tag.flaw.get_or_insert((here, what));
            };
            if self.take(">") {
                break;
            } else if !head.closing && self.take("/>") {
                tag.empty = true;
                break;
            } else if head.closing || matches!(self.rest().chars().next(), None | Some('<')) {
                flaw("`>`");
                break;
            } else if let Some(attribute) = self.attribute(&mut flaw) {
                tag.attributes.push(attribute);
            } else {
                flaw("an attribute or `>`");
                self.at += self.rest().chars().next().map_or(0, char::len_utf8);
            }
        }
        Some(tag)
    }

    fn attribute(&mut self, flaw: &mut impl FnMut(&'static str)) -> Option<Attribute<'a>> {
        let start = self.at;
        let name = self.take_until(|c| !mark::is_name_char(c));
        if name.is_empty() {
            return None;
        }
        let after_name = self.at;
        self.skip_white();
        if !self.take("=") {
            flaw("an attribute with a value, such as uid=\"1\"");
            self.at = after_name;
            let value = Cow::Borrowed("");
            return Some(Attribute { start, name, value });
        }
        self.skip_white();
        let value = match self.rest().chars().next() {
            Some('"') => self.quoted('"', '"'),
            Some('\'') => self.quoted('\'', '\''),
            Some('“' | '”') => self.quoted('“', '”'),
            _ => None,
        };
        let value = value.unwrap_or_else(|| {
            flaw("a value in quotation marks");
            let rest = self.rest();
            let end = rest
                .char_indices()
                .find(|(i, c)| {
                    c.is_whitespace()
                        || matches!(c, '<' | '>')
                        || rest.get(*i..).is_some_and(|rest| rest.starts_with("/>"))
                })
                .map_or(rest.len(), |(i, _)| i);
            self.at += end;
            rest.get(..end)
                .unwrap_or("")
                .trim_matches(['"', '\'', '“', '”'])
        });
        let value = decode(value);
        Some(Attribute { start, name, value })
    }

    /// A quoted value that starts here. It has no `<`, which bounds the search for a missing
    /// closing quote.
    fn quoted(&mut self, open: char, close: char) -> Option<&'a str> {
        let rest = self.rest();
        let first = rest.chars().next()?;
        let inner = rest.get(first.len_utf8()..)?;
        let end = inner.find([open, close, '<'])?;
        let last = inner.get(end..)?.chars().next()?;
        if last == '<' {
            return None;
        }
        self.at += first.len_utf8() + end + last.len_utf8();
        inner.get(..end)
    }

    fn take_until(&mut self, stop: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let end = rest.find(stop).unwrap_or(rest.len());
        self.at += end;
        rest.get(..end).unwrap_or("")
    }
}

/// Resolves XML's escapes in an attribute. Anything else that starts with `&` stays.
fn decode(value: &str) -> Cow<'_, str> {
    if !value.contains('&') {
        return Cow::Borrowed(value);
    }
    let mut decoded = String::new();
    let mut rest = value;
    while let Some((before, after)) = rest.split_once('&') {
        decoded.push_str(before);
        let entity = after
            .find(|c: char| !c.is_ascii_alphanumeric() && c != '#')
            .and_then(|end| Some((after.get(..end)?, after.get(end..)?.strip_prefix(';')?)))
            .and_then(|(name, after)| Some((entity(name)?, after)));
        match entity {
            Some((c, after)) => {
                decoded.push(c);
                rest = after;
            }
            None => {
                decoded.push('&');
                rest = after;
            }
        }
    }
    decoded.push_str(rest);
    Cow::Owned(decoded)
}

fn entity(name: &str) -> Option<char> {
    match name {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => {
            let digits = name.strip_prefix('#')?;
            let code = match digits.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16),
                None => digits.parse(),
            };
            char::from_u32(code.ok()?)
        }
    }
}
