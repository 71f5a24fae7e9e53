# Versions
# words: version, versions, versioning, versioned, undelete, undeleted, previous version, earlier version, bring back, brought back, as it was yesterday, delete marker

    def get_bucket_versioning(self, *, Bucket: str) -> dict:
        """{"Status": "Enabled" | "Suspended"}; {} if the bucket never kept versions."""

    def put_bucket_versioning(self, *, Bucket: str, VersioningConfiguration: dict) -> dict:
        """VersioningConfiguration={"Status": "Enabled"}, or "Suspended". It cannot be turned off again."""

    def list_object_versions(self, *, Bucket: str, Prefix: str = ..., MaxKeys: int = 1000) -> dict:
        """All versions, each key's newest first: {"Versions": [{"Key", "VersionId", "IsLatest": bool,
        "Size", "LastModified"}], "DeleteMarkers": [{"Key", "VersionId", "IsLatest"}]}; absent when empty.
        Paged by get_paginator("list_object_versions"). get_object, head_object and delete_object take
        VersionId=...; to bring an old version back, copy_object with
        CopySource={"Bucket": ..., "Key": ..., "VersionId": ...}. Deleting a delete marker by its
        VersionId brings a deleted object back."""

# Tags
# words: tag, tags, tagged, tagging, untag, label, labels, labelled, labeled

    def get_bucket_tagging(self, *, Bucket: str) -> dict:
        """{"TagSet": [{"Key": str, "Value": str}]}; error NoSuchTagSet if there are none."""

    def put_bucket_tagging(self, *, Bucket: str, Tagging: dict) -> dict:
        """Replaces all tags of a bucket: Tagging={"TagSet": [{"Key": ..., "Value": ...}]}."""

    def delete_bucket_tagging(self, *, Bucket: str) -> dict:
        """Takes all tags of a bucket away."""

    def get_object_tagging(self, *, Bucket: str, Key: str) -> dict:
        """{"TagSet": [{"Key": str, "Value": str}]}, [] if there are none."""

    def put_object_tagging(self, *, Bucket: str, Key: str, Tagging: dict) -> dict:
        """Replaces all tags of an object, at most 10: Tagging={"TagSet": [...]}."""

    def delete_object_tagging(self, *, Bucket: str, Key: str) -> dict:
        """Takes all tags of an object away."""

# Expiry and archiving
# words: expire, expires, expiry, expiration, lifecycle, glacier, archived, transition, transitions, after a month, delete automatically, automatically

    def get_bucket_lifecycle_configuration(self, *, Bucket: str) -> dict:
        """{"Rules": [...]}; error NoSuchLifecycleConfiguration if there are none."""

    def put_bucket_lifecycle_configuration(self, *, Bucket: str, LifecycleConfiguration: dict) -> dict:
        """Replaces all rules: LifecycleConfiguration={"Rules": [{"ID": str, "Status": "Enabled",
        "Filter": {"Prefix": "logs/"}, "Expiration": {"Days": 30}}]}. A rule may have instead or beside it
        "Transitions": [{"Days": 90, "StorageClass": "GLACIER"}],
        "NoncurrentVersionExpiration": {"NoncurrentDays": 30},
        "AbortIncompleteMultipartUpload": {"DaysAfterInitiation": 7}."""

    def delete_bucket_lifecycle(self, *, Bucket: str) -> dict:
        """Takes all rules away."""

    def restore_object(self, *, Bucket: str, Key: str, RestoreRequest: dict) -> dict:
        """Brings an archived object back for a time: RestoreRequest={"Days": 7}."""

# Who can see it
# words: public, publicly, private, policy, policies, permission, permissions, who can see, who can read, who can access, has access, accessible, anybody, anyone can, everyone can, exposed, acl, acls, grant, grants, ownership, share it, shared with

    def get_public_access_block(self, *, Bucket: str) -> dict:
        """{"PublicAccessBlockConfiguration": {"BlockPublicAcls": bool, "IgnorePublicAcls": bool,
        "BlockPublicPolicy": bool, "RestrictPublicBuckets": bool}}: all True on a new bucket; error
        NoSuchPublicAccessBlockConfiguration if it was taken away."""

    def put_public_access_block(self, *, Bucket: str, PublicAccessBlockConfiguration: dict) -> dict:
        """Sets the four switches; one that is not given is off."""

    def get_bucket_policy(self, *, Bucket: str) -> dict:
        """{"Policy": str}, JSON; error NoSuchBucketPolicy if there is none."""

    def get_bucket_policy_status(self, *, Bucket: str) -> dict:
        """{"PolicyStatus": {"IsPublic": bool}}; error NoSuchBucketPolicy if there is no policy."""

    def put_bucket_policy(self, *, Bucket: str, Policy: str) -> dict:
        """Policy is json.dumps({"Version": "2012-10-17", "Statement": [...]}). A public one is refused
        with AccessDenied while BlockPublicPolicy is on."""

    def delete_bucket_policy(self, *, Bucket: str) -> dict:
        """Takes the policy away."""

    def get_bucket_acl(self, *, Bucket: str) -> dict:
        """{"Owner": {...}, "Grants": [{"Grantee": {"Type", "ID" | "URI"}, "Permission": str}]}.
        get_object_acl(Bucket=..., Key=...) does the same for an object."""

    def put_object_acl(self, *, Bucket: str, Key: str, ACL: str) -> dict:
        """ACL="private" or "public-read". Error AccessControlListNotSupported unless the bucket's
        ownership (put_bucket_ownership_controls) allows lists. put_bucket_acl does it for a bucket."""

    def get_bucket_ownership_controls(self, *, Bucket: str) -> dict:
        """{"OwnershipControls": {"Rules": [{"ObjectOwnership": "BucketOwnerEnforced"}]}}."""

    def put_bucket_ownership_controls(self, *, Bucket: str, OwnershipControls: dict) -> dict:
        """OwnershipControls={"Rules": [{"ObjectOwnership": "BucketOwnerPreferred"}]} allows lists."""

# Links for others
# words: link, links, url, urls, presigned, presign, share, sharing, send to, for download

    def generate_presigned_url(self, ClientMethod: str, Params: dict, ExpiresIn: int = 3600) -> str:
        """Makes a link with which anybody can make this call for ExpiresIn seconds, at most a week (604800):
        s3.generate_presigned_url("get_object", Params={"Bucket": ..., "Key": ...}, ExpiresIn=86400). It is not
        checked that the object is there. The user is shown the link; in the text that a program gets, the
        signature is withheld."""

# Encryption
# words: encrypt, encrypted, encryption, kms, sse, unencrypted

    def get_bucket_encryption(self, *, Bucket: str) -> dict:
        """{"ServerSideEncryptionConfiguration": {"Rules": [{"ApplyServerSideEncryptionByDefault":
        {"SSEAlgorithm": "AES256"}, "BucketKeyEnabled": bool}]}}."""

    def put_bucket_encryption(self, *, Bucket: str, ServerSideEncryptionConfiguration: dict) -> dict:
        """Sets it, in the form that get_bucket_encryption returns; "aws:kms" takes a KMSMasterKeyID."""

# Unfinished uploads
# words: multipart, unfinished, incomplete, aborted, stalled, broken uploads, failed uploads

    def list_multipart_uploads(self, *, Bucket: str, Prefix: str = ...) -> dict:
        """{"Uploads": [{"Key", "UploadId", "Initiated": datetime}]}; absent when empty. Paged."""

    def abort_multipart_upload(self, *, Bucket: str, Key: str, UploadId: str) -> dict:
        """Ends an upload and frees its parts."""

# Locks
# words: object lock, lock, locks, unlock, legal hold, worm, compliance, retention, immutable, cannot be deleted

    def get_object_lock_configuration(self, *, Bucket: str) -> dict:
        """{"ObjectLockConfiguration": {...}}; error ObjectLockConfigurationNotFoundError without it."""

    def put_object_retention(self, *, Bucket: str, Key: str, Retention: dict) -> dict:
        """Keeps a version: Retention={"Mode": "GOVERNANCE", "RetainUntilDate": datetime}. get_object_retention
        reads it."""

    def put_object_legal_hold(self, *, Bucket: str, Key: str, LegalHold: dict) -> dict:
        """LegalHold={"Status": "ON"} or "OFF". get_object_legal_hold reads it."""

# Websites and browsers
# words: static website, host, hosting, cors, browser, browsers, index document, redirect

    def get_bucket_website(self, *, Bucket: str) -> dict:
        """{"IndexDocument": {"Suffix": str}, "ErrorDocument": {"Key": str}}; error NoSuchWebsiteConfiguration."""

    def put_bucket_website(self, *, Bucket: str, WebsiteConfiguration: dict) -> dict:
        """WebsiteConfiguration={"IndexDocument": {"Suffix": "index.html"}}. delete_bucket_website ends it."""

    def get_bucket_cors(self, *, Bucket: str) -> dict:
        """{"CORSRules": [...]}; error NoSuchCORSConfiguration."""

    def put_bucket_cors(self, *, Bucket: str, CORSConfiguration: dict) -> dict:
        """CORSConfiguration={"CORSRules": [{"AllowedMethods": ["GET"], "AllowedOrigins": ["*"]}]}.
        delete_bucket_cors ends it."""

# Logs, events and copies
# words: access logs, access logging, logging, notification, notifications, events, lambda, sns, sqs, replicate, replicated, replication, inventory, acceleration

    def get_bucket_logging(self, *, Bucket: str) -> dict:
        """{"LoggingEnabled": {"TargetBucket": str, "TargetPrefix": str}}; {} without it."""

    def put_bucket_logging(self, *, Bucket: str, BucketLoggingStatus: dict) -> dict:
        """BucketLoggingStatus={"LoggingEnabled": {"TargetBucket": ..., "TargetPrefix": ...}}; {} ends it."""

    def get_bucket_notification_configuration(self, *, Bucket: str) -> dict:
        """{"QueueConfigurations": [...], "TopicConfigurations": [...], "LambdaFunctionConfigurations": [...]}."""

    def put_bucket_notification_configuration(self, *, Bucket: str, NotificationConfiguration: dict) -> dict:
        """Replaces them: {"QueueConfigurations": [{"QueueArn": ..., "Events": ["s3:ObjectCreated:*"]}]}."""

    def get_bucket_replication(self, *, Bucket: str) -> dict:
        """{"ReplicationConfiguration": {"Role", "Rules"}}; error ReplicationConfigurationNotFoundError."""
