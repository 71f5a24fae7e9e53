//! Finds the operation of a request from its method, path and sub-resource.

use super::calls::{CALLS, Call};
use super::request::Incoming;
use super::subresources::Fixed;
use super::uploading::Step;
use crate::domain::Refusal;
use crate::domain::s3::refusal;
use http::Method;

/// The handler of a request.
pub enum Route {
    /// An operation of the world.
    Call(&'static Call),
    /// A step of a multipart upload.
    Upload(Step),
    /// A sub-resource that cannot be set here.
    Fixed(Fixed),
    /// No handler.
    Refused(Refusal),
}

/// The sub-resources of S3 (API reference, "Operations"). A request for one of them must
/// not be mistaken for a request about the bucket or object itself.
const SUBRESOURCES: &[&str] = &[
    "abac",
    "accelerate",
    "acl",
    "analytics",
    "annotation",
    "annotations",
    "attributes",
    "cors",
    "delete",
    "encryption",
    "intelligent-tiering",
    "inventory",
    "legal-hold",
    "lifecycle",
    "location",
    "logging",
    "metadataConfiguration",
    "metadataTable",
    "metrics",
    "notification",
    "object-lock",
    "ownershipControls",
    "policy",
    "policyStatus",
    "publicAccessBlock",
    "renameObject",
    "replication",
    "requestPayment",
    "restore",
    "retention",
    "select",
    "session",
    "tagging",
    "torrent",
    "uploadId",
    "uploads",
    "versioning",
    "versions",
    "website",
];

/// Finds the handler of a request.
pub fn route(request: &Incoming) -> Route {
    let subresource = request.asked().find(|name| SUBRESOURCES.contains(name));
    let (bucket, object) = (!request.bucket.is_empty(), !request.key.is_empty());
    let copies = request.header("x-amz-copy-source").is_some();
    let fixed = subresource.and_then(|name| Fixed::find(name, object));
    let operation = match (request.method.as_str(), bucket, object, subresource) {
        ("GET", false, false, None) => "list_buckets",
        ("PUT", true, false, None) => "create_bucket",
        ("DELETE", true, false, None) => "delete_bucket",
        ("HEAD", true, false, None) => "head_bucket",
        ("GET", true, false, Some("location")) => "get_bucket_location",
        ("GET", true, false, None) if request.query("list-type") == Some("2") => "list_objects_v2",
        ("GET", true, false, None) => "list_objects",
        ("POST", true, false, Some("delete")) => "delete_objects",
        ("GET", true, true, None) => "get_object",
        ("HEAD", true, true, None) => "head_object",
        ("PUT", true, true, None) if copies => "copy_object",
        ("PUT", true, true, None) => "put_object",
        ("DELETE", true, true, None) => "delete_object",
        ("GET", true, false, Some("uploads")) => return Route::Upload(Step::ListUploads),
        ("POST", true, true, Some("uploads")) => return Route::Upload(Step::Create),
        ("PUT", true, true, Some("uploadId")) if copies => return Route::Upload(Step::CopyPart),
        ("PUT", true, true, Some("uploadId")) => return Route::Upload(Step::Part),
        ("GET", true, true, Some("uploadId")) => return Route::Upload(Step::ListParts),
        ("POST", true, true, Some("uploadId")) => return Route::Upload(Step::Complete),
        ("DELETE", true, true, Some("uploadId")) => return Route::Upload(Step::Abort),
        ("GET", true, _, Some(name)) => match fixed {
            Some(fixed) => return Route::Fixed(fixed),
            None => return Route::Refused(refusal::not_implemented(name)),
        },
        (_, false, true, _) => return Route::Refused(refusal::invalid_bucket_name("")),
        (_, _, _, Some(name)) => return Route::Refused(refusal::not_implemented(name)),
        _ => return Route::Refused(not_allowed(&request.method, bucket, object)),
    };
    match CALLS.iter().find(|call| call.operation == operation) {
        Some(call) => Route::Call(call),
        None => Route::Refused(refusal::not_implemented(operation)),
    }
}

fn not_allowed(method: &Method, bucket: bool, object: bool) -> Refusal {
    // S3 accepts uploads from HTML forms; this server does not.
    if *method == Method::POST && bucket && !object {
        return refusal::not_implemented("multipart/form-data");
    }
    let kind = match (bucket, object) {
        (false, _) => "SERVICE",
        (true, false) => "BUCKET",
        (true, true) => "OBJECT",
    };
    Refusal::new(
        405,
        "MethodNotAllowed",
        "The specified method is not allowed against this resource.",
    )
    .with("Method", method.as_str())
    .with("ResourceType", kind)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::s3::OPERATIONS;

    #[test]
    fn every_operation_of_the_domain_is_served() {
        let served: Vec<&str> = CALLS.iter().map(|call| call.operation).collect();
        assert_eq!(served, OPERATIONS[..served.len()]);
    }
}
