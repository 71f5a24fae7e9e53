//! Versions in a world on disk: what stays, what a person does to the files.

use super::disk::{folder, open};
use crate::value::{show, value};
use expect_test::{Expect, expect};
use s3_world::clock::Clock;
use s3_world::domain::{Answer, Value, World};
use s3_world::world::{DiskLimits, DiskWorld};
use std::fs;
use std::path::Path;

/// A bucket that keeps versions from its second object on.
const VERSIONED: &str = r#"
    create_bucket {"Bucket":"alpha"}
    put_object {"Bucket":"alpha","Key":"early.txt","Body":"before"}
    put_bucket_versioning {"Bucket":"alpha","VersioningConfiguration":{"Status":"Enabled"}}
    put_object {"Bucket":"alpha","Key":"k.txt","Body":"one"}
    put_object {"Bucket":"alpha","Key":"k.txt","Body":"two","Tagging":"n=2"}
    put_object {"Bucket":"alpha","Key":"dir/","Body":"a blob"}
    put_object {"Bucket":"alpha","Key":"dir/","Body":"another"}
    put_object {"Bucket":"alpha","Key":"gone.txt","Body":"gone"}
    delete_object {"Bucket":"alpha","Key":"gone.txt"}
"#;

/// Makes calls, each in a world that is opened for it. `KEY@N` stands for the id of the `N`th
/// version of a key, of the newest first.
fn calls(root: &Path, calls: &str) -> String {
    let lines = calls.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.map(|line| one(&open(root), line) + "\n").collect()
}

fn one(world: &DiskWorld, line: &str) -> String {
    let (operation, params) = line
        .split_once(' ')
        .expect("an operation and its arguments");
    let mut params = params.to_owned();
    for (name, id) in ids(world) {
        params = params.replace(&format!("\"{name}\""), &format!("\"{id}\""));
    }
    let params = value(&serde_json::from_str(&params).expect("JSON"));
    let answer = world.perform(operation, &params).expect("a working disk");
    told(&answer)
}

fn told(answer: &Answer) -> String {
    match answer {
        Ok(Value::Map(fields)) => {
            let fields = fields.iter().filter(|(name, _)| SHOWN.contains(&&**name));
            show(&Value::Map(fields.cloned().collect()), |name, _| {
                (name == "VersionId").then_some("…")
            })
        }
        Ok(other) => show(other, |_, _| None),
        Err(refusal) => format!("! {} {}", refusal.status, refusal.code),
    }
}

const SHOWN: &[&str] = &["Body", "DeleteMarker", "TagSet", "Status"];

/// The versions of all keys, as `KEY@N` and their ids.
fn ids(world: &DiskWorld) -> Vec<(String, String)> {
    let state = world.fork().snapshot().state;
    let mut ids = Vec::new();
    for (_, bucket) in state.buckets() {
        let older = bucket.history.keys().map(|(key, _)| key);
        let older = older.filter(|key| bucket.object(key).is_none());
        for key in bucket.objects.keys().chain(older) {
            let latest = bucket.object(key).map(|object| object.version_id());
            let older = bucket.history.of(key).iter().map(|version| version.id());
            let all = latest.into_iter().chain(older).enumerate();
            ids.extend(all.map(|(at, id)| (format!("{key}@{at}"), id.to_owned())));
        }
    }
    ids
}

/// All versions, the newest of each key first, after the world is opened.
fn versions(root: &Path) -> String {
    let world = open(root);
    let mut shown = String::new();
    for key in ["dir/", "early.txt", "gone.txt", "k.txt"] {
        shown += &format!("{key}:");
        let all = ids(&world);
        for (_, id) in all
            .iter()
            .filter(|(name, _)| name.split('@').next() == Some(key))
        {
            let params = [("Bucket", "alpha"), ("Key", key), ("VersionId", id)];
            let params = params.map(|(name, value)| (name.into(), value.into()));
            let answer = world.perform("get_object", &Value::Map(params.into()));
            let content = match answer.expect("a working disk") {
                Ok(answer) => match answer.get("Body") {
                    Some(Value::Bytes(body)) => String::from_utf8_lossy(body).into_owned(),
                    other => format!("{other:?}"),
                },
                Err(refusal) => refusal.code.to_string(),
            };
            let name = if id == "null" { "null " } else { "" };
            shown += &format!(" {name}{content:?}");
        }
        shown += "\n";
    }
    shown
}

fn check(spoil: impl FnOnce(&Path), expected: Expect) {
    let folder = folder();
    calls(folder.path(), VERSIONED);
    spoil(folder.path());
    let found = versions(folder.path());
    expected.assert_eq(&found);
    // A write elsewhere records what was found.
    calls(
        folder.path(),
        r#"put_object {"Bucket":"alpha","Key":"other","Body":""}"#,
    );
    assert_eq!(versions(folder.path()), found);
}

#[test]
fn versions_are_there_at_the_next_run() {
    check(
        |_| {},
        expect![[r#"
        dir/: "another" "a blob"
        early.txt: null "before"
        gone.txt: "MethodNotAllowed" "gone"
        k.txt: "two" "one"
    "#]],
    );
    let folder = folder();
    calls(folder.path(), VERSIONED);
    let shown = calls(
        folder.path(),
        r#"
        get_object {"Bucket":"alpha","Key":"k.txt"}
        get_object {"Bucket":"alpha","Key":"k.txt","VersionId":"k.txt@1"}
        get_object_tagging {"Bucket":"alpha","Key":"k.txt","VersionId":"k.txt@0"}
        delete_object {"Bucket":"alpha","Key":"k.txt"}
        get_object {"Bucket":"alpha","Key":"k.txt"}
        get_object_tagging {"Bucket":"alpha","Key":"k.txt","VersionId":"k.txt@1"}
        delete_object {"Bucket":"alpha","Key":"k.txt","VersionId":"k.txt@0"}
        get_object {"Bucket":"alpha","Key":"k.txt"}
        delete_object {"Bucket":"alpha","Key":"k.txt","VersionId":"k.txt@0"}
        get_object {"Bucket":"alpha","Key":"k.txt"}
        copy_object {"Bucket":"alpha","Key":"k.txt","CopySource":{"Bucket":"alpha","Key":"dir/","VersionId":"dir/@1"}}
        get_object {"Bucket":"alpha","Key":"k.txt"}
        delete_object {"Bucket":"alpha","Key":"gone.txt","VersionId":"gone.txt@0"}
        get_object {"Bucket":"alpha","Key":"gone.txt"}
        put_bucket_versioning {"Bucket":"alpha","VersioningConfiguration":{"Status":"Suspended"}}
        put_object {"Bucket":"alpha","Key":"early.txt","Body":"after"}
        get_bucket_versioning {"Bucket":"alpha"}
        "#,
    );
    expect![[r#"
        {Body: b"two"}
        {Body: b"one"}
        {TagSet: [{Key: "n", Value: "2"}]}
        {DeleteMarker: true}
        ! 404 NoSuchKey
        {TagSet: [{Key: "n", Value: "2"}]}
        {DeleteMarker: true}
        {Body: b"two"}
        {}
        {Body: b"one"}
        {}
        {Body: b"a blob"}
        {DeleteMarker: true}
        {Body: b"gone"}
        {}
        {}
        {Status: "Suspended"}
    "#]]
    .assert_eq(&shown);
    expect![[r#"
        dir/: "another" "a blob"
        early.txt: null "after"
        gone.txt: "gone"
        k.txt: "a blob" "one"
    "#]]
    .assert_eq(&versions(folder.path()));
    let read = fs::read_to_string(folder.path().join("alpha/k.txt"));
    assert_eq!(
        read.expect("a file"),
        "a blob",
        "the files are the latest versions"
    );
}

#[test]
fn an_edited_file_is_a_new_version_and_its_old_content_is_lost() {
    check(
        |root| {
            fs::write(root.join("alpha/k.txt"), "edited").expect("a file");
            fs::write(root.join("alpha/early.txt"), "edited").expect("a file");
            fs::write(root.join("alpha/gone.txt"), "written again").expect("a file");
        },
        expect![[r#"
            dir/: "another" "a blob"
            early.txt: "edited"
            gone.txt: "written again" "MethodNotAllowed" "gone"
            k.txt: "edited" "one"
        "#]],
    );
    check(
        |root| {
            let suspend = r#"put_bucket_versioning {"Bucket":"alpha","VersioningConfiguration":{"Status":"Suspended"}}"#;
            calls(root, suspend);
            let put = r#"put_object {"Bucket":"alpha","Key":"k.txt","Body":"null"}"#;
            calls(root, put);
            fs::write(root.join("alpha/k.txt"), "edited").expect("a file");
        },
        expect![[r#"
            dir/: "another" "a blob"
            early.txt: null "before"
            gone.txt: "MethodNotAllowed" "gone"
            k.txt: null "edited" "two" "one"
        "#]],
    );
}

#[test]
fn a_removed_file_is_a_deleted_key() {
    check(
        |root| {
            fs::remove_file(root.join("alpha/k.txt")).expect("a file");
            fs::remove_file(root.join("alpha/early.txt")).expect("a file");
        },
        expect![[r#"
            dir/: "another" "a blob"
            early.txt:
            gone.txt: "MethodNotAllowed" "gone"
            k.txt: "MethodNotAllowed" "one"
        "#]],
    );
}

#[test]
fn ids_are_not_given_twice() {
    let folder = folder();
    calls(folder.path(), VERSIONED);
    let put = r#"put_object {"Bucket":"alpha","Key":"k.txt","Body":"same"}"#;
    calls(folder.path(), &[put; 5].join("\n"));
    // Edits with the same content, too, are versions of their own.
    for _ in 0..2 {
        fs::write(folder.path().join("alpha/k.txt"), "edited").expect("a file");
        calls(folder.path(), put);
    }
    let mut all = ids(&open(folder.path()));
    all.retain(|(name, _)| name.starts_with("k.txt"));
    let count = all.len();
    all.sort_by(|one, other| one.1.cmp(&other.1));
    all.dedup_by(|one, other| one.1 == other.1);
    assert_eq!((all.len(), count), (9, 9));
}

#[test]
fn an_edit_while_the_world_is_open_is_a_version() {
    let folder = folder();
    calls(folder.path(), VERSIONED);
    let world = open(folder.path());
    fs::write(folder.path().join("alpha/k.txt"), "edited").expect("a file");
    one(
        &world,
        r#"put_object {"Bucket":"alpha","Key":"k.txt","Body":"after"}"#,
    );
    drop(world);
    let get = r#"get_object {"Bucket":"alpha","Key":"k.txt","VersionId":"k.txt@1"}"#;
    let read = one(&open(folder.path()), get);
    assert!(read.contains("edited"), "{read}");
}

#[test]
fn old_contents_are_read_when_they_are_asked_for_and_shared() {
    let folder = folder();
    calls(folder.path(), VERSIONED);
    calls(
        folder.path(),
        r#"
        put_object {"Bucket":"alpha","Key":"early.txt","Body":"one"}
        put_object {"Bucket":"alpha","Key":"early.txt","Body":"three"}
        "#,
    );
    let kept = folder.path().join(".dialog2api/versions");
    let count = || fs::read_dir(&kept).expect("a folder").count();
    // "one" of both keys, "before", "a blob", "gone"
    assert_eq!(count(), 4);
    fs::write(kept.join("0".repeat(64)), "nobody's").expect("a file");
    for file in fs::read_dir(&kept).expect("a folder") {
        fs::write(file.expect("a file").path(), "damaged").expect("a file");
    }
    let world = open(folder.path());
    assert_eq!(count(), 4, "what no version has is removed");
    let id = ids(&world).into_iter().find(|(name, _)| name == "k.txt@1");
    let id = id.expect("a version").1;
    let params = serde_json::json!({"Bucket": "alpha", "Key": "k.txt", "VersionId": id});
    let world: &dyn World = &world;
    let read = futures_util::FutureExt::now_or_never(world.call("get_object", &value(&params)));
    let error = read.expect("no runtime, so it waits in place").err();
    let error = error.map(|error| error.to_string()).unwrap_or_default();
    assert!(
        error.contains("another program has changed this file"),
        "{error}"
    );
}

#[test]
fn a_fork_has_the_versions_of_its_time() {
    let folder = folder();
    calls(folder.path(), VERSIONED);
    let world = open(folder.path());
    let fork = world.fork();
    let ids = ids(&world);
    let id = |wanted: &str| {
        ids.iter()
            .find(|(name, _)| name == wanted)
            .expect("a version")
            .1
            .clone()
    };
    for line in [
        r#"put_object {"Bucket":"alpha","Key":"k.txt","Body":"three"}"#,
        r#"delete_object {"Bucket":"alpha","Key":"k.txt","VersionId":"k.txt@1"}"#,
        r#"delete_object {"Bucket":"alpha","Key":"k.txt","VersionId":"k.txt@1"}"#,
        r#"delete_object {"Bucket":"alpha","Key":"dir/","VersionId":"dir/@0"}"#,
    ] {
        one(&world, line);
    }
    let read = |key: &str, version: &str| {
        let params = serde_json::json!({"Bucket": "alpha", "Key": key, "VersionId": id(version)});
        told(&fork.perform("get_object", &value(&params)))
    };
    assert_eq!(read("k.txt", "k.txt@0"), r#"{Body: b"two"}"#);
    assert_eq!(read("k.txt", "k.txt@1"), r#"{Body: b"one"}"#);
    assert_eq!(read("dir/", "dir/@0"), r#"{Body: b"another"}"#);
    assert_eq!(read("dir/", "dir/@1"), r#"{Body: b"a blob"}"#);
}

#[test]
fn old_versions_count_towards_the_limit() {
    let folder = folder();
    let limits = DiskLimits {
        bytes: 10,
        objects: 3,
        ..DiskLimits::default()
    };
    let start = "2024-01-01T00:00:00Z".parse().expect("a time");
    let world = DiskWorld::open_with(folder.path(), Clock::Steps(start), limits).expect("a world");
    let answers = r#"
        create_bucket {"Bucket":"alpha","ObjectLockEnabledForBucket":true}
        put_object {"Bucket":"alpha","Key":"a","Body":"12345"}
        put_object {"Bucket":"alpha","Key":"a","Body":"123456"}
        put_object {"Bucket":"alpha","Key":"a","Body":"1234"}
        delete_object {"Bucket":"alpha","Key":"a"}
        put_object {"Bucket":"alpha","Key":"b","Body":""}
        delete_object {"Bucket":"alpha","Key":"a","VersionId":"a@1"}
        put_object {"Bucket":"alpha","Key":"b","Body":"12345"}
    "#;
    let lines = answers
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty());
    let shown: String = lines.map(|line| one(&world, line) + "\n").collect();
    expect![[r#"
        {}
        {}
        ! 507 InsufficientStorage
        {}
        {DeleteMarker: true}
        ! 507 InsufficientStorage
        {}
        {}
    "#]]
    .assert_eq(&shown);
}
