//! The dialogues of the datasets do what is recorded of them, also on overlays and over the
//! wire. Those of the paper's operations do it on a foreign server, too.
//!
//! - `replay/managing.rs`: those about managing buckets on the foreign server
//! - `replay/copies.rs`: the copies of worlds that such a replay makes

mod copies;
mod managing;

use crate::support;
use crate::support::tools::needs;
use crate::support::weed;
use dialog2api::dataset::{self, Dialogue, Difference, EmptyAccount, InitialWorlds, Replayer};
use dialog2api::dialogue::Transcript;
use dialog2api::domain::World;
use dialog2api::domain::s3::clock::Clock;
use dialog2api::domain::s3::memory::Store;
use dialog2api::domain::s3::serve::{Service, http_client};
use dialog2api::domain::s3::{AccessKey, Memory, Overlay, Remote, RemoteOptions, S3};
use expect_test::{Expect, expect};
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

/// The number of servers that share the work, which consists mostly of waiting.
const SERVERS: usize = 3;

/// The dialogues of the paper's operations, which every server has.
fn plain_dialogues() -> Vec<Dialogue> {
    read("datasets/s3")
}

fn dialogues() -> Vec<Dialogue> {
    let mut all = plain_dialogues();
    all.extend(read("datasets/s3-manage"));
    all.extend(read("datasets/s3-everyday"));
    all
}

fn read(dataset: &str) -> Vec<Dialogue> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(dataset);
    dataset::read(&folder).expect("a dataset")
}

async fn replayer() -> Replayer {
    Replayer::new(Arc::new(support::sandbox().await), &S3)
}

/// The signature after each turn, or why it broke off.
async fn signatures(
    replayer: &Replayer,
    transcript: &Transcript,
    world: Arc<dyn World>,
) -> Vec<String> {
    let replayed = replayer.replay(transcript, world).await;
    match replayed.expect("the sandbox and the world work") {
        Ok(turns) => turns
            .iter()
            .map(|turn| turn.signature.to_string())
            .collect(),
        Err((turn, violations)) => vec![format!("turn {turn}: {violations:?}")],
    }
}

/// Replays the dialogues on the embedded store and, started from the same, on what `other`
/// makes of it, and compares the signatures of all turns.
async fn check_backend<F: Future<Output = Arc<dyn World>>>(
    other: impl Fn(Arc<dyn World>) -> F,
    expected: Expect,
) {
    let (replayer, worlds, dialogues) = (replayer().await, InitialWorlds::new(&S3), dialogues());
    let mut differing = String::new();
    let step = if support::is_whole() { 1 } else { 5 };
    for dialogue in dialogues.iter().step_by(step) {
        let initial = || worlds.of(dialogue).expect("its world");
        let here = signatures(&replayer, &dialogue.transcript, initial()).await;
        let there = other(initial()).await;
        let there = signatures(&replayer, &dialogue.transcript, there).await;
        compare(&mut differing, dialogue, &here, &there);
    }
    expected.assert_eq(&differing);
}

fn compare(text: &mut String, dialogue: &Dialogue, here: &[String], there: &[String]) {
    if here != there {
        let uid = &dialogue.transcript.uid;
        let _ = writeln!(
            text,
            "{uid}\n    embedded: {here:?}\n    here:     {there:?}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn all_do_what_is_recorded_of_them() {
    let (replayer, worlds) = (replayer().await, InitialWorlds::new(&S3));
    let mut differing = String::new();
    for dialogue in dialogues() {
        let world = worlds.of(&dialogue).expect("its world");
        let verdict = replayer.verify(&dialogue.transcript, world).await;
        for difference in verdict.expect("the sandbox works").differences {
            // That nothing is missing is for the check of the dataset to say.
            if !matches!(difference, Difference::Unrecorded { .. }) {
                let _ = writeln!(differing, "{}: {difference}", dialogue.path.display());
            }
        }
    }
    assert_eq!(differing, "");
}

#[tokio::test(flavor = "multi_thread")]
async fn over_the_wire_all_do_the_same() {
    check_backend(|world| async { remote_through(world).await }, expect![""]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn on_an_overlay_all_do_the_same() {
    let start = "2024-01-01T00:00:00Z".parse().expect("a time");
    let over = |world| Arc::new(Overlay::over(world, Clock::Steps(start), "us-east-1"));
    check_backend(|world| async { over(world) as Arc<dyn World> }, expect![""]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn on_seaweedfs_all_do_the_same() {
    needs!(WEED);
    let (replayer, worlds) = (
        Arc::new(replayer().await),
        Arc::new(InitialWorlds::new(&S3)),
    );
    let mut dialogues = plain_dialogues();
    // Those of a world follow each other, and the two of a goal are on different servers.
    dialogues.sort_by(|one, other| one.world().cmp(&other.world()));
    let dialogues = Arc::new(dialogues);
    let shares: Vec<_> = (0..SERVERS)
        .map(|share| {
            let all = (replayer.clone(), worlds.clone(), dialogues.clone());
            tokio::spawn(async move {
                let (replayer, worlds, dialogues) = all;
                let mine = dialogues.iter().skip(share).step_by(SERVERS);
                on_a_server(&replayer, &worlds, mine).await
            })
        })
        .collect();
    let mut differing = String::new();
    for share in shares {
        differing += &share.await.expect("no panic");
    }
    expect![""].assert_eq(&differing);
}

/// What differs on a server that is started for it, and left as it was.
async fn on_a_server(
    replayer: &Replayer,
    worlds: &InitialWorlds,
    dialogues: impl Iterator<Item = &Dialogue>,
) -> String {
    let (_server, world) = server().await;
    let borrowed = EmptyAccount::take(&S3, world.clone())
        .await
        .expect("an empty server");
    let mut differing = String::new();
    for dialogue in dialogues {
        let initial = || worlds.of(dialogue).expect("its world");
        let here = signatures(replayer, &dialogue.transcript, initial()).await;
        let there = borrowed.starting_from(&*initial()).await;
        let there = there.unwrap_or_else(|error| panic!("{}: {error}", dialogue.transcript.uid));
        let there = signatures(replayer, &dialogue.transcript, there).await;
        compare(&mut differing, dialogue, &here, &there);
    }
    borrowed.empty().await.expect("it is emptied");
    EmptyAccount::take(&S3, world).await.expect("it is empty");
    differing
}

/// A server that answers. One of its other ports may have been taken by another test, and then
/// it listens and never answers: it is replaced.
async fn server() -> (weed::Weed, Arc<dyn World>) {
    for _ in 0..3 {
        let server = tokio::task::spawn_blocking(weed::Weed::start).await;
        let server = server.expect("a server");
        if let Some(world) = connect(&server.endpoint).await {
            return (server, world);
        }
    }
    panic!("three servers in a row listened and did not answer")
}

async fn connect(endpoint: &str) -> Option<Arc<dyn World>> {
    let options = options(endpoint, weed::KEY, weed::SECRET);
    let remote = Remote::connect(&options).await.expect("a world");
    // The port answers a little before the service behind it does.
    let started = std::time::Instant::now();
    while started.elapsed() < std::time::Duration::from_secs(60) {
        let params = dialog2api::domain::Value::Map(Vec::new());
        if let Ok(Ok(_)) = remote.call("list_buckets", &params).await {
            return Some(Arc::new(remote));
        }
    }
    None
}

async fn remote_through(world: Arc<dyn World>) -> Arc<dyn World> {
    let options = options("http://localhost", "AKIAEXAMPLE", "secret-of-the-test");
    let key = options.access_key.clone().expect("it has one");
    let client = http_client(Service::new(world, &key));
    let remote = Remote::connect_through(&options, client).await;
    Arc::new(remote.expect("nothing is sent yet"))
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

/// What is kept beside contents is in no signature.
#[tokio::test]
async fn a_copy_of_a_world_has_all_that_is_kept_with_an_object() {
    use dialog2api::domain::Value;
    let start = "2024-01-01T00:00:00Z".parse().expect("a time");
    let new = || Memory::new("test", Store::new(Clock::Steps(start)));
    let (from, into) = (new(), new());
    let params = |json: serde_json::Value| value(&json);
    let call = |world: &Memory, operation: &str, json| {
        let answer = world.perform(operation, &params(json));
        answer.unwrap_or_else(|refusal| panic!("{operation}: {refusal:?}"))
    };
    let far = serde_json::json!({"Bucket": "far", "CreateBucketConfiguration": {"LocationConstraint": "eu-west-1"}});
    call(&from, "create_bucket", far);
    call(
        &from,
        "create_bucket",
        serde_json::json!({"Bucket": "near"}),
    );
    let object = serde_json::json!({
        "Bucket": "near", "Key": "a", "Body": "text", "ContentType": "text/plain",
        "CacheControl": "no-cache", "ContentLanguage": "de", "Metadata": {"ink": "blue"},
        "StorageClass": "STANDARD_IA", "WebsiteRedirectLocation": "/b",
    });
    call(&from, "put_object", object);
    // More than a page.
    for number in 0..1001 {
        let object = serde_json::json!({"Bucket": "far", "Key": format!("{number}"), "Body": "x"});
        call(&from, "put_object", object);
    }
    // What was there before goes or is made the same.
    let elsewhere = serde_json::json!({"Bucket": "far", "CreateBucketConfiguration": {"LocationConstraint": "us-west-2"}});
    call(&into, "create_bucket", elsewhere);
    call(
        &into,
        "create_bucket",
        serde_json::json!({"Bucket": "near"}),
    );
    call(
        &into,
        "create_bucket",
        serde_json::json!({"Bucket": "other"}),
    );
    for (bucket, key) in [("near", "a"), ("near", "b/c/d"), ("other", "e")] {
        let object = serde_json::json!({"Bucket": bucket, "Key": key, "Body": "text"});
        call(&into, "put_object", object);
    }
    S3.contents()
        .unwrap()
        .restore(&from, &into)
        .await
        .expect("a copy");
    let (one, other) = (from.snapshot().state, into.snapshot().state);
    assert_eq!(one.buckets().count(), other.buckets().count());
    for ((name, was), (_, is)) in one.buckets().zip(other.buckets()) {
        assert_eq!(
            (&was.location, was.objects.len()),
            (&is.location, is.objects.len()),
            "{name}"
        );
        for (key, object) in was.objects.iter() {
            let copy = is.object(key).expect("the same keys");
            assert_eq!(
                (&object.content, &object.attributes),
                (&copy.content, &copy.attributes),
                "{key}"
            );
        }
    }
    assert_eq!(
        S3.contents()
            .unwrap()
            .holdings(&into)
            .await
            .expect("its buckets"),
        ["far", "near"]
    );
    S3.contents()
        .unwrap()
        .clear(&into)
        .await
        .expect("it is emptied");
    assert_eq!(
        S3.contents()
            .unwrap()
            .holdings(&into)
            .await
            .expect("no buckets"),
        [""; 0]
    );

    fn value(json: &serde_json::Value) -> Value {
        match json {
            serde_json::Value::Object(pairs) => {
                let pairs = pairs.iter();
                Value::Map(
                    pairs
                        .map(|(name, item)| (name.clone().into(), value(item)))
                        .collect(),
                )
            }
            text => Value::Str(text.as_str().expect("texts and objects only").to_owned()),
        }
    }
}
