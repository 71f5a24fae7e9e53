//! A server that ignores conditions, and says nothing of it: what has changed is seen by the looks
//! before the writes.

use super::lab::{apply, at_each_window, block_on, call_all, content, draft, end};
use async_trait::async_trait;
use dialog2api::Result;
use dialog2api::domain::s3::world::memory;
use dialog2api::domain::{Answer, Layer, Onward, Value, World};
use dialog2api::plan::{Applied, Unrecorded};
use std::sync::{Arc, Mutex};

/// A server that ignores conditions. After a number of its writes somebody else makes a call.
struct Blind {
    world: Arc<dyn World>,
    /// The writes until then, and the call.
    others: Mutex<Option<(usize, &'static str)>>,
}

/// Parameters without conditions.
fn without(params: &Value) -> Value {
    let is_condition = |name: &str| name.contains("IfMatch") || name.contains("IfNoneMatch");
    match params {
        Value::Map(pairs) => {
            let pairs = pairs.iter().filter(|(name, _)| !is_condition(name));
            // Of keys that are deleted.
            let pairs = pairs.filter(|(name, _)| name != "ETag");
            let pairs = pairs.map(|(name, it)| (name.clone(), without(it)));
            Value::Map(pairs.collect())
        }
        Value::List(items) => Value::List(items.iter().map(without).collect()),
        other => other.clone(),
    }
}

#[async_trait]
impl Layer for Blind {
    fn under(&self) -> &dyn World {
        &*self.world
    }

    async fn pass(&self, operation: &str, params: &Value, onward: &Onward<'_>) -> Result<Answer> {
        let is_write = operation == "copy_object" || operation.starts_with("delete_");
        let is_now = |(left, call): &mut (usize, &'static str)| match left {
            0 => Some(*call),
            _ => {
                *left -= 1;
                None
            }
        };
        let call = {
            let mut others = self.others.lock().unwrap();
            let call = others.as_mut().filter(|_| is_write).and_then(is_now);
            if call.is_some() {
                *others = None;
            }
            call
        };
        let answer = onward.call(operation, &without(params)).await;
        if let Some(call) = call {
            call_all(&*self.world, call).await;
        }
        answer
    }
}

/// Moves 200 objects on such a server, where somebody else makes a call after so many writes.
fn moved(after: usize, call: &'static str) -> (Applied, String, String) {
    let world: Arc<dyn World> = Arc::new(memory("empty").unwrap());
    let puts = (0..200).map(|number| format!("; put a/in/{number:03} text{number}"));
    let calls: String = ["make a".to_owned()].into_iter().chain(puts).collect();
    block_on(call_all(&*world, &calls));
    let moves = (0..200).map(|it| format!("copy a/in/{it:03} a/out/{it:03}; delete a/in/{it:03}"));
    let writes = draft(&world, &moves.collect::<Vec<_>>().join("; "));
    let blind = Blind {
        world: world.clone(),
        others: Mutex::new(Some((after, call))),
    };
    let done = block_on(apply(&blind, &writes).run(&mut Unrecorded, &mut |_| ()));
    let said = end(&done, writes.len());
    (done, said, content(&*world))
}

#[test]
fn what_others_change_meanwhile_is_seen_by_the_look_before_the_write() {
    at_each_window(|| {
        for (call, kept, place) in [
            // What is to be copied, what is to be deleted, and where nothing was to be.
            ("put a/in/190 changed", "in/190 (7 bytes)", "in/190"),
            ("put a/out/190 theirs", "out/190 (6 bytes)", "out/190"),
            ("delete a/in/190", "in/191", "in/190"),
        ] {
            let (done, said, content) = moved(40, call);
            assert!(!done.is_whole(), "{call}: {said}");
            let why = format!("bucket-a/{place} ");
            assert!(said.starts_with("PlanOutdated: "), "{call}: {said}");
            assert!(said.contains(&why), "{call}: {said}");
            assert!(content.contains(kept), "{call}: {content}");
            assert!(done.steps.len() < 400, "{call}: {said}");
        }
    });
}
