//! The operations of the domain, by the names that programs use.

use super::api::{self, ApiOperation};
use crate::domain::{Access, Operation};
use std::sync::LazyLock;

/// Every operation of this domain: those that the API document describes, in its order,
/// and then the others.
pub static OPERATIONS: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    let described = DESCRIBED.iter().map(|(name, _)| *name);
    let others = api::operations().iter().map(|operation| operation.name);
    let others = others.filter(|name| described_parameters(name).is_none());
    described.clone().chain(others).collect()
});

/// Whether `operation` can change the state of a world. Unknown operations cannot,
/// because the call itself is refused.
pub fn writes(operation: &str) -> bool {
    api::operation(operation).is_some_and(|operation| operation.effect != Access::Read)
}

/// Every operation with its parameters and its effect.
///
/// The effect is the least that a call can have. `put_object` and `copy_object` destroy as
/// well, by overwriting. Whether they do depends on the state, not on the operation.
pub(super) fn all() -> Vec<Operation> {
    let known = OPERATIONS.iter().filter_map(|name| api::operation(name));
    known.map(operation).collect()
}

fn operation(api: &ApiOperation) -> Operation {
    let required = &api.input.required;
    let members = api.input.members.iter().map(|member| member.name);
    let optional = |name: &&str| !required.contains(name);
    let described = described_parameters(api.name);
    let documented: Vec<&'static str> = match described {
        Some(described) => {
            let described = described.iter().copied().filter(optional);
            required.iter().copied().chain(described).collect()
        }
        None => {
            let others = members.clone().filter(optional);
            required.iter().copied().chain(others).collect()
        }
    };
    let undocumented = members.filter(|name| !documented.contains(name));
    Operation {
        undocumented: undocumented.map(Into::into).collect(),
        ..Operation::new(
            api.name,
            api.effect,
            documented.iter().copied(),
            required.len(),
        )
    }
}

fn described_parameters(operation: &str) -> Option<&'static [&'static str]> {
    let mut described = DESCRIBED.iter();
    let (_, parameters) = described.find(|(name, _)| *name == operation)?;
    Some(parameters)
}

/// The operations that the API document describes, and the optional parameters that it
/// names, in its order. All required parameters come before them, in the order of the API.
const DESCRIBED: &[(&str, &[&str])] = &[
    ("list_buckets", &["Prefix"]),
    ("create_bucket", &["CreateBucketConfiguration"]),
    ("delete_bucket", &[]),
    ("head_bucket", &[]),
    ("get_bucket_location", &[]),
    (
        "list_objects",
        &["Prefix", "Delimiter", "Marker", "MaxKeys"],
    ),
    (
        "list_objects_v2",
        &[
            "Prefix",
            "Delimiter",
            "StartAfter",
            "ContinuationToken",
            "MaxKeys",
        ],
    ),
    ("get_object", &["Range"]),
    (
        "put_object",
        &["Body", "ContentType", "Metadata", "IfNoneMatch"],
    ),
    (
        "copy_object",
        &["MetadataDirective", "Metadata", "IfNoneMatch"],
    ),
    ("delete_object", &[]),
    ("delete_objects", &[]),
    ("head_object", &[]),
];

/// The methods of boto3's client that are not operations.
pub const HELPERS: &[&str] = &[
    "can_paginate",
    "close",
    "copy",
    "download_file",
    "download_fileobj",
    "get_paginator",
    "get_waiter",
    "upload_file",
    "upload_fileobj",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn botocores_parameters_are_accepted_and_no_others() {
        let accepts = |operation, parameter| crate::S3.accepts(operation, parameter);
        for (operation, parameters) in DESCRIBED {
            for parameter in *parameters {
                assert!(accepts(operation, parameter), "{operation} {parameter}");
            }
        }
        assert!(accepts("put_object", "ServerSideEncryption"));
        assert!(accepts("get_object", "IfMatch"));
        assert!(accepts(
            "put_bucket_policy",
            "ConfirmRemoveSelfBucketAccess"
        ));
        assert!(!accepts("get_object", "LocationConstraint"));
        assert!(!accepts("create_bucket", "LocationConstraint"));
        assert!(!accepts("no_operation", "Bucket"));
    }

    #[test]
    fn effects_decide_what_writes() {
        assert_eq!(OPERATIONS.len(), api::operations().len());
        assert_eq!(OPERATIONS.len(), 90);
        assert!(writes("put_bucket_acl") && writes("restore_object"));
        assert!(!writes("get_bucket_acl") && !writes("no_operation"));
    }
}
