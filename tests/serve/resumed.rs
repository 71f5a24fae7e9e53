//! What downloads, uploads and pages of others do with the answers of the server.

use super::signing::Line;
use crate::serve::support::{key, world};
use crate::support::value::value;
use dialog2api::domain::s3::Memory;
use dialog2api::domain::s3::serve::Service;
use expect_test::expect;
use serde_json::{Value as Json, json};
use std::sync::Arc;

fn call(world: &Memory, operation: &str, arguments: &Json) {
    let answer = world.perform(operation, &value(arguments));
    answer.unwrap_or_else(|refusal| panic!("{operation} {arguments}: {}", refusal.message));
}

fn with_film() -> (Arc<Memory>, Service) {
    let world = world();
    call(&world, "create_bucket", &json!({"Bucket": "alpha"}));
    call(
        &world,
        "put_object",
        &json!({"Bucket": "alpha", "Key": "film", "Body": "old-old-"}),
    );
    call(
        &world,
        "put_object",
        &json!({"Bucket": "alpha", "Key": "film", "Body": "NEW+NEW+"}),
    );
    let service = Service::new(world.clone(), &key());
    (world, service)
}

async fn send(service: &Service, line: &str, body: &str) -> String {
    let request = Line::read(line).request("UNSIGNED-PAYLOAD", |_| body.as_bytes().to_vec());
    let answer = service.answer(request).await;
    let document = String::from_utf8_lossy(answer.body()).into_owned();
    let document = document.replace("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", "");
    let document = document.split("<RequestId>").next().unwrap_or_default();
    let range = answer.headers().get("content-range");
    let range = range.and_then(|it| it.to_str().ok()).unwrap_or_default();
    format!("{line}: {} {range} {document}\n", answer.status().as_u16())
}

/// RFC 9110, section 13.1.5: a part only of the object that the client has begun to read.
#[tokio::test]
async fn downloads_of_replaced_objects_begin_again() {
    let (_, service) = with_film();
    let mut shown = String::new();
    for line in [
        "v4 GET /alpha/film range=bytes=4- if-range=%227442920e2eaa22450f6380d759dde2ff%22",
        "v4 GET /alpha/film range=bytes=4- if-range=Mon,%2001%20Jan%202024%2000:00:01%20GMT",
        "v4 GET /alpha/film range=bytes=4- if-range=Mon,%2001%20Jan%202024%2000:00:02%20GMT",
        "v4 GET /alpha/film range=bytes=4- if-range=W/%22NEWTAG%22",
        "v4 GET /alpha/film range=bytes=4- if-range=%22NEWTAG%22",
        "v4 GET /alpha/film range=bytes=9- if-range=%22NEWTAG%22",
        "v4 GET /alpha/film range=bytes=9- if-range=%22other%22",
        "link4 HEAD /alpha/film range=bytes=4- if-range=%22other%22",
        "v4 GET /alpha/film if-range=%22other%22",
        "v4 GET /alpha/film range=bytes=4- if-match=%22other%22 if-range=%22other%22",
    ] {
        let line = line.replace("NEWTAG", NEW);
        shown += &send(&service, &line, "").await;
    }
    expect![[r#"
        v4 GET /alpha/film range=bytes=4- if-range=%227442920e2eaa22450f6380d759dde2ff%22: 200  NEW+NEW+
        v4 GET /alpha/film range=bytes=4- if-range=Mon,%2001%20Jan%202024%2000:00:01%20GMT: 200  NEW+NEW+
        v4 GET /alpha/film range=bytes=4- if-range=Mon,%2001%20Jan%202024%2000:00:02%20GMT: 206 bytes 4-7/8 NEW+
        v4 GET /alpha/film range=bytes=4- if-range=W/%22beba3d5de9a50a43016baf1cc641e421%22: 200  NEW+NEW+
        v4 GET /alpha/film range=bytes=4- if-range=%22beba3d5de9a50a43016baf1cc641e421%22: 206 bytes 4-7/8 NEW+
        v4 GET /alpha/film range=bytes=9- if-range=%22beba3d5de9a50a43016baf1cc641e421%22: 416  <Error><Code>InvalidRange</Code><Message>The requested range is not satisfiable</Message><RangeRequested>bytes=9-</RangeRequested><ActualObjectSize>8</ActualObjectSize>
        v4 GET /alpha/film range=bytes=9- if-range=%22other%22: 200  NEW+NEW+
        link4 HEAD /alpha/film range=bytes=4- if-range=%22other%22: 200  
        v4 GET /alpha/film if-range=%22other%22: 200  NEW+NEW+
        v4 GET /alpha/film range=bytes=4- if-match=%22other%22 if-range=%22other%22: 412  <Error><Code>PreconditionFailed</Code><Message>At least one of the pre-conditions you specified did not hold</Message><Condition>If-Match</Condition>
    "#]].assert_eq(&shown);
}

/// The tag of `NEW+NEW+`.
const NEW: &str = "beba3d5de9a50a43016baf1cc641e421";

/// S3 writes headers in ISO 8859-1.
#[tokio::test]
async fn names_that_no_header_can_say_are_refused() {
    let (_, service) = with_film();
    let mut shown = String::new();
    for query in [
        "response-content-disposition=attachment%3B%20filename%3D%22a%E2%80%93b.md%22",
        "response-content-type=%E5%80%89",
        "response-cache-control=%E5%80%89",
        "response-content-disposition=attachment%3B%20filename%2A%3DUTF-8%27%27%25E5%2580%2589",
    ] {
        shown += &send(&service, &format!("link4 GET /alpha/film?{query}"), "").await;
    }
    expect![[r#"
        link4 GET /alpha/film?response-content-disposition=attachment%3B%20filename%3D%22a%E2%80%93b.md%22: 400  <Error><Code>InvalidArgument</Code><Message>Header value cannot be represented using ISO-8859-1.</Message><ArgumentName>response-content-disposition</ArgumentName><ArgumentValue>attachment; filename="a–b.md"</ArgumentValue>
        link4 GET /alpha/film?response-content-type=%E5%80%89: 400  <Error><Code>InvalidArgument</Code><Message>Header value cannot be represented using ISO-8859-1.</Message><ArgumentName>response-content-type</ArgumentName><ArgumentValue>倉</ArgumentValue>
        link4 GET /alpha/film?response-cache-control=%E5%80%89: 400  <Error><Code>InvalidArgument</Code><Message>Header value cannot be represented using ISO-8859-1.</Message><ArgumentName>response-cache-control</ArgumentName><ArgumentValue>倉</ArgumentValue>
        link4 GET /alpha/film?response-content-disposition=attachment%3B%20filename%2A%3DUTF-8%27%27%25E5%2580%2589: 200  NEW+NEW+
    "#]].assert_eq(&shown);
}

/// A completed upload lies where the client has put it, not at Amazon.
#[tokio::test]
async fn uploads_say_where_they_are() {
    let (world, service) = with_film();
    let begun = world.perform(
        "create_multipart_upload",
        &value(&json!({"Bucket": "alpha", "Key": "a b/c"})),
    );
    let begun = begun.expect("an upload");
    let upload = begun
        .get("UploadId")
        .and_then(|it| it.as_str())
        .expect("an id")
        .to_owned();
    call(
        &world,
        "upload_part",
        &json!({"Bucket": "alpha", "Key": "a b/c", "UploadId": upload, "PartNumber": 1, "Body": "x"}),
    );
    let part =
        "<Part><PartNumber>1</PartNumber><ETag>9dd4e461268c8034f5c8564e155c67a6</ETag></Part>";
    let body = format!("<CompleteMultipartUpload>{part}</CompleteMultipartUpload>");
    let line = format!("v4 POST /alpha/a%20b/c?uploadId={upload}");
    let answer = send(&service, &line, &body).await;
    let (_, location) = answer.split_once("<Location>").expect("a location");
    let (location, _) = location.split_once('<').expect("its end");
    assert_eq!(location, "http://localhost/alpha/a%20b%2Fc");
}
