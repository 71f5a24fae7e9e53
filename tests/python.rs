//! The Python package in `python/`: its own tests, and the page that shows it.

use crate::support::tools::{PYTHON, needs};
use std::path::Path;
use std::process::Command;

mod lines;

/// A Python that finds the package and this program, in a home of its own.
fn python(home: &Path) -> Command {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut command = Command::new(PYTHON.path());
    command
        .env("PYTHONPATH", root.join("python"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("PYTHONNOUSERSITE", "1")
        .env("DIALOG2API_BIN", env!("CARGO_BIN_EXE_dialog2api"))
        .env("DIALOG2API_CACHE_DIR", env!("CARGO_TARGET_TMPDIR"))
        .env("HOME", home)
        .env("TMPDIR", home)
        .current_dir(root);
    command
}

fn run(mut command: Command) -> String {
    let output = command.output().expect("Python starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    String::from_utf8(output.stdout).expect("text")
}

#[tokio::test]
async fn the_package_does_what_its_tests_say() {
    needs!(PYTHON);
    crate::support::sandbox().await;
    let home = tempfile::tempdir().expect("a folder");
    let mut command = python(home.path());
    command.args(["-W", "error", "tests/python/test_package.py"]);
    run(command);
}

#[test]
fn games_are_played_from_python_and_by_the_adapters_on_their_page() {
    needs!(PYTHON);
    let home = tempfile::tempdir().expect("a folder");
    let mut command = python(home.path());
    command.args(["-W", "error", "tests/python/test_games.py"]);
    run(command);
}

/// The blocks of a page that begin so, in order.
fn blocks(page: &str, language: &str) -> Vec<String> {
    let fence = format!("```{language}\n");
    let blocks = page.split(&fence).skip(1);
    let text = |block: &str| block.split_once("```").expect("an end").0.to_owned();
    blocks.map(text).collect()
}

#[tokio::test]
async fn the_page_prints_what_it_says() {
    needs!(PYTHON);
    crate::support::sandbox().await;
    let page = include_str!("../src/documentation/notebook.md");
    let home = tempfile::tempdir().expect("a folder");
    let mut command = python(home.path());
    command.args(["-c", &blocks(page, "python").join("\n")]);
    let printed = run(command);
    let expected = blocks(page, "text").concat();
    assert_eq!(printed, expected);
}
