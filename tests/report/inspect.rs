//! Exports as inspect_ai reads them.

use super::logs;
use super::page::hostile;
use crate::support::tools::{INSPECT, needs};
use dialog2api::eval::read::RunLog;
use expect_test::{Expect, expect};
use std::path::Path;
use std::process::{Command, Output};

/// Exports a log with the command, and lets the real package read it.
fn check(log: &RunLog, more: &[&str], expected: Expect) {
    let folder = tempfile::tempdir().expect("a folder");
    let (run, file) = (
        folder.path().join("run"),
        folder.path().join("inspect.json"),
    );
    logs::write(&run, log);
    let output = Command::new(env!("CARGO_BIN_EXE_dialog2api"))
        .args(["eval", "export", "--format", "inspect", "--quiet"])
        .arg(&run)
        .arg("-o")
        .arg(&file)
        .args(more)
        .output()
        .expect("it starts");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let output = python(&file, folder.path());
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}");
    expected.assert_eq(&String::from_utf8_lossy(&output.stdout));
}

fn python(file: &Path, home: &Path) -> Output {
    INSPECT
        .python()
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/report/read_inspect.py"))
        .arg(file)
        .env("HOME", home)
        .env("XDG_DATA_HOME", home)
        .output()
        .expect("Python starts")
}

#[tokio::test]
async fn inspect_reads_a_run() {
    needs!(INSPECT);
    let log = logs::log("openai:small", 'c', logs::mistakes).await;
    check(
        &log,
        &[],
        expect![[r#"
        version 2, success: 'dialog2api-s3' on s3/test
        model 'openai:small', 12 samples, plan dialog2api/end-to-end
        emr: mean 0.555, low 0.384, high 0.729; of 12 samples
        complete: mean 0.250, low 0.000, high 0.500; of 12 samples
        turn_match: mean 0.564, low 0.400, high 0.740; of 12 samples
        state_emr: mean 0.699, low 0.502, high 0.883; of 12 samples
        assets-by-type-1, 4 turns, 16800 tokens: 'every turn is right'
        assets-by-type-2, 4 turns, 16800 tokens: 'turn 2 is wrong: wrong state'
        buckets-matching-1, 5 turns, 21000 tokens: 'turn 2 is wrong: executed too early'
    "#]],
    );
}

/// With a dialogue that its provider did not finish.
#[tokio::test]
async fn inspect_reads_whatever_texts_there_are() {
    needs!(INSPECT);
    check(
        &hostile().await,
        &[],
        expect![[r#"
        version 2, cancelled: 'dialog2api-s3' on s3/test
        model '</script><script>alert(1)</script>"\'><img src=x onerror=alert(2)><!--]]>{{ 7*7 }}{% raw %}&lt;\u202e\u2066\x1b[31m\x00\u2028', 12 samples, plan dialog2api/end-to-end
        emr: mean 0.551, low 0.368, high 0.745; of 11 samples
        complete: mean 0.273, low 0.000, high 0.545; of 11 samples
        turn_match: mean 0.560, low 0.382, high 0.761; of 11 samples
        state_emr: mean 0.690, low 0.477, high 0.891; of 11 samples
        assets-by-type-1, 4 turns, 16800 tokens: 'every turn is right'
        assets-by-type-2, 4 turns, 16800 tokens: 'turn 2 is wrong: wrong state'
        buckets-matching-1, 5 turns, 21000 tokens: 'turn 2 is wrong: executed too early'
        copy-album-1, 5 turns, 21000 tokens: '</script><script>alert(1)</script>"\'><img src=x onerror=alert(2)><!--]]>{{ 7*7 }}{% raw %}&lt;\u202e\u2066\x1b[31m\x00\u2028'
    "#]],
    );
}
