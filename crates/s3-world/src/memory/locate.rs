//! The version of an object that a call names.

use super::history::Version;
use super::state::{Bucket, NULL_VERSION, Object, Versioning};
use crate::domain::Refusal;
use crate::params::Params;
use crate::refusal;
use std::sync::Arc;

/// The object that a call names by `Key` and, if it has one, `VersionId`. A deleted key is
/// missing; a marker that is named by its version is refused as something else than an
/// object.
///
/// # Errors
/// `NoSuchKey`, `NoSuchVersion`, `MethodNotAllowed`, or `InvalidArgument` for a version that
/// cannot be one.
pub fn object(bucket: &Bucket, key: &str, params: Params<'_>) -> Result<Arc<Object>, Refusal> {
    named(bucket, key, params.optional("VersionId")?, "GET")
}

/// As [`object`], for operations on what an object has: they say of a deleted key that it
/// is no object. `method` is that of the request.
///
/// # Errors
/// As [`object`].
pub fn described(
    bucket: &Bucket,
    key: &str,
    params: Params<'_>,
    method: &str,
) -> Result<Arc<Object>, Refusal> {
    let version = params.optional("VersionId")?;
    let is_hidden = bucket.object(key).is_none()
        && matches!(bucket.history.of(key).first(), Some(Version::Marker(_)));
    match version {
        None if is_hidden => Err(refusal::method_not_allowed(method)),
        _ => named(bucket, key, version, method),
    }
}

/// The object with this version, or the latest one.
///
/// # Errors
/// As [`object`].
pub fn named(
    bucket: &Bucket,
    key: &str,
    version: Option<&str>,
    method: &str,
) -> Result<Arc<Object>, Refusal> {
    let Some(version) = version else {
        let latest = bucket.object(key).cloned();
        return latest.ok_or_else(|| refusal::no_such_key(key));
    };
    check_id(version)?;
    if version != NULL_VERSION && bucket.versioning() == Versioning::NeverSet {
        return Err(invalid_id(version));
    }
    match bucket.version(key, version) {
        Some(Version::Object(object)) => Ok(object),
        Some(Version::Marker(_)) => Err(refusal::method_not_allowed(method)),
        None if version == NULL_VERSION && bucket.history.of(key).is_empty() => {
            Err(refusal::no_such_key(key))
        }
        None => Err(refusal::no_such_version(key, version)),
    }
}

/// Refuses a text that no version has as its id.
///
/// # Errors
/// `InvalidArgument`.
pub fn check_id(version: &str) -> Result<(), Refusal> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    if version == NULL_VERSION || (version.len() == 32 && version.chars().all(is_part)) {
        return Ok(());
    }
    Err(invalid_id(version))
}

/// The refusal of an id that no version of the bucket has.
pub fn invalid_id(version: &str) -> Refusal {
    refusal::invalid_argument("versionId", version, "Invalid version id specified")
}

/// The version's name, where answers have it: not in a bucket that never kept versions.
pub fn shown(bucket: &Bucket, object: &Object) -> Option<String> {
    (bucket.versioning() != Versioning::NeverSet).then(|| object.version_id().to_owned())
}
