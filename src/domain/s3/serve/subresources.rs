//! Sub-resources that clients ask for and that cannot be set here. They are reported as
//! on a bucket or object whose owner has not set any.

use super::errors::{Trouble, map};
use super::request::Incoming;
use super::{Shared, answers};
use crate::domain::s3::refusal;
use crate::domain::{Map, Refusal, Value};
use bytes::Bytes;
use http::Response;

/// The fixed answer to a request for a sub-resource.
#[derive(Clone, Copy)]
pub enum Fixed {
    /// The owner has full control.
    Acl,
    /// An empty document with this root.
    Empty(&'static str),
    /// The error for a missing sub-resource: code and text.
    Absent(&'static str, &'static str),
    /// The bucket's owner owns all objects.
    Ownership,
    /// Encrypted with S3's own keys.
    Encryption,
}

/// The sub-resources of buckets.
const OF_BUCKETS: &[(&str, Fixed)] = &[
    ("acl", Fixed::Acl),
    (
        "cors",
        Fixed::Absent(
            "NoSuchCORSConfiguration",
            "The CORS configuration does not exist",
        ),
    ),
    ("encryption", Fixed::Encryption),
    (
        "lifecycle",
        Fixed::Absent(
            "NoSuchLifecycleConfiguration",
            "The lifecycle configuration does not exist",
        ),
    ),
    ("logging", Fixed::Empty("BucketLoggingStatus")),
    ("notification", Fixed::Empty("NotificationConfiguration")),
    (
        "object-lock",
        Fixed::Absent(
            "ObjectLockConfigurationNotFoundError",
            "Object Lock configuration does not exist for this bucket",
        ),
    ),
    ("ownershipControls", Fixed::Ownership),
    (
        "policy",
        Fixed::Absent("NoSuchBucketPolicy", "The bucket policy does not exist"),
    ),
    (
        "publicAccessBlock",
        Fixed::Absent(
            "NoSuchPublicAccessBlockConfiguration",
            "The public access block configuration was not found",
        ),
    ),
    (
        "replication",
        Fixed::Absent(
            "ReplicationConfigurationNotFoundError",
            "The replication configuration was not found",
        ),
    ),
    (
        "tagging",
        Fixed::Absent("NoSuchTagSet", "The TagSet does not exist"),
    ),
    ("versioning", Fixed::Empty("VersioningConfiguration")),
    (
        "website",
        Fixed::Absent(
            "NoSuchWebsiteConfiguration",
            "The specified bucket does not have a website configuration",
        ),
    ),
];

/// The sub-resources of objects.
const OF_OBJECTS: &[(&str, Fixed)] = &[("acl", Fixed::Acl), ("tagging", Fixed::Empty("Tagging"))];

impl Fixed {
    /// Finds the sub-resource of this name, of a bucket or of an object.
    pub fn find(name: &str, of_object: bool) -> Option<Fixed> {
        let table = if of_object { OF_OBJECTS } else { OF_BUCKETS };
        let found = table.iter().find(|(known, _)| *known == name);
        found.map(|(_, fixed)| *fixed)
    }
}

/// Answers a request about an existing bucket or object.
pub async fn answer(
    shared: &Shared,
    subresource: Fixed,
    request: &Incoming,
) -> Result<Response<Bytes>, Trouble> {
    require(shared, request).await?;
    Ok(match subresource {
        Fixed::Absent(code, text) => {
            let absent = Refusal::new(404, code, text);
            return Err(absent.with("BucketName", &*request.bucket).into());
        }
        Fixed::Empty("Tagging") => {
            let tags = map([("TagSet", Value::List(Vec::new()))]);
            answers::document("Tagging", tags)
        }
        Fixed::Empty(root) => answers::document(root, Map::new()),
        Fixed::Ownership => {
            let rule = map([("ObjectOwnership", "BucketOwnerEnforced".into())]);
            answers::document("OwnershipControls", map([("Rule", Value::Map(rule))]))
        }
        Fixed::Encryption => {
            let default = map([("SSEAlgorithm", "AES256".into())]);
            let rule = map([
                ("ApplyServerSideEncryptionByDefault", Value::Map(default)),
                ("BucketKeyEnabled", false.into()),
            ]);
            let root = "ServerSideEncryptionConfiguration";
            answers::document(root, map([("Rule", Value::Map(rule))]))
        }
        Fixed::Acl => {
            let owner = owner(shared).await?;
            let grant = map([
                ("Grantee", owner.clone()),
                ("Permission", "FULL_CONTROL".into()),
            ]);
            let grants = Value::List(vec![Value::Map(grant)]);
            let policy = map([("Owner", owner), ("AccessControlList", grants)]);
            answers::document("AccessControlPolicy", policy)
        }
    })
}

/// Refuses a request for a bucket or object that does not exist.
async fn require(shared: &Shared, request: &Incoming) -> Result<(), Trouble> {
    require_bucket(shared, request).await?;
    if request.key.is_empty() {
        return Ok(());
    }
    let object = map([
        ("Bucket", request.bucket.as_str().into()),
        ("Key", request.key.as_str().into()),
    ]);
    match shared
        .world
        .call("head_object", &Value::Map(object))
        .await?
    {
        Err(refused) if refused.status == 404 => Err(refusal::no_such_key(&request.key).into()),
        Err(refused) => Err(refused.into()),
        Ok(_) => Ok(()),
    }
}

/// Refuses a request for a bucket that does not exist.
pub async fn require_bucket(shared: &Shared, request: &Incoming) -> Result<(), Trouble> {
    let mut arguments = map([("Bucket", request.bucket.as_str().into())]);
    let owner = request.header("x-amz-expected-bucket-owner");
    arguments.extend(owner.map(|owner| ("ExpectedBucketOwner".into(), owner.into())));
    let arguments = Value::Map(arguments);
    // head_bucket is not used, because its refusals have no code.
    shared
        .world
        .call("get_bucket_location", &arguments)
        .await??;
    Ok(())
}

/// The owner of all buckets.
pub async fn owner(shared: &Shared) -> Result<Value, Trouble> {
    let answer = shared
        .world
        .call("list_buckets", &Value::Map(Map::new()))
        .await??;
    Ok(answer
        .get("Owner")
        .cloned()
        .unwrap_or(Value::Map(Map::new())))
}
