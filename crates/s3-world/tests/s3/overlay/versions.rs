//! An overlay over a world whose buckets keep versions: the same calls give the same answers
//! and the same signature as on the store itself. Only ids differ, so calls name versions by
//! their place in the listing.

use super::{call, over, signed};
use crate::support::{empty, render};
use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;
use proptest::sample::select;
use s3_world::domain::{Value, World};
use s3_world::serve::{Service, http_client};
use s3_world::{AccessKey, Memory, Overlay, Remote, RemoteOptions};
use std::sync::Arc;

const KEYS: &[&str] = &["a", "a/b", "a/c", "é/d"];

/// A call whose versions are places in the listing of the world that it is made to.
#[derive(Debug, Clone)]
enum Step {
    Status(&'static str),
    Put(&'static str, &'static str, Option<&'static str>),
    Delete(&'static str, Option<usize>),
    DeleteMany(Vec<(&'static str, Option<usize>)>),
    Copy(&'static str, Option<usize>, &'static str),
    Tag(&'static str, Option<usize>),
    Read(&'static str, &'static str, Option<usize>),
    List(&'static str, Option<&'static str>, i64),
    DeleteBucket,
}

fn key() -> impl Strategy<Value = &'static str> {
    select(KEYS)
}

fn step() -> impl Strategy<Value = Step> {
    let status = select(vec!["Enabled", "Suspended"]);
    let body = select(vec!["", "x", "yz"]);
    let read = select(vec![
        "get_object",
        "head_object",
        "get_object_tagging",
        "get_object_attributes",
    ]);
    let prefix = select(vec!["", "a", "a/", "é", "z"]);
    let at = || of(0..4_usize);
    prop_oneof![
        1 => status.prop_map(Step::Status),
        4 => (key(), body, of(Just("n=1"))).prop_map(|(key, body, tags)| Step::Put(key, body, tags)),
        4 => (key(), at()).prop_map(|(key, at)| Step::Delete(key, at)),
        1 => vec((key(), at()), 1..4).prop_map(Step::DeleteMany),
        2 => (key(), at(), key()).prop_map(|(key, at, to)| Step::Copy(key, at, to)),
        2 => (key(), at()).prop_map(|(key, at)| Step::Tag(key, at)),
        5 => (read, key(), at()).prop_map(|(read, key, at)| Step::Read(read, key, at)),
        3 => (prefix, of(Just("/")), 1..5_i64)
            .prop_map(|(prefix, by, most)| Step::List(prefix, by, most)),
        1 => Just(Step::DeleteBucket),
    ]
}

type Pairs = Vec<(&'static str, Value)>;

fn map(pairs: impl IntoIterator<Item = (&'static str, Value)>) -> Value {
    let pairs = pairs.into_iter();
    Value::Map(pairs.map(|(name, value)| (name.into(), value)).collect())
}

fn params(pairs: impl IntoIterator<Item = (&'static str, Value)>) -> Value {
    map([("Bucket", "alpha".into())].into_iter().chain(pairs))
}

/// The ids of a key's versions and markers in the order of the lists.
fn ids(world: &dyn World, key: &str) -> Vec<String> {
    let listed = call(world, "list_object_versions", &params([]));
    let listed = listed.unwrap_or(Value::Null);
    let of = |name: &str| {
        let entries = listed.get(name).and_then(Value::as_list);
        entries.unwrap_or_default().to_vec()
    };
    let text = |entry: &Value, name: &str| {
        let text = entry.get(name).and_then(Value::as_str);
        text.map(str::to_owned)
    };
    let entries = [of("Versions"), of("DeleteMarkers")].concat();
    let entries = entries.iter();
    entries
        .filter(|entry| text(entry, "Key").as_deref() == Some(key))
        .filter_map(|entry| text(entry, "VersionId"))
        .collect()
}

/// The parameters that name a key and the version at a place; one that the key has not, if
/// there are fewer.
fn named(world: &dyn World, key: &str, at: Option<usize>) -> Pairs {
    let id = |at| {
        let id = ids(world, key).into_iter().nth(at);
        id.unwrap_or_else(|| "0".repeat(32)).into()
    };
    let version = at.map(|at| ("VersionId", id(at)));
    [("Key", key.into())].into_iter().chain(version).collect()
}

/// Makes the calls of a step, and shows the answers without ids.
fn perform(world: &dyn World, step: &Step) -> String {
    let send = |operation: &str, pairs: Pairs| {
        without_ids(&render(&call(world, operation, &params(pairs))))
    };
    match step {
        Step::Status(status) => {
            let status = map([("Status", (*status).into())]);
            send(
                "put_bucket_versioning",
                vec![("VersioningConfiguration", status)],
            )
        }
        Step::Put(key, body, tags) => {
            let tags = tags.map(|tags| ("Tagging", tags.into()));
            let put = [("Key", (*key).into()), ("Body", (*body).into())];
            send("put_object", put.into_iter().chain(tags).collect())
        }
        Step::Delete(key, at) => send("delete_object", named(world, key, *at)),
        Step::DeleteMany(entries) => {
            let entries = entries.iter().map(|(key, at)| map(named(world, key, *at)));
            let delete = map([("Objects", Value::List(entries.collect()))]);
            send("delete_objects", vec![("Delete", delete)])
        }
        Step::Copy(key, at, to) => {
            let mut source = named(world, key, *at);
            source.push(("Bucket", "alpha".into()));
            let copy = vec![
                ("Key", (*to).into()),
                ("CopySource", map(source)),
                // Without versions, tags of the world below are not copied.
                ("TaggingDirective", "REPLACE".into()),
            ];
            send("copy_object", copy)
        }
        Step::Tag(key, at) => {
            let tag = map([("Key", "t".into()), ("Value", "1".into())]);
            let tagging = map([("TagSet", Value::List(vec![tag]))]);
            let mut tagged = named(world, key, *at);
            tagged.push(("Tagging", tagging));
            send("put_object_tagging", tagged)
        }
        Step::Read(operation, key, at) => {
            let mut read = named(world, key, *at);
            if *operation == "get_object_attributes" {
                let attributes = Value::List(vec!["ETag".into(), "ObjectSize".into()]);
                read.push(("ObjectAttributes", attributes));
            }
            send(operation, read)
        }
        Step::List(prefix, by, most) => listing(world, prefix, *by, *most),
        Step::DeleteBucket => send("delete_bucket", Vec::new()),
    }
}

/// All pages of a listing of versions, and the first of one of objects.
fn listing(world: &dyn World, prefix: &str, by: Option<&str>, most: i64) -> String {
    let by = by.map(|by| ("Delimiter", by.into()));
    let asked = [("Prefix", prefix.into()), ("MaxKeys", Value::Int(most))];
    let asked: Pairs = asked.into_iter().chain(by).collect();
    let mut shown = render(&call(world, "list_objects", &params(asked.clone())));
    let mut next = Pairs::new();
    for _ in 0..40 {
        let page = [asked.clone(), next].concat();
        let answer = call(world, "list_object_versions", &params(page));
        shown += &format!("\n{}", without_ids(&render(&answer)));
        let answer = answer.unwrap_or(Value::Null);
        let from = [
            ("KeyMarker", "NextKeyMarker"),
            ("VersionIdMarker", "NextVersionIdMarker"),
        ];
        let from = from.into_iter();
        next = from
            .filter_map(|(name, next)| Some((name, answer.get(next)?.clone())))
            .collect();
        if next.is_empty() {
            break;
        }
    }
    shown
}

/// A text without ids of versions, which are 32 characters long. ETags have quotes of another
/// kind around them.
fn without_ids(text: &str) -> String {
    let is_id = |part: &str| part.len() == 32 && !part.contains(' ');
    let parts: Vec<&str> = text.split('"').collect();
    let shown = parts.iter().enumerate().map(|(at, part)| {
        let is_etag = at > 0
            && parts
                .get(at - 1)
                .is_some_and(|before| before.ends_with('\''));
        if is_id(part) && !is_etag { "…" } else { part }
    });
    shown.collect::<Vec<_>>().join("\"")
}

/// An answer without checksums: listings of the base do not say those of older versions, so
/// an overlay does not know them.
fn without_checksums(shown: &str) -> String {
    let mut kept = String::new();
    for field in shown.split(", ") {
        if field.trim_start_matches(['{', '[']).starts_with("Checksum") {
            // What it closes is closed all the same.
            let opened = field.matches(['{', '[']).count();
            let ends = field.len() - field.trim_end_matches(['}', ']']).len();
            kept.push_str(&field[field.len() - ends.saturating_sub(opened)..]);
            continue;
        }
        let separator = if kept.is_empty() { "" } else { ", " };
        kept.push_str(separator);
        kept.push_str(field);
    }
    kept
}

fn check(store: &Memory, overlay: &Overlay, steps: &[Step]) -> Result<(), TestCaseError> {
    for step in steps {
        let (one, other) = (perform(store, step), perform(overlay, step));
        let (one, other) = (without_checksums(&one), without_checksums(&other));
        prop_assert_eq!(one, other, "{:?}", step);
    }
    prop_assert_eq!(signed(store), signed(overlay));
    Ok(())
}

fn start(setup: &[Step]) -> Memory {
    let store = empty();
    let made = store.perform("create_bucket", &params([]));
    made.expect("the name is free");
    for step in setup {
        perform(&store, step);
    }
    store
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn an_overlay_over_versions_is_like_the_store(
        setup in vec(step(), 0..14), steps in vec(step(), 1..14),
    ) {
        let store = start(&setup);
        let (base, overlay) = over(&store);
        let before = signed(&*base);
        check(&store, &overlay, &steps)?;
        prop_assert_eq!(signed(&*base), before, "the base stays as it is");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn an_overlay_over_a_server_with_versions_is_like_the_store(
        setup in vec(step(), 0..14), steps in vec(step(), 1..10),
    ) {
        let store = start(&setup);
        let clock = store.snapshot().clock;
        let overlay = Overlay::over(served(store.fork()), clock, "us-east-1");
        check(&store, &overlay, &steps)?;
    }
}

/// A store behind an S3 service.
fn served(store: Memory) -> Arc<dyn World> {
    let key = AccessKey {
        id: "AKIATEST".to_owned(),
        secret: "secret".to_owned(),
    };
    let client = http_client(Service::new(Arc::new(store), &key));
    let options = RemoteOptions {
        endpoint_url: Some("http://s3.test".to_owned()),
        access_key: Some(key),
        ..RemoteOptions::default()
    };
    let server = super::wait(Remote::connect_through(&options, client));
    Arc::new(server.expect("nothing is sent yet"))
}

#[test]
fn a_version_that_is_the_latest_again_keeps_its_tags() {
    let store = start(&[
        Step::Put("a", "", Some("n=1")),
        Step::Status("Enabled"),
        Step::Put("a", "", None),
    ]);
    let (_, overlay) = over(&store);
    check(&store, &overlay, &[Step::Delete("a", Some(0))]).unwrap();
}
