use crate::support::run;
use dialog2api::domain::s3::clock::Clock;
use dialog2api::domain::s3::world::DiskWorld;
use dialog2api::domain::s3::world;
use expect_test::{Expect, expect};
use std::fs;
use std::path::Path;

fn open(root: &Path) -> DiskWorld {
    let start = "2024-01-01T00:00:00Z".parse().expect("a time");
    DiskWorld::open(root, Clock::Steps(start)).expect("a world")
}

fn calls(root: &Path, calls: &str) -> String {
    let world = open(root);
    run(calls, |operation, params| world.perform(operation, params).expect("a working disk"))
}

/// Every key with its content, as the world answers after being opened again.
fn contents(root: &Path) -> String {
    let store = open(root).fork().snapshot();
    let mut shown = String::new();
    for (name, bucket) in store.state.buckets() {
        shown += &format!("{name}\n");
        for (key, object) in &bucket.objects {
            let short = if key.len() > 40 { format!("{}… ({})", &key[..8], key.len()) } else { key.to_string() };
            let kind = &object.attributes.content_type;
            shown += &format!("  {short:?} {:?} {kind}\n", String::from_utf8_lossy(&object.content));
        }
    }
    shown
}

/// The files that a person sees.
fn files(root: &Path) -> String {
    let mut found = Vec::new();
    collect(root, root, &mut found);
    found.sort();
    found.concat()
}

fn collect(root: &Path, folder: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        let name = path.strip_prefix(root).expect("below the root").display().to_string();
        if path.is_dir() && name != ".dialog2api" {
            found.push(format!("{name}/\n"));
            collect(root, &path, found);
        } else if path.is_file() {
            found.push(format!("{name}\n"));
        }
    }
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

#[test]
fn changes_are_there_at_the_next_run() {
    let folder = folder();
    let root = &folder.path().join("world");
    calls(
        root,
        r#"
        create_bucket {"Bucket":"alpha","CreateBucketConfiguration":{"LocationConstraint":"us-west-2"}}
        create_bucket {"Bucket":"beta"}
        put_object {"Bucket":"alpha","Key":"a/b.txt","Body":"one","ContentType":"text/x","Metadata":{"m":"1"}}
        put_object {"Bucket":"alpha","Key":"a/c/d.txt","Body":"two"}
        copy_object {"Bucket":"beta","Key":"copy","CopySource":"alpha/a/b.txt"}
        put_object {"Bucket":"alpha","Key":"a/b.txt","Body":"three","ContentType":"text/x","Metadata":{"m":"2"},"CacheControl":"no-cache","Expires":{"@time":"2030-01-01T00:00:00Z"}}
        delete_object {"Bucket":"alpha","Key":"a/c/d.txt"}
        "#,
    );
    expect![[r#""#]].assert_eq(&files(root));
    let answers = calls(
        root,
        r#"
        list_buckets
        get_bucket_location {"Bucket":"alpha"}
        get_object {"Bucket":"alpha","Key":"a/b.txt"}
        head_object {"Bucket":"beta","Key":"copy"}
        "#,
    );
    expect![[r#""#]].assert_eq(&answers);
    calls(root, r#"
        delete_objects {"Bucket":"alpha","Delete":{"Objects":[{"Key":"a/b.txt"}]}}
        delete_bucket {"Bucket":"alpha"}
    "#);
    expect![[r#""#]].assert_eq(&files(root));
}

const HOSTILE: &[&str] = &[
    "a", "a/b", "a//b", "dir/", "/x", "..", "../../up.txt", "a/../b", "./c", "n\\u0000l",
    "/etc/passwd", "esc\\u001b[2J", "back\\\\slash", ".dialog2api/journal.json", "é 東京.txt",
];

#[test]
fn keys_that_are_no_paths_are_kept_and_stay_inside() {
    let folder = folder();
    let root = &folder.path().join("deep").join("world");
    fs::create_dir(folder.path().join("deep")).expect("a folder");
    calls(root, r#"create_bucket {"Bucket":"alpha"}"#);
    let long = "k".repeat(300);
    for key in HOSTILE.iter().copied().chain([long.as_str()]) {
        let put = format!(r#"put_object {{"Bucket":"alpha","Key":"{key}","Body":"[{}]"}}"#, key.len());
        calls(root, &put);
    }
    expect![[r#""#]].assert_eq(&files(folder.path()));
    expect![[r#""#]].assert_eq(&contents(root));
    for key in HOSTILE.iter().copied().chain([long.as_str()]) {
        calls(root, &format!(r#"delete_object {{"Bucket":"alpha","Key":"{key}"}}"#));
    }
    expect![[r#""#]].assert_eq(&contents(root));
    let blobs = fs::read_dir(root.join(".dialog2api/blobs")).expect("a folder").count();
    assert_eq!(blobs, 0);
}

#[test]
fn what_a_person_does_between_runs_is_seen() {
    let folder = folder();
    let root = folder.path();
    calls(root, r#"
        create_bucket {"Bucket":"alpha"}
        put_object {"Bucket":"alpha","Key":"edited.txt","Body":"old","ContentType":"text/x"}
        put_object {"Bucket":"alpha","Key":"deleted.txt","Body":"gone"}
        put_object {"Bucket":"alpha","Key":"kept.txt","Body":"kept","ContentType":"text/x"}
        put_object {"Bucket":"alpha","Key":"dir/","Body":"blob"}
    "#);
    fs::write(root.join("alpha/edited.txt"), "new").expect("a file");
    fs::remove_file(root.join("alpha/deleted.txt")).expect("a file");
    fs::create_dir_all(root.join("gamma/sub")).expect("a folder");
    fs::write(root.join("gamma/sub/table.csv"), "a,b").expect("a file");
    fs::write(root.join("README"), "not in a bucket").expect("a file");
    expect![[r#""#]].assert_eq(&contents(root));
    // The next write keeps what the person did.
    calls(root, r#"put_object {"Bucket":"gamma","Key":"x","Body":"x"}"#);
    fs::remove_dir_all(root.join("alpha")).expect("a folder");
    expect![[r#""#]].assert_eq(&contents(root));
}

#[cfg(unix)]
#[test]
fn links_lead_nowhere() {
    let folder = folder();
    let root = &folder.path().join("world");
    let outside = folder.path().join("outside");
    fs::create_dir(&outside).expect("a folder");
    fs::write(outside.join("secret.txt"), "secret").expect("a file");
    calls(root, r#"create_bucket {"Bucket":"alpha"}"#);
    std::os::unix::fs::symlink(&outside, root.join("alpha/link")).expect("a link");
    std::os::unix::fs::symlink(outside.join("secret.txt"), root.join("alpha/file")).expect("a link");
    std::os::unix::fs::symlink(&outside, root.join("linked-bucket")).expect("a link");
    expect![[r#""#]].assert_eq(&contents(root));
    let answers = calls(root, r#"
        get_object {"Bucket":"alpha","Key":"link/secret.txt"}
        put_object {"Bucket":"alpha","Key":"link/new.txt","Body":"x"}
        put_object {"Bucket":"alpha","Key":"file","Body":"x"}
        create_bucket {"Bucket":"linked-bucket"}
    "#);
    drop(answers);
    assert_eq!(fs::read_to_string(outside.join("secret.txt")).expect("a file"), "secret");
    assert_eq!(fs::read_dir(&outside).expect("a folder").count(), 1);
}

#[test]
fn one_process_at_a_time() {
    let folder = folder();
    let _first = open(folder.path());
    let error = DiskWorld::open(folder.path(), Clock::System).err().map(|e| e.to_string());
    assert!(error.is_some_and(|text| text.contains("is open in another dialog2api")));
}

/// What opening a folder says after `spoil` was done to it.
fn refused(spoil: impl FnOnce(&Path), expected: Expect) {
    let folder = folder();
    let root = folder.path();
    calls(root, r#"
        create_bucket {"Bucket":"alpha"}
        put_object {"Bucket":"alpha","Key":"dir/","Body":"blob"}
    "#);
    spoil(root);
    let error = DiskWorld::open(root, Clock::System).err().map(|e| e.to_string()).unwrap_or_default();
    expected.assert_eq(&error.replace(&root.display().to_string(), "ROOT"));
}

#[test]
fn folders_that_are_no_world() {
    refused(|root| fs::create_dir(root.join("Not A Bucket")).expect("a folder"), expect![[r#""#]]);
    refused(
        |root| fs::write(root.join(".dialog2api/buckets/alpha.json"), "{").expect("a file"),
        expect![[r#""#]],
    );
    refused(
        |root| {
            let blobs = fs::read_dir(root.join(".dialog2api/blobs")).expect("a folder");
            blobs.flatten().for_each(|blob| fs::write(blob.path(), "other").expect("a file"));
        },
        expect![[r#""#]],
    );
    let folder = folder();
    let file = folder.path().join("file");
    fs::write(&file, "\u{0}").expect("a file");
    let error = world::open(&file.display().to_string()).err().map(|e| e.to_string());
    assert!(error.is_some_and(|text| text.contains("file: ")));
}

#[test]
fn a_folder_can_be_read_without_being_written() {
    let folder = folder();
    fs::create_dir(folder.path().join("alpha")).expect("a folder");
    fs::write(folder.path().join("alpha/k.json"), "{}").expect("a file");
    let memory = world::memory(&folder.path().display().to_string()).expect("a world");
    let state = memory.snapshot().state;
    let object = state.bucket("alpha").and_then(|bucket| bucket.object("k.json")).expect("an object");
    assert_eq!(object.attributes.content_type, "application/json");
    assert!(!folder.path().join(".dialog2api").exists());
}
