//! Transfers that are killed, or whose server fails, at each of their calls: nothing is half
//! there, and the same transfer made again comes to its end.

use crate::support::block_on;
use crate::value::value;
use async_trait::async_trait;
use expect_test::expect;
use s3_world::Memory;
use s3_world::domain::{Answer, Layer, Map, Onward, Refusal, Value, World};
use s3_world::files::{Folders, WithFiles};
use s3_world::world::memory;
use s3_world::{Error, Result};
use serde_json::json;
use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tempfile::TempDir;
use tokio::sync::Notify;

/// What happens at one call.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Fault {
    /// The process is killed before the call is made.
    KilledBefore,
    /// The call is made, and the process is killed before the answer.
    KilledAfter,
    /// The connection is cut, and nobody knows whether the call was made; it was.
    Cut,
    /// The server answers this, again and again.
    Status(u16),
    /// The answer names another ETag.
    WrongTag,
    /// The answer has one byte less, none, or one more.
    Bytes(i8),
}

/// A world that lists one part or upload a page, and counts the parts that come.
struct Slow {
    world: Arc<dyn World>,
    parts: AtomicUsize,
}

#[async_trait]
impl Layer for Slow {
    fn under(&self) -> &dyn World {
        &*self.world
    }

    async fn pass(&self, operation: &str, params: &Value, onward: &Onward<'_>) -> Result<Answer> {
        let Value::Map(mut params) = params.clone() else {
            return onward.call(operation, params).await;
        };
        match operation {
            "list_parts" => params.push(("MaxParts".into(), Value::Int(1))),
            "list_multipart_uploads" => params.push(("MaxUploads".into(), Value::Int(1))),
            "upload_part" => drop(self.parts.fetch_add(1, Ordering::SeqCst)),
            _ => {}
        }
        onward.call(operation, &Value::Map(params)).await
    }
}

#[test]
fn an_upload_is_taken_up_with_the_parts_on_all_pages() {
    let room = tempfile::tempdir().expect("a folder");
    let content: Vec<u8> = (0..20_u32 << 20).map(|at| (at / 4099) as u8).collect();
    fs::write(room.path().join("film"), &content).expect("a file");
    let store = Arc::new(memory("empty").expect("a world"));
    let call = |operation: &str, params: serde_json::Value, body: Option<&[u8]>| {
        let Value::Map(mut params) = value(&params) else {
            unreachable!()
        };
        params.extend(body.map(|body| ("Body".into(), Value::Bytes(body.to_vec().into()))));
        let answer = store.perform(operation, &Value::Map(params));
        answer.unwrap_or_else(|refusal| panic!("{operation}: {}", refusal.message))
    };
    call("create_bucket", json!({"Bucket": "album"}), None);
    // The one with the parts of the file is not on the first page.
    for (first, key) in [(0, "film"), (1, "film"), (0, "film2")] {
        let begun = call(
            "create_multipart_upload",
            json!({"Bucket": "album", "Key": key}),
            None,
        );
        let id = begun
            .get("UploadId")
            .and_then(Value::as_str)
            .expect("an id");
        for (number, part) in (1..).zip(content.chunks(8 << 20).skip(first).take(2)) {
            let part_of = json!({
                "Bucket": "album", "Key": key, "UploadId": id, "PartNumber": number,
            });
            call("upload_part", part_of, Some(part));
        }
    }
    let slow = Arc::new(Slow {
        world: store.clone(),
        parts: AtomicUsize::new(0),
    });
    let granted = Folders::open([room.path().to_str().expect("a path")]).expect("a folder");
    let world = WithFiles::new(slow.clone(), Arc::new(granted), 64 << 20, None);
    let name = room.path().file_name().expect("a name").to_string_lossy();
    let upload = json!({
        "Filename": format!("{name}/film"), "Bucket": "album", "Key": "film",
    });
    let answer = block_on(world.call("upload_file", &value(&upload)));
    answer.expect("it works").expect("it is uploaded");
    // Two of the three parts were there.
    assert_eq!(slow.parts.load(Ordering::SeqCst), 1);
    let read = call(
        "get_object",
        json!({"Bucket": "album", "Key": "film"}),
        None,
    );
    assert!(
        read.get("Body") == Some(&Value::Bytes(content.into())),
        "another content"
    );
}

/// A world with a fault at one call.
struct Faulty {
    world: Arc<dyn World>,
    fault: Option<(usize, Fault)>,
    calls: AtomicUsize,
    killed: Notify,
    /// How often the fault took place.
    met: AtomicUsize,
}

#[async_trait]
impl Layer for Faulty {
    fn under(&self) -> &dyn World {
        &*self.world
    }

    async fn pass(&self, operation: &str, params: &Value, onward: &Onward<'_>) -> Result<Answer> {
        let number = self.calls.fetch_add(1, Ordering::SeqCst);
        let fault = self.fault.filter(|(at, _)| *at == number);
        let Some((_, fault)) = fault else {
            return onward.call(operation, params).await;
        };
        let killed = async || {
            self.killed.notify_one();
            std::future::pending::<()>().await;
        };
        self.met.fetch_add(1, Ordering::SeqCst);
        match fault {
            Fault::KilledBefore => killed().await,
            Fault::Status(status) => {
                let refusal = Refusal::new(status, "SlowDown", "Reduce your request rate.");
                return Ok(Err(refusal));
            }
            _ => {}
        }
        let answer = onward.call(operation, params).await?;
        match fault {
            Fault::KilledAfter => killed().await,
            Fault::Cut => return Err(Error::world("the connection was cut")),
            _ => {}
        }
        let changed = answer.map(|answer| match (answer, fault) {
            (Value::Map(fields), Fault::WrongTag) => Value::Map(with_wrong_tag(fields)),
            (Value::Map(fields), Fault::Bytes(more)) => Value::Map(with_other_body(fields, more)),
            (answer, _) => answer,
        });
        Ok(changed)
    }
}

fn with_wrong_tag(fields: Map) -> Map {
    let change = |(name, value)| match (&name as &str, &value) {
        ("ETag", Value::Str(_)) => (name, "\"00000000000000000000000000000000\"".into()),
        _ => (name, value),
    };
    fields.into_iter().map(change).collect()
}

fn with_other_body(fields: Map, more: i8) -> Map {
    let change = |(name, value)| match (&name as &str, &value) {
        ("Body", Value::Bytes(body)) => {
            let mut body = body.to_vec();
            match more {
                1 => body.push(b'!'),
                -1 => drop(body.pop()),
                _ => body.clear(),
            }
            (name, Value::Bytes(body.into()))
        }
        _ => (name, value),
    };
    fields.into_iter().map(change).collect()
}

/// A folder with the file `film`, and a bucket for it or with it.
struct Lab {
    room: TempDir,
    store: Arc<Memory>,
    content: Vec<u8>,
}

impl Lab {
    fn new() -> Lab {
        let room = tempfile::tempdir().unwrap();
        fs::create_dir(room.path().join("photos")).unwrap();
        let lab = Lab {
            room,
            store: Arc::new(memory("empty").unwrap()),
            content: (0..20_u32 << 20).map(|at| (at / 4099) as u8).collect(),
        };
        lab.made("create_bucket", &[("Bucket", "album".into())]);
        lab
    }

    fn made(&self, operation: &str, params: &[(&'static str, Value)]) -> Value {
        let params = params.iter().cloned();
        let params = params.map(|(name, value)| (name.into(), value)).collect();
        block_on(self.store.call(operation, &Value::Map(params)))
            .unwrap()
            .unwrap()
    }

    /// Makes a transfer between `photos/film` and `album/film`. Returns how it ended, and
    /// whether the fault was met.
    fn transfer(&self, operation: &str, fault: Option<(usize, Fault)>) -> (String, bool) {
        let faulty = Arc::new(Faulty {
            world: self.store.clone(),
            fault,
            calls: AtomicUsize::new(0),
            killed: Notify::new(),
            met: AtomicUsize::new(0),
        });
        let grant = format!("{}:rw", self.room.path().join("photos").display());
        let folders = Arc::new(Folders::open([grant.as_str()]).unwrap());
        let world = WithFiles::new(faulty.clone(), folders, 64 << 20, None);
        let params = [
            ("Filename", "photos/film"),
            ("Bucket", "album"),
            ("Key", "film"),
        ];
        let params = params.map(|(name, value)| (name.into(), value.into()));
        let params = Value::Map(params.into());
        let ended = block_on(async {
            tokio::select! {
                biased;
                () = faulty.killed.notified() => "killed".to_owned(),
                done = world.call(operation, &params) => match done {
                    Ok(Ok(_)) => "done".to_owned(),
                    Ok(Err(refusal)) => format!("{} {}", refusal.status, refusal.code),
                    Err(error) => error.to_string(),
                },
            }
        });
        (ended, faulty.met.load(Ordering::SeqCst) > 0)
    }

    /// What `film` is in the bucket.
    fn object(&self) -> &'static str {
        let at: Map = vec![
            ("Bucket".into(), "album".into()),
            ("Key".into(), "film".into()),
        ];
        match block_on(self.store.call("get_object", &Value::Map(at))).unwrap() {
            Err(_) => "nothing",
            Ok(answer) => match answer.get("Body") {
                Some(Value::Bytes(body)) if **body == *self.content => "whole",
                _ => "HALF",
            },
        }
    }

    /// What the folder holds.
    fn files(&self) -> String {
        let entries = fs::read_dir(self.room.path().join("photos")).unwrap();
        let entry = |entry: std::io::Result<fs::DirEntry>| {
            let entry = entry.unwrap();
            let name = entry.file_name().into_string().unwrap();
            if name.ends_with(".dialog2api-part") {
                return "a part".to_owned();
            }
            let content = fs::read(entry.path()).unwrap();
            match content.as_slice() {
                b"old" => format!("old {name}"),
                content if *content == *self.content => format!("whole {name}"),
                _ => format!("HALF {name}"),
            }
        };
        let mut files: Vec<String> = entries.map(entry).collect();
        files.sort();
        files.join(", ")
    }

    /// The unfinished uploads that hold parts, which cost storage.
    fn unfinished(&self) -> usize {
        let found = self.made("list_multipart_uploads", &[("Bucket", "album".into())]);
        let Some(Value::List(uploads)) = found.get("Uploads") else {
            return 0;
        };
        let holds = |upload: &&Value| {
            let id = upload.get("UploadId").unwrap().clone();
            let at = [
                ("Bucket", "album".into()),
                ("Key", "film".into()),
                ("UploadId", id),
            ];
            self.made("list_parts", &at).get("Parts").is_some()
        };
        uploads.iter().filter(holds).count()
    }
}

/// Makes a transfer with each fault at each of its calls, and again without it. Each line is what
/// the first ended with, what was there after it, and what after the second.
fn at_each_call(operation: &str, faults: &[Fault], prepared: fn() -> Lab) -> String {
    let mut text = String::new();
    for fault in faults {
        for number in 0.. {
            let lab = prepared();
            let (ended, met) = lab.transfer(operation, Some((number, *fault)));
            if !met {
                assert_eq!(ended, "done", "{fault:?} at {number}");
                break;
            }
            let there = |lab: &Lab| format!("{}; {}", lab.object(), lab.files());
            let first = there(&lab);
            let (again, _) = lab.transfer(operation, None);
            let (second, left) = (there(&lab), lab.unfinished());
            assert_eq!((again.as_str(), left), ("done", 0), "{fault:?} at {number}");
            text += &format!("{fault:?} {number}: {ended}: {first} → {second}\n");
        }
    }
    assert!(!text.contains("HALF"), "{text}");
    text
}

fn with_a_file() -> Lab {
    let lab = Lab::new();
    fs::write(lab.room.path().join("photos/film"), &lab.content).unwrap();
    lab
}

fn with_an_object() -> Lab {
    let lab = Lab::new();
    fs::write(lab.room.path().join("photos/film"), "old").unwrap();
    let body = Value::Bytes(lab.content.clone().into());
    let at = [
        ("Bucket", "album".into()),
        ("Key", "film".into()),
        ("Body", body),
    ];
    lab.made("put_object", &at);
    lab
}

#[test]
fn an_upload_is_killed_at_each_call() {
    let faults = [Fault::KilledBefore, Fault::KilledAfter];
    expect![[r#"
        KilledBefore 0: killed: nothing; whole film → whole; whole film
        KilledBefore 1: killed: nothing; whole film → whole; whole film
        KilledBefore 2: killed: nothing; whole film → whole; whole film
        KilledBefore 3: killed: nothing; whole film → whole; whole film
        KilledBefore 4: killed: nothing; whole film → whole; whole film
        KilledBefore 5: killed: nothing; whole film → whole; whole film
        KilledAfter 0: killed: nothing; whole film → whole; whole film
        KilledAfter 1: killed: nothing; whole film → whole; whole film
        KilledAfter 2: killed: nothing; whole film → whole; whole film
        KilledAfter 3: killed: nothing; whole film → whole; whole film
        KilledAfter 4: killed: nothing; whole film → whole; whole film
        KilledAfter 5: killed: whole; whole film → whole; whole film
    "#]]
    .assert_eq(&at_each_call("upload_file", &faults, with_a_file));
}

#[test]
fn the_server_fails_at_each_call_of_an_upload() {
    let faults = [
        Fault::Cut,
        Fault::Status(500),
        Fault::Status(503),
        Fault::WrongTag,
    ];
    expect![[r#"
        Cut 0: done: whole; whole film → whole; whole film
        Cut 1: the connection was cut: nothing; whole film → whole; whole film
        Cut 2: the connection was cut: nothing; whole film → whole; whole film
        Cut 3: the connection was cut: nothing; whole film → whole; whole film
        Cut 4: the connection was cut: nothing; whole film → whole; whole film
        Cut 5: the connection was cut: whole; whole film → whole; whole film
        Status(500) 0: done: whole; whole film → whole; whole film
        Status(500) 1: 500 SlowDown: nothing; whole film → whole; whole film
        Status(500) 2: 500 SlowDown: nothing; whole film → whole; whole film
        Status(500) 3: 500 SlowDown: nothing; whole film → whole; whole film
        Status(500) 4: 500 SlowDown: nothing; whole film → whole; whole film
        Status(500) 5: 500 SlowDown: nothing; whole film → whole; whole film
        Status(503) 0: done: whole; whole film → whole; whole film
        Status(503) 1: 503 SlowDown: nothing; whole film → whole; whole film
        Status(503) 2: 503 SlowDown: nothing; whole film → whole; whole film
        Status(503) 3: 503 SlowDown: nothing; whole film → whole; whole film
        Status(503) 4: 503 SlowDown: nothing; whole film → whole; whole film
        Status(503) 5: 503 SlowDown: nothing; whole film → whole; whole film
        WrongTag 0: done: whole; whole film → whole; whole film
        WrongTag 1: done: whole; whole film → whole; whole film
        WrongTag 2: 400 InvalidPart: nothing; whole film → whole; whole film
        WrongTag 3: 400 InvalidPart: nothing; whole film → whole; whole film
        WrongTag 4: 400 InvalidPart: nothing; whole film → whole; whole film
        WrongTag 5: done: whole; whole film → whole; whole film
    "#]]
    .assert_eq(&at_each_call("upload_file", &faults, with_a_file));
}

#[test]
fn a_download_is_killed_at_each_call() {
    let faults = [Fault::KilledBefore, Fault::KilledAfter];
    expect![[r#"
        KilledBefore 0: killed: whole; old film → whole; whole film
        KilledBefore 1: killed: whole; a part, old film → whole; whole film
        KilledBefore 2: killed: whole; a part, old film → whole; whole film
        KilledBefore 3: killed: whole; a part, old film → whole; whole film
        KilledAfter 0: killed: whole; old film → whole; whole film
        KilledAfter 1: killed: whole; a part, old film → whole; whole film
        KilledAfter 2: killed: whole; a part, old film → whole; whole film
        KilledAfter 3: killed: whole; a part, old film → whole; whole film
    "#]]
    .assert_eq(&at_each_call("download_file", &faults, with_an_object));
}

#[test]
fn the_server_fails_at_each_call_of_a_download() {
    let faults = [
        Fault::Cut,
        Fault::Status(500),
        Fault::Status(503),
        Fault::WrongTag,
        Fault::Bytes(-1),
        Fault::Bytes(0),
        Fault::Bytes(1),
    ];
    expect![[r#"
        Cut 0: the connection was cut: whole; old film → whole; whole film
        Cut 1: the connection was cut: whole; a part, old film → whole; whole film
        Cut 2: the connection was cut: whole; a part, old film → whole; whole film
        Cut 3: the connection was cut: whole; a part, old film → whole; whole film
        Status(500) 0: 500 SlowDown: whole; old film → whole; whole film
        Status(500) 1: 500 SlowDown: whole; a part, old film → whole; whole film
        Status(500) 2: 500 SlowDown: whole; a part, old film → whole; whole film
        Status(500) 3: 500 SlowDown: whole; a part, old film → whole; whole film
        Status(503) 0: 503 SlowDown: whole; old film → whole; whole film
        Status(503) 1: 503 SlowDown: whole; a part, old film → whole; whole film
        Status(503) 2: 503 SlowDown: whole; a part, old film → whole; whole film
        Status(503) 3: 503 SlowDown: whole; a part, old film → whole; whole film
        WrongTag 0: 412 PreconditionFailed: whole; old film → whole; whole film
        WrongTag 1: done: whole; whole film → whole; whole film
        WrongTag 2: done: whole; whole film → whole; whole film
        WrongTag 3: done: whole; whole film → whole; whole film
        Bytes(-1) 0: done: whole; whole film → whole; whole film
        Bytes(-1) 1: photos/film: the server did not send bytes 0 to 8388607 of the object: whole; a part, old film → whole; whole film
        Bytes(-1) 2: photos/film: the server did not send bytes 8388608 to 16777215 of the object: whole; a part, old film → whole; whole film
        Bytes(-1) 3: photos/film: the server did not send bytes 16777216 to 20971519 of the object: whole; a part, old film → whole; whole film
        Bytes(0) 0: done: whole; whole film → whole; whole film
        Bytes(0) 1: photos/film: the server did not send bytes 0 to 8388607 of the object: whole; a part, old film → whole; whole film
        Bytes(0) 2: photos/film: the server did not send bytes 8388608 to 16777215 of the object: whole; a part, old film → whole; whole film
        Bytes(0) 3: photos/film: the server did not send bytes 16777216 to 20971519 of the object: whole; a part, old film → whole; whole film
        Bytes(1) 0: done: whole; whole film → whole; whole film
        Bytes(1) 1: photos/film: the server did not send bytes 0 to 8388607 of the object: whole; a part, old film → whole; whole film
        Bytes(1) 2: photos/film: the server did not send bytes 8388608 to 16777215 of the object: whole; a part, old film → whole; whole film
        Bytes(1) 3: photos/film: the server did not send bytes 16777216 to 20971519 of the object: whole; a part, old film → whole; whole film
    "#]].assert_eq(&at_each_call("download_file", &faults, with_an_object));
}

#[test]
fn what_was_cut_off_of_another_object_is_removed() {
    let lab = with_an_object();
    assert_eq!(
        lab.transfer("download_file", Some((2, Fault::KilledBefore)))
            .0,
        "killed"
    );
    assert_eq!(lab.files(), "a part, old film");
    // A file of the user whose name begins in the same way.
    fs::write(lab.room.path().join("photos/.film.my.notes"), "old").unwrap();
    let mut other = lab.content.clone();
    other.reverse();
    let body = Value::Bytes(other.clone().into());
    lab.made(
        "put_object",
        &[
            ("Bucket", "album".into()),
            ("Key", "film".into()),
            ("Body", body),
        ],
    );
    let lab = Lab {
        content: other,
        ..lab
    };
    assert_eq!(lab.transfer("download_file", None).0, "done");
    assert_eq!(lab.files(), "old .film.my.notes, whole film");
}
