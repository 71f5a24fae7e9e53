//! What a description says of versions, tags, settings and unfinished uploads: the store
//! answers as if all of it had been written through S3.

use crate::support::run;
use expect_test::{Expect, expect};
use s3_world::{Memory, world};
use std::path::Path;

/// The answers of the described world to `calls`.
fn check(description: &str, calls: &str, expected: Expect) {
    let store = world::store_from(description, Path::new("w.toml")).expect("a world");
    let world = Memory::new("w", store);
    let answers = run(calls, |operation, params| world.perform(operation, params));
    expected.assert_eq(&answers);
}

/// What is wrong with a description.
fn wrong(description: &str, expected: Expect) {
    let error = world::store_from(description, Path::new("w.toml")).err();
    expected.assert_eq(&error.map(|error| error.to_string()).unwrap_or_default());
}

const VERSIONS: &str = r#"
clock = 2025-05-01T08:00:00Z
[[bucket]]
name = "plans"
created = 2025-01-01T00:00:00Z
[bucket.settings]
versioning = { Status = "Enabled" }
[[bucket.object]]
key = "a.txt"
text = "before versions"
versioned = false
[[bucket.object]]
key = "a.txt"
text = "second"
modified = 2025-02-01T00:00:00Z
[[bucket.object]]
key = "a.txt"
text = "third"
modified = 2025-03-01T00:00:00Z
[[bucket.object]]
key = "gone.txt"
text = "still here"
[[bucket.object]]
key = "gone.txt"
deleted = true
modified = 2025-04-01T00:00:00Z
"#;

#[test]
fn a_key_has_versions_and_delete_markers() {
    check(
        VERSIONS,
        r#"
        list_objects_v2 {"Bucket":"plans"}
        list_object_versions {"Bucket":"plans"}
        get_object {"Bucket":"plans","Key":"a.txt","VersionId":"null"}
        get_object {"Bucket":"plans","Key":"gone.txt"}
        get_bucket_versioning {"Bucket":"plans"}
        put_object {"Bucket":"plans","Key":"new","Body":"x"}
        head_object {"Bucket":"plans","Key":"new"}
        "#,
        expect![[r#"
            {IsTruncated: False, Contents: [{Key: "a.txt", LastModified: 2025-03-01T00:00:00Z, ETag: '"dd5c8bf51558ffcbe5007071908e9524"', ChecksumAlgorithm: ["CRC32"], ChecksumType: "FULL_OBJECT", Size: 5, StorageClass: "STANDARD"}], Name: "plans", Prefix: "", MaxKeys: 1000, EncodingType: "url", KeyCount: 1}
            {IsTruncated: False, KeyMarker: "", VersionIdMarker: "", Versions: [{ETag: '"dd5c8bf51558ffcbe5007071908e9524"', ChecksumAlgorithm: ["CRC32"], ChecksumType: "FULL_OBJECT", Size: 5, StorageClass: "STANDARD", Key: "a.txt", VersionId: "35D7lXpBElZeKr4Rq5iz618ZkqstLs9P", IsLatest: True, LastModified: 2025-03-01T00:00:00Z, Owner: {ID: "d1a10902a9100000000000000000000000000000000000000000000000000001"}}, {ETag: '"a9f0e61a137d86aa9db53465e0801612"', ChecksumAlgorithm: ["CRC32"], ChecksumType: "FULL_OBJECT", Size: 6, StorageClass: "STANDARD", Key: "a.txt", VersionId: "9j27xPqLtMVvJSrtx0dvHo4nemGVyVNk", IsLatest: False, LastModified: 2025-02-01T00:00:00Z, Owner: {ID: "d1a10902a9100000000000000000000000000000000000000000000000000001"}}, {ETag: '"15846037318b7837db118e98a393c00e"', ChecksumAlgorithm: ["CRC32"], ChecksumType: "FULL_OBJECT", Size: 15, StorageClass: "STANDARD", Key: "a.txt", VersionId: "null", IsLatest: False, LastModified: 2025-01-01T00:00:00Z, Owner: {ID: "d1a10902a9100000000000000000000000000000000000000000000000000001"}}, {ETag: '"ac492a1e13baae9c73a07b1e962e79bf"', ChecksumAlgorithm: ["CRC32"], ChecksumType: "FULL_OBJECT", Size: 10, StorageClass: "STANDARD", Key: "gone.txt", VersionId: "hNY3jxsoskUbsTC5H_8PC3dWrpUWf98G", IsLatest: False, LastModified: 2025-01-01T00:00:00Z, Owner: {ID: "d1a10902a9100000000000000000000000000000000000000000000000000001"}}], DeleteMarkers: [{Owner: {ID: "d1a10902a9100000000000000000000000000000000000000000000000000001"}, Key: "gone.txt", VersionId: "JP7_GBxK0HmD8OfsxYuu5HIyM9WG65dJ", IsLatest: True, LastModified: 2025-04-01T00:00:00Z}], Name: "plans", Prefix: "", MaxKeys: 1000, EncodingType: "url"}
            {AcceptRanges: "bytes", LastModified: 2025-01-01T00:00:00Z, ContentLength: 15, ETag: '"15846037318b7837db118e98a393c00e"', ChecksumCRC32: "rkrZNQ==", ChecksumType: "FULL_OBJECT", VersionId: "null", ContentType: "text/plain", ServerSideEncryption: "AES256", Metadata: {}, Body: b"before versions"}
            ! 404 NoSuchKey: The specified key does not exist. {Key: "gone.txt"}
            {Status: "Enabled"}
            {ETag: '"9dd4e461268c8034f5c8564e155c67a6"', ChecksumCRC32: "jNwWgw==", ChecksumType: "FULL_OBJECT", ServerSideEncryption: "AES256", VersionId: "Y8z642kmLfDqhC4KahZ4pZG_p09_pW-L"}
            {AcceptRanges: "bytes", LastModified: 2025-05-01T08:00:00Z, ContentLength: 1, ETag: '"9dd4e461268c8034f5c8564e155c67a6"', VersionId: "Y8z642kmLfDqhC4KahZ4pZG_p09_pW-L", ContentType: "binary/octet-stream", ServerSideEncryption: "AES256", Metadata: {}}
        "#]],
    );
}

#[test]
fn a_suspended_bucket_keeps_its_versions() {
    let suspended = VERSIONS.replace("\"Enabled\"", "\"Suspended\"");
    check(
        &suspended,
        r#"
        get_bucket_versioning {"Bucket":"plans"}
        delete_object {"Bucket":"plans","Key":"a.txt"}
        list_object_versions {"Bucket":"plans","Prefix":"a"}
        "#,
        expect![[r#"
            {Status: "Suspended"}
            {DeleteMarker: True, VersionId: "null"}
            {IsTruncated: False, KeyMarker: "", VersionIdMarker: "", Versions: [{ETag: '"dd5c8bf51558ffcbe5007071908e9524"', ChecksumAlgorithm: ["CRC32"], ChecksumType: "FULL_OBJECT", Size: 5, StorageClass: "STANDARD", Key: "a.txt", VersionId: "35D7lXpBElZeKr4Rq5iz618ZkqstLs9P", IsLatest: False, LastModified: 2025-03-01T00:00:00Z, Owner: {ID: "d1a10902a9100000000000000000000000000000000000000000000000000001"}}, {ETag: '"a9f0e61a137d86aa9db53465e0801612"', ChecksumAlgorithm: ["CRC32"], ChecksumType: "FULL_OBJECT", Size: 6, StorageClass: "STANDARD", Key: "a.txt", VersionId: "9j27xPqLtMVvJSrtx0dvHo4nemGVyVNk", IsLatest: False, LastModified: 2025-02-01T00:00:00Z, Owner: {ID: "d1a10902a9100000000000000000000000000000000000000000000000000001"}}], DeleteMarkers: [{Owner: {ID: "d1a10902a9100000000000000000000000000000000000000000000000000001"}, Key: "a.txt", VersionId: "null", IsLatest: True, LastModified: 2025-05-01T08:00:00Z}], Name: "plans", Prefix: "a", MaxKeys: 1000, EncodingType: "url"}
        "#]],
    );
}

#[test]
fn an_object_has_what_an_upload_can_give_it() {
    check(
        r#"
clock = 2025-05-01T08:00:00Z
[[bucket]]
name = "vault"
[bucket.settings]
versioning.Status = "Enabled"
object-lock.ObjectLockEnabled = "Enabled"
object-lock.Rule.DefaultRetention = { Mode = "GOVERNANCE", Days = 10 }
ownershipControls.Rules = [{ ObjectOwnership = "ObjectWriter" }]
publicAccessBlock = {}
[[bucket.settings.encryption.Rules]]
ApplyServerSideEncryptionByDefault = { SSEAlgorithm = "aws:kms", KMSMasterKeyID = "alias/vault" }
[[bucket.object]]
key = "a"
text = "x"
tags = { "cost centre" = "a+b=ü", team = "finance" }
storage_class = "GLACIER"
legal_hold = true
[[bucket.object]]
key = "b"
text = "x"
encryption = "AES256"
acl = "public-read"
retention = { mode = "COMPLIANCE", until = 2030-01-01T00:00:00Z }
"#,
        r#"
        get_object_tagging {"Bucket":"vault","Key":"a"}
        head_object {"Bucket":"vault","Key":"a"}
        head_object {"Bucket":"vault","Key":"b"}
        get_object_acl {"Bucket":"vault","Key":"b"}
        "#,
        expect![[r#"
            {VersionId: "032pKJqVHie39gChw6fgEBHmQnW9VyOQ", TagSet: [{Key: "cost centre", Value: "a+b=ü"}, {Key: "team", Value: "finance"}]}
            {AcceptRanges: "bytes", LastModified: 2025-05-01T08:00:00Z, ContentLength: 1, ETag: '"9dd4e461268c8034f5c8564e155c67a6"', VersionId: "032pKJqVHie39gChw6fgEBHmQnW9VyOQ", ContentType: "binary/octet-stream", ServerSideEncryption: "aws:kms", SSEKMSKeyId: "alias/vault", Metadata: {}, StorageClass: "GLACIER", TagCount: 2, ObjectLockMode: "GOVERNANCE", ObjectLockRetainUntilDate: 2025-05-11T08:00:00Z, ObjectLockLegalHoldStatus: "ON"}
            {AcceptRanges: "bytes", LastModified: 2025-05-01T08:00:00Z, ContentLength: 1, ETag: '"9dd4e461268c8034f5c8564e155c67a6"', VersionId: "Su6jzMFzaD-2GzGm0tywUYJlvFx-DstT", ContentType: "binary/octet-stream", ServerSideEncryption: "AES256", Metadata: {}, ObjectLockMode: "COMPLIANCE", ObjectLockRetainUntilDate: 2030-01-01T00:00:00Z}
            {Owner: {ID: "d1a10902a9100000000000000000000000000000000000000000000000000001"}, Grants: [{Grantee: {ID: "d1a10902a9100000000000000000000000000000000000000000000000000001", Type: "CanonicalUser"}, Permission: "FULL_CONTROL"}, {Grantee: {Type: "Group", URI: "http://acs.amazonaws.com/groups/global/AllUsers"}, Permission: "READ"}]}
        "#]],
    );
}

const SETTINGS: &str = r#"
[[bucket]]
name = "site"
[bucket.settings]
acl = "private"
versioning = { Status = "Enabled" }
publicAccessBlock = { BlockPublicPolicy = true, RestrictPublicBuckets = true }
policy = '{"Statement": [{"Effect": "Allow", "Principal": "*", "Action": "s3:GetObject", "Resource": "arn:aws:s3:::site/*"}]}'
website.IndexDocument.Suffix = "index.html"
logging.LoggingEnabled = { TargetBucket = "logs", TargetPrefix = "site/" }
tagging.TagSet = [{ Key = "team", Value = "web" }]
[[bucket.settings.lifecycle.Rules]]
ID = "old"
Status = "Enabled"
Filter = { Prefix = "tmp/" }
Expiration = { Date = 2030-01-01T00:00:00Z }
[bucket.settings.replication]
Role = "arn:aws:iam::111122223333:role/copy"
[[bucket.settings.replication.Rules]]
ID = "copy"
Status = "Enabled"
Destination = { Bucket = "arn:aws:s3:::logs" }
[[bucket.settings.inventory]]
Id = "weekly"
IsEnabled = true
IncludedObjectVersions = "Current"
Schedule = { Frequency = "Weekly" }
Destination.S3BucketDestination = { Bucket = "arn:aws:s3:::logs", Format = "CSV" }
[[bucket]]
name = "logs"
settings.versioning.Status = "Enabled"
"#;

#[test]
fn a_bucket_has_settings() {
    check(
        SETTINGS,
        r#"
        get_bucket_policy_status {"Bucket":"site"}
        get_public_access_block {"Bucket":"site"}
        get_bucket_website {"Bucket":"site"}
        get_bucket_logging {"Bucket":"site"}
        get_bucket_tagging {"Bucket":"site"}
        get_bucket_lifecycle_configuration {"Bucket":"site"}
        get_bucket_replication {"Bucket":"site"}
        get_bucket_inventory_configuration {"Bucket":"site","Id":"weekly"}
        get_bucket_lifecycle_configuration {"Bucket":"logs"}
        "#,
        expect![[r#"
            {PolicyStatus: {IsPublic: True}}
            {PublicAccessBlockConfiguration: {BlockPublicAcls: False, IgnorePublicAcls: False, BlockPublicPolicy: True, RestrictPublicBuckets: True}}
            {IndexDocument: {Suffix: "index.html"}}
            {LoggingEnabled: {TargetBucket: "logs", TargetPrefix: "site/"}}
            {TagSet: [{Key: "team", Value: "web"}]}
            {TransitionDefaultMinimumObjectSize: "all_storage_classes_128K", Rules: [{Expiration: {Date: 2030-01-01T00:00:00Z}, ID: "old", Filter: {Prefix: "tmp/"}, Status: "Enabled"}]}
            {ReplicationConfiguration: {Role: "arn:aws:iam::111122223333:role/copy", Rules: [{ID: "copy", Status: "Enabled", Destination: {Bucket: "arn:aws:s3:::logs"}}]}}
            {InventoryConfiguration: {Destination: {S3BucketDestination: {Bucket: "arn:aws:s3:::logs", Format: "CSV"}}, IsEnabled: True, Id: "weekly", IncludedObjectVersions: "Current", Schedule: {Frequency: "Weekly"}}}
            ! 404 NoSuchLifecycleConfiguration: The lifecycle configuration does not exist {BucketName: "logs"}
        "#]],
    );
}

#[test]
fn an_upload_was_never_completed() {
    check(
        r#"
[[bucket]]
name = "films"
created = 2025-01-01T00:00:00Z
[[bucket.upload]]
key = "reel.mov"
started = 2025-02-03T04:05:06Z
parts = [60, 20]
"#,
        r#"
        list_multipart_uploads {"Bucket":"films"}
        "#,
        expect![[r#"
            {Bucket: "films", KeyMarker: "", UploadIdMarker: "", NextKeyMarker: "reel.mov", NextUploadIdMarker: "wcf6qVZrK3r3Q9qjvR9TJBIk8JyaFbYCtEJlkbssQW_RlQFuqcHwKk43P9H7rbXi", MaxUploads: 1000, IsTruncated: False, Uploads: [{UploadId: "wcf6qVZrK3r3Q9qjvR9TJBIk8JyaFbYCtEJlkbssQW_RlQFuqcHwKk43P9H7rbXi", Key: "reel.mov", Initiated: 2025-02-03T04:05:06Z, StorageClass: "STANDARD", Owner: {ID: "d1a10902a9100000000000000000000000000000000000000000000000000001"}, Initiator: {ID: "d1a10902a9100000000000000000000000000000000000000000000000000001"}}]}
        "#]],
    );
}

/// What is wrong with the settings of a bucket, whose text begins on line 3.
fn wrong_settings(text: &str, expected: Expect) {
    let description = format!("[[bucket]]\nname = \"abc\"\n{text}");
    wrong(&description, expected);
}

#[test]
fn settings_that_are_wrong() {
    wrong_settings(
        "settings = 1",
        expect![[r#"w.toml: line 3, column 12: bucket "abc": settings: expected a table"#]],
    );
    wrong_settings(
        "settings.colour = \"red\"",
        expect![[
            r#"w.toml: line 3, column 10: bucket "abc": settings.colour: unknown setting, expected one of `accelerate`, `acl`, `analytics`, `cors`, `encryption`, `intelligent_tiering`, `inventory`, `lifecycle`, `logging`, `metrics`, `notification`, `object-lock`, `ownershipControls`, `policy`, `publicAccessBlock`, `replication`, `requestPayment`, `tagging`, `versioning`, `website`"#
        ]],
    );
    wrong_settings(
        "settings.versioning = \"on\"",
        expect![[
            r#"w.toml: line 3, column 23: bucket "abc": settings.versioning: expected a table"#
        ]],
    );
    wrong_settings(
        "settings.versioning.Status = \"On\"",
        expect![[
            r#"w.toml: line 3, column 30: bucket "abc": settings.versioning: unknown value `On`, expected one of `Enabled`, `Suspended`"#
        ]],
    );
    wrong_settings(
        "settings.versioning.State = \"Enabled\"",
        expect![[
            r#"w.toml: line 3, column 21: bucket "abc": settings.versioning: unknown field `State`, expected one of `MFADelete`, `Status`"#
        ]],
    );
    wrong_settings(
        "settings.cors.CORSRules = [{ AllowedMethods = [\"GET\"] }]",
        expect![[
            r#"w.toml: line 3, column 28: bucket "abc": settings.cors: missing field `AllowedOrigins`"#
        ]],
    );
    wrong_settings(
        "settings.tagging.TagSet = 3",
        expect![[r#"w.toml: line 3, column 27: bucket "abc": settings.tagging: expected a list"#]],
    );
    wrong_settings(
        "settings.inventory.Id = \"weekly\"",
        expect![[
            r#"w.toml: line 3, column 10: bucket "abc": settings.inventory: expected a list"#
        ]],
    );
    wrong_settings(
        "[[bucket.settings.lifecycle.Rules]]\nStatus = \"Enabled\"\nExpiration.Days = \"30\"",
        expect![[
            r#"w.toml: line 5, column 19: bucket "abc": settings.lifecycle: expected an integer"#
        ]],
    );
    wrong_settings(
        "[[bucket.settings.lifecycle.Rules]]\nStatus = \"Enabled\"\nExpiration.Date = 2025-01-01",
        expect![[
            r#"w.toml: line 5, column 19: bucket "abc": settings.lifecycle: 2025-01-01 is not a time with an offset, as 2024-05-01T09:00:00Z"#
        ]],
    );
    wrong_settings(
        "[[bucket.settings.lifecycle.Rules]]\nStatus = \"Enabled\"\nExpiration.Days = 99999999999999999999",
        expect![[
            r#"w.toml: line 5, column 19: bucket "abc": settings.lifecycle: 99999999999999999999 has more than 64 bits"#
        ]],
    );
}

#[test]
fn settings_that_s3_refuses() {
    wrong_settings(
        "[[bucket.settings.lifecycle.Rules]]\nStatus = \"Enabled\"\nFilter = {}\nExpiration.Days = 0",
        expect![[
            r#"w.toml: line 3, column 19: bucket "abc": settings.lifecycle: 'Days' for Expiration action must be a positive integer (InvalidArgument)"#
        ]],
    );
    wrong_settings(
        "settings.object-lock.ObjectLockEnabled = \"Enabled\"",
        expect![[
            r#"w.toml: line 3, column 10: bucket "abc": settings.object-lock: Versioning must be 'Enabled' on the bucket to apply a Object Lock configuration (InvalidBucketState)"#
        ]],
    );
    wrong_settings(
        "settings.acl = \"public-read\"",
        expect![[
            r#"w.toml: line 3, column 16: bucket "abc": settings.acl: The bucket does not allow ACLs (AccessControlListNotSupported)"#
        ]],
    );
    wrong_settings(
        "settings.logging.LoggingEnabled = { TargetBucket = \"logs\", TargetPrefix = \"\" }",
        expect![[
            r#"w.toml: line 3, column 10: bucket "abc": settings.logging: The target bucket for logging does not exist (InvalidTargetBucketForLogging)"#
        ]],
    );
    let public = r#"settings.policy = '{"Statement": [{"Effect": "Allow", "Principal": "*", "Action": "s3:GetObject", "Resource": "arn:aws:s3:::abc/*"}]}'"#;
    wrong_settings(
        public,
        expect![[
            r#"w.toml: line 3, column 19: bucket "abc": settings.policy: Access Denied (AccessDenied)"#
        ]],
    );
}

/// What is wrong with the objects of a bucket, whose text begins on line 4.
fn wrong_objects(is_versioned: bool, text: &str, expected: Expect) {
    let settings = match is_versioned {
        true => "settings.versioning.Status = \"Enabled\"",
        false => "",
    };
    let description = format!("[[bucket]]\nname = \"abc\"\n{settings}\n{text}");
    wrong(&description, expected);
}

#[test]
fn copies_of_an_object() {
    let of = |key: &str, copies: u32| {
        let object = format!("[[bucket.object]]\nkey = \"{key}\"\nsize = 3\ncopies = {copies}\n");
        format!("[[bucket]]\nname = \"abc\"\n{object}")
    };
    let store = world::store_from(&of("raw/{n}.jpg", 1205), Path::new("w.toml")).unwrap();
    let bucket = store.state.bucket("abc").unwrap();
    let keys: Vec<&str> = bucket.objects.keys().map(|key| &**key).collect();
    assert_eq!(keys.len(), 1205);
    assert_eq!([keys[0], keys[1204]], ["raw/0001.jpg", "raw/1205.jpg"]);
    wrong(
        &of("raw.jpg", 3),
        expect![[
            r#"w.toml: line 4, column 7: bucket "abc": copies = 3: up to 100000 are possible, and the key needs {n} for the number of each"#
        ]],
    );
    wrong(
        &of("{n}", 0),
        expect![[
            r#"w.toml: line 4, column 7: bucket "abc": copies = 0: up to 100000 are possible, and the key needs {n} for the number of each"#
        ]],
    );
}

#[test]
fn objects_that_are_wrong() {
    const ONE: &str = "[[bucket.object]]\nkey = \"k\"\nsize = 1\n";
    let second = |rest: &str| format!("{ONE}{ONE}{rest}");
    let again = |rest: &str| format!("{ONE}[[bucket.object]]\nkey = \"k\"\n{rest}");
    wrong_objects(
        false,
        &second(""),
        expect![[
            r#"w.toml: line 8, column 7: bucket "abc": key "k": another object has this key, and the bucket keeps no versions"#
        ]],
    );
    wrong_objects(
        false,
        &again("deleted = true"),
        expect![[
            r#"w.toml: line 8, column 7: bucket "abc": key "k": another object has this key, and the bucket keeps no versions"#
        ]],
    );
    wrong_objects(
        false,
        &format!("{ONE}versioned = false"),
        expect![[
            r#"w.toml: line 5, column 7: bucket "abc": key "k": versioned = false, but the bucket keeps no versions anyway"#
        ]],
    );
    wrong_objects(
        false,
        "[[bucket.object]]\nkey = \"k\"\ndeleted = true",
        expect![[
            r#"w.toml: line 5, column 7: bucket "abc": key "k": deleted = true, but the bucket keeps no versions"#
        ]],
    );
    wrong_objects(
        true,
        &second("modified = 1999-01-01T00:00:00Z"),
        expect![[
            r#"w.toml: line 8, column 7: bucket "abc": key "k": modified 1999-01-01T00:00:00Z is before the version above, and the oldest comes first"#
        ]],
    );
    wrong_objects(
        true,
        &again("deleted = true\ntext = \"x\""),
        expect![[
            r#"w.toml: line 8, column 7: bucket "abc": key "k": a delete marker has nothing but key, modified and versioned"#
        ]],
    );
    wrong_objects(
        true,
        &format!("{ONE}versioned = false\n{ONE}versioned = false"),
        expect![[
            r#"w.toml: line 9, column 7: bucket "abc": key "k": another version has versioned = false"#
        ]],
    );
    wrong_objects(
        false,
        &format!("{ONE}storage_class = \"COLD\""),
        expect![[
            r#"w.toml: line 5, column 7: bucket "abc": key "k": The storage class you specified is not valid (InvalidStorageClass)"#
        ]],
    );
    wrong_objects(
        false,
        &format!("{ONE}tags = {{ \"aws:x\" = \"1\" }}"),
        expect![[
            r#"w.toml: line 5, column 7: bucket "abc": key "k": Your TagKey cannot be prefixed with aws: (InvalidTag)"#
        ]],
    );
    wrong_objects(
        false,
        &format!("{ONE}legal_hold = true"),
        expect![[
            r#"w.toml: line 5, column 7: bucket "abc": key "k": Bucket is missing Object Lock Configuration (InvalidRequest)"#
        ]],
    );
    wrong_objects(
        false,
        &format!("{ONE}acl = \"public-read\""),
        expect![[
            r#"w.toml: line 5, column 7: bucket "abc": key "k": The bucket does not allow ACLs (AccessControlListNotSupported)"#
        ]],
    );
    wrong_objects(
        false,
        "[[bucket.upload]]\nkey = \"\"",
        expect![[
            r#"w.toml: line 5, column 7: bucket "abc": upload of "": Parameter Key must be at least one character long"#
        ]],
    );
    wrong_objects(
        false,
        "[[bucket.upload]]\nkey = \"k\"\nparts = [99999999999]",
        expect![[
            r#"w.toml: line 5, column 7: bucket "abc": upload of "k": size = 99999999999 is more than 67108864 bytes"#
        ]],
    );
}

#[test]
fn the_description_in_the_guide_is_right() {
    let guide = include_str!("../../../../src/documentation/own_dataset.md");
    let (_, rest) = guide
        .split_once("\n```toml\n[[bucket]]")
        .expect("an example");
    let (example, _) = rest.split_once("\n```\n").expect("its end");
    // Ids of versions depend on when their bucket was created.
    let example = format!("clock = 2025-03-03T09:00:00Z\n[[bucket]]{example}");
    check(
        &example,
        r#"
        get_bucket_policy_status {"Bucket":"molar-letters"}
        get_object {"Bucket":"molar-letters","Key":"prices.txt"}
        "#,
        expect![[r#"
            {PolicyStatus: {IsPublic: False}}
            {AcceptRanges: "bytes", LastModified: 2025-03-03T09:00:00Z, ContentLength: 13, ETag: '"7feda8d4665e21d81a41e084d05507b9"', ChecksumCRC32: "GSzXVg==", ChecksumType: "FULL_OBJECT", VersionId: "_m4aU0gnY4vPCtZHvD3s2i50y5u1uM5h", ContentType: "text/plain", ServerSideEncryption: "AES256", Metadata: {}, Body: b"Check-up: 45\n"}
        "#]],
    );
}
