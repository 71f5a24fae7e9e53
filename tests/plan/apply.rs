//! The applied effect is the planned one; what drifted stops it.

use crate::plan::lab::{
    applied, apply, apply as apply_to, at_each_window, at_window, block_on, call_all, content,
    draft, end, planning, signature, world,
};
use async_trait::async_trait;
use dialog2api::domain::{Answer, Layer, Moved, Onward, Signer, Value, World, Write};
use dialog2api::plan::{Apply, Earlier, Keeping, Record, Step, Stop, Unrecorded, undo};
use dialog2api::{Error, Result};
use expect_test::{Expect, expect};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::sync::Notify;

/// Plans calls, lets someone else meddle, applies, and shows how it ended and what is there.
#[track_caller]
fn check(calls: &str, meddling: &str, expected: Expect) {
    at_each_window(|| {
        let world = world();
        let writes = draft(&world, calls);
        block_on(call_all(&*world, meddling));
        let applied = applied(&*world, &writes);
        let end = end(&applied, writes.len());
        expected.assert_eq(&format!("{end}\n{}", content(&*world)));
    });
}

const CALLS: &str = "put a/new fresh; copy a/x a/copy; delete a/y; put b/x other";

#[test]
fn the_applied_effect_is_the_planned_one() {
    let world = world();
    let writes = draft(&world, CALLS);
    let direct = world.fork().unwrap();
    block_on(call_all(&*direct, CALLS));
    assert!(applied(&*world, &writes).is_whole());
    assert_eq!(signature(&*world), signature(&*direct));
    check(
        CALLS,
        "",
        expect![[r#"
        all 4 writes are made
        + bucket-a/
        + bucket-a/copy (3 bytes)
        + bucket-a/dir/z (5 bytes)
        + bucket-a/new (5 bytes)
        + bucket-a/x (3 bytes)
        + bucket-b/
        + bucket-b/x (5 bytes)
    "#]],
    );
}

#[test]
fn what_changed_in_between_stops_it_before_the_write() {
    check(
        CALLS,
        "put a/y three",
        expect![[r#"
        PlanOutdated: Only 2 of 4 planned writes were made: bucket-a/y has changed since this was planned.
        + bucket-a/
        + bucket-a/copy (3 bytes)
        + bucket-a/dir/z (5 bytes)
        + bucket-a/new (5 bytes)
        + bucket-a/x (3 bytes)
        + bucket-a/y (5 bytes)
        + bucket-b/
        + bucket-b/x (4 bytes)
    "#]],
    );
}

#[test]
fn what_is_new_or_gone_in_between_stops_it() {
    check(
        CALLS,
        "put a/new mine",
        expect![[r#"
        PlanOutdated: Nothing was changed: bucket-a/new is there now, and was not when this was planned.
        + bucket-a/
        + bucket-a/dir/z (5 bytes)
        + bucket-a/new (4 bytes)
        + bucket-a/x (3 bytes)
        + bucket-a/y (3 bytes)
        + bucket-b/
        + bucket-b/x (4 bytes)
    "#]],
    );
    check(
        CALLS,
        "delete a/y",
        expect![[r#"
        PlanOutdated: Only 2 of 4 planned writes were made: bucket-a/y is gone, and was there when this was planned.
        + bucket-a/
        + bucket-a/copy (3 bytes)
        + bucket-a/dir/z (5 bytes)
        + bucket-a/new (5 bytes)
        + bucket-a/x (3 bytes)
        + bucket-b/
        + bucket-b/x (4 bytes)
    "#]],
    );
    check(
        "put a/x z",
        "delete a/x",
        expect![[r#"
        PlanOutdated: Nothing was changed: bucket-a/x is gone, and was there when this was planned.
        + bucket-a/
        + bucket-a/dir/z (5 bytes)
        + bucket-a/y (3 bytes)
        + bucket-b/
        + bucket-b/x (4 bytes)
    "#]],
    );
}

#[test]
fn a_source_that_changed_stops_a_copy() {
    check(
        "copy a/x b/copy",
        "put a/x another",
        expect![[r#"
        PlanOutdated: Nothing was changed: bucket-a/x has changed since this was planned.
        + bucket-a/
        + bucket-a/dir/z (5 bytes)
        + bucket-a/x (7 bytes)
        + bucket-a/y (3 bytes)
        + bucket-b/
        + bucket-b/x (4 bytes)
    "#]],
    );
}

#[test]
fn what_changed_elsewhere_stops_nothing() {
    check(
        "delete-all a x y",
        "put a/dir/z changed; put a/more m",
        expect![[r#"
            all 1 writes are made
            + bucket-a/
            + bucket-a/dir/z (7 bytes)
            + bucket-a/more (1 byte)
            + bucket-b/
            + bucket-b/x (4 bytes)
        "#]],
    );
}

#[test]
fn a_bucket_that_filled_up_is_not_removed() {
    check(
        "delete-all b x; remove b",
        "put b/late l",
        expect![[r#"
        BucketNotEmpty: Only 1 of 2 planned writes were made: the next write was refused: The bucket you tried to delete is not empty.
        + bucket-a/
        + bucket-a/dir/z (5 bytes)
        + bucket-a/x (3 bytes)
        + bucket-a/y (3 bytes)
        + bucket-b/
        + bucket-b/late (1 byte)
    "#]],
    );
    check(
        "make c; put c/k v",
        "make c",
        expect![[r#"
        PlanOutdated: Nothing was changed: bucket-c/ is there now, and was not when this was planned.
        + bucket-a/
        + bucket-a/dir/z (5 bytes)
        + bucket-a/x (3 bytes)
        + bucket-a/y (3 bytes)
        + bucket-b/
        + bucket-b/x (4 bytes)
        + bucket-c/
    "#]],
    );
}

#[test]
fn a_key_that_is_written_twice_is_written_twice() {
    check(
        "put a/x 1; put a/x 22; copy a/x a/y; put a/x 333; delete a/dir/z; put a/dir/z 4444",
        "",
        expect![[r#"
            all 6 writes are made
            + bucket-a/
            + bucket-a/dir/z (4 bytes)
            + bucket-a/x (3 bytes)
            + bucket-a/y (2 bytes)
            + bucket-b/
            + bucket-b/x (4 bytes)
        "#]],
    );
}

#[test]
fn an_apply_that_is_stopped_ends_between_writes() {
    let world: Arc<dyn World> = world();
    let writes = draft(&world, CALLS);
    let stop = Stop::default();
    let mut apply = apply(&*world, &writes);
    apply.stop = stop.clone();
    apply.window = 1;
    let mut watch = |made| {
        if made == 2 {
            stop.stop();
        }
    };
    let applied = block_on(apply.run(&mut Unrecorded, &mut watch));
    expect!["Interrupted: Only 2 of 4 planned writes were made: it was stopped."]
        .assert_eq(&end(&applied, writes.len()));
    assert_eq!(applied.steps.len(), 2);
    // What is under way together comes to its end.
    let world: Arc<dyn World> = crate::plan::lab::world();
    let mut apply = apply_to(&*world, &writes);
    apply.stop = stop.clone();
    apply.window = 3;
    let mut watch = |made| {
        if made == 2 {
            stop.stop();
        }
    };
    let applied = block_on(apply.run(&mut Unrecorded, &mut watch));
    expect!["Interrupted: Only 3 of 4 planned writes were made: it was stopped."]
        .assert_eq(&end(&applied, writes.len()));
}

/// Keeps what is about to be done, and breaks off before the second write.
struct Broken(Option<Step>);

#[async_trait]
impl Record for Broken {
    async fn intent(&mut self, number: usize, step: &Step) -> Result<()> {
        match number {
            0 => Ok(()),
            _ => {
                self.0 = Some(step.clone());
                Err(Error::world("the disk is full"))
            }
        }
    }
    async fn done(&mut self, _: usize, _: &Step) -> Result<()> {
        Ok(())
    }
}

/// The writes that are made one after the other until the record breaks.
fn broken_off(world: &dyn World, writes: &[Write], record: &mut dyn Record) -> Vec<Step> {
    let strict = Apply {
        window: 1,
        ..apply(world, writes)
    };
    block_on(strict.run(record, &mut |_| ())).steps
}

#[test]
fn what_an_interrupted_write_did_is_found_out_without_making_it() {
    // What happens of the second write, how many writes then count as made, and whether
    // taking them back gives the world as it was.
    let check = |happens: &str, expected: Expect| {
        let world = world();
        let before = content(&*world);
        let writes = draft(
            &world,
            "put a/new text; delete-all a x y dir/z; put b/x over",
        );
        let mut record = Broken(None);
        let earlier = Earlier {
            made: broken_off(&*world, &writes, &mut record),
            begun: record.0.into_iter().collect(),
        };
        block_on(call_all(&*world, happens));
        let then = content(&*world);
        let settling = Apply {
            earlier,
            ..apply(&*world, &writes)
        };
        let settled = block_on(settling.settle(&mut Unrecorded));
        assert_eq!(content(&*world), then, "nothing is written");
        let undo = undo(planning(), &writes, &settled.steps, Keeping::default());
        let undone = applied(&*world, &undo.plan.writes).is_whole();
        let same = content(&*world) == before;
        let end = end(&settled, writes.len());
        expected.assert_eq(&format!("{end} undone: {undone}, the same: {same}"));
    };
    check(
        "",
        expect![
            "Interrupted: Only 1 of 3 planned writes were made: it was stopped. undone: true, the same: true"
        ],
    );
    check(
        "delete-all a x y dir/z",
        expect![
            "Interrupted: Only 2 of 3 planned writes were made: it was stopped. undone: true, the same: true"
        ],
    );
    check(
        "delete a/y",
        expect![
            "Interrupted: Only 2 of 3 planned writes were made: it was stopped. undone: true, the same: true"
        ],
    );
    check(
        "put a/y other",
        expect![
            "PlanOutdated: Only 1 of 3 planned writes were made: bucket-a/y has changed since this was planned. undone: true, the same: false"
        ],
    );
}

/// A world that does not answer from this call on; the call itself is carried out.
struct Silent {
    world: Arc<dyn World>,
    calls: AtomicUsize,
    from: usize,
}

#[async_trait]
impl Layer for Silent {
    fn under(&self) -> &dyn World {
        &*self.world
    }

    async fn pass(&self, operation: &str, params: &Value, onward: &Onward<'_>) -> Result<Answer> {
        let answer = onward.call(operation, params).await;
        if self.calls.fetch_add(1, Ordering::Relaxed) >= self.from {
            std::future::pending::<()>().await;
        }
        answer
    }
}

/// What is seen where every call of an apply in turn is the first that is not answered.
fn hanging(calls: usize) -> String {
    let world = world();
    let writes = draft(&world, "put a/one 1; put a/two 2");
    let mut seen = String::new();
    for from in 0..calls {
        let world = world.fork().unwrap();
        let silent = Silent {
            world: world.clone(),
            calls: AtomicUsize::new(0),
            from,
        };
        let mut apply = apply(&silent, &writes);
        apply.patience.deadline = Duration::from_millis(1);
        let mut begun = Begun::default();
        let applied = block_on(apply.run(&mut begun, &mut |_| ()));
        let earlier = Earlier {
            made: applied.steps.clone(),
            begun: begun.0.into_values().collect(),
        };
        // It goes on where it ended: nothing is made twice, and nothing is left out.
        let again = Apply {
            earlier,
            ..apply_to(&*world, &writes)
        };
        let again = block_on(again.run(&mut Unrecorded, &mut |_| ()));
        let _ = writeln!(
            seen,
            "{from}: {} Then {}.",
            end(&applied, writes.len()),
            end(&again, writes.len())
        );
    }
    seen
}

#[test]
fn a_write_that_hangs_ends_at_the_deadline_and_is_found_out_about_later() {
    at_window(1, || {
        expect![[r#"
        0: ConnectionLost: Nothing was changed: the next write could not be made: there was no answer within 0.001 s. Then all 2 writes are made.
        1: ConnectionLost: Whether the first write was made is not known: there was no answer within 0.001 s. Then all 2 writes are made.
        2: ConnectionLost: Only 1 of 2 planned writes were made: the next write could not be made: there was no answer within 0.001 s. Then all 2 writes are made.
        3: ConnectionLost: 1 of 2 planned writes were made. Whether the next one was made is not known: there was no answer within 0.001 s. Then all 2 writes are made.
    "#]].assert_eq(&hanging(4));
    });
    // Both are looked at together, and are under way together.
    at_window(32, || {
        expect![[r#"
        0: ConnectionLost: Nothing was changed: the next write could not be made: there was no answer within 0.001 s. Then all 2 writes are made.
        1: ConnectionLost: Nothing was changed: the next write could not be made: there was no answer within 0.001 s. Then all 2 writes are made.
        2: ConnectionLost: Whether any of 2 writes were made is not known: there was no answer within 0.001 s. Then all 2 writes are made.
        3: ConnectionLost: 1 of 2 planned writes were made. Whether the next one was made is not known: there was no answer within 0.001 s. Then all 2 writes are made.
    "#]].assert_eq(&hanging(4))
    });
}

/// A world whose puts are transfers. Each look at what was moved finds more, `parts` times; then
/// a put is made if it `ends`, and stands still if not.
struct Moving {
    world: Arc<dyn World>,
    moved: Moved,
    parts: usize,
    ends: bool,
    looks: AtomicUsize,
    whole: Notify,
}

#[async_trait]
impl World for Moving {
    async fn call(&self, operation: &str, params: &Value) -> Result<Answer> {
        if operation == "put_object" {
            self.whole.notified().await;
        }
        self.world.call(operation, params).await
    }

    fn fork(&self) -> Option<Arc<dyn World>> {
        self.world.fork()
    }

    async fn state(&self, signer: &mut Signer) -> Result<()> {
        self.world.state(signer).await
    }

    fn moved(&self) -> Option<Moved> {
        let look = self.looks.fetch_add(1, Ordering::Relaxed) + 1;
        if look <= self.parts {
            self.moved.add(1);
        }
        if look == self.parts && self.ends {
            self.whole.notify_one();
        }
        Some(self.moved.clone())
    }

    fn describe(&self) -> String {
        self.world.describe()
    }
}

/// How an apply of one put to such a world ends, through a layer, and how often it looked at
/// what was moved.
fn moving(parts: usize, ends: bool) -> String {
    let world = world();
    let writes = draft(&world, "put a/one 1");
    let moving = Arc::new(Moving {
        world,
        moved: Moved::default(),
        parts,
        ends,
        looks: AtomicUsize::new(0),
        whole: Notify::new(),
    });
    let layer = Silent {
        world: moving.clone(),
        calls: AtomicUsize::new(0),
        from: usize::MAX,
    };
    let mut apply = apply(&layer, &writes);
    apply.patience.deadline = Duration::from_millis(1);
    let applied = block_on(apply.run(&mut Unrecorded, &mut |_| ()));
    let looks = moving.looks.load(Ordering::Relaxed);
    format!("{looks} looks: {}", end(&applied, writes.len()))
}

#[test]
fn a_transfer_that_goes_on_has_more_time_than_the_deadline() {
    // The first look is before the first deadline, so it has taken three of them.
    expect!["4 looks: all 1 writes are made"].assert_eq(&moving(4, true));
}

#[test]
fn a_transfer_that_stands_still_ends_at_the_deadline() {
    expect!["5 looks: ConnectionLost: Whether the first write was made is not known: there was no answer within 0.001 s."]
        .assert_eq(&moving(4, false));
}

/// Remembers the writes that were begun and not made.
#[derive(Default)]
struct Begun(BTreeMap<usize, Step>);

#[async_trait]
impl Record for Begun {
    async fn intent(&mut self, number: usize, step: &Step) -> Result<()> {
        self.0.insert(number, step.clone());
        Ok(())
    }
    async fn done(&mut self, number: usize, _: &Step) -> Result<()> {
        self.0.remove(&number);
        Ok(())
    }
}
