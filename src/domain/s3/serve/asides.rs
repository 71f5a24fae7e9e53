//! Sub-resources that nobody can set here, but that clients ask for by habit: they read
//! as those of a bucket or object that has none.

use super::errors::{Trouble, map};
use super::request::Incoming;
use super::{Shared, answers};
use crate::domain::s3::refusal;
use crate::domain::{Map, Refusal, Value};
use bytes::Bytes;
use http::Response;

/// A sub-resource that is always the same.
#[derive(Clone, Copy)]
pub enum Aside {
    /// The owner has full control.
    Acl,
    /// An empty document with this root.
    Empty(&'static str),
    /// There is none: code and text.
    Absent(&'static str, &'static str),
    /// Owned by whoever owns the bucket.
    Ownership,
    /// Encrypted with S3's own keys.
    Encryption,
}

/// The sub-resources of buckets.
const OF_BUCKETS: &[(&str, Aside)] = &[
    ("acl", Aside::Acl),
    (
        "cors",
        Aside::Absent(
            "NoSuchCORSConfiguration",
            "The CORS configuration does not exist",
        ),
    ),
    ("encryption", Aside::Encryption),
    (
        "lifecycle",
        Aside::Absent(
            "NoSuchLifecycleConfiguration",
            "The lifecycle configuration does not exist",
        ),
    ),
    ("logging", Aside::Empty("BucketLoggingStatus")),
    ("notification", Aside::Empty("NotificationConfiguration")),
    (
        "object-lock",
        Aside::Absent(
            "ObjectLockConfigurationNotFoundError",
            "Object Lock configuration does not exist for this bucket",
        ),
    ),
    ("ownershipControls", Aside::Ownership),
    (
        "policy",
        Aside::Absent("NoSuchBucketPolicy", "The bucket policy does not exist"),
    ),
    (
        "publicAccessBlock",
        Aside::Absent(
            "NoSuchPublicAccessBlockConfiguration",
            "The public access block configuration was not found",
        ),
    ),
    (
        "replication",
        Aside::Absent(
            "ReplicationConfigurationNotFoundError",
            "The replication configuration was not found",
        ),
    ),
    (
        "tagging",
        Aside::Absent("NoSuchTagSet", "The TagSet does not exist"),
    ),
    ("versioning", Aside::Empty("VersioningConfiguration")),
    (
        "website",
        Aside::Absent(
            "NoSuchWebsiteConfiguration",
            "The specified bucket does not have a website configuration",
        ),
    ),
];

/// The sub-resources of objects.
const OF_OBJECTS: &[(&str, Aside)] = &[("acl", Aside::Acl), ("tagging", Aside::Empty("Tagging"))];

impl Aside {
    /// The sub-resource of a bucket or object, when it is one of these.
    pub fn find(name: &str, of_object: bool) -> Option<Aside> {
        let table = if of_object { OF_OBJECTS } else { OF_BUCKETS };
        let found = table.iter().find(|(known, _)| *known == name);
        found.map(|(_, aside)| *aside)
    }
}

/// Answers, when the bucket or object is there.
pub async fn answer(
    shared: &Shared,
    aside: Aside,
    request: &Incoming,
) -> Result<Response<Bytes>, Trouble> {
    require(shared, request).await?;
    Ok(match aside {
        Aside::Absent(code, text) => {
            let absent = Refusal::new(404, code, text);
            return Err(absent.with("BucketName", &*request.bucket).into());
        }
        Aside::Empty("Tagging") => {
            let tags = map([("TagSet", Value::List(Vec::new()))]);
            answers::document("Tagging", tags)
        }
        Aside::Empty(root) => answers::document(root, Map::new()),
        Aside::Ownership => {
            let rule = map([("ObjectOwnership", "BucketOwnerEnforced".into())]);
            answers::document("OwnershipControls", map([("Rule", Value::Map(rule))]))
        }
        Aside::Encryption => {
            let default = map([("SSEAlgorithm", "AES256".into())]);
            let rule = map([
                ("ApplyServerSideEncryptionByDefault", Value::Map(default)),
                ("BucketKeyEnabled", false.into()),
            ]);
            let root = "ServerSideEncryptionConfiguration";
            answers::document(root, map([("Rule", Value::Map(rule))]))
        }
        Aside::Acl => {
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

/// The bucket must be there, and the object when there is one in the path.
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

/// The bucket must be there.
pub async fn require_bucket(shared: &Shared, request: &Incoming) -> Result<(), Trouble> {
    let mut arguments = map([("Bucket", request.bucket.as_str().into())]);
    let owner = request.header("x-amz-expected-bucket-owner");
    arguments.extend(owner.map(|owner| ("ExpectedBucketOwner".into(), owner.into())));
    let arguments = Value::Map(arguments);
    // Not head_bucket: what a HEAD is refused has no code.
    shared
        .world
        .call("get_bucket_location", &arguments)
        .await??;
    Ok(())
}

/// Who owns everything here.
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
