//! S3's errors, with the code, message, HTTP status and fields that AWS sends.

use crate::domain::Refusal;
use crate::error::Error;

/// Why a call has no result. As everywhere, there are two levels of failure.
pub(crate) enum Trouble {
    /// S3 refused the call; the caller handles it.
    Refused(Refusal),
    /// There was no answer; that is an error of this program.
    Failed(Error),
}

impl From<Refusal> for Trouble {
    fn from(refusal: Refusal) -> Self {
        Trouble::Refused(refusal)
    }
}

impl From<Error> for Trouble {
    fn from(error: Error) -> Self {
        Trouble::Failed(error)
    }
}

pub(crate) fn no_such_bucket(bucket: &str) -> Refusal {
    Refusal::new(404, "NoSuchBucket", "The specified bucket does not exist")
        .with("BucketName", bucket)
}

pub(crate) fn no_such_key(key: &str) -> Refusal {
    Refusal::new(404, "NoSuchKey", "The specified key does not exist.").with("Key", key)
}

pub(crate) fn no_such_version(key: &str, version: &str) -> Refusal {
    Refusal::new(
        404,
        "NoSuchVersion",
        "The specified version does not exist.",
    )
    .with("Key", key)
    .with("VersionId", version)
}

/// The named version is a delete marker, which can only be deleted.
pub(crate) fn method_not_allowed(method: &str) -> Refusal {
    Refusal::new(
        405,
        "MethodNotAllowed",
        "The specified method is not allowed against this resource.",
    )
    .with("Method", method)
    .with("ResourceType", "DeleteMarker")
}

pub(crate) fn bucket_already_owned(bucket: &str) -> Refusal {
    Refusal::new(
        409,
        "BucketAlreadyOwnedByYou",
        "Your previous request to create the named bucket succeeded and you already own it.",
    )
    .with("BucketName", bucket)
}

/// The name belongs to another account.
pub(crate) fn bucket_already_exists(bucket: &str) -> Refusal {
    Refusal::new(
        409,
        "BucketAlreadyExists",
        "The requested bucket name is not available. The bucket namespace is shared by all \
         users of the system. Please select a different name and try again.",
    )
    .with("BucketName", bucket)
}

pub(crate) fn bucket_not_empty(bucket: &str) -> Refusal {
    Refusal::new(
        409,
        "BucketNotEmpty",
        "The bucket you tried to delete is not empty",
    )
    .with("BucketName", bucket)
}

/// The bucket has no objects, but older versions or delete markers.
pub(crate) fn versions_left(bucket: &str) -> Refusal {
    Refusal::new(
        409,
        "BucketNotEmpty",
        "The bucket you tried to delete is not empty. You must delete all versions in the bucket.",
    )
    .with("BucketName", bucket)
}

pub(crate) fn invalid_bucket_name(bucket: &str) -> Refusal {
    Refusal::new(
        400,
        "InvalidBucketName",
        "The specified bucket is not valid.",
    )
    .with("BucketName", bucket)
}

pub(crate) fn invalid_location(location: &str) -> Refusal {
    Refusal::new(
        400,
        "InvalidLocationConstraint",
        "The specified location-constraint is not valid",
    )
    .with("LocationConstraint", location)
}

pub(crate) fn illegal_location(location: Option<&str>) -> Refusal {
    let location = location.unwrap_or("unspecified");
    Refusal::new(
        400,
        "IllegalLocationConstraintException",
        format!(
            "The {location} location constraint is incompatible for the region specific \
             endpoint this request was sent to."
        ),
    )
}

pub(crate) fn invalid_argument(name: &str, value: &str, message: impl Into<String>) -> Refusal {
    Refusal::new(400, "InvalidArgument", message)
        .with("ArgumentName", name)
        .with("ArgumentValue", value)
}

/// A parameter that boto3 would have rejected, so that AWS has no message for it.
pub(crate) fn malformed(name: &str, expected: &str) -> Refusal {
    Refusal::new(
        400,
        "InvalidArgument",
        format!("Parameter {name} must be {expected}"),
    )
    .with("ArgumentName", name)
}

pub(crate) fn malformed_xml() -> Refusal {
    Refusal::new(
        400,
        "MalformedXML",
        "The XML you provided was not well-formed or did not validate against our published schema",
    )
}

pub(crate) fn not_implemented(header: &str) -> Refusal {
    Refusal::new(
        501,
        "NotImplemented",
        "A header you provided implies functionality that is not implemented",
    )
    .with("Header", header)
}

pub(crate) fn precondition_failed(condition: &str) -> Refusal {
    Refusal::new(
        412,
        "PreconditionFailed",
        "At least one of the pre-conditions you specified did not hold",
    )
    .with("Condition", condition)
}

pub(crate) fn not_modified() -> Refusal {
    Refusal::new(304, "304", "Not Modified")
}

pub(crate) fn access_denied() -> Refusal {
    Refusal::new(403, "AccessDenied", "Access Denied")
}

pub(crate) fn too_long(key: &str, limit: usize) -> Refusal {
    Refusal::new(400, "KeyTooLongError", "Your key is too long")
        .with("Size", key.len().to_string())
        .with("MaxSizeAllowed", limit.to_string())
}

pub(crate) fn too_large(size: usize, limit: usize) -> Refusal {
    Refusal::new(
        400,
        "EntityTooLarge",
        "Your proposed upload exceeds the maximum allowed size",
    )
    .with("ProposedSize", size.to_string())
    .with("MaxSizeAllowed", limit.to_string())
}

/// An error of this program alone: boto3 reads objects of any size.
pub(crate) fn too_large_to_read(size: u64, limit: u64) -> Refusal {
    Refusal::new(
        400,
        "EntityTooLarge",
        format!(
            "The object has {size} bytes or more, and at most {limit} can be read at once: \
             ask for a part of it with Range"
        ),
    )
    .with("MaxSizeAllowed", limit.to_string())
}

pub(crate) fn invalid_range(range: &str, size: usize) -> Refusal {
    Refusal::new(
        416,
        "InvalidRange",
        "The requested range is not satisfiable",
    )
    .with("RangeRequested", range)
    .with("ActualObjectSize", size.to_string())
}
