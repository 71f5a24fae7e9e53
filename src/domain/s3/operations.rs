//! The operations of the domain, by the names that programs use.

use crate::domain::{Access, Operation};
use std::collections::HashMap;
use std::sync::LazyLock;

/// Every operation of this domain, in the order of the API document.
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

/// Whether `operation` can change the state of a world. Unknown operations cannot,
/// because the call itself is refused.
pub fn writes(operation: &str) -> bool {
    OPERATIONS.contains(&operation) && effect(operation) != Access::Read
}

/// Every operation with its parameters and its effect.
pub(super) fn all() -> Vec<Operation> {
    let operation = |name: &&'static str| {
        let (required, parameters) = parameters(name);
        let undocumented = ACCEPTED.get(name).into_iter().flatten();
        let undocumented = undocumented.filter(|name| !parameters.contains(name));
        Operation {
            undocumented: undocumented.map(|name| (*name).into()).collect(),
            ..Operation::new(*name, effect(name), parameters.iter().copied(), required)
        }
    };
    OPERATIONS.iter().map(operation).collect()
}

/// `put_object` and `copy_object` can destroy as well, by overwriting. Whether they do
/// depends on the state, not on the operation.
fn effect(operation: &str) -> Access {
    match operation {
        "create_bucket" | "put_object" | "copy_object" => Access::Write,
        "delete_bucket" | "delete_object" | "delete_objects" => Access::Delete,
        _ => Access::Read,
    }
}

/// The parameters of an operation that the API document names, and how many of them are
/// required. The required ones come first, in the order of botocore's service model
/// (`required` of the input shape), then the others in the order of the API document.
fn parameters(operation: &str) -> (usize, &'static [&'static str]) {
    match operation {
        "list_buckets" => (0, &["Prefix"]),
        "create_bucket" => (1, &["Bucket", "CreateBucketConfiguration"]),
        "delete_bucket" | "head_bucket" | "get_bucket_location" => (1, &["Bucket"]),
        "list_objects" => (1, &["Bucket", "Prefix", "Delimiter", "Marker", "MaxKeys"]),
        "list_objects_v2" => (
            1,
            &[
                "Bucket",
                "Prefix",
                "Delimiter",
                "StartAfter",
                "ContinuationToken",
                "MaxKeys",
            ],
        ),
        "get_object" => (2, &["Bucket", "Key", "Range"]),
        "put_object" => (2, &["Bucket", "Key", "Body", "ContentType", "Metadata"]),
        "copy_object" => (
            3,
            &[
                "Bucket",
                "CopySource",
                "Key",
                "MetadataDirective",
                "Metadata",
            ],
        ),
        "delete_object" | "head_object" => (2, &["Bucket", "Key"]),
        "delete_objects" => (2, &["Bucket", "Delete"]),
        _ => (0, &[]),
    }
}

/// The methods of boto3's client that are not operations.
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

/// The parameters of each operation, from the table that the client checks them with. The
/// table is generated, so its layout is reliable: operations are indented once, their
/// parameters twice, and nested shapes deeper.
static ACCEPTED: LazyLock<HashMap<&str, Vec<&str>>> = LazyLock::new(|| {
    let mut accepted: HashMap<&str, Vec<&str>> = HashMap::new();
    let mut operation = "";
    let name = |line: &'static str, indent: &str| {
        let rest = line.strip_prefix(indent)?.strip_prefix('\'')?;
        rest.split_once('\'').map(|(name, _)| name)
    };
    for line in include_str!("client/shapes.py").lines() {
        if let Some(name) = name(line, "    ") {
            operation = name;
        } else if let Some(name) = name(line, "        ") {
            accepted.entry(operation).or_default().push(name);
        }
    }
    accepted
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn botocores_parameters_are_accepted_and_no_others() {
        let accepts = |operation, parameter| super::super::S3.accepts(operation, parameter);
        for operation in OPERATIONS {
            for parameter in parameters(operation).1 {
                let known = ACCEPTED
                    .get(operation)
                    .expect("it is in the client's table");
                assert!(known.contains(parameter), "{operation} {parameter}");
            }
        }
        assert!(accepts("put_object", "ServerSideEncryption"));
        assert!(accepts("get_object", "IfMatch"));
        assert!(!accepts("get_object", "LocationConstraint"));
        assert!(!accepts("create_bucket", "LocationConstraint"));
        assert!(!accepts("no_operation", "Bucket"));
    }
}
