//! Writes values as documents.

use super::super::{Location, Member, Shape, Structure, scalars};
use super::NAMESPACE;
use crate::domain::{Map, Refusal, Value};
use crate::refusal;
use bytes::Bytes;
use std::fmt::Write;

const DECLARATION: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

/// The treatment of a field that the table does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unknown {
    /// Refuse it: without that parameter, the call could do harm.
    Refused,
    /// Leave it out, as clients do.
    LeftOut,
}

/// A document with the fields that are elements of it.
///
/// # Errors
/// A refusal if a value is not of its member's type, or for an unknown field.
pub(in super::super) fn document(
    root: &str,
    structure: &Structure,
    fields: &Map,
    unknown: Unknown,
) -> Result<Bytes, Refusal> {
    let text = format!("{DECLARATION}<{root} xmlns=\"{NAMESPACE}\">");
    let mut writer = Writer { text, unknown };
    for (member, value) in writer.members(structure, fields)? {
        if !member.attribute {
            writer.element(member, value)?;
        }
    }
    let _ = write!(writer.text, "</{root}>");
    Ok(writer.text.into())
}

/// A document whose root has only this text.
pub(in super::super) fn text_document(root: &str, content: &str) -> Bytes {
    let mut text = format!("{DECLARATION}<{root} xmlns=\"{NAMESPACE}\">");
    escape(&mut text, content);
    let _ = write!(text, "</{root}>");
    text.into()
}

/// A document with an element for every field, without namespace: an error.
pub fn elements(root: &str, fields: &Map) -> Bytes {
    let mut text = format!("{DECLARATION}<{root}>");
    for (name, value) in fields {
        if let Some(value) = value.as_str() {
            let _ = write!(text, "<{name}>");
            escape(&mut text, value);
            let _ = write!(text, "</{name}>");
        }
    }
    let _ = write!(text, "</{root}>");
    text.into()
}

/// A document in the making.
struct Writer {
    text: String,
    unknown: Unknown,
}

impl Writer {
    /// The members in the body that have a value, in the order given.
    fn members<'a>(
        &self,
        structure: &'a Structure,
        fields: &'a Map,
    ) -> Result<Vec<(&'a Member, &'a Value)>, Refusal> {
        let given = fields.iter().filter(|(_, value)| *value != Value::Null);
        let found = given.filter_map(|(name, value)| match structure.member(name) {
            Some(member) if member.place != Location::Body => None,
            Some(member) => Some(Ok((member, value))),
            None if self.unknown == Unknown::LeftOut => None,
            None => Some(Err(refusal::not_implemented(name))),
        });
        found.collect()
    }

    fn element(&mut self, member: &Member, value: &Value) -> Result<(), Refusal> {
        match (member.shape, value) {
            (Shape::List(item), Value::List(items)) if member.flattened => {
                for each in items {
                    self.named(member.wire, item, each)?;
                }
            }
            (Shape::List(item), Value::List(items)) => {
                let _ = write!(self.text, "<{}>", member.wire);
                for each in items {
                    self.named(item.wire, item, each)?;
                }
                let _ = write!(self.text, "</{}>", member.wire);
            }
            (Shape::List(_), _) => return Err(refusal::malformed(member.name, "a list")),
            _ => self.named(member.wire, member, value)?,
        }
        Ok(())
    }

    /// One element with this name.
    fn named(&mut self, name: &str, member: &Member, value: &Value) -> Result<(), Refusal> {
        match (member.shape, value) {
            (Shape::Structure(structure), Value::Map(fields)) => {
                let members = self.members(structure, fields)?;
                let _ = write!(self.text, "<{name}");
                if let Some((namespace, prefix)) = member.namespace {
                    let separator = if prefix.is_empty() { "" } else { ":" };
                    let _ = write!(self.text, " xmlns{separator}{prefix}=\"{namespace}\"");
                }
                for (member, value) in members.iter().filter(|(member, _)| member.attribute) {
                    let _ = write!(self.text, " {}=\"", member.wire);
                    escape(&mut self.text, &scalars::write(member, value)?);
                    self.text.push('"');
                }
                self.text.push('>');
                for (member, value) in members.iter().filter(|(member, _)| !member.attribute) {
                    self.element(member, value)?;
                }
            }
            // As for all parameters of a call that is not a dict.
            (Shape::Structure(_), _) if member.name.is_empty() => {
                return Err(refusal::malformed("params", "a map"));
            }
            (Shape::Structure(_), _) => return Err(refusal::malformed(member.name, "a dict")),
            _ => {
                let content = scalars::write(member, value)?;
                let _ = write!(self.text, "<{name}>");
                escape(&mut self.text, &content);
            }
        }
        let _ = write!(self.text, "</{name}>");
        Ok(())
    }
}

/// Writes control characters as references. S3 does the same, although XML 1.0 forbids
/// most of them. Clients that need well-formed XML ask for `encoding-type=url`.
fn escape(text: &mut String, string: &str) {
    for c in string.chars() {
        match c {
            '&' => text.push_str("&amp;"),
            '<' => text.push_str("&lt;"),
            '>' => text.push_str("&gt;"),
            '\0'..='\x08' | '\x0b'..='\x1f' | '\x7f' => {
                let _ = write!(text, "&#x{:x};", u32::from(c));
            }
            c => text.push(c),
        }
    }
}
