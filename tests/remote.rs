//! The world on a real S3 server: SeaweedFS, started by the test on loopback.
//!
//! `check` runs calls written as `operation {parameters as JSON}` and compares
//! what comes back, one line a call. What a server makes up (times, request
//! ids) is replaced by its kind.

#[path = "support/weed.rs"]
mod weed;

use dialog2api::Error;
use dialog2api::domain::s3::{AccessKey, Remote, RemoteOptions};
use dialog2api::domain::{Signer, Value, World};
use expect_test::{Expect, expect};
use weed::Weed;

#[tokio::test]
async fn every_operation_answers_as_boto3_does() {
    let weed = Weed::start();
    let world = connect(&weed).await;
    check(
        &world,
        r#"
        list_buckets {}
        create_bucket {"Bucket": "alpha"}
        create_bucket {"Bucket": "alpha"}
        head_bucket {"Bucket": "alpha"}
        get_bucket_location {"Bucket": "alpha"}
        list_buckets {}
        put_object {"Bucket": "alpha", "Key": "a b+c.txt", "Body": "hello", "ContentType": "text/plain", "Metadata": {"who": "me"}}
        put_object {"Bucket": "alpha", "Key": "photos/1.jpg", "Body": ""}
        put_object {"Bucket": "alpha", "Key": "photos/é%41&<.jpg", "Body": "x"}
        get_object {"Bucket": "alpha", "Key": "a b+c.txt"}
        get_object {"Bucket": "alpha", "Key": "a b+c.txt", "Range": "bytes=1-2"}
        head_object {"Bucket": "alpha", "Key": "a b+c.txt"}
        list_objects {"Bucket": "alpha"}
        list_objects {"Bucket": "alpha", "Delimiter": "/"}
        list_objects {"Bucket": "alpha", "MaxKeys": 1}
        list_objects_v2 {"Bucket": "alpha", "Prefix": "photos/"}
        list_objects_v2 {"Bucket": "alpha", "StartAfter": "b", "MaxKeys": 1}
        copy_object {"Bucket": "alpha", "Key": "copy é", "CopySource": {"Bucket": "alpha", "Key": "a b+c.txt"}}
        get_object {"Bucket": "alpha", "Key": "copy é"}
        delete_bucket {"Bucket": "alpha"}
        delete_object {"Bucket": "alpha", "Key": "a b+c.txt"}
        delete_object {"Bucket": "alpha", "Key": "a b+c.txt"}
        delete_objects {"Bucket": "alpha", "Delete": {"Objects": [{"Key": "photos/1.jpg"}, {"Key": "photos/é%41&<.jpg"}, {"Key": "copy é"}]}}
        list_objects_v2 {"Bucket": "alpha"}
        delete_bucket {"Bucket": "alpha"}
        list_buckets {}
        "#,
        expect![[r#"
            list_buckets {}
                {Buckets: [], Owner: {DisplayName: "admin", ID: "admin"}}
            create_bucket {"Bucket": "alpha"}
                {Location: "/alpha"}
            create_bucket {"Bucket": "alpha"}
                409 BucketAlreadyOwnedByYou: Your previous request to create the named bucket succeeded and you already own it. {Resource: …, BucketName: "alpha"}
            head_bucket {"Bucket": "alpha"}
                {}
            get_bucket_location {"Bucket": "alpha"}
                {LocationConstraint: None}
            list_buckets {}
                {Buckets: [{Name: "alpha", CreationDate: TIME}], Owner: {DisplayName: "admin", ID: "admin"}}
            put_object {"Bucket": "alpha", "Key": "a b+c.txt", "Body": "hello", "ContentType": "text/plain", "Metadata": {"who": "me"}}
                {ETag: "\"5d41402abc4b2a76b9719d911017c592\""}
            put_object {"Bucket": "alpha", "Key": "photos/1.jpg", "Body": ""}
                {ETag: "\"d41d8cd98f00b204e9800998ecf8427e\""}
            put_object {"Bucket": "alpha", "Key": "photos/é%41&<.jpg", "Body": "x"}
                {ETag: "\"9dd4e461268c8034f5c8564e155c67a6\""}
            get_object {"Bucket": "alpha", "Key": "a b+c.txt"}
                {AcceptRanges: "bytes", LastModified: TIME, ContentLength: 5, ETag: "\"5d41402abc4b2a76b9719d911017c592\"", ContentType: "text/plain", Metadata: {who: "me"}, Body: b"hello"}
            get_object {"Bucket": "alpha", "Key": "a b+c.txt", "Range": "bytes=1-2"}
                {AcceptRanges: "bytes", LastModified: TIME, ContentLength: 2, ETag: "\"5d41402abc4b2a76b9719d911017c592\"", ContentRange: "bytes 1-2/5", ContentType: "text/plain", Metadata: {who: "me"}, Body: b"el"}
            head_object {"Bucket": "alpha", "Key": "a b+c.txt"}
                {AcceptRanges: "bytes", LastModified: TIME, ContentLength: 5, ETag: "\"5d41402abc4b2a76b9719d911017c592\"", ContentType: "text/plain", Metadata: {who: "me"}}
            list_objects {"Bucket": "alpha"}
                {IsTruncated: false, Marker: "", Contents: [{Key: "a b+c.txt", LastModified: TIME, ETag: "\"5d41402abc4b2a76b9719d911017c592\"", Size: 5, StorageClass: "STANDARD", Owner: {DisplayName: "admin", ID: "admin"}}, {Key: "photos/1.jpg", LastModified: TIME, ETag: "\"d41d8cd98f00b204e9800998ecf8427e\"", Size: 0, StorageClass: "STANDARD", Owner: {DisplayName: "admin", ID: "admin"}}, {Key: "photos/é%41&<.jpg", LastModified: TIME, ETag: "\"9dd4e461268c8034f5c8564e155c67a6\"", Size: 1, StorageClass: "STANDARD", Owner: {DisplayName: "admin", ID: "admin"}}], Name: "alpha", Prefix: "", MaxKeys: 1000, EncodingType: "url"}
            list_objects {"Bucket": "alpha", "Delimiter": "/"}
                {IsTruncated: false, Marker: "", Contents: [{Key: "a b+c.txt", LastModified: TIME, ETag: "\"5d41402abc4b2a76b9719d911017c592\"", Size: 5, StorageClass: "STANDARD", Owner: {DisplayName: "admin", ID: "admin"}}], Name: "alpha", Prefix: "", Delimiter: "/", MaxKeys: 1000, CommonPrefixes: [{Prefix: "photos/"}], EncodingType: "url"}
            list_objects {"Bucket": "alpha", "MaxKeys": 1}
                {IsTruncated: true, Marker: "", NextMarker: "a b+c.txt", Contents: [{Key: "a b+c.txt", LastModified: TIME, ETag: "\"5d41402abc4b2a76b9719d911017c592\"", Size: 5, StorageClass: "STANDARD", Owner: {DisplayName: "admin", ID: "admin"}}], Name: "alpha", Prefix: "", MaxKeys: 1, EncodingType: "url"}
            list_objects_v2 {"Bucket": "alpha", "Prefix": "photos/"}
                {IsTruncated: false, Contents: [{Key: "photos/1.jpg", LastModified: TIME, ETag: "\"d41d8cd98f00b204e9800998ecf8427e\"", Size: 0, StorageClass: "STANDARD"}, {Key: "photos/é%41&<.jpg", LastModified: TIME, ETag: "\"9dd4e461268c8034f5c8564e155c67a6\"", Size: 1, StorageClass: "STANDARD"}], Name: "alpha", Prefix: "photos/", MaxKeys: 1000, EncodingType: "url", KeyCount: 2}
            list_objects_v2 {"Bucket": "alpha", "StartAfter": "b", "MaxKeys": 1}
                {IsTruncated: true, Contents: [{Key: "photos/1.jpg", LastModified: TIME, ETag: "\"d41d8cd98f00b204e9800998ecf8427e\"", Size: 0, StorageClass: "STANDARD"}], Name: "alpha", Prefix: "", MaxKeys: 1, EncodingType: "url", KeyCount: 1, NextContinuationToken: "photos/1.jpg", StartAfter: "b"}
            copy_object {"Bucket": "alpha", "Key": "copy é", "CopySource": {"Bucket": "alpha", "Key": "a b+c.txt"}}
                {CopyObjectResult: {ETag: "5d41402abc4b2a76b9719d911017c592", LastModified: TIME}}
            get_object {"Bucket": "alpha", "Key": "copy é"}
                {AcceptRanges: "bytes", LastModified: TIME, ContentLength: 5, ETag: "\"5d41402abc4b2a76b9719d911017c592\"", ContentType: "text/plain", Metadata: {who: "me"}, Body: b"hello"}
            delete_bucket {"Bucket": "alpha"}
                409 BucketNotEmpty: The bucket you tried to delete is not empty {Resource: …, BucketName: "alpha"}
            delete_object {"Bucket": "alpha", "Key": "a b+c.txt"}
                {}
            delete_object {"Bucket": "alpha", "Key": "a b+c.txt"}
                {}
            delete_objects {"Bucket": "alpha", "Delete": {"Objects": [{"Key": "photos/1.jpg"}, {"Key": "photos/é%41&<.jpg"}, {"Key": "copy é"}]}}
                {Deleted: [{Key: "photos/1.jpg"}, {Key: "photos/é%41&<.jpg"}, {Key: "copy é"}]}
            list_objects_v2 {"Bucket": "alpha"}
                {IsTruncated: false, Name: "alpha", Prefix: "", MaxKeys: 1000, EncodingType: "url", KeyCount: 0}
            delete_bucket {"Bucket": "alpha"}
                {}
            list_buckets {}
                {Buckets: [], Owner: {DisplayName: "admin", ID: "admin"}}
        "#]],
    )
    .await;
}

#[tokio::test]
async fn refusals_are_outcomes_of_the_program() {
    let weed = Weed::start();
    let world = connect(&weed).await;
    check(
        &world,
        r#"
        create_bucket {"Bucket": "alpha"}
        create_bucket {"Bucket": "Bad_Name"}
        head_bucket {"Bucket": "nope-bucket"}
        list_objects {"Bucket": "nope-bucket"}
        get_bucket_location {"Bucket": "nope-bucket"}
        delete_bucket {"Bucket": "nope-bucket"}
        put_object {"Bucket": "nope-bucket", "Key": "k", "Body": "x"}
        get_object {"Bucket": "alpha", "Key": "nope"}
        head_object {"Bucket": "alpha", "Key": "nope"}
        copy_object {"Bucket": "alpha", "Key": "k", "CopySource": {"Bucket": "alpha", "Key": "nope"}}
        copy_object {"Bucket": "alpha", "Key": "k"}
        delete_objects {"Bucket": "alpha", "Delete": {"Objects": []}}
        list_objects {"Bucket": "alpha", "MaxKeys": 99999999999}
        put_object {"Bucket": "alpha", "Key": "k", "Body": "x", "Metadata": {"n": "a\nb"}}
        put_object {"Bucket": "alpha", "Key": "k", "Body": "x", "SSECustomerKey": "s"}
        list_objects {"Bucket": "alpha"}
        "#,
        expect![[r#"
            create_bucket {"Bucket": "alpha"}
                {Location: "/alpha"}
            create_bucket {"Bucket": "Bad_Name"}
                400 InvalidBucketName: The specified bucket is not valid. {Resource: …, BucketName: "Bad_Name"}
            head_bucket {"Bucket": "nope-bucket"}
                404 404: Not Found {}
            list_objects {"Bucket": "nope-bucket"}
                404 NoSuchBucket: The specified bucket does not exist {Resource: …, BucketName: "nope-bucket"}
            get_bucket_location {"Bucket": "nope-bucket"}
                404 NoSuchBucket: The specified bucket does not exist {Resource: …, BucketName: "nope-bucket"}
            delete_bucket {"Bucket": "nope-bucket"}
                404 NoSuchBucket: The specified bucket does not exist {Resource: …, BucketName: "nope-bucket"}
            put_object {"Bucket": "nope-bucket", "Key": "k", "Body": "x"}
                404 NoSuchBucket: The specified bucket does not exist {Resource: …, Key: "k", BucketName: "nope-bucket"}
            get_object {"Bucket": "alpha", "Key": "nope"}
                404 NoSuchKey: The specified key does not exist. {Resource: …, Key: "nope", BucketName: "alpha"}
            head_object {"Bucket": "alpha", "Key": "nope"}
                404 404: Not Found {}
            copy_object {"Bucket": "alpha", "Key": "k", "CopySource": {"Bucket": "alpha", "Key": "nope"}}
                404 NoSuchKey: The specified key does not exist. {Resource: …, Key: "k", BucketName: "alpha"}
            copy_object {"Bucket": "alpha", "Key": "k"}
                400 InvalidArgument: Argument CopySource has a value of the wrong type or out of range {}
            delete_objects {"Bucket": "alpha", "Delete": {"Objects": []}}
                400 MalformedXML: The XML you provided was not well-formed or did not validate against our published schema {}
            list_objects {"Bucket": "alpha", "MaxKeys": 99999999999}
                400 InvalidArgument: Argument maxKeys must be an integer between 0 and 2147483647 {}
            put_object {"Bucket": "alpha", "Key": "k", "Body": "x", "Metadata": {"n": "a\nb"}}
                400 InvalidArgument: The request cannot be made: invalid field in input: metadata (details: `a
            b` cannot be used as a header value: failed to parse header value) {}
            put_object {"Bucket": "alpha", "Key": "k", "Body": "x", "SSECustomerKey": "s"}
                501 NotImplemented: The parameter SSECustomerKey implies functionality that is not implemented {}
            list_objects {"Bucket": "alpha"}
                {IsTruncated: false, Marker: "", Name: "alpha", Prefix: "", MaxKeys: 1000, EncodingType: "url"}
        "#]],
    )
    .await;
}

#[tokio::test]
async fn the_state_is_what_is_stored_and_nothing_else() {
    let weed = Weed::start();
    let world = connect(&weed).await;
    assert_eq!(signature(&world).await, Signer::new().signature());

    run(&world, r#"create_bucket {"Bucket": "beta"}"#).await;
    run(&world, r#"create_bucket {"Bucket": "alpha"}"#).await;
    let keys: Vec<String> = (0..40).map(|i| format!("k{i:02}")).collect();
    for key in keys.iter().rev() {
        let call =
            format!(r#"put_object {{"Bucket": "alpha", "Key": "{key}", "Body": "of {key}"}}"#);
        run(&world, &call).await;
    }
    run(
        &world,
        r#"put_object {"Bucket": "beta", "Key": "é +", "Body": ""}"#,
    )
    .await;

    let mut whole = Signer::new();
    whole.field(b'b', b"alpha");
    for key in &keys {
        add_object(&mut whole, key, &format!("of {key}"));
    }
    whole.field(b'b', b"beta");
    add_object(&mut whole, "é +", "");
    assert_eq!(signature(&world).await, whole.signature());

    run(&world, r#"get_object {"Bucket": "beta", "Key": "é +"}"#).await;
    assert_eq!(
        signature(&world).await,
        whole.signature(),
        "a read leaves no trace"
    );
    run(
        &world,
        r#"put_object {"Bucket": "beta", "Key": "é +", "Body": "!"}"#,
    )
    .await;
    assert_ne!(signature(&world).await, whole.signature());
    assert!(world.fork().is_none());
}

#[tokio::test]
async fn what_is_not_the_programs_fault_is_an_error_that_names_the_way_out() {
    let weed = Weed::start();
    let mut wrong = options(&weed.endpoint);
    wrong.access_key = Some(AccessKey {
        id: weed::KEY.to_owned(),
        secret: "not-the-secret".to_owned(),
    });
    let world = Remote::connect(&wrong).await.expect("nothing is sent yet");
    let error = list(&world).await.expect_err("the secret is wrong");
    expect!["S3 at ENDPOINT: the credentials were not accepted (SignatureDoesNotMatch: The request signature we calculated does not match the signature you provided. Check your key and signing method.); check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or name another profile"].assert_eq(&mended(&error, &weed.endpoint));
    assert!(!format!("{error:?} {world:?} {wrong:?}").contains("not-the-secret"));

    let endpoint = weed.endpoint.clone();
    drop(weed);
    let world = Remote::connect(&options(&endpoint))
        .await
        .expect("nothing is sent yet");
    let error = list(&world).await.expect_err("the server is gone");
    let said = mended(&error, &endpoint);
    assert!(said.starts_with("S3 at ENDPOINT: no answer ("), "{said}");
    assert!(
        said.ends_with("check that the server runs and that the endpoint is right"),
        "{said}"
    );
    assert!(
        said.contains("refused") && !said.contains(weed::SECRET),
        "{said}"
    );

    for endpoint in ["localhost:8333", "no url", "http://me:pass@127.0.0.1:1"] {
        let error = Remote::connect(&options(endpoint))
            .await
            .expect_err(endpoint);
        assert!(matches!(error, Error::Usage(_)), "{error}");
        assert!(!error.to_string().contains("pass@"), "{error}");
    }
    let mut unknown = options(&endpoint);
    unknown.access_key = None;
    unknown.profile = Some("there-is-no-such-profile".to_owned());
    let error = Remote::connect(&unknown)
        .await
        .expect_err("no such profile");
    expect![[r#"S3 at ENDPOINT: no usable credentials: the profile "there-is-no-such-profile" is not in the AWS configuration files or gives none (the credential provider was not enabled); set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or name a profile of ~/.aws/config that has credentials"#]].assert_eq(&mended(&error, &endpoint));
}

fn options(endpoint: &str) -> RemoteOptions {
    RemoteOptions {
        endpoint_url: Some(endpoint.to_owned()),
        region: Some("us-east-1".to_owned()),
        access_key: Some(AccessKey {
            id: weed::KEY.to_owned(),
            secret: weed::SECRET.to_owned(),
        }),
        ..RemoteOptions::default()
    }
}

async fn connect(weed: &Weed) -> Remote {
    let options = options(&weed.endpoint);
    let world = Remote::connect(&options).await.expect("a world");
    // The port answers a little before the service behind it does.
    for _ in 0..100 {
        if matches!(list(&world).await, Ok(Ok(_))) {
            return world;
        }
    }
    panic!("{} listens and does not answer", weed.endpoint)
}

async fn list(world: &Remote) -> dialog2api::Result<dialog2api::domain::Answer> {
    world.call("list_buckets", &Value::Map(Vec::new())).await
}

async fn signature(world: &Remote) -> dialog2api::domain::Signature {
    let mut signer = Signer::new();
    world.state(&mut signer).await.expect("the state");
    signer.signature()
}

fn add_object(signer: &mut Signer, key: &str, content: &str) {
    use sha2::{Digest, Sha256};
    signer.field(b'k', key.as_bytes());
    signer.field(b'h', &Sha256::digest(content));
}

fn mended(error: &Error, endpoint: &str) -> String {
    error.to_string().replace(endpoint, "ENDPOINT")
}

/// Runs the calls, one a line, and compares what they gave, one a line.
async fn check(world: &Remote, calls: &str, expected: Expect) {
    let mut said = String::new();
    for call in calls.lines().map(str::trim).filter(|line| !line.is_empty()) {
        said += &format!("{call}\n    {}\n", run(world, call).await);
    }
    expected.assert_eq(&said);
}

async fn run(world: &Remote, call: &str) -> String {
    let (operation, params) = call.split_once(' ').expect("operation {parameters}");
    let params = value(&serde_json::from_str(params).expect("parameters as JSON"));
    match world.call(operation, &params).await.expect("an answer") {
        Ok(answer) => show(&answer),
        Err(refusal) => {
            let details = show(&Value::Map(refusal.details));
            format!(
                "{} {}: {} {details}",
                refusal.status, refusal.code, refusal.message
            )
        }
    }
}

fn value(json: &serde_json::Value) -> Value {
    use serde_json::Value as Json;
    match json {
        Json::Null => Value::Null,
        Json::Bool(truth) => Value::Bool(*truth),
        Json::Number(number) => Value::Int(number.as_i64().expect("an integer")),
        Json::String(text) => Value::Str(text.clone()),
        Json::Array(items) => Value::List(items.iter().map(value).collect()),
        Json::Object(pairs) => Value::Map(
            pairs
                .iter()
                .map(|(key, item)| (key.clone().into(), value(item)))
                .collect(),
        ),
    }
}

fn show(value: &Value) -> String {
    match value {
        Value::Null => "None".to_owned(),
        Value::Time(_) => "TIME".to_owned(),
        Value::Int(int) => int.to_string(),
        Value::Bool(truth) => truth.to_string(),
        Value::Float(float) => float.to_string(),
        Value::Str(text) => format!("{text:?}"),
        Value::Bytes(bytes) => format!("b{:?}", String::from_utf8_lossy(bytes)),
        Value::List(items) => {
            let items: Vec<String> = items.iter().map(show).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Map(pairs) => {
            let pairs = pairs.iter().map(|(key, item)| match (&**key, item) {
                // What only this server says, and where it runs.
                ("RequestID" | "Resource" | "HostID", _) => format!("{key}: …"),
                _ => format!("{key}: {}", show(item)),
            });
            format!("{{{}}}", pairs.collect::<Vec<_>>().join(", "))
        }
    }
}
