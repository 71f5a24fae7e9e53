//! Worlds on disk: what is kept, what people and crashes do to it, hostile keys.

use crate::support::run;
use expect_test::{Expect, expect};
use s3_world::clock::Clock;
use s3_world::world;
use s3_world::world::DiskWorld;
use std::fs;
use std::path::Path;

pub fn open(root: &Path) -> DiskWorld {
    let start = "2024-01-01T00:00:00Z".parse().expect("a time");
    DiskWorld::open(root, Clock::Steps(start)).expect("a world")
}

pub fn calls(root: &Path, calls: &str) -> String {
    let world = open(root);
    run(calls, |operation, params| {
        world.perform(operation, params).expect("a working disk")
    })
}

/// Every key with its content, as the world answers after being opened again.
pub fn contents(root: &Path) -> String {
    let store = open(root).fork().snapshot();
    let mut shown = String::new();
    for (name, bucket) in store.state.buckets() {
        shown += &format!("{name}\n");
        for (key, object) in bucket.objects.iter() {
            let short = if key.len() > 40 {
                format!("{}… ({})", &key[..8], key.len())
            } else {
                key.to_string()
            };
            let kind = &object.attributes.content_type;
            shown += &format!(
                "  {short:?} {:?} {kind}\n",
                String::from_utf8_lossy(&object.content.read().expect("it is there"))
            );
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
        let name = path
            .strip_prefix(root)
            .expect("below the root")
            .display()
            .to_string();
        if path.is_dir() && name != ".dialog2api" {
            found.push(format!("{name}/\n"));
            collect(root, &path, found);
        } else if path.is_file() {
            found.push(format!("{name}\n"));
        }
    }
}

pub fn folder() -> tempfile::TempDir {
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
    expect![[r#"
        alpha/
        alpha/a/
        alpha/a/b.txt
        beta/
        beta/copy
    "#]]
    .assert_eq(&files(root));
    let answers = calls(
        root,
        r#"
        list_buckets
        get_bucket_location {"Bucket":"alpha"}
        get_object {"Bucket":"alpha","Key":"a/b.txt"}
        head_object {"Bucket":"beta","Key":"copy"}
        "#,
    );
    expect![[r#"
        {Buckets: [{Name: "alpha", CreationDate: 2024-01-01T00:00:00Z}, {Name: "beta", CreationDate: 2024-01-01T00:00:01Z}], Owner: {ID: "d1a10902a9100000000000000000000000000000000000000000000000000001"}}
        {LocationConstraint: "us-west-2"}
        {AcceptRanges: "bytes", LastModified: 2024-01-01T00:00:05Z, ContentLength: 5, ETag: '"35d6d33467aae9a2e3dccb4b6b027878"', ChecksumCRC32: "RsXY9Q==", ChecksumType: "FULL_OBJECT", CacheControl: "no-cache", ContentType: "text/x", Expires: 2030-01-01T00:00:00Z, ServerSideEncryption: "AES256", Metadata: {m: "2"}, ExpiresString: "Tue, 01 Jan 2030 00:00:00 GMT", Body: b"three"}
        {AcceptRanges: "bytes", LastModified: 2024-01-01T00:00:04Z, ContentLength: 3, ETag: '"f97c5d29941bfb1b2fdab0874906ab82"', ContentType: "text/x", ServerSideEncryption: "AES256", Metadata: {m: "1"}}
    "#]].assert_eq(&answers);
    calls(
        root,
        r#"
        delete_objects {"Bucket":"alpha","Delete":{"Objects":[{"Key":"a/b.txt"}]}}
        delete_bucket {"Bucket":"alpha"}
    "#,
    );
    expect![[r#"
        beta/
        beta/copy
    "#]]
    .assert_eq(&files(root));
}

const HOSTILE: &[&str] = &[
    "a",
    "a/b",
    "a//b",
    "dir/",
    "/x",
    "..",
    "../../up.txt",
    "a/../b",
    "./c",
    "n\\u0000l",
    "/etc/passwd",
    "esc\\u001b[2J",
    "back\\\\slash",
    ".dialog2api/journal.json",
    "é 東京.txt",
];

#[test]
fn keys_that_are_no_paths_are_kept_and_stay_inside() {
    let folder = folder();
    let root = &folder.path().join("deep").join("world");
    fs::create_dir(folder.path().join("deep")).expect("a folder");
    calls(root, r#"create_bucket {"Bucket":"alpha"}"#);
    let long = "k".repeat(300);
    for key in HOSTILE.iter().copied().chain([long.as_str()]) {
        let put = format!(
            r#"put_object {{"Bucket":"alpha","Key":"{key}","Body":"[{}]"}}"#,
            key.len()
        );
        calls(root, &put);
    }
    expect![[r#"
        deep/
        deep/world/
        deep/world/.dialog2api/
        deep/world/.dialog2api/blobs/
        deep/world/.dialog2api/blobs/030e91830d87668d19e6d038799058c78ba34a9454bca007c1c60074aa474e2d
        deep/world/.dialog2api/blobs/0e18ce9d45033641301762960de2541f931fc5f6a504de61e5ddf4e34e065283
        deep/world/.dialog2api/blobs/128d8c2ec34492f800278296452ce1234ef412b696bfc4c913e0b67c2e95ae63
        deep/world/.dialog2api/blobs/497a880fbbb58990c5b4a792f3ac385e94f11eeb476bd00202ba9b6ea3fb752f
        deep/world/.dialog2api/blobs/6ebf16979218db5d07b6b2fb2562ef76d41bfe84e18eeb7214a7014dac7d86d6
        deep/world/.dialog2api/blobs/7ed3238e08a5bc8d703373a992f7461e1364fc8276377fcc4dbca28b899591cb
        deep/world/.dialog2api/blobs/a478ee66cf271ec06a242baa59b56c91f6acc6a49ad667bbbac8111fd614b010
        deep/world/.dialog2api/blobs/c4984c356cf6b71d0ffdfe1a62fd0af422f9c3f275edfe5624e25776ac32a967
        deep/world/.dialog2api/blobs/c8b15d33b39ee08a4a026a6b9c057903aa665453a6a5680365b11624e9870e77
        deep/world/.dialog2api/blobs/cc94790bb3c64cb219d4f9ac54617322aac23aa27d03f5eee7bb861e5d39a229
        deep/world/.dialog2api/blobs/cfcd8288c38cc6d8f74f93623e5f8a4b77cb5e1382e3dce40de310f106718d8f
        deep/world/.dialog2api/blobs/f35feb498db726880c42dc5a8c25acab4a92864de123ec50220a214083ac58f1
        deep/world/.dialog2api/buckets/
        deep/world/.dialog2api/buckets/alpha.json
        deep/world/.dialog2api/buckets/alpha.log
        deep/world/.dialog2api/incoming/
        deep/world/.dialog2api/index
        deep/world/.dialog2api/lock
        deep/world/.dialog2api/replaced/
        deep/world/.dialog2api/staged/
        deep/world/.dialog2api/versions/
        deep/world/alpha/
        deep/world/alpha/.dialog2api/
        deep/world/alpha/.dialog2api/journal.json
        deep/world/alpha/a
        deep/world/alpha/back\slash
        deep/world/alpha/é 東京.txt
    "#]].assert_eq(&files(folder.path()));
    expect![[r#"
        alpha
          ".." "[2]" binary/octet-stream
          "../../up.txt" "[12]" binary/octet-stream
          "./c" "[3]" binary/octet-stream
          ".dialog2api/journal.json" "[24]" binary/octet-stream
          "/etc/passwd" "[11]" binary/octet-stream
          "/x" "[2]" binary/octet-stream
          "a" "[1]" binary/octet-stream
          "a/../b" "[6]" binary/octet-stream
          "a//b" "[4]" binary/octet-stream
          "a/b" "[3]" binary/octet-stream
          "back\\slash" "[11]" binary/octet-stream
          "dir/" "[4]" binary/octet-stream
          "esc\u{1b}[2J" "[12]" binary/octet-stream
          "kkkkkkkk… (300)" "[300]" binary/octet-stream
          "n\0l" "[8]" binary/octet-stream
          "é 東京.txt" "[13]" binary/octet-stream
    "#]]
    .assert_eq(&contents(root));
    for key in HOSTILE.iter().copied().chain([long.as_str()]) {
        calls(
            root,
            &format!(r#"delete_object {{"Bucket":"alpha","Key":"{key}"}}"#),
        );
    }
    expect![[r#"
        alpha
    "#]]
    .assert_eq(&contents(root));
    let blobs = fs::read_dir(root.join(".dialog2api/blobs"))
        .expect("a folder")
        .count();
    assert_eq!(blobs, 0);
}

#[test]
fn what_a_person_does_between_runs_is_seen() {
    let folder = folder();
    let root = folder.path();
    calls(
        root,
        r#"
        create_bucket {"Bucket":"alpha"}
        put_object {"Bucket":"alpha","Key":"edited.txt","Body":"old","ContentType":"text/x"}
        put_object {"Bucket":"alpha","Key":"deleted.txt","Body":"gone"}
        put_object {"Bucket":"alpha","Key":"kept.txt","Body":"kept","ContentType":"text/x"}
        put_object {"Bucket":"alpha","Key":"dir/","Body":"blob"}
    "#,
    );
    fs::write(root.join("alpha/edited.txt"), "new").expect("a file");
    fs::remove_file(root.join("alpha/deleted.txt")).expect("a file");
    fs::create_dir_all(root.join("gamma/sub")).expect("a folder");
    fs::write(root.join("gamma/sub/table.csv"), "a,b").expect("a file");
    fs::write(root.join("README"), "not in a bucket").expect("a file");
    expect![[r#"
        alpha
          "dir/" "blob" binary/octet-stream
          "edited.txt" "new" text/plain
          "kept.txt" "kept" text/x
        gamma
          "sub/table.csv" "a,b" text/csv
    "#]]
    .assert_eq(&contents(root));
    // The next write keeps what the person did.
    calls(
        root,
        r#"put_object {"Bucket":"gamma","Key":"x","Body":"x"}"#,
    );
    fs::remove_dir_all(root.join("alpha")).expect("a folder");
    expect![[r#"
        gamma
          "sub/table.csv" "a,b" text/csv
          "x" "x" binary/octet-stream
    "#]]
    .assert_eq(&contents(root));
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
    std::os::unix::fs::symlink(outside.join("secret.txt"), root.join("alpha/file"))
        .expect("a link");
    std::os::unix::fs::symlink(&outside, root.join("linked-bucket")).expect("a link");
    expect![[r#"
        alpha
    "#]]
    .assert_eq(&contents(root));
    let answers = calls(
        root,
        r#"
        get_object {"Bucket":"alpha","Key":"link/secret.txt"}
        put_object {"Bucket":"alpha","Key":"link/new.txt","Body":"x"}
        put_object {"Bucket":"alpha","Key":"file","Body":"x"}
    "#,
    );
    expect![[r#"
        ! 404 NoSuchKey: The specified key does not exist. {Key: "link/secret.txt"}
        {ETag: '"9dd4e461268c8034f5c8564e155c67a6"', ChecksumCRC32: "jNwWgw==", ChecksumType: "FULL_OBJECT", ServerSideEncryption: "AES256"}
        {ETag: '"9dd4e461268c8034f5c8564e155c67a6"', ChecksumCRC32: "jNwWgw==", ChecksumType: "FULL_OBJECT", ServerSideEncryption: "AES256"}
    "#]].assert_eq(&answers);
    expect![[r#"
        alpha
          "file" "x" binary/octet-stream
          "link/new.txt" "x" binary/octet-stream
    "#]]
    .assert_eq(&contents(root));
    let answers = calls(
        root,
        r#"
        create_bucket {"Bucket":"linked-bucket"}
        delete_object {"Bucket":"alpha","Key":"link/new.txt"}
        delete_object {"Bucket":"alpha","Key":"file"}
        list_objects_v2 {"Bucket":"alpha"}
    "#,
    );
    expect![[r#"
        ! 409 BucketAlreadyExists: The requested bucket name is not available. The bucket namespace is shared by all users of the system. Please select a different name and try again. "HOME/linked-bucket" is a file or a link; move it away {BucketName: "linked-bucket"}
        {}
        {}
        {IsTruncated: False, Name: "alpha", Prefix: "", MaxKeys: 1000, EncodingType: "url", KeyCount: 0}
    "#]].assert_eq(&answers.replace(&root.display().to_string(), "HOME"));
    assert_eq!(
        fs::read_to_string(outside.join("secret.txt")).expect("a file"),
        "secret"
    );
    assert_eq!(fs::read_dir(&outside).expect("a folder").count(), 1);
}

#[test]
fn one_process_at_a_time() {
    let folder = folder();
    let _first = open(folder.path());
    let error = DiskWorld::open(folder.path(), Clock::System)
        .err()
        .map(|e| e.to_string());
    assert!(error.is_some_and(|text| text.contains("is open in another dialog2api")));
}

/// What opening a folder says after `spoil` was done to it.
fn refused(spoil: impl FnOnce(&Path), expected: Expect) {
    let folder = folder();
    let root = folder.path();
    calls(
        root,
        r#"
        create_bucket {"Bucket":"alpha"}
        put_object {"Bucket":"alpha","Key":"dir/","Body":"blob"}
    "#,
    );
    spoil(root);
    let error = DiskWorld::open(root, Clock::System)
        .err()
        .map(|e| e.to_string())
        .unwrap_or_default();
    expected.assert_eq(&error.replace(&root.display().to_string(), "ROOT"));
}

#[test]
fn folders_that_are_no_world() {
    refused(
        |root| fs::write(root.join(".dialog2api/buckets/alpha.json"), "{").expect("a file"),
        expect![
            "ROOT/.dialog2api/buckets/alpha.json: damaged: EOF while parsing an object at line 1 column 1; without this file the bucket still has the objects that are files, with guessed types and the files' times, and no older versions"
        ],
    );
    refused(
        |root| {
            let blobs = fs::read_dir(root.join(".dialog2api/blobs")).expect("a folder");
            blobs
                .flatten()
                .for_each(|blob| fs::write(blob.path(), "other").expect("a file"));
        },
        expect![
            "ROOT/.dialog2api/blobs/c4984c356cf6b71d0ffdfe1a62fd0af422f9c3f275edfe5624e25776ac32a967: damaged: it should hold the content of alpha/dir/"
        ],
    );
    let folder = folder();
    let file = folder.path().join("file");
    fs::write(&file, "\u{0}").expect("a file");
    let error = world::open(&file.display().to_string())
        .err()
        .map(|e| e.to_string());
    assert!(error.is_some_and(|text| text.contains("file: ")));
}

#[test]
fn a_folder_can_be_read_without_being_written() {
    let folder = folder();
    fs::create_dir(folder.path().join("alpha")).expect("a folder");
    fs::write(folder.path().join("alpha/k.json"), "{}").expect("a file");
    let memory = world::memory(&folder.path().display().to_string()).expect("a world");
    let state = memory.snapshot().state;
    let object = state
        .bucket("alpha")
        .and_then(|bucket| bucket.object("k.json"))
        .expect("an object");
    assert_eq!(object.attributes.content_type, "application/json");
    assert!(!folder.path().join(".dialog2api").exists());
}
