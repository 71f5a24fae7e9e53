//! Turns headers and query parameters into boto3's keyword arguments.

use super::errors;
use super::fields::{Field, Kind, Place};
use super::request::Incoming;
use crate::domain::s3::refusal;
use crate::domain::{Map, Name, Refusal, Value};
use jiff::Timestamp;
use percent_encoding::percent_decode_str;

/// The arguments from these fields of a request, with bucket and key.
pub fn arguments(request: &Incoming, fields: &[&[Field]]) -> Result<Map, Refusal> {
    let mut arguments = Map::new();
    if !request.bucket.is_empty() {
        arguments.push(("Bucket".into(), request.bucket.as_str().into()));
    }
    if !request.key.is_empty() {
        arguments.push(("Key".into(), request.key.as_str().into()));
    }
    for (name, place, kind) in fields.iter().copied().flatten() {
        let (spelled, text) = match place {
            Place::Header(header) => (header, request.header(header)),
            Place::Query(parameter) => (parameter, request.query(parameter).map(str::to_owned)),
        };
        if let Some(value) = text.map(|text| read(spelled, *kind, text)).transpose()? {
            arguments.extend(value.map(|value| ((*name).into(), value)));
        }
    }
    Ok(arguments)
}

/// One value; `None` if S3 ignores it.
fn read(spelled: &str, kind: Kind, text: String) -> Result<Option<Value>, Refusal> {
    match kind {
        // Encodings of the request do not belong to the object.
        Kind::Text if spelled == "content-encoding" => {
            let codings = text.split(',').map(str::trim);
            let kept: Vec<&str> = codings.filter(|coding| *coding != "aws-chunked").collect();
            Ok((!kept.is_empty()).then(|| kept.join(",").into()))
        }
        Kind::Text => Ok(Some(text.into())),
        Kind::Int => match text.parse::<i64>() {
            Ok(int) => Ok(Some(int.into())),
            Err(_) if text.is_empty() => Ok(None),
            Err(_) => Err(refusal::invalid_argument(
                spelled,
                &text,
                format!("Provided {spelled} not an integer or within integer range"),
            )),
        },
        Kind::Flag => Ok(Some(text.eq_ignore_ascii_case("true").into())),
        // RFC 9110, section 13.1: an invalid date is ignored.
        Kind::Time => Ok(http_date(&text).map(Value::Time)),
    }
}

/// Reads `Mon, 01 Jan 2024 00:00:00 GMT`. The AWS SDK for Rust adds fractions of a second.
pub fn http_date(text: &str) -> Option<Timestamp> {
    let whole = match text.split_once('.') {
        Some((time, rest)) => format!("{time}{}", rest.trim_start_matches(char::is_numeric)),
        None => text.to_owned(),
    };
    let parsed = jiff::fmt::rfc2822::parse(whole.trim()).ok()?;
    Some(parsed.timestamp())
}

/// User metadata.
pub fn metadata(request: &Incoming) -> Option<(Name, Value)> {
    let pairs = request.headers_after("x-amz-meta-");
    let pairs: Map = pairs
        .into_iter()
        .map(|(name, text)| (name.into(), text.into()))
        .collect();
    (!pairs.is_empty()).then(|| ("Metadata".into(), Value::Map(pairs)))
}

/// The source of a copy, as boto3's dict. The header contains `bucket/key?versionId=…`,
/// percent-encoded.
pub fn copy_source(request: &Incoming) -> Result<(Name, Value), Refusal> {
    let header = request.header("x-amz-copy-source").unwrap_or_default();
    let (path, version) = match header.split_once("?versionId=") {
        Some((path, version)) => (path, Some(version)),
        None => (header.as_str(), None),
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
            &header,
            "Copy Source must mention the source bucket and key: sourcebucket/sourcekey",
        ));
    };
    let mut source = errors::map([("Bucket", bucket.into()), ("Key", key.into())]);
    source.extend(version.map(|version| ("VersionId".into(), version.into())));
    Ok(("CopySource".into(), Value::Map(source)))
}
