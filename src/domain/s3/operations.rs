//! The operations of the domain, as programs spell them.

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
