//! Random calls: what is applied is what was planned, and undo takes it back.

use crate::plan::lab::{
    applied, at_window, block_on, call_all, draft, end, planning, signature, world,
};
use dialog2api::plan::{Keeping, undo};
use proptest::prelude::*;

/// A call on few names, so that calls meet.
fn call() -> impl Strategy<Value = String> {
    let bucket = prop::sample::select(vec!["a", "b", "c"]);
    let key = prop::sample::select(vec!["x", "y", "dir/z", "new"]);
    let path = (bucket.clone(), key.clone()).prop_map(|(bucket, key)| format!("{bucket}/{key}"));
    let text = prop::sample::select(vec!["", "1", "22", "one"]);
    prop_oneof![
        3 => (path.clone(), text).prop_map(|(path, text)| format!("put {path} {text}")),
        3 => (path.clone(), path.clone()).prop_map(|(from, to)| format!("copy {from} {to}")),
        3 => path.prop_map(|path| format!("delete {path}")),
        2 => (bucket.clone(), prop::collection::vec(key, 1..4))
            .prop_map(|(bucket, keys)| format!("delete-all {bucket} {}", keys.join(" "))),
        1 => bucket.clone().prop_map(|bucket| format!("make {bucket}")),
        1 => bucket.prop_map(|bucket| format!("remove {bucket}")),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn what_is_applied_is_what_was_planned_and_undo_takes_it_back(
        calls in prop::collection::vec(call(), 1..12),
        window in prop::sample::select(vec![1, 32]),
    ) {
        let mut outcome = Ok(());
        at_window(window, || outcome = there_and_back(&calls.join("; ")));
        outcome?;
    }
}

fn there_and_back(calls: &str) -> Result<(), TestCaseError> {
    let world = world();
    let before = signature(&*world);
    let direct = world.fork().unwrap();
    block_on(call_all(&*direct, calls));
    let writes = draft(&world, calls);
    prop_assert_eq!(&signature(&*world), &before);
    let done = applied(&*world, &writes);
    prop_assert!(done.is_whole(), "{}", end(&done, writes.len()));
    prop_assert_eq!(signature(&*world), signature(&*direct));
    let back = undo(planning(), &writes, &done.steps, Keeping::default());
    prop_assert!(back.lost.is_empty());
    let undone = applied(&*world, &back.plan.writes);
    prop_assert!(
        undone.is_whole(),
        "{}",
        end(&undone, back.plan.writes.len())
    );
    prop_assert_eq!(signature(&*world), before);
    Ok(())
}
