//! Checks of a call before it is kept or sent: the names of buckets, and sizes. botocore makes
//! some of them in the program's client, but a program need not use that.

use super::api::{self, Location, Member, Shape};
use super::let_in::DOCUMENT_BYTES;
use super::params::Params;
use super::{names, refusal};
use crate::domain::{Refusal, Value};

/// The most bytes of all headers of a request (S3 API reference, `RequestHeaderSectionTooLarge`).
const HEADER_BYTES: usize = 8 << 10;

/// The most bytes of a document, by parameter (S3 user guide), and of every other one.
const DOCUMENTS: [(&str, usize); 3] = [
    // As text: whitespace counts.
    ("Policy", DOCUMENT_BYTES),
    ("CORSConfiguration", 64 << 10),
    ("WebsiteConfiguration", 128 << 10),
];
const OTHER_DOCUMENT_BYTES: usize = 2 << 20;

/// Refuses a call as S3 does whose names cannot be sent, or whose parameters are too large.
///
/// # Errors
/// S3's refusal.
pub(super) fn check(operation: &str, params: &Value) -> Result<(), Refusal> {
    check_names(params)?;
    check_sizes(operation, Params::new(params)?)
}

/// Refuses names of buckets that would be another path once they are part of a request's.
fn check_names(params: &Value) -> Result<(), Refusal> {
    let named = params.get("Bucket").and_then(Value::as_str);
    let given = Params::new(params)?;
    let source = given
        .get("CopySource")
        .and_then(|_| given.copy_source().ok());
    let source = source.as_ref().map(|source| source.bucket.as_str());
    let mut all = named.into_iter().chain(source);
    match all.find(|name| !names::can_be_sent(name)) {
        Some(name) => Err(refusal::invalid_bucket_name(name)),
        None => Ok(()),
    }
}

/// Refuses headers and documents that are larger than S3 takes them. What is read of them would
/// take far more memory than their text.
pub(super) fn check_sizes(operation: &str, params: Params<'_>) -> Result<(), Refusal> {
    let Some(operation) = api::operation(operation) else {
        return Ok(());
    };
    let given = params.pairs();
    let others = given.iter().filter(|(name, _)| name != "Body");
    if others.map(|(_, value)| size(value)).sum::<usize>() <= HEADER_BYTES {
        return Ok(());
    }
    let mut in_headers = 0;
    for (name, value) in given {
        let Some(member) = operation.input.member(name) else {
            continue;
        };
        match member.place {
            Location::Header | Location::Prefix => in_headers += size(value),
            Location::Payload | Location::Body if !is_content(member) => {
                check_document(name, value)?
            }
            Location::Payload | Location::Body | Location::Path | Location::Query => {}
        }
    }
    match in_headers > HEADER_BYTES {
        true => Err(Refusal::new(
            400,
            "RequestHeaderSectionTooLarge",
            "Your request header section exceeds the maximum allowed request header section size.",
        )
        .with("MaxSizeAllowed", HEADER_BYTES.to_string())),
        false => Ok(()),
    }
}

fn is_content(member: &Member) -> bool {
    matches!(member.shape, Shape::Bytes)
}

fn check_document(name: &str, value: &Value) -> Result<(), Refusal> {
    let known = DOCUMENTS.iter().find(|(known, _)| *known == name);
    let most = known.map_or(OTHER_DOCUMENT_BYTES, |(_, most)| *most);
    if size(value) <= most {
        return Ok(());
    }
    Err(match name {
        "Policy" => Refusal::new(
            400,
            "MalformedPolicy",
            "Policy exceeds the maximum allowed document size.",
        ),
        _ => Refusal::new(400, "MaxMessageLengthExceeded", "Your request was too big.")
            .with("MaxMessageLengthBytes", most.to_string()),
    })
}

/// The bytes of all texts in a value, and some for what is around them in a document.
fn size(value: &Value) -> usize {
    const AROUND: usize = 8;
    match value {
        Value::Str(text) => text.len(),
        Value::Bytes(bytes) => bytes.len(),
        Value::List(items) => items.iter().map(|item| size(item) + AROUND).sum(),
        Value::Map(pairs) => pairs.iter().map(|(name, it)| name.len() + size(it)).sum(),
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) => 0,
        Value::BigInt(_) | Value::Time(_) | Value::File(_) => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::caller::params;

    /// The code of the refusal of a call with one large parameter.
    fn refused(operation: &str, more: (&'static str, Value)) -> String {
        let mut call = params([("Bucket", "zoo"), ("Key", "k")]);
        call.push((more.0.into(), more.1));
        match check(operation, &Value::Map(call)) {
            Ok(()) => "fine".to_owned(),
            Err(refusal) => refusal.code,
        }
    }

    #[test]
    fn what_is_too_large_is_refused_before_it_is_read() {
        let text = |bytes: usize| Value::Str("x".repeat(bytes));
        let within = |name: &'static str, value| Value::Map(vec![(name.into(), value)]);
        for (operation, parameter, value, code) in [
            ("put_bucket_policy", "Policy", text(20 << 10), "fine"),
            (
                "put_bucket_policy",
                "Policy",
                text((20 << 10) + 1),
                "MalformedPolicy",
            ),
            (
                "put_object",
                "GrantRead",
                text(9 << 10),
                "RequestHeaderSectionTooLarge",
            ),
            (
                "put_object",
                "Tagging",
                text(9 << 10),
                "RequestHeaderSectionTooLarge",
            ),
            ("put_object", "Body", text(9 << 20), "fine"),
            (
                "put_bucket_cors",
                "CORSConfiguration",
                within("CORSRules", Value::List(vec![text(65 << 10)])),
                "MaxMessageLengthExceeded",
            ),
            (
                "put_bucket_website",
                "WebsiteConfiguration",
                within("RoutingRules", Value::List(vec![text(129 << 10)])),
                "MaxMessageLengthExceeded",
            ),
            (
                "put_bucket_tagging",
                "Tagging",
                within("TagSet", Value::List(vec![Value::Null; 300_000])),
                "MaxMessageLengthExceeded",
            ),
            (
                "delete_objects",
                "Delete",
                within("Objects", Value::List(vec![text(1024); 1000])),
                "fine",
            ),
        ] {
            assert_eq!(refused(operation, (parameter, value)), code, "{operation}");
        }
    }

    #[test]
    fn names_that_could_be_another_path_are_not_sent() {
        let code = |bucket: &str| {
            let call = Value::Map(params([("Bucket", bucket)]));
            check("delete_bucket", &call)
                .map_or_else(|refusal| refusal.code, |()| "fine".to_owned())
        };
        for fine in [
            "zoo",
            "AUDIT_1.x-y",
            "arn:aws:s3:us-east-1:123456789012:accesspoint/ap",
            "arn:aws:s3-outposts:us-east-1:123456789012:outpost/op-1/accesspoint/ap",
        ] {
            assert_eq!(code(fine), "fine", "{fine}");
        }
        for wrong in [
            "",
            ".",
            "..",
            "./zoo",
            "/zoo",
            "//zoo",
            "zoo/",
            "zoo/.",
            "a/../zoo",
            "zoo?x",
            "zoo#x",
            "zoo%2fa",
            "zoo ",
            "a\\b",
            "zoo\0",
            "arn:aws:s3:::a/../zoo",
            "http://zoo",
        ] {
            assert_eq!(code(wrong), "InvalidBucketName", "{wrong}");
        }
        let copy = Value::Map(vec![
            ("Bucket".into(), "zoo".into()),
            ("Key".into(), "k".into()),
            (
                "CopySource".into(),
                Value::Map(params([("Bucket", "a/../b"), ("Key", "k")])),
            ),
        ]);
        assert!(check("copy_object", &copy).is_err());
    }
}
