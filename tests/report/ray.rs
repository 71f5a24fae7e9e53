//! Shards of a run as tasks of a local Ray cluster: `evaluate(…, ray=True)` of the Python package.

use crate::support::tools::{RAY, needs};
use std::path::Path;
use std::process::Command;

/// The program, in a home of its own and with the sandbox of all tests.
fn with_home(mut command: Command, home: &Path) -> Command {
    command
        .env("HOME", home)
        .env("DIALOG2API_CACHE_DIR", env!("CARGO_TARGET_TMPDIR"))
        .env("RAY_AUTH_MODE", "disabled")
        .env_remove("RAY_ADDRESS")
        .env("PYTHONPATH", concat!(env!("CARGO_MANIFEST_DIR"), "/python"))
        .env("DIALOG2API_BIN", env!("CARGO_BIN_EXE_dialog2api"))
        .current_dir(env!("CARGO_MANIFEST_DIR"));
    command
}

#[tokio::test]
async fn four_ray_tasks_and_one_process_write_the_same_bytes() {
    needs!(RAY);
    crate::support::sandbox().await;
    let folder = tempfile::tempdir().expect("a folder");
    let dialog2api = env!("CARGO_BIN_EXE_dialog2api");
    let output = with_home(Command::new(RAY.path()), folder.path())
        .arg("-c")
        .arg(
            "import dialog2api, sys\n\
             run = dialog2api.evaluate('ground-truth', limit=10, ray=True, shards=4, out=sys.argv[1])\n\
             print(run.emr, run.unfinished)",
        )
        .arg(folder.path().join("merged"))
        .output()
        .expect("Python starts");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "1.0 []\n");
    for shard in 1..=4 {
        let log = format!("merged.shards/{shard}/log.jsonl");
        assert!(folder.path().join(log).is_file());
    }

    let output = with_home(Command::new(dialog2api), folder.path())
        .args(["eval", "--model", "ground-truth", "--limit", "10", "--out"])
        .arg(folder.path().join("alone"))
        .output()
        .expect("it starts");
    assert!(output.status.success());
    let read = |run: &str, file: &str| {
        std::fs::read_to_string(folder.path().join(run).join(file)).expect("a file")
    };
    for file in ["run.json", "log.jsonl"] {
        assert!(
            read("alone", file) == read("merged", file),
            "{file} differs"
        );
    }
    let run: serde_json::Value = serde_json::from_str(&read("merged", "run.json")).expect("JSON");
    assert_eq!(run["dataset"]["dialogues"], 10);
}
