//! Undo of applies.

use crate::plan::lab::{
    applied, block_on, call_all, content, draft, end, planning, signature, world,
};
use dialog2api::plan::{Keeping, undo};
use expect_test::{Expect, expect};

/// Applies calls, lets someone meddle, undoes, and shows how that ended and what is there.
#[track_caller]
fn check(calls: &str, meddling: &str, expected: Expect) {
    let world = world();
    let writes = draft(&world, calls);
    let done = applied(&*world, &writes);
    assert!(done.is_whole(), "{}", end(&done, writes.len()));
    block_on(call_all(&*world, meddling));
    let undo = undo(planning(), &writes, &done.steps, Keeping::default());
    let back = applied(&*world, &undo.plan.writes);
    let end = end(&back, undo.plan.writes.len());
    expected.assert_eq(&format!("{end}\n{}", content(&*world)));
}

const CALLS: &str = "put a/new fresh; copy a/x a/copy; delete a/y; put b/x other; make c; \
                     copy a/copy c/k; delete-all a x dir/z; delete-all a copy new; remove a";

#[test]
fn everything_is_as_it_was() {
    let expected = content(&*world());
    let world = world();
    let before = signature(&*world);
    let writes = draft(&world, CALLS);
    let done = applied(&*world, &writes);
    let undo = undo(planning(), &writes, &done.steps, Keeping::default());
    assert!(undo.lost.is_empty(), "{:?}", undo.lost);
    let back = applied(&*world, &undo.plan.writes);
    assert!(back.is_whole(), "{}", end(&back, undo.plan.writes.len()));
    assert_eq!(signature(&*world), before);
    assert_eq!(content(&*world), expected);
    check(
        CALLS,
        "",
        expect![[r#"
        all 7 writes are made
        + bucket-a/
        + bucket-a/dir/z (5 bytes)
        + bucket-a/x (3 bytes)
        + bucket-a/y (3 bytes)
        + bucket-b/
        + bucket-b/x (4 bytes)
    "#]],
    );
}

#[test]
fn what_was_said_about_an_object_comes_back_with_it() {
    let world = world();
    let params = dialog2api::domain::Value::Map(vec![
        ("Bucket".into(), "bucket-a".into()),
        ("Key".into(), "typed".into()),
        ("Body".into(), "text".into()),
        ("ContentType".into(), "text/plain".into()),
        (
            "Metadata".into(),
            dialog2api::domain::Value::Map(vec![("author".into(), "me".into())]),
        ),
    ]);
    block_on(world.call("put_object", &params))
        .unwrap()
        .unwrap();
    let writes = draft(&world, "delete a/typed");
    let done = applied(&*world, &writes);
    let undo = undo(planning(), &writes, &done.steps, Keeping::default());
    assert!(applied(&*world, &undo.plan.writes).is_whole());
    let (operation, params) = crate::plan::lab::read("get a/typed");
    let object = block_on(world.call(operation, &params)).unwrap().unwrap();
    assert_eq!(
        object.get("ContentType").and_then(|v| v.as_str()),
        Some("text/plain")
    );
    assert!(format!("{:?}", object.get("Metadata")).contains("me"));
}

#[test]
fn what_was_changed_since_is_not_overwritten() {
    check(
        "put a/x mine",
        "put a/x theirs",
        expect![[r#"
        PlanOutdated: Nothing was changed: bucket-a/x has changed since this was planned.
        + bucket-a/
        + bucket-a/dir/z (5 bytes)
        + bucket-a/x (6 bytes)
        + bucket-a/y (3 bytes)
        + bucket-b/
        + bucket-b/x (4 bytes)
    "#]],
    );
    check(
        "put a/new mine",
        "put a/new theirs",
        expect![[r#"
        PlanOutdated: Nothing was changed: bucket-a/new has changed since this was planned.
        + bucket-a/
        + bucket-a/dir/z (5 bytes)
        + bucket-a/new (6 bytes)
        + bucket-a/x (3 bytes)
        + bucket-a/y (3 bytes)
        + bucket-b/
        + bucket-b/x (4 bytes)
    "#]],
    );
}

#[test]
fn an_undo_can_be_undone() {
    let world = world();
    let writes = draft(&world, CALLS);
    let done = applied(&*world, &writes);
    let after = signature(&*world);
    let back = undo(planning(), &writes, &done.steps, Keeping::default());
    let undone = applied(&*world, &back.plan.writes);
    let again = undo(
        planning(),
        &back.plan.writes,
        &undone.steps,
        Keeping::default(),
    );
    assert!(applied(&*world, &again.plan.writes).is_whole());
    assert_eq!(signature(&*world), after);
}

#[test]
fn half_an_apply_is_undone_by_half() {
    let world = world();
    let before = signature(&*world);
    let writes = draft(&world, CALLS);
    let done = applied(&*world, writes.get(..4).unwrap());
    let back = undo(planning(), &writes, &done.steps, Keeping::default());
    assert!(applied(&*world, &back.plan.writes).is_whole());
    assert_eq!(signature(&*world), before);
}

#[test]
fn what_was_too_large_to_keep_is_lost_and_said_to_be() {
    let world = world();
    let keeping = Keeping {
        most_bytes: 3,
        most_bytes_in_all: 100,
    };
    let writes = draft(&world, "delete a/x; delete a/dir/z");
    let mut apply = crate::plan::lab::apply(&*world, &writes);
    apply.keeping = keeping;
    let done = block_on(apply.run(&mut dialog2api::plan::Unrecorded, &mut |_| ()));
    let back = undo(planning(), &writes, &done.steps, keeping);
    let lost: Vec<String> = (back.lost.iter())
        .map(|(place, why)| format!("{place}: {why}"))
        .collect();
    expect!["bucket-a/dir/z: it has 5 bytes, and up to 3 are kept"].assert_eq(&lost.join("\n"));
    assert_eq!(back.plan.writes.len(), 1);
}

/// A move is taken back by its copy, however large the content is.
#[test]
fn what_is_moved_comes_back_whatever_its_size() {
    let keeping = Keeping {
        most_bytes: 2,
        most_bytes_in_all: 2,
    };
    for (calls, lasting) in [
        ("copy a/x a/moved; delete a/x", &[][..]),
        (
            "copy a/x a/moved; delete a/x; copy a/moved b/again; delete a/moved",
            &["bucket-a/x"],
        ),
        (
            "copy a/x a/moved; delete a/x; put a/moved other",
            &["bucket-a/x"],
        ),
        ("copy a/x b/x; delete a/x", &["bucket-b/x"]),
        ("put a/x o; copy a/x a/moved; delete a/x", &["bucket-a/x"]),
        ("delete a/x", &["bucket-a/x"]),
    ] {
        let world = world();
        let before = content(&*world);
        let plan = crate::plan::lab::plan(&world, calls, keeping);
        let named: Vec<String> = plan.lasting.iter().map(|(it, _)| it.to_string()).collect();
        assert_eq!(named, lasting, "{calls}");
        let mut apply = crate::plan::lab::apply(&*world, &plan.writes);
        apply.keeping = keeping;
        let done = block_on(apply.run(&mut dialog2api::plan::Unrecorded, &mut |_| ()));
        assert!(done.is_whole(), "{}", end(&done, plan.writes.len()));
        let undo = undo(planning(), &plan.writes, &done.steps, keeping);
        let lost: Vec<String> = undo.lost.iter().map(|(it, _)| it.to_string()).collect();
        assert_eq!(lost, lasting, "{calls}");
        let back = applied(&*world, &undo.plan.writes);
        assert!(back.is_whole(), "{}", end(&back, undo.plan.writes.len()));
        assert_eq!(content(&*world) == before, lasting.is_empty(), "{calls}");
    }
}
