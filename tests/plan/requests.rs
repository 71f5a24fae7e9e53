//! What a rehearsal asks of a world that is far away: each question once, and of single objects
//! only what its listings do not tell.

use super::lab::{applied, apply, block_on, call_all, content, draft, end, plan, read};
use crate::support::value::value;
use async_trait::async_trait;
use dialog2api::Result;
use dialog2api::domain::s3::clock::Clock;
use dialog2api::domain::s3::world::memory;
use dialog2api::domain::s3::{AheadLimits, Overlay, S3};
use dialog2api::domain::{Answer, Layer, Onward, Value, World};
use dialog2api::plan::{Draft, Keeping, Reads, Unrecorded, effects};
use serde_json::json;
use std::sync::{Arc, Mutex};

/// A world that notes what it is asked, and whose forks ask each question once.
#[derive(Clone)]
struct Distant {
    world: Arc<dyn World>,
    asked: Arc<Mutex<Vec<String>>>,
    /// The pages of its listings never end.
    is_endless: bool,
}

impl Distant {
    fn from(world: Arc<dyn World>) -> Self {
        Distant {
            world,
            asked: Arc::default(),
            is_endless: false,
        }
    }

    /// A bucket `bucket-a` with this many objects, `in/000` and so on.
    fn with(objects: usize) -> Self {
        let world: Arc<dyn World> = Arc::new(memory("empty").unwrap());
        let puts = (0..objects).map(|number| format!("put a/in/{number:03} text{number}"));
        let calls = ["make a".to_owned(), "make b".to_owned()];
        let calls: Vec<String> = calls.into_iter().chain(puts).collect();
        block_on(call_all(&*world, &calls.join("; ")));
        Distant::from(world)
    }

    fn shared(&self) -> Arc<dyn World> {
        Arc::new(self.clone())
    }

    /// How much was asked since the last time, and what: a line an operation, with how often.
    fn asked(&self) -> (usize, String) {
        let asked = std::mem::take(&mut *self.asked.lock().unwrap());
        let all = asked.len();
        let mut counts: Vec<(String, usize)> = Vec::new();
        for operation in asked {
            match counts.iter_mut().find(|(known, _)| *known == operation) {
                Some((_, count)) => *count += 1,
                None => counts.push((operation, 1)),
            }
        }
        let lines = counts
            .iter()
            .map(|(name, count)| format!("{name} × {count}\n"));
        (all, lines.collect())
    }
}

#[async_trait]
impl Layer for Distant {
    fn under(&self) -> &dyn World {
        &*self.world
    }

    async fn pass(&self, operation: &str, params: &Value, onward: &Onward<'_>) -> Result<Answer> {
        self.asked.lock().unwrap().push(operation.to_owned());
        if self.is_endless && operation == "list_objects_v2" {
            return Ok(Ok(endless(params)));
        }
        onward.call(operation, params).await
    }

    fn split(&self) -> Option<Arc<dyn World>> {
        let over = {
            let (region, ahead) = ("us-east-1", AheadLimits::NONE);
            Overlay::for_program(self.shared(), Clock::System, region, ahead)
        };
        Some(Arc::new(over))
    }
}

/// A page of a bucket without end, whose keys follow each other closely.
fn endless(params: &Value) -> Value {
    let text = |name: &str| params.get(name).and_then(Value::as_str);
    let start = text("ContinuationToken").or(text("StartAfter"));
    let start = start.or(text("Prefix")).unwrap_or_default();
    let keys: Vec<String> = (0..3).map(|number| format!("{start}!{number}")).collect();
    let entries: Vec<_> = (keys.iter())
        .map(|key| json!({"Key": key, "ETag": "\"e\"", "Size": 1}))
        .collect();
    value(&json!({"Contents": entries, "IsTruncated": true, "NextContinuationToken": keys[2]}))
}

/// Lists what is in a folder, and moves each object to another one.
fn moves(objects: usize) -> String {
    let moves =
        (0..objects).map(|it| format!("copy a/in/{it:03} a/out/{it:03}; delete a/in/{it:03}"));
    let moves: Vec<String> = moves.collect();
    format!("list a/in/; {}", moves.join("; "))
}

#[test]
fn a_rehearsal_asks_little_of_each_object() {
    // The most requests do not grow with the objects.
    let table = [
        ("a move of 20", 20, moves(20), 40, 8),
        ("a move of 200", 200, moves(200), 400, 8),
        (
            "a deletion of three",
            3,
            "list a; delete-all a in/000 in/001 in/002".to_owned(),
            1,
            4,
        ),
        (
            "without a listing",
            20,
            moves(20).replace("list a/in/; ", ""),
            40,
            14,
        ),
        (
            "the same again and again",
            1,
            "get a/in/000; get a/in/000; list a; list a".to_owned(),
            0,
            2,
        ),
        (
            "into another bucket",
            3,
            "list a; copy a/in/000 b/x; copy a/in/001 b/y; copy a/in/002 b/z".to_owned(),
            3,
            10,
        ),
        (
            "new objects",
            0,
            (0..20).map(|it| format!("put b/new/{it} x; ")).collect(),
            20,
            8,
        ),
    ];
    for (name, objects, calls, writes, most) in table {
        let distant = Distant::with(objects);
        let drafted = draft(&distant.shared(), &calls);
        assert_eq!(drafted.len(), writes, "{name}");
        let (count, asked) = distant.asked();
        assert!(count <= most, "{name}: {count} requests\n{asked}");
    }
}

/// What a program read is compared by listings, and what it writes is looked at anyway.
#[test]
fn a_comparison_asks_little_of_each_object() {
    let gets = |objects: usize| -> String {
        let gets = (0..objects).map(|it| format!("get a/in/{it:03}; "));
        format!("{}delete a/in/000", gets.collect::<String>())
    };
    let table = [
        ("a move of 200", 200, moves(200), 0),
        (
            "one of 200 is deleted",
            200,
            "list a; delete a/in/007".to_owned(),
            2,
        ),
        ("200 are read", 200, gets(200), 2),
        ("nothing is read", 3, "delete a/in/000".to_owned(), 0),
    ];
    for (name, objects, calls, most) in table {
        let distant = Distant::with(objects);
        let world = distant.shared();
        let rehearsed = Draft::of(&world, &S3).unwrap();
        block_on(call_all(&*rehearsed, &calls));
        let writes = rehearsed.writes();
        let asked_for = |reads| {
            distant.asked();
            let fresh = Distant {
                world: distant.world.fork().unwrap(),
                ..distant.clone()
            };
            let mut apply = apply(&fresh, &writes);
            apply.reads = reads;
            let done = block_on(apply.run(&mut Unrecorded, &mut |_| ()));
            assert!(done.is_whole(), "{name}: {}", end(&done, writes.len()));
            distant.asked()
        };
        let (without, _) = asked_for(Reads::default());
        let (with, asked) = asked_for(rehearsed.reads());
        assert!(
            with <= without + most,
            "{name}: {with}, not {without}\n{asked}"
        );
    }
}

/// Programs whose plans are to be the same, near and far.
const PROGRAMS: &str = "\
list a; copy a/in/000 a/out; delete a/in/000
copy a/in/000 a/out; delete a/in/000; copy a/out a/in/000; delete a/out
list a; copy a/in/000 a/in/001; copy a/in/002 a/in/001; delete a/in/002
list a; put a/in/000 other; delete a/in/000; put a/in/000 third
list a; copy a/in/000 b/x; copy b/x b/y; delete b/x; list b
list a; delete a/none; delete a/in/009; copy a/none a/x; copy a/in/000 nowhere/x
list b; put b/x one; list b; delete-all b x y; list b
list a; delete-all a in/000 in/001 none; list a
put b/a/1 x; put b/a/2 x; put b/a/3 x; copy a/in/000 b/a/2; list b
list a; copy a/in/000 a/in/000
list a; remove b; make b; copy a/in/001 b/x";

#[test]
fn plans_are_the_same_near_and_far() {
    for program in PROGRAMS.lines() {
        let distant = Distant::with(5);
        let near = effects(&draft(&distant.world, program));
        let far = effects(&draft(&distant.shared(), program));
        assert_eq!(near, far, "{program}");
        // What is planned is what comes of it.
        let writes = draft(&distant.shared(), program);
        let done = applied(&*distant.world, &writes);
        assert!(done.is_whole(), "{program}: {}", end(&done, writes.len()));
        let again: Arc<dyn World> = Distant::with(5).world;
        block_on(call_all(&*again, program));
        assert_eq!(content(&*distant.world), content(&*again), "{program}");
    }
}

#[test]
fn an_apply_notices_what_changed_since_the_rehearsal() {
    let distant = Distant::with(3);
    let writes = draft(&distant.shared(), &moves(3));
    block_on(call_all(
        &*distant.world,
        "put a/in/001 changed; put a/out/002 new",
    ));
    let done = applied(&*distant.world, &writes);
    let said = end(&done, writes.len());
    let changed = "bucket-a/in/001 has changed since this was planned";
    assert!(
        said.starts_with("PlanOutdated: ") && said.contains(changed),
        "{said}"
    );
}

/// What a read of an object or of its tags gives.
fn seen(world: &dyn World, operation: &str, place: &str) -> String {
    let (bucket, key) = place.split_once('/').unwrap();
    let params = value(&json!({"Bucket": format!("bucket-{bucket}"), "Key": key}));
    match block_on(world.call(operation, &params)).unwrap() {
        Ok(answer) => format!("{answer:?}"),
        Err(refusal) => refusal.code,
    }
}

#[test]
fn a_copy_has_all_that_its_source_has() {
    let distant = Distant::with(3);
    let made = r#"{"Bucket": "bucket-a", "Key": "in/000", "Body": "hello", "ContentType": "text/x",
        "Metadata": {"who": "me"}, "Tagging": "a=b", "StorageClass": "STANDARD_IA"}"#;
    let made = value(&serde_json::from_str(made).unwrap());
    block_on(distant.world.call("put_object", &made))
        .unwrap()
        .unwrap();
    let fork = distant.split().unwrap();
    block_on(call_all(&*fork, "list a; copy a/in/000 a/x; copy a/x b/y"));
    for place in ["a/x", "b/y"] {
        let head = seen(&*fork, "head_object", place);
        assert!(head.contains("text/x") && head.contains("who"), "{head}");
        // The storage class is never copied.
        assert!(!head.contains("STANDARD_IA"), "{head}");
        let tags = seen(&*fork, "get_object_tagging", place);
        assert!(tags.contains("\"a\"") && tags.contains("\"b\""), "{tags}");
        let content = seen(&*fork, "get_object", place);
        assert!(content.contains("hello"), "{content}");
    }
    let (_, asked) = distant.asked();
    assert!(asked.contains("get_object × 1\n"), "{asked}");
    // Tags that were written to the copy stay there.
    let untagged = json!({"Bucket": "bucket-a", "Key": "x", "Tagging": {"TagSet": []}});
    let written = block_on(fork.call("put_object_tagging", &value(&untagged)));
    assert!(written.unwrap().is_ok());
    let tags = seen(&*fork, "get_object_tagging", "a/x");
    assert!(!tags.contains("\"a\""), "{tags}");
    assert!(seen(&*fork, "head_object", "a/x").contains("text/x"));
    assert_eq!(seen(&*fork, "head_object", "a/none"), "404");
    // A source that has changed is not taken for the one that was listed.
    let fork = distant.split().unwrap();
    block_on(call_all(&*fork, "list a; copy a/in/001 a/x"));
    block_on(call_all(&*distant.world, "put a/in/001 changed"));
    let (operation, params) = read("get a/x");
    let error = block_on(fork.call(operation, &params)).unwrap_err();
    assert!(error.to_string().contains("has changed since"), "{error}");
}

#[test]
fn a_part_that_is_copied_is_not_read() {
    let distant = Distant::with(1);
    let size = 11 << 20;
    let put = vec![
        ("Bucket".into(), "bucket-a".into()),
        ("Key".into(), "large".into()),
        ("Body".into(), Value::Bytes(vec![b'x'; size].into())),
    ];
    block_on(distant.world.call("put_object", &Value::Map(put)))
        .unwrap()
        .unwrap();
    for (name, ranges, is_read) in [
        (
            "all parts, in order",
            [(0, 6 << 20), (6 << 20, size)],
            false,
        ),
        ("not all of it", [(0, 6 << 20), (6 << 20, size - 1)], true),
    ] {
        let draft = Draft::of(&distant.shared(), &S3).unwrap();
        let call = |operation: &str, params: serde_json::Value| {
            block_on(draft.call(operation, &value(&params)))
                .unwrap()
                .unwrap()
        };
        let text = |answer: &Value, name: &str| {
            answer.get(name).and_then(Value::as_str).unwrap().to_owned()
        };
        let target = json!({"Bucket": "bucket-b", "Key": "copy"});
        let begun = call("create_multipart_upload", target);
        let id = text(&begun, "UploadId");
        let mut parts = Vec::new();
        for (number, (first, end)) in (1..).zip(ranges) {
            let answer = call(
                "upload_part_copy",
                json!({
                    "Bucket": "bucket-b", "Key": "copy", "UploadId": id, "PartNumber": number,
                    "CopySource": {"Bucket": "bucket-a", "Key": "large"},
                    "CopySourceRange": format!("bytes={first}-{}", end - 1),
                }),
            );
            let etag = text(answer.get("CopyPartResult").unwrap(), "ETag");
            parts.push(json!({"PartNumber": number, "ETag": etag}));
        }
        call(
            "complete_multipart_upload",
            json!({
                "Bucket": "bucket-b", "Key": "copy", "UploadId": id, "MultipartUpload": {"Parts": parts},
            }),
        );
        let (_, asked) = distant.asked();
        assert_eq!(asked.contains("get_object × "), is_read, "{name}\n{asked}");
        let writes = draft.writes();
        let done = applied(&*distant.world, &writes);
        assert!(done.is_whole(), "{name}: {}", end(&done, writes.len()));
        let read = json!({"Bucket": "bucket-b", "Key": "copy"});
        let there = block_on(distant.world.call("head_object", &value(&read)))
            .unwrap()
            .unwrap();
        let length = i64::try_from(ranges[1].1).unwrap();
        assert_eq!(
            there.get("ContentLength"),
            Some(&Value::Int(length)),
            "{name}"
        );
        block_on(call_all(&*distant.world, "delete b/copy"));
    }
}

#[test]
fn a_bucket_without_end_is_not_listed_for_its_keys() {
    let distant = Distant {
        is_endless: true,
        ..Distant::with(0)
    };
    let puts = (0..200).map(|number| format!("put a/k/{:03} x", number * 37 % 200));
    let puts: Vec<String> = puts.collect();
    let plan = plan(&distant.shared(), &puts.join("; "), Keeping::default());
    assert_eq!(plan.totals().created, 200);
    // One look a key, and few listings, which are of no use here.
    let (count, asked) = distant.asked();
    assert!(count <= 230, "{asked}");
}
