//! The signature of worlds with tags, configurations and versions. The hex digits are
//! vectors, as those in `vectors.json` are.

use crate::policy::call;
use dialog2api::domain::s3::clock::Clock;
use dialog2api::domain::s3::memory::Store;
use dialog2api::domain::s3::serve::{Service, http_client};
use dialog2api::domain::s3::{AccessKey, Memory, Remote, RemoteOptions};
use dialog2api::domain::{Signature, signature};
use expect_test::expect;
use std::fmt::Write;
use std::sync::Arc;

const START: &str = r#"
    create_bucket {"Bucket": "reports"}
    put_object {"Bucket": "reports", "Key": "a", "Body": "abc"}
"#;

/// The signature after these calls.
async fn after(calls: &str) -> String {
    let start = "2024-01-01T00:00:00Z".parse().expect("a time");
    signed(calls, Clock::Steps(start)).await
}

async fn signed(calls: &str, clock: Clock) -> String {
    let world = Memory::new("vector", Store::new(clock));
    let lines = START.lines().chain(calls.lines()).map(str::trim);
    for line in lines.filter(|line| !line.is_empty()) {
        let (operation, params) = call(line);
        let answer = world.perform(operation, &params);
        answer.unwrap_or_else(|refusal| panic!("{line}: {refusal:?}"));
    }
    let signed = signature(&world, []).await.expect("a state");
    assert_eq!(on_a_server(world).await, signed, "over the wire: {calls}");
    signed.to_string()
}

/// The signature of the same world, read from a server.
async fn on_a_server(world: Memory) -> Signature {
    let key = AccessKey {
        id: "AKIATEST".to_owned(),
        secret: "secret".to_owned(),
    };
    let client = http_client(Service::new(Arc::new(world), &key));
    let options = RemoteOptions {
        endpoint_url: Some("http://s3.test".to_owned()),
        access_key: Some(key),
        ..RemoteOptions::default()
    };
    let server = Remote::connect_through(&options, client).await;
    let server = server.expect("nothing is sent yet");
    signature(&server, []).await.expect("a state")
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
    let other = r#"put_object {"Bucket": "reports", "Key": "b/\u0001é", "Body": "other", "Tagging": "n=2"}"#;
    let other_gone = r#"delete_object {"Bucket": "reports", "Key": "b/\u0001é"}"#;
    let suspended = r#"put_bucket_versioning {"Bucket": "reports", "VersioningConfiguration": {"Status": "Suspended"}}"#;
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
        ("with a marker between", vec![enabled, deleted, second]),
        ("with two markers", vec![enabled, deleted, second, deleted]),
        (
            "with another key",
            vec![enabled, other, second, other_gone, other, other_gone, tag],
        ),
        (
            "with the version null in front",
            vec![enabled, second, suspended, deleted],
        ),
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
        with a marker between: 1ac92413
        with two markers: 98d71cbc
        with another key: c421cfd2
        with the version null in front: 44243a84
    "#]]
    .assert_eq(&out);
}

/// Where all happens in one second, a listing does not tell what came between what.
#[tokio::test]
async fn the_order_of_versions_does_not_depend_on_times() {
    let calls = r#"
        put_bucket_versioning {"Bucket": "reports", "VersioningConfiguration": {"Status": "Enabled"}}
        delete_object {"Bucket": "reports", "Key": "a"}
        put_object {"Bucket": "reports", "Key": "a", "Body": "second"}
        put_object {"Bucket": "reports", "Key": "a", "Body": "third"}
        delete_object {"Bucket": "reports", "Key": "a"}
        delete_object {"Bucket": "reports", "Key": "a"}
        put_object {"Bucket": "reports", "Key": "a", "Body": "fourth"}
        put_object {"Bucket": "reports", "Key": "a/b", "Body": "another key"}
    "#;
    let time = "2024-01-01T00:00:00Z".parse().expect("a time");
    let stands = signed(calls, Clock::Stands(time)).await;
    assert_eq!(stands, after(calls).await);
}
