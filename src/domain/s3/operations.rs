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
