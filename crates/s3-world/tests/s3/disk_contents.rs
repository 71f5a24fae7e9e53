//! Where the contents of a world on disk are, how many there may be, and folders of older
//! versions.

use super::disk::{calls, contents, folder, open};
use crate::support::run;
use expect_test::expect;
use s3_world::clock::Clock;
use s3_world::domain::{Value, World};
use s3_world::world::{DiskLimits, DiskWorld};
use std::fs;

#[test]
fn contents_are_read_when_they_are_asked_for() {
    let folder = folder();
    let root = folder.path();
    calls(
        root,
        r#"
        create_bucket {"Bucket":"alpha"}
        put_object {"Bucket":"alpha","Key":"k.txt","Body":"before"}
        put_object {"Bucket":"alpha","Key":"dir/","Body":"a blob"}
    "#,
    );
    let world = open(root);
    // Another program meddles while the world is open.
    fs::write(root.join("alpha/k.txt"), "beside").expect("a file");
    let read = |key: &'static str| {
        let params = vec![
            ("Bucket".into(), "alpha".into()),
            ("Key".into(), key.into()),
        ];
        let read =
            futures_util::FutureExt::now_or_never(world.call("get_object", &Value::Map(params)));
        match read.expect("no runtime, so it waits in place") {
            Ok(answer) => format!("{:?}", answer.expect("an answer").get("Body")),
            Err(error) => error
                .to_string()
                .replace(&root.display().to_string(), "ROOT"),
        }
    };
    expect![[r#"Some(Bytes(b"a blob"))"#]].assert_eq(&read("dir/"));
    expect![[r#"Some(Bytes(b"beside"))"#]].assert_eq(&read("k.txt"));
    // A fork has what was there when it was made, or says that it is there no more.
    let fork = world.fork();
    fs::write(root.join("alpha/k.txt"), "another").expect("a file");
    let params = vec![
        ("Bucket".into(), "alpha".into()),
        ("Key".into(), "k.txt".into()),
    ];
    let error = futures_util::FutureExt::now_or_never(World::call(
        &fork,
        "get_object",
        &Value::Map(params),
    ));
    let error = error
        .expect("no runtime")
        .err()
        .map(|error| error.to_string());
    let error = error.unwrap_or_default();
    assert!(
        error.contains("another program has changed this file"),
        "{error}"
    );
}

#[test]
fn a_fork_has_the_contents_of_its_time() {
    let folder = folder();
    let root = folder.path();
    calls(
        root,
        r#"
        create_bucket {"Bucket":"alpha"}
        put_object {"Bucket":"alpha","Key":"k.txt","Body":"first"}
        put_object {"Bucket":"alpha","Key":"dir/","Body":"a blob"}
    "#,
    );
    let world = open(root);
    let fork = world.fork();
    let later = r#"
        put_object {"Bucket":"alpha","Key":"k.txt","Body":"second"}
        put_object {"Bucket":"alpha","Key":"k.txt","Body":"third"}
        delete_object {"Bucket":"alpha","Key":"dir/"}
    "#;
    run(later, |operation, params| {
        world.perform(operation, params).expect("a working disk")
    });
    let reads = r#"
        get_object {"Bucket":"alpha","Key":"k.txt"}
        get_object {"Bucket":"alpha","Key":"dir/","Range":"bytes=2-"}
        copy_object {"Bucket":"alpha","Key":"copy","CopySource":"alpha/dir/"}
        get_object {"Bucket":"alpha","Key":"copy"}
    "#;
    let answers = run(reads, |operation, params| fork.perform(operation, params));
    let bodies: Vec<_> = answers
        .split("Body: ")
        .skip(1)
        .filter_map(|rest| rest.split('}').next())
        .collect();
    assert_eq!(bodies, [r#"b"first""#, r#"b"blob""#, r#"b"a blob""#]);
    let replaced = || fs::read_dir(root.join(".dialog2api/replaced")).expect("a folder");
    assert_eq!(replaced().count(), 2, "what nobody reads any more is gone");
    drop(fork);
    assert_eq!(replaced().count(), 0);
}

#[test]
fn a_world_has_a_limit() {
    let folder = folder();
    let limits = DiskLimits {
        bytes: 10,
        objects: 2,
        ..DiskLimits::default()
    };
    let start = "2024-01-01T00:00:00Z".parse().expect("a time");
    let world = DiskWorld::open_with(folder.path(), Clock::Steps(start), limits).expect("a world");
    let answers = run(
        r#"
        create_bucket {"Bucket":"alpha"}
        put_object {"Bucket":"alpha","Key":"a","Body":"123456"}
        put_object {"Bucket":"alpha","Key":"b","Body":"12345"}
        put_object {"Bucket":"alpha","Key":"b","Body":"1234"}
        put_object {"Bucket":"alpha","Key":"a","Body":"654321"}
        copy_object {"Bucket":"alpha","Key":"a","CopySource":"alpha/b"}
        put_object {"Bucket":"alpha","Key":"c","Body":""}
        delete_object {"Bucket":"alpha","Key":"b"}
        put_object {"Bucket":"alpha","Key":"c","Body":"123456"}
    "#,
        |operation, params| world.perform(operation, params).expect("a working disk"),
    );
    let codes: Vec<_> = answers
        .lines()
        .map(|line| line.split(" {").next().unwrap_or_default())
        .filter(|line| line.starts_with('!'))
        .collect();
    let full = "! 507 InsufficientStorage: This world may hold at most";
    let make_room = "delete objects to make room";
    assert_eq!(
        codes,
        [
            format!("{full} 10 bytes; {make_room}"),
            format!("{full} 2 objects; {make_room}"),
        ]
    );
    drop(world);
    fs::write(folder.path().join("alpha/d"), "1").expect("a file");
    let error = DiskWorld::open_with(folder.path(), Clock::System, limits).err();
    let error = error.map(|error| error.to_string()).unwrap_or_default();
    assert!(
        error.ends_with("a world may hold at most 10 bytes, and this folder holds more"),
        "{error}"
    );
}

/// Written before there were logs: the manifest has all objects, and so has one that an
/// interrupted change was to put in its place.
#[test]
fn a_folder_of_an_older_version_is_read() {
    let folder = folder();
    let root = folder.path();
    let hidden = root.join(".dialog2api");
    for path in [
        "alpha",
        ".dialog2api/buckets",
        ".dialog2api/blobs",
        ".dialog2api/staged",
    ] {
        fs::create_dir_all(root.join(path)).expect("a folder");
    }
    fs::write(root.join("alpha/k"), "content").expect("a file");
    let blob = "c4984c356cf6b71d0ffdfe1a62fd0af422f9c3f275edfe5624e25776ac32a967";
    fs::write(hidden.join("blobs").join(blob), "content").expect("a file");
    let sha256 = "ed7002b439e9ac845f22357d822bac1444730fbdb6016d3ec9432297b9ec9f73";
    let manifest = |kind: &str| {
        let object = format!(
            r#""sha256":"{sha256}","modified":"2024-05-01T00:00:00Z","content_type":"{kind}""#
        );
        format!(
            r#"{{"location":"eu-west-1","created":"2024-04-01T00:00:00Z","objects":{{"k":{{{object}}},"dir/":{{{object},"blob":true}}}}}}"#
        )
    };
    fs::write(hidden.join("buckets/alpha.json"), manifest("text/x")).expect("a file");
    expect![[r#"
        alpha
          "dir/" "content" text/x
          "k" "content" text/x
    "#]]
    .assert_eq(&contents(root));
    fs::write(hidden.join("staged/0"), manifest("text/y")).expect("a file");
    let steps = r#"[{"move_manifest":{"staged":"0","bucket":"alpha"}}]"#;
    fs::write(hidden.join("journal.json"), steps).expect("a file");
    calls(
        root,
        r#"put_object {"Bucket":"alpha","Key":"new","Body":"x","ContentType":"text/z"}"#,
    );
    expect![[r#"
        alpha
          "dir/" "content" text/y
          "k" "content" text/y
          "new" "x" text/z
    "#]]
    .assert_eq(&contents(root));
}
