//! Requests: boto3's keyword arguments as headers, query and body, and back.

use super::xml::{self, Strictness, Unknown};
use super::{ApiOperation, Location, Member, Shape, scalars};
use crate::domain::{Map, Name, Refusal, Value};
use crate::params::Params;
use crate::refusal;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use md5::{Digest, Md5};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// The characters that are not encoded in a query (RFC 3986, as SigV4 requires).
pub const QUERY: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// The characters that are not encoded in a path, nor in the header that names the source of
/// a copy.
pub const PATH: &AsciiSet = &QUERY.remove(b'/');

/// The parts of a request that parameters become. Bucket and key are in its path.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct RequestParts {
    /// The parameters of the query, with the fixed one first. Not encoded.
    pub query: Vec<(&'static str, String)>,
    /// The headers.
    pub headers: Vec<(Name, String)>,
    /// The body: content, or a document.
    pub body: Bytes,
}

/// The source from which [`read`] reads a request.
pub trait Received {
    /// The bucket in the path or host; empty if there is none.
    fn bucket(&self) -> &str;
    /// The key in the path; empty if there is none.
    fn key(&self) -> &str;
    /// The value of a query parameter.
    fn query(&self, name: &str) -> Option<&str>;
    /// The value of a header.
    fn header(&self, name: &str) -> Option<String>;
    /// The headers with this prefix, without it.
    fn headers_after(&self, prefix: &str) -> Vec<(String, String)>;
}

/// The request of a call.
///
/// # Errors
/// A refusal if a required parameter is missing, or a value is not of its type.
pub fn write(operation: &ApiOperation, params: &Value) -> Result<RequestParts, Refusal> {
    let given = Params::new(params)?;
    let input = operation.input;
    for name in &input.required {
        if given.get(name).is_none() {
            return Err(refusal::malformed(name, "given"));
        }
    }
    let mut parts = RequestParts::default();
    let fixed = operation.query.into_iter();
    parts
        .query
        .extend(fixed.map(|(name, value)| (name, value.to_owned())));
    for (name, value) in pairs(params) {
        let Some(member) = input.member(name) else {
            return Err(refusal::not_implemented(name));
        };
        match member.place {
            Location::Path => match value.as_str() {
                Some("") => {
                    return Err(refusal::malformed(name, "at least one character long"));
                }
                Some(_) => {}
                None => return Err(refusal::malformed(name, "text")),
            },
            Location::Query => parts
                .query
                .push((member.wire, scalars::write(member, value)?)),
            Location::Header => {
                let text = header_text(member, value, &given)?;
                parts.headers.push((member.wire.into(), text));
            }
            Location::Prefix => {
                for (name, value) in given.metadata()? {
                    parts
                        .headers
                        .push((format!("{}{name}", member.wire).into(), value));
                }
            }
            Location::Payload => parts.body = payload(member, value)?,
            // No request has elements outside of a payload.
            Location::Body => {}
        }
    }
    add_key_checksums(operation, &given, &mut parts);
    Ok(parts)
}

/// The pairs of a map that have a value.
fn pairs(params: &Value) -> impl Iterator<Item = (&str, &Value)> {
    let pairs = match params {
        Value::Map(pairs) => pairs.as_slice(),
        _ => &[],
    };
    let pairs = pairs.iter().map(|(name, value)| (&**name, value));
    pairs.filter(|(_, value)| **value != Value::Null)
}

fn header_text(member: &Member, value: &Value, given: &Params<'_>) -> Result<String, Refusal> {
    match (member.name, member.shape, value) {
        ("CopySource", ..) => {
            let source = given.copy_source()?;
            let path = format!("{}/{}", source.bucket, source.key);
            let mut header = utf8_percent_encode(&path, PATH).to_string();
            if let Some(version) = source.version {
                header.push_str("?versionId=");
                header.push_str(&version);
            }
            Ok(header)
        }
        // Like botocore, encodes a customer's key, unless the caller has given its MD5.
        (name, _, Value::Str(key)) if is_customer_key(name) => {
            match given.get(&format!("{name}MD5")) {
                Some(_) => Ok(key.clone()),
                None => Ok(STANDARD.encode(key)),
            }
        }
        (_, Shape::List(item), Value::List(items)) => {
            let texts = items.iter().map(|each| scalars::write(item, each));
            Ok(texts.collect::<Result<Vec<_>, _>>()?.join(","))
        }
        (_, Shape::List(_), _) => Err(refusal::malformed(member.name, "a list")),
        _ => {
            let text = scalars::write(member, value)?;
            match text
                .bytes()
                .any(|byte| byte < b' ' && byte != b'\t' || byte == 0x7f)
            {
                true => Err(refusal::malformed(
                    member.name,
                    "text without control characters",
                )),
                false => Ok(text),
            }
        }
    }
}

fn is_customer_key(name: &str) -> bool {
    name.ends_with("SSECustomerKey")
}

/// The MD5 of customers' keys that came without it.
fn add_key_checksums(operation: &ApiOperation, given: &Params<'_>, parts: &mut RequestParts) {
    for member in operation.input.at(Location::Header) {
        let Some(key) = member
            .name
            .strip_suffix("MD5")
            .filter(|name| is_customer_key(name))
        else {
            continue;
        };
        if let (Some(Value::Str(key)), None) = (given.get(key), given.get(member.name)) {
            let md5 = STANDARD.encode(Md5::digest(key));
            parts.headers.push((member.wire.into(), md5));
        }
    }
}

fn payload(member: &Member, value: &Value) -> Result<Bytes, Refusal> {
    match (member.shape, value) {
        (Shape::Structure(structure), Value::Map(fields)) => {
            xml::document(member.wire, structure, fields, Unknown::Refused)
        }
        (Shape::Structure(_), _) => Err(refusal::malformed(member.name, "a dict")),
        (_, Value::Str(text)) => Ok(Bytes::copy_from_slice(text.as_bytes())),
        (Shape::Bytes, Value::Bytes(bytes)) => Ok(bytes.clone()),
        _ => Err(refusal::malformed(member.name, "text")),
    }
}

/// The keyword arguments of a request. `body` is its content or document.
///
/// # Errors
/// A refusal of a number, date or document that S3 cannot read.
pub fn read(
    operation: &ApiOperation,
    request: &impl Received,
    body: Bytes,
) -> Result<Map, Refusal> {
    let mut arguments = Map::new();
    for member in &operation.input.members {
        let value = match member.place {
            Location::Path => match member.name {
                "Bucket" => Some(request.bucket().into()),
                _ => Some(request.key().into()),
            },
            Location::Query => match request.query(member.wire) {
                Some(text) => argument(member, text.to_owned())?,
                None => None,
            },
            Location::Header if member.name == "CopySource" => {
                let header = request.header(member.wire);
                header.map(|header| copy_source(&header)).transpose()?
            }
            Location::Header => match request.header(member.wire) {
                Some(text) => argument(member, text)?,
                None => None,
            },
            Location::Prefix => {
                let pairs = request.headers_after(member.wire).into_iter();
                let pairs: Map = pairs
                    .map(|(name, text)| (name.into(), text.into()))
                    .collect();
                (!pairs.is_empty()).then_some(Value::Map(pairs))
            }
            Location::Payload => content(member, &body)?,
            Location::Body => None,
        };
        arguments.extend(value.map(|value| (member.name.into(), value)));
    }
    Ok(arguments)
}

/// One value; `None` if S3 ignores it.
fn argument(member: &Member, text: String) -> Result<Option<Value>, Refusal> {
    match member.shape {
        // Encodings of the request do not belong to the object.
        _ if member.wire == "content-encoding" => {
            let codings = text.split(',');
            let kept: Vec<&str> = codings
                .filter(|coding| coding.trim() != "aws-chunked")
                .collect();
            Ok((!kept.is_empty()).then(|| kept.join(",").trim().into()))
        }
        Shape::List(_) => {
            let items = text
                .split(',')
                .map(str::trim)
                .filter(|item| !item.is_empty());
            Ok(Some(Value::List(items.map(Value::from).collect())))
        }
        Shape::Int => match text.parse::<i64>() {
            Ok(int) => Ok(Some(int.into())),
            Err(_) if text.is_empty() => Ok(None),
            Err(_) => Err(refusal::invalid_argument(
                member.wire,
                &text,
                format!(
                    "Provided {} not an integer or within integer range",
                    member.wire
                ),
            )),
        },
        Shape::Bool => Ok(Some(text.eq_ignore_ascii_case("true").into())),
        // RFC 9110, section 13.1: an invalid date is ignored.
        Shape::Time => Ok(scalars::read_time(&text).map(Value::Time)),
        _ => Ok(Some(text.into())),
    }
}

/// The source of a copy, as boto3's dict. The header contains `bucket/key?versionId=…`,
/// percent-encoded.
fn copy_source(header: &str) -> Result<Value, Refusal> {
    let (path, version) = match header.split_once("?versionId=") {
        Some((path, version)) => (path, Some(version)),
        None => (header, None),
    };
    let path = path.replace('+', " ");
    let path = percent_decode_str(&path).decode_utf8().ok();
    let parts = path.as_deref().and_then(|path| {
        let path = path.strip_prefix('/').unwrap_or(path);
        let (bucket, key) = path.split_once('/')?;
        (!bucket.is_empty() && !key.is_empty()).then_some((bucket, key))
    });
    let Some((bucket, key)) = parts else {
        return Err(refusal::invalid_argument(
            "x-amz-copy-source",
            header,
            "Invalid copy source object key",
        ));
    };
    let mut source: Map = vec![("Bucket".into(), bucket.into()), ("Key".into(), key.into())];
    source.extend(version.map(|version| ("VersionId".into(), version.into())));
    Ok(Value::Map(source))
}

/// The body as an argument. A document may be missing, unless the API requires it.
fn content(member: &Member, body: &Bytes) -> Result<Option<Value>, Refusal> {
    match member.shape {
        Shape::Bytes => Ok(Some(Value::Bytes(body.clone()))),
        Shape::Structure(_) if body.is_empty() => Ok(None),
        Shape::Structure(structure) => match xml::read(body, structure, Strictness::Strict) {
            Some((root, fields)) if root == member.wire => Ok(Some(Value::Map(fields))),
            _ => Err(refusal::malformed_xml()),
        },
        _ => match std::str::from_utf8(body) {
            Ok(text) => Ok(Some(text.into())),
            Err(_) => Err(refusal::malformed_xml()),
        },
    }
}
