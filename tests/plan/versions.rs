//! Plans in buckets that keep versions, and of buckets with settings: what comes back.

use crate::plan::lab::{block_on, planning};
use crate::plan::settings::check;
use crate::policy::call;
use dialog2api::domain::s3::S3;
use dialog2api::domain::s3::world::memory;
use dialog2api::domain::{Image, World};
use dialog2api::plan::{Apply, Draft, Keeping, Unrecorded};
use expect_test::expect;
use std::sync::Arc;

const VERSIONED: &str = r#"
    create_bucket {"Bucket": "reports"}
    put_bucket_versioning {"Bucket": "reports", "VersioningConfiguration": {"Status": "Enabled"}}
    put_object {"Bucket": "reports", "Key": "a", "Body": "one", "Tagging": "team=red", "StorageClass": "STANDARD_IA"}
    put_object {"Bucket": "reports", "Key": "b", "Body": "two"}
"#;

#[test]
fn the_earlier_version_becomes_the_latest_again() {
    check(
        VERSIONED,
        r#"
        put_object {"Bucket": "reports", "Key": "a", "Body": "other"}
        delete_object {"Bucket": "reports", "Key": "b"}
        put_object {"Bucket": "reports", "Key": "c", "Body": "new"}
        "#,
        r#"
        get_object_tagging {"Bucket": "reports", "Key": "a"}
        get_object_attributes {"Bucket": "reports", "Key": "a", "ObjectAttributes": ["ETag", "StorageClass"]}
        get_object_attributes {"Bucket": "reports", "Key": "b", "ObjectAttributes": ["ETag"]}
        head_object {"Bucket": "reports", "Key": "c"}
        "#,
        expect![[r#"
            Overwrite reports/a: 3 B → 5 B
            Delete reports/b: 3 B → none
            Create reports/c: none → 3 B
            before
              {VersionId: "JWGJEjs9PmnG2B0R430TZ0B1XX_5aGXT", TagSet: [{Key: "team", Value: "red"}]}
              {LastModified: 2024-05-01T09:00:01Z, VersionId: "JWGJEjs9PmnG2B0R430TZ0B1XX_5aGXT", ETag: "f97c5d29941bfb1b2fdab0874906ab82", StorageClass: "STANDARD_IA"}
              {LastModified: 2024-05-01T09:00:02Z, VersionId: "XGEMTRLZWz_OeQvGzgl-L0yLVyQYNwmk", ETag: "b8a9f715dbb64fd5c56e7783c6820a61"}
              ! 404
            after
              {VersionId: "YIiW6hUiZqYVEMCAKSKkkU_QGafcSL2J", TagSet: []}
              {LastModified: 2024-05-01T09:00:03Z, VersionId: "YIiW6hUiZqYVEMCAKSKkkU_QGafcSL2J", ETag: "795f3202b17cb6bc3d4b771d8c6c9eaf", StorageClass: "STANDARD"}
              ! NoSuchKey
              {AcceptRanges: "bytes", LastModified: 2024-05-01T09:00:05Z, ContentLength: 3, ETag: "\"22af645d1859cb5ca6da0c484f1f37ea\"", VersionId: "Fr6HVf3mUzXGNSXH1l3NZgPFP_Rz3ikZ", ContentType: "binary/octet-stream", ServerSideEncryption: "AES256", Metadata: {}}
            taken back
              {VersionId: "JWGJEjs9PmnG2B0R430TZ0B1XX_5aGXT", TagSet: [{Key: "team", Value: "red"}]}
              {LastModified: 2024-05-01T09:00:01Z, VersionId: "JWGJEjs9PmnG2B0R430TZ0B1XX_5aGXT", ETag: "f97c5d29941bfb1b2fdab0874906ab82", StorageClass: "STANDARD_IA"}
              {LastModified: 2024-05-01T09:00:02Z, VersionId: "XGEMTRLZWz_OeQvGzgl-L0yLVyQYNwmk", ETag: "b8a9f715dbb64fd5c56e7783c6820a61"}
              ! 404
        "#]],
    );
}

#[test]
fn a_deleted_version_comes_back_as_a_new_one() {
    let version = {
        let world: Arc<dyn World> = Arc::new(memory("empty").unwrap());
        let mut last = String::new();
        for line in VERSIONED
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty())
        {
            let (operation, params) = call(line);
            let answer = block_on(world.call(operation, &params)).unwrap().unwrap();
            if let Some(version) = answer.get("VersionId").and_then(|id| id.as_str()) {
                last = version.to_owned();
            }
        }
        last
    };
    let delete = format!(
        r#"
        put_object {{"Bucket": "reports", "Key": "b", "Body": "other"}}
        delete_object {{"Bucket": "reports", "Key": "b", "VersionId": "{version}"}}
        "#
    );
    check(
        VERSIONED,
        &delete,
        r#"get_object {"Bucket": "reports", "Key": "b"}"#,
        expect![[r#"
            Overwrite reports/b: 3 B → 5 B
            Delete reports/b (version XGEMTRLZWz_OeQvGzgl-L0yLVyQYNwmk): a version → none
            before
              {AcceptRanges: "bytes", LastModified: 2024-05-01T09:00:02Z, ContentLength: 3, ETag: "\"b8a9f715dbb64fd5c56e7783c6820a61\"", ChecksumCRC32: "EcqKZg==", ChecksumType: "FULL_OBJECT", VersionId: "XGEMTRLZWz_OeQvGzgl-L0yLVyQYNwmk", ContentType: "binary/octet-stream", ServerSideEncryption: "AES256", Metadata: {}, Body: b"two"}
            after
              {AcceptRanges: "bytes", LastModified: 2024-05-01T09:00:03Z, ContentLength: 5, ETag: "\"795f3202b17cb6bc3d4b771d8c6c9eaf\"", ChecksumCRC32: "2Vg1IA==", ChecksumType: "FULL_OBJECT", VersionId: "EwHM6quTL3jcWtClFlQYmz6yJmgNHVg_", ContentType: "binary/octet-stream", ServerSideEncryption: "AES256", Metadata: {}, Body: b"other"}
            reports/b (version XGEMTRLZWz_OeQvGzgl-L0yLVyQYNwmk) cannot be brought back, because a deleted version is gone
            taken back
              {AcceptRanges: "bytes", LastModified: 2024-05-01T09:00:04Z, ContentLength: 3, ETag: "\"b8a9f715dbb64fd5c56e7783c6820a61\"", ChecksumCRC32: "EcqKZg==", ChecksumType: "FULL_OBJECT", VersionId: "lJOKzTgOtkDuCgnDguKxc-ipoOfF9fJz", ContentType: "binary/octet-stream", ServerSideEncryption: "AES256", Metadata: {}, Body: b"two"}
        "#]],
    );
}

#[test]
fn a_deleted_bucket_comes_back_with_its_settings() {
    check(
        r#"
        create_bucket {"Bucket": "reports", "ObjectLockEnabledForBucket": true, "ObjectOwnership": "ObjectWriter", "CreateBucketConfiguration": {"LocationConstraint": "eu-west-1", "Tags": [{"Key": "team", "Value": "red"}]}}
        put_object_lock_configuration {"Bucket": "reports", "ObjectLockConfiguration": {"ObjectLockEnabled": "Enabled", "Rule": {"DefaultRetention": {"Mode": "GOVERNANCE", "Days": 3}}}}
        put_bucket_lifecycle_configuration {"Bucket": "reports", "LifecycleConfiguration": {"Rules": [{"ID": "x", "Status": "Enabled", "Filter": {"Prefix": ""}, "Expiration": {"Days": 30}}]}}
        delete_public_access_block {"Bucket": "reports"}
        put_bucket_acl {"Bucket": "reports", "ACL": "public-read"}
        put_bucket_inventory_configuration {"Bucket": "reports", "Id": "i", "InventoryConfiguration": {"Id": "i", "IsEnabled": true, "IncludedObjectVersions": "All", "Schedule": {"Frequency": "Daily"}, "Destination": {"S3BucketDestination": {"Bucket": "arn:aws:s3:::reports", "Format": "CSV"}}}}
        "#,
        r#"delete_bucket {"Bucket": "reports"}"#,
        r#"
        get_bucket_location {"Bucket": "reports"}
        get_bucket_versioning {"Bucket": "reports"}
        get_object_lock_configuration {"Bucket": "reports"}
        get_bucket_ownership_controls {"Bucket": "reports"}
        get_bucket_tagging {"Bucket": "reports"}
        get_bucket_lifecycle_configuration {"Bucket": "reports"}
        get_public_access_block {"Bucket": "reports"}
        get_bucket_acl {"Bucket": "reports"}
        get_bucket_encryption {"Bucket": "reports"}
        get_bucket_inventory_configuration {"Bucket": "reports", "Id": "i"}
        "#,
        expect![[r#"
            Delete reports/: 0 B → none
            before
              {LocationConstraint: "eu-west-1"}
              {Status: "Enabled"}
              {ObjectLockConfiguration: {ObjectLockEnabled: "Enabled", Rule: {DefaultRetention: {Mode: "GOVERNANCE", Days: 3}}}}
              {OwnershipControls: {Rules: [{ObjectOwnership: "ObjectWriter"}]}}
              {TagSet: [{Key: "team", Value: "red"}]}
              {TransitionDefaultMinimumObjectSize: "all_storage_classes_128K", Rules: [{Expiration: {Days: 30}, ID: "x", Filter: {Prefix: ""}, Status: "Enabled"}]}
              ! NoSuchPublicAccessBlockConfiguration
              {Owner: {ID: "d1a10902a9100000000000000000000000000000000000000000000000000001"}, Grants: [{Grantee: {ID: "d1a10902a9100000000000000000000000000000000000000000000000000001", Type: "CanonicalUser"}, Permission: "FULL_CONTROL"}, {Grantee: {Type: "Group", URI: "http://acs.amazonaws.com/groups/global/AllUsers"}, Permission: "READ"}]}
              {ServerSideEncryptionConfiguration: {Rules: [{ApplyServerSideEncryptionByDefault: {SSEAlgorithm: "AES256"}, BucketKeyEnabled: false}]}}
              {InventoryConfiguration: {Destination: {S3BucketDestination: {Bucket: "arn:aws:s3:::reports", Format: "CSV"}}, IsEnabled: true, Id: "i", IncludedObjectVersions: "All", Schedule: {Frequency: "Daily"}}}
            after
              ! NoSuchBucket
              ! NoSuchBucket
              ! NoSuchBucket
              ! NoSuchBucket
              ! NoSuchBucket
              ! NoSuchBucket
              ! NoSuchBucket
              ! NoSuchBucket
              ! NoSuchBucket
              ! NoSuchBucket
            taken back
              {LocationConstraint: "eu-west-1"}
              {Status: "Enabled"}
              {ObjectLockConfiguration: {ObjectLockEnabled: "Enabled", Rule: {DefaultRetention: {Mode: "GOVERNANCE", Days: 3}}}}
              {OwnershipControls: {Rules: [{ObjectOwnership: "ObjectWriter"}]}}
              {TagSet: [{Key: "team", Value: "red"}]}
              {TransitionDefaultMinimumObjectSize: "all_storage_classes_128K", Rules: [{Expiration: {Days: 30}, ID: "x", Filter: {Prefix: ""}, Status: "Enabled"}]}
              ! NoSuchPublicAccessBlockConfiguration
              {Owner: {ID: "d1a10902a9100000000000000000000000000000000000000000000000000001"}, Grants: [{Grantee: {ID: "d1a10902a9100000000000000000000000000000000000000000000000000001", Type: "CanonicalUser"}, Permission: "FULL_CONTROL"}, {Grantee: {Type: "Group", URI: "http://acs.amazonaws.com/groups/global/AllUsers"}, Permission: "READ"}]}
              {ServerSideEncryptionConfiguration: {Rules: [{ApplyServerSideEncryptionByDefault: {SSEAlgorithm: "AES256"}, BucketKeyEnabled: false}]}}
              {InventoryConfiguration: {Destination: {S3BucketDestination: {Bucket: "arn:aws:s3:::reports", Format: "CSV"}}, IsEnabled: true, Id: "i", IncludedObjectVersions: "All", Schedule: {Frequency: "Daily"}}}
        "#]],
    );
}

#[test]
fn a_new_bucket_goes_with_the_versions_in_it() {
    check(
        "",
        r#"
        create_bucket {"Bucket": "reports"}
        put_bucket_versioning {"Bucket": "reports", "VersioningConfiguration": {"Status": "Enabled"}}
        put_object {"Bucket": "reports", "Key": "a", "Body": "one"}
        put_object {"Bucket": "reports", "Key": "a", "Body": "second"}
        put_object {"Bucket": "reports", "Key": "b", "Body": "third"}
        "#,
        r#"
        head_bucket {"Bucket": "reports"}
        head_object {"Bucket": "reports", "Key": "a"}
        "#,
        expect![[r#"
            Create reports/: none → 0 B
            Overwrite reports/ (versioning): never set → Enabled
            Create reports/a: none → 6 B
            Create reports/b: none → 5 B
            before
              ! 404
              ! 404
            after
              {BucketRegion: "us-east-1", AccessPointAlias: false}
              {AcceptRanges: "bytes", LastModified: 2024-05-01T09:00:02Z, ContentLength: 6, ETag: "\"a9f0e61a137d86aa9db53465e0801612\"", VersionId: "4ptXzn_jrNDBzyOOQKWjiLRY_ejQR_zJ", ContentType: "binary/octet-stream", ServerSideEncryption: "AES256", Metadata: {}}
            taken back
              ! 404
              ! 404
        "#]],
    );
}

#[test]
fn what_was_said_about_an_object_comes_back_with_its_content() {
    check(
        r#"
        create_bucket {"Bucket": "reports"}
        put_object {"Bucket": "reports", "Key": "a", "Body": "one", "Tagging": "a%20b=%2Bx%2F%C3%A9&c=", "StorageClass": "STANDARD_IA"}
        "#,
        r#"delete_object {"Bucket": "reports", "Key": "a"}"#,
        r#"
        get_object_tagging {"Bucket": "reports", "Key": "a"}
        get_object_attributes {"Bucket": "reports", "Key": "a", "ObjectAttributes": ["ETag", "StorageClass"]}
        "#,
        expect![[r#"
            Delete reports/a: 3 B → none
            before
              {TagSet: [{Key: "a b", Value: "+x/é"}, {Key: "c", Value: ""}]}
              {LastModified: 2024-05-01T09:00:01Z, ETag: "f97c5d29941bfb1b2fdab0874906ab82", StorageClass: "STANDARD_IA"}
            after
              ! NoSuchKey
              ! NoSuchKey
            taken back
              {TagSet: [{Key: "a b", Value: "+x/é"}, {Key: "c", Value: ""}]}
              {LastModified: 2024-05-01T09:00:02Z, ETag: "f97c5d29941bfb1b2fdab0874906ab82", StorageClass: "STANDARD_IA"}
        "#]],
    );
}

/// What is kept of the object `a` when a call overwrites it and no content is kept.
fn image(setup: &str, write: &str) -> String {
    let world: Arc<dyn World> = Arc::new(memory("empty").unwrap());
    let send = |world: &dyn World, line: &str| {
        let (operation, params) = call(line);
        block_on(world.call(operation, &params)).unwrap().unwrap();
    };
    for line in setup.lines().map(str::trim).filter(|line| !line.is_empty()) {
        send(&*world, line);
    }
    let draft = Draft::of(&world, &S3).unwrap();
    send(&*draft, write);
    let writes = draft.writes();
    let mut apply = Apply::new(planning(), &*world, &writes);
    apply.keeping = Keeping {
        most_bytes: 0,
        most_bytes_in_all: 0,
    };
    let done = block_on(apply.run(&mut Unrecorded, &mut |_| ()));
    match &done.steps[0].images[0].1 {
        Image::Call { operation, params } => {
            let source = params.get("CopySource").and_then(|it| it.get("VersionId"));
            format!("{operation} {source:?}")
        }
        other => format!("{other:?}"),
    }
}

#[test]
fn the_version_null_is_kept_only_where_versioning_is_on() {
    let setup = |status: &str| {
        format!(
            r#"
            create_bucket {{"Bucket": "reports"}}
            put_object {{"Bucket": "reports", "Key": "a", "Body": "one"}}
            put_bucket_versioning {{"Bucket": "reports", "VersioningConfiguration": {{"Status": "{status}"}}}}
            "#
        )
    };
    let put = r#"put_object {"Bucket": "reports", "Key": "a", "Body": "second"}"#;
    expect![[r#"copy_object Some(Str("null"))"#]].assert_eq(&image(&setup("Enabled"), put));
    expect![[r#"Lost("it has 3 bytes, and up to 0 are kept")"#]]
        .assert_eq(&image(&setup("Suspended"), put));
    let archived = r#"
        create_bucket {"Bucket": "reports"}
        put_bucket_versioning {"Bucket": "reports", "VersioningConfiguration": {"Status": "Enabled"}}
        put_object {"Bucket": "reports", "Key": "a", "Body": "one", "StorageClass": "GLACIER"}
    "#;
    expect![[r#"Lost("an archived object cannot be copied; its version JWGJEjs9PmnG2B0R430TZ0B1XX_5aGXT stays")"#]].assert_eq(&image(archived, put));
}
