//! One set of programs on every backend, each on an account without buckets: the
//! outcome and the signature must not depend on the backend.
//!
//! Our own backends agree on every program. The differences of other servers are spelled
//! out here, so that a new version that behaves differently fails the test.

use crate::support;
use crate::support::rclone;
use crate::support::tools::needs;
use crate::support::weed;
use dialog2api::dialogue::Outcome;
use dialog2api::domain::s3::clock::Clock;
use dialog2api::domain::s3::memory::Store;
use dialog2api::domain::s3::serve::{Service, http_client};
use dialog2api::domain::s3::{AccessKey, Memory, Overlay, Remote, RemoteOptions};
use dialog2api::domain::{Value, World, signature};
use dialog2api::exec::{Engine, Limits, Seed};
use expect_test::{Expect, expect};
use std::fmt::Write;
use std::sync::Arc;

const PROGRAMS: &str = include_str!("backends/programs.py");

/// What each program came to: its name, the signature after it, and its outcome.
type Results = Vec<(String, String, String)>;

#[tokio::test(flavor = "multi_thread")]
async fn the_store_over_the_wire_and_overlays_are_the_store() {
    let engine = support::sandbox().await;
    let here = embedded(&engine).await;
    let wire = all(&engine, || async { remote_through(memory()).await }).await;
    assert_eq!(here, wire, "through the SDK and an S3 service");
    let overlay = all(&engine, || async { over(memory()) }).await;
    assert_eq!(here, overlay, "on an overlay");
    let both = all(&engine, || async { over(remote_through(memory()).await) }).await;
    assert_eq!(here, both, "on an overlay over an S3 service");
}

#[tokio::test(flavor = "multi_thread")]
async fn seaweedfs_differs_only_in_these() {
    needs!(WEED);
    let server = weed::Weed::start();
    let world = connect(&server.endpoint, weed::KEY, weed::SECRET).await;
    check_server(
        world,
        expect![[r#"
        a bucket in another region
            S3:    "eu-west-1"
            here:  null
        a key that begins with a slash
            S3:    ["/x"]
            here:  ["x"]
        a key with two slashes
            S3:    ["a//b"]
            here:  ["a/b"]
        a folder that is an object
            S3:    "body"
            here:  ""
        a key below another key
            S3:    ["a","a/","a/b","a/b/c"]
            here:  ExistingObjectIsFile
        the order of keys is that of their bytes
            S3:    ["B","a","a.txt","a/b","b","z","é"]
            here:  ["B","a","a/b","a.txt","b","z","é"]
        39 programs
    "#]],
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn rclone_differs_only_in_these() {
    needs!(RCLONE);
    let server = rclone::Rclone::start();
    let world = connect(&server.endpoint, rclone::KEY, rclone::SECRET).await;
    check_server(world, expect![[r#"
        a key that does not exist
            S3:    ["NoSuchKey","An error occurred (NoSuchKey) when calling the GetObject operation: The specified key does not exist."]
            here:  ["NoSuchKey","An error occurred (NoSuchKey) when calling the GetObject operation: Unknown"]
        a listing with a prefix
            S3:    [["photos/1.jpg",12,"\"9d82a4fdc66eb4fb753bb14924ea4f99\""],["photos/2.jpg",12,"\"4d0d4a08fa2846d039bded5bd8a18d69\""]]
            here:  [["photos/1.jpg",12,"9d82a4fdc66eb4fb753bb14924ea4f99"],["photos/2.jpg",12,"4d0d4a08fa2846d039bded5bd8a18d69"]]
        a write that only counts when nothing is there
            S3:    ["PreconditionFailed","first"]
            here:  null
        a read that only counts when it is the version expected
            S3:    ["first","PreconditionFailed"]
            here:  null
        a bucket in another region
            S3:    "eu-west-1"
            here:  null
        a key that begins with a slash
            S3:    ["/x"]
            here:  InvalidArgument
        a key with two slashes
            S3:    ["a//b"]
            here:  InvalidArgument
        a folder that is an object
            S3:    "body"
            here:  "body"
            the state differs
        a key below another key
            S3:    ["a","a/","a/b","a/b/c"]
            here:  InternalError
        the order of keys is that of their bytes
            S3:    ["B","a","a.txt","a/b","b","z","é"]
            here:  InternalError
        a delimiter that is not a slash
            S3:    ["2023-","2024-"]
            here:  KeyError
        a copy onto itself
            S3:    InvalidRequest
            here:  null
        a listing of nothing
            S3:    [0,false]
            here:  [1,false]
        39 programs
    "#]]).await;
}

/// Runs every program on a server that is emptied in between, and compares what
/// differs from the embedded store: the outcome there, and `state` where that is another.
async fn check_server(world: Arc<dyn World>, expected: Expect) {
    let engine = support::sandbox().await;
    let here = embedded(&engine).await;
    let there = all(&engine, || async {
        empty(&*world).await;
        world.clone()
    })
    .await;
    let mut text = String::new();
    for ((name, signature, outcome), (_, other, there)) in here.iter().zip(&there) {
        if (signature, outcome) != (other, there) {
            let _ = writeln!(text, "{name}\n    S3:    {outcome}\n    here:  {there}");
            if outcome == there {
                let _ = writeln!(text, "    the state differs");
            }
        }
    }
    let _ = writeln!(text, "{} programs", here.len());
    expected.assert_eq(&text);
}

async fn embedded(engine: &Engine) -> Results {
    all(engine, || async { memory() }).await
}

/// Runs every program, each in a world of its own.
async fn all<F: Future<Output = Arc<dyn World>>>(
    engine: &Engine,
    world: impl Fn() -> F,
) -> Results {
    let mut results = Vec::new();
    for program in PROGRAMS.split("#: ").skip(1) {
        let (name, body) = program.split_once('\n').expect("a name, then the program");
        let world = world().await;
        let done = engine
            .run(body, &world, &Limits::default(), &Seed::default())
            .await
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        let outcome = match &done.outcome {
            Outcome::Result(value) => value.to_string(),
            Outcome::Error(error) => error.error.clone(),
        };
        let signed = signature(&*world, [&done.outcome]).await;
        let signed = signed.unwrap_or_else(|error| panic!("{name}: {error}"));
        results.push((name.to_owned(), signed.to_string(), outcome));
    }
    results
}

fn memory() -> Arc<dyn World> {
    let start = "2024-01-01T00:00:00Z".parse().expect("a time");
    Arc::new(Memory::new("test", Store::new(Clock::Steps(start))))
}

fn over(base: Arc<dyn World>) -> Arc<dyn World> {
    let start = "2024-01-01T00:00:00Z".parse().expect("a time");
    Arc::new(Overlay::over(base, Clock::Steps(start), "us-east-1"))
}

async fn remote_through(world: Arc<dyn World>) -> Arc<dyn World> {
    let options = options("http://localhost", "AKIAEXAMPLE", "secret-of-the-test");
    let key = options.access_key.clone().expect("it has one");
    let client = http_client(Service::new(world, &key));
    let remote = Remote::connect_through(&options, client).await;
    Arc::new(remote.expect("nothing is sent yet"))
}

async fn connect(endpoint: &str, id: &str, secret: &str) -> Arc<dyn World> {
    let remote = Remote::connect(&options(endpoint, id, secret))
        .await
        .expect("a world");
    // The port answers a little before the service behind it does.
    for _ in 0..100 {
        if let Ok(Ok(_)) = remote.call("list_buckets", &Value::Map(Vec::new())).await {
            return Arc::new(remote);
        }
    }
    panic!("{endpoint} listens and does not answer")
}

fn options(endpoint: &str, id: &str, secret: &str) -> RemoteOptions {
    RemoteOptions {
        endpoint_url: Some(endpoint.to_owned()),
        region: Some("us-east-1".to_owned()),
        access_key: Some(AccessKey {
            id: id.to_owned(),
            secret: secret.to_owned(),
        }),
        ..RemoteOptions::default()
    }
}

/// Deletes every bucket with what is in it.
async fn empty(world: &dyn World) {
    let listed = ask(world, "list_buckets", Value::Map(Vec::new())).await;
    for bucket in names(&listed, "Buckets", "Name") {
        let one = |key: Option<String>| {
            let mut params = vec![("Bucket".into(), Value::Str(bucket.clone()))];
            params.extend(key.map(|key| ("Key".into(), Value::Str(key))));
            Value::Map(params)
        };
        let page = ask(world, "list_objects_v2", one(None)).await;
        for key in names(&page, "Contents", "Key") {
            ask(world, "delete_object", one(Some(key))).await;
        }
        ask(world, "delete_bucket", one(None)).await;
    }
}

async fn ask(world: &dyn World, operation: &str, params: Value) -> Value {
    let answer = world.call(operation, &params).await.expect("an answer");
    answer.unwrap_or_else(|refusal| panic!("{operation} {params:?}: {refusal:?}"))
}

fn names(answer: &Value, list: &str, field: &str) -> Vec<String> {
    let items = answer
        .get(list)
        .and_then(Value::as_list)
        .unwrap_or_default();
    let names = items.iter().filter_map(|item| item.get(field)?.as_str());
    names.map(str::to_owned).collect()
}
