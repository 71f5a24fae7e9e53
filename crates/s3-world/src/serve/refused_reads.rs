//! Headers of refused reads. S3 tells in them that a deleted key has a delete marker, and what
//! a cache needs to know about an object that has not changed.
//!
//! A refusal of a world has no headers, so the world is asked for them.

use super::errors::Trouble;
use super::{Shared, answers, calls, errors};
use crate::api;
use crate::domain::{Map, Refusal, Value};
use bytes::Bytes;
use http::header::{ALLOW, HeaderValue};
use http::{Response, StatusCode};

/// The parameters that make an answer depend on what the client has already.
const CONDITIONS: &[&str] = &[
    "IfMatch",
    "IfNoneMatch",
    "IfModifiedSince",
    "IfUnmodifiedSince",
    "Range",
    "PartNumber",
];

/// The headers of an answer about an object that has not changed (RFC 9110, section 15.4.5).
const OF_UNCHANGED: &[&str] = &[
    "LastModified",
    "ETag",
    "VersionId",
    "CacheControl",
    "Expires",
    "ExpiresString",
];

/// The answer to a `get_object` or `head_object` with these arguments that the world refused.
///
/// # Errors
/// The world cannot be asked.
pub async fn answer(
    shared: &Shared,
    arguments: Map,
    refusal: &Refusal,
) -> Result<Response<Bytes>, Trouble> {
    let mut response = errors::response(refusal);
    let told = match response.status() {
        StatusCode::NOT_MODIFIED => unchanged(shared, arguments).await?,
        StatusCode::NOT_FOUND | StatusCode::METHOD_NOT_ALLOWED => {
            marker(shared, &arguments, refusal.status).await?
        }
        _ => None,
    };
    let (Some(told), Some(head)) = (told, api::operation("head_object")) else {
        return Ok(response);
    };
    let is_version = response.status() == StatusCode::METHOD_NOT_ALLOWED;
    let headers = response.headers_mut();
    headers.extend(answers::of(head, &told)?.headers().clone());
    if is_version {
        headers.insert(ALLOW, HeaderValue::from_static("DELETE"));
    }
    Ok(response)
}

/// The answer about an object that the client has already.
async fn unchanged(shared: &Shared, mut arguments: Map) -> Result<Option<Map>, Trouble> {
    arguments.retain(|(name, _)| !CONDITIONS.contains(&&**name));
    let Some(Value::Map(mut told)) = ask(shared, "head_object", arguments).await? else {
        return Ok(None);
    };
    told.retain(|(name, _)| OF_UNCHANGED.contains(&&**name));
    Ok(Some(told))
}

/// The headers about the delete marker that a read met: the latest version of its key, or the
/// version that it names.
async fn marker(shared: &Shared, arguments: &Map, status: u16) -> Result<Option<Map>, Trouble> {
    let argument = |name: &str| {
        let mut arguments = arguments.iter();
        let (_, value) = arguments.find(|(known, _)| known == name)?;
        Some(value)
    };
    let (Some(bucket), Some(key)) = (argument("Bucket"), argument("Key")) else {
        return Ok(None);
    };
    let version = argument("VersionId");
    let is_named = status == 405;
    if is_named != version.is_some() {
        return Ok(None);
    }
    let mut wanted: Map = vec![
        ("Bucket".into(), bucket.clone()),
        ("Prefix".into(), key.clone()),
    ];
    let owner = argument("ExpectedBucketOwner").cloned();
    wanted.extend(owner.map(|owner| ("ExpectedBucketOwner".into(), owner)));
    // The key's own versions come first of all that begin like it.
    let Some(listed) = ask(shared, "list_object_versions", wanted).await? else {
        return Ok(None);
    };
    let markers = listed.get("DeleteMarkers").and_then(Value::as_list);
    let mut markers = markers.unwrap_or_default().iter();
    let met = markers.find(|marker| {
        let is_met = match version {
            Some(_) => marker.get("VersionId") == version,
            None => marker.get("IsLatest").and_then(Value::as_bool) == Some(true),
        };
        is_met && marker.get("Key") == Some(key)
    });
    Ok(met.map(|marker| {
        let mut told: Map = vec![("DeleteMarker".into(), true.into())];
        let names: &[&'static str] = match is_named {
            true => &["VersionId", "LastModified"],
            false => &["VersionId"],
        };
        for name in names {
            told.extend(
                marker
                    .get(name)
                    .map(|value| ((*name).into(), value.clone())),
            );
        }
        told
    }))
}

/// The world's answer, unless it refuses one.
async fn ask(shared: &Shared, operation: &str, arguments: Map) -> Result<Option<Value>, Trouble> {
    let Some(operation) = api::operation(operation) else {
        return Ok(None);
    };
    match calls::call(shared, operation, arguments).await {
        Ok(answer) => Ok(Some(answer)),
        Err(Trouble::Refused(_)) => Ok(None),
        Err(failed) => Err(failed),
    }
}
