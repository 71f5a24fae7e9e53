//! Conditional requests: `IfMatch`, `IfNoneMatch`, `IfModifiedSince`, `IfUnmodifiedSince`.

use super::customer_key::Of;
use super::state::{Bucket, Object};
use crate::clock::whole_seconds;
use crate::domain::Refusal;
use crate::params::Params;
use crate::refusal;
use jiff::Timestamp;

/// The conditions of a read or of the source of a copy.
pub struct Conditions<'a> {
    matches: Option<&'a str>,
    none_match: Option<&'a str>,
    modified_since: Option<Timestamp>,
    unmodified_since: Option<Timestamp>,
    now: Timestamp,
}

/// The result of checking conditions on an object.
pub enum Verdict {
    /// They hold.
    Holds,
    /// The caller already has this version.
    NotModified(&'static str),
    /// They do not hold.
    Failed(&'static str),
}

impl<'a> Conditions<'a> {
    /// Reads the conditions. A time that is still to come is no condition.
    pub fn read(params: Params<'a>, of: Of, now: Timestamp) -> Result<Self, Refusal> {
        let [matches, none_match, modified_since, unmodified_since] = match of {
            Of::Target => [
                "IfMatch",
                "IfNoneMatch",
                "IfModifiedSince",
                "IfUnmodifiedSince",
            ],
            Of::Source => [
                "CopySourceIfMatch",
                "CopySourceIfNoneMatch",
                "CopySourceIfModifiedSince",
                "CopySourceIfUnmodifiedSince",
            ],
        };
        Ok(Conditions {
            matches: params.optional(matches)?,
            none_match: params.optional(none_match)?,
            modified_since: params.time(modified_since)?,
            unmodified_since: params.time(unmodified_since)?,
            now,
        })
    }

    /// Checks the conditions in the order of RFC 9110, section 13.2.2. If both an ETag
    /// and a time are given, the ETag takes precedence.
    pub fn judge(&self, object: &Object) -> Verdict {
        let later = |time: Timestamp| object.modified > whole_seconds(time);
        match (self.matches, self.unmodified_since) {
            (Some(etag), _) if !is_etag_of(etag, object) => return Verdict::Failed("If-Match"),
            (None, Some(time)) if later(time) => return Verdict::Failed("If-Unmodified-Since"),
            _ => {}
        }
        match (self.none_match, self.modified_since) {
            (Some(etag), _) if is_etag_of(etag, object) => Verdict::NotModified("If-None-Match"),
            (None, Some(time)) if time <= self.now && !later(time) => {
                Verdict::NotModified("If-Modified-Since")
            }
            _ => Verdict::Holds,
        }
    }
}

/// Refuses a write whose `IfMatch` or `IfNoneMatch` does not hold for the object at the key.
pub fn check_write(params: Params<'_>, bucket: &Bucket, key: &str) -> Result<(), Refusal> {
    let (matches, none_match) = (params.optional("IfMatch")?, params.optional("IfNoneMatch")?);
    if matches.is_none() && none_match.is_none() {
        return Ok(());
    }
    let present = bucket.object(key);
    let unknown = |header: &str| {
        refusal::not_implemented(header).with(
            "additionalMessage",
            format!("We don't accept the provided value of {header} header for this API"),
        )
    };
    if matches.is_some() && none_match.is_some() {
        return Err(refusal::not_implemented("If-Match,If-None-Match").with(
            "additionalMessage",
            "Multiple conditional request headers present in the request",
        ));
    }
    match none_match {
        None => {}
        Some("*") if present.is_none() => {}
        Some("*") => return Err(refusal::precondition_failed("If-None-Match")),
        Some(_) => return Err(unknown("If-None-Match")),
    }
    match (matches, present) {
        (None, _) => Ok(()),
        (Some("*"), _) => Err(unknown("If-Match")),
        (Some(_), None) => Err(refusal::no_such_key(key)),
        (Some(etag), Some(object)) if is_etag_of(etag, object) => Ok(()),
        _ => Err(refusal::precondition_failed("If-Match")),
    }
}

/// Whether `given`, a list of ETags with or without quotes or a `*`, matches the object.
pub fn is_etag_of(given: &str, object: &Object) -> bool {
    let etag = object.etag();
    let etag = etag.trim_matches('"');
    given.split(',').any(|one| {
        let one = one.trim();
        let one = one.strip_prefix("W/").unwrap_or(one).trim_matches('"');
        one == "*" || one == etag
    })
}
