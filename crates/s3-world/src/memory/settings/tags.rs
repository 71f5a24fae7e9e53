//! Tags: of objects and of buckets.

use super::Context;
use crate::domain::{Refusal, Value};
use crate::refusal;

/// The most characters of a tag's key, and of its value.
const LONGEST: (usize, usize) = (128, 256);
/// The most tags of a bucket.
const MOST: usize = 50;

/// Checks the tags of a bucket.
pub fn of_bucket(_: &Context<'_>, value: Value) -> Result<Value, Refusal> {
    let tags = read(&value)?;
    if tags.len() > MOST {
        return Err(Refusal::new(
            400,
            "BadRequest",
            format!("Bucket tag count cannot be greater than {MOST}"),
        ));
    }
    check(&tags, "System tags cannot be added/updated by requester")?;
    Ok(value)
}

/// Checks the tags that a bucket is made with: S3 says otherwise which keys are its own.
pub fn of_new_bucket(context: &Context<'_>, value: Value) -> Result<Value, Refusal> {
    let is_reserved = |(key, _): &(String, String)| key.starts_with("aws:");
    match read(&value)?.iter().any(is_reserved) {
        true => Err(Refusal::new(
            400,
            "InvalidTag",
            "User-defined tag keys can't start with \"aws:\". This prefix is reserved for system \
             tags. Remove \"aws:\" from your tag keys and try again.",
        )),
        false => of_bucket(context, value),
    }
}

/// Whether a set has no tags.
pub fn is_empty(tagging: &Value) -> bool {
    let tags = tagging.get("TagSet").and_then(Value::as_list);
    tags.is_none_or(<[Value]>::is_empty)
}

/// The pairs of a tag set.
///
/// # Errors
/// `MalformedXML` without a `TagSet`, or if a tag lacks its key or its value.
pub fn read(tagging: &Value) -> Result<Vec<(String, String)>, Refusal> {
    let tags = tagging.get("TagSet").and_then(Value::as_list);
    let text = |tag: &Value, name| tag.get(name).and_then(Value::as_str).map(str::to_owned);
    let pair = |tag: &Value| Some((text(tag, "Key")?, text(tag, "Value")?));
    let pairs = tags.ok_or_else(refusal::malformed_xml)?.iter().map(pair);
    pairs
        .collect::<Option<_>>()
        .ok_or_else(refusal::malformed_xml)
}

/// Checks tags; `reserved` is what is said of a key that only AWS may use.
///
/// # Errors
/// `InvalidTag`.
pub fn check(tags: &[(String, String)], reserved: &str) -> Result<(), Refusal> {
    let refused = |message: &str, key: &str| {
        Err(Refusal::new(400, "InvalidTag", message).with("TagKey", key))
    };
    for (number, (key, value)) in tags.iter().enumerate() {
        if key.starts_with("aws:") {
            return refused(reserved, key);
        }
        let (longest, longest_value) = LONGEST;
        if key.is_empty() || key.chars().count() > longest || !key.chars().all(is_allowed) {
            return refused("The TagKey you have provided is invalid", key);
        }
        if value.chars().count() > longest_value || !value.chars().all(is_allowed) {
            return Err(Refusal::new(
                400,
                "InvalidTag",
                "The TagValue you have provided is invalid",
            )
            .with("TagKey", key)
            .with("TagValue", value));
        }
        let earlier = tags.iter().take(number);
        if earlier.into_iter().any(|(other, _)| other == key) {
            return refused("Cannot provide multiple Tags with the same key", key);
        }
    }
    Ok(())
}

/// Letters, digits and spaces of any language, and these signs (S3 user guide, "Categorizing
/// your storage using tags").
fn is_allowed(c: char) -> bool {
    c.is_alphanumeric() || c.is_whitespace() || "+-=._:/@".contains(c)
}
