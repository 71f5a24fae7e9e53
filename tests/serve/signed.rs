//! What a signature covers, and for how long: what was not signed does not take effect.

use super::signing::{Line, unsigned_chunks};
use crate::serve::support::{key, world};
use bytes::Bytes;
use dialog2api::domain::Value;
use dialog2api::domain::s3::Memory;
use dialog2api::domain::s3::serve::Service;
use expect_test::{Expect, expect};
use http::Response;
use std::sync::Arc;

/// A world with the buckets `alpha` and `private`, and an object in the second.
fn begun() -> (Arc<Memory>, Service) {
    let world = world();
    for (operation, pairs) in [
        ("create_bucket", &[("Bucket", "alpha")][..]),
        ("create_bucket", &[("Bucket", "private")]),
        (
            "put_object",
            &[("Bucket", "private"), ("Key", "pay"), ("Body", "secret")],
        ),
    ] {
        call(&world, operation, pairs);
    }
    let service = Service::new(world.clone(), &key());
    (world, service)
}

fn call(world: &Memory, operation: &str, pairs: &[(&str, &str)]) -> Value {
    let pairs = pairs
        .iter()
        .map(|(name, value)| ((*name).to_owned().into(), (*value).into()));
    let answer = world.perform(operation, &Value::Map(pairs.collect()));
    answer.unwrap_or_else(|refusal| panic!("{operation}: {}", refusal.message))
}

fn told(answer: &Response<Bytes>) -> String {
    let document = String::from_utf8_lossy(answer.body()).into_owned();
    let of = |name: &str| {
        let (_, rest) = document.split_once(&format!("<{name}>"))?;
        rest.split('<').next().map(|text| format!(" {text}"))
    };
    let parts = ["Code", "HeadersNotSigned", "Header"].map(|name| of(name).unwrap_or_default());
    format!("{}{}", answer.status().as_u16(), parts.concat())
}

/// Sends requests, one a line, with the body `hello` where there is one.
async fn send(service: &Service, lines: &str) -> String {
    let mut answers = String::new();
    for line in lines.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let is_write = line.contains(" PUT ");
        let request = Line::read(line).request("UNSIGNED-PAYLOAD", |_| {
            if is_write {
                b"hello".to_vec()
            } else {
                Vec::new()
            }
        });
        answers += &format!("{line}: {}\n", told(&service.answer(request).await));
    }
    answers
}

async fn check(lines: &str, expected: Expect) {
    let (world, service) = begun();
    expected.assert_eq(&send(&service, lines).await);
    let listed = call(&world, "list_objects_v2", &[("Bucket", "private")]);
    assert_eq!(listed.get("KeyCount").and_then(Value::as_int), Some(1));
}

#[tokio::test]
async fn headers_that_are_not_signed_are_refused() {
    check(
        "
        link4 PUT /alpha/k
        link4 PUT /alpha/k | x-amz-copy-source=/private/pay
        link4 PUT /alpha/k | x-amz-tagging=a%3Db x-amz-acl=private
        link4 PUT /alpha/k | x-amz-meta-a=1
        link4 PUT /alpha/k?x-amz-meta-a=1 | x-amz-meta-a=1
        link4 PUT /alpha/k | x-amz-website-redirect-location=/x
        link4 PUT /alpha/k | x-amz-server-side-encryption=AES256
        link4 PUT /alpha/k x-amz-meta-a=1 | x-amz-meta-a=%FF
        link4 GET /private/pay | x-amz-expected-bucket-owner=1
        link4 PUT /alpha/k -host
        link4 PUT /alpha/k | x-amz-content-sha256=UNSIGNED-PAYLOAD
        link4 PUT /alpha/k | x-amzn-trace-id=Root amz-sdk-request=1 content-type=a/b
        v4 PUT /alpha/k x-amz-meta-a=1
        v4 PUT /alpha/k x-amz-meta-a=1 -x-amz-meta-a
        v4 PUT /alpha/k | x-amz-copy-source=/private/pay
        v4 PUT /alpha/k | x-amz-storage-class=GLACIER
        v4 PUT /alpha/k -host
        v4 PUT /alpha/k -x-amz-date
        v4 PUT /alpha/k -x-amz-content-sha256
        v2 PUT /alpha/k x-amz-meta-a=1
        v2 PUT /alpha/k | x-amz-meta-a=1
        v2 PUT /alpha/k | x-amz-copy-source=%FF/private/pay
        link2@9 PUT /alpha/k | x-amz-copy-source=/private/pay
        link2@9 PUT /alpha/k | x-amz-copy-source=/private/pay%FF
        none PUT /alpha/k x-amz-acl=private
        ",
        expect![[r#"
            link4 PUT /alpha/k: 200
            link4 PUT /alpha/k | x-amz-copy-source=/private/pay: 403 AccessDenied x-amz-copy-source
            link4 PUT /alpha/k | x-amz-tagging=a%3Db x-amz-acl=private: 403 AccessDenied x-amz-tagging, x-amz-acl
            link4 PUT /alpha/k | x-amz-meta-a=1: 403 AccessDenied x-amz-meta-a
            link4 PUT /alpha/k?x-amz-meta-a=1 | x-amz-meta-a=1: 403 AccessDenied x-amz-meta-a
            link4 PUT /alpha/k | x-amz-website-redirect-location=/x: 403 AccessDenied x-amz-website-redirect-location
            link4 PUT /alpha/k | x-amz-server-side-encryption=AES256: 403 AccessDenied x-amz-server-side-encryption
            link4 PUT /alpha/k x-amz-meta-a=1 | x-amz-meta-a=%FF: 403 AccessDenied x-amz-meta-a
            link4 GET /private/pay | x-amz-expected-bucket-owner=1: 403 AccessDenied x-amz-expected-bucket-owner
            link4 PUT /alpha/k -host: 403 AccessDenied host
            link4 PUT /alpha/k | x-amz-content-sha256=UNSIGNED-PAYLOAD: 200
            link4 PUT /alpha/k | x-amzn-trace-id=Root amz-sdk-request=1 content-type=a/b: 200
            v4 PUT /alpha/k x-amz-meta-a=1: 200
            v4 PUT /alpha/k x-amz-meta-a=1 -x-amz-meta-a: 403 AccessDenied x-amz-meta-a
            v4 PUT /alpha/k | x-amz-copy-source=/private/pay: 403 AccessDenied x-amz-copy-source
            v4 PUT /alpha/k | x-amz-storage-class=GLACIER: 403 AccessDenied x-amz-storage-class
            v4 PUT /alpha/k -host: 403 AccessDenied host
            v4 PUT /alpha/k -x-amz-date: 403 AccessDenied x-amz-date
            v4 PUT /alpha/k -x-amz-content-sha256: 200
            v2 PUT /alpha/k x-amz-meta-a=1: 200
            v2 PUT /alpha/k | x-amz-meta-a=1: 403 SignatureDoesNotMatch
            v2 PUT /alpha/k | x-amz-copy-source=%FF/private/pay: 403 AccessDenied x-amz-copy-source
            link2@9 PUT /alpha/k | x-amz-copy-source=/private/pay: 403 SignatureDoesNotMatch
            link2@9 PUT /alpha/k | x-amz-copy-source=/private/pay%FF: 403 AccessDenied x-amz-copy-source
            none PUT /alpha/k x-amz-acl=private: 403 AccessDenied
        "#]],
    )
    .await;
}

/// S3 takes the names of signed headers in order, in lower case, and each once.
#[tokio::test]
async fn names_of_signed_headers_are_in_order() {
    check(
        "
        link4 PUT /alpha/k +host
        link4 PUT /alpha/k +HOST
        link4 PUT /alpha/k -host +HOST
        link4 PUT /alpha/k +
        link4 PUT /alpha/k x-amz-meta-a=1 -host +host
        v4 PUT /alpha/k +host
        v4 PUT /alpha/k -host +Host
        v4 PUT /alpha/k -host +host
        v4 PUT /alpha/k +zzz
        v4 PUT /alpha/k -host -x-amz-date -x-amz-content-sha256
        ",
        expect![[r#"
            link4 PUT /alpha/k +host: 403 SignatureDoesNotMatch
            link4 PUT /alpha/k +HOST: 403 SignatureDoesNotMatch
            link4 PUT /alpha/k -host +HOST: 403 SignatureDoesNotMatch
            link4 PUT /alpha/k +: 403 SignatureDoesNotMatch
            link4 PUT /alpha/k x-amz-meta-a=1 -host +host: 403 SignatureDoesNotMatch
            v4 PUT /alpha/k +host: 403 SignatureDoesNotMatch
            v4 PUT /alpha/k -host +Host: 403 SignatureDoesNotMatch
            v4 PUT /alpha/k -host +host: 403 SignatureDoesNotMatch
            v4 PUT /alpha/k +zzz: 403 SignatureDoesNotMatch
            v4 PUT /alpha/k -host -x-amz-date -x-amz-content-sha256: 403 AccessDenied host, x-amz-date
        "#]],
    )
    .await;
}

#[tokio::test]
async fn requests_are_signed_in_one_way() {
    check(
        "
        v4 GET /private/pay?Signature=x
        v2 GET /private/pay?X-Amz-Signature=x
        link4 GET /private/pay | authorization=AWS%20a:b
        link2@9 GET /private/pay | authorization=AWS4-HMAC-SHA256%20x
        ",
        expect![[r#"
            v4 GET /private/pay?Signature=x: 400 InvalidArgument
            v2 GET /private/pay?X-Amz-Signature=x: 400 InvalidArgument
            link4 GET /private/pay | authorization=AWS%20a:b: 400 InvalidArgument
            link2@9 GET /private/pay | authorization=AWS4-HMAC-SHA256%20x: 400 InvalidArgument
        "#]],
    )
    .await;
}

#[tokio::test]
async fn signatures_hold_for_a_time() {
    check(
        "
        v4 GET /private/pay
        v4@-14 GET /private/pay
        v4@-16 GET /private/pay
        v4@16 GET /private/pay
        v2 GET /private/pay
        v2@-14 GET /private/pay
        v2@14 GET /private/pay
        v2@-16 GET /private/pay
        v2@16 GET /private/pay
        v2@-5000000 PUT /alpha/k
        v2 GET /private/pay x-amz-date=Thu,%2001%20Jan%202015%2000:00:00%20GMT
        v2 GET /private/pay x-amz-date=soon
        link2@9 GET /private/pay
        link2@-1 GET /private/pay
        link4@-9 GET /private/pay
        link4@-11 GET /private/pay
        ",
        expect![[r#"
            v4 GET /private/pay: 200
            v4@-14 GET /private/pay: 200
            v4@-16 GET /private/pay: 403 RequestTimeTooSkewed
            v4@16 GET /private/pay: 403 RequestTimeTooSkewed
            v2 GET /private/pay: 200
            v2@-14 GET /private/pay: 200
            v2@14 GET /private/pay: 200
            v2@-16 GET /private/pay: 403 RequestTimeTooSkewed
            v2@16 GET /private/pay: 403 RequestTimeTooSkewed
            v2@-5000000 PUT /alpha/k: 403 RequestTimeTooSkewed
            v2 GET /private/pay x-amz-date=Thu,%2001%20Jan%202015%2000:00:00%20GMT: 403 RequestTimeTooSkewed
            v2 GET /private/pay x-amz-date=soon: 403 AccessDenied
            link2@9 GET /private/pay: 200
            link2@-1 GET /private/pay: 403 AccessDenied
            link4@-9 GET /private/pay: 200
            link4@-11 GET /private/pay: 403 AccessDenied
        "#]],
    )
    .await;
}

/// A signature of version 2 does not cover the whole query.
#[tokio::test]
async fn what_version_2_does_not_cover_is_refused() {
    check(
        "
        link2@9 GET /private?acl
        link2@9 GET /private?acl&acl
        link2@9 GET /private?encryption
        link2@9 GET /private?publicAccessBlock
        link2@9 GET /private/pay?attributes
        v2 GET /private?ownershipControls
        link2@9 GET /private?prefix=p
        ",
        expect![[r#"
            link2@9 GET /private?acl: 200
            link2@9 GET /private?acl&acl: 403 SignatureDoesNotMatch
            link2@9 GET /private?encryption: 400 InvalidRequest
            link2@9 GET /private?publicAccessBlock: 400 InvalidRequest
            link2@9 GET /private/pay?attributes: 400 InvalidRequest
            v2 GET /private?ownershipControls: 400 InvalidRequest
            link2@9 GET /private?prefix=p: 200
        "#]],
    )
    .await;
}

/// SDKs move headers into the query of a link that they sign.
#[tokio::test]
async fn the_signed_query_of_a_link_counts_as_headers() {
    let (world, service) = begun();
    let expected = expect![[r#"
        link4 PUT /alpha/k?x-amz-meta-author=Ada&x-amz-storage-class=STANDARD_IA&x-amz-tagging=team%3Dred: 200
            Metadata: {author: "Ada"}
            StorageClass: "STANDARD_IA"
            TagCount: 1
            ServerSideEncryption: "AES256"
        link4 PUT /alpha/k?X-Amz-Meta-Author=Zo%C3%AB&X-Amz-Storage-Class=GLACIER_IR: 200
            Metadata: {author: "Zoë"}
            StorageClass: "GLACIER_IR"
            ServerSideEncryption: "AES256"
        link4 PUT /alpha/k?x-amz-server-side-encryption=aws%3Akms&x-amz-website-redirect-location=%2Fx: 200
            Metadata: {}
            ServerSideEncryption: "aws:kms"
            WebsiteRedirectLocation: "/x"
        link4 PUT /alpha/k?x-amz-checksum-crc32=AAAAAA%3D%3D&x-amz-sdk-checksum-algorithm=CRC32&x-id=PutObject: 200
            Metadata: {}
            ServerSideEncryption: "AES256"
        link4 PUT /alpha/k?x-amz-meta-a=of-the-query x-amz-meta-a=of-the-header: 200
            Metadata: {a: "of-the-header"}
            ServerSideEncryption: "AES256"
        link2@9 PUT /alpha/k?x-amz-meta-a=1: 200
            Metadata: {}
            ServerSideEncryption: "AES256"
        v4 PUT /alpha/k?x-amz-meta-a=1: 200
            Metadata: {}
            ServerSideEncryption: "AES256"
        link4 PUT /alpha/k?x-amz-copy-source=%2Fprivate%2Fpay: 501 NotImplemented x-amz-copy-source
        link4 PUT /alpha/k?X-Amz-Copy-Source=%2Fprivate%2Fpay: 501 NotImplemented x-amz-copy-source
        link4 PUT /alpha/k?x-amz-acl=public-read: 400 AccessControlListNotSupported
        link4 PUT /alpha/k?x-amz-expected-bucket-owner=000000000000: 403 AccessDenied
        link4 PUT /alpha/k?x-amz-storage-class=NONSENSE: 400 InvalidStorageClass
    "#]];
    let mut shown = String::new();
    for line in [
        "link4 PUT /alpha/k?x-amz-meta-author=Ada&x-amz-storage-class=STANDARD_IA&x-amz-tagging=team%3Dred",
        "link4 PUT /alpha/k?X-Amz-Meta-Author=Zo%C3%AB&X-Amz-Storage-Class=GLACIER_IR",
        "link4 PUT /alpha/k?x-amz-server-side-encryption=aws%3Akms&x-amz-website-redirect-location=%2Fx",
        "link4 PUT /alpha/k?x-amz-checksum-crc32=AAAAAA%3D%3D&x-amz-sdk-checksum-algorithm=CRC32&x-id=PutObject",
        "link4 PUT /alpha/k?x-amz-meta-a=of-the-query x-amz-meta-a=of-the-header",
        "link2@9 PUT /alpha/k?x-amz-meta-a=1",
        "v4 PUT /alpha/k?x-amz-meta-a=1",
    ] {
        shown += &send(&service, line).await;
        let head = call(&world, "head_object", &[("Bucket", "alpha"), ("Key", "k")]);
        for name in [
            "Metadata",
            "StorageClass",
            "TagCount",
            "ServerSideEncryption",
            "WebsiteRedirectLocation",
        ] {
            let value = head
                .get(name)
                .map(|it| crate::support::value::show(it, |_, _| None));
            shown += &value.map_or(String::new(), |value| format!("    {name}: {value}\n"));
        }
    }
    for line in [
        "link4 PUT /alpha/k?x-amz-copy-source=%2Fprivate%2Fpay",
        "link4 PUT /alpha/k?X-Amz-Copy-Source=%2Fprivate%2Fpay",
        "link4 PUT /alpha/k?x-amz-acl=public-read",
        "link4 PUT /alpha/k?x-amz-expected-bucket-owner=000000000000",
        "link4 PUT /alpha/k?x-amz-storage-class=NONSENSE",
    ] {
        shown += &send(&service, line).await;
    }
    expected.assert_eq(&shown);
    let object = call(&world, "get_object", &[("Bucket", "alpha"), ("Key", "k")]);
    assert_eq!(object.get("ContentLength").and_then(Value::as_int), Some(5));
}

const SIGNED: &str = "STREAMING-AWS4-HMAC-SHA256-PAYLOAD";
const WITH_TRAILER: &str = "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER";
const UNSIGNED: &str = "STREAMING-UNSIGNED-PAYLOAD-TRAILER";
const CRC: &str = "x-amz-checksum-crc32:NhCmhg==";

/// A body in chunks ends with its empty chunk, and is followed by the trailers that were
/// declared. `NhCmhg==` is the checksum of `hello`.
#[tokio::test]
async fn bodies_in_chunks_are_checked_to_their_end() {
    let (world, service) = begun();
    let crc = "x-amz-trailer=x-amz-checksum-crc32";
    let tagging = "x-amz-trailer=x-amz-tagging";
    let both = "x-amz-trailer=x-amz-checksum-crc32,x-amz-checksum-sha1";
    let mut shown = String::new();
    for (payload, declared, pieces, trailers) in [
        (SIGNED, "", &["hel", "lo", ""][..], &[][..]),
        (SIGNED, "", &["hel", "lo"], &[]),
        (SIGNED, "", &["hello"], &[]),
        (SIGNED, "", &["hello", ""], &["x-amz-tagging:a=b"]),
        (SIGNED, "", &["hello", ""], &[CRC]),
        (WITH_TRAILER, crc, &["hel", "lo", ""], &[CRC]),
        (WITH_TRAILER, crc, &["hel", "lo"], &[]),
        (WITH_TRAILER, crc, &["hel", "lo", ""], &[]),
        (WITH_TRAILER, crc, &["hello", ""], &[CRC, "x-amz-meta-a:1"]),
        (
            WITH_TRAILER,
            tagging,
            &["hello", ""],
            &["x-amz-tagging:a=b"],
        ),
        (WITH_TRAILER, both, &["hello", ""], &[CRC]),
        (UNSIGNED, crc, &["hel", "lo", ""], &[CRC]),
        (UNSIGNED, crc, &["hel", "lo"], &[]),
        (UNSIGNED, crc, &["hel", "lo", ""], &[]),
        (UNSIGNED, crc, &["hello", ""], &[CRC, "x-amz-tagging:a=b"]),
        (UNSIGNED, crc, &["hello", ""], &[CRC, CRC]),
    ] {
        let line = format!("v4 PUT /alpha/k x-amz-decoded-content-length=5 {declared}");
        let request = Line::read(&line).request(payload, |seed| match payload {
            UNSIGNED => unsigned_chunks(pieces, trailers),
            _ => seed.chunks(pieces, trailers),
        });
        let answer = told(&service.answer(request).await);
        let kept = world.perform(
            "delete_object",
            &Value::Map(vec![
                ("Bucket".into(), "alpha".into()),
                ("Key".into(), "k".into()),
            ]),
        );
        assert!(kept.is_ok());
        shown += &format!("{payload} {declared} {pieces:?} {trailers:?}: {answer}\n");
    }
    // Nobody would take these chunks apart.
    for form in ["none", "v2", "link4"] {
        let line = format!("{form} PUT /alpha/k x-amz-content-sha256={UNSIGNED} {crc}");
        let body = |_: &_| unsigned_chunks(&["hello", ""], &[CRC]);
        let request = Line::read(&line).request("UNSIGNED-PAYLOAD", body);
        shown += &format!("{form}: {}\n", told(&service.answer(request).await));
    }
    expect![[r#"
        STREAMING-AWS4-HMAC-SHA256-PAYLOAD  ["hel", "lo", ""] []: 200
        STREAMING-AWS4-HMAC-SHA256-PAYLOAD  ["hel", "lo"] []: 400 IncompleteBody
        STREAMING-AWS4-HMAC-SHA256-PAYLOAD  ["hello"] []: 400 IncompleteBody
        STREAMING-AWS4-HMAC-SHA256-PAYLOAD  ["hello", ""] ["x-amz-tagging:a=b"]: 400 MalformedTrailerError
        STREAMING-AWS4-HMAC-SHA256-PAYLOAD  ["hello", ""] ["x-amz-checksum-crc32:NhCmhg=="]: 400 MalformedTrailerError
        STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER x-amz-trailer=x-amz-checksum-crc32 ["hel", "lo", ""] ["x-amz-checksum-crc32:NhCmhg=="]: 200
        STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER x-amz-trailer=x-amz-checksum-crc32 ["hel", "lo"] []: 400 IncompleteBody
        STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER x-amz-trailer=x-amz-checksum-crc32 ["hel", "lo", ""] []: 400 MalformedTrailerError
        STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER x-amz-trailer=x-amz-checksum-crc32 ["hello", ""] ["x-amz-checksum-crc32:NhCmhg==", "x-amz-meta-a:1"]: 400 MalformedTrailerError
        STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER x-amz-trailer=x-amz-tagging ["hello", ""] ["x-amz-tagging:a=b"]: 400 InvalidRequest
        STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER x-amz-trailer=x-amz-checksum-crc32,x-amz-checksum-sha1 ["hello", ""] ["x-amz-checksum-crc32:NhCmhg=="]: 400 MalformedTrailerError
        STREAMING-UNSIGNED-PAYLOAD-TRAILER x-amz-trailer=x-amz-checksum-crc32 ["hel", "lo", ""] ["x-amz-checksum-crc32:NhCmhg=="]: 200
        STREAMING-UNSIGNED-PAYLOAD-TRAILER x-amz-trailer=x-amz-checksum-crc32 ["hel", "lo"] []: 400 IncompleteBody
        STREAMING-UNSIGNED-PAYLOAD-TRAILER x-amz-trailer=x-amz-checksum-crc32 ["hel", "lo", ""] []: 400 MalformedTrailerError
        STREAMING-UNSIGNED-PAYLOAD-TRAILER x-amz-trailer=x-amz-checksum-crc32 ["hello", ""] ["x-amz-checksum-crc32:NhCmhg==", "x-amz-tagging:a=b"]: 400 MalformedTrailerError
        STREAMING-UNSIGNED-PAYLOAD-TRAILER x-amz-trailer=x-amz-checksum-crc32 ["hello", ""] ["x-amz-checksum-crc32:NhCmhg==", "x-amz-checksum-crc32:NhCmhg=="]: 400 MalformedTrailerError
        none: 403 AccessDenied
        v2: 501 NotImplemented x-amz-content-sha256
        link4: 501 NotImplemented
    "#]].assert_eq(&shown);
}
