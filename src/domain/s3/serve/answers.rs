//! Turns boto3's answers into HTTP responses: headers, documents, bodies.

use super::fields::ANSWERED;
use super::xml;
use crate::domain::{Map, Value};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use http::header::{CONTENT_LENGTH, CONTENT_TYPE, HeaderName, HeaderValue};
use http::{Response, StatusCode};
use jiff::Timestamp;

/// An answer with its fields as headers and its `Body` as the body.
pub fn headers(status: u16, answer: Map) -> Response<Bytes> {
    assemble(status, answer).0
}

/// An answer as an XML document. Fields that are not headers become elements.
pub fn document(root: &str, answer: Map) -> Response<Bytes> {
    let (response, elements) = assemble(200, answer);
    let document = xml::document(root, Some(xml::NAMESPACE), &elements);
    with_document(response, document)
}

/// An answer as an XML document with all fields as elements.
pub fn elements(root: &str, elements: &Map) -> Response<Bytes> {
    let document = xml::document(root, Some(xml::NAMESPACE), elements);
    with_document(Response::new(Bytes::new()), document)
}

/// An answer whose document is one of its fields. If the field is null, the document is
/// empty.
pub fn field(name: &str, answer: Map) -> Response<Bytes> {
    let (response, elements) = assemble(200, answer);
    let found = elements.into_iter().find(|(known, _)| known == name);
    let document = match found {
        Some((_, Value::Map(elements))) => xml::document(name, Some(xml::NAMESPACE), &elements),
        Some((_, value)) => xml::text_document(name, &value),
        None => xml::text_document(name, &Value::Null),
    };
    with_document(response, document)
}

fn with_document(mut response: Response<Bytes>, document: Bytes) -> Response<Bytes> {
    let xml = HeaderValue::from_static("application/xml");
    response.headers_mut().insert(CONTENT_TYPE, xml);
    let length = HeaderValue::from(document.len());
    response.headers_mut().insert(CONTENT_LENGTH, length);
    *response.body_mut() = document;
    response
}

/// Adds the fields that are headers to the response. Returns the other fields.
fn assemble(status: u16, answer: Map) -> (Response<Bytes>, Map) {
    let mut response = Response::new(Bytes::new());
    let mut elements = Map::new();
    let mut status = StatusCode::from_u16(status).unwrap_or_default();
    for (name, value) in answer {
        let header = ANSWERED.iter().find(|(known, _)| *known == name);
        match (&*name, header, value) {
            (_, _, Value::Null) if name != "LocationConstraint" => {}
            ("Body", _, Value::Bytes(body)) => *response.body_mut() = body,
            ("Body", _, Value::Str(body)) => *response.body_mut() = body.into(),
            ("Metadata", _, Value::Map(pairs)) => {
                for (name, value) in pairs {
                    add(&mut response, &format!("x-amz-meta-{name}"), &value);
                }
            }
            // The uploader's own text if it is known, otherwise the time.
            ("ExpiresString", _, text) => add(&mut response, "expires", &text),
            ("Expires", _, _) if response.headers().contains_key("expires") => {}
            (_, Some((_, header)), value) => add(&mut response, header, &value),
            (_, None, value) => elements.push((name, value)),
        }
    }
    if response.headers().contains_key("content-range") {
        status = StatusCode::PARTIAL_CONTENT;
    }
    *response.status_mut() = status;
    (response, elements)
}

/// Adds a header, unless its name or value is invalid in HTTP.
fn add(response: &mut Response<Bytes>, name: &str, value: &Value) {
    let text = match value {
        Value::Str(text) => plain(text),
        Value::Bool(truth) => truth.to_string(),
        Value::Int(int) => int.to_string(),
        Value::Time(time) => http_date(*time),
        _ => return,
    };
    let name = HeaderName::try_from(name);
    if let (Ok(name), Ok(value)) = (name, HeaderValue::try_from(text)) {
        response.headers_mut().insert(name, value);
    }
}

/// Encodes a text for a header. Like S3 with user metadata, encodes non-ASCII text as in
/// RFC 2047.
fn plain(text: &str) -> String {
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\t')) {
        return text.to_owned();
    }
    format!("=?UTF-8?B?{}?=", STANDARD.encode(text))
}

fn http_date(time: Timestamp) -> String {
    time.strftime("%a, %d %b %Y %H:%M:%S GMT").to_string()
}
