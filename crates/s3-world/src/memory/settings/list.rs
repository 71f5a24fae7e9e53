//! The settings, and the facts in which they differ.

use super::{
    ACCELERATE, Context, ENCRYPTION, LIFECYCLE, LOGGING, NOTIFICATION, OBJECT_LOCK, OWNERSHIP,
    POLICY, PUBLIC_ACCESS, REPLICATION, Setting, TAGGING, Unset, VERSIONING, cors, encryption,
    lifecycle, lock, logging, map, notification, owned, ownership, policy, replication, tags,
    versioning, website,
};
use crate::domain::{Refusal, Value};
use crate::refusal;

/// All settings but those that have an id.
pub static ALL: &[Setting] = &[
    Setting {
        name: TAGGING,
        label: "tags",
        operations: [
            "get_bucket_tagging",
            "put_bucket_tagging",
            "delete_bucket_tagging",
        ],
        parameter: "Tagging",
        field: None,
        unset: Unset::Refused("NoSuchTagSet", "The TagSet does not exist"),
        first: all_right,
        check: tags::of_bucket,
    },
    Setting {
        name: LIFECYCLE,
        label: "lifecycle",
        operations: [
            "get_bucket_lifecycle_configuration",
            "put_bucket_lifecycle_configuration",
            "delete_bucket_lifecycle",
        ],
        parameter: "LifecycleConfiguration",
        field: None,
        unset: Unset::Refused(
            "NoSuchLifecycleConfiguration",
            "The lifecycle configuration does not exist",
        ),
        first: all_right,
        check: lifecycle::check,
    },
    Setting {
        name: POLICY,
        label: "policy",
        operations: [
            "get_bucket_policy",
            "put_bucket_policy",
            "delete_bucket_policy",
        ],
        parameter: "Policy",
        field: Some("Policy"),
        unset: Unset::Refused("NoSuchBucketPolicy", "The bucket policy does not exist"),
        first: all_right,
        check: policy::check,
    },
    Setting {
        name: PUBLIC_ACCESS,
        label: "public access block",
        operations: [
            "get_public_access_block",
            "put_public_access_block",
            "delete_public_access_block",
        ],
        parameter: "PublicAccessBlockConfiguration",
        field: Some("PublicAccessBlockConfiguration"),
        unset: Unset::Default(
            || policy::blocks(true),
            Some((
                "NoSuchPublicAccessBlockConfiguration",
                "The public access block configuration was not found",
            )),
        ),
        first: all_right,
        check: policy::check_block,
    },
    Setting {
        name: ENCRYPTION,
        label: "encryption",
        operations: [
            "get_bucket_encryption",
            "put_bucket_encryption",
            "delete_bucket_encryption",
        ],
        parameter: "ServerSideEncryptionConfiguration",
        field: Some("ServerSideEncryptionConfiguration"),
        unset: Unset::Default(encryption::of_new_bucket, None),
        first: all_right,
        check: encryption::check,
    },
    Setting {
        name: OWNERSHIP,
        label: "ownership",
        operations: [
            "get_bucket_ownership_controls",
            "put_bucket_ownership_controls",
            "delete_bucket_ownership_controls",
        ],
        parameter: "OwnershipControls",
        field: Some("OwnershipControls"),
        unset: Unset::Default(
            || owned("BucketOwnerEnforced"),
            Some((
                "OwnershipControlsNotFoundError",
                "The bucket ownership controls were not found",
            )),
        ),
        first: all_right,
        check: ownership::check,
    },
    Setting {
        name: "cors",
        label: "CORS",
        operations: ["get_bucket_cors", "put_bucket_cors", "delete_bucket_cors"],
        parameter: "CORSConfiguration",
        field: None,
        unset: Unset::Refused(
            "NoSuchCORSConfiguration",
            "The CORS configuration does not exist",
        ),
        first: all_right,
        check: cors::check,
    },
    Setting {
        name: "website",
        label: "website",
        operations: [
            "get_bucket_website",
            "put_bucket_website",
            "delete_bucket_website",
        ],
        parameter: "WebsiteConfiguration",
        field: None,
        unset: Unset::Refused(
            "NoSuchWebsiteConfiguration",
            "The specified bucket does not have a website configuration",
        ),
        first: website::check_protocols,
        check: website::check,
    },
    Setting {
        name: LOGGING,
        label: "logging",
        operations: ["get_bucket_logging", "put_bucket_logging", ""],
        parameter: "BucketLoggingStatus",
        field: None,
        unset: Unset::Default(|| map([]), None),
        first: all_right,
        check: logging::check,
    },
    Setting {
        name: NOTIFICATION,
        label: "notifications",
        operations: [
            "get_bucket_notification_configuration",
            "put_bucket_notification_configuration",
            "",
        ],
        parameter: "NotificationConfiguration",
        field: None,
        unset: Unset::Default(|| map([]), None),
        first: notification::check_form,
        check: notification::check,
    },
    Setting {
        name: REPLICATION,
        label: "replication",
        operations: [
            "get_bucket_replication",
            "put_bucket_replication",
            "delete_bucket_replication",
        ],
        parameter: "ReplicationConfiguration",
        field: Some("ReplicationConfiguration"),
        unset: Unset::Refused(
            "ReplicationConfigurationNotFoundError",
            "The replication configuration was not found",
        ),
        first: all_right,
        check: replication::check,
    },
    Setting {
        name: ACCELERATE,
        label: "acceleration",
        operations: [
            "get_bucket_accelerate_configuration",
            "put_bucket_accelerate_configuration",
            "",
        ],
        parameter: "AccelerateConfiguration",
        field: None,
        unset: Unset::Default(|| map([]), None),
        first: all_right,
        check: |context, value| match context.name.contains('.') {
            true => Err(Refusal::new(
                400,
                "InvalidRequest",
                "S3 Transfer Acceleration is not supported for buckets with periods (.) in their \
                 names",
            )),
            false if value.get("Status").is_none() => Err(refusal::malformed_xml()),
            false => Ok(value),
        },
    },
    Setting {
        name: "requestPayment",
        label: "payment of requests",
        operations: [
            "get_bucket_request_payment",
            "put_bucket_request_payment",
            "",
        ],
        parameter: "RequestPaymentConfiguration",
        field: None,
        unset: Unset::Default(|| map([("Payer", "BucketOwner".into())]), None),
        first: all_right,
        check: any,
    },
    Setting {
        name: VERSIONING,
        label: "versioning",
        operations: ["get_bucket_versioning", "put_bucket_versioning", ""],
        parameter: "VersioningConfiguration",
        field: None,
        unset: Unset::Default(|| map([]), None),
        first: all_right,
        check: versioning::check,
    },
    Setting {
        name: OBJECT_LOCK,
        label: "object lock",
        operations: [
            "get_object_lock_configuration",
            "put_object_lock_configuration",
            "",
        ],
        parameter: "ObjectLockConfiguration",
        field: Some("ObjectLockConfiguration"),
        unset: Unset::Refused(
            "ObjectLockConfigurationNotFoundError",
            "Object Lock configuration does not exist for this bucket",
        ),
        first: all_right,
        check: lock::check,
    },
];

fn any(_: &Context<'_>, value: Value) -> Result<Value, Refusal> {
    Ok(value)
}

fn all_right(value: Value) -> Result<Value, Refusal> {
    Ok(value)
}
