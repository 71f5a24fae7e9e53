//! `dialog2api eval report` as users meet it.

use super::logs;
use std::path::Path;
use std::process::{Command, Output};

fn dialog2api(folder: &Path, words: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_dialog2api"))
        .env_clear()
        .env("HOME", folder)
        .env("DIALOG2API_CACHE_DIR", env!("CARGO_TARGET_TMPDIR"))
        .current_dir(folder)
        .args(words.split_whitespace())
        .output()
        .expect("it starts")
}

/// Standard error of a command that fails.
fn refused(folder: &Path, words: &str) -> String {
    let output = dialog2api(folder, words);
    assert!(!output.status.success());
    String::from_utf8(output.stderr).expect("text")
}

#[tokio::test]
async fn a_report_is_written_and_says_where_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    logs::write(
        &folder.join("a"),
        &logs::log("m", 'c', logs::mistakes).await,
    );
    logs::write(
        &folder.join("b"),
        &logs::log("m", 'b', logs::mistakes).await,
    );
    let output = dialog2api(folder, "eval report a b -o page.html --no-states");
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        "2 runs in page.html\n"
    );
    let html = std::fs::read_to_string(folder.join("page.html")).expect("a page");
    assert!(html.contains("left out (--no-states)"));
    // The same logs, the same bytes.
    dialog2api(folder, "eval report a b -o again.html --no-states");
    assert_eq!(
        html,
        std::fs::read_to_string(folder.join("again.html")).expect("a page")
    );
    // Programs run again where the sandbox is there.
    let output = dialog2api(folder, "eval report a");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let html = std::fs::read_to_string(folder.join("report.html")).expect("a page");
    assert!(html.contains("From the true world to the predicted one"));

    let output = dialog2api(folder, "eval report a b --format csv");
    let text = String::from_utf8(output.stdout).expect("text");
    assert_eq!(text.lines().count(), 1 + 2 + 9);
    let output = dialog2api(folder, "eval report a --format json");
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(json["runs"][0]["label"], "m (c)");
}

#[tokio::test]
async fn a_log_that_is_not_whole_is_refused_by_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let mut log = logs::log("m", 'c', logs::mistakes).await;
    log.turns.pop();
    logs::write(&folder.join("a"), &log);
    let said = refused(folder, "eval report a");
    assert!(
        said.contains("the log is not complete") && said.contains("--partial"),
        "{said}"
    );
    assert!(!folder.join("report.html").exists());
    let said = refused(folder, "eval export a -o a.json");
    assert!(said.contains("--partial"), "{said}");
    let output = dialog2api(folder, "eval report a --partial --no-states");
    assert!(output.status.success());
    let html = std::fs::read_to_string(folder.join("report.html")).expect("a page");
    assert!(html.contains("11 of 12 dialogues scored"));

    let said = refused(folder, "eval report nowhere");
    assert!(
        said.contains("nowhere: is no run: it has no run.json"),
        "{said}"
    );
    log.run.version = 7;
    logs::write(&folder.join("b"), &log);
    let said = refused(folder, "eval report a b --partial");
    assert!(
        said.contains("b/run.json") && said.contains("version 7"),
        "{said}"
    );
}
