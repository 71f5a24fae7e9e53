//! Requests without a signature, which policies and access control lists allow to everybody.
//!
//! Conditions of policy statements are not evaluated. So an `Allow` with conditions allows
//! nothing, and a `Deny` with conditions always denies.

use super::Shared;
use super::errors::Trouble;
use super::request::Incoming;
use crate::api::request::Received;
use crate::domain::{Refusal, Value};
use crate::memory::is_granted_to_everybody;
use crate::memory::settings::policy::{PolicyVerdict, of_everybody};
use crate::refusal;

/// The permission that an operation needs.
struct Needs {
    operation: &'static str,
    /// The action that a policy allows.
    action: &'static str,
    /// The action, if the request names a version.
    of_version: &'static str,
    grant: Grant,
}

/// The grant of an access control list that also allows it.
#[derive(Clone, Copy)]
enum Grant {
    None,
    OfBucket(&'static str),
    OfObject(&'static str),
}

const fn needs(
    operation: &'static str,
    action: &'static str,
    of_version: &'static str,
    grant: Grant,
) -> Needs {
    Needs {
        operation,
        action,
        of_version,
        grant,
    }
}

/// Everything that guests can be allowed to do. (S3 user guide, "Access control list
/// overview", "Mapping of ACL permissions and access policy permissions".)
const ALL: &[Needs] = &[
    needs(
        "get_object",
        "s3:GetObject",
        "s3:GetObjectVersion",
        Grant::OfObject("READ"),
    ),
    needs(
        "head_object",
        "s3:GetObject",
        "s3:GetObjectVersion",
        Grant::OfObject("READ"),
    ),
    needs("put_object", "s3:PutObject", "", Grant::OfBucket("WRITE")),
    needs(
        "delete_object",
        "s3:DeleteObject",
        "s3:DeleteObjectVersion",
        Grant::OfBucket("WRITE"),
    ),
    needs("list_objects", "s3:ListBucket", "", Grant::OfBucket("READ")),
    needs(
        "list_objects_v2",
        "s3:ListBucket",
        "",
        Grant::OfBucket("READ"),
    ),
    needs("head_bucket", "s3:ListBucket", "", Grant::OfBucket("READ")),
    needs(
        "list_object_versions",
        "s3:ListBucketVersions",
        "",
        Grant::OfBucket("READ"),
    ),
    needs(
        "list_multipart_uploads",
        "s3:ListBucketMultipartUploads",
        "",
        Grant::OfBucket("READ"),
    ),
    needs(
        "get_bucket_location",
        "s3:GetBucketLocation",
        "",
        Grant::None,
    ),
    needs(
        "get_bucket_acl",
        "s3:GetBucketAcl",
        "",
        Grant::OfBucket("READ_ACP"),
    ),
    needs(
        "put_bucket_acl",
        "s3:PutBucketAcl",
        "",
        Grant::OfBucket("WRITE_ACP"),
    ),
    needs(
        "get_object_acl",
        "s3:GetObjectAcl",
        "s3:GetObjectVersionAcl",
        Grant::OfObject("READ_ACP"),
    ),
    needs(
        "put_object_acl",
        "s3:PutObjectAcl",
        "s3:PutObjectVersionAcl",
        Grant::OfObject("WRITE_ACP"),
    ),
    needs(
        "get_object_tagging",
        "s3:GetObjectTagging",
        "s3:GetObjectVersionTagging",
        Grant::None,
    ),
    needs(
        "put_object_tagging",
        "s3:PutObjectTagging",
        "s3:PutObjectVersionTagging",
        Grant::None,
    ),
    needs(
        "delete_object_tagging",
        "s3:DeleteObjectTagging",
        "s3:DeleteObjectVersionTagging",
        Grant::None,
    ),
];

/// What a request asks for beside its operation, by its header, and the action that a policy must
/// allow for it; `None` is not for guests at all.
const BESIDE: &[(&str, Option<&str>)] = &[
    ("x-amz-tagging", Some("s3:PutObjectTagging")),
    ("x-amz-object-lock-mode", Some("s3:PutObjectRetention")),
    (
        "x-amz-object-lock-retain-until-date",
        Some("s3:PutObjectRetention"),
    ),
    (
        "x-amz-object-lock-legal-hold",
        Some("s3:PutObjectLegalHold"),
    ),
    (
        "x-amz-bypass-governance-retention",
        Some("s3:BypassGovernanceRetention"),
    ),
    ("x-amz-website-redirect-location", None),
    ("x-amz-copy-source", None),
];

/// The actions that a request needs beside that of its operation.
///
/// # Errors
/// It asks for what guests may not do.
pub fn beside(request: &impl Received) -> Result<Vec<&'static str>, Refusal> {
    let asked = BESIDE.iter().filter(|it| request.header(it.0).is_some());
    asked
        .map(|(_, action)| action.ok_or_else(refusal::access_denied))
        .collect()
}

/// A refusal as guests see it: who may not list a bucket does not learn which keys it lacks.
pub async fn without_hints(shared: &Shared, request: &Incoming, refusal: Refusal) -> Trouble {
    if refusal.status != 404 || request.key.is_empty() || refusal.code == "NoSuchBucket" {
        return refusal.into();
    }
    let bucket = GuestTarget {
        bucket: &request.bucket,
        key: "",
        version: None,
    };
    match bucket.check(shared, "list_objects_v2", false, &[]).await {
        Ok(()) => refusal.into(),
        Err(trouble) => trouble,
    }
}

/// Refuses a request without a signature that not everybody may send.
pub async fn check(shared: &Shared, operation: &str, request: &Incoming) -> Result<(), Trouble> {
    let version = request.query("versionId");
    let sets_list =
        request.header("x-amz-acl").is_some() || !request.headers_after("x-amz-grant-").is_empty();
    let beside = beside(request)?;
    let target = GuestTarget {
        bucket: &request.bucket,
        key: &request.key,
        version,
    };
    target.check(shared, operation, sets_list, &beside).await
}

/// The target of a request without a signature.
pub struct GuestTarget<'a> {
    pub bucket: &'a str,
    pub key: &'a str,
    pub version: Option<&'a str>,
}

impl GuestTarget<'_> {
    /// Refuses an operation that not everybody may carry out here. `sets_list` says that it
    /// also sets an access control list, and `beside` which other actions it needs.
    pub async fn check(
        &self,
        shared: &Shared,
        operation: &str,
        sets_list: bool,
        beside: &[&str],
    ) -> Result<(), Trouble> {
        let denied = || Err(refusal::access_denied().into());
        let mut all = ALL.iter();
        let Some(needs) = all
            .find(|it| it.operation == operation)
            .filter(|_| shared.anonymous)
        else {
            return denied();
        };
        let action = match self.version {
            Some(_) if !needs.of_version.is_empty() => needs.of_version,
            _ => needs.action,
        };
        let policy = match self.policy(shared, action).await? {
            PolicyVerdict::Allowed if sets_list && operation == "put_object" => {
                self.policy(shared, "s3:PutObjectAcl").await?
            }
            verdict => verdict,
        };
        let is_allowed = match policy {
            PolicyVerdict::Denied => false,
            PolicyVerdict::Allowed => true,
            PolicyVerdict::Silent => self.is_granted(shared, needs.grant).await?,
        };
        if !is_allowed {
            return denied();
        }
        for action in beside {
            if !matches!(self.policy(shared, action).await?, PolicyVerdict::Allowed) {
                return denied();
            }
        }
        Ok(())
    }

    async fn policy(&self, shared: &Shared, action: &str) -> Result<PolicyVerdict, Trouble> {
        let Some(policy) = self.told(shared, "get_bucket_policy").await? else {
            return Ok(PolicyVerdict::Silent);
        };
        let text = policy.get("Policy").and_then(Value::as_str);
        let resource = match self.key {
            "" => format!("arn:aws:s3:::{}", self.bucket),
            key => format!("arn:aws:s3:::{}/{key}", self.bucket),
        };
        let verdict = of_everybody(text.unwrap_or_default(), action, &resource);
        Ok(match verdict {
            PolicyVerdict::Allowed if self.blocks(shared, "RestrictPublicBuckets").await? => {
                PolicyVerdict::Silent
            }
            other => other,
        })
    }

    async fn is_granted(&self, shared: &Shared, grant: Grant) -> Result<bool, Trouble> {
        let (operation, permission) = match grant {
            Grant::None => return Ok(false),
            Grant::OfBucket(permission) => ("get_bucket_acl", permission),
            Grant::OfObject(permission) => ("get_object_acl", permission),
        };
        if self.blocks(shared, "IgnorePublicAcls").await? {
            return Ok(false);
        }
        let granted = |list: &Value, permission: &str| {
            let grants = list.get("Grants").and_then(Value::as_list);
            let mut grants = grants.unwrap_or_default().iter();
            grants.any(|grant| is_granted_to_everybody(grant, permission))
        };
        match self.call(shared, operation).await? {
            Ok(list) => Ok(granted(&list, permission)),
            // Who may list the bucket learns that there is no such object.
            Err(refusal) if operation == "get_object_acl" && refusal.status == 404 => {
                let list = self.told(shared, "get_bucket_acl").await?;
                match list.is_some_and(|list| granted(&list, "READ")) {
                    true => Err(refusal.into()),
                    false => Ok(false),
                }
            }
            Err(_) => Ok(false),
        }
    }

    async fn blocks(&self, shared: &Shared, switch: &str) -> Result<bool, Trouble> {
        let block = self.told(shared, "get_public_access_block").await?;
        let block = block
            .as_ref()
            .and_then(|it| it.get("PublicAccessBlockConfiguration"));
        let switch = block.and_then(|it| it.get(switch)?.as_bool());
        Ok(switch.unwrap_or(false))
    }

    /// The world's answer about the bucket, unless there is none.
    ///
    /// # Errors
    /// There is no such bucket, or the world lets nobody look: what is not known allows nothing.
    async fn told(&self, shared: &Shared, operation: &str) -> Result<Option<Value>, Trouble> {
        match self.call(shared, operation).await? {
            Ok(answer) => Ok(Some(answer)),
            Err(refusal) if refusal.code == "NoSuchBucket" => Err(refusal.into()),
            Err(refusal) if refusal.status == 403 => Err(Refusal {
                message: "Access Denied".to_owned(),
                ..refusal
            }
            .into()),
            Err(_) => Ok(None),
        }
    }

    async fn call(
        &self,
        shared: &Shared,
        operation: &str,
    ) -> Result<Result<Value, Refusal>, Trouble> {
        let mut arguments = vec![("Bucket".into(), self.bucket.into())];
        if operation == "get_object_acl" {
            arguments.push(("Key".into(), self.key.into()));
            arguments.extend(self.version.map(|it| ("VersionId".into(), it.into())));
        }
        Ok(shared.world.call(operation, &Value::Map(arguments)).await?)
    }
}
