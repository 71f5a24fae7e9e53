//! The encoding of names in listings.
//!
//! XML cannot express every key. So botocore asks for encoded names
//! (`encoding-type=url`) and decodes them, unless the program has asked for the encoding
//! itself.

use super::api::request::RequestParts;
use super::api::{ApiOperation, Location};
use crate::domain::{Map, Value};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// The characters that S3 does not encode.
const PLAIN: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'*')
    .remove(b'/')
    .remove(b' ');

/// The fields of listings that hold names.
const NAMES: &[&str] = &[
    "Key",
    "Prefix",
    "Delimiter",
    "Marker",
    "NextMarker",
    "StartAfter",
    "KeyMarker",
    "NextKeyMarker",
];

/// Whether an operation lists keys.
pub(super) fn lists(operation: &ApiOperation) -> bool {
    let mut query = operation.input.at(Location::Query);
    query.any(|member| member.name == "EncodingType")
}

/// Asks for encoded names, as botocore does. Returns whether the answer must be decoded.
pub(super) fn ask(operation: &ApiOperation, params: &Value, parts: &mut RequestParts) -> bool {
    let asked = params
        .get("EncodingType")
        .is_some_and(|it| *it != Value::Null);
    if asked || !lists(operation) {
        return false;
    }
    parts.query.push(("encoding-type", "url".to_owned()));
    true
}

/// Encodes every name as in an HTML form, but without encoding `/`, and adds
/// `EncodingType`.
pub(super) fn encode(answer: &mut Map) {
    each(answer, &|text| {
        let encoded = utf8_percent_encode(text, PLAIN);
        encoded.to_string().replace(' ', "+")
    });
    answer.push(("EncodingType".into(), "url".into()));
}

/// Decodes every name, if the server has encoded them. Like botocore, keeps
/// `EncodingType`.
pub(super) fn decode(answer: &mut Map) {
    let is_encoded =
        |(name, value): &(_, Value)| *name == "EncodingType" && value.as_str() == Some("url");
    if answer.iter().any(is_encoded) {
        each(answer, &|text| {
            let text = text.replace('+', " ");
            percent_decode_str(&text).decode_utf8_lossy().into_owned()
        });
    }
}

fn each(fields: &mut Map, change: &impl Fn(&str) -> String) {
    for (name, value) in fields {
        match value {
            Value::Str(text) if NAMES.contains(&&**name) => *text = change(text),
            Value::List(items) => items.iter_mut().for_each(|item| {
                if let Value::Map(fields) = item {
                    each(fields, change);
                }
            }),
            _ => {}
        }
    }
}
