//! Servers that ignore the conditions of writes: the places are looked at right before each write.

use super::lab::{self, block_on, call_all, content, draft, end};
use async_trait::async_trait;
use dialog2api::Result;
use dialog2api::domain::s3::world::memory;
use dialog2api::domain::{Answer, Layer, Map, Onward, Value, World, Write};
use dialog2api::plan::{Applied, Apply, Unrecorded};
use std::sync::{Arc, Mutex};

const CONDITIONS: [&str; 4] = ["IfMatch", "IfNoneMatch", "CopySourceIfMatch", "ETag"];

/// A server that ignores conditions, or heeds them, and in which somebody changes an object right
/// before one of the calls.
struct Heedless {
    world: Arc<dyn World>,
    heeds: bool,
    /// The key of the call, and what changes before it.
    before: (&'static str, &'static str),
    asked: Mutex<Vec<String>>,
}

fn without_conditions(value: &Value) -> Value {
    match value {
        Value::Map(pairs) => {
            let pairs = pairs
                .iter()
                .filter(|(name, _)| !CONDITIONS.contains(&&**name));
            let pairs = pairs.map(|(name, it)| (name.clone(), without_conditions(it)));
            Value::Map(pairs.collect::<Map>())
        }
        Value::List(items) => Value::List(items.iter().map(without_conditions).collect()),
        other => other.clone(),
    }
}

#[async_trait]
impl Layer for Heedless {
    fn under(&self) -> &dyn World {
        &*self.world
    }

    async fn pass(&self, operation: &str, params: &Value, onward: &Onward<'_>) -> Result<Answer> {
        let (key, change) = self.before;
        let is_write = operation == "copy_object" || operation.starts_with("delete_object");
        let asked = format!("{operation} {params:?}");
        if is_write && asked.contains(key) {
            call_all(&*self.world, change).await;
        }
        self.asked.lock().unwrap().push(asked);
        match is_write && !self.heeds {
            true => onward.call(operation, &without_conditions(params)).await,
            false => onward.call(operation, params).await,
        }
    }
}

/// Moves 80 objects on a server where somebody changes one of them meanwhile.
fn moved(heeds: bool, before: (&'static str, &'static str)) -> (Heedless, Vec<Write>, Applied) {
    let world: Arc<dyn World> = Arc::new(memory("empty").unwrap());
    let puts = (0..80).map(|number| format!("; put a/in/{number:03} text{number}"));
    let calls: String = ["make a".to_owned()].into_iter().chain(puts).collect();
    block_on(call_all(&*world, &calls));
    let moves = (0..80).map(|it| format!("copy a/in/{it:03} a/out/{it:03}; delete a/in/{it:03}"));
    let moves: Vec<String> = moves.collect();
    let writes = draft(&world, &moves.join("; "));
    let server = Heedless {
        world,
        heeds,
        before,
        asked: Mutex::default(),
    };
    let apply = Apply {
        window: 32,
        ..lab::apply(&server, &writes)
    };
    let applied = block_on(apply.run(&mut Unrecorded, &mut |_| ()));
    (server, writes, applied)
}

const NOTHING: (&str, &str) = ("no such key", "");

fn count(server: &Heedless, operation: &str) -> usize {
    let asked = server.asked.lock().unwrap();
    asked.iter().filter(|it| it.starts_with(operation)).count()
}

#[test]
fn what_changes_right_before_a_write_is_seen_where_conditions_are_ignored() {
    for heeds in [true, false] {
        // The copy is in the second lot, and so is what changes.
        let change = ("out/040", "put a/in/060 changed");
        let (server, writes, applied) = moved(heeds, change);
        let said = end(&applied, writes.len());
        let why = match heeds {
            true => "PreconditionFailed: Only ",
            false => "bucket-a/in/060 has changed since this was planned",
        };
        assert!(said.contains(why), "{heeds}: {said}");
        assert!(
            !content(&*server.world).contains("bucket-a/out/060"),
            "{heeds}"
        );
    }
}

#[test]
fn a_server_is_asked_once_for_each_kind_of_write() {
    let (server, writes, applied) = moved(true, NOTHING);
    assert!(applied.is_whole(), "{}", end(&applied, writes.len()));
    assert_eq!(count(&server, "copy_object "), 81);
    let heeding = count(&server, "head_object ");
    let (server, writes, applied) = moved(false, NOTHING);
    assert!(applied.is_whole(), "{}", end(&applied, writes.len()));
    // The first of a kind is made by the call that asks.
    assert_eq!(count(&server, "copy_object "), 80);
    assert!(count(&server, "head_object ") > heeding);
    assert!(!content(&*server.world).contains("bucket-a/in/"));
}
