//! The environment signature: published vectors, computed on the embedded store and by
//! an implementation that shares no code with it.
//!
//! `signature/vectors.json` is for anyone who implements the signature in another language.
//! Each vector has a state, the outcomes of a turn's programs, and the right signature.

mod settings;

use crate::support::tools::{PYTHON, needs};
use dialog2api::dialogue::{Outcome, ProgramError};
use dialog2api::domain::s3::Memory;
use dialog2api::domain::s3::clock::Clock;
use dialog2api::domain::s3::memory::Store;
use dialog2api::domain::{self, Signature, Value};
use serde::Deserialize;
use serde_json::Value as Json;
use sha2::{Digest, Sha256};
use std::collections::HashSet;
use std::path::Path;

/// One vector.
#[derive(Deserialize)]
struct Vector {
    name: String,
    /// Buckets, their keys, and the contents. The order is the file's, on purpose not
    /// that of the stream.
    state: serde_json::Map<String, Json>,
    outcomes: Vec<Told>,
    /// The canonical byte stream, in hex.
    stream: String,
    sha256: String,
    signature: String,
}

/// An outcome as the file tells it.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Told {
    Result(Json),
    Error(ProgramError),
}

/// The content of an object: as text, or as bytes in hex.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Content {
    Text(String),
    Hex(String),
}

fn folder() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/signature"))
}

fn vectors() -> Vec<Vector> {
    serde_json::from_str(include_str!("signature/vectors.json")).expect("vectors")
}

/// A store that programs have brought into this state.
fn world(state: &serde_json::Map<String, Json>) -> Memory {
    let start = "2024-01-01T00:00:00Z".parse().expect("a time");
    let world = Memory::new("vector", Store::new(Clock::Steps(start)));
    let call = |operation: &str, pairs: Vec<(&'static str, Value)>| {
        let pairs = pairs.into_iter().map(|(name, value)| (name.into(), value));
        let answer = world.perform(operation, &Value::Map(pairs.collect()));
        answer.unwrap_or_else(|refusal| panic!("{operation}: {refusal:?}"));
    };
    for (bucket, keys) in state {
        let name = || ("Bucket", Value::from(bucket.as_str()));
        call("create_bucket", vec![name()]);
        for (key, content) in keys.as_object().expect("the keys of a bucket") {
            let content = serde_json::from_value(content.clone()).expect("a content");
            let body = Value::Bytes(bytes(&content).into());
            let key = ("Key", Value::from(key.as_str()));
            call("put_object", vec![name(), key, ("Body", body)]);
        }
    }
    world
}

fn bytes(content: &Content) -> Vec<u8> {
    match content {
        Content::Text(text) => text.clone().into_bytes(),
        Content::Hex(hex) => from_hex(hex),
    }
}

fn from_hex(hex: &str) -> Vec<u8> {
    let pairs = hex.as_bytes().chunks(2);
    pairs
        .map(|pair| {
            let pair = std::str::from_utf8(pair).expect("ASCII");
            u8::from_str_radix(pair, 16).expect("two hex digits")
        })
        .collect()
}

fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn outcome(told: Told) -> Outcome {
    match told {
        Told::Result(json) => Outcome::Result(json),
        Told::Error(error) => Outcome::Error(error),
    }
}

#[tokio::test]
async fn the_embedded_store_gives_the_published_signatures() {
    for vector in vectors() {
        let outcomes: Vec<_> = vector.outcomes.into_iter().map(outcome).collect();
        let computed = domain::signature(&world(&vector.state), &outcomes).await;
        let computed: Signature = computed.expect("a signature");
        let shown = (to_hex(&computed.0), computed.to_string());
        assert_eq!(shown, (vector.sha256, vector.signature), "{}", vector.name);
        // The crate hashes the stream as it goes; this is what it has hashed.
        let of_stream: [u8; 32] = Sha256::digest(from_hex(&vector.stream)).into();
        assert_eq!(computed.0, of_stream, "{}: its stream", vector.name);
    }
}

#[test]
fn vectors_differ_except_where_the_message_does() {
    let all = vectors();
    let different: HashSet<_> = all.iter().map(|vector| &vector.stream).collect();
    assert_eq!(different.len(), all.len() - 1);
}

#[test]
fn the_reference_implementation_gives_the_published_signatures() {
    needs!(PYTHON);
    let output = PYTHON
        .python()
        .current_dir(folder())
        .args(["reference.py", "vectors.json"])
        .output()
        .expect("Python starts");
    let printed = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{printed}{errors}");
    assert_eq!(
        printed,
        format!("{} vectors, 0 differences\n", vectors().len())
    );
}
