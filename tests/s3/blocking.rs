//! Work that takes long must not hold up the threads that answer everybody else.

use dialog2api::domain::s3::Memory;
use dialog2api::domain::s3::clock::Clock;
use dialog2api::domain::s3::memory::Store;
use dialog2api::domain::s3::world::DiskWorld;
use dialog2api::domain::{Answer, Value, World};
use std::future::poll_fn;
use std::pin::pin;
use std::sync::mpsc;
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

/// Puts an object while all threads for long work are busy, so that it cannot end, and looks
/// at the world on the one thread that everybody shares. Then lets it end.
fn check(world: &dyn World, size: usize) {
    let runtime = Builder::new_current_thread()
        .max_blocking_threads(1)
        .build()
        .expect("a runtime");
    runtime.block_on(async {
        let created = world.call("create_bucket", &bucket()).await;
        created.expect("a working world").expect("a new name");
        let (let_go, wait) = mpsc::channel::<()>();
        let busy = tokio::task::spawn_blocking(move || wait.recv());
        let params = put("large", size);
        let mut call = pin!(world.call("put_object", &params));
        let polled = poll_fn(|context| Poll::Ready(call.as_mut().poll(context))).await;
        assert!(polled.is_pending(), "it was done on the shared thread");
        assert_eq!(keys(world).await, "");
        drop(let_go);
        let answer = call.await.expect("a working world");
        assert!(answer.is_ok(), "{answer:?}");
        assert_eq!(keys(world).await, "large");
        assert!(busy.await.expect("no panic").is_err());
    });
}

#[test]
fn a_write_to_disk_holds_nobody_up() {
    let folder = tempfile::tempdir().expect("a folder");
    let world = DiskWorld::open(folder.path(), Clock::System).expect("a world");
    check(&world, 1);
}

#[test]
fn the_checksums_of_a_large_object_hold_nobody_up() {
    check(&Memory::new("test", Store::new(Clock::System)), 1 << 20);
}

/// Another thread would take longer than the checksums themselves.
#[tokio::test]
async fn a_small_object_is_put_in_place() {
    let world = Memory::new("test", Store::new(Clock::System));
    world
        .perform("create_bucket", &bucket())
        .expect("a new name");
    for size in [0, 1, 64 << 10] {
        let answer = at_once(&world, "put_object", &put("small", size)).await;
        assert!(matches!(answer, Some(Ok(_))), "{size} bytes: {answer:?}");
    }
}
