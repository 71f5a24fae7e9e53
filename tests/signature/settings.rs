//! The signature of worlds with tags, configurations and versions. The hex digits are
//! vectors, as those in `vectors.json` are.

use crate::policy::call;
use dialog2api::domain::s3::Memory;
use dialog2api::domain::s3::clock::Clock;
use dialog2api::domain::s3::memory::Store;
use dialog2api::domain::signature;
use expect_test::expect;
use std::fmt::Write;

const START: &str = r#"
    create_bucket {"Bucket": "reports"}
    put_object {"Bucket": "reports", "Key": "a", "Body": "abc"}
"#;

/// The signature after these calls.
async fn after(calls: &str) -> String {
    let start = "2024-01-01T00:00:00Z".parse().expect("a time");
    let world = Memory::new("vector", Store::new(Clock::Steps(start)));
    let lines = START.lines().chain(calls.lines()).map(str::trim);
    for line in lines.filter(|line| !line.is_empty()) {
        let (operation, params) = call(line);
        let answer = world.perform(operation, &params);
        answer.unwrap_or_else(|refusal| panic!("{line}: {refusal:?}"));
    }
    signature(&world, []).await.expect("a state").to_string()
}

#[tokio::test]
async fn what_a_world_has_beside_its_objects_is_signed() {
    let enabled = r#"put_bucket_versioning {"Bucket": "reports", "VersioningConfiguration": {"Status": "Enabled"}}"#;
    let second = r#"put_object {"Bucket": "reports", "Key": "a", "Body": "second"}"#;
    let tag = r#"put_object_tagging {"Bucket": "reports", "Key": "a", "Tagging": {"TagSet": [{"Key": "team", "Value": "red"}, {"Key": "n", "Value": "1"}]}}"#;
    let same_tags = r#"put_object_tagging {"Bucket": "reports", "Key": "a", "Tagging": {"TagSet": [{"Key": "n", "Value": "1"}, {"Key": "team", "Value": "red"}]}}"#;
    let untag = r#"delete_object_tagging {"Bucket": "reports", "Key": "a"}"#;
    let cors = r#"put_bucket_cors {"Bucket": "reports", "CORSConfiguration": {"CORSRules": [{"AllowedOrigins": ["*"], "AllowedMethods": ["GET"]}]}}"#;
    let no_cors = r#"delete_bucket_cors {"Bucket": "reports"}"#;
    let deleted = r#"delete_object {"Bucket": "reports", "Key": "a"}"#;
    let upload = r#"create_multipart_upload {"Bucket": "reports", "Key": "b"}"#;
    let mut out = String::new();
    for (name, calls) in [
        ("plain", vec![]),
        ("tagged", vec![tag]),
        ("tagged in another order", vec![same_tags]),
        ("no longer tagged", vec![tag, untag]),
        ("with rules for browsers", vec![cors]),
        ("no longer", vec![cors, no_cors]),
        ("with versions", vec![enabled, second]),
        ("with versions of other ids", vec![upload, enabled, second]),
        ("with a delete marker", vec![enabled, deleted]),
    ] {
        let signature = after(&calls.join("\n")).await;
        let _ = writeln!(out, "{name}: {signature}");
    }
    expect![[r#"
        plain: 8d3a2f88
        tagged: d3133924
        tagged in another order: d3133924
        no longer tagged: 8d3a2f88
        with rules for browsers: 05fcfd99
        no longer: 8d3a2f88
        with versions: 23560fee
        with versions of other ids: 23560fee
        with a delete marker: f60d42b3
    "#]]
    .assert_eq(&out);
}
