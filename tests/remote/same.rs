//! The embedded store answers the same whether it is called or spoken to: every call is
//! made on two worlds that start alike, on one directly and on the other as S3 over HTTP.

use crate::remote::support::value;
use dialog2api::domain::s3::clock::Clock;
use dialog2api::domain::s3::memory::Store;
use dialog2api::domain::s3::serve::{Service, http_client};
use dialog2api::domain::s3::{AccessKey, Memory, Remote, RemoteOptions};
use dialog2api::domain::{World, signature};
use std::sync::Arc;

fn empty() -> Memory {
    let start = "2024-01-01T00:00:00Z".parse().expect("a time");
    Memory::new("test", Store::new(Clock::Steps(start)))
}

/// Makes the calls on both, and shows what differs: what the store answered, and below
/// it what came over the wire.
async fn check(calls: &str) {
    let key = AccessKey {
        id: "AKIATEST".to_owned(),
        secret: "secret".to_owned(),
    };
    let client = http_client(Service::new(Arc::new(empty()), &key));
    let options = RemoteOptions {
        endpoint_url: Some("http://s3.test".to_owned()),
        access_key: Some(key),
        ..RemoteOptions::default()
    };
    let wire = Remote::connect_through(&options, client).await;
    let (store, wire) = (empty(), wire.expect("nothing is sent yet"));
    let mut said = String::new();
    for call in calls.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (operation, params) = call.split_once(' ').expect("operation {parameters}");
        let json = serde_json::from_str(params).unwrap_or_else(|e| panic!("{call}: {e}"));
        let params = value(&json);
        let one = store.call(operation, &params).await.expect("an answer");
        let other = wire.call(operation, &params).await.expect("an answer");
        if one != other {
            said += &format!("{call}\n    {one:?}\n    {other:?}\n");
        }
    }
    assert!(said.is_empty(), "over the wire it is not the same:\n{said}");
    let signed = signature(&store, []).await.expect("the state");
    assert_eq!(signature(&wire, []).await.expect("the state"), signed);
}

/// An archived object; the state cannot be read over the wire while it is there.
const ICE: &str =
    r#"put_object {"Bucket": "alpha", "Key": "ice", "Body": "9", "StorageClass": "GLACIER"}"#;
const MELT: &str = r#"delete_object {"Bucket": "alpha", "Key": "ice"}"#;

const SETUP: &str = r#"
create_bucket {"Bucket": "alpha"}
create_bucket {"Bucket": "west", "CreateBucketConfiguration": {"LocationConstraint": "us-west-2"}}
create_bucket {"Bucket": "old", "CreateBucketConfiguration": {"LocationConstraint": "EU"}}
put_object {"Bucket": "alpha", "Key": "a b+c.txt", "Body": "hello", "ContentType": "text/plain", "Metadata": {"Who": " me "}}
put_object {"Bucket": "alpha", "Key": "photos/é%41&<>\"'.jpg", "Body": "", "StorageClass": "STANDARD_IA", "CacheControl": "no-cache", "ContentEncoding": "x", "ContentDisposition": "inline", "ContentLanguage": "de", "Expires": {"@time": "2030-01-01T00:00:00Z"}, "WebsiteRedirectLocation": "/x"}
put_object {"Bucket": "alpha", "Key": "photos/2", "Body": "22"}
put_object {"Bucket": "alpha", "Key": "/x", "Body": "1"}
put_object {"Bucket": "alpha", "Key": "a//b"}
put_object {"Bucket": "alpha", "Key": "dir/", "Body": "3"}
put_object {"Bucket": "alpha", "Key": "../up/./x", "Body": "4"}
put_object {"Bucket": "alpha", "Key": "line\nbreak\ttab\r", "Body": "5"}
put_object {"Bucket": "alpha", "Key": "\u0001", "Body": "6"}
put_object {"Bucket": "alpha", "Key": "~*()!'?#[]@:;=,$^`{}|\\", "Body": "7"}
put_object {"Bucket": "alpha", "Key": "🦦", "Body": "8"}
"#;

#[tokio::test]
async fn buckets() {
    check(
        &format!(r#"{SETUP}
        list_buckets {{}}
        list_buckets {{"MaxBuckets": 1}}
        list_buckets {{"MaxBuckets": 0}}
        list_buckets {{"MaxBuckets": 10001}}
        list_buckets {{"MaxBuckets": 99999999999}}
        list_buckets {{"Prefix": "w"}}
        list_buckets {{"Prefix": "", "BucketRegion": "us-west-2"}}
        list_buckets {{"ContinuationToken": "made up"}}
        create_bucket {{"Bucket": "alpha"}}
        create_bucket {{"Bucket": "west", "CreateBucketConfiguration": {{"LocationConstraint": "us-west-2"}}}}
        create_bucket {{"Bucket": "Bad_Name"}}
        create_bucket {{"Bucket": "x"}}
        create_bucket {{"Bucket": "dotted.name"}}
        create_bucket {{"Bucket": "192.168.0.1"}}
        create_bucket {{"Bucket": "moon", "CreateBucketConfiguration": {{"LocationConstraint": "moon"}}}}
        create_bucket {{"Bucket": "public", "ACL": "public-read"}}
        create_bucket {{"Bucket": "locked", "ObjectLockEnabledForBucket": true}}
        create_bucket {{"Bucket": 7}}
        create_bucket {{}}
        head_bucket {{"Bucket": "west"}}
        head_bucket {{"Bucket": "nope"}}
        head_bucket {{"Bucket": "Bad_Name"}}
        head_bucket {{"Bucket": "alpha", "ExpectedBucketOwner": "1"}}
        get_bucket_location {{"Bucket": "alpha"}}
        get_bucket_location {{"Bucket": "west"}}
        get_bucket_location {{"Bucket": "old"}}
        get_bucket_location {{"Bucket": "nope"}}
        delete_bucket {{"Bucket": "alpha"}}
        delete_bucket {{"Bucket": "nope"}}
        delete_bucket {{"Bucket": "west", "ExpectedBucketOwner": "1"}}
        delete_bucket {{"Bucket": "west"}}
        "#),
    )
    .await;
}

#[tokio::test]
async fn listings() {
    let mut calls = SETUP.to_owned();
    for operation in ["list_objects", "list_objects_v2"] {
        for more in [
            "",
            r#", "Delimiter": "/""#,
            r#", "Delimiter": "", "Prefix": """#,
            r#", "Delimiter": "o", "Prefix": "ph""#,
            r#", "Delimiter": "\n""#,
            r#", "Prefix": "photos/é""#,
            r#", "Prefix": "nothing""#,
            r#", "MaxKeys": 0"#,
            r#", "MaxKeys": 1"#,
            r#", "MaxKeys": 2, "Delimiter": "/""#,
            r#", "MaxKeys": 100000"#,
            r#", "MaxKeys": -1"#,
            r#", "MaxKeys": 99999999999"#,
            r#", "MaxKeys": true"#,
            r#", "MaxKeys": "2""#,
            r#", "EncodingType": "url""#,
            r#", "EncodingType": "url", "Prefix": "a ", "Delimiter": "+""#,
            r#", "EncodingType": "other""#,
            r#", "Marker": "dir/", "MaxKeys": 1"#,
            r#", "Marker": "", "StartAfter": """#,
            r#", "StartAfter": "dir/é+ %", "MaxKeys": 1"#,
            r#", "FetchOwner": true"#,
            r#", "ContinuationToken": """#,
            r#", "ContinuationToken": "made up""#,
            r#", "ExpectedBucketOwner": "1""#,
            r#", "RequestPayer": "requester", "OptionalObjectAttributes": ["RestoreStatus"]"#,
        ] {
            let first = operation == "list_objects";
            let other = match first {
                true => ["StartAfter", "FetchOwner", "ContinuationToken"].as_slice(),
                false => &["Marker"],
            };
            if !other.iter().any(|name| more.contains(name)) {
                calls += &format!("{operation} {{\"Bucket\": \"alpha\"{more}}}\n");
            }
        }
        calls += &format!("{operation} {{\"Bucket\": \"nope\"}}\n");
        calls += &format!("{operation} {{\"Bucket\": \"west\"}}\n");
    }
    check(&calls).await;
}

#[tokio::test]
async fn reads() {
    let mut calls = format!("{SETUP}{ICE}\n");
    for operation in ["get_object", "head_object"] {
        for more in [
            r#""Key": "a b+c.txt""#,
            r#""Key": "photos/é%41&<>\"'.jpg""#,
            r#""Key": "photos/2""#,
            r#""Key": "/x""#,
            r#""Key": "a//b""#,
            r#""Key": "../up/./x""#,
            r#""Key": "line\nbreak\ttab\r""#,
            r#""Key": "~*()!'?#[]@:;=,$^`{}|\\""#,
            r#""Key": "🦦""#,
            r#""Key": "ice""#,
            r#""Key": "nope<&>\n""#,
            r#""Key": """#,
            r#""Key": "a b+c.txt", "Range": "bytes=1-2""#,
            r#""Key": "a b+c.txt", "Range": "bytes=-2""#,
            r#""Key": "a b+c.txt", "Range": "bytes=9-""#,
            r#""Key": "a b+c.txt", "Range": "nonsense""#,
            r#""Key": "a b+c.txt", "PartNumber": 1"#,
            r#""Key": "a b+c.txt", "PartNumber": 2"#,
            r#""Key": "a b+c.txt", "VersionId": "null""#,
            r#""Key": "a b+c.txt", "VersionId": "v""#,
            r#""Key": "a b+c.txt", "ChecksumMode": "ENABLED""#,
            r#""Key": "a b+c.txt", "IfMatch": "\"5d41402abc4b2a76b9719d911017c592\"""#,
            r#""Key": "a b+c.txt", "IfMatch": "\"0\"""#,
            r#""Key": "a b+c.txt", "IfNoneMatch": "*""#,
            r#""Key": "a b+c.txt", "IfModifiedSince": {"@time": "2030-01-01T00:00:00Z"}"#,
            r#""Key": "a b+c.txt", "IfUnmodifiedSince": {"@time": "2020-01-01T00:00:00Z"}"#,
            r#""Key": "a b+c.txt", "ResponseContentType": "x/y", "ResponseCacheControl": "c", "ResponseContentDisposition": "d", "ResponseContentEncoding": "e", "ResponseContentLanguage": "l", "ResponseExpires": {"@time": "2031-02-03T04:05:06Z"}"#,
            r#""Key": "a b+c.txt", "ExpectedBucketOwner": "1""#,
        ] {
            calls += &format!("{operation} {{\"Bucket\": \"alpha\", {more}}}\n");
        }
        calls += &format!("{operation} {{\"Bucket\": \"nope\", \"Key\": \"k\"}}\n");
        calls += &format!("{operation} {{\"Bucket\": \"alpha\"}}\n");
    }
    calls += MELT;
    check(&calls).await;
}

#[tokio::test]
async fn writes() {
    let mut calls = format!("{SETUP}{ICE}\n");
    for more in [
        r#""Bucket": "nope", "Key": "k", "Body": "x""#,
        r#""Bucket": "alpha", "Key": "k", "Body": {"@bytes": "x"}"#,
        r#""Bucket": "alpha", "Key": "k", "Body": "x", "IfNoneMatch": "*""#,
        r#""Bucket": "alpha", "Key": "k", "Body": "x", "IfNoneMatch": "\"0\"""#,
        r#""Bucket": "alpha", "Key": "nope", "Body": "x", "IfMatch": "\"0\"""#,
        r#""Bucket": "alpha", "Key": "k", "Body": "x", "IfMatch": "\"0\"""#,
        r#""Bucket": "alpha", "Key": "k", "Body": "x", "ContentLength": 1"#,
        r#""Bucket": "alpha", "Key": "k", "Body": "x", "ContentMD5": "nonsense""#,
        r#""Bucket": "alpha", "Key": "k", "Body": "x", "ContentMD5": "XUFAKrxLKna5cZ2REBfFkg==""#,
        r#""Bucket": "alpha", "Key": "k", "Body": "x", "ChecksumCRC32": "AAAAAA==""#,
        r#""Bucket": "alpha", "Key": "k", "Body": "x", "ChecksumCRC32": "jNwWgw==""#,
        r#""Bucket": "alpha", "Key": "k", "Body": "x", "ChecksumAlgorithm": "SHA256""#,
        r#""Bucket": "alpha", "Key": "k", "Body": "x", "ChecksumSHA256": "AAAA""#,
        r#""Bucket": "alpha", "Key": "k", "Body": "x", "ACL": "private""#,
        r#""Bucket": "alpha", "Key": "k", "Body": "x", "ACL": "public-read""#,
        r#""Bucket": "alpha", "Key": "k", "Body": "x", "Tagging": "a=b""#,
        r#""Bucket": "alpha", "Key": "k", "Body": "x", "StorageClass": "NO""#,
        r#""Bucket": "alpha", "Key": "k", "Body": "x", "ServerSideEncryption": "AES256""#,
        r#""Bucket": "alpha", "Key": "k", "Body": "x", "ServerSideEncryption": "aws:kms""#,
        r#""Bucket": "alpha", "Key": "k", "Body": "x", "ObjectLockMode": "GOVERNANCE""#,
        r#""Bucket": "alpha", "Key": "k", "Body": "x", "WriteOffsetBytes": 1"#,
        r#""Bucket": "alpha", "Key": "k", "Body": "x", "ExpectedBucketOwner": "1""#,
        r#""Bucket": "alpha", "Key": "k", "Body": 7"#,
        r#""Bucket": "alpha", "Key": "k", "Body": "x", "Metadata": {"n": 7}"#,
        r#""Bucket": "alpha", "Key": {"@text": ["é", 512]}, "Body": "x""#,
        r#""Bucket": "alpha", "Key": {"@text": ["é", 513]}, "Body": "x""#,
        r#""Bucket": "alpha", "Key": "k", "Body": "x", "Metadata": {"n": {"@text": ["v", 3000]}}"#,
    ] {
        calls += &format!("put_object {{{more}}}\n");
    }
    for (source, more) in [
        (r#"{"Bucket": "alpha", "Key": "a b+c.txt"}"#, ""),
        (r#""alpha/photos/é%41&<>\"'.jpg""#, ""),
        (r#""/alpha/a//b""#, ""),
        (r#""alpha/a b+c.txt?versionId=null""#, ""),
        (r#""alpha/a b+c.txt?versionId=v""#, ""),
        (r#""alpha""#, ""),
        ("7", ""),
        (r#"{"Bucket": "alpha", "Key": "nope"}"#, ""),
        (r#"{"Bucket": "nope", "Key": "k"}"#, ""),
        (r#"{"Bucket": "alpha", "Key": "copy"}"#, ""),
        (
            r#"{"Bucket": "alpha", "Key": "copy"}"#,
            r#", "MetadataDirective": "REPLACE", "Metadata": {"n": "v"}, "ContentType": "x/y""#,
        ),
        (
            r#"{"Bucket": "alpha", "Key": "copy"}"#,
            r#", "MetadataDirective": "NO""#,
        ),
        (
            r#"{"Bucket": "alpha", "Key": "copy"}"#,
            r#", "StorageClass": "STANDARD_IA""#,
        ),
        (r#"{"Bucket": "alpha", "Key": "ice"}"#, ""),
        (
            r#"{"Bucket": "alpha", "Key": "/x"}"#,
            r#", "CopySourceIfMatch": "\"0\"""#,
        ),
        (
            r#"{"Bucket": "alpha", "Key": "/x"}"#,
            r#", "CopySourceIfNoneMatch": "*""#,
        ),
        (
            r#"{"Bucket": "alpha", "Key": "/x"}"#,
            r#", "CopySourceIfModifiedSince": {"@time": "2030-01-01T00:00:00Z"}"#,
        ),
        (
            r#"{"Bucket": "alpha", "Key": "/x"}"#,
            r#", "IfNoneMatch": "*""#,
        ),
        (
            r#"{"Bucket": "alpha", "Key": "/x"}"#,
            r#", "TaggingDirective": "REPLACE", "Tagging": "a=b""#,
        ),
    ] {
        calls += &format!(
            "copy_object {{\"Bucket\": \"alpha\", \"Key\": \"copy\", \"CopySource\": {source}{more}}}\n"
        );
        calls += "head_object {\"Bucket\": \"alpha\", \"Key\": \"copy\"}\n";
    }
    calls += "copy_object {\"Bucket\": \"alpha\", \"Key\": \"copy\"}\n";
    calls += MELT;
    check(&calls).await;
}

#[tokio::test]
async fn deletes() {
    let mut calls = SETUP.to_owned();
    for more in [
        r#""Key": "nope""#,
        r#""Key": "nope", "IfMatch": "*""#,
        r#""Key": "/x", "IfMatch": "\"0\"""#,
        r#""Key": "/x", "VersionId": "v""#,
        r#""Key": "/x", "MFA": "m", "BypassGovernanceRetention": true"#,
        r#""Key": "/x", "ExpectedBucketOwner": "1""#,
    ] {
        calls += &format!("delete_object {{\"Bucket\": \"alpha\", {more}}}\n");
    }
    for delete in [
        r#"{"Objects": [{"Key": "a//b"}, {"Key": "nope"}, {"Key": "line\nbreak\ttab\r"}, {"Key": "photos/é%41&<>\"'.jpg"}]}"#,
        r#"{"Objects": [{"Key": "dir/"}, {"Key": " x "}], "Quiet": true}"#,
        r#"{"Objects": [{"Key": "photos/2", "ETag": "\"0\""}, {"Key": "photos/2", "VersionId": "v"}, {"Key": "photos/2", "VersionId": "null"}]}"#,
        r#"{"Objects": []}"#,
        r#"{"Objects": [{"Key": ""}]}"#,
        r#"{"Objects": [{}]}"#,
        r#"{"Objects": 7}"#,
        r#"{"Objects": [7]}"#,
        r#"{}"#,
        "7",
    ] {
        calls += &format!("delete_objects {{\"Bucket\": \"alpha\", \"Delete\": {delete}}}\n");
    }
    calls += "delete_objects {\"Bucket\": \"alpha\"}\n";
    calls +=
        "delete_objects {\"Bucket\": \"nope\", \"Delete\": {\"Objects\": [{\"Key\": \"k\"}]}}\n";
    let many: Vec<String> = (0..1001).map(|i| format!("{{\"Key\": \"{i}\"}}")).collect();
    let many = many.join(", ");
    calls += &format!(
        "delete_objects {{\"Bucket\": \"alpha\", \"Delete\": {{\"Objects\": [{many}]}}}}\n"
    );
    check(&calls).await;
}
