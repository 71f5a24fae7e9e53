//! Reads documents as values.
//!
//! Documents come from clients and servers that may be hostile. No shape contains itself,
//! so the depth of the recursion is that of the table. Elements that the table does not
//! know are skipped without recursion.

use super::super::{Member, Shape, Structure, scalars};
use crate::domain::{Map, Value};
use quick_xml::Reader;
use quick_xml::escape::{resolve_predefined_entity, unescape};
use quick_xml::events::{BytesRef, BytesStart, Event};

/// The treatment of a document that is not as the table describes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strictness {
    /// Every deviation is a mistake: the document of a client.
    Strict,
    /// Unknown elements and unreadable values are left out, as botocore does: the document
    /// of a server.
    Lenient,
}

/// The name of the root, and the fields of a document; `None` if it is not well-formed, or
/// for a strict reading not as the table describes it.
pub(in super::super) fn read(
    document: &[u8],
    structure: &Structure,
    reading: Strictness,
) -> Option<(String, Map)> {
    let mut parser = Parser::new(document, reading)?;
    let (root, is_empty) = parser.root()?;
    let name = local(&root);
    let fields = parser.structure(structure, &root, is_empty)?;
    parser.end()?;
    Some((name, fields))
}

/// The text in the root of a document without further elements.
pub(in super::super) fn text_of_root(document: &[u8]) -> Option<String> {
    let mut parser = Parser::new(document, Strictness::Lenient)?;
    let (_, is_empty) = parser.root()?;
    match is_empty {
        true => Some(String::new()),
        false => parser.text(),
    }
}

struct Parser<'x> {
    reader: Reader<&'x [u8]>,
    reading: Strictness,
}

impl<'x> Parser<'x> {
    fn new(document: &'x [u8], reading: Strictness) -> Option<Self> {
        let document = std::str::from_utf8(document).ok()?;
        let document = document.strip_prefix('\u{feff}').unwrap_or(document);
        Some(Parser {
            reader: Reader::from_str(document),
            reading,
        })
    }

    fn next(&mut self) -> Option<Event<'x>> {
        self.reader.read_event().ok()
    }

    fn is_strict(&self) -> bool {
        self.reading == Strictness::Strict
    }

    /// The root, and whether it is an empty tag.
    fn root(&mut self) -> Option<(BytesStart<'x>, bool)> {
        loop {
            match self.next()? {
                Event::Start(tag) => return Some((tag, false)),
                Event::Empty(tag) => return Some((tag, true)),
                Event::Decl(_) | Event::PI(_) | Event::Comment(_) => {}
                Event::Text(text) if text.iter().all(u8::is_ascii_whitespace) => {}
                _ => return None,
            }
        }
    }

    /// Nothing but space follows the root.
    fn end(&mut self) -> Option<()> {
        loop {
            match self.next()? {
                Event::Eof => return Some(()),
                Event::PI(_) | Event::Comment(_) => {}
                Event::Text(text) if text.iter().all(u8::is_ascii_whitespace) => {}
                _ => return None,
            }
        }
    }

    /// The fields of an element, in the order of the table.
    fn structure(
        &mut self,
        structure: &Structure,
        tag: &BytesStart<'x>,
        is_empty: bool,
    ) -> Option<Map> {
        let mut found = self.attributes(structure, tag)?;
        loop {
            if is_empty {
                break;
            }
            let (tag, is_empty) = match self.next()? {
                Event::Start(tag) => (tag, false),
                Event::Empty(tag) => (tag, true),
                Event::End(_) => break,
                Event::Eof => return None,
                Event::Text(text)
                    if self.is_strict() && !text.iter().all(u8::is_ascii_whitespace) =>
                {
                    return None;
                }
                _ => continue,
            };
            let Some(member) = structure.element(&local(&tag)) else {
                if self.is_strict() {
                    return None;
                }
                self.skip(is_empty)?;
                continue;
            };
            let Some(value) = self.member(member, &tag, is_empty)? else {
                continue;
            };
            let known = found.iter_mut().find(|(name, _)| name == member.name);
            match (known, value) {
                (Some((_, Value::List(items))), Value::List(more)) if member.flattened => {
                    items.extend(more);
                }
                // An element that is not a list may be there once.
                (Some(_), _) if self.is_strict() => return None,
                (Some((_, known)), value) => *known = value,
                (None, value) => found.push((member.name.into(), value)),
            }
        }
        let is_missing = |name: &&str| !found.iter().any(|(known, _)| known == name);
        if self.is_strict() && structure.required.iter().any(is_missing) {
            return None;
        }
        let position = |name: &str| {
            let mut members = structure.members.iter();
            members.position(|member| member.name == name)
        };
        found.sort_by_key(|(name, _)| position(name));
        Some(found)
    }

    fn attributes(&self, structure: &Structure, tag: &BytesStart<'x>) -> Option<Map> {
        let mut found = Map::new();
        for member in structure.members.iter().filter(|member| member.attribute) {
            let name = member.wire.rsplit(':').next().unwrap_or(member.wire);
            for attribute in tag.attributes() {
                let attribute = attribute.ok()?;
                if attribute.key.local_name().as_ref() == name.as_bytes() {
                    let text = String::from_utf8_lossy(&attribute.value);
                    let text = unescape(&text).ok()?.into_owned();
                    found.push((member.name.into(), text.into()));
                    break;
                }
            }
        }
        Some(found)
    }

    /// The value of an element. The inner `None` means that it has none.
    fn member(
        &mut self,
        member: &Member,
        tag: &BytesStart<'x>,
        is_empty: bool,
    ) -> Option<Option<Value>> {
        match member.shape {
            Shape::List(item) if member.flattened => {
                let item = self.member(item, tag, is_empty)?;
                Some(item.map(|item| Value::List(vec![item])))
            }
            Shape::List(item) => self.items(item, is_empty).map(Value::List).map(Some),
            Shape::Structure(structure) => {
                let fields = self.structure(structure, tag, is_empty)?;
                Some(Some(Value::Map(fields)))
            }
            shape => {
                let text = if is_empty {
                    String::new()
                } else {
                    self.text()?
                };
                match scalars::read(shape, &text) {
                    None if self.is_strict() => None,
                    value => Some(value),
                }
            }
        }
    }

    /// The items of a list, each in an element of its own.
    fn items(&mut self, item: &Member, is_empty: bool) -> Option<Vec<Value>> {
        let mut items = Vec::new();
        loop {
            if is_empty {
                break;
            }
            let (tag, is_empty) = match self.next()? {
                Event::Start(tag) => (tag, false),
                Event::Empty(tag) => (tag, true),
                Event::End(_) => break,
                Event::Eof => return None,
                _ => continue,
            };
            if local(&tag) == item.wire {
                items.extend(self.member(item, &tag, is_empty)?);
            } else if self.is_strict() {
                return None;
            } else {
                self.skip(is_empty)?;
            }
        }
        Some(items)
    }

    /// The text up to the end of the element. Elements within it are skipped.
    fn text(&mut self) -> Option<String> {
        let mut content = String::new();
        loop {
            match self.next()? {
                Event::Text(text) => content.push_str(&text.xml10_content().ok()?),
                Event::CData(text) => content.push_str(&text.xml10_content().ok()?),
                Event::GeneralRef(reference) => {
                    let text = resolved(&reference);
                    if self.is_strict() && !is_xml(&text) {
                        return None;
                    }
                    content.push_str(&text);
                }
                Event::End(_) => return Some(content),
                Event::Start(_) if self.is_strict() => return None,
                Event::Start(_) => self.skip(false)?,
                Event::Eof => return None,
                _ => {}
            }
        }
    }

    /// Skips to the end of an element that has been opened.
    fn skip(&mut self, is_empty: bool) -> Option<()> {
        let mut open: usize = if is_empty { 0 } else { 1 };
        while open > 0 {
            match self.next()? {
                Event::Start(_) => open += 1,
                Event::End(_) => open -= 1,
                Event::Eof => return None,
                _ => {}
            }
        }
        Some(())
    }
}

/// Whether the text of a reference is one character that XML 1.0 allows. The text of an
/// unknown reference is longer.
fn is_xml(text: &str) -> bool {
    let mut chars = text.chars();
    let first = chars
        .next()
        .is_some_and(|c| c >= ' ' || matches!(c, '\t' | '\n' | '\r'));
    first && chars.next().is_none()
}

fn local(tag: &BytesStart<'_>) -> String {
    String::from_utf8_lossy(tag.local_name().as_ref()).into_owned()
}

/// The character of a reference. An unknown reference stays as it is.
fn resolved(reference: &BytesRef<'_>) -> String {
    if let Ok(Some(character)) = reference.resolve_char_ref() {
        return character.to_string();
    }
    let name = reference.decode().unwrap_or_default();
    match resolve_predefined_entity(&name) {
        Some(text) => text.to_owned(),
        None => format!("&{name};"),
    }
}
