//! Worlds built in and described: reading, summaries, differences, signatures.

use crate::support::{empty, render, run};
use expect_test::{Expect, expect};
use s3_world::clock::Clock;
use s3_world::domain::{self, Value, World};
use s3_world::show::{S3Change, diff, summary};
use s3_world::world::DiskWorld;
use s3_world::{Memory, Overlay, open, world};
use std::future::Future;
use std::path::Path;
use std::sync::Arc;

/// The embedded store never waits.
fn now<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread()
        .build()
        .expect("a runtime")
        .block_on(future)
}

fn signature(world: &dyn World) -> String {
    now(domain::signature(world, []))
        .expect("a signature")
        .to_string()
}

fn show(world: &dyn World) -> String {
    let summary = now(summary(world)).expect("a summary");
    let mut shown = String::new();
    for bucket in summary.buckets {
        shown += &format!("{} {} {}\n", bucket.name, bucket.region, bucket.created);
        for object in bucket.objects {
            shown += &format!(
                "  {} {} {} {}\n",
                object.key, object.size, object.modified, object.etag
            );
        }
    }
    shown
}

/// Worlds read contents past the store, so each could forget the check that the store makes.
#[test]
fn too_large_a_header_is_refused_by_every_world() {
    let folder = tempfile::tempdir().expect("a folder");
    let stepping = || Clock::Steps(jiff::Timestamp::UNIX_EPOCH);
    let disk = || DiskWorld::open(folder.path(), stepping()).expect("a world");
    let worlds: [(&str, Arc<dyn World>); 3] = [
        ("memory", Arc::new(empty())),
        ("overlay", {
            let base = Arc::new(empty());
            Arc::new(Overlay::over(base, stepping(), "us-east-1"))
        }),
        ("disk", Arc::new(disk())),
    ];
    let call = |more: &str| {
        let pairs = [("Bucket", "alpha"), ("Key", "k"), ("IfMatch", more)];
        let pairs = pairs.into_iter().filter(|(_, text)| !text.is_empty());
        Value::Map(
            pairs
                .map(|(name, text)| (name.into(), text.into()))
                .collect(),
        )
    };
    for (name, world) in worlds {
        let bucket = Value::Map(vec![("Bucket".into(), "alpha".into())]);
        for (operation, params) in [("create_bucket", &bucket), ("put_object", &call(""))] {
            let made = now(world.call(operation, params)).expect("a working world");
            made.expect(operation);
        }
        let large = "a".repeat(9 << 10);
        for operation in ["get_object", "head_object"] {
            for asked in [
                now(world.call(operation, &call(&large))),
                now(world.call_streamed(operation, &call(&large))),
            ] {
                let refused = asked.expect("a working world").expect_err(name);
                assert_eq!(
                    refused.code, "RequestHeaderSectionTooLarge",
                    "{name} {operation}"
                );
            }
        }
    }
}

#[test]
fn zoology() {
    let world = open("zoology").expect("a world").world;
    expect![[r#"
        zoology-archive us-west-2 2022-11-02T15:30:00Z
          2022/report.txt 3120 2022-12-31T18:00:00Z "84b01a7b737b93831547193b8af94013"
        zoology-bucket us-east-1 2023-03-14T10:00:00Z
          land_animals/mammals/bat.txt 1551 2023-03-14T10:05:00Z "90bfdb719a9d74ed1caf8c9c4794399b"
          land_animals/mammals/deer.txt 402 2023-03-14T10:06:00Z "4c33e7a90966dedf238e55278e07973d"
          land_animals/mammals/pika.txt 878 2023-03-15T08:30:00Z "258f3f294eb371f9113956f7eb915aa8"
          land_animals/pinniped.txt 1204 2023-04-02T16:45:10Z "80fb0492acd2e90916b76be1805cdc42"
          land_animals/primate.txt 2310 2023-04-03T09:12:40Z "2d7e79a410f15234fe941814d8dcc797"
          photos/otter.jpg 125 2023-06-20T12:00:00Z "558fa6a761ed5046dfe759967c9422d2"
          sea_animals/dolphin.txt 1733 2023-04-10T11:00:00Z "f3f06de28f1fc87aa9794abb4d02ab73"
          sea_animals/orca.txt 640 2023-04-10T11:20:00Z "8c893fb000d84eaf8f6cb2d6098ebe82"
          sea_animals/otter.txt 955 2023-04-11T07:55:30Z "dbad61cc83fc5f4392b84ecf2a1ef248"
          sea_animals/seahorse.txt 310 2023-05-05T14:00:00Z "fe34e9f0c0a4f288ad06e94d9b5403f5"
          sightings.csv 191 2023-07-01T06:00:00Z "2ca951e11bf2fe57fef2ed1a2b7194f6"
    "#]]
    .assert_eq(&show(&*world));
    expect!["42ac7332"].assert_eq(&signature(&*world));
    let params = Value::Map(vec![
        ("Bucket".into(), "zoology-bucket".into()),
        ("Key".into(), "land_animals/mammals/deer.txt".into()),
    ]);
    let answer = now(world.call("get_object", &params)).expect("an answer");
    expect![[r#"{AcceptRanges: "bytes", LastModified: 2023-03-14T10:06:00Z, ContentLength: 402, ETag: '"4c33e7a90966dedf238e55278e07973d"', ChecksumCRC32: "GYR/Ig==", ChecksumType: "FULL_OBJECT", ContentType: "text/plain", ServerSideEncryption: "AES256", Metadata: {}, Body: b"Field notes: deer\n\nThe largest one was seen near the old bridge at dawn. The largest one was\ncounted twice near the old bridge in the afternoon. A small group was heard\nunder the large tree around noon. A small group was counted twice by the\nwater shortly after rain. The largest one was seen under the large tree at\ndawn. A pair left tracks below the north slope at dusk. The one from last\nspring fed\n"}"#]].assert_eq(&render(&answer));
}

#[test]
fn the_empty_world() {
    let world = open("empty").expect("a world").world;
    expect![""].assert_eq(&show(&*world));
    expect!["e3b0c442"].assert_eq(&signature(&*world));
}

/// What is wrong with a description.
fn wrong(text: &str, expected: Expect) {
    let error = world::store_from(text, Path::new("w.toml"))
        .err()
        .map(|error| error.to_string());
    expected.assert_eq(&error.unwrap_or_default());
}

#[test]
fn descriptions_that_are_wrong() {
    wrong(
        "colour = 1",
        expect![[r#"
        w.toml: line 1, column 1: unknown field `colour`, expected one of `description`, `region`, `clock`, `filler`, `bucket`"#]],
    );
    wrong(
        "clock = 2024-01-01",
        expect![[r#"
        w.toml: line 1, column 9: 2024-01-01 is not a time with an offset, as 2024-05-01T09:00:00Z"#]],
    );
    wrong(
        "[[bucket]]\nname = \"No\"",
        expect![[
            r#"w.toml: line 2, column 8: bucket "No": not a bucket name: 3 to 63 of a-z, 0-9, '.' and '-'"#
        ]],
    );
    wrong(
        "[[bucket]]\nname = \"abc\"\nregion = \"mars\"",
        expect![[
            r#"w.toml: line 3, column 10: bucket "abc": region = "mars": S3 has no such region"#
        ]],
    );
    wrong(
        "[[bucket]]\nname = \"abc\"\n[[bucket]]\nname = \"abc\"",
        expect![[r#"w.toml: line 4, column 8: bucket "abc": another bucket has this name"#]],
    );
    let object = |rest: &str| format!("[[bucket]]\nname = \"abc\"\n[[bucket.object]]\n{rest}");
    wrong(
        &object("key = \"k\""),
        expect![[
            r#"w.toml: line 4, column 7: bucket "abc": key "k": give one of size, text and base64"#
        ]],
    );
    wrong(
        &object("key = \"k\"\nsize = 1\ntext = \"x\""),
        expect![[
            r#"w.toml: line 4, column 7: bucket "abc": key "k": give one of size, text and base64"#
        ]],
    );
    wrong(
        &object("key = \"k\"\nbase64 = \"?\""),
        expect![[
            r#"w.toml: line 4, column 7: bucket "abc": key "k": base64: Invalid symbol 63, offset 0."#
        ]],
    );
    wrong(
        &object("key = \"\"\nsize = 1"),
        expect![[
            r#"w.toml: line 4, column 7: bucket "abc": key "": Parameter Key must be at least one character long"#
        ]],
    );
    wrong(
        &object("key = \"k\"\nsize = 99999999999"),
        expect![[
            r#"w.toml: line 4, column 7: bucket "abc": key "k": size = 99999999999 is more than 67108864 bytes"#
        ]],
    );
    wrong(
        &object("key = \"k\"\nsize = 1\nmodified = 2024-01-01T00:00:00"),
        expect![[r#"
        w.toml: line 6, column 12: 2024-01-01T00:00:00 is not a time with an offset, as 2024-05-01T09:00:00Z"#]],
    );
}

#[test]
fn worlds_that_are_not_there() {
    let error = open("no/such/world.toml")
        .err()
        .map(|error| error.to_string());
    expect!["no/such/world.toml: there is no such file; a world is `zoology`, `empty`, a description (FILE.toml) or a folder whose subfolders are buckets"].assert_eq(&error.unwrap_or_default());
    let error = open("no/such/folder").err().map(|error| error.to_string());
    expect![
        "cannot create the world's folder no/such/folder: No such file or directory (os error 2)"
    ]
    .assert_eq(&error.unwrap_or_default());
}

#[test]
fn filler_is_about_nothing_unless_the_world_names_a_theme() {
    let filler = |head: &str| {
        let text = format!(
            "{head}[[bucket]]\nname = \"abc\"\n[[bucket.object]]\nkey = \"scans/0417.dcm\"\nsize = 90"
        );
        let store = world::store_from(&text, Path::new("w.toml")).expect("a store");
        let object = store
            .state
            .bucket("abc")
            .and_then(|b| b.object("scans/0417.dcm"))
            .expect("an object");
        let content = object.content.read().expect("it is here");
        String::from_utf8(content.to_vec()).expect("text")
    };
    expect![[r#"
        Filler text: 0417

        This is line 1 of 0417.
        This is line 2 of 0417.
        This is line 3 of 0417
    "#]]
    .assert_eq(&filler(""));
    expect![[r#"
        Field notes: 0417

        A small group was seen beside the path around noon. An old one left tr
    "#]]
    .assert_eq(&filler("filler = \"field-notes\"\n"));
    wrong(
        "filler = \"poetry\"",
        expect![[
            r#"w.toml: line 1, column 10: unknown variant `poetry`, expected `plain` or `field-notes`"#
        ]],
    );
}

#[test]
fn filler_has_exactly_the_size_that_was_asked_for() {
    for size in [0, 1, 2, 24, 25, 26, 1000] {
        let text = format!(
            "[[bucket]]\nname = \"abc\"\n[[bucket.object]]\nkey = \"é/x.txt\"\nsize = {size}"
        );
        let store = world::store_from(&text, Path::new("w.toml")).expect("a store");
        let object = store
            .state
            .bucket("abc")
            .and_then(|b| b.object("é/x.txt"))
            .expect("an object");
        let content = &object.content.read().expect("it is here");
        assert_eq!(content.len(), size);
        assert!(content.is_ascii() && (size == 0 || content.ends_with(b"\n")));
    }
}

#[test]
fn a_fork_goes_its_own_way() {
    let world = world::memory("zoology").expect("a world");
    let before = signature(&world);
    let fork: Memory = world.fork();
    let calls = r#"delete_object {"Bucket":"zoology-bucket","Key":"sea_animals/orca.txt"}"#;
    run(calls, |operation, params| fork.perform(operation, params));
    assert_eq!(signature(&world), before);
    assert_ne!(signature(&fork), before);
    let snapshot = world.snapshot();
    run(calls, |operation, params| world.perform(operation, params));
    assert_eq!(signature(&world), signature(&fork));
    world.restore(snapshot);
    assert_eq!(signature(&world), before);
}

#[test]
fn reads_and_refused_writes_leave_no_trace() {
    let world = empty();
    run(crate::support::BUCKETS, |operation, params| {
        world.perform(operation, params)
    });
    let before = (signature(&world), world.snapshot().clock);
    run(
        r#"
        get_object {"Bucket":"alpha","Key":"src"}
        list_objects {"Bucket":"alpha"}
        delete_bucket {"Bucket":"alpha"}
        put_object {"Bucket":"alpha","Key":"k","Body":"x","ContentMD5":"?"}
        create_bucket {"Bucket":"alpha"}
        delete_object {"Bucket":"alpha","Key":"nope"}
        "#,
        |operation, params| world.perform(operation, params),
    );
    assert_eq!((signature(&world), world.snapshot().clock), before);
}

#[test]
fn the_signature_knows_names_and_contents_only() {
    let make = |calls: &str| {
        let world = empty();
        run(calls, |operation, params| world.perform(operation, params));
        signature(&world)
    };
    let plain = make(
        r#"
        create_bucket {"Bucket":"alpha"}
        put_object {"Bucket":"alpha","Key":"k","Body":"x"}
    "#,
    );
    let other_way = make(
        r#"
        create_bucket {"Bucket":"alpha","CreateBucketConfiguration":{"LocationConstraint":"us-west-2"}}
        put_object {"Bucket":"alpha","Key":"k","Body":"y"}
        put_object {"Bucket":"alpha","Key":"k","Body":"x","ContentType":"text/plain","Metadata":{"a":"b"}}
    "#,
    );
    assert_eq!(plain, other_way);
    let moved = make(
        r#"
        create_bucket {"Bucket":"alpha"}
        put_object {"Bucket":"alpha","Key":"kx","Body":""}
    "#,
    );
    assert_ne!(plain, moved);
}

#[test]
fn differences() {
    let world = empty();
    run(crate::support::BUCKETS, |operation, params| {
        world.perform(operation, params)
    });
    let before = now(summary(&world)).expect("a summary");
    run(
        r#"
        put_object {"Bucket":"alpha","Key":"src","Body":"longer than before"}
        put_object {"Bucket":"alpha","Key":"evil\u001b[2J","Body":"x"}
        delete_bucket {"Bucket":"beta"}
        create_bucket {"Bucket":"gamma"}
        put_object {"Bucket":"gamma","Key":"new/","Body":""}
        "#,
        |operation, params| world.perform(operation, params),
    );
    let after = now(summary(&world)).expect("a summary");
    let lines = |changes: Vec<S3Change>| -> String {
        changes.iter().map(|change| format!("{change}\n")).collect()
    };
    expect![[r#"
        + alpha/evil\u{1b}[2J (1 byte)
        ~ alpha/src (5 → 18 bytes)
        - beta/
        + gamma/
        + gamma/new/ (0 bytes)
    "#]]
    .assert_eq(&lines(diff(&before, &after)));
    expect![[r#"
        - alpha/evil\u{1b}[2J (1 byte)
        ~ alpha/src (18 → 5 bytes)
        + beta/
        - gamma/new/ (0 bytes)
        - gamma/
    "#]]
    .assert_eq(&lines(diff(&after, &before)));
    assert_eq!(diff(&after, &after), []);
}

/// A world that lists two things a page, as an account with thousands of them does.
struct Pages(Memory);

#[async_trait::async_trait]
impl domain::Layer for Pages {
    fn under(&self) -> &dyn World {
        &self.0
    }

    async fn pass(
        &self,
        operation: &str,
        params: &Value,
        onward: &domain::Onward<'_>,
    ) -> s3_world::Result<domain::Answer> {
        let limit = match operation {
            "list_buckets" => "MaxBuckets",
            "list_objects_v2" => "MaxKeys",
            _ => return onward.call(operation, params).await,
        };
        let mut pairs = match params {
            Value::Map(pairs) => pairs.clone(),
            _ => Vec::new(),
        };
        pairs.push((limit.into(), Value::Int(2)));
        onward.call(operation, &Value::Map(pairs)).await
    }
}

#[test]
fn a_summary_reads_every_page() {
    let world = empty();
    for number in 0..5 {
        let calls = format!(
            "create_bucket {{\"Bucket\":\"bucket-{number}\"}}\n\
             put_object {{\"Bucket\":\"bucket-0\",\"Key\":\"key-{number}\"}}"
        );
        run(&calls, |operation, params| world.perform(operation, params));
    }
    let whole = now(summary(&world)).expect("a summary");
    assert_eq!(
        (whole.buckets.len(), whole.buckets[0].objects.len()),
        (5, 5)
    );
    let paged = now(summary(&Pages(world))).expect("a summary");
    assert_eq!(paged, whole);
}
