//! The overlay on a real S3 server: SeaweedFS, started by the test on loopback.

use crate::support::tools::needs;
use crate::support::value;
use crate::support::weed;
use dialog2api::domain::s3::clock::Clock;
use dialog2api::domain::s3::memory::{Memory, Store};
use dialog2api::domain::s3::{AccessKey, Overlay, Remote, RemoteOptions};
use dialog2api::domain::{Signature, Value, World, signature};
use expect_test::expect;
use serde_json::{Value as Json, json};
use std::sync::Arc;
use value::value;
use weed::Weed;

/// What is on the server before.
fn setup() -> Vec<(&'static str, Json)> {
    let mut calls = vec![
        ("create_bucket", json!({"Bucket": "alpha"})),
        ("create_bucket", json!({"Bucket": "beta"})),
        (
            "put_object",
            json!({
                "Bucket": "alpha", "Key": "docs/read me+.txt", "Body": "hello",
                "ContentType": "text/plain", "Metadata": {"who": "me"},
            }),
        ),
        put("alpha", "é/ü %41.txt", "x"),
    ];
    calls.extend((0..40).map(|n| put("alpha", &format!("k/{n:02}"), "x")));
    calls
}

fn put(bucket: &str, key: &str, body: &str) -> (&'static str, Json) {
    let arguments = json!({"Bucket": bucket, "Key": key, "Body": body});
    ("put_object", arguments)
}

/// What a program does.
fn program() -> Vec<(&'static str, Json)> {
    let objects = |from: usize, to: usize| -> Json {
        let keys = (from..to).map(|n| json!({"Key": format!("k/{n:02}")}));
        keys.collect::<Vec<_>>().into()
    };
    let copy = |key: &str, source: &str| {
        let source = json!({"Bucket": "alpha", "Key": source});
        let arguments = json!({"Bucket": "beta", "Key": key, "CopySource": source});
        ("copy_object", arguments)
    };
    let alpha = |more: Json| {
        let mut arguments = json!({"Bucket": "alpha"});
        if let (Json::Object(all), Json::Object(more)) = (&mut arguments, more) {
            all.extend(more);
        }
        arguments
    };
    vec![
        copy("copy é", "docs/read me+.txt"),
        ("get_object", json!({"Bucket": "beta", "Key": "copy é"})),
        (
            "get_object",
            json!({"Bucket": "beta", "Key": "copy é", "Range": "bytes=1-2"}),
        ),
        copy("none", "nothing here"),
        put("alpha", "new/1", "12345"),
        put("alpha", "k/00", "other"),
        put("nowhere", "k", ""),
        (
            "put_object",
            json!({"Bucket": "alpha", "Key": "k/01", "IfNoneMatch": "*"}),
        ),
        ("delete_bucket", json!({"Bucket": "alpha"})),
        (
            "delete_objects",
            alpha(json!({"Delete": {"Objects": objects(3, 30), "Quiet": true}})),
        ),
        ("delete_object", alpha(json!({"Key": "é/ü %41.txt"}))),
        ("list_objects", alpha(json!({"MaxKeys": 5}))),
        (
            "list_objects",
            alpha(json!({"MaxKeys": 5, "Marker": "k/01"})),
        ),
        ("list_objects_v2", alpha(json!({"Delimiter": "/"}))),
        ("list_objects_v2", alpha(json!({"Prefix": "é"}))),
        (
            "list_objects_v2",
            alpha(json!({"MaxKeys": 3, "StartAfter": "k/30"})),
        ),
        (
            "delete_objects",
            alpha(json!({"Delete": {"Objects": objects(0, 40), "Quiet": true}})),
        ),
        ("delete_object", alpha(json!({"Key": "docs/read me+.txt"}))),
        ("list_objects_v2", alpha(json!({"Delimiter": "/"}))),
        ("delete_object", alpha(json!({"Key": "new/1"}))),
        ("delete_bucket", json!({"Bucket": "alpha"})),
        ("head_bucket", json!({"Bucket": "alpha"})),
        ("create_bucket", json!({"Bucket": "gamma"})),
        put("gamma", "k", "last"),
        ("list_buckets", json!({})),
    ]
}

#[tokio::test]
async fn what_is_planned_on_a_server_is_what_comes_of_it() {
    needs!(WEED);
    let weed = Weed::start();
    let server = Arc::new(connect(&weed).await);
    let start = "2024-01-01T00:00:00Z".parse().expect("a time");
    let store = Memory::new("store", Store::new(Clock::Steps(start)));
    for call in setup() {
        run(&*server, &call).await;
        run(&store, &call).await;
    }
    let before = signed(&*server).await;
    assert_eq!(before, signed(&store).await);

    let overlay = Overlay::over(server.clone(), Clock::System, "us-east-1");
    for call in program() {
        assert_eq!(
            run(&overlay, &call).await,
            run(&store, &call).await,
            "{call:?}"
        );
    }
    let planned = signed(&overlay).await;
    assert_eq!(planned, signed(&store).await);
    assert_eq!(signed(&*server).await, before, "the server was written to");
    let changes = overlay.changes();
    let mut lines: Vec<String> = changes.iter().map(ToString::to_string).collect();
    lines.retain(|line| !line.contains("alpha/k/"));
    expect![[r#"
        - alpha/docs/read me+.txt (5 bytes)
        - alpha/é/ü %41.txt (1 byte)
        - alpha/
        + beta/copy é (5 bytes)
        + gamma/
        + gamma/k (4 bytes)"#]]
    .assert_eq(&lines.join("\n"));
    // SeaweedFS deletes no bucket whose folder it has not tidied up yet.
    for call in program()
        .into_iter()
        .filter(|(name, _)| *name != "delete_bucket")
    {
        run(&*server, &call).await;
    }
    run(&*server, &("delete_bucket", json!({"Bucket": "alpha"}))).await;
    assert_eq!(signed(&*server).await, planned);
}

async fn connect(weed: &Weed) -> Remote {
    let options = RemoteOptions {
        endpoint_url: Some(weed.endpoint.clone()),
        region: Some("us-east-1".to_owned()),
        access_key: Some(AccessKey {
            id: weed::KEY.to_owned(),
            secret: weed::SECRET.to_owned(),
        }),
        ..RemoteOptions::default()
    };
    let world = Remote::connect(&options).await.expect("a world");
    // The port answers a little before the service behind it does.
    for _ in 0..100 {
        let params = Value::Map(Vec::new());
        if matches!(world.call("list_buckets", &params).await, Ok(Ok(_))) {
            return world;
        }
    }
    panic!("{} listens and does not answer", weed.endpoint)
}

async fn signed(world: &dyn World) -> Signature {
    signature(world, []).await.expect("a state")
}

/// Makes a call and shows what every server says: names, contents, codes.
async fn run(world: &dyn World, (operation, arguments): &(&str, Json)) -> String {
    let answer = world.call(operation, &value(arguments)).await;
    match answer.expect("an answer") {
        Err(refusal) => refusal.code,
        Ok(answer) => shown(&answer),
    }
}

fn shown(answer: &Value) -> String {
    let names = ["Contents", "CommonPrefixes", "Buckets"].map(|list| {
        let entries = answer
            .get(list)
            .and_then(Value::as_list)
            .unwrap_or_default();
        let names = entries.iter().filter_map(|entry| {
            let mut names = ["Key", "Prefix", "Name"].iter();
            names.find_map(|name| entry.get(name)?.as_str())
        });
        names.collect::<Vec<_>>().join(" ")
    });
    let fields = [
        "Body",
        "ContentType",
        "ContentLength",
        "ContentRange",
        "Metadata",
        "IsTruncated",
        "KeyCount",
    ];
    let fields = fields.map(|name| format!("{name} {:?}", answer.get(name)));
    format!("{names:?} {fields:?}")
}
