//! An apply with many writes under way together, in a journal: a process that ends anywhere
//! leaves a set of writes that were made, and of others that it is not known of.

use crate::journal::lab::{begin, store};
use crate::plan::lab::{apply, block_on, call_all, content, planning, world};
use crate::plan::slow::{Fate, Slow};
use dialog2api::agent::Decision;
use dialog2api::domain::World;
use dialog2api::journal::{DecidedBy, Ending, Origin, SessionStore};
use dialog2api::plan::{Apply, Keeping, Plan, Stop, Unrecorded};
use std::future::poll_fn;
use std::sync::Arc;
use std::task::Poll;

const CALLS: &str = "put a/new fresh; copy a/x a/copy; delete a/x; put b/x other; delete a/y; \
                     copy a/copy b/copy; put a/dir/z over; put b/new fresh";

/// A session with this plan, which was agreed to.
fn agreed(store: &SessionStore, plan: &Plan) -> u64 {
    let journal = store.begin(Some("it"), begin()).unwrap();
    journal.said(1, "do it").unwrap();
    let origin = Origin::Program { turn: 1, uid: 1 };
    let id = journal.plan(origin, plan).unwrap();
    let decision = Decision::Apply(Stop::default());
    journal.decided(id, &decision, DecidedBy::User).unwrap();
    id
}

/// Applies the plan in this world until it was polled so often. Whether it came to its end.
fn begun(store: &SessionStore, id: u64, world: &Arc<dyn World>, polls: usize) -> bool {
    let journal = store.resume("it").unwrap();
    let (plan, earlier) = journal.plan_and_steps(id).unwrap();
    let slow = Slow::new(world, |_, _, _| Fate::Fine);
    let first = Apply {
        window: 32,
        earlier,
        ..apply(&slow, &plan.writes)
    };
    let mut record = journal.record(id);
    block_on(async {
        let mut watch = |_| ();
        let mut applying = Box::pin(first.run(&mut *record, &mut watch));
        for _ in 0..polls {
            let polled = poll_fn(|context| Poll::Ready(applying.as_mut().poll(context)));
            if polled.await.is_ready() {
                return true;
            }
            tokio::task::yield_now().await;
        }
        false
    })
}

#[test]
fn a_process_that_ends_anywhere_is_gone_on_with_or_taken_back() {
    let (mut gaps, mut doubts) = (0, 0);
    for polls in 0.. {
        let there = world();
        let before = content(&*there);
        let plan = crate::plan::lab::plan(&there, CALLS, Keeping::default());
        let direct = there.fork().unwrap();
        block_on(call_all(&*direct, CALLS));
        let (_folder, store) = store();
        let id = agreed(&store, &plan);
        let is_over = begun(&store, id, &there, polls);

        // What the journal says is a set, and the view of it has its effects alone.
        let reading = store.read("it").unwrap();
        let known = reading.state.plan(id).unwrap();
        let numbers = known.numbers();
        let has_gap = numbers.last().is_some_and(|last| *last >= numbers.len());
        gaps += usize::from(has_gap);
        doubts += usize::from(known.begun.len() > 1);
        let done = known.planned.outline().only(&numbers);
        assert_eq!(done.writes.len(), numbers.len());
        for number in &numbers {
            let touched = &plan.writes[*number].touched;
            assert!(done.writes.iter().any(|write| write.touched == *touched));
        }

        // Taken back, by a process that finds out first.
        let other = there.fork().unwrap();
        let copy = copied(&store);
        taken_back(&copy.1, id, &*other);
        assert_eq!(content(&*other), before, "after {polls}");

        // Gone on with, in a process that ends as well, and in a third one.
        begun(&store, id, &there, 3);
        assert!(begun(&store, id, &there, usize::MAX), "after {polls}");
        assert_eq!(content(&*there), content(&*direct), "after {polls}");
        let state = store.read("it").unwrap().state;
        let known = state.plan(id).unwrap();
        assert_eq!(known.made.len(), plan.writes.len());
        assert!(known.begun.is_empty());
        if is_over {
            break;
        }
    }
    assert!(gaps > 0 && doubts > 0, "{gaps} gaps, {doubts} doubts");
}

/// A store with a copy of the session.
fn copied(from: &SessionStore) -> (tempfile::TempDir, SessionStore) {
    let (folder, store) = store();
    let to = store.folder().join("it");
    std::fs::create_dir_all(&to).unwrap();
    let journal = from.folder().join("it/journal.jsonl");
    std::fs::copy(journal, to.join("journal.jsonl")).unwrap();
    let contents = from.folder().join("it/contents");
    if contents.exists() {
        std::os::unix::fs::symlink(contents, to.join("contents")).unwrap();
    }
    (folder, store)
}

fn taken_back(store: &SessionStore, id: u64, world: &dyn World) {
    let journal = store.resume("it").unwrap();
    let (plan, earlier) = journal.plan_and_steps(id).unwrap();
    let closing = Apply {
        earlier,
        ..apply(world, &plan.writes)
    };
    let settled = block_on(closing.settle(&mut *journal.record(id)));
    journal.applied(id, &settled).unwrap();
    let known = journal.state().plan(id).unwrap().clone();
    assert_eq!(known.numbers().len(), settled.steps.len());
    assert!(known.begun.is_empty() || settled.is_whole());
    assert!(matches!(
        known.end,
        Some((Ending::Stopped | Ending::Whole, _))
    ));
    let inverse = journal.inverse(id, planning(), Keeping::default());
    let inverse = inverse.unwrap().unwrap();
    assert_eq!(inverse.undo.lost, []);
    let back = Apply {
        window: 32,
        ..apply(world, &inverse.undo.plan.writes)
    };
    let undone = block_on(back.run(&mut Unrecorded, &mut |_| ()));
    assert!(undone.is_whole(), "{:?}", undone.end);
}
