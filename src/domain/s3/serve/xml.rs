//! Writes XML documents from boto3's answers, and reads them into boto3's arguments.

use super::errors::map;
use crate::domain::s3::refusal;
use crate::domain::{Map, Refusal, Value};
use bytes::Bytes;
use s3s::dto::{CompletedMultipartUpload, CreateBucketConfiguration, Delete, TimestampFormat};
use s3s::xml::{Deserialize, Deserializer};
use std::fmt::Write;

/// The namespace of S3's documents. Errors have none.
pub const NAMESPACE: &str = "http://s3.amazonaws.com/doc/2006-03-01/";

const DECLARATION: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

/// Lists whose elements have another name than the list. Their elements are within an
/// element of the list's name (`true`) or without one. The elements of all other lists
/// have the list's name.
const LISTS: &[(&str, &str, bool)] = &[
    ("Buckets", "Bucket", true),
    ("Errors", "Error", false),
    ("Parts", "Part", false),
    ("Uploads", "Upload", false),
    ("AccessControlList", "Grant", true),
    ("TagSet", "Tag", true),
];

/// A document with these elements.
pub fn document(root: &str, namespace: Option<&str>, elements: &Map) -> Bytes {
    let mut text = DECLARATION.to_owned();
    let _ = match namespace {
        Some(namespace) => write!(text, "<{root} xmlns=\"{namespace}\">"),
        None => write!(text, "<{root}>"),
    };
    for (name, value) in elements {
        element(&mut text, name, value);
    }
    let _ = write!(text, "</{root}>");
    text.into()
}

/// A document of one element with this text.
pub fn text_document(root: &str, value: &Value) -> Bytes {
    let mut text = DECLARATION.to_owned();
    let _ = write!(text, "<{root} xmlns=\"{NAMESPACE}\">");
    content(&mut text, value);
    let _ = write!(text, "</{root}>");
    text.into()
}

fn element(text: &mut String, name: &str, value: &Value) {
    match value {
        Value::Null => {}
        Value::List(items) => {
            let list = LISTS.iter().find(|(list, ..)| *list == name);
            let (item_name, wrapped) =
                list.map_or((name, false), |(_, item, wrapped)| (*item, *wrapped));
            if wrapped {
                let _ = write!(text, "<{name}>");
            }
            items.iter().for_each(|item| element(text, item_name, item));
            if wrapped {
                let _ = write!(text, "</{name}>");
            }
        }
        // This is the only element of S3 with an attribute.
        Value::Map(_) if name == "Grantee" => {
            text.push_str(
                "<Grantee xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" \
                 xsi:type=\"CanonicalUser\">",
            );
            content(text, value);
            text.push_str("</Grantee>");
        }
        value => {
            let _ = write!(text, "<{name}>");
            content(text, value);
            let _ = write!(text, "</{name}>");
        }
    }
}

fn content(text: &mut String, value: &Value) {
    match value {
        Value::Null | Value::List(_) | Value::Bytes(_) => {}
        Value::Bool(truth) => text.push_str(if *truth { "true" } else { "false" }),
        Value::Int(int) => {
            let _ = write!(text, "{int}");
        }
        Value::Float(float) => {
            let _ = write!(text, "{float}");
        }
        Value::Time(time) => {
            let _ = write!(text, "{}", time.strftime("%Y-%m-%dT%H:%M:%S.000Z"));
        }
        Value::Str(string) => escape(text, string),
        Value::Map(fields) => fields
            .iter()
            .for_each(|(name, value)| element(text, name, value)),
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

/// Reads a document of a known kind.
fn read<T: for<'xml> Deserialize<'xml>>(document: &[u8]) -> Result<T, Refusal> {
    let mut deserializer = Deserializer::new(document);
    let value = T::deserialize(&mut deserializer).map_err(|_| refusal::malformed_xml())?;
    deserializer
        .expect_eof()
        .map_err(|_| refusal::malformed_xml())?;
    Ok(value)
}

/// Reads a `CreateBucketConfiguration`, if there is one.
pub fn bucket_configuration(document: &[u8]) -> Result<Option<Map>, Refusal> {
    if document.is_empty() {
        return Ok(None);
    }
    let read: CreateBucketConfiguration = read(document)?;
    let location = read.location_constraint;
    let fields = location.map(|location| {
        let location = location.as_str().to_owned();
        ("LocationConstraint".into(), location.into())
    });
    Ok(Some(fields.into_iter().collect()))
}

/// Reads a `Delete`.
pub fn deletions(document: &[u8]) -> Result<Map, Refusal> {
    let read: Delete = read(document)?;
    let objects = read.objects.into_iter().map(|object| {
        let mut fields = map([("Key", object.key.into())]);
        let mut add = |name: &'static str, value: Option<Value>| {
            fields.extend(value.map(|value| (name.into(), value)));
        };
        add("VersionId", object.version_id.map(Value::from));
        add(
            "ETag",
            object
                .e_tag
                .map(|etag| format!("\"{}\"", etag.value()).into()),
        );
        add("Size", object.size.map(Value::from));
        add("LastModifiedTime", object.last_modified_time.and_then(time));
        Value::Map(fields)
    });
    let mut fields = map([("Objects", Value::List(objects.collect()))]);
    if let Some(quiet) = read.quiet {
        fields.push(("Quiet".into(), quiet.into()));
    }
    Ok(fields)
}

fn time(time: s3s::dto::Timestamp) -> Option<Value> {
    let mut text = Vec::new();
    time.format(TimestampFormat::DateTime, &mut text).ok()?;
    let text = String::from_utf8(text).ok()?;
    text.parse().ok().map(Value::Time)
}

/// The parts that `CompleteMultipartUpload` names: number and ETag without quotes.
pub fn completion(document: &[u8]) -> Result<Vec<(i32, String)>, Refusal> {
    let read: CompletedMultipartUpload = read(document)?;
    let parts = read.parts.unwrap_or_default().into_iter().map(|part| {
        let etag = part.e_tag.map(|etag| etag.value().to_owned());
        part.part_number.zip(etag)
    });
    let parts: Option<Vec<_>> = parts.collect();
    parts
        .filter(|parts| !parts.is_empty())
        .ok_or_else(refusal::malformed_xml)
}
