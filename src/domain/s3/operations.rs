//! The operations of the domain, as programs spell them.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// Every operation that a world of this domain answers, in the order of the API document.
pub const OPERATIONS: &[&str] = &[
    "list_buckets",
    "create_bucket",
    "delete_bucket",
    "head_bucket",
    "get_bucket_location",
    "list_objects",
    "list_objects_v2",
    "get_object",
    "put_object",
    "copy_object",
    "delete_object",
    "delete_objects",
    "head_object",
];

/// Whether `operation` can change the state of a world. Asking about an unknown
/// operation is safe: the answer is no, and the call itself will be refused.
pub fn writes(operation: &str) -> bool {
    matches!(
        operation,
        "create_bucket"
            | "delete_bucket"
            | "put_object"
            | "copy_object"
            | "delete_object"
            | "delete_objects"
    )
}

/// Whether `operation` takes away what cannot be had back. What overwrites an object does
/// so too, but only the state can tell, not the operation.
pub fn destroys(operation: &str) -> bool {
    matches!(
        operation,
        "delete_bucket" | "delete_object" | "delete_objects"
    )
}

/// The parameters of an operation that the API document names: the required ones as
/// botocore's service model orders them (`required` of the input shape), then the others
/// in the order of the API document.
pub fn parameters(operation: &str) -> &'static [&'static str] {
    match operation {
        "list_buckets" => &["Prefix"],
        "create_bucket" => &["Bucket", "CreateBucketConfiguration"],
        "delete_bucket" | "head_bucket" | "get_bucket_location" => &["Bucket"],
        "list_objects" => &["Bucket", "Prefix", "Delimiter", "Marker", "MaxKeys"],
        "list_objects_v2" => &[
            "Bucket",
            "Prefix",
            "Delimiter",
            "StartAfter",
            "ContinuationToken",
            "MaxKeys",
        ],
        "get_object" => &["Bucket", "Key", "Range"],
        "put_object" => &["Bucket", "Key", "Body", "ContentType", "Metadata"],
        "copy_object" => &[
            "Bucket",
            "CopySource",
            "Key",
            "MetadataDirective",
            "Metadata",
        ],
        "delete_object" | "head_object" => &["Bucket", "Key"],
        "delete_objects" => &["Bucket", "Delete"],
        _ => &[],
    }
}

/// The methods of boto3's client that are no operations.
pub const HELPERS: &[&str] = &[
    "can_paginate",
    "close",
    "copy",
    "download_file",
    "download_fileobj",
    "generate_presigned_post",
    "generate_presigned_url",
    "get_paginator",
    "get_waiter",
    "upload_file",
    "upload_fileobj",
];

/// Whether a call of the operation may have this parameter: all that botocore's model has.
pub fn accepts(operation: &str, parameter: &str) -> bool {
    let known = ACCEPTED.get(operation);
    known.is_some_and(|parameters| parameters.contains(parameter))
}

/// The parameters of each operation, from the table by which the client checks them. It is
/// generated, so its layout can be relied on: an operation is indented once, its
/// parameters twice, and what they are made of deeper.
static ACCEPTED: LazyLock<HashMap<&str, HashSet<&str>>> = LazyLock::new(|| {
    let mut accepted: HashMap<&str, HashSet<&str>> = HashMap::new();
    let mut operation = "";
    let name = |line: &'static str, indent: &str| {
        let rest = line.strip_prefix(indent)?.strip_prefix('\'')?;
        rest.split_once('\'').map(|(name, _)| name)
    };
    for line in include_str!("client/shapes.py").lines() {
        if let Some(name) = name(line, "    ") {
            operation = name;
        } else if let Some(name) = name(line, "        ") {
            accepted.entry(operation).or_default().insert(name);
        }
    }
    accepted
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_document_names_is_accepted() {
        for operation in OPERATIONS {
            for parameter in parameters(operation) {
                assert!(accepts(operation, parameter), "{operation} {parameter}");
            }
        }
        assert!(accepts("put_object", "ServerSideEncryption"));
        assert!(accepts("get_object", "IfMatch"));
        assert!(!accepts("get_object", "LocationConstraint"));
        assert!(!accepts("create_bucket", "LocationConstraint"));
        assert!(!accepts("no_operation", "Bucket"));
    }
}
