//! The operations of the domain, by the names that programs use.

use super::api::TABLE;
use crate::domain::{Access, Operation};

/// The names of all operations.
pub fn names() -> impl ExactSizeIterator<Item = &'static str> {
    TABLE.names()
}

/// Whether `operation` can change the state of a world. Unknown operations cannot,
/// because the call itself is refused.
pub fn writes(operation: &str) -> bool {
    let known = TABLE.operation(operation);
    known.is_some_and(|operation| operation.effect != Access::Read)
}

/// Every operation with its parameters and its effect.
pub(super) fn all() -> Vec<Operation> {
    names().map(described).collect()
}

fn described(name: &str) -> Operation {
    let Some(known) = TABLE.operation(name) else {
        return Operation::new(name.to_owned(), Access::Read, [""; 0], 0);
    };
    let input = TABLE.input(known);
    let required = &input.required;
    let optional = optional(name).iter().copied();
    let parameters = required.iter().map(String::as_str).chain(optional);
    let parameters: Vec<String> = parameters.map(str::to_owned).collect();
    let others = input.members().map(|(name, _)| name);
    let others = others.filter(|other| !parameters.iter().any(|known| known == other));
    Operation {
        undocumented: others.map(|name| name.to_owned().into()).collect(),
        ..Operation::new(
            name.to_owned(),
            known.effect,
            parameters.clone(),
            required.len(),
        )
    }
}

/// The parameters that need not be given and that the API document describes, in its order.
fn optional(operation: &str) -> &'static [&'static str] {
    match operation {
        "list_buckets" => &["Prefix"],
        "create_bucket" => &["CreateBucketConfiguration"],
        "list_objects" => &["Prefix", "Delimiter", "Marker", "MaxKeys"],
        "list_objects_v2" => &[
            "Prefix",
            "Delimiter",
            "StartAfter",
            "ContinuationToken",
            "MaxKeys",
        ],
        "get_object" => &["Range"],
        "put_object" => &["Body", "ContentType", "Metadata"],
        "copy_object" => &["MetadataDirective", "Metadata"],
        _ => &[],
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn botocores_parameters_are_accepted_and_no_others() {
        let accepts = |operation, parameter| super::super::S3.accepts(operation, parameter);
        for name in names() {
            let operation = TABLE.operation(name).expect("it is in the table");
            let input = TABLE.input(operation);
            for parameter in optional(name) {
                assert!(input.member(parameter).is_some(), "{name} {parameter}");
            }
        }
        assert!(accepts("put_object", "ServerSideEncryption"));
        assert!(accepts("get_object", "IfMatch"));
        assert!(!accepts("get_object", "LocationConstraint"));
        assert!(!accepts("create_bucket", "LocationConstraint"));
        assert!(!accepts("no_operation", "Bucket"));
    }
}
