//! Answers: boto3's dict as status, headers and body, and back.

use super::xml::{self, Strictness, Unknown};
use super::{ApiOperation, Location, Member, Shape, scalars};
use crate::domain::{Map, Name, Refusal, Value};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;

/// The parts of an answer over HTTP.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct AnswerParts {
    /// The status.
    pub status: u16,
    /// The headers.
    pub headers: Vec<(Name, String)>,
    /// The body: content, or a document.
    pub body: Bytes,
    /// The type of a body that is not content.
    pub content_type: Option<&'static str>,
}

/// The answer with these fields. Fields that the API does not have are left out.
///
/// # Errors
/// A refusal if a value is not of its type.
pub fn write(operation: &ApiOperation, fields: &Map) -> Result<AnswerParts, Refusal> {
    let mut parts = AnswerParts {
        status: operation.status,
        ..AnswerParts::default()
    };
    let Some(output) = operation.output else {
        return Ok(parts);
    };
    let known = |name: &str| fields.iter().any(|(known, _)| known == name);
    for (name, value) in fields.iter().filter(|(_, value)| *value != Value::Null) {
        let Some(member) = output.member(name) else {
            // The uploader's own text, if it is not a date.
            if let ("ExpiresString", Value::Str(text)) = (&**name, value) {
                parts.headers.push(("expires".into(), ascii(text)));
            }
            continue;
        };
        match (member.place, value) {
            (Location::Header, _) if name == "Expires" && known("ExpiresString") => {}
            (Location::Header, _) => {
                let text = scalars::write(member, value)?;
                parts.headers.push((member.wire.into(), ascii(&text)));
            }
            (Location::Prefix, Value::Map(pairs)) => {
                for (name, value) in pairs {
                    let value = value.as_str().unwrap_or_default();
                    parts
                        .headers
                        .push((format!("{}{name}", member.wire).into(), ascii(value)));
                }
            }
            (Location::Payload, Value::Map(fields)) => {
                if let Shape::Structure(structure) = member.shape {
                    parts.body = xml::document(member.wire, structure, fields, Unknown::LeftOut)?;
                    parts.content_type = Some("application/xml");
                }
            }
            (Location::Payload, Value::Bytes(bytes)) => parts.body = bytes.clone(),
            (Location::Payload, Value::Str(text)) => {
                parts.body = Bytes::copy_from_slice(text.as_bytes());
                parts.content_type = Some("application/json");
            }
            _ => {}
        }
    }
    if let Some(root) = operation.root {
        parts.body = match unwrapped(operation) {
            Some(member) => {
                let value = fields.iter().find(|(name, _)| name == member.name);
                let text = value.and_then(|(_, value)| value.as_str());
                xml::text_document(root, text.unwrap_or_default())
            }
            None => xml::document(root, output, fields, Unknown::LeftOut)?,
        };
        parts.content_type = Some("application/xml");
    }
    if parts
        .headers
        .iter()
        .any(|(name, _)| name == "content-range")
    {
        parts.status = 206;
    }
    Ok(parts)
}

/// The only field of an answer, if its value is the text of the document's root:
/// `LocationConstraint`.
fn unwrapped(operation: &ApiOperation) -> Option<&'static Member> {
    let mut body = operation.output?.at(Location::Body);
    let only = body.next().filter(|_| body.next().is_none())?;
    (Some(only.wire) == operation.root && !matches!(only.shape, Shape::List(_))).then_some(only)
}

/// Encodes a text for a header. Like S3 with user metadata, encodes non-ASCII text as in
/// RFC 2047.
fn ascii(text: &str) -> String {
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\t')) {
        return text.to_owned();
    }
    format!("=?UTF-8?B?{}?=", STANDARD.encode(text))
}

/// The fields of a successful answer, as botocore reads them: headers first, then the
/// body, each in the order of the API. `header` gives the value of a header, and
/// `with_prefix` the headers with a prefix, without it.
///
/// `None` if the body is not a document of the API.
pub fn read(
    operation: &ApiOperation,
    header: impl Fn(&str) -> Option<String>,
    with_prefix: impl Fn(&str) -> Vec<(String, String)>,
    body: &Bytes,
) -> Option<Map> {
    let mut fields = Map::new();
    let Some(output) = operation.output else {
        return Some(fields);
    };
    for member in &output.members {
        let value = match member.place {
            Location::Header => {
                header(member.wire).and_then(|text| scalars::read(member.shape, &text))
            }
            Location::Prefix => {
                let pairs = with_prefix(member.wire).into_iter();
                let pairs: Map = pairs
                    .map(|(name, text)| (name.into(), text.into()))
                    .collect();
                Some(Value::Map(pairs))
            }
            _ => None,
        };
        fields.extend(value.map(|value| (member.name.into(), value)));
    }
    if let Some(member) = output.payload() {
        let value = match member.shape {
            Shape::Bytes => Some(Value::Bytes(body.clone())),
            _ if body.is_empty() => None,
            Shape::Structure(structure) => {
                let (_, fields) = xml::read(body, structure, Strictness::Lenient)?;
                Some(Value::Map(fields))
            }
            _ => Some(Value::from(std::str::from_utf8(body).ok()?)),
        };
        fields.extend(value.map(|value| (member.name.into(), value)));
        return Some(fields);
    }
    if operation.root.is_none() || body.is_empty() {
        return Some(fields);
    }
    let (_, mut read) = xml::read(body, output, Strictness::Lenient)?;
    if let Some(member) = unwrapped(operation) {
        // Some servers write the text into an element within the root.
        let within = read
            .pop()
            .and_then(|(_, value)| Some(value.as_str()?.to_owned()));
        let text = within.or_else(|| xml::text_of_root(body))?;
        let value = match text.trim() {
            "" => Value::Null,
            text => text.into(),
        };
        read = vec![(member.name.into(), value)];
    }
    fields.extend(read);
    Some(fields)
}
