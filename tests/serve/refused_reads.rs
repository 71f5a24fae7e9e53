//! The headers of reads that are refused. Guests may do everything here, so that nothing is
//! signed.

use crate::serve::support::{key, world};
use crate::support::value::value;
use bytes::Bytes;
use dialog2api::domain::Value;
use dialog2api::domain::s3::Memory;
use dialog2api::domain::s3::serve::{Service, ServiceOptions};
use expect_test::expect;
use http::Request;
use http_body_util::Full;
use serde_json::{Value as Json, json};
use std::sync::Arc;

/// What the answers are compared by.
const TOLD: &[&str] = &[
    "etag",
    "last-modified",
    "cache-control",
    "x-amz-version-id",
    "x-amz-delete-marker",
    "allow",
    "content-length",
];

fn call(world: &Memory, operation: &str, arguments: &Json) -> Value {
    let answer = world.perform(operation, &value(arguments));
    answer.unwrap_or_else(|refusal| panic!("{operation} {arguments}: {}", refusal.message))
}

/// A world with a bucket that everybody may read.
fn open() -> Arc<Memory> {
    let world = world();
    let policy = json!({"Version": "2012-10-17", "Statement": [{
        "Effect": "Allow", "Principal": "*", "Action": "s3:*",
        "Resource": ["arn:aws:s3:::alpha", "arn:aws:s3:::alpha/*"],
    }]});
    let policy = policy.to_string();
    call(&world, "create_bucket", &json!({"Bucket": "alpha"}));
    call(
        &world,
        "delete_public_access_block",
        &json!({"Bucket": "alpha"}),
    );
    call(
        &world,
        "put_bucket_policy",
        &json!({"Bucket": "alpha", "Policy": policy}),
    );
    world
}

fn keep_versions(world: &Memory) {
    let configuration = json!({"Status": "Enabled"});
    let arguments = json!({"Bucket": "alpha", "VersioningConfiguration": configuration});
    call(world, "put_bucket_versioning", &arguments);
}

/// Sends requests, one a line: method, path and a header. Answers with the status, the headers
/// that are told, and the code of the error.
async fn ask(world: &Arc<Memory>, requests: &str) -> String {
    let options = ServiceOptions {
        anonymous: true,
        ..ServiceOptions::default()
    };
    let service = Service::with_options(world.clone(), &key(), options);
    let mut answers = String::new();
    for line in requests.lines().map(str::trim).filter(|it| !it.is_empty()) {
        let mut words = line.splitn(3, ' ');
        let mut next = || words.next().unwrap_or_default();
        let (method, path, header) = (next(), next(), next());
        let mut request = Request::builder()
            .method(method)
            .uri(format!("http://localhost{path}"))
            .header("host", "localhost");
        if let Some((name, value)) = header.split_once(": ") {
            request = request.header(name, value);
        }
        let request = request.body(Full::new(Bytes::new())).expect("a request");
        let answer = service.answer(request).await;
        answers += &format!("{line}\n    {}", answer.status().as_u16());
        for name in TOLD {
            if let Some(value) = answer.headers().get(*name) {
                answers += &format!(" {name}: {}", value.to_str().expect("text"));
            }
        }
        let document = String::from_utf8_lossy(answer.body()).into_owned();
        if let Some((_, rest)) = document.split_once("<Code>") {
            answers += &format!(" {}", rest.split('<').next().unwrap_or_default());
        }
        answers.push('\n');
    }
    answers
}

#[tokio::test]
async fn an_object_that_has_not_changed_keeps_its_headers() {
    let world = open();
    let object = json!({
        "Bucket": "alpha", "Key": "k", "Body": "x", "CacheControl": "max-age=60",
        "ContentType": "text/plain",
    });
    call(&world, "put_object", &object);
    let etag = "\"9dd4e461268c8034f5c8564e155c67a6\"";
    let answers = ask(
        &world,
        &format!(
            "GET /alpha/k if-none-match: {etag}
             HEAD /alpha/k if-none-match: {etag}
             GET /alpha/k if-modified-since: Tue, 01 Jan 2030 00:00:00 GMT
             GET /alpha/k?partNumber=1 if-none-match: {etag}
             GET /alpha/k if-match: \"other\""
        ),
    )
    .await;
    expect![[r#"
        GET /alpha/k if-none-match: "9dd4e461268c8034f5c8564e155c67a6"
            304 etag: "9dd4e461268c8034f5c8564e155c67a6" last-modified: Mon, 01 Jan 2024 00:00:01 GMT cache-control: max-age=60
        HEAD /alpha/k if-none-match: "9dd4e461268c8034f5c8564e155c67a6"
            304 etag: "9dd4e461268c8034f5c8564e155c67a6" last-modified: Mon, 01 Jan 2024 00:00:01 GMT cache-control: max-age=60
        GET /alpha/k if-modified-since: Tue, 01 Jan 2030 00:00:00 GMT
            200 etag: "9dd4e461268c8034f5c8564e155c67a6" last-modified: Mon, 01 Jan 2024 00:00:01 GMT cache-control: max-age=60 content-length: 1
        GET /alpha/k?partNumber=1 if-none-match: "9dd4e461268c8034f5c8564e155c67a6"
            304 etag: "9dd4e461268c8034f5c8564e155c67a6" last-modified: Mon, 01 Jan 2024 00:00:01 GMT cache-control: max-age=60
        GET /alpha/k if-match: "other"
            412 PreconditionFailed
    "#]].assert_eq(&answers);
}

#[tokio::test]
async fn a_deleted_key_has_a_marker() {
    let world = open();
    let object = |key: &str| json!({"Bucket": "alpha", "Key": key, "Body": "x"});
    let named = |key: &str| json!({"Bucket": "alpha", "Key": key});
    call(&world, "put_object", &object("gone"));
    call(&world, "delete_object", &named("gone"));
    keep_versions(&world);
    // Those that begin alike are other keys.
    for key in ["k", "k2"] {
        call(&world, "put_object", &object(key));
        call(&world, "delete_object", &named(key));
    }
    let deleted = call(&world, "put_object", &object("back"));
    call(&world, "delete_object", &named("back"));
    call(&world, "put_object", &object("back"));
    let marker = call(&world, "delete_object", &named("k"));
    let id = |answer: &Value| {
        let id = answer.get("VersionId").and_then(Value::as_str);
        id.expect("a version").to_owned()
    };
    let (marker, version) = (id(&marker), id(&deleted));
    let answers = ask(
        &world,
        &format!(
            "GET /alpha/k
             HEAD /alpha/k
             GET /alpha/k?versionId={marker}
             HEAD /alpha/k?versionId={marker}
             GET /alpha/k?versionId={version}
             GET /alpha/back
             GET /alpha/gone
             GET /alpha/nothing
             GET /beta/k"
        ),
    )
    .await;
    expect![[r#"
        GET /alpha/k
            404 x-amz-version-id: VRF2mB_Fa25N4LY5zUuQ7hXXio3drXsg x-amz-delete-marker: true NoSuchKey
        HEAD /alpha/k
            404 x-amz-version-id: VRF2mB_Fa25N4LY5zUuQ7hXXio3drXsg x-amz-delete-marker: true
        GET /alpha/k?versionId=VRF2mB_Fa25N4LY5zUuQ7hXXio3drXsg
            405 last-modified: Mon, 01 Jan 2024 00:00:09 GMT x-amz-version-id: VRF2mB_Fa25N4LY5zUuQ7hXXio3drXsg x-amz-delete-marker: true allow: DELETE MethodNotAllowed
        HEAD /alpha/k?versionId=VRF2mB_Fa25N4LY5zUuQ7hXXio3drXsg
            405 last-modified: Mon, 01 Jan 2024 00:00:09 GMT x-amz-version-id: VRF2mB_Fa25N4LY5zUuQ7hXXio3drXsg x-amz-delete-marker: true allow: DELETE
        GET /alpha/k?versionId=y5_vOBUCQwkhA0nQCbDIZob5qD3yUcX8
            404 NoSuchVersion
        GET /alpha/back
            200 etag: "9dd4e461268c8034f5c8564e155c67a6" last-modified: Mon, 01 Jan 2024 00:00:08 GMT x-amz-version-id: Lq_U0fxMlp-vGn93d120RaOC0zh0oq8O content-length: 1
        GET /alpha/gone
            404 NoSuchKey
        GET /alpha/nothing
            404 NoSuchKey
        GET /beta/k
            404 NoSuchBucket
    "#]].assert_eq(&answers);
}

#[tokio::test]
async fn a_question_of_no_page_is_refused() {
    expect![[r#"
        OPTIONS /alpha/k
            400 BadRequest
    "#]]
    .assert_eq(&ask(&open(), "OPTIONS /alpha/k").await);
}
