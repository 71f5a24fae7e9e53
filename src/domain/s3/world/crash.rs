//! A change that is interrupted anywhere is whole at the next opening.

use super::DiskWorld;
use crate::domain::Value;
use crate::domain::s3::clock::Clock;
use std::fs;
use std::path::Path;

fn params(pairs: &[(&'static str, &str)]) -> Value {
    let pairs = pairs
        .iter()
        .map(|(name, value)| ((*name).into(), Value::from(*value)));
    Value::Map(pairs.collect())
}

fn open(root: &Path) -> DiskWorld {
    let start = "2024-01-01T00:00:00Z".parse().expect("a time");
    DiskWorld::open(root, Clock::Steps(start)).expect("a world")
}

/// Everything that a world says about its objects.
fn state(root: &Path) -> String {
    format!("{:?}", open(root).fork().snapshot().state)
}

fn prepare(root: &Path) {
    let world = open(root);
    let setup: &[(&str, &[(&'static str, &str)])] = &[
        ("create_bucket", &[("Bucket", "alpha")]),
        ("create_bucket", &[("Bucket", "beta")]),
        (
            "put_object",
            &[("Bucket", "alpha"), ("Key", "x/y"), ("Body", "old")],
        ),
        (
            "put_object",
            &[("Bucket", "alpha"), ("Key", "x"), ("Body", "blob")],
        ),
    ];
    for (operation, pairs) in setup {
        let answer = world
            .perform(operation, &params(pairs))
            .expect("a working disk");
        assert!(answer.is_ok(), "{answer:?}");
    }
}

#[test]
fn an_interrupted_change_is_finished() {
    let delete = Value::Map(vec![
        ("Bucket".into(), "alpha".into()),
        (
            "Delete".into(),
            Value::Map(vec![(
                "Objects".into(),
                Value::List(vec![params(&[("Key", "x")]), params(&[("Key", "x/y")])]),
            )]),
        ),
    ]);
    let changes = [
        ("create_bucket", params(&[("Bucket", "gamma")])),
        ("delete_bucket", params(&[("Bucket", "beta")])),
        (
            "put_object",
            params(&[("Bucket", "alpha"), ("Key", "x/y"), ("Body", "new")]),
        ),
        (
            "put_object",
            params(&[("Bucket", "alpha"), ("Key", "x"), ("Body", "new")]),
        ),
        (
            "put_object",
            params(&[("Bucket", "alpha"), ("Key", "new/deep/er"), ("Body", "new")]),
        ),
        (
            "copy_object",
            params(&[("Bucket", "beta"), ("Key", "//"), ("CopySource", "alpha/x")]),
        ),
        (
            "delete_object",
            params(&[("Bucket", "alpha"), ("Key", "x/y")]),
        ),
        ("delete_objects", delete),
    ];
    for (operation, params) in changes {
        let finished = tempfile::tempdir().expect("a folder");
        prepare(finished.path());
        let answer = open(finished.path())
            .perform(operation, &params)
            .expect("a working disk");
        assert!(answer.is_ok(), "{answer:?}");
        let expected = state(finished.path());
        for steps in 0.. {
            let folder = tempfile::tempdir().expect("a folder");
            prepare(folder.path());
            let world = open(folder.path());
            let more = world
                .interrupted(operation, &params, steps)
                .expect("a working disk");
            drop(world);
            assert_eq!(state(folder.path()), expected, "{operation}, {steps} steps");
            assert!(!folder.path().join(".dialog2api/journal.json").exists());
            if !more {
                break;
            }
        }
    }
}

#[test]
fn what_was_only_staged_is_dropped() {
    let folder = tempfile::tempdir().expect("a folder");
    prepare(folder.path());
    let before = state(folder.path());
    let staged = folder.path().join(".dialog2api/staged");
    fs::write(staged.join("0"), "half a fi").expect("a file");
    fs::write(staged.join("journal"), "[{\"make_bu").expect("a file");
    assert_eq!(state(folder.path()), before);
    assert_eq!(fs::read_dir(&staged).expect("a folder").count(), 0);
}

#[test]
fn a_journal_from_elsewhere_reaches_nothing_outside() {
    for key in ["../../outside", "/etc/outside", "a/../../../outside"] {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().join("world");
        fs::create_dir(&root).expect("a folder");
        prepare(&root);
        fs::write(root.join(".dialog2api/staged/0"), "x").expect("a file");
        let step = format!(r#"[{{"move_file":{{"staged":"0","bucket":"alpha","key":"{key}"}}}}]"#);
        fs::write(root.join(".dialog2api/journal.json"), step).expect("a file");
        let error = DiskWorld::open(&root, Clock::System)
            .err()
            .map(|error| error.to_string());
        assert!(
            error.is_some_and(|text| text.contains("has no place")),
            "{key}"
        );
    }
}
