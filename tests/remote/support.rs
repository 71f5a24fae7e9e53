//! Calls written as `operation {parameters as JSON}`, and what comes back, one line a
//! call. What a server makes up (times, request ids) is replaced by its kind.

use crate::support::value;
pub use crate::support::value::value;
use crate::support::weed::{self, Weed};
use dialog2api::Error;
use dialog2api::domain::s3::{AccessKey, Remote, RemoteOptions};
use dialog2api::domain::{Signer, Value, World};
use expect_test::Expect;
use std::time::{Duration, Instant};

pub fn options(endpoint: &str) -> RemoteOptions {
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

pub async fn connect(weed: &Weed) -> Remote {
    let options = options(&weed.endpoint);
    let world = Remote::connect(&options).await.expect("a world");
    // The port answers a little before the service behind it does, on a busy machine much.
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(60) {
        if matches!(list(&world).await, Ok(Ok(_))) {
            return world;
        }
    }
    panic!("{} listens and does not answer", weed.endpoint)
}

pub async fn list(world: &Remote) -> dialog2api::Result<dialog2api::domain::Answer> {
    world.call("list_buckets", &Value::Map(Vec::new())).await
}

pub async fn signature(world: &Remote) -> dialog2api::domain::Signature {
    let mut signer = Signer::new();
    world.state(&mut signer).await.expect("the state");
    signer.signature()
}

/// The signature, or why there is none.
pub async fn show_signature(world: &Remote) -> String {
    match dialog2api::domain::signature(world, []).await {
        Ok(signature) => signature.to_string(),
        Err(error) => error.to_string(),
    }
}

/// The region in the scope of a signature of version 4.
pub fn scope(authorization: &str) -> String {
    let credential = authorization
        .split_once("Credential=")
        .unwrap_or_default()
        .1;
    credential.split('/').nth(2).unwrap_or_default().to_owned()
}

pub fn add_object(signer: &mut Signer, key: &str, content: &str) {
    use sha2::{Digest, Sha256};
    signer.field(b'k', key.as_bytes());
    signer.field(b'h', &Sha256::digest(content));
}

pub fn mended(error: &Error, endpoint: &str) -> String {
    error.to_string().replace(endpoint, "ENDPOINT")
}

/// Runs the calls, one a line, and compares what they gave, one a line.
pub async fn check(world: &Remote, calls: &str, expected: Expect) {
    let mut said = String::new();
    for call in calls.lines().map(str::trim).filter(|line| !line.is_empty()) {
        said += &format!("{call}\n    {}\n", run(world, call).await);
    }
    expected.assert_eq(&said);
}

pub async fn run(world: &Remote, call: &str) -> String {
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

pub fn show(answer: &Value) -> String {
    value::show(answer, |name, item| match (name, item) {
        // What only this server says, and where it runs.
        ("RequestID" | "Resource" | "HostID", _) => Some("…"),
        (_, Value::Time(_)) => Some("TIME"),
        _ => None,
    })
}
