//! The calls of an overlay to its base, which may be a distant server with big buckets.

use super::{call, signed};
use crate::support::{empty, render, run};
use async_trait::async_trait;
use expect_test::{Expect, expect};
use s3_world::clock::Clock;
use s3_world::domain::{Answer, Refusal, Signer, Value, World};
use s3_world::memory::{Attributes, Content, Elsewhere, Object};
use s3_world::{Error, Result};
use s3_world::{Memory, Overlay};
use std::sync::{Arc, Mutex};

/// A world that counts what it is asked and what it hands out.
struct Counted {
    world: Memory,
    asked: Mutex<Vec<String>>,
    /// Refuses or fails instead.
    instead: Option<Instead>,
}

/// What is answered instead, if anything.
type Instead = fn(&str, &Value) -> Option<Result<Answer>>;

impl Counted {
    /// Answers with continuation tokens that nobody else can read.
    fn answer(&self, operation: &str, params: &Value) -> Answer {
        let turned = |value: Value| match value {
            Value::Map(mut pairs) => {
                for (name, value) in &mut pairs {
                    if let (true, Value::Str(text)) = (name.ends_with("ContinuationToken"), value) {
                        *text = text.chars().rev().collect();
                    }
                }
                Value::Map(pairs)
            }
            other => other,
        };
        let answer = self.world.perform(operation, &turned(params.clone()));
        answer.map(turned)
    }
}

#[async_trait]
impl World for Counted {
    async fn call(&self, operation: &str, params: &Value) -> Result<Answer> {
        let told = self.instead.and_then(|instead| instead(operation, params));
        let answer = match told {
            Some(told) => told?,
            None => self.answer(operation, params),
        };
        let size = match answer.as_ref().map(|answer| answer.get("Body")) {
            Ok(Some(Value::Bytes(bytes))) => format!(" {} bytes", bytes.len()),
            _ => String::new(),
        };
        let names = ["Contents", "CommonPrefixes"].map(|name| {
            let entries = answer.as_ref().ok().and_then(|a| a.get(name)?.as_list());
            entries.map_or(0, <[Value]>::len)
        });
        let lines = match operation.starts_with("list_objects") {
            true => format!(" {} lines", names.iter().sum::<usize>()),
            false => String::new(),
        };
        let line = format!("{operation}{size}{lines}");
        self.asked.lock().expect("no panic").push(line);
        Ok(answer)
    }

    fn fork(&self) -> Option<Arc<dyn World>> {
        None
    }

    async fn state(&self, signer: &mut Signer) -> Result<()> {
        self.asked
            .lock()
            .expect("no panic")
            .push("state".to_owned());
        self.world.state(signer).await
    }

    fn describe(&self) -> String {
        "a counted world".to_owned()
    }
}

/// The keys `k/0000` to `k/4999` in `big`, of which the first has 9 MB.
fn big() -> Memory {
    let world = empty();
    let mut setup =
        "create_bucket {\"Bucket\":\"big\"}\ncreate_bucket {\"Bucket\":\"other\"}\n".to_owned();
    setup += "put_object {\"Bucket\":\"big\",\"Key\":\"k/0000\",\"Body\":{\"@zeros\":9000000}}\n";
    for n in 1..5000 {
        setup += &format!("put_object {{\"Bucket\":\"big\",\"Key\":\"k/{n:04}\"}}\n");
    }
    run(&setup, |operation, params| world.perform(operation, params));
    world
}

fn counted(world: Memory, instead: Option<Instead>) -> (Arc<Counted>, Overlay) {
    let clock = world.snapshot().clock;
    let base = Arc::new(Counted {
        world,
        asked: Mutex::default(),
        instead,
    });
    (base.clone(), Overlay::over(base, clock, "us-east-1"))
}

/// Shows for each call what the base was asked for it.
fn check(world: Memory, calls: &str, expected: Expect) {
    let (base, overlay) = counted(world, None);
    let mut shown = String::new();
    for line in calls.lines().map(str::trim).filter(|line| !line.is_empty()) {
        run(line, |operation, params| {
            let answer = call(&overlay, operation, params);
            assert!(answer.is_ok(), "{line}: {answer:?}");
            answer
        });
        let asked = std::mem::take(&mut *base.asked.lock().expect("no panic"));
        let start: String = line.chars().take(100).collect();
        shown += &format!("{start}\n");
        shown.extend(counts(&asked).iter().map(|line| format!("    {line}\n")));
    }
    expected.assert_eq(&shown);
}

/// Lines that follow each other and are alike, as one.
fn counts(lines: &[String]) -> Vec<String> {
    let alike = lines.chunk_by(|one, other| one == other);
    alike
        .map(|lines| match lines {
            [line] => line.clone(),
            _ => format!("{} × {}", lines.len(), lines[0]),
        })
        .collect()
}

#[test]
fn no_more_than_is_needed() {
    let keys = |from: usize, to: usize| -> String {
        let keys: Vec<String> = (from..to)
            .map(|n| format!("{{\"Key\":\"k/{n:04}\"}}"))
            .collect();
        keys.join(",")
    };
    let (some, many) = (keys(3, 8), keys(1000, 2000));
    let calls = format!(
        r#"
        list_objects_v2 {{"Bucket":"big"}}
        list_objects {{"Bucket":"big","Delimiter":"/"}}
        copy_object {{"Bucket":"other","Key":"copy","CopySource":"big/k/0000"}}
        get_object {{"Bucket":"other","Key":"copy","Range":"bytes=10-19"}}
        head_object {{"Bucket":"other","Key":"copy"}}
        put_object {{"Bucket":"big","Key":"k/0001","Body":"new"}}
        put_object {{"Bucket":"big","Key":"k/0001","Body":"newer"}}
        get_object {{"Bucket":"big","Key":"k/0001"}}
        get_object {{"Bucket":"big","Key":"k/0002"}}
        put_object {{"Bucket":"big","Key":"l","Body":"new"}}
        delete_objects {{"Bucket":"big","Delete":{{"Objects":[{some}]}}}}
        delete_objects {{"Bucket":"big","Delete":{{"Objects":[{many}]}}}}
        list_objects_v2 {{"Bucket":"big","MaxKeys":10}}
        list_objects_v2 {{"Bucket":"big","MaxKeys":10,"StartAfter":"k/0500"}}
        list_objects_v2 {{"Bucket":"big","MaxKeys":10,"StartAfter":"k/3000"}}
        list_objects_v2 {{"Bucket":"big","Delimiter":"/"}}
        list_objects_v2 {{"Bucket":"big","Prefix":"k/19","Delimiter":"5"}}
        list_objects_v2 {{"Bucket":"big","StartAfter":"k/3000"}}
        list_objects_v2 {{"Bucket":"other"}}
        create_bucket {{"Bucket":"mine"}}
        put_object {{"Bucket":"mine","Key":"k"}}
        list_objects_v2 {{"Bucket":"mine"}}
        delete_object {{"Bucket":"mine","Key":"k"}}
        delete_bucket {{"Bucket":"mine"}}
        "#
    );
    check(
        big(),
        &calls,
        expect![[r#"
            list_objects_v2 {"Bucket":"big"}
                list_objects_v2 1000 lines
            list_objects {"Bucket":"big","Delimiter":"/"}
                list_objects 1 lines
            copy_object {"Bucket":"other","Key":"copy","CopySource":"big/k/0000"}
                2 × head_object
                list_objects_v2 0 lines
                get_bucket_versioning
                get_object_tagging
            get_object {"Bucket":"other","Key":"copy","Range":"bytes=10-19"}
                get_object 10 bytes
            head_object {"Bucket":"other","Key":"copy"}
            put_object {"Bucket":"big","Key":"k/0001","Body":"new"}
                head_object
                get_bucket_versioning
            put_object {"Bucket":"big","Key":"k/0001","Body":"newer"}
            get_object {"Bucket":"big","Key":"k/0001"}
            get_object {"Bucket":"big","Key":"k/0002"}
                get_object 0 bytes
            put_object {"Bucket":"big","Key":"l","Body":"new"}
                head_object
            delete_objects {"Bucket":"big","Delete":{"Objects":[{"Key":"k/0003"},{"Key":"k/0004"},{"Key":"k/0005
                5 × head_object
            delete_objects {"Bucket":"big","Delete":{"Objects":[{"Key":"k/1000"},{"Key":"k/1001"},{"Key":"k/1002
                list_objects_v2 999 lines
                head_object
            list_objects_v2 {"Bucket":"big","MaxKeys":10}
                list_objects_v2 20 lines
            list_objects_v2 {"Bucket":"big","MaxKeys":10,"StartAfter":"k/0500"}
                list_objects_v2 20 lines
            list_objects_v2 {"Bucket":"big","MaxKeys":10,"StartAfter":"k/3000"}
                list_objects_v2 11 lines
            list_objects_v2 {"Bucket":"big","Delimiter":"/"}
                list_objects_v2 1 lines
            list_objects_v2 {"Bucket":"big","Prefix":"k/19","Delimiter":"5"}
                list_objects_v2 91 lines
                5 × list_objects_v2 1 lines
                list_objects_v2 10 lines
                4 × list_objects_v2 1 lines
            list_objects_v2 {"Bucket":"big","StartAfter":"k/3000"}
                list_objects_v2 1000 lines
            list_objects_v2 {"Bucket":"other"}
                list_objects_v2 0 lines
            create_bucket {"Bucket":"mine"}
                head_bucket
            put_object {"Bucket":"mine","Key":"k"}
            list_objects_v2 {"Bucket":"mine"}
            delete_object {"Bucket":"mine","Key":"k"}
            delete_bucket {"Bucket":"mine"}
        "#]],
    );
}

#[test]
fn the_state_of_what_is_untouched_is_the_bases_own() {
    let (base, overlay) = counted(big(), None);
    let before = signed(&overlay);
    let put = r#"put_object {"Bucket":"other","Key":"k","Body":"x"}"#;
    run(put, |operation, params| call(&overlay, operation, params));
    base.asked.lock().expect("no panic").clear();
    assert_ne!(signed(&overlay), before);
    let asked = std::mem::take(&mut *base.asked.lock().expect("no panic"));
    let read = asked.iter().filter(|line| line.starts_with("get_object "));
    // The large object is read in two parts.
    assert_eq!(read.count(), 5001);
    run(
        r#"delete_object {"Bucket":"other","Key":"k"}"#,
        |operation, params| call(&overlay, operation, params),
    );
    base.asked.lock().expect("no panic").clear();
    assert_eq!(signed(&overlay), before);
    assert_eq!(*base.asked.lock().expect("no panic"), ["state"]);
}

fn refuse(status: u16, code: &str) -> Option<Result<Answer>> {
    Some(Ok(Err(Refusal {
        code: code.to_owned(),
        message: "no".to_owned(),
        status,
        details: Vec::new(),
    })))
}

#[test]
fn what_the_base_refuses_is_refused() {
    // `beta` is somebody else's; of `alpha` nothing may be listed, and objects with
    // customer keys cannot be looked at.
    let (_, overlay) = counted(
        empty(),
        Some(|operation, params| {
            let bucket = params.get("Bucket").and_then(Value::as_str);
            match (operation, bucket) {
                ("head_bucket" | "head_object", Some("beta")) => refuse(403, "403"),
                (_, Some("beta")) => refuse(403, "AccessDenied"),
                ("head_object", Some("alpha")) => refuse(400, "400"),
                ("list_objects_v2", Some("alpha")) => refuse(403, "AccessDenied"),
                ("head_object", Some("gone")) => Some(Err(Error::world("no answer"))),
                _ => None,
            }
        }),
    );
    let calls = r#"
        put_object {"Bucket":"beta","Key":"k"}
        get_object {"Bucket":"beta","Key":"k"}
        delete_bucket {"Bucket":"beta"}
        create_bucket {"Bucket":"beta"}
        copy_object {"Bucket":"beta","Key":"k","CopySource":"beta/l"}
        put_object {"Bucket":"alpha","Key":"k"}
    "#;
    let answers = run(calls, |operation, params| call(&overlay, operation, params));
    expect![[r#"
        ! 403 AccessDenied: no
        ! 403 AccessDenied: no
        ! 403 AccessDenied: no
        ! 409 BucketAlreadyExists: The requested bucket name is not available. The bucket namespace is shared by all users of the system. Please select a different name and try again. {BucketName: "beta"}
        ! 403 AccessDenied: no
        ! 403 AccessDenied: no
    "#]].assert_eq(&answers);
    let params = Value::Map(vec![
        ("Bucket".into(), "gone".into()),
        ("Key".into(), "k".into()),
    ]);
    let failed = super::wait(overlay.call("put_object", &params));
    assert_eq!(failed.expect_err("a failure").to_string(), "no answer");
    assert_eq!(overlay.changes(), []);
}

#[test]
fn a_copy_of_what_has_changed_since_is_our_failure() {
    let (base, overlay) = counted(empty(), None);
    let at_base = |calls: &str| {
        run(calls, |operation, params| {
            base.world.perform(operation, params)
        })
    };
    at_base(
        "create_bucket {\"Bucket\":\"alpha\"}\nput_object {\"Bucket\":\"alpha\",\"Key\":\"k\",\"Body\":\"x\"}",
    );
    let copy = r#"copy_object {"Bucket":"alpha","Key":"l","CopySource":"alpha/k"}"#;
    run(copy, |operation, params| call(&overlay, operation, params));
    at_base(r#"put_object {"Bucket":"alpha","Key":"k","Body":"y"}"#);
    let params = Value::Map(vec![
        ("Bucket".into(), "alpha".into()),
        ("Key".into(), "l".into()),
    ]);
    let failed = super::wait(overlay.call("get_object", &params));
    expect!["a counted world: alpha/k, which was copied or listed here before, has changed since; start again from what is there now"].assert_eq(
        &failed
            .map(|answer| render(&answer))
            .expect_err("a failure")
            .to_string(),
    );
}

#[test]
fn a_listing_goes_on_after_its_keys_were_deleted() {
    // The token of the first page is the base's, which no store but the base can read.
    let (_, overlay) = counted(big(), None);
    let mut seen = 0;
    let mut token = None;
    loop {
        let mut params = vec![("Bucket".into(), Value::from("big"))];
        params.extend(token.map(|token| ("ContinuationToken".into(), token)));
        let page = call(&overlay, "list_objects_v2", &Value::Map(params)).expect("a page");
        let keys = page
            .get("Contents")
            .and_then(Value::as_list)
            .unwrap_or_default();
        seen += keys.len();
        let objects = keys
            .iter()
            .filter_map(|entry| Some(Value::Map(vec![("Key".into(), entry.get("Key")?.clone())])));
        let delete = Value::Map(vec![("Objects".into(), Value::List(objects.collect()))]);
        let params = vec![("Bucket".into(), "big".into()), ("Delete".into(), delete)];
        call(&overlay, "delete_objects", &Value::Map(params)).expect("deleted");
        token = page.get("NextContinuationToken").cloned();
        if token.is_none() {
            break;
        }
    }
    assert_eq!(seen, 5000);
    assert_eq!(overlay.changes().len(), 5000);
    let params = Value::Map(vec![("Bucket".into(), "big".into())]);
    assert!(call(&overlay, "delete_bucket", &params).is_ok());
    assert_eq!(overlay.changes().len(), 5001);
}

#[test]
fn writes_at_once_are_one_after_the_other() {
    let (_, overlay) = counted(big(), None);
    let overlay = Arc::new(overlay);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(4)
        .build();
    let written = runtime.expect("a runtime").block_on(async {
        let mut tasks = tokio::task::JoinSet::new();
        for n in 0..64 {
            let overlay = overlay.clone();
            tasks.spawn(async move {
                let params = Value::Map(vec![
                    ("Bucket".into(), "other".into()),
                    ("Key".into(), "one".into()),
                    ("Body".into(), format!("{n}").into()),
                    ("IfNoneMatch".into(), "*".into()),
                ]);
                overlay
                    .call("put_object", &params)
                    .await
                    .expect("an answer")
                    .is_ok()
            });
        }
        tasks.join_all().await
    });
    assert_eq!(written.iter().filter(|written| **written).count(), 1);
    assert_eq!(overlay.changes().len(), 1);
    let clock = Clock::System;
    assert_eq!(Overlay::over(overlay, clock, "us-east-1").changes(), []);
}

#[test]
fn what_is_too_large_for_one_copy_is_refused() {
    let huge = |operation: &str, _: &Value| {
        let size = Value::Int((5 << 30) + 1);
        let head = Value::Map(vec![("ContentLength".into(), size)]);
        (operation == "head_object").then(|| Ok(Ok(head)))
    };
    let (_, overlay) = counted(empty(), Some(huge));
    let copy = r#"copy_object {"Bucket":"alpha","Key":"l","CopySource":"alpha/k"}"#;
    let answer = run(copy, |operation, params| call(&overlay, operation, params));
    expect![[r#"
        ! 400 InvalidRequest: The specified copy source is larger than the maximum allowable size for a copy source: 5368709120
    "#]].assert_eq(&answer);
}

#[test]
fn a_store_alone_cannot_read_what_is_elsewhere_and_says_so() {
    let world = empty();
    run(
        "create_bucket {\"Bucket\":\"alpha\"}",
        |operation, params| world.perform(operation, params),
    );
    let place = Elsewhere {
        bucket: "alpha".to_owned(),
        key: "k".to_owned(),
        version: None,
        etag: "\"an etag-2\"".to_owned(),
        size: 7,
        crc32: None,
        is_brief: false,
    };
    let object = Object {
        content: Content::Elsewhere(Arc::new(place)),
        modified: "2024-01-01T00:00:00Z".parse().expect("a time"),
        attributes: Attributes::default(),
        version: None,
        extras: None,
    };
    let mut store = world.snapshot();
    let bucket = store.state.bucket_mut("alpha").expect("a bucket");
    bucket.objects.insert("k".into(), Arc::new(object));
    world.restore(store);
    let calls = r#"
        head_object {"Bucket":"alpha","Key":"k","ChecksumMode":"ENABLED"}
        get_object {"Bucket":"alpha","Key":"k"}
        copy_object {"Bucket":"alpha","Key":"l","CopySource":"alpha/k","CopySourceIfMatch":"an etag-2"}
        list_objects_v2 {"Bucket":"alpha"}
    "#;
    let answers = run(calls, |operation, params| world.perform(operation, params));
    expect![[r#"
        {AcceptRanges: "bytes", LastModified: 2024-01-01T00:00:00Z, ContentLength: 7, ETag: '"an etag-2"', ContentType: "binary/octet-stream", ServerSideEncryption: "AES256", Metadata: {}}
        ! 500 InternalError: We encountered an internal error. Please try again.
        {ServerSideEncryption: "AES256", CopyObjectResult: {ETag: '"an etag-2"', LastModified: 2024-01-01T00:00:01Z}}
        {IsTruncated: False, Contents: [{Key: "k", LastModified: 2024-01-01T00:00:00Z, ETag: '"an etag-2"', Size: 7, StorageClass: "STANDARD"}, {Key: "l", LastModified: 2024-01-01T00:00:01Z, ETag: '"an etag-2"', Size: 7, StorageClass: "STANDARD"}], Name: "alpha", Prefix: "", MaxKeys: 1000, EncodingType: "url", KeyCount: 2}
    "#]].assert_eq(&answers);
    let unsigned = super::wait(s3_world::domain::signature(&world, []));
    let problem = unsigned.expect_err("no checksum").to_string();
    assert_eq!(problem, "the content of alpha/k is not loaded");
}
