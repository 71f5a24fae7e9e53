use crate::support::{empty, render, run};
use dialog2api::domain::s3::show::{diff, summary};
use dialog2api::domain::s3::{Memory, open, world};
use dialog2api::domain::{self, Value, World};
use expect_test::{Expect, expect};
use std::future::Future;
use std::path::Path;

/// The embedded store never waits.
fn now<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().build().expect("a runtime").block_on(future)
}

fn signature(world: &dyn World) -> String {
    now(domain::signature(world, [])).expect("a signature").to_string()
}

fn show(world: &dyn World) -> String {
    let summary = now(summary(world)).expect("a summary");
    let mut shown = String::new();
    for bucket in summary.buckets {
        shown += &format!("{} {} {}\n", bucket.name, bucket.region, bucket.created);
        for object in bucket.objects {
            shown += &format!("  {} {} {} {}\n", object.key, object.size, object.modified, object.etag);
        }
    }
    shown
}

#[test]
fn zoology() {
    let world = open("zoology").expect("a world");
    expect![[r#""#]].assert_eq(&show(&*world));
    expect![[r#""#]].assert_eq(&signature(&*world));
    let params = Value::Map(vec![
        ("Bucket".to_owned(), "zoology-bucket".into()),
        ("Key".to_owned(), "land_animals/mammals/deer.txt".into()),
    ]);
    let answer = now(world.call("get_object", &params)).expect("an answer");
    expect![[r#""#]].assert_eq(&render(&answer));
}

#[test]
fn the_empty_world() {
    let world = open("empty").expect("a world");
    expect![""].assert_eq(&show(&*world));
    expect![[r#""#]].assert_eq(&signature(&*world));
}

/// What is wrong with a description.
fn wrong(text: &str, expected: Expect) {
    let error = world::store_from(text, Path::new("w.toml")).err().map(|error| error.to_string());
    expected.assert_eq(&error.unwrap_or_default());
}

#[test]
fn descriptions_that_are_wrong() {
    wrong("colour = 1", expect![[r#""#]]);
    wrong("clock = 2024-01-01", expect![[r#""#]]);
    wrong("[[bucket]]\nname = \"No\"", expect![[r#""#]]);
    wrong("[[bucket]]\nname = \"abc\"\nregion = \"mars\"", expect![[r#""#]]);
    wrong("[[bucket]]\nname = \"abc\"\n[[bucket]]\nname = \"abc\"", expect![[r#""#]]);
    let object = |rest: &str| format!("[[bucket]]\nname = \"abc\"\n[[bucket.object]]\n{rest}");
    wrong(&object("key = \"k\""), expect![[r#""#]]);
    wrong(&object("key = \"k\"\nsize = 1\ntext = \"x\""), expect![[r#""#]]);
    wrong(&object("key = \"k\"\nbase64 = \"?\""), expect![[r#""#]]);
    wrong(&object("key = \"\"\nsize = 1"), expect![[r#""#]]);
    wrong(&object("key = \"k\"\nsize = 99999999999"), expect![[r#""#]]);
    wrong(&object("key = \"k\"\nsize = 1\nmodified = 2024-01-01T00:00:00"), expect![[r#""#]]);
}

#[test]
fn worlds_that_are_not_there() {
    let error = open("no/such/world.toml").err().map(|error| error.to_string());
    expect![[r#""#]].assert_eq(&error.unwrap_or_default());
    let error = open("no/such/folder").err().map(|error| error.to_string());
    expect![[r#""#]].assert_eq(&error.unwrap_or_default());
}

#[test]
fn filler_has_exactly_the_size_that_was_asked_for() {
    for size in [0, 1, 2, 24, 25, 26, 1000] {
        let text = format!("[[bucket]]\nname = \"abc\"\n[[bucket.object]]\nkey = \"é/x.txt\"\nsize = {size}");
        let store = world::store_from(&text, Path::new("w.toml")).expect("a store");
        let object = store.state.bucket("abc").and_then(|b| b.object("é/x.txt")).expect("an object");
        assert_eq!(object.content.len(), size);
        assert!(object.content.is_ascii() && (size == 0 || object.content.ends_with(b"\n")));
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
    run(crate::support::BUCKETS, |operation, params| world.perform(operation, params));
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
    let plain = make(r#"
        create_bucket {"Bucket":"alpha"}
        put_object {"Bucket":"alpha","Key":"k","Body":"x"}
    "#);
    let other_way = make(r#"
        create_bucket {"Bucket":"alpha","CreateBucketConfiguration":{"LocationConstraint":"us-west-2"}}
        put_object {"Bucket":"alpha","Key":"k","Body":"y"}
        put_object {"Bucket":"alpha","Key":"k","Body":"x","ContentType":"text/plain","Metadata":{"a":"b"}}
    "#);
    assert_eq!(plain, other_way);
    let moved = make(r#"
        create_bucket {"Bucket":"alpha"}
        put_object {"Bucket":"alpha","Key":"kx","Body":""}
    "#);
    assert_ne!(plain, moved);
}

#[test]
fn differences() {
    let world = empty();
    run(crate::support::BUCKETS, |operation, params| world.perform(operation, params));
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
    let lines = |changes: Vec<dialog2api::domain::s3::show::Change>| -> String {
        changes.iter().map(|change| format!("{change}\n")).collect()
    };
    expect![[r#""#]].assert_eq(&lines(diff(&before, &after)));
    expect![[r#""#]].assert_eq(&lines(diff(&after, &before)));
    assert_eq!(diff(&after, &after), []);
}
