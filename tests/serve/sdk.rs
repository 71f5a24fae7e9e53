//! Through the AWS SDK for Rust and the service, without a socket: every answer is the
//! world's own.

use crate::serve::support::{key, world};
use crate::support::value::{self, value};
use dialog2api::domain::s3::serve::{Service, ServiceOptions, http_client};
use dialog2api::domain::s3::{AccessKey, Memory, Remote, RemoteOptions};
use dialog2api::domain::{Answer, Signer, Value, World};
use dialog2api::{Error, Result};
use expect_test::{Expect, expect};
use std::sync::Arc;

async fn connect(world: Arc<Memory>, key: &AccessKey) -> Remote {
    through(Service::new(world, &crate::serve::support::key()), key).await
}

async fn through(service: Service, key: &AccessKey) -> Remote {
    let options = options("http://s3.test", key);
    let connected = Remote::connect_through(&options, http_client(service));
    connected.await.expect("nothing is sent yet")
}

fn options(endpoint: &str, key: &AccessKey) -> RemoteOptions {
    RemoteOptions {
        endpoint_url: Some(endpoint.to_owned()),
        region: Some("us-east-1".to_owned()),
        access_key: Some(key.clone()),
        ..RemoteOptions::default()
    }
}

/// Runs the calls, one a line, and compares what they gave, one a line.
async fn check(calls: &str, expected: Expect) {
    let world = world();
    let remote = connect(world.clone(), &key()).await;
    let mut said = String::new();
    for call in calls.lines().map(str::trim).filter(|line| !line.is_empty()) {
        said += &format!("{call}\n    {}\n", run(&remote, call).await);
    }
    expected.assert_eq(&said);
    assert_eq!(signature(&remote).await, signature(&*world).await);
}

async fn signature(world: &dyn World) -> String {
    let mut signer = Signer::new();
    world.state(&mut signer).await.expect("the state");
    signer.signature().to_string()
}

async fn run(world: &dyn World, call: &str) -> String {
    let (operation, params) = call.split_once(' ').expect("operation {parameters}");
    let params = value(&serde_json::from_str(params).expect("parameters as JSON"));
    match world.call(operation, &params).await {
        Ok(Ok(answer)) => show(&answer),
        Ok(Err(refusal)) => {
            let details = show(&Value::Map(refusal.details));
            let (status, code) = (refusal.status, refusal.code);
            format!("{status} {code}: {} {details}", refusal.message)
        }
        Err(error) => format!("FAILED: {error}"),
    }
}

fn show(answer: &Value) -> String {
    value::show(answer, |_, _| None)
}

#[tokio::test]
async fn every_operation_answers_as_the_world_does() {
    check(
        r#"
        list_buckets {}
        create_bucket {"Bucket": "alpha"}
        create_bucket {"Bucket": "beta-west", "CreateBucketConfiguration": {"LocationConstraint": "us-west-2"}}
        head_bucket {"Bucket": "beta-west"}
        get_bucket_location {"Bucket": "alpha"}
        get_bucket_location {"Bucket": "beta-west"}
        list_buckets {"Prefix": "b"}
        put_object {"Bucket": "alpha", "Key": "a b+c.txt", "Body": "hello", "ContentType": "text/plain", "Metadata": {"who": "me"}, "CacheControl": "no-cache"}
        put_object {"Bucket": "alpha", "Key": "photos/é%41&<.jpg", "Body": "", "StorageClass": "STANDARD_IA"}
        put_object {"Bucket": "alpha", "Key": "/x", "Body": "1"}
        put_object {"Bucket": "alpha", "Key": "a//b", "Body": "2"}
        put_object {"Bucket": "alpha", "Key": "dir/", "Body": "3"}
        get_object {"Bucket": "alpha", "Key": "a b+c.txt"}
        get_object {"Bucket": "alpha", "Key": "a b+c.txt", "Range": "bytes=1-2"}
        get_object {"Bucket": "alpha", "Key": "a b+c.txt", "Range": "nonsense"}
        get_object {"Bucket": "alpha", "Key": "a//b"}
        head_object {"Bucket": "alpha", "Key": "photos/é%41&<.jpg"}
        list_objects {"Bucket": "alpha"}
        list_objects {"Bucket": "alpha", "Delimiter": "/", "MaxKeys": 2}
        list_objects_v2 {"Bucket": "alpha", "Prefix": "photos/", "FetchOwner": true}
        list_objects_v2 {"Bucket": "alpha", "StartAfter": "b", "MaxKeys": 1}
        copy_object {"Bucket": "alpha", "Key": "copy é+%", "CopySource": {"Bucket": "alpha", "Key": "a b+c.txt"}}
        get_object {"Bucket": "alpha", "Key": "copy é+%"}
        delete_object {"Bucket": "alpha", "Key": "a b+c.txt"}
        delete_object {"Bucket": "alpha", "Key": "a b+c.txt"}
        delete_objects {"Bucket": "alpha", "Delete": {"Objects": [{"Key": "/x"}, {"Key": "photos/é%41&<.jpg"}, {"Key": " copy "}]}}
        delete_bucket {"Bucket": "beta-west"}
        "#,
        expect![[r#"
            list_buckets {}
                {Buckets: [], Owner: {ID: "d1a10902a9100000000000000000000000000000000000000000000000000001"}}
            create_bucket {"Bucket": "alpha"}
                {Location: "/alpha"}
            create_bucket {"Bucket": "beta-west", "CreateBucketConfiguration": {"LocationConstraint": "us-west-2"}}
                {Location: "http://beta-west.s3.amazonaws.com/"}
            head_bucket {"Bucket": "beta-west"}
                {BucketRegion: "us-west-2", AccessPointAlias: false}
            get_bucket_location {"Bucket": "alpha"}
                {LocationConstraint: None}
            get_bucket_location {"Bucket": "beta-west"}
                {LocationConstraint: "us-west-2"}
            list_buckets {"Prefix": "b"}
                {Buckets: [{Name: "beta-west", CreationDate: 2024-01-01T00:00:01Z, BucketRegion: "us-west-2"}], Owner: {ID: "d1a10902a9100000000000000000000000000000000000000000000000000001"}, Prefix: "b"}
            put_object {"Bucket": "alpha", "Key": "a b+c.txt", "Body": "hello", "ContentType": "text/plain", "Metadata": {"who": "me"}, "CacheControl": "no-cache"}
                {ETag: "\"5d41402abc4b2a76b9719d911017c592\"", ChecksumCRC32: "NhCmhg==", ChecksumType: "FULL_OBJECT", ServerSideEncryption: "AES256"}
            put_object {"Bucket": "alpha", "Key": "photos/é%41&<.jpg", "Body": "", "StorageClass": "STANDARD_IA"}
                {ETag: "\"d41d8cd98f00b204e9800998ecf8427e\"", ChecksumCRC32: "AAAAAA==", ChecksumType: "FULL_OBJECT", ServerSideEncryption: "AES256"}
            put_object {"Bucket": "alpha", "Key": "/x", "Body": "1"}
                {ETag: "\"c4ca4238a0b923820dcc509a6f75849b\"", ChecksumCRC32: "g9zvtw==", ChecksumType: "FULL_OBJECT", ServerSideEncryption: "AES256"}
            put_object {"Bucket": "alpha", "Key": "a//b", "Body": "2"}
                {ETag: "\"c81e728d9d4c2f636f067f89cc14862c\"", ChecksumCRC32: "GtW+DQ==", ChecksumType: "FULL_OBJECT", ServerSideEncryption: "AES256"}
            put_object {"Bucket": "alpha", "Key": "dir/", "Body": "3"}
                {ETag: "\"eccbc87e4b5ce2fe28308fd9f2a7baf3\"", ChecksumCRC32: "bdKOmw==", ChecksumType: "FULL_OBJECT", ServerSideEncryption: "AES256"}
            get_object {"Bucket": "alpha", "Key": "a b+c.txt"}
                {AcceptRanges: "bytes", LastModified: 2024-01-01T00:00:02Z, ContentLength: 5, ETag: "\"5d41402abc4b2a76b9719d911017c592\"", ChecksumCRC32: "NhCmhg==", ChecksumType: "FULL_OBJECT", CacheControl: "no-cache", ContentType: "text/plain", ServerSideEncryption: "AES256", Metadata: {who: "me"}, Body: b"hello"}
            get_object {"Bucket": "alpha", "Key": "a b+c.txt", "Range": "bytes=1-2"}
                {AcceptRanges: "bytes", LastModified: 2024-01-01T00:00:02Z, ContentLength: 2, ETag: "\"5d41402abc4b2a76b9719d911017c592\"", CacheControl: "no-cache", ContentRange: "bytes 1-2/5", ContentType: "text/plain", ServerSideEncryption: "AES256", Metadata: {who: "me"}, Body: b"el"}
            get_object {"Bucket": "alpha", "Key": "a b+c.txt", "Range": "nonsense"}
                {AcceptRanges: "bytes", LastModified: 2024-01-01T00:00:02Z, ContentLength: 5, ETag: "\"5d41402abc4b2a76b9719d911017c592\"", ChecksumCRC32: "NhCmhg==", ChecksumType: "FULL_OBJECT", CacheControl: "no-cache", ContentType: "text/plain", ServerSideEncryption: "AES256", Metadata: {who: "me"}, Body: b"hello"}
            get_object {"Bucket": "alpha", "Key": "a//b"}
                {AcceptRanges: "bytes", LastModified: 2024-01-01T00:00:05Z, ContentLength: 1, ETag: "\"c81e728d9d4c2f636f067f89cc14862c\"", ChecksumCRC32: "GtW+DQ==", ChecksumType: "FULL_OBJECT", ContentType: "binary/octet-stream", ServerSideEncryption: "AES256", Metadata: {}, Body: b"2"}
            head_object {"Bucket": "alpha", "Key": "photos/é%41&<.jpg"}
                {AcceptRanges: "bytes", LastModified: 2024-01-01T00:00:03Z, ContentLength: 0, ETag: "\"d41d8cd98f00b204e9800998ecf8427e\"", ContentType: "binary/octet-stream", ServerSideEncryption: "AES256", Metadata: {}, StorageClass: "STANDARD_IA"}
            list_objects {"Bucket": "alpha"}
                {IsTruncated: false, Marker: "", Contents: [{Key: "/x", LastModified: 2024-01-01T00:00:04Z, ETag: "\"c4ca4238a0b923820dcc509a6f75849b\"", ChecksumAlgorithm: ["CRC32"], ChecksumType: "FULL_OBJECT", Size: 1, StorageClass: "STANDARD", Owner: {ID: "d1a10902a9100000000000000000000000000000000000000000000000000001"}}, {Key: "a b+c.txt", LastModified: 2024-01-01T00:00:02Z, ETag: "\"5d41402abc4b2a76b9719d911017c592\"", ChecksumAlgorithm: ["CRC32"], ChecksumType: "FULL_OBJECT", Size: 5, StorageClass: "STANDARD", Owner: {ID: "d1a10902a9100000000000000000000000000000000000000000000000000001"}}, {Key: "a//b", LastModified: 2024-01-01T00:00:05Z, ETag: "\"c81e728d9d4c2f636f067f89cc14862c\"", ChecksumAlgorithm: ["CRC32"], ChecksumType: "FULL_OBJECT", Size: 1, StorageClass: "STANDARD", Owner: {ID: "d1a10902a9100000000000000000000000000000000000000000000000000001"}}, {Key: "dir/", LastModified: 2024-01-01T00:00:06Z, ETag: "\"eccbc87e4b5ce2fe28308fd9f2a7baf3\"", ChecksumAlgorithm: ["CRC32"], ChecksumType: "FULL_OBJECT", Size: 1, StorageClass: "STANDARD", Owner: {ID: "d1a10902a9100000000000000000000000000000000000000000000000000001"}}, {Key: "photos/é%41&<.jpg", LastModified: 2024-01-01T00:00:03Z, ETag: "\"d41d8cd98f00b204e9800998ecf8427e\"", ChecksumAlgorithm: ["CRC32"], ChecksumType: "FULL_OBJECT", Size: 0, StorageClass: "STANDARD_IA", Owner: {ID: "d1a10902a9100000000000000000000000000000000000000000000000000001"}}], Name: "alpha", Prefix: "", MaxKeys: 1000, EncodingType: "url"}
            list_objects {"Bucket": "alpha", "Delimiter": "/", "MaxKeys": 2}
                {IsTruncated: true, Marker: "", NextMarker: "a b+c.txt", Contents: [{Key: "a b+c.txt", LastModified: 2024-01-01T00:00:02Z, ETag: "\"5d41402abc4b2a76b9719d911017c592\"", ChecksumAlgorithm: ["CRC32"], ChecksumType: "FULL_OBJECT", Size: 5, StorageClass: "STANDARD", Owner: {ID: "d1a10902a9100000000000000000000000000000000000000000000000000001"}}], Name: "alpha", Prefix: "", Delimiter: "/", MaxKeys: 2, CommonPrefixes: [{Prefix: "/"}], EncodingType: "url"}
            list_objects_v2 {"Bucket": "alpha", "Prefix": "photos/", "FetchOwner": true}
                {IsTruncated: false, Contents: [{Key: "photos/é%41&<.jpg", LastModified: 2024-01-01T00:00:03Z, ETag: "\"d41d8cd98f00b204e9800998ecf8427e\"", ChecksumAlgorithm: ["CRC32"], ChecksumType: "FULL_OBJECT", Size: 0, StorageClass: "STANDARD_IA", Owner: {ID: "d1a10902a9100000000000000000000000000000000000000000000000000001"}}], Name: "alpha", Prefix: "photos/", MaxKeys: 1000, EncodingType: "url", KeyCount: 1}
            list_objects_v2 {"Bucket": "alpha", "StartAfter": "b", "MaxKeys": 1}
                {IsTruncated: true, Contents: [{Key: "dir/", LastModified: 2024-01-01T00:00:06Z, ETag: "\"eccbc87e4b5ce2fe28308fd9f2a7baf3\"", ChecksumAlgorithm: ["CRC32"], ChecksumType: "FULL_OBJECT", Size: 1, StorageClass: "STANDARD"}], Name: "alpha", Prefix: "", MaxKeys: 1, EncodingType: "url", KeyCount: 1, NextContinuationToken: "ZN5pymRpci8", StartAfter: "b"}
            copy_object {"Bucket": "alpha", "Key": "copy é+%", "CopySource": {"Bucket": "alpha", "Key": "a b+c.txt"}}
                {ServerSideEncryption: "AES256", CopyObjectResult: {ETag: "\"5d41402abc4b2a76b9719d911017c592\"", LastModified: 2024-01-01T00:00:07Z, ChecksumType: "FULL_OBJECT", ChecksumCRC32: "NhCmhg=="}}
            get_object {"Bucket": "alpha", "Key": "copy é+%"}
                {AcceptRanges: "bytes", LastModified: 2024-01-01T00:00:07Z, ContentLength: 5, ETag: "\"5d41402abc4b2a76b9719d911017c592\"", ChecksumCRC32: "NhCmhg==", ChecksumType: "FULL_OBJECT", CacheControl: "no-cache", ContentType: "text/plain", ServerSideEncryption: "AES256", Metadata: {who: "me"}, Body: b"hello"}
            delete_object {"Bucket": "alpha", "Key": "a b+c.txt"}
                {}
            delete_object {"Bucket": "alpha", "Key": "a b+c.txt"}
                {}
            delete_objects {"Bucket": "alpha", "Delete": {"Objects": [{"Key": "/x"}, {"Key": "photos/é%41&<.jpg"}, {"Key": " copy "}]}}
                {Deleted: [{Key: "/x"}, {Key: "photos/é%41&<.jpg"}, {Key: " copy "}]}
            delete_bucket {"Bucket": "beta-west"}
                {}
        "#]],
    )
    .await;
}

#[tokio::test]
async fn refusals_come_through_with_their_details() {
    check(
        r#"
        create_bucket {"Bucket": "alpha"}
        create_bucket {"Bucket": "Bad_Name"}
        create_bucket {"Bucket": "beta", "CreateBucketConfiguration": {"LocationConstraint": "moon"}}
        put_object {"Bucket": "alpha", "Key": "k", "Body": "x"}
        delete_bucket {"Bucket": "alpha"}
        delete_bucket {"Bucket": "nope"}
        head_bucket {"Bucket": "nope"}
        get_object {"Bucket": "alpha", "Key": "nope"}
        head_object {"Bucket": "alpha", "Key": "nope"}
        get_object {"Bucket": "nope", "Key": "k"}
        get_object {"Bucket": "alpha", "Key": "k", "Range": "bytes=7-"}
        get_object {"Bucket": "alpha", "Key": "k", "IfNoneMatch": "*"}
        get_object {"Bucket": "alpha", "Key": "k", "IfMatch": "\"0\""}
        put_object {"Bucket": "alpha", "Key": "k", "Body": "y", "IfNoneMatch": "*"}
        list_objects_v2 {"Bucket": "alpha", "ContinuationToken": "made up"}
        copy_object {"Bucket": "alpha", "Key": "k", "CopySource": {"Bucket": "alpha", "Key": "k"}}
        copy_object {"Bucket": "alpha", "Key": "k", "CopySource": {"Bucket": "alpha", "Key": "nope"}}
        put_object {"Bucket": "alpha", "Key": "k", "Body": "x", "Tagging": "a=b"}
        "#,
        expect![[r#"
            create_bucket {"Bucket": "alpha"}
                {Location: "/alpha"}
            create_bucket {"Bucket": "Bad_Name"}
                400 InvalidBucketName: The specified bucket is not valid. {BucketName: "Bad_Name"}
            create_bucket {"Bucket": "beta", "CreateBucketConfiguration": {"LocationConstraint": "moon"}}
                400 InvalidLocationConstraint: The specified location-constraint is not valid {LocationConstraint: "moon"}
            put_object {"Bucket": "alpha", "Key": "k", "Body": "x"}
                {ETag: "\"9dd4e461268c8034f5c8564e155c67a6\"", ChecksumCRC32: "jNwWgw==", ChecksumType: "FULL_OBJECT", ServerSideEncryption: "AES256"}
            delete_bucket {"Bucket": "alpha"}
                409 BucketNotEmpty: The bucket you tried to delete is not empty {BucketName: "alpha"}
            delete_bucket {"Bucket": "nope"}
                404 NoSuchBucket: The specified bucket does not exist {BucketName: "nope"}
            head_bucket {"Bucket": "nope"}
                404 404: Not Found {}
            get_object {"Bucket": "alpha", "Key": "nope"}
                404 NoSuchKey: The specified key does not exist. {Key: "nope"}
            head_object {"Bucket": "alpha", "Key": "nope"}
                404 404: Not Found {}
            get_object {"Bucket": "nope", "Key": "k"}
                404 NoSuchBucket: The specified bucket does not exist {BucketName: "nope"}
            get_object {"Bucket": "alpha", "Key": "k", "Range": "bytes=7-"}
                416 InvalidRange: The requested range is not satisfiable {RangeRequested: "bytes=7-", ActualObjectSize: "1"}
            get_object {"Bucket": "alpha", "Key": "k", "IfNoneMatch": "*"}
                304 304: Not Modified {}
            get_object {"Bucket": "alpha", "Key": "k", "IfMatch": "\"0\""}
                412 PreconditionFailed: At least one of the pre-conditions you specified did not hold {Condition: "If-Match"}
            put_object {"Bucket": "alpha", "Key": "k", "Body": "y", "IfNoneMatch": "*"}
                412 PreconditionFailed: At least one of the pre-conditions you specified did not hold {Condition: "If-None-Match"}
            list_objects_v2 {"Bucket": "alpha", "ContinuationToken": "made up"}
                400 InvalidArgument: The continuation token provided is incorrect {ArgumentName: "continuation-token", ArgumentValue: "made up"}
            copy_object {"Bucket": "alpha", "Key": "k", "CopySource": {"Bucket": "alpha", "Key": "k"}}
                400 InvalidRequest: This copy request is illegal because it is trying to copy an object to itself without changing the object's metadata, storage class, website redirect location or encryption attributes. {}
            copy_object {"Bucket": "alpha", "Key": "k", "CopySource": {"Bucket": "alpha", "Key": "nope"}}
                404 NoSuchKey: The specified key does not exist. {Key: "nope"}
            put_object {"Bucket": "alpha", "Key": "k", "Body": "x", "Tagging": "a=b"}
                {ETag: "\"9dd4e461268c8034f5c8564e155c67a6\"", ChecksumCRC32: "jNwWgw==", ChecksumType: "FULL_OBJECT", ServerSideEncryption: "AES256"}
        "#]],
    )
    .await;
}

#[tokio::test]
async fn a_wrong_secret_gets_nowhere() {
    let wrong = AccessKey {
        secret: "not-the-secret".to_owned(),
        ..key()
    };
    let remote = connect(world(), &wrong).await;
    expect!["FAILED: S3 at http://s3.test: the credentials were not accepted (SignatureDoesNotMatch: The request signature we calculated does not match the signature you provided. Check your key and signing method.); check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or name another profile"].assert_eq(&run(&remote, "list_buckets {}").await);
    let unknown = AccessKey {
        id: "AKIANOBODY".to_owned(),
        ..key()
    };
    let remote = connect(world(), &unknown).await;
    expect!["FAILED: S3 at http://s3.test: the credentials were not accepted (InvalidAccessKeyId: The AWS Access Key Id you provided does not exist in our records.); check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or name another profile"].assert_eq(&run(&remote, "list_buckets {}").await);
}

/// A world that is out of order.
struct Broken;

#[async_trait::async_trait]
impl World for Broken {
    async fn call(&self, _: &str, _: &Value) -> Result<Answer> {
        Err(Error::world("the disk at /private is full"))
    }
    fn fork(&self) -> Option<Arc<dyn World>> {
        None
    }
    async fn state(&self, _: &mut Signer) -> Result<()> {
        Ok(())
    }
    fn describe(&self) -> String {
        "broken".to_owned()
    }
}

#[tokio::test]
async fn our_own_failures_are_told_to_the_owner_and_not_to_clients() {
    let (tell, mut told) = tokio::sync::mpsc::unbounded_channel();
    let options = ServiceOptions {
        on_failure: Box::new(move |error| {
            let _ = tell.send(error.to_string());
        }),
        ..ServiceOptions::default()
    };
    let service = Service::with_options(Arc::new(Broken), &key(), options);
    let remote = through(service, &key()).await;
    let said = run(&remote, r#"get_object {"Bucket": "alpha", "Key": "k"}"#).await;
    assert!(!said.contains("private"), "{said}");
    assert!(said.contains("InternalError"), "{said}");
    let heard = told.recv().await;
    assert_eq!(heard.as_deref(), Some("the disk at /private is full"));
}

#[tokio::test]
async fn requests_at_the_same_time_are_all_answered() {
    let world = world();
    let server = crate::serve::support::serve(world.clone()).await;
    let options = options(&server.endpoint(), &key());
    let remote = Remote::connect(&options)
        .await
        .expect("nothing is sent yet");
    let remote = Arc::new(remote);
    run(&*remote, r#"create_bucket {"Bucket": "alpha"}"#).await;
    let puts = (0..64).map(|number| {
        let remote = remote.clone();
        tokio::spawn(async move {
            let body = "x".repeat(number * 1000);
            let at = format!(r#""Bucket": "alpha", "Key": "k{number:02}""#);
            let put = format!(r#"put_object {{{at}, "Body": "{body}"}}"#);
            run(&*remote, &put).await;
            run(&*remote, &format!("get_object {{{at}}}")).await
        })
    });
    for (number, got) in puts.collect::<Vec<_>>().into_iter().enumerate() {
        let got = got.await.expect("no panic");
        let length = format!("ContentLength: {},", number * 1000);
        assert!(got.contains(&length), "{length} is not in {got}");
    }
    assert_eq!(signature(&*remote).await, signature(&*world).await);
    server.stop().await;
}
