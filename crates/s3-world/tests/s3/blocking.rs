//! Work that takes long must not hold up the threads that answer everybody else.

use s3_world::clock::Clock;
use s3_world::domain::{Answer, Map, Value, World};
use s3_world::memory::Store;
use s3_world::world::DiskWorld;
use s3_world::{Memory, Overlay};
use std::future::poll_fn;
use std::pin::pin;
use std::sync::{Arc, mpsc};
use std::task::Poll;
use tokio::runtime::Builder;

fn put(key: &str, size: usize) -> Value {
    Value::Map(vec![
        ("Bucket".into(), "alpha".into()),
        ("Key".into(), key.into()),
        ("Body".into(), Value::Bytes(vec![b'x'; size].into())),
    ])
}

fn bucket() -> Value {
    Value::Map(vec![("Bucket".into(), "alpha".into())])
}

/// The keys in the bucket, asked of a world that has to answer at once.
async fn keys(world: &dyn World) -> String {
    let answer = at_once(world, "list_objects_v2", &bucket()).await;
    let answer = answer.expect("it waits for nobody").expect("a listing");
    let contents = answer.get("Contents").and_then(Value::as_list);
    let keys = contents.unwrap_or_default().iter();
    let keys = keys.filter_map(|entry| entry.get("Key").and_then(Value::as_str));
    keys.collect::<Vec<_>>().join(" ")
}

/// The answer of a call that needs no other thread; `None` for one that does.
async fn at_once(world: &dyn World, operation: &str, params: &Value) -> Option<Answer> {
    let mut call = pin!(world.call(operation, params));
    let polled = poll_fn(|context| Poll::Ready(call.as_mut().poll(context))).await;
    match polled {
        Poll::Ready(answer) => Some(answer.expect("a working world")),
        Poll::Pending => None,
    }
}

/// Makes a call while all threads for long work are busy, so that it cannot end, and looks at
/// the world on the one thread that everybody shares. Then lets it end, and looks at the keys.
fn check(world: &dyn World, operation: &str, params: &Value, then: &str) {
    let runtime = Builder::new_current_thread()
        .max_blocking_threads(1)
        .build()
        .expect("a runtime");
    runtime.block_on(async {
        let before = keys(world).await;
        let (let_go, wait) = mpsc::channel::<()>();
        let busy = tokio::task::spawn_blocking(move || wait.recv());
        let mut call = pin!(world.call(operation, params));
        let polled = poll_fn(|context| Poll::Ready(call.as_mut().poll(context))).await;
        assert!(polled.is_pending(), "it was done on the shared thread");
        assert_eq!(keys(world).await, before);
        drop(let_go);
        let answer = call.await.expect("a working world");
        assert!(answer.is_ok(), "{answer:?}");
        assert_eq!(keys(world).await, then);
        assert!(busy.await.expect("no panic").is_err());
    });
}

/// A world in memory with the bucket.
fn memory() -> Memory {
    let world = Memory::new("test", Store::new(Clock::System));
    let created = world.perform("create_bucket", &bucket());
    created.expect("a new name");
    world
}

#[test]
fn a_write_to_disk_holds_nobody_up() {
    let folder = tempfile::tempdir().expect("a folder");
    let world = DiskWorld::open(folder.path(), Clock::System).expect("a world");
    let created = world.perform("create_bucket", &bucket());
    created.expect("a working disk").expect("a new name");
    check(&world, "put_object", &put("large", 1), "large");
}

#[test]
fn the_checksums_of_a_large_object_hold_nobody_up() {
    check(&memory(), "put_object", &put("large", 1 << 20), "large");
}

/// The parameters of a call about an upload.
fn of_upload(id: &Value, more: Map) -> Value {
    let mut params: Map = vec![
        ("Bucket".into(), "alpha".into()),
        ("Key".into(), "large".into()),
        ("UploadId".into(), id.clone()),
    ];
    params.extend(more);
    Value::Map(params)
}

/// The parameters of the completion of an upload with one part.
fn completion(id: &Value, etag: Option<&Value>) -> Value {
    let part = Value::Map(vec![
        ("PartNumber".into(), 1.into()),
        ("ETag".into(), etag.expect("a part").clone()),
    ]);
    let parts = Value::Map(vec![("Parts".into(), Value::List(vec![part]))]);
    of_upload(id, vec![("MultipartUpload".into(), parts)])
}

#[test]
fn an_upload_in_parts_holds_nobody_up() {
    let world = memory();
    let done = |operation: &str, params: &Value| {
        let answer = world.perform(operation, params);
        answer.unwrap_or_else(|refusal| panic!("{operation}: {}", refusal.message))
    };
    done("put_object", &put("source", 1 << 20));
    let begun = done("create_multipart_upload", &put("large", 0));
    let id = begun.get("UploadId").expect("an id");
    let source = ("CopySource".into(), "alpha/source".into());
    // A range is another content, whose checksums are not known.
    let range = ("CopySourceRange".into(), "bytes=1-1000000".into());
    let copied = of_upload(id, vec![("PartNumber".into(), 1.into()), source, range]);
    check(&world, "upload_part_copy", &copied, "source");
    let listed = done("list_parts", &of_upload(id, Vec::new()));
    let part = listed.get("Parts").and_then(Value::as_list);
    let etag = part.and_then(|parts| parts.first()?.get("ETag"));
    check(
        &world,
        "complete_multipart_upload",
        &completion(id, etag),
        "large source",
    );
}

#[test]
fn an_upload_in_parts_to_an_overlay_holds_nobody_up() {
    let world = Overlay::over(Arc::new(memory()), Clock::System, "us-east-1");
    let runtime = Builder::new_current_thread().build().expect("a runtime");
    let done = |operation: &str, params: &Value| {
        let answer = runtime.block_on(at_once(&world, operation, params));
        let answer = answer.expect("it waits for nobody");
        answer.unwrap_or_else(|refusal| panic!("{operation}: {}", refusal.message))
    };
    let begun = done("create_multipart_upload", &put("large", 0));
    let id = begun.get("UploadId").expect("an id");
    let body = ("Body".into(), Value::Bytes(vec![b'x'; 1000].into()));
    let part = of_upload(id, vec![("PartNumber".into(), 1.into()), body]);
    let uploaded = done("upload_part", &part);
    let completed = completion(id, uploaded.get("ETag"));
    check(&world, "complete_multipart_upload", &completed, "large");
}

/// Another thread would take longer than the checksums themselves.
#[tokio::test]
async fn a_small_object_is_put_in_place() {
    let world = memory();
    for size in [0, 1, 64 << 10] {
        let answer = at_once(&world, "put_object", &put("small", size)).await;
        assert!(matches!(answer, Some(Ok(_))), "{size} bytes: {answer:?}");
    }
}
