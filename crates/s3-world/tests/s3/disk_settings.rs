//! Configurations, tags and locks in a world on disk: there after the world is opened again.

use crate::disk::open;
use crate::support::call;
use crate::value::show;
use expect_test::expect;
use std::fmt::Write;
use std::path::Path;

/// Makes calls in a world that is opened for each of them.
fn one_by_one(root: &Path, calls: &str) -> String {
    let mut out = String::new();
    for line in calls.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (operation, params) = call(line);
        let answer = match open(root)
            .perform(operation, &params)
            .expect("a working disk")
        {
            Ok(value) => show(&value, |_, _| None),
            Err(refusal) => format!("! {} {}", refusal.code, refusal.message),
        };
        let _ = writeln!(out, "{operation} {answer}");
    }
    out
}

#[test]
fn settings_are_there_at_the_next_run() {
    let folder = tempfile::tempdir().unwrap();
    let shown = one_by_one(
        folder.path(),
        r#"
        create_bucket {"Bucket": "reports", "CreateBucketConfiguration": {"Tags": [{"Key": "team", "Value": "red"}]}}
        put_object {"Bucket": "reports", "Key": "a.txt", "Body": "abc", "Tagging": "tier=1"}
        get_bucket_tagging {"Bucket": "reports"}
        get_object_tagging {"Bucket": "reports", "Key": "a.txt"}
        put_bucket_lifecycle_configuration {"Bucket": "reports", "LifecycleConfiguration": {"Rules": [{"ID": "x", "Status": "Enabled", "Filter": {"Prefix": ""}, "Expiration": {"Days": 30}}]}}
        get_bucket_lifecycle_configuration {"Bucket": "reports"}
        delete_bucket_tagging {"Bucket": "reports"}
        get_bucket_tagging {"Bucket": "reports"}
        delete_object_tagging {"Bucket": "reports", "Key": "a.txt"}
        head_object {"Bucket": "reports", "Key": "a.txt"}
        "#,
    );
    expect![[r#"
        create_bucket {Location: "/reports"}
        put_object {ETag: "\"900150983cd24fb0d6963f7d28e17f72\"", ChecksumCRC32: "NSRBwg==", ChecksumType: "FULL_OBJECT", ServerSideEncryption: "AES256"}
        get_bucket_tagging {TagSet: [{Key: "team", Value: "red"}]}
        get_object_tagging {TagSet: [{Key: "tier", Value: "1"}]}
        put_bucket_lifecycle_configuration {TransitionDefaultMinimumObjectSize: "all_storage_classes_128K"}
        get_bucket_lifecycle_configuration {TransitionDefaultMinimumObjectSize: "all_storage_classes_128K", Rules: [{Expiration: {Days: 30}, ID: "x", Filter: {Prefix: ""}, Status: "Enabled"}]}
        delete_bucket_tagging {}
        get_bucket_tagging ! NoSuchTagSet The TagSet does not exist
        delete_object_tagging {}
        head_object {AcceptRanges: "bytes", Expiration: "expiry-date=\"Thu, 01 Feb 2024 00:00:00 GMT\", rule-id=\"x\"", LastModified: 2024-01-01T00:00:00Z, ContentLength: 3, ETag: "\"900150983cd24fb0d6963f7d28e17f72\"", ContentType: "binary/octet-stream", ServerSideEncryption: "AES256", Metadata: {}}
    "#]].assert_eq(&shown);
}
