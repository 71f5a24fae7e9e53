//! Writes that are under way together: only those that have nothing to do with each other, and
//! what is told of them is true whatever happens to some of them.

use super::lab::{self, at_window, block_on, call_all, content, draft, end, planning, signature};
use super::slow::{Fate, Fates, Slow};
use async_trait::async_trait;
use dialog2api::Result;
use dialog2api::domain::s3::world::memory;
use dialog2api::domain::{Value, World, Write};
use dialog2api::plan::{Applied, Apply, Earlier, Keeping, Record, Step, Stop, Unrecorded, undo};
use expect_test::{Expect, expect};
use std::collections::{BTreeMap, BTreeSet};
use std::future::poll_fn;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::Poll;

/// A bucket with this many objects, `in/000` and so on.
fn folder(objects: usize) -> Arc<dyn World> {
    let world: Arc<dyn World> = Arc::new(memory("empty").unwrap());
    let puts = (0..objects).map(|number| format!("; put a/in/{number:03} text{number}"));
    let calls: String = ["make a".to_owned()].into_iter().chain(puts).collect();
    block_on(call_all(&*world, &calls));
    world
}

/// The calls that move each of them to another folder.
fn moves(objects: usize) -> String {
    let moves =
        (0..objects).map(|it| format!("copy a/in/{it:03} a/out/{it:03}; delete a/in/{it:03}"));
    moves.collect::<Vec<_>>().join("; ")
}

/// Remembers what was begun and what was made, as a journal does.
#[derive(Default)]
struct Ledger {
    begun: BTreeMap<usize, Step>,
    made: BTreeMap<usize, Step>,
}

impl Ledger {
    fn earlier(&self) -> Earlier {
        Earlier {
            made: self.made.values().cloned().collect(),
            begun: self.begun.values().cloned().collect(),
        }
    }
}

#[async_trait]
impl Record for Ledger {
    async fn intent(&mut self, number: usize, step: &Step) -> Result<()> {
        assert!(
            !self.made.contains_key(&number),
            "write {number} is made twice"
        );
        self.begun.insert(number, step.clone());
        Ok(())
    }
    async fn done(&mut self, number: usize, step: &Step) -> Result<()> {
        self.begun.remove(&number).expect("it was begun");
        self.made.insert(number, step.clone());
        Ok(())
    }
}

/// An apply with many writes under way together.
fn apply<'a>(world: &'a dyn World, writes: &'a [Write]) -> Apply<'a> {
    Apply {
        window: 32,
        ..lab::apply(world, writes)
    }
}

fn run(apply: &Apply<'_>, ledger: &mut Ledger) -> Applied {
    block_on(apply.run(ledger, &mut |_| ()))
}

/// Takes back what was made; whether the world is then as it was.
fn is_undone(world: &dyn World, plan: &[Write], applied: &Applied) -> bool {
    let undo = undo(planning(), plan, &applied.steps, Keeping::default());
    assert_eq!(undo.lost, []);
    let writes = &undo.plan.writes;
    let undone = block_on(apply(world, writes).run(&mut Unrecorded, &mut |_| ()));
    assert!(undone.is_whole(), "{}", end(&undone, writes.len()));
    true
}

#[test]
fn a_rename_of_300_objects_asks_little_for_each() {
    let world = folder(300);
    let before = content(&*world);
    let writes = draft(&world, &moves(300));
    let slow = Slow::new(&world, |_, _, _| Fate::Fine);
    let done = block_on(apply(&slow, &writes).run(&mut Unrecorded, &mut |_| ()));
    assert!(done.is_whole(), "{}", end(&done, writes.len()));
    let (asked, counts) = (slow.all(), slow.counts());
    assert!(asked * 100 <= 225 * 300, "{asked} requests\n{counts}");
    assert_eq!(slow.most.load(Ordering::Relaxed), 32);
    assert!(!counts.contains("get_object ×"), "{counts}");
    // The way back is no longer, and needs no content that was kept.
    let undo = undo(planning(), &writes, &done.steps, Keeping::default());
    let back = Slow::new(&world, |_, _, _| Fate::Fine);
    let undone = block_on(apply(&back, &undo.plan.writes).run(&mut Unrecorded, &mut |_| ()));
    assert!(undone.is_whole(), "{}", end(&undone, 600));
    assert_eq!(content(&*world), before);
    let (asked, counts) = (back.all(), back.counts());
    assert!(asked * 100 <= 225 * 300, "{asked} requests\n{counts}");
}

/// Moves 40 objects in a world where some calls have another fate: how it ended, and what it
/// asked. What the record says is true; it is gone on with to the whole, and that can be
/// taken back.
#[track_caller]
fn check(name: &str, fates: Fates, expected: Expect) {
    check_at(&[1, 32], name, fates, expected);
}

#[track_caller]
fn check_at(windows: &[usize], name: &str, fates: Fates, expected: Expect) {
    let mut seen = String::new();
    for window in windows.iter().copied() {
        at_window(window, || {
            let world = folder(40);
            let before = content(&*world);
            let writes = draft(&world, &moves(40));
            let expected = {
                let direct = world.fork().unwrap();
                block_on(call_all(&*direct, &moves(40)));
                content(&*direct)
            };
            let slow = Slow::new(&world, fates);
            let mut ledger = Ledger::default();
            let mut first = lab::apply(&slow, &writes);
            first.patience.attempts = 3;
            let done = run(&first, &mut ledger);
            let made: BTreeSet<usize> = done.steps.iter().map(|step| step.number).collect();
            assert_eq!(made, ledger.made.keys().copied().collect(), "{name}");
            let mut said = end(&done, writes.len());
            if window > 1 {
                // How many of the others were made by then depends on when each is tried again.
                said = said.replace(&format!("{} of 80", made.len()), "some of 80");
            }
            seen += &format!("{window}: {said}\n");
            // What is there is what the record says.
            for (number, write) in writes.iter().enumerate() {
                if ledger.begun.contains_key(&number) {
                    continue;
                }
                let key = write.params.get("Key").and_then(Value::as_str).unwrap();
                let is_there = content(&*world).contains(&format!("bucket-a/{key} ("));
                let is_copy = write.operation == "copy_object";
                assert_eq!(
                    is_there == is_copy,
                    made.contains(&number),
                    "{name}: {number}"
                );
            }
            // Someone restores what was changed, and the apply goes on where it ended.
            for number in 0..40 {
                if content(&*world).contains(&format!("bucket-a/in/{number:03} (7 bytes)")) {
                    let put = format!("put a/in/{number:03} text{number}");
                    block_on(call_all(&*world, &put));
                }
            }
            let again = Apply {
                earlier: ledger.earlier(),
                ..lab::apply(&*world, &writes)
            };
            let again = run(&again, &mut ledger);
            assert!(again.is_whole(), "{name}: {}", end(&again, writes.len()));
            assert_eq!(content(&*world), expected, "{name}");
            assert!(is_undone(&*world, &writes, &again));
            assert_eq!(content(&*world), before, "{name}");
        });
    }
    expected.assert_eq(&seen);
}

#[test]
fn a_server_that_is_busy_is_asked_again() {
    let busy: Fates = |operation, key, tried| {
        let is_write = operation.starts_with("delete_") || operation == "copy_object";
        match is_write && tried == 0 && (key.is_empty() || key.ends_with('7')) {
            true => Fate::SlowDown,
            false => Fate::Fine,
        }
    };
    check(
        "busy",
        busy,
        expect![[r#"
        1: all 80 writes are made
        32: all 80 writes are made
    "#]],
    );
}

#[test]
fn what_is_refused_for_single_keys_is_told_of_these() {
    let denied: Fates = |operation, key, _| match (operation, key) {
        ("delete_object", "in/005" | "in/017") => Fate::Denied,
        _ => Fate::Fine,
    };
    check(
        "denied",
        denied,
        expect![[r#"
            1: AccessDenied: Only 11 of 80 planned writes were made: the next write was refused: Access Denied.
            32: AccessDenied: Only some of 80 planned writes were made: one write was refused: Access Denied.
        "#]],
    );
}

#[test]
fn connections_that_break_after_the_effect_leave_nothing_in_doubt() {
    let lost: Fates = |operation, key, tried| {
        let is_write = operation.starts_with("delete_object") || operation == "copy_object";
        match is_write && tried == 0 && key.as_bytes().last().is_some_and(|it| it % 3 == 0) {
            true => Fate::Lost,
            false => Fate::Fine,
        }
    };
    check(
        "lost",
        lost,
        expect![[r#"
        1: all 80 writes are made
        32: all 80 writes are made
    "#]],
    );
}

#[test]
fn a_server_whose_listings_tell_other_etags_is_looked_at_one_by_one() {
    let other: Fates = |operation, _, _| match operation {
        "list_objects_v2" => Fate::Other,
        _ => Fate::Fine,
    };
    check(
        "other",
        other,
        expect![[r#"
        1: all 80 writes are made
        32: all 80 writes are made
    "#]],
    );
}

#[test]
fn what_changes_in_the_middle_ends_it() {
    let changed: Fates = |operation, key, _| match (operation, key) {
        ("delete_object", "in/010") => Fate::Changed,
        _ => Fate::Fine,
    };
    check(
        "changed",
        changed,
        expect![[r#"
            1: PlanOutdated: Only 21 of 80 planned writes were made: bucket-a/in/010 has changed since this was planned.
            32: PlanOutdated: Only some of 80 planned writes were made: bucket-a/in/010 has changed since this was planned.
        "#]],
    );
}

#[test]
fn a_server_that_goes_away_leaves_several_writes_in_doubt() {
    // Single objects are looked at only after their writes.
    let away: Fates = |operation, key, _| match (operation, key) {
        ("copy_object" | "head_object", "out/003" | "out/005" | "out/009") => Fate::Lost,
        _ => Fate::Fine,
    };
    check_at(
        &[32],
        "away",
        away,
        expect![[r#"
            32: ConnectionLost: some of 80 planned writes were made. Whether 3 more were made is not known: the connection was lost.
        "#]],
    );
}

#[test]
fn a_server_without_conditions_in_a_deletion_of_many_deletes_one_by_one() {
    let world = folder(40);
    let before = content(&*world);
    let writes = draft(&world, &moves(40));
    let mut slow = Slow::new(&world, |_, _, _| Fate::Fine);
    slow.is_simple = true;
    let done = run(&apply(&slow, &writes), &mut Ledger::default());
    assert!(done.is_whole(), "{}", end(&done, writes.len()));
    // The first of them is asked whether its condition is heeded.
    assert!(
        slow.counts().contains("delete_object × 41"),
        "{}",
        slow.counts()
    );
    assert!(is_undone(&*world, &writes, &done));
    assert_eq!(content(&*world), before);
}

/// Calls of every kind, in two buckets, of which some depend on others.
const MIXED: &str = "put a/new fresh; copy a/in/000 a/copy; delete a/in/000; copy a/copy a/again; \
                     put a/copy other; put a/in/001 one; put a/in/001 two; delete a/in/002; make b; \
                     copy a/in/001 b/x; copy a/in/003 b/y; delete-all a in/003 in/004; put b/x last; \
                     delete a/again; put a/again over; delete b/y; copy b/x b/z";

#[test]
fn it_is_gone_on_with_wherever_it_was_given_up() {
    let mut gaps = 0;
    for from in (0..).step_by(3) {
        let world = folder(6);
        let before = signature(&*world);
        let writes = draft(&world, MIXED);
        let direct = world.fork().unwrap();
        block_on(call_all(&*direct, MIXED));
        // The process ends after so many steps: what is under way stays so, or is done unseen.
        let slow = Slow::new(&world, |_, _, _| Fate::Fine);
        let mut ledger = Ledger::default();
        let is_over = {
            let first = apply(&slow, &writes);
            block_on(async {
                let mut watch = |_| ();
                let mut applying = Box::pin(first.run(&mut ledger, &mut watch));
                for _ in 0..from {
                    let polled = poll_fn(|context| Poll::Ready(applying.as_mut().poll(context)));
                    if polled.await.is_ready() {
                        return true;
                    }
                    tokio::task::yield_now().await;
                }
                false
            })
        };
        let earlier = ledger.earlier();
        gaps += usize::from(
            earlier
                .made
                .last()
                .is_some_and(|it| it.number >= earlier.made.len()),
        );
        let again = Apply {
            earlier,
            ..apply(&*world, &writes)
        };
        let again = run(&again, &mut ledger);
        assert!(again.is_whole(), "{from}: {}", end(&again, writes.len()));
        assert_eq!(content(&*world), content(&*direct), "{from}");
        assert!(is_undone(&*world, &writes, &again), "{from}");
        assert_eq!(signature(&*world), before, "{from}");
        if is_over {
            assert!(gaps > 0, "no gap in {from} steps");
            return;
        }
    }
}

#[test]
fn a_part_of_it_that_has_gaps_is_taken_back() {
    let world = folder(6);
    let before = signature(&*world);
    let writes = draft(&world, MIXED);
    let slow = Slow::new(&world, |operation, key, _| match (operation, key) {
        ("copy_object", "copy") => Fate::Denied,
        _ => Fate::Fine,
    });
    let done = run(&apply(&slow, &writes), &mut Ledger::default());
    expect![
        "AccessDenied: Only 3 of 17 planned writes were made: one write was refused: Access Denied."
    ]
    .assert_eq(&end(&done, writes.len()));
    assert!(is_undone(&*world, &writes, &done));
    assert_eq!(signature(&*world), before);
}

#[test]
fn a_copy_that_was_changed_since_is_not_copied_back() {
    let world = folder(2);
    let writes = draft(&world, &moves(2));
    let done = run(&apply(&*world, &writes), &mut Ledger::default());
    block_on(call_all(&*world, "put a/out/001 changed"));
    let undo = undo(planning(), &writes, &done.steps, Keeping::default());
    let still = block_on(undo.still(planning(), &*world, Keeping::default())).unwrap();
    let lost: Vec<String> = still.lost.iter().map(|(it, _)| it.to_string()).collect();
    assert_eq!(lost, ["bucket-a/in/001", "bucket-a/out/001"]);
    let back = &still.plan.writes;
    assert!(block_on(apply(&*world, back).run(&mut Unrecorded, &mut |_| ())).is_whole());
    expect![[r#"
        + bucket-a/
        + bucket-a/in/000 (5 bytes)
        + bucket-a/out/001 (7 bytes)
    "#]]
    .assert_eq(&content(&*world));
}

#[test]
fn what_is_under_way_when_it_is_stopped_comes_to_its_end() {
    let world = folder(40);
    let writes = draft(&world, &moves(40));
    let slow = Slow::new(&world, |_, _, _| Fate::Fine);
    let stop = Stop::default();
    let mut ledger = Ledger::default();
    let mut stopped = apply(&slow, &writes);
    stopped.stop = stop.clone();
    let mut watch = |made| {
        if made == 1 {
            stop.stop();
        }
    };
    let done = block_on(stopped.run(&mut ledger, &mut watch));
    expect!["Interrupted: Only 8 of 80 planned writes were made: it was stopped."]
        .assert_eq(&end(&done, writes.len()));
    assert!(ledger.begun.is_empty());
    assert_eq!(content(&*world).matches("bucket-a/out/").count(), 8);
}
