# Versions
# words: version, versions, versioning, versioned, undelete, undeleted, previous version, earlier version, older version, older copy, older copies, old copies, bring back, bring it back, brought back, get it back, want it back, have it back, text back, file back, as it was, before somebody, overwritten, overwrote, saved over, typed over, vanished, disappeared, really gone, gone for good, delete marker, marker, markers, for good, really delete, permanently

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
# words: tag, tags, tagged, tagging, untag, retag, label, labels, labelled, labeled

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
# words: expire, expires, expired, expiry, expiration, lifecycle, glacier, archive tier, deep archive, archived, storage class, storage classes, cold storage, cheaper storage, transition, transitions, after 0 days, after 0 months, after 0 years, may go after, after a day, after a week, after a month, after a year, by itself, by themselves, on its own, on their own, delete automatically, automatically, retention rule, clean-up rule, cleanup rule, the rule, rules

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
        """Brings an archived object back for some days: RestoreRequest={"Days": 7}, which takes 5 hours. In worlds
        whose clock moves with writes only, it stays under way (head_object: Restore 'ongoing-request="true"')."""

# Who can see it
# words: public, publicly, private, policy, policies, permission, permissions, who can, who else, who besides, has access, have access, accessible, anybody, anyone, everybody, everyone, the world, the internet, the outside, outsiders, strangers, login, password, without credentials, download from, open it, visible, exposed, leak, leaked, acl, acls, access list, access lists, grant, grants, granted, ownership, share it, shared with

    def get_public_access_block(self, *, Bucket: str) -> dict:
        """{"PublicAccessBlockConfiguration": {"BlockPublicAcls": bool, "IgnorePublicAcls": bool,
        "BlockPublicPolicy": bool, "RestrictPublicBuckets": bool}}: all True on a new bucket; error
        NoSuchPublicAccessBlockConfiguration if it was taken away."""

    def put_public_access_block(self, *, Bucket: str, PublicAccessBlockConfiguration: dict) -> dict:
        """Sets the four switches; one that is not given is off. delete_public_access_block takes them away."""

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
        """OwnershipControls={"Rules": [{"ObjectOwnership": "BucketOwnerPreferred"}]} allows lists.
        delete_bucket_ownership_controls takes them away."""

# Links for others
# words: link, links, url, urls, presigned, presign, share, sharing, send to, for download

    def generate_presigned_url(self, ClientMethod: str, Params: dict, ExpiresIn: int = 3600) -> str:
        """Makes a link with which anybody can make this call for ExpiresIn seconds, at most a week (604800):
        s3.generate_presigned_url("get_object", Params={"Bucket": ..., "Key": ...}, ExpiresIn=86400). It is not
        checked that the object is there. The user is shown the link; in the text that a program gets, the
        signature is withheld."""

    def generate_presigned_post(self, Bucket: str, Key: str, Fields: dict = ..., Conditions: list = ..., ExpiresIn: int = 3600) -> dict:
        """Makes a form {"url", "fields"} with which anybody can upload this one object from a browser; shown to the
        user and withheld from programs like a link. Conditions: [["content-length-range", 1, 5000000]]."""

# Encryption
# words: encrypt, encrypted, encryption, kms, sse, unencrypted

    def get_bucket_encryption(self, *, Bucket: str) -> dict:
        """{"ServerSideEncryptionConfiguration": {"Rules": [{"ApplyServerSideEncryptionByDefault":
        {"SSEAlgorithm": "AES256"}, "BucketKeyEnabled": bool}]}}."""

    def put_bucket_encryption(self, *, Bucket: str, ServerSideEncryptionConfiguration: dict) -> dict:
        """Sets it, in the form that get_bucket_encryption returns; "aws:kms" takes a KMSMasterKeyID.
        delete_bucket_encryption goes back to AES256."""

# Unfinished uploads
# words: multipart, unfinished, half-finished, half finished, incomplete, interrupted, never finished, aborted, abort, stalled, stuck uploads, broken uploads, failed uploads, broken upload, failed upload, unfinished upload, of an upload

    def list_multipart_uploads(self, *, Bucket: str, Prefix: str = ...) -> dict:
        """{"Uploads": [{"Key", "UploadId", "Initiated": datetime}]}; absent when empty. Paged."""

    def list_parts(self, *, Bucket: str, Key: str, UploadId: str) -> dict:
        """What an upload has so far: {"Parts": [{"PartNumber": int, "Size": int, "ETag"}]}; absent when empty. Paged."""

    def abort_multipart_upload(self, *, Bucket: str, Key: str, UploadId: str) -> dict:
        """Ends an upload and frees its parts."""

    def create_multipart_upload(self, *, Bucket: str, Key: str) -> dict:
        """Begins one: {"UploadId": str}."""

    def upload_part(self, *, Bucket: str, Key: str, UploadId: str, PartNumber: int, Body) -> dict:
        """{"ETag": str}; all but the last have at least 5 MiB. upload_part_copy(..., CopySource=...) copies one."""

    def complete_multipart_upload(self, *, Bucket: str, Key: str, UploadId: str, MultipartUpload: dict) -> dict:
        """MultipartUpload={"Parts": [{"PartNumber": 1, "ETag": ...}]} makes the object."""

# Locks
# words: object lock, lock, locks, locked, unlock, legal hold, hold, holds, worm, compliance, governance, retention, immutable, cannot be deleted, protected

    def get_object_lock_configuration(self, *, Bucket: str) -> dict:
        """{"ObjectLockConfiguration": {...}}; error ObjectLockConfigurationNotFoundError without it."""

    def put_object_lock_configuration(self, *, Bucket: str, ObjectLockConfiguration: dict) -> dict:
        """{"ObjectLockEnabled": "Enabled", "Rule": {"DefaultRetention": {"Mode": "GOVERNANCE", "Days": 30}}}, in a
        bucket with versioning. It cannot be turned off again."""

    def put_object_retention(self, *, Bucket: str, Key: str, Retention: dict) -> dict:
        """Keeps a version: Retention={"Mode": "GOVERNANCE", "RetainUntilDate": datetime}. get_object_retention
        reads it."""

    def put_object_legal_hold(self, *, Bucket: str, Key: str, LegalHold: dict) -> dict:
        """LegalHold={"Status": "ON"} or "OFF". get_object_legal_hold reads it."""

# Websites and browsers
# words: static website, website, websites, web site, web page, webpage, start page, home page, error page, host, hosting, cors, cross-origin, origin, origins, browser, browsers, visitors, index document, index page, redirect, redirects

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
# words: access log, access logs, access logging, log access, log accesses, log every access, log their accesses, logs accesses, every access, accesses, logging, logged, notification, notifications, notify, events, lambda, sns, sqs, replicate, replicated, replication, copied to, second place, mirrored

    def get_bucket_logging(self, *, Bucket: str) -> dict:
        """{"LoggingEnabled": {"TargetBucket": str, "TargetPrefix": str}}; {} without it."""

    def put_bucket_logging(self, *, Bucket: str, BucketLoggingStatus: dict) -> dict:
        """BucketLoggingStatus={"LoggingEnabled": {"TargetBucket": ..., "TargetPrefix": ...}}; {} ends it."""

    def get_bucket_notification_configuration(self, *, Bucket: str) -> dict:
        """{"QueueConfigurations": [...], "TopicConfigurations": [...], "LambdaFunctionConfigurations": [...]}."""

    def put_bucket_notification_configuration(self, *, Bucket: str, NotificationConfiguration: dict) -> dict:
        """Replaces them: {"QueueConfigurations": [{"QueueArn": ..., "Events": ["s3:ObjectCreated:*"]}]}."""

    def get_bucket_replication(self, *, Bucket: str) -> dict:
        """{"ReplicationConfiguration": {"Role": str, "Rules": [{"ID", "Status": "Enabled" | "Disabled", "Priority",
        "Filter", "Destination": {"Bucket": "arn:aws:s3:::NAME"}, "DeleteMarkerReplication": {"Status"}}]}}; error
        ReplicationConfigurationNotFoundError."""

    def put_bucket_replication(self, *, Bucket: str, ReplicationConfiguration: dict) -> dict:
        """Replaces it, in the form that get_bucket_replication returns; both buckets keep versions.
        delete_bucket_replication ends it."""

# Inventories, metrics and analytics
# words: inventory, inventories, metrics, request metrics, analytics, storage analysis, intelligent tiering, intelligent-tiering

    def list_bucket_inventory_configurations(self, *, Bucket: str) -> dict:
        """{"InventoryConfigurationList": [{"Id", "IsEnabled": bool, "Schedule": {"Frequency"}, ...}]}; absent when
        empty. list_bucket_metrics_configurations, list_bucket_analytics_configurations and
        list_bucket_intelligent_tiering_configurations are the same with their own names."""

    def get_bucket_inventory_configuration(self, *, Bucket: str, Id: str) -> dict:
        """One of them; error NoSuchConfiguration. So do get_bucket_metrics_configuration,
        get_bucket_analytics_configuration and get_bucket_intelligent_tiering_configuration."""

    def put_bucket_inventory_configuration(self, *, Bucket: str, Id: str, InventoryConfiguration: dict) -> dict:
        """{"Id": ..., "IsEnabled": True, "IncludedObjectVersions": "Current", "Schedule": {"Frequency": "Daily"},
        "Destination": {"S3BucketDestination": {"Bucket": "arn:aws:s3:::NAME", "Format": "CSV"}}}.
        delete_bucket_inventory_configuration takes it away."""

    def put_bucket_metrics_configuration(self, *, Bucket: str, Id: str, MetricsConfiguration: dict) -> dict:
        """{"Id": ..., "Filter": {"Prefix": ...}}. delete_bucket_metrics_configuration takes it away."""

    def put_bucket_analytics_configuration(self, *, Bucket: str, Id: str, AnalyticsConfiguration: dict) -> dict:
        """{"Id": ..., "StorageClassAnalysis": {}}. delete_bucket_analytics_configuration takes it away."""

    def put_bucket_intelligent_tiering_configuration(
        self, *, Bucket: str, Id: str, IntelligentTieringConfiguration: dict
    ) -> dict:
        """{"Id": ..., "Status": "Enabled", "Tierings": [{"Days": 90, "AccessTier": "ARCHIVE_ACCESS"}]}.
        delete_bucket_intelligent_tiering_configuration takes it away."""

# Who pays, and faster transfers
# words: requester pays, requester, who pays, pay, pays, payer, paid by, acceleration, accelerate, accelerated, faster transfers

    def get_bucket_request_payment(self, *, Bucket: str) -> dict:
        """{"Payer": "BucketOwner" | "Requester"}."""

    def put_bucket_request_payment(self, *, Bucket: str, RequestPaymentConfiguration: dict) -> dict:
        """RequestPaymentConfiguration={"Payer": "Requester"}."""

    def get_bucket_accelerate_configuration(self, *, Bucket: str) -> dict:
        """{"Status": "Enabled" | "Suspended"}; {} if it never was."""

    def put_bucket_accelerate_configuration(self, *, Bucket: str, AccelerateConfiguration: dict) -> dict:
        """AccelerateConfiguration={"Status": "Enabled"}, or "Suspended"."""

# Checksums and attributes
# words: checksum, checksums, crc, sha256, sha-256, md5, etag, etags, attributes, integrity, corrupted, number of parts

    def get_object_attributes(self, *, Bucket: str, Key: str, ObjectAttributes: list) -> dict:
        """Those that are named of "ETag", "Checksum", "ObjectParts", "StorageClass", "ObjectSize". head_object with
        ChecksumMode="ENABLED" has the checksum, too."""
