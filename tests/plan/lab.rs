//! Calls as text, worlds as text.

use dialog2api::dialogue::Outcome;
use dialog2api::domain::s3::world::memory;
use dialog2api::domain::s3::{S3, show};
use dialog2api::domain::{self, Map, Planning, Value, World, Write};
use dialog2api::plan::{Applied, Apply, Draft, Keeping, Plan, Record, Unrecorded};
use std::cell::Cell;
use std::sync::Arc;
use std::time::Duration;

pub fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .unwrap()
        .block_on(future)
}

/// A small world: two buckets, a few objects.
pub fn world() -> Arc<dyn World> {
    let world: Arc<dyn World> = Arc::new(memory("empty").unwrap());
    let made = "make a; make b; put a/x one; put a/y two; put a/dir/z three; put b/x four";
    block_on(async {
        for call in made.split("; ") {
            let (operation, params) = read(call);
            world.call(operation, &params).await.unwrap().unwrap();
        }
    });
    world
}

/// The bucket that a letter stands for. Longer names are those of buckets.
fn long(name: &str) -> String {
    match name.len() {
        1 => format!("bucket-{name}"),
        _ => name.to_owned(),
    }
}

/// Reads `put a/x text`, `copy a/x b/y`, `delete a/x`, `delete-all a x y`, `make a`,
/// `remove a`, `get a/x`, `list a`, `list a/dir/`; see [`long`] for the names of buckets.
pub fn read(call: &str) -> (&'static str, Value) {
    let words: Vec<&str> = call.split(' ').collect();
    let place = |path: &str| -> Map {
        let (bucket, key) = path.split_once('/').unwrap();
        vec![
            ("Bucket".into(), long(bucket).into()),
            ("Key".into(), key.into()),
        ]
    };
    let bucket = |name: &str| -> Map { vec![("Bucket".into(), long(name).into())] };
    let (operation, params) = match words.as_slice() {
        ["put", path, text] => {
            let mut params = place(path);
            params.push(("Body".into(), Value::Bytes((*text).to_owned().into())));
            ("put_object", params)
        }
        ["copy", from, to] => {
            let mut params = place(to);
            params.push(("CopySource".into(), Value::Map(place(from))));
            ("copy_object", params)
        }
        ["delete", path] => ("delete_object", place(path)),
        ["get", path] => ("get_object", place(path)),
        ["delete-all", name, keys @ ..] => {
            let keys = keys
                .iter()
                .map(|key| Value::Map(vec![("Key".into(), (*key).into())]));
            let objects: Map = vec![("Objects".into(), Value::List(keys.collect()))];
            let mut params = bucket(name);
            params.push(("Delete".into(), Value::Map(objects)));
            ("delete_objects", params)
        }
        ["make", name] => ("create_bucket", bucket(name)),
        ["remove", name] => ("delete_bucket", bucket(name)),
        ["list", path] if path.contains('/') => {
            let (name, prefix) = path.split_once('/').unwrap();
            let mut params = bucket(name);
            params.push(("Prefix".into(), prefix.into()));
            ("list_objects", params)
        }
        ["list", name] => ("list_objects", bucket(name)),
        other => panic!("{other:?}"),
    };
    (operation, Value::Map(params))
}

/// Makes calls, one after the other; what is refused is passed over.
pub async fn call_all(world: &dyn World, calls: &str) {
    for call in calls.split("; ").filter(|call| !call.is_empty()) {
        let (operation, params) = read(call);
        let _ = world.call(operation, &params).await.unwrap();
    }
}

/// What calls would write.
pub fn draft(world: &Arc<dyn World>, calls: &str) -> Vec<Write> {
    let draft = Draft::of(world, &S3).unwrap();
    block_on(call_all(&*draft, calls));
    draft.writes()
}

/// The plan of these calls.
pub fn plan(world: &Arc<dyn World>, calls: &str, keeping: Keeping) -> Plan {
    let outcome = Outcome::Result(serde_json::Value::Null);
    Plan::new(
        Some(planning()),
        draft(world, calls),
        Vec::new(),
        outcome,
        keeping,
    )
}

pub fn planning() -> &'static dyn Planning {
    S3.effects.planning.as_deref().unwrap()
}

thread_local! {
    /// The window of the applies of this thread.
    static WINDOW: Cell<usize> = const { Cell::new(1) };
}

/// Tries a case in strict order, and with many writes under way together.
pub fn at_each_window(mut case: impl FnMut()) {
    for window in [1, 32] {
        at_window(window, &mut case);
    }
}

/// Tries a case with this many writes under way together.
#[expect(clippy::print_stdout, reason = "a failure says which window it was")]
pub fn at_window(window: usize, case: impl FnOnce()) {
    println!("with a window of {window}");
    WINDOW.set(window);
    case();
    WINDOW.set(1);
}

/// An apply that does not wait.
pub fn apply<'a>(world: &'a dyn World, writes: &'a [Write]) -> Apply<'a> {
    let mut apply = Apply::new(planning(), world, writes);
    apply.patience.first_wait = Duration::ZERO;
    apply.window = WINDOW.get();
    apply
}

/// Applies writes, and keeps no record.
pub fn applied(world: &dyn World, writes: &[Write]) -> Applied {
    recorded(world, writes, &mut Unrecorded)
}

pub fn recorded(world: &dyn World, writes: &[Write], record: &mut dyn Record) -> Applied {
    block_on(apply(world, writes).run(record, &mut |_| ()))
}

/// Everything that a world holds, a line a key.
pub fn content(world: &dyn World) -> String {
    let summary = block_on(show::summary(world)).unwrap();
    let nothing = block_on(show::summary(&memory("empty").unwrap())).unwrap();
    let lines = show::diff(&nothing, &summary);
    lines.iter().map(|line| format!("{line}\n")).collect()
}

pub fn signature(world: &dyn World) -> String {
    block_on(domain::signature(world, [])).unwrap().to_string()
}

/// How an apply ended, as a user reads it.
pub fn end(applied: &Applied, of: usize) -> String {
    match applied.failure(of) {
        None => format!("all {of} writes are made"),
        Some((code, sentence)) => format!("{code}: {sentence}"),
    }
}
