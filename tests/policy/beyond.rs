//! What calls do beyond the place that they name: below it, later, and in names that a server may
//! read in another way.

use super::check;
use expect_test::expect;

#[test]
fn a_protected_path_protects_what_is_below() {
    check(
        "protected_paths = [\"zoo/keep\", \"audit-*\"]",
        r#"
            delete_object {"Bucket": "zoo", "Key": "keep/one.txt"}
            put_object {"Bucket": "zoo", "Key": "keep/deep/er"}
            put_object {"Bucket": "zoo", "Key": "keep/"}
            put_object {"Bucket": "zoo", "Key": "keep"}
            put_object {"Bucket": "zoo", "Key": "keeper"}
            delete_object {"Bucket": "zoo", "Key": "/keep/one.txt"}
            delete_object {"Bucket": "zoo", "Key": "keep//one.txt"}
            delete_objects {"Bucket": "zoo", "Delete": {"Objects": [{"Key": "a"}, {"Key": "keep/b"}]}}
            put_object_tagging {"Bucket": "zoo", "Key": "keep/one.txt"}
            get_object {"Bucket": "zoo", "Key": "keep/one.txt"}
            put_object {"Bucket": "audit-1", "Key": "a/b"}
            delete_bucket {"Bucket": "./audit-1"}
            put_bucket_tagging {"Bucket": "zoo/../audit-1"}
        "#,
        expect![[r#"
            delete_object {"Bucket": "zoo", "Key": "keep/one.txt"}
                protected_paths has "zoo/keep", which denies delete_object on zoo/keep/one.txt.
            put_object {"Bucket": "zoo", "Key": "keep/deep/er"}
                protected_paths has "zoo/keep", which denies put_object on zoo/keep/deep/er.
            put_object {"Bucket": "zoo", "Key": "keep/"}
                protected_paths has "zoo/keep", which denies put_object on zoo/keep/.
            put_object {"Bucket": "zoo", "Key": "keep"}
                protected_paths has "zoo/keep", which denies put_object on zoo/keep.
            put_object {"Bucket": "zoo", "Key": "keeper"}
                allowed
            delete_object {"Bucket": "zoo", "Key": "/keep/one.txt"}
                protected_paths has "zoo/keep", which denies delete_object on zoo//keep/one.txt.
            delete_object {"Bucket": "zoo", "Key": "keep//one.txt"}
                protected_paths has "zoo/keep", which denies delete_object on zoo/keep//one.txt.
            delete_objects {"Bucket": "zoo", "Delete": {"Objects": [{"Key": "a"}, {"Key": "keep/b"}]}}
                protected_paths has "zoo/keep", which denies delete_objects on zoo/keep/b.
            put_object_tagging {"Bucket": "zoo", "Key": "keep/one.txt"}
                protected_paths has "zoo/keep", which denies put_object_tagging on zoo/keep/one.txt (tags).
            get_object {"Bucket": "zoo", "Key": "keep/one.txt"}
                allowed
            put_object {"Bucket": "audit-1", "Key": "a/b"}
                protected_paths has "audit-*", which denies put_object on audit-1/a/b.
            delete_bucket {"Bucket": "./audit-1"}
                protected_paths has "audit-*", which denies delete_bucket on ./audit-1/.
            put_bucket_tagging {"Bucket": "zoo/../audit-1"}
                protected_paths has "audit-*", which denies put_bucket_tagging on zoo/../audit-1/ (tags).
        "#]],
    );
}

/// People write a folder with its slash.
#[test]
fn a_protected_path_may_end_with_a_slash() {
    check(
        "protected_paths = [\"zoo/keep/\", \"lab/\"]",
        r#"
            delete_object {"Bucket": "zoo", "Key": "keep/one.txt"}
            put_object {"Bucket": "zoo", "Key": "keep/deep/er"}
            put_object {"Bucket": "zoo", "Key": "keep/"}
            put_object {"Bucket": "zoo", "Key": "keeper"}
            delete_object {"Bucket": "lab", "Key": "a"}
            delete_object {"Bucket": "lab-2", "Key": "a"}
        "#,
        expect![[r#"
            delete_object {"Bucket": "zoo", "Key": "keep/one.txt"}
                protected_paths has "zoo/keep/", which denies delete_object on zoo/keep/one.txt.
            put_object {"Bucket": "zoo", "Key": "keep/deep/er"}
                protected_paths has "zoo/keep/", which denies put_object on zoo/keep/deep/er.
            put_object {"Bucket": "zoo", "Key": "keep/"}
                protected_paths has "zoo/keep/", which denies put_object on zoo/keep/.
            put_object {"Bucket": "zoo", "Key": "keeper"}
                allowed
            delete_object {"Bucket": "lab", "Key": "a"}
                protected_paths has "lab/", which denies delete_object on lab/a.
            delete_object {"Bucket": "lab-2", "Key": "a"}
                allowed
        "#]],
    );
}

/// A setting makes S3 write or delete later: that is judged where it will happen.
#[test]
fn what_s3_does_later_is_judged_too() {
    let policy = r#"
        protected_buckets = ["audit"]
        protected_paths = ["zoo/keep"]
        [[rule]]
        name = "secret"
        effect = "deny"
        keys = ["secret/**"]
        [ceilings]
        objects_deleted = 0
    "#;
    check(
        policy,
        r#"
            put_bucket_lifecycle_configuration {"Bucket": "zoo", "LifecycleConfiguration": {"Rules": [{"Status": "Enabled", "Filter": {"Prefix": "secret/old/"}, "Expiration": {"Days": 1}}]}}
            put_bucket_lifecycle_configuration {"Bucket": "zoo", "LifecycleConfiguration": {"Rules": [{"Status": "Enabled", "Filter": {}, "Expiration": {"Days": 1}}]}}
            put_bucket_lifecycle_configuration {"Bucket": "zoo", "LifecycleConfiguration": {"Rules": [{"Status": "Enabled", "Prefix": "keep/a", "NoncurrentVersionExpiration": {"NoncurrentDays": 1}}]}}
            put_bucket_lifecycle_configuration {"Bucket": "zoo", "LifecycleConfiguration": {"Rules": [{"Status": "Enabled", "Filter": {"And": {"Prefix": "logs/"}}, "Expiration": {"Days": 1}}]}}
            put_bucket_lifecycle_configuration {"Bucket": "zoo", "LifecycleConfiguration": {"Rules": [{"Status": "Disabled", "Filter": {"Prefix": "secret/"}, "Expiration": {"Days": 1}}]}}
            put_bucket_logging {"Bucket": "zoo", "BucketLoggingStatus": {"LoggingEnabled": {"TargetBucket": "audit", "TargetPrefix": "a/"}}}
            put_bucket_logging {"Bucket": "zoo", "BucketLoggingStatus": {"LoggingEnabled": {"TargetBucket": "logs", "TargetPrefix": "secret/x"}}}
            put_bucket_logging {"Bucket": "zoo", "BucketLoggingStatus": {"LoggingEnabled": {"TargetBucket": "logs", "TargetPrefix": "zoo/"}}}
            put_bucket_replication {"Bucket": "zoo", "ReplicationConfiguration": {"Rules": [{"Status": "Enabled", "Filter": {"Prefix": "public/"}, "Destination": {"Bucket": "arn:aws:s3:::audit"}}]}}
            put_bucket_replication {"Bucket": "inner", "ReplicationConfiguration": {"Rules": [{"Status": "Enabled", "Filter": {"Prefix": ""}, "Destination": {"Bucket": "arn:aws:s3:::other"}}]}}
            put_bucket_inventory_configuration {"Bucket": "inner", "Id": "i", "InventoryConfiguration": {"Destination": {"S3BucketDestination": {"Bucket": "arn:aws:s3:::audit"}}}}
            put_bucket_analytics_configuration {"Bucket": "inner", "Id": "i", "AnalyticsConfiguration": {"StorageClassAnalysis": {"DataExport": {"Destination": {"S3BucketDestination": {"Bucket": "arn:aws:s3:::audit"}}}}}}
            restore_object {"Bucket": "inner", "Key": "k", "RestoreRequest": {"OutputLocation": {"S3": {"BucketName": "audit", "Prefix": "p"}}}}
            put_bucket_policy {"Bucket": "zoo", "Policy": "{\"Statement\":[{\"Effect\":\"Allow\",\"Principal\":\"*\",\"Action\":\"s3:GetObject\",\"Resource\":\"arn:aws:s3:::zoo/*\"}]}"}
            put_bucket_policy {"Bucket": "zoo", "Policy": "{\"Statement\":[{\"Effect\":\"Allow\",\"Principal\":\"*\",\"Action\":\"s3:GetObject\",\"Resource\":\"arn:aws:s3:::zoo/public/*\"}]}"}
            put_bucket_acl {"Bucket": "inner", "ACL": "public-read"}
        "#,
        expect![[r#"
            put_bucket_lifecycle_configuration {"Bucket": "zoo", "LifecycleConfiguration": {"Rules": [{"Status": "Enabled", "Filter": {"Prefix": "secret/old/"}, "Expiration": {"Days": 1}}]}}
                rule "secret" denies put_bucket_lifecycle_configuration on zoo/secret/old/… (what begins so, later).
            put_bucket_lifecycle_configuration {"Bucket": "zoo", "LifecycleConfiguration": {"Rules": [{"Status": "Enabled", "Filter": {}, "Expiration": {"Days": 1}}]}}
                protected_paths has "zoo/keep", which denies put_bucket_lifecycle_configuration on zoo/… (what begins so, later).
            put_bucket_lifecycle_configuration {"Bucket": "zoo", "LifecycleConfiguration": {"Rules": [{"Status": "Enabled", "Prefix": "keep/a", "NoncurrentVersionExpiration": {"NoncurrentDays": 1}}]}}
                protected_paths has "zoo/keep", which denies put_bucket_lifecycle_configuration on zoo/keep/a… (what begins so, later).
            put_bucket_lifecycle_configuration {"Bucket": "zoo", "LifecycleConfiguration": {"Rules": [{"Status": "Enabled", "Filter": {"And": {"Prefix": "logs/"}}, "Expiration": {"Days": 1}}]}}
                with this put_bucket_lifecycle_configuration the program would come to 1, and the ceiling is objects_deleted = 0 of one program.
            put_bucket_lifecycle_configuration {"Bucket": "zoo", "LifecycleConfiguration": {"Rules": [{"Status": "Disabled", "Filter": {"Prefix": "secret/"}, "Expiration": {"Days": 1}}]}}
                allowed
            put_bucket_logging {"Bucket": "zoo", "BucketLoggingStatus": {"LoggingEnabled": {"TargetBucket": "audit", "TargetPrefix": "a/"}}}
                protected_buckets has "audit", which denies put_bucket_logging on audit/a/… (what begins so, later).
            put_bucket_logging {"Bucket": "zoo", "BucketLoggingStatus": {"LoggingEnabled": {"TargetBucket": "logs", "TargetPrefix": "secret/x"}}}
                rule "secret" denies put_bucket_logging on logs/secret/x… (what begins so, later).
            put_bucket_logging {"Bucket": "zoo", "BucketLoggingStatus": {"LoggingEnabled": {"TargetBucket": "logs", "TargetPrefix": "zoo/"}}}
                allowed
            put_bucket_replication {"Bucket": "zoo", "ReplicationConfiguration": {"Rules": [{"Status": "Enabled", "Filter": {"Prefix": "public/"}, "Destination": {"Bucket": "arn:aws:s3:::audit"}}]}}
                protected_buckets has "audit", which denies put_bucket_replication on audit/… (what begins so, later).
            put_bucket_replication {"Bucket": "inner", "ReplicationConfiguration": {"Rules": [{"Status": "Enabled", "Filter": {"Prefix": ""}, "Destination": {"Bucket": "arn:aws:s3:::other"}}]}}
                rule "secret" denies put_bucket_replication on other/… (what begins so, later).
            put_bucket_inventory_configuration {"Bucket": "inner", "Id": "i", "InventoryConfiguration": {"Destination": {"S3BucketDestination": {"Bucket": "arn:aws:s3:::audit"}}}}
                protected_buckets has "audit", which denies put_bucket_inventory_configuration on audit/… (what begins so, later).
            put_bucket_analytics_configuration {"Bucket": "inner", "Id": "i", "AnalyticsConfiguration": {"StorageClassAnalysis": {"DataExport": {"Destination": {"S3BucketDestination": {"Bucket": "arn:aws:s3:::audit"}}}}}}
                protected_buckets has "audit", which denies put_bucket_analytics_configuration on audit/… (what begins so, later).
            restore_object {"Bucket": "inner", "Key": "k", "RestoreRequest": {"OutputLocation": {"S3": {"BucketName": "audit", "Prefix": "p"}}}}
                protected_buckets has "audit", which denies restore_object on audit/p… (what begins so, later).
            put_bucket_policy {"Bucket": "zoo", "Policy": "{\"Statement\":[{\"Effect\":\"Allow\",\"Principal\":\"*\",\"Action\":\"s3:GetObject\",\"Resource\":\"arn:aws:s3:::zoo/*\"}]}"}
                protected_paths has "zoo/keep", which denies put_bucket_policy on zoo/… (what begins so, later).
            put_bucket_policy {"Bucket": "zoo", "Policy": "{\"Statement\":[{\"Effect\":\"Allow\",\"Principal\":\"*\",\"Action\":\"s3:GetObject\",\"Resource\":\"arn:aws:s3:::zoo/public/*\"}]}"}
                allowed
            put_bucket_acl {"Bucket": "inner", "ACL": "public-read"}
                rule "secret" denies put_bucket_acl on inner/… (what begins so, later).
        "#]],
    );
}

/// Tiers that archive make what lies there unreadable, as a transition does.
#[test]
fn what_s3_archives_later_is_judged_too() {
    let tiering = |filter: &str, more: &str| {
        let of = format!(
            r#"{{"Id": "i", "Status": "Enabled"{filter}{more}, "Tierings": [{{"Days": 90, "AccessTier": "ARCHIVE_ACCESS"}}]}}"#
        );
        format!(
            r#"put_bucket_intelligent_tiering_configuration {{"Bucket": "zoo", "Id": "i", "IntelligentTieringConfiguration": {of}}}"#
        )
    };
    let policy = "protected_paths = [\"zoo/keep\"]\n[[rule]]\nname = \"secret\"\neffect = \"deny\"\nkeys = [\"secret/**\"]";
    let calls = [
        tiering(r#", "Filter": {"Prefix": "keep/"}"#, ""),
        tiering(r#", "Filter": {"Prefix": "secret/old/"}"#, ""),
        tiering(
            r#", "Filter": {"And": {"Prefix": "keep/a", "Tags": [{"Key": "a", "Value": "1"}]}}"#,
            "",
        ),
        tiering(r#", "Filter": {"Tag": {"Key": "a", "Value": "1"}}"#, ""),
        tiering("", ""),
        tiering(r#", "Filter": {"Prefix": "logs/"}"#, ""),
        tiering(r#", "Filter": {"Prefix": "keep/"}"#, "").replace("Enabled", "Disabled"),
    ];
    let verdicts: Vec<String> = (calls.iter())
        .map(|line| {
            let (operation, params) = super::call(line);
            let judged = super::policy(policy).judge(
                &dialog2api::domain::s3::S3,
                operation,
                &params,
                &mut dialog2api::policy::Count::default(),
            );
            judged.map_or_else(|denied| denied.to_string(), |()| "allowed".to_owned())
        })
        .collect();
    expect![[r#"
        The policy does not allow this: protected_paths has "zoo/keep", which denies put_bucket_intelligent_tiering_configuration on zoo/keep/… (what begins so, later).
        The policy does not allow this: rule "secret" denies put_bucket_intelligent_tiering_configuration on zoo/secret/old/… (what begins so, later).
        The policy does not allow this: protected_paths has "zoo/keep", which denies put_bucket_intelligent_tiering_configuration on zoo/keep/a… (what begins so, later).
        The policy does not allow this: protected_paths has "zoo/keep", which denies put_bucket_intelligent_tiering_configuration on zoo/… (what begins so, later).
        The policy does not allow this: protected_paths has "zoo/keep", which denies put_bucket_intelligent_tiering_configuration on zoo/… (what begins so, later).
        allowed
        allowed"#]].assert_eq(&verdicts.join("\n"));
}

/// Which bucket is behind an access point is not known, so it may be any that is protected.
#[test]
fn an_access_point_may_be_any_bucket() {
    let calls = r#"
        put_object {"Bucket": "arn:aws:s3:us-east-1:123456789012:accesspoint/ap", "Key": "k"}
        put_object {"Bucket": "my-ap-abcdefgh-s3alias", "Key": "k"}
        get_object {"Bucket": "my-ap-abcdefgh-s3alias", "Key": "k"}
    "#;
    check(
        "protected_buckets = [\"audit-*\"]",
        calls,
        expect![[r#"
        put_object {"Bucket": "arn:aws:s3:us-east-1:123456789012:accesspoint/ap", "Key": "k"}
            protected_buckets has "audit-*", which denies put_object on arn:aws:s3:us-east-1:123456789012:accesspoint/ap/k.
        put_object {"Bucket": "my-ap-abcdefgh-s3alias", "Key": "k"}
            protected_buckets has "audit-*", which denies put_object on my-ap-abcdefgh-s3alias/k.
        get_object {"Bucket": "my-ap-abcdefgh-s3alias", "Key": "k"}
            allowed
    "#]],
    );
    check(
        "protected_paths = [\"zoo/keep\"]",
        calls,
        expect![[r#"
        put_object {"Bucket": "arn:aws:s3:us-east-1:123456789012:accesspoint/ap", "Key": "k"}
            protected_paths has "zoo/keep", which denies put_object on arn:aws:s3:us-east-1:123456789012:accesspoint/ap/k.
        put_object {"Bucket": "my-ap-abcdefgh-s3alias", "Key": "k"}
            protected_paths has "zoo/keep", which denies put_object on my-ap-abcdefgh-s3alias/k.
        get_object {"Bucket": "my-ap-abcdefgh-s3alias", "Key": "k"}
            allowed
    "#]],
    );
    check(
        "",
        calls,
        expect![[r#"
        put_object {"Bucket": "arn:aws:s3:us-east-1:123456789012:accesspoint/ap", "Key": "k"}
            allowed
        put_object {"Bucket": "my-ap-abcdefgh-s3alias", "Key": "k"}
            allowed
        get_object {"Bucket": "my-ap-abcdefgh-s3alias", "Key": "k"}
            allowed
    "#]],
    );
}

/// S3 itself answers a call that does nothing, with MalformedXML.
#[test]
fn a_list_of_nothing_is_not_judged() {
    let calls = r#"
        delete_objects {"Bucket": "a", "Delete": {"Objects": []}}
        delete_objects {"Bucket": "a", "Delete": {}}
        delete_objects {"Bucket": "a"}
    "#;
    check(
        "mode = \"read-only\"",
        calls,
        expect![[r#"
        delete_objects {"Bucket": "a", "Delete": {"Objects": []}}
            allowed
        delete_objects {"Bucket": "a", "Delete": {}}
            delete_objects names no place that it deletes.
        delete_objects {"Bucket": "a"}
            delete_objects names no place that it deletes.
    "#]],
    );
}

#[test]
fn ceilings_count_what_they_say() {
    let owner = "d1a10902a9100000000000000000000000000000000000000000000000000001";
    check(
        "[ceilings]\nobjects_written = 1\nobjects_deleted = 2\nbuckets_created = 1\nbytes_written = 9",
        &r#"
            create_bucket {"Bucket": "b", "GrantFullControl": "id=OWNER"}
            create_bucket {"Bucket": "c", "ACL": "public-read"}
            create_bucket {"Bucket": "d", "ObjectOwnership": "ObjectWriter"}
            create_multipart_upload {"Bucket": "b", "Key": "k"}
            upload_part {"Bucket": "b", "Key": "k", "PartNumber": 1, "UploadId": "u", "Body": "1234"}
            upload_part {"Bucket": "b", "Key": "k", "PartNumber": 2, "UploadId": "u", "Body": "12345"}
            upload_part {"Bucket": "b", "Key": "k", "PartNumber": 3, "UploadId": "u", "Body": "1"}
            abort_multipart_upload {"Bucket": "b", "Key": "k", "UploadId": "u"}
            complete_multipart_upload {"Bucket": "b", "Key": "k", "UploadId": "u"}
            put_object {"Bucket": "b", "Key": "l", "ACL": "public-read"}
            generate_presigned_url {"ClientMethod": "get_object", "Params": {"Bucket": "b", "Key": "l"}}
            put_bucket_policy {"Bucket": "b", "Policy": "{}"}
            delete_object {"Bucket": "b", "Key": "k", "VersionId": "v"}
            delete_objects {"Bucket": "b", "Delete": {"Objects": [{"Key": "k", "VersionId": "v"}]}}
            delete_object {"Bucket": "b", "Key": "k"}
        "#
        .replace("OWNER", owner),
        expect![[r#"
            create_bucket {"Bucket": "b", "GrantFullControl": "id=d1a10902a9100000000000000000000000000000000000000000000000000001"}
                allowed
            create_bucket {"Bucket": "c", "ACL": "public-read"}
                with this create_bucket the program would come to 2, and the ceiling is buckets_created = 1 of one program.
            create_bucket {"Bucket": "d", "ObjectOwnership": "ObjectWriter"}
                with this create_bucket the program would come to 2, and the ceiling is buckets_created = 1 of one program.
            create_multipart_upload {"Bucket": "b", "Key": "k"}
                allowed
            upload_part {"Bucket": "b", "Key": "k", "PartNumber": 1, "UploadId": "u", "Body": "1234"}
                allowed
            upload_part {"Bucket": "b", "Key": "k", "PartNumber": 2, "UploadId": "u", "Body": "12345"}
                allowed
            upload_part {"Bucket": "b", "Key": "k", "PartNumber": 3, "UploadId": "u", "Body": "1"}
                with this upload_part the program would come to 10 B, and the ceiling is bytes_written = 9 B of one program.
            abort_multipart_upload {"Bucket": "b", "Key": "k", "UploadId": "u"}
                allowed
            complete_multipart_upload {"Bucket": "b", "Key": "k", "UploadId": "u"}
                allowed
            put_object {"Bucket": "b", "Key": "l", "ACL": "public-read"}
                with this put_object the program would come to 2, and the ceiling is objects_written = 1 of one program.
            generate_presigned_url {"ClientMethod": "get_object", "Params": {"Bucket": "b", "Key": "l"}}
                allowed
            put_bucket_policy {"Bucket": "b", "Policy": "{}"}
                allowed
            delete_object {"Bucket": "b", "Key": "k", "VersionId": "v"}
                allowed
            delete_objects {"Bucket": "b", "Delete": {"Objects": [{"Key": "k", "VersionId": "v"}]}}
                allowed
            delete_object {"Bucket": "b", "Key": "k"}
                with this delete_object the program would come to 3, and the ceiling is objects_deleted = 2 of one program.
        "#]],
    );
}
