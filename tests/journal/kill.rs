//! A process that is killed: every append that had returned is there.

use crate::journal::lab::begin;
use crate::plan::lab::world;
use dialog2api::agent::Decision;
use dialog2api::domain::Value;
use dialog2api::journal::{DecidedBy, Origin, SessionStore, from_json};
use dialog2api::plan::{Keeping, Stop};
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

/// Set for the process that is killed: the folder of its sessions.
const FOLDER: &str = "DIALOG2API_TEST_KILLED_IN";

/// What is killed: appends, and says so after each. Does nothing as a test.
#[test]
fn writer() {
    let Some(folder) = std::env::var_os(FOLDER) else {
        return;
    };
    let store = SessionStore::at(folder);
    let journal = match store.has("it").unwrap() {
        true => store.resume("it").unwrap(),
        false => store.begin(Some("it"), begin()).unwrap(),
    };
    let first = journal.state().plans.len();
    let world = world();
    for number in first.. {
        let text = format!("{number}").repeat(3000);
        let calls = format!("put a/{number} {text}");
        let plan = crate::plan::lab::plan(&world, &calls, Keeping::default());
        journal.said(1, "do it").unwrap();
        let origin = Origin::Program { turn: 1, uid: 1 };
        let id = journal.plan(origin, &plan).unwrap();
        let decision = Decision::Apply(Stop::default());
        journal.decided(id, &decision, DecidedBy::User).unwrap();
        let mut out = std::io::stdout().lock();
        writeln!(out, "\nkept {id}")
            .and_then(|()| out.flush())
            .unwrap();
    }
}

#[test]
fn what_was_kept_is_there_after_kill_9_at_any_moment() {
    let folder = tempfile::tempdir().unwrap();
    let store = SessionStore::at(folder.path());
    let mut kept = 0;
    // A plan that was cut off between its two entries is none of these.
    let mut all_kept = Vec::new();
    for round in 0..50_u64 {
        let mut writer = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "journal::kill::writer", "--nocapture"])
            .env(FOLDER, folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(writer.stdout.take().unwrap()).lines();
        let mut said = |wanted: u64| {
            for line in lines.by_ref().take_while(Result::is_ok).flatten() {
                if let Some(id) = line.strip_prefix("kept ") {
                    kept = id.parse::<u64>().unwrap();
                    all_kept.push(kept);
                    if kept >= wanted {
                        break;
                    }
                }
            }
            kept
        };
        // After so many more, and wherever the process is by then.
        let now = store
            .read("it")
            .map_or(0, |reading| reading.state.plans.len() as u64);
        said(now + 1 + round * 7 % 4);
        writer.kill().unwrap();
        // What it had said and was not read yet.
        let kept = said(u64::MAX);
        writer.wait().unwrap();
        let reading = store.read("it").unwrap();
        let plans = &reading.state.plans;
        assert!(
            plans.len() as u64 >= kept,
            "round {round}: {kept} were kept"
        );
        for id in &all_kept {
            assert!(plans[*id as usize - 1].decided.is_some(), "plan {id}");
        }
        let last = plans.get(kept as usize - 1).unwrap();
        let params = from_json(
            &last.planned.writes[0].params.json().unwrap(),
            &reading.contents,
        )
        .unwrap();
        let body = params.get("Body").unwrap();
        assert!(matches!(body, Value::Bytes(bytes) if bytes.len() >= 3000));
    }
}
