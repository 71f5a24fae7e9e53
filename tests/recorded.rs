//! The recorded dialogue with a real model, replayed on the embedded S3 and on a real S3
//! server.

use crate::support::command;
use crate::support::tools::needs;
use crate::support::weed;
use dialog2api::dialogue::{Status, Transcript, read_transcript};
use dialog2api::domain::s3::{self, AccessKey, Remote, RemoteOptions};
use dialog2api::domain::{Value, World};
use std::path::Path;
use std::process::Command;
use weed::Weed;

const RECORDING: &str = "replay:datasets/s3/recordings/zoology.jsonl";
const SCRIPT: &str = "datasets/s3/recordings/zoology.txt";

/// Holds the recorded dialogue in a world, and gives what was said and done.
fn converse(world: &[&str], saved: &Path) -> Transcript {
    let output = program()
        .args(["chat", "--model", RECORDING, "--form", "trained"])
        .args(["--script", SCRIPT, "--save"])
        .arg(saved)
        .args(world)
        .output()
        .expect("the program starts");
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{complaint}");
    // What was recorded is true, so that nothing is asked that was not recorded.
    let shown = String::from_utf8_lossy(&output.stdout);
    assert!(!shown.contains("[?]"), "{shown}");
    let text = std::fs::read_to_string(saved).expect("the dialogue is saved");
    read_transcript(&text).expect("what we save, we read")
}

/// Everything that must not depend on where the dialogue was held.
fn essence(transcript: &Transcript) -> Vec<String> {
    let mut lines = Vec::new();
    for turn in &transcript.turns {
        lines.push(format!("User: {}", turn.user));
        for goal in &turn.goals {
            let code = goal.program.as_ref().map(|program| program.code());
            lines.push(format!(
                "{} {} {code:?} {:?}",
                goal.uid, goal.status, goal.outcome
            ));
        }
        lines.push(format!("Agent: {:?}", turn.response));
    }
    lines
}

#[test]
fn a_real_model_drafted_revised_finalised_and_abandoned() {
    let folder = tempfile::tempdir().expect("a folder");
    let transcript = converse(&[], &folder.path().join("dialogue.xml"));
    let goals: Vec<_> = transcript
        .turns
        .iter()
        .flat_map(|turn| &turn.goals)
        .collect();
    let with = |status| goals.iter().filter(move |goal| goal.status == status);
    assert!(with(Status::Drafting).count() >= 2, "drafted");
    assert!(with(Status::Abandoned).count() >= 1, "abandoned");
    assert!(
        with(Status::Final).all(|goal| goal.outcome.is_some()),
        "every final program ran"
    );
    assert!(with(Status::Final).count() >= 3, "finalised");
    let revised = goals.iter().enumerate().any(|(index, goal)| {
        goal.status == Status::Drafting
            && goals[..index].iter().any(|earlier| earlier.uid == goal.uid)
    });
    assert!(revised, "revised a draft");
    assert!(
        transcript.turns.iter().all(|turn| turn.response.is_some()),
        "always answered"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_dialogue_runs_against_a_real_s3_server() {
    needs!(WEED);
    let zoology = s3::open("zoology")
        .expect("it comes with the program")
        .world;
    let folder = tempfile::tempdir().expect("a folder");
    let disk = folder.path().join("world").display().to_string();
    copy(&*zoology, &*s3::open(&disk).expect("a new folder").world).await;
    let weed = Weed::start();
    let options = RemoteOptions {
        endpoint_url: Some(weed.endpoint.clone()),
        region: Some("us-east-1".to_owned()),
        access_key: Some(AccessKey {
            id: weed::KEY.to_owned(),
            secret: weed::SECRET.to_owned(),
        }),
        ..RemoteOptions::default()
    };
    copy(
        &*zoology,
        &Remote::connect(&options).await.expect("it answers"),
    )
    .await;

    let embedded = ["--world", &disk];
    let remote = ["--endpoint-url", &weed.endpoint];
    let before = signature(&embedded);
    assert_eq!(before, signature(&remote), "both begin alike");
    let here = converse(&embedded, &folder.path().join("here.xml"));
    let there = converse(&remote, &folder.path().join("there.xml"));
    assert_eq!(essence(&here), essence(&there));
    assert_ne!(
        before,
        signature(&embedded),
        "the dialogue changes something"
    );
    assert_eq!(signature(&embedded), signature(&remote), "both end alike");
}

/// The program, with what it needs to reach the server of a test.
fn program() -> Command {
    let mut command = command::dialog2api();
    command
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("AWS_ACCESS_KEY_ID", weed::KEY)
        .env("AWS_SECRET_ACCESS_KEY", weed::SECRET)
        .env("AWS_REGION", "us-east-1");
    command
}

fn signature(world: &[&str]) -> String {
    let output = program().args(["world", "signature"]).args(world).output();
    let output = output.expect("the program starts");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

/// Brings every bucket and object of one world into another.
async fn copy(from: &dyn World, to: &dyn World) {
    let map = |pairs: &[(&'static str, Value)]| {
        Value::Map(
            pairs
                .iter()
                .map(|(k, v)| ((*k).into(), v.clone()))
                .collect(),
        )
    };
    let buckets = call(from, "list_buckets", map(&[])).await;
    for bucket in list(&buckets, "Buckets") {
        let bucket = bucket.get("Name").expect("a bucket has a name").clone();
        call(to, "create_bucket", map(&[("Bucket", bucket.clone())])).await;
        let objects = call(from, "list_objects_v2", map(&[("Bucket", bucket.clone())])).await;
        for object in list(&objects, "Contents") {
            let key = object.get("Key").expect("an object has a key").clone();
            let place = [("Bucket", bucket.clone()), ("Key", key)];
            let object = call(from, "get_object", map(&place)).await;
            let body = object.get("Body").expect("an object has a body").clone();
            let [bucket, key] = place;
            call(to, "put_object", map(&[bucket, key, ("Body", body)])).await;
        }
    }
}

async fn call(world: &dyn World, operation: &str, params: Value) -> Value {
    let answer = world
        .call(operation, &params)
        .await
        .expect("the world answers");
    answer.expect("it is allowed")
}

fn list(value: &Value, key: &str) -> Vec<Value> {
    value
        .get(key)
        .and_then(Value::as_list)
        .unwrap_or_default()
        .to_vec()
}
