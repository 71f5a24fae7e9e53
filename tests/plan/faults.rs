//! Worlds that fail at every position of an apply: nothing is lost, nothing is done twice.

use crate::plan::lab::{
    at_each_window, block_on, call_all, draft, end, read, recorded, signature, world,
};
use async_trait::async_trait;
use dialog2api::domain::s3::S3;
use dialog2api::domain::{Answer, Layer, Onward, Refusal, Value, World};
use dialog2api::plan::{Draft, End, Record, Step};
use dialog2api::{Error, Result};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// How a call fails.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Fault {
    /// The connection is lost before the call arrives.
    Before,
    /// It arrives, and the answer is lost.
    After,
    /// The server says that it is busy.
    Busy,
    /// The server did it, and says that it failed.
    Liar,
}

/// A world whose calls from the n-th on, so many of them, fail.
struct Faulty {
    world: Arc<dyn World>,
    calls: AtomicUsize,
    first: usize,
    count: usize,
    fault: Fault,
    /// The writes that had an effect.
    effects: Mutex<Vec<String>>,
}

#[async_trait]
impl Layer for Faulty {
    fn under(&self) -> &dyn World {
        &*self.world
    }

    async fn pass(&self, operation: &str, params: &Value, onward: &Onward<'_>) -> Result<Answer> {
        let number = self.calls.fetch_add(1, Ordering::Relaxed);
        let fails = number >= self.first && number < self.first + self.count;
        let lost = || Error::world("the connection was lost");
        let busy = || Refusal::new(503, "SlowDown", "Please reduce your request rate.");
        if fails {
            match self.fault {
                Fault::Before => return Err(lost()),
                Fault::Busy => return Ok(Err(busy())),
                Fault::After | Fault::Liar => {}
            }
        }
        let before = signature_of(&*self.world).await;
        let answer = onward.call(operation, params).await?;
        if signature_of(&*self.world).await != before {
            let mut effects = self.effects.lock().unwrap();
            effects.push(format!("{operation} {:?}", params.get("Key")));
        }
        match self.fault {
            Fault::After if fails => Err(lost()),
            Fault::Liar if fails => Ok(Err(busy())),
            _ => Ok(answer),
        }
    }
}

async fn signature_of(world: &dyn World) -> String {
    let signature = dialog2api::domain::signature(world, []).await;
    signature.unwrap().to_string()
}

/// Counts what is written down.
#[derive(Default)]
struct Ledger {
    intents: Vec<usize>,
    done: Vec<usize>,
}

#[async_trait]
impl Record for Ledger {
    async fn intent(&mut self, number: usize, _: &Step) -> Result<()> {
        self.intents.push(number);
        Ok(())
    }
    async fn done(&mut self, number: usize, _: &Step) -> Result<()> {
        self.done.push(number);
        Ok(())
    }
}

const CALLS: &str = "put a/new fresh; copy a/x a/copy; delete a/y; put b/x other; make c; \
                     copy a/copy c/k; delete-all a x dir/z; delete-all a copy new; remove a";

#[test]
fn one_fault_at_any_position_is_survived() {
    at_each_window(survive_one_fault);
}

fn survive_one_fault() {
    let planned = world();
    let writes = draft(&planned, CALLS);
    block_on(call_all(&*planned, CALLS));
    let expected = signature(&*planned);
    let mut survived = 0;
    for fault in [Fault::Before, Fault::After, Fault::Busy, Fault::Liar] {
        for first in 0.. {
            let faulty = Faulty {
                world: world(),
                calls: AtomicUsize::new(0),
                first,
                count: 1,
                fault,
                effects: Mutex::default(),
            };
            let mut ledger = Ledger::default();
            let applied = recorded(&faulty, &writes, &mut ledger);
            let context = format!("{fault:?} at {first}: {}", end(&applied, writes.len()));
            assert!(applied.is_whole(), "{context}");
            assert_eq!(signature(&faulty), expected, "{context}");
            // Nothing twice: every write has had an effect once.
            let effects = faulty.effects.lock().unwrap();
            assert_eq!(effects.len(), writes.len(), "{context}: {effects:?}");
            let all: Vec<usize> = (0..writes.len()).collect();
            ledger.intents.sort_unstable();
            ledger.done.sort_unstable();
            assert_eq!((&ledger.intents, &ledger.done), (&all, &all), "{context}");
            if first >= faulty.calls.load(Ordering::Relaxed) {
                break;
            }
            survived += 1;
        }
    }
    assert!(survived > 100, "{survived} faults were tried");
}

#[test]
fn a_world_that_stays_away_is_told_truly() {
    at_each_window(stay_away);
}

fn stay_away() {
    let writes = draft(&world(), CALLS);
    for fault in [Fault::Before, Fault::After, Fault::Busy] {
        for first in (0..).step_by(3) {
            let faulty = Faulty {
                world: world(),
                calls: AtomicUsize::new(0),
                first,
                count: usize::MAX / 2,
                fault,
                effects: Mutex::default(),
            };
            let mut ledger = Ledger::default();
            let applied = recorded(&faulty, &writes, &mut ledger);
            let effects = faulty.effects.lock().unwrap().len();
            let (made, begun) = (ledger.done.len(), ledger.intents.len());
            let context = format!("{fault:?} from {first}: {}", end(&applied, writes.len()));
            assert_eq!(applied.steps.len(), made, "{context}");
            // What was made is written down; what else may have been was begun.
            assert!((made..=begun).contains(&effects), "{context}");
            let in_doubt = matches!(applied.end, End::Unknown(_));
            assert_eq!(in_doubt, applied.in_doubt > 0, "{context}");
            assert!(effects <= made + applied.in_doubt.max(1), "{context}");
            if applied.is_whole() {
                break;
            }
        }
    }
}

#[test]
fn a_write_that_leaves_the_content_as_it_was_is_not_lost() {
    at_each_window(leave_the_content);
}

fn leave_the_content() {
    // Only what is said of the content changes, and neither ETag nor size tell it.
    let (_, mut params) = read("put a/x one");
    if let Value::Map(params) = &mut params {
        let said = Value::Map(vec![("author".into(), "me".into())]);
        params.push(("Metadata".into(), said));
    }
    let planned = world();
    let draft = Draft::of(&planned, &S3).unwrap();
    block_on(draft.call("put_object", &params))
        .unwrap()
        .unwrap();
    let writes = draft.writes();
    for fault in [Fault::Before, Fault::After, Fault::Busy, Fault::Liar] {
        for first in 0..4 {
            let faulty = Faulty {
                world: world(),
                calls: AtomicUsize::new(0),
                first,
                count: 1,
                fault,
                effects: Mutex::default(),
            };
            let applied = recorded(&faulty, &writes, &mut Ledger::default());
            assert!(applied.is_whole(), "{fault:?} at {first}");
            let (operation, get) = read("get a/x");
            let object = block_on(faulty.world.call(operation, &get))
                .unwrap()
                .unwrap();
            let said = object.get("Metadata").and_then(|said| said.get("author"));
            assert_eq!(
                said.and_then(Value::as_str),
                Some("me"),
                "{fault:?} at {first}"
            );
        }
    }
}

/// A world that lacks an operation, as SeaweedFS does, and counts the calls of it.
struct Lacking {
    world: Arc<dyn World>,
    asked: AtomicUsize,
}

#[async_trait]
impl Layer for Lacking {
    fn under(&self) -> &dyn World {
        &*self.world
    }

    async fn pass(&self, operation: &str, params: &Value, onward: &Onward<'_>) -> Result<Answer> {
        if operation != "get_public_access_block" {
            return onward.call(operation, params).await;
        }
        self.asked.fetch_add(1, Ordering::Relaxed);
        Ok(Err(Refusal::new(501, "NotImplemented", "Not here.")))
    }
}

#[test]
fn an_operation_that_the_world_lacks_is_asked_for_once() {
    let lacking = Lacking {
        world: world(),
        asked: AtomicUsize::new(0),
    };
    let writes = draft(&world(), "delete b/x; remove b");
    let applied = recorded(&lacking, &writes, &mut Ledger::default());
    assert!(applied.is_whole(), "{}", end(&applied, writes.len()));
    assert_eq!(lacking.asked.load(Ordering::Relaxed), 1);
}
