//! Requests without a signature, and buckets of old.

use crate::serve::support::{key, world};
use crate::support::value::value;
use bytes::Bytes;
use dialog2api::domain::s3::Memory;
use dialog2api::domain::s3::serve::{Service, ServiceOptions};
use expect_test::{Expect, expect};
use http::Request;
use http_body_util::Full;
use std::sync::Arc;

/// A bucket to which the public may be let in, with an object that it may read by its list,
/// and another one.
const OPEN: &str = r#"
create_bucket {"Bucket":"alpha","ObjectOwnership":"ObjectWriter"}
delete_public_access_block {"Bucket":"alpha"}
put_object {"Bucket":"alpha","Key":"open","Body":"for all","ACL":"public-read"}
put_object {"Bucket":"alpha","Key":"closed","Body":"secret"}
"#;

fn with(calls: &str) -> Arc<Memory> {
    let world = world();
    for line in calls.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (operation, arguments) = line.split_once(' ').expect("a call");
        let arguments = serde_json::from_str(arguments).expect("JSON");
        let answer = world.perform(operation, &value(&arguments));
        answer.unwrap_or_else(|refusal| panic!("{line}: {}", refusal.message));
    }
    world
}

fn service(world: Arc<Memory>, anonymous: bool) -> Service {
    let options = ServiceOptions {
        anonymous,
        ..ServiceOptions::default()
    };
    Service::with_options(world, &key(), options)
}

/// Sends requests without a signature, one a line: method, path, and a header.
async fn ask(service: &Service, requests: &str) -> String {
    let mut answers = String::new();
    for line in requests.lines().map(str::trim).filter(|it| !it.is_empty()) {
        let mut words = line.splitn(3, ' ');
        let mut next = || words.next().unwrap_or_default();
        let (method, path, header) = (next(), next(), next());
        let mut request = Request::builder()
            .method(method)
            .uri(format!("http://localhost{path}"))
            .header("host", "localhost")
            .header("content-length", if method == "PUT" { "3" } else { "0" });
        if let Some((name, value)) = header.split_once(": ") {
            request = request.header(name, value);
        }
        let body = Bytes::from(if method == "PUT" { "new" } else { "" });
        let request = request.body(Full::new(body)).expect("a request");
        let answer = service.answer(request).await;
        let document = String::from_utf8_lossy(answer.body()).into_owned();
        let told = match document.split_once("<Code>") {
            Some((_, rest)) => rest.split('<').next().unwrap_or_default().to_owned(),
            None if document.starts_with("<?xml") => "a document".to_owned(),
            None => document,
        };
        answers += format!("{line}: {} {told}", answer.status().as_u16()).trim_end();
        answers.push('\n');
    }
    answers
}

async fn check(world: Arc<Memory>, requests: &str, expected: Expect) {
    expected.assert_eq(&ask(&service(world, true), requests).await);
}

const EVERYTHING: &str = "
    GET /
    GET /alpha
    HEAD /alpha
    GET /alpha?versions
    GET /alpha?location
    GET /alpha?acl
    GET /alpha?policy
    GET /alpha/open
    HEAD /alpha/open
    GET /alpha/open?acl
    GET /alpha/open?tagging
    GET /alpha/closed
    GET /alpha/nothing
    PUT /alpha/new
    PUT /alpha/copy x-amz-copy-source: alpha/closed
    DELETE /alpha/closed
    DELETE /alpha
    PUT /beta
    GET /beta/k
";

#[tokio::test]
async fn guests_are_kept_out_unless_the_server_is_told_otherwise() {
    let answers = ask(&service(with(OPEN), false), EVERYTHING).await;
    let refused = answers.lines().filter(|line| line.contains(": 403"));
    assert_eq!(refused.count(), answers.lines().count(), "{answers}");
}

#[tokio::test]
async fn guests_read_what_a_list_lets_them_read() {
    check(
        with(OPEN),
        EVERYTHING,
        expect![[r#"
        GET /: 403 AccessDenied
        GET /alpha: 403 AccessDenied
        HEAD /alpha: 403
        GET /alpha?versions: 403 AccessDenied
        GET /alpha?location: 403 AccessDenied
        GET /alpha?acl: 403 AccessDenied
        GET /alpha?policy: 403 AccessDenied
        GET /alpha/open: 200 for all
        HEAD /alpha/open: 200
        GET /alpha/open?acl: 403 AccessDenied
        GET /alpha/open?tagging: 403 AccessDenied
        GET /alpha/closed: 403 AccessDenied
        GET /alpha/nothing: 403 AccessDenied
        PUT /alpha/new: 403 AccessDenied
        PUT /alpha/copy x-amz-copy-source: alpha/closed: 403 AccessDenied
        DELETE /alpha/closed: 403 AccessDenied
        DELETE /alpha: 403 AccessDenied
        PUT /beta: 403 AccessDenied
        GET /beta/k: 404 NoSuchBucket
    "#]],
    )
    .await;
}

#[tokio::test]
async fn guests_write_where_a_list_lets_them_write() {
    let world = with(&format!(
        "{OPEN}put_bucket_acl {{\"Bucket\":\"alpha\",\"ACL\":\"public-read-write\"}}"
    ));
    check(
        world,
        EVERYTHING,
        expect![[r#"
        GET /: 403 AccessDenied
        GET /alpha: 200 a document
        HEAD /alpha: 200
        GET /alpha?versions: 200 a document
        GET /alpha?location: 403 AccessDenied
        GET /alpha?acl: 403 AccessDenied
        GET /alpha?policy: 403 AccessDenied
        GET /alpha/open: 200 for all
        HEAD /alpha/open: 200
        GET /alpha/open?acl: 403 AccessDenied
        GET /alpha/open?tagging: 403 AccessDenied
        GET /alpha/closed: 403 AccessDenied
        GET /alpha/nothing: 404 NoSuchKey
        PUT /alpha/new: 200
        PUT /alpha/copy x-amz-copy-source: alpha/closed: 403 AccessDenied
        DELETE /alpha/closed: 204
        DELETE /alpha: 403 AccessDenied
        PUT /beta: 403 AccessDenied
        GET /beta/k: 404 NoSuchBucket
    "#]],
    )
    .await;
}

/// The bucket with a policy of these statements.
fn with_policy(statements: &str, more: &str) -> Arc<Memory> {
    let policy = format!(r#"{{"Version":"2012-10-17","Statement":[{statements}]}}"#);
    let policy = serde_json::to_string(&policy).expect("text");
    with(&format!(
        "{OPEN}put_bucket_policy {{\"Bucket\":\"alpha\",\"Policy\":{policy}}}\n{more}"
    ))
}

const READING: &str = r#"{"Effect":"Allow","Principal":"*","Action":["s3:GetObject","s3:Put*"],
    "Resource":["arn:aws:s3:::alpha/clos*","arn:aws:s3:::alpha/n?w"]}"#;

#[tokio::test]
async fn guests_do_what_a_policy_lets_them_do() {
    let reading = READING.replace('\n', " ");
    check(
        with_policy(&reading, ""),
        EVERYTHING,
        expect![[r#"
        GET /: 403 AccessDenied
        GET /alpha: 403 AccessDenied
        HEAD /alpha: 403
        GET /alpha?versions: 403 AccessDenied
        GET /alpha?location: 403 AccessDenied
        GET /alpha?acl: 403 AccessDenied
        GET /alpha?policy: 403 AccessDenied
        GET /alpha/open: 200 for all
        HEAD /alpha/open: 200
        GET /alpha/open?acl: 403 AccessDenied
        GET /alpha/open?tagging: 403 AccessDenied
        GET /alpha/closed: 200 secret
        GET /alpha/nothing: 403 AccessDenied
        PUT /alpha/new: 200
        PUT /alpha/copy x-amz-copy-source: alpha/closed: 403 AccessDenied
        DELETE /alpha/closed: 403 AccessDenied
        DELETE /alpha: 403 AccessDenied
        PUT /beta: 403 AccessDenied
        GET /beta/k: 404 NoSuchBucket
    "#]],
    )
    .await;
    // What sets a list needs a right of its own.
    let only_put = r#"{"Effect":"Allow","Principal":{"AWS":["*"]},"Action":"s3:PutObject","Resource":"arn:aws:s3:::alpha/*"}"#;
    check(
        with_policy(only_put, ""),
        "PUT /alpha/new
         PUT /alpha/new x-amz-acl: public-read",
        expect![[r#"
            PUT /alpha/new: 200
            PUT /alpha/new x-amz-acl: public-read: 403 AccessDenied
        "#]],
    )
    .await;
}

/// What a write asks for beside its content needs a right of its own, and who may not list a
/// bucket does not learn which keys it lacks.
#[tokio::test]
async fn guests_get_no_more_than_their_rights() {
    let of = |actions: &str| {
        let statement = format!(
            r#"{{"Effect":"Allow","Principal":"*","Action":[{actions}],"Resource":["arn:aws:s3:::alpha","arn:aws:s3:::alpha/*"]}}"#
        );
        with_policy(&statement, "")
    };
    check(
        of(r#""s3:PutObject","s3:GetObject","s3:GetObjectTagging""#),
        "PUT /alpha/new
         PUT /alpha/new x-amz-meta-a: 1
         PUT /alpha/new x-amz-tagging: a=b
         PUT /alpha/new x-amz-website-redirect-location: /x
         PUT /alpha/new x-amz-object-lock-legal-hold: ON
         PUT /alpha/new x-amz-object-lock-mode: GOVERNANCE
         PUT /alpha/new x-amz-copy-source: alpha/closed
         GET /alpha/closed
         GET /alpha/nothing
         HEAD /alpha/nothing
         GET /alpha/nothing?tagging
         GET /alpha/nothing?versionId=x",
        expect![[r#"
            PUT /alpha/new: 200
            PUT /alpha/new x-amz-meta-a: 1: 200
            PUT /alpha/new x-amz-tagging: a=b: 403 AccessDenied
            PUT /alpha/new x-amz-website-redirect-location: /x: 403 AccessDenied
            PUT /alpha/new x-amz-object-lock-legal-hold: ON: 403 AccessDenied
            PUT /alpha/new x-amz-object-lock-mode: GOVERNANCE: 403 AccessDenied
            PUT /alpha/new x-amz-copy-source: alpha/closed: 403 AccessDenied
            GET /alpha/closed: 200 secret
            GET /alpha/nothing: 403 AccessDenied
            HEAD /alpha/nothing: 403
            GET /alpha/nothing?tagging: 403 AccessDenied
            GET /alpha/nothing?versionId=x: 403 AccessDenied
        "#]],
    )
    .await;
    check(
        of(r#""s3:PutObject","s3:PutObjectTagging","s3:GetObject","s3:ListBucket""#),
        "PUT /alpha/new x-amz-tagging: a=b
         GET /alpha/nothing
         HEAD /alpha/nothing",
        expect![[r#"
            PUT /alpha/new x-amz-tagging: a=b: 200
            GET /alpha/nothing: 404 NoSuchKey
            HEAD /alpha/nothing: 404
        "#]],
    )
    .await;
}

#[tokio::test]
async fn a_statement_that_denies_wins() {
    let requests = "
        GET /alpha/open
        GET /alpha/closed
        PUT /alpha/new
    ";
    let reading = READING.replace('\n', " ");
    for deny in [
        r#"{"Effect":"Deny","Principal":"*","Action":"s3:get*","Resource":"arn:aws:s3:::alpha/*"}"#,
        r#"{"Effect":"Deny","NotPrincipal":{"AWS":"arn:aws:iam::123456789012:root"},"NotAction":"s3:PutObject","Resource":"arn:aws:s3:::alpha/*"}"#,
        r#"{"Effect":"Deny","Principal":"*","Action":"s3:GetObject","Resource":"arn:aws:s3:::alpha/*","Condition":{"Bool":{"aws:SecureTransport":"false"}}}"#,
    ] {
        let world = with_policy(&format!("{reading},{deny}"), "");
        check(
            world,
            requests,
            expect![[r#"
                GET /alpha/open: 403 AccessDenied
                GET /alpha/closed: 403 AccessDenied
                PUT /alpha/new: 200
            "#]],
        )
        .await;
    }
    // A condition lets nobody in, and other people are not everybody.
    for allow in [
        r#"{"Effect":"Allow","Principal":"*","Action":"s3:*","Resource":"arn:aws:s3:::alpha/*","Condition":{"IpAddress":{"aws:SourceIp":"10.0.0.0/8"}}}"#,
        r#"{"Effect":"Allow","Principal":{"AWS":"arn:aws:iam::123456789012:root"},"Action":"s3:*","Resource":"arn:aws:s3:::alpha/*"}"#,
    ] {
        check(
            with_policy(allow, ""),
            requests,
            expect![[r#"
                GET /alpha/open: 200 for all
                GET /alpha/closed: 403 AccessDenied
                PUT /alpha/new: 403 AccessDenied
            "#]],
        )
        .await;
    }
}

#[tokio::test]
async fn the_block_of_public_access_keeps_guests_out() {
    let block = r#"put_public_access_block {"Bucket":"alpha","PublicAccessBlockConfiguration":{"IgnorePublicAcls":true,"RestrictPublicBuckets":true}}"#;
    let reading = READING.replace('\n', " ");
    check(
        with_policy(&reading, block),
        "GET /alpha/open
         GET /alpha/closed
         PUT /alpha/new",
        expect![[r#"
            GET /alpha/open: 403 AccessDenied
            GET /alpha/closed: 403 AccessDenied
            PUT /alpha/new: 403 AccessDenied
        "#]],
    )
    .await;
}
