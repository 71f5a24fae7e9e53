//! The actions that policies of buckets name (Service Authorization Reference, "Actions,
//! resources, and condition keys for Amazon S3").

use super::policy::matches;

/// Those on objects.
const ON_OBJECTS: &str = "AbortMultipartUpload BypassGovernanceRetention DeleteObject DeleteObjectAnnotation \
    DeleteObjectTagging DeleteObjectVersion DeleteObjectVersionTagging GetObject \
    GetObjectAcl GetObjectAnnotation GetObjectAttributes GetObjectLegalHold \
    GetObjectRetention GetObjectTagging GetObjectTorrent GetObjectVersion \
    GetObjectVersionAcl GetObjectVersionAttributes GetObjectVersionForReplication \
    GetObjectVersionTagging GetObjectVersionTorrent InitiateReplication \
    ListMultipartUploadParts ListObjectAnnotations ObjectOwnerOverrideToBucketOwner \
    PutObject PutObjectAcl PutObjectAnnotation PutObjectLegalHold PutObjectRetention \
    PutObjectTagging PutObjectVersionAcl PutObjectVersionTagging ReplicateDelete \
    ReplicateObject ReplicateTags RestoreObject UpdateObjectEncryption";

/// Those on buckets.
const ON_BUCKETS: &str = "CreateBucket CreateBucketMetadataTableConfiguration DeleteBucket \
    DeleteBucketMetadataTableConfiguration DeleteBucketPolicy DeleteBucketWebsite \
    GetAccelerateConfiguration GetAnalyticsConfiguration GetBucketAbac GetBucketAcl \
    GetBucketCORS GetBucketLocation GetBucketLogging GetBucketMetadataTableConfiguration \
    GetBucketNotification GetBucketObjectLockConfiguration GetBucketOwnershipControls \
    GetBucketPolicy GetBucketPolicyStatus GetBucketPublicAccessBlock GetBucketRequestPayment \
    GetBucketTagging GetBucketVersioning GetBucketWebsite GetEncryptionConfiguration \
    GetIntelligentTieringConfiguration GetInventoryConfiguration GetLifecycleConfiguration \
    GetMetricsConfiguration GetReplicationConfiguration ListBucket \
    ListBucketMultipartUploads ListBucketVersions ListTagsForResource \
    PutAccelerateConfiguration PutAnalyticsConfiguration PutBucketAbac PutBucketAcl \
    PutBucketCORS PutBucketLogging PutBucketNotification PutBucketObjectLockConfiguration \
    PutBucketOwnershipControls PutBucketPolicy PutBucketPublicAccessBlock \
    PutBucketRequestPayment PutBucketTagging PutBucketVersioning PutBucketWebsite \
    PutEncryptionConfiguration PutIntelligentTieringConfiguration PutInventoryConfiguration \
    PutLifecycleConfiguration PutMetricsConfiguration PutReplicationConfiguration \
    TagResource UntagResource UpdateBucketMetadataInventoryTableConfiguration \
    UpdateBucketMetadataJournalTableConfiguration";

/// The kinds of things that the actions of a pattern are about.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct About {
    /// Some are about objects.
    pub objects: bool,
    /// Some are about buckets.
    pub buckets: bool,
}

/// The kinds of things that the actions named by `s3:` and this pattern are about. Their case
/// does not count.
pub fn about(pattern: &str) -> About {
    let pattern = pattern.to_ascii_lowercase();
    let named = |all: &str| {
        let mut all = all.split(' ');
        all.any(|action| matches(&pattern, &action.to_ascii_lowercase()))
    };
    About {
        objects: named(ON_OBJECTS),
        buckets: named(ON_BUCKETS),
    }
}
