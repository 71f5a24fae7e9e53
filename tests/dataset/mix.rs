//! `datasets/s3/training/mix.py`: the lessons of the last try are made again from exports.

use crate::support::command;
use crate::support::tools::{PYTHON, needs};
use expect_test::{Expect, expect};
use std::fs;
use std::path::Path;

/// Makes a mix of these lessons in a folder, and checks what is said of it.
fn check(folder: &Path, lessons: &str, out: &str, expected: Expect) {
    let training = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/s3/training");
    let output = (PYTHON.python().current_dir(folder))
        .arg(training.join("mix.py"))
        .arg(training.join("../../s3-lessons"))
        .args(["--lessons", lessons, "--generated", "lessons.jsonl"])
        .args(["--all", "s3.jsonl", "s3-manage.jsonl", "--out", out])
        .output()
        .expect("Python starts");
    let told = [output.stdout, output.stderr].concat();
    let told = String::from_utf8_lossy(&told);
    let root = training.join("../../s3-lessons").display().to_string();
    expected.assert_eq(&told.replace(&root, "datasets/s3-lessons"));
}

#[test]
fn the_last_mix_is_made_again() {
    needs!(PYTHON);
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    for (dataset, file) in [
        ("s3-lessons", "lessons.jsonl"),
        ("s3", "s3.jsonl"),
        ("s3-manage", "s3-manage.jsonl"),
    ] {
        let output = (command::dialog2api().current_dir(env!("CARGO_MANIFEST_DIR")))
            .args(["dataset", "export", "--format", "trained"])
            .arg(format!("datasets/{dataset}"))
            .arg("--output")
            .arg(path(file))
            .output()
            .expect("the program starts");
        assert!(output.status.success(), "{output:?}");
    }
    // Written lessons stand in for generated ones, which take minutes to make.
    for out in ["mix.jsonl", "again.jsonl"] {
        check(
            folder.path(),
            "lessons.jsonl",
            out,
            expect![[r#"
                1506 lessons: 570 new, 700 older, 150 generated, 86 other
            "#]],
        );
    }
    let read = |name: &str| fs::read(path(name)).expect("a mix");
    assert_eq!(read("mix.jsonl"), read("again.jsonl"));
    let lessons = fs::read_to_string(path("lessons.jsonl")).expect("lessons");
    let turned: Vec<&str> = lessons.lines().rev().collect();
    fs::write(path("turned.jsonl"), turned.join("\n")).expect("it is written");
    check(
        folder.path(),
        "turned.jsonl",
        "other.jsonl",
        expect![[r#"
            datasets/s3-lessons/train/account-clean-some-1.xml is not the lesson at its place in the export: export it again
        "#]],
    );
    check(
        folder.path(),
        "s3.jsonl",
        "other.jsonl",
        expect![[r#"
            datasets/s3-lessons has 5094 lessons, and its export 46: export it again
        "#]],
    );
}
