//! The errors of S3 with the code, text, HTTP status and fields that AWS sends.

use crate::domain::{Refusal, Value};

impl Refusal {
    /// An error with no further fields.
    pub fn new(status: u16, code: impl Into<String>, message: impl Into<String>) -> Self {
        Refusal {
            code: code.into(),
            message: message.into(),
            status,
            details: Vec::new(),
        }
    }

    /// The same error with one more field. S3 sends every field as text.
    pub fn with(mut self, field: &'static str, value: impl Into<String>) -> Self {
        self.details.push((field.into(), Value::Str(value.into())));
        self
    }

    /// What is left of this error when the request was a HEAD: such an answer has
    /// no body, so botocore makes code and text from the HTTP status.
    pub fn without_body(self) -> Self {
        let reason = match self.status {
            304 => "Not Modified",
            400 => "Bad Request",
            403 => "Forbidden",
            404 => "Not Found",
            412 => "Precondition Failed",
            416 => "Requested Range Not Satisfiable",
            501 => "Not Implemented",
            _ => "Unknown",
        };
        Refusal::new(self.status, self.status.to_string(), reason)
    }
}

pub(crate) fn no_such_bucket(bucket: &str) -> Refusal {
    Refusal::new(404, "NoSuchBucket", "The specified bucket does not exist")
        .with("BucketName", bucket)
}

pub(crate) fn no_such_key(key: &str) -> Refusal {
    Refusal::new(404, "NoSuchKey", "The specified key does not exist.").with("Key", key)
}

pub(crate) fn bucket_already_owned(bucket: &str) -> Refusal {
    Refusal::new(
        409,
        "BucketAlreadyOwnedByYou",
        "Your previous request to create the named bucket succeeded and you already own it.",
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

/// A parameter that boto3 would not have let through, so AWS has no text for it.
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

pub(crate) fn invalid_range(range: &str, size: usize) -> Refusal {
    Refusal::new(
        416,
        "InvalidRange",
        "The requested range is not satisfiable",
    )
    .with("RangeRequested", range)
    .with("ActualObjectSize", size.to_string())
}
