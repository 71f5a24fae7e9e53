//! Tables that map headers and query parameters to boto3's names, from botocore's service
//! model (`locationName`).

use Kind::{Flag, Int, Text, Time};
use Place::{Header, Query};

/// The place of a field in a request.
#[derive(Clone, Copy)]
pub enum Place {
    Header(&'static str),
    Query(&'static str),
}

/// The type of a field in boto3.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Text,
    Int,
    Flag,
    /// An HTTP date.
    Time,
}

/// boto3's name, the place and the type.
pub type Field = (&'static str, Place, Kind);

/// The expected owner and the payer, which every operation on a bucket accepts.
pub const CALLER: &[Field] = &[
    (
        "ExpectedBucketOwner",
        Header("x-amz-expected-bucket-owner"),
        Text,
    ),
    ("RequestPayer", Header("x-amz-request-payer"), Text),
];

pub const LIST_BUCKETS: &[Field] = &[
    ("MaxBuckets", Query("max-buckets"), Int),
    ("ContinuationToken", Query("continuation-token"), Text),
    ("Prefix", Query("prefix"), Text),
    ("BucketRegion", Query("bucket-region"), Text),
];

pub const GRANTS: &[Field] = &[
    ("ACL", Header("x-amz-acl"), Text),
    ("GrantFullControl", Header("x-amz-grant-full-control"), Text),
    ("GrantRead", Header("x-amz-grant-read"), Text),
    ("GrantReadACP", Header("x-amz-grant-read-acp"), Text),
    ("GrantWrite", Header("x-amz-grant-write"), Text),
    ("GrantWriteACP", Header("x-amz-grant-write-acp"), Text),
];

pub const CREATE_BUCKET: &[Field] = &[
    (
        "ObjectLockEnabledForBucket",
        Header("x-amz-bucket-object-lock-enabled"),
        Flag,
    ),
    ("ObjectOwnership", Header("x-amz-object-ownership"), Text),
];

/// `encoding-type` is missing, because `calls.rs` encodes the names of every world.
pub const LIST: &[Field] = &[
    ("Delimiter", Query("delimiter"), Text),
    ("MaxKeys", Query("max-keys"), Int),
    ("Prefix", Query("prefix"), Text),
];

pub const LIST_V1: &[Field] = &[("Marker", Query("marker"), Text)];

pub const LIST_V2: &[Field] = &[
    ("ContinuationToken", Query("continuation-token"), Text),
    ("FetchOwner", Query("fetch-owner"), Flag),
    ("StartAfter", Query("start-after"), Text),
];

pub const READ: &[Field] = &[
    ("IfMatch", Header("if-match"), Text),
    ("IfModifiedSince", Header("if-modified-since"), Time),
    ("IfNoneMatch", Header("if-none-match"), Text),
    ("IfUnmodifiedSince", Header("if-unmodified-since"), Time),
    ("Range", Header("range"), Text),
    ("PartNumber", Query("partNumber"), Int),
    ("ChecksumMode", Header("x-amz-checksum-mode"), Text),
    (
        "ResponseCacheControl",
        Query("response-cache-control"),
        Text,
    ),
    (
        "ResponseContentDisposition",
        Query("response-content-disposition"),
        Text,
    ),
    (
        "ResponseContentEncoding",
        Query("response-content-encoding"),
        Text,
    ),
    (
        "ResponseContentLanguage",
        Query("response-content-language"),
        Text,
    ),
    ("ResponseContentType", Query("response-content-type"), Text),
    ("ResponseExpires", Query("response-expires"), Time),
];

pub const VERSION: &[Field] = &[("VersionId", Query("versionId"), Text)];

/// The attributes of an uploaded object.
pub const DESCRIPTION: &[Field] = &[
    ("CacheControl", Header("cache-control"), Text),
    ("ContentDisposition", Header("content-disposition"), Text),
    ("ContentEncoding", Header("content-encoding"), Text),
    ("ContentLanguage", Header("content-language"), Text),
    ("ContentType", Header("content-type"), Text),
    ("Expires", Header("expires"), Time),
    ("StorageClass", Header("x-amz-storage-class"), Text),
    (
        "WebsiteRedirectLocation",
        Header("x-amz-website-redirect-location"),
        Text,
    ),
    (
        "ServerSideEncryption",
        Header("x-amz-server-side-encryption"),
        Text,
    ),
    (
        "SSEKMSKeyId",
        Header("x-amz-server-side-encryption-aws-kms-key-id"),
        Text,
    ),
    ("Tagging", Header("x-amz-tagging"), Text),
    ("ObjectLockMode", Header("x-amz-object-lock-mode"), Text),
    (
        "ObjectLockRetainUntilDate",
        Header("x-amz-object-lock-retain-until-date"),
        Text,
    ),
    (
        "ObjectLockLegalHoldStatus",
        Header("x-amz-object-lock-legal-hold"),
        Text,
    ),
];

/// Encryption with the caller's key.
pub const CUSTOMER_KEY: &[Field] = &[
    (
        "SSECustomerAlgorithm",
        Header("x-amz-server-side-encryption-customer-algorithm"),
        Text,
    ),
    (
        "SSECustomerKey",
        Header("x-amz-server-side-encryption-customer-key"),
        Text,
    ),
    (
        "SSECustomerKeyMD5",
        Header("x-amz-server-side-encryption-customer-key-md5"),
        Text,
    ),
];

/// The conditions of a write.
pub const IF: &[Field] = &[
    ("IfMatch", Header("if-match"), Text),
    ("IfNoneMatch", Header("if-none-match"), Text),
];

pub const UPLOAD: &[Field] = &[
    ("ContentMD5", Header("content-md5"), Text),
    (
        "ChecksumAlgorithm",
        Header("x-amz-sdk-checksum-algorithm"),
        Text,
    ),
    ("ChecksumCRC32", Header("x-amz-checksum-crc32"), Text),
    ("ChecksumSHA256", Header("x-amz-checksum-sha256"), Text),
    ("WriteOffsetBytes", Header("x-amz-write-offset-bytes"), Int),
];

pub const COPY: &[Field] = &[
    (
        "ChecksumAlgorithm",
        Header("x-amz-checksum-algorithm"),
        Text,
    ),
    (
        "MetadataDirective",
        Header("x-amz-metadata-directive"),
        Text,
    ),
    ("TaggingDirective", Header("x-amz-tagging-directive"), Text),
    (
        "ExpectedSourceBucketOwner",
        Header("x-amz-source-expected-bucket-owner"),
        Text,
    ),
];

/// The conditions on the source of a copy.
pub const COPY_IF: &[Field] = &[
    (
        "CopySourceIfMatch",
        Header("x-amz-copy-source-if-match"),
        Text,
    ),
    (
        "CopySourceIfModifiedSince",
        Header("x-amz-copy-source-if-modified-since"),
        Time,
    ),
    (
        "CopySourceIfNoneMatch",
        Header("x-amz-copy-source-if-none-match"),
        Text,
    ),
    (
        "CopySourceIfUnmodifiedSince",
        Header("x-amz-copy-source-if-unmodified-since"),
        Time,
    ),
];

pub const DELETE: &[Field] = &[
    ("MFA", Header("x-amz-mfa"), Text),
    (
        "BypassGovernanceRetention",
        Header("x-amz-bypass-governance-retention"),
        Flag,
    ),
];

pub const DELETE_IF: &[Field] = &[
    ("IfMatch", Header("if-match"), Text),
    (
        "IfMatchLastModifiedTime",
        Header("x-amz-if-match-last-modified-time"),
        Time,
    ),
    ("IfMatchSize", Header("x-amz-if-match-size"), Int),
];

/// The fields of answers that are headers. All others are elements of a document.
pub const ANSWERED: &[(&str, &str)] = &[
    ("AcceptRanges", "accept-ranges"),
    ("CacheControl", "cache-control"),
    ("ContentDisposition", "content-disposition"),
    ("ContentEncoding", "content-encoding"),
    ("ContentLanguage", "content-language"),
    ("ContentLength", "content-length"),
    ("ContentRange", "content-range"),
    ("ContentType", "content-type"),
    ("ETag", "etag"),
    ("Expires", "expires"),
    ("LastModified", "last-modified"),
    ("Location", "location"),
    ("AccessPointAlias", "x-amz-access-point-alias"),
    ("BucketArn", "x-amz-bucket-arn"),
    ("BucketLocationName", "x-amz-bucket-location-name"),
    ("BucketLocationType", "x-amz-bucket-location-type"),
    ("BucketRegion", "x-amz-bucket-region"),
    (
        "BucketKeyEnabled",
        "x-amz-server-side-encryption-bucket-key-enabled",
    ),
    ("ChecksumCRC32", "x-amz-checksum-crc32"),
    ("ChecksumCRC32C", "x-amz-checksum-crc32c"),
    ("ChecksumCRC64NVME", "x-amz-checksum-crc64nvme"),
    ("ChecksumSHA1", "x-amz-checksum-sha1"),
    ("ChecksumSHA256", "x-amz-checksum-sha256"),
    ("ChecksumType", "x-amz-checksum-type"),
    ("CopySourceVersionId", "x-amz-copy-source-version-id"),
    ("DeleteMarker", "x-amz-delete-marker"),
    ("Expiration", "x-amz-expiration"),
    ("MissingMeta", "x-amz-missing-meta"),
    ("PartsCount", "x-amz-mp-parts-count"),
    ("ReplicationStatus", "x-amz-replication-status"),
    ("RequestCharged", "x-amz-request-charged"),
    ("Restore", "x-amz-restore"),
    ("SSEKMSKeyId", "x-amz-server-side-encryption-aws-kms-key-id"),
    ("ServerSideEncryption", "x-amz-server-side-encryption"),
    ("StorageClass", "x-amz-storage-class"),
    ("TagCount", "x-amz-tagging-count"),
    ("VersionId", "x-amz-version-id"),
    ("WebsiteRedirectLocation", "x-amz-website-redirect-location"),
];
