//! Folders that are no runs, or not whole.

use crate::eval::lab::{Fake, Lab, folder};
use dialog2api::eval::read::{read, same_dialogues};
use expect_test::{Expect, expect};
use std::fs;
use std::path::Path;
use std::sync::Arc;

async fn whole() -> (tempfile::TempDir, std::path::PathBuf) {
    let (home, folder) = folder();
    let model = Arc::new(Fake::default());
    Lab::asking(&model).run(&folder, false).await.unwrap();
    (home, folder)
}

fn said(home: &Path, folder: &Path) -> String {
    let said = match read(folder) {
        Ok(recorded) => recorded.completeness.to_string(),
        Err(error) => format!("error: {error}"),
    };
    said.replace(&home.display().to_string(), "HOME")
}

/// Changes a file of a run that is whole, and compares what is said of the run then.
async fn check(changes: &[(&str, &dyn Fn(String) -> String)], expected: Expect) {
    let mut seen = String::new();
    let (home, folder) = whole().await;
    for (name, change) in changes {
        let path = folder.join(name);
        let before = fs::read_to_string(&path).unwrap();
        fs::write(&path, change(before.clone())).unwrap();
        seen.push_str(&said(home.path(), &folder));
        seen.push('\n');
        fs::write(&path, before).unwrap();
    }
    expected.assert_eq(&seen);
}

#[tokio::test]
async fn what_is_missing_is_never_passed_over() {
    check(
        &[
            ("log.jsonl", &|log| log),
            ("log.jsonl", &|_| String::new()),
            ("log.jsonl", &|log| log[..log.len() - 1].to_owned()),
            ("log.jsonl", &|log| format!("{log}{{\"epoch\":1,")),
            ("log.jsonl", &|log| format!("{log}\0\0\0\n")),
            ("log.jsonl", &|log| without(&log, 1)),
            ("log.jsonl", &|log| without(&log, 7)),
        ],
        expect![[r#"
            all 4 dialogues are finished (8 turns)
            0 of 4 dialogues are finished (0 turns are there); 4 were not begun; `dialog2api eval … --resume` goes on
            3 of 4 dialogues are finished (7 turns are there); 1 was not begun; line 8 of the log is cut off and was left out; `dialog2api eval … --resume` goes on
            4 of 4 dialogues are finished (8 turns are there); line 9 of the log is cut off and was left out; `dialog2api eval … --resume` goes on
            4 of 4 dialogues are finished (8 turns are there); line 9 of the log is cut off and was left out; `dialog2api eval … --resume` goes on
            3 of 4 dialogues are finished (7 turns are there); 1 was interrupted; `dialog2api eval … --resume` goes on
            3 of 4 dialogues are finished (7 turns are there); 1 was not begun; `dialog2api eval … --resume` goes on
        "#]],
    )
    .await;
}

#[tokio::test]
async fn what_is_wrong_is_named() {
    check(
        &[
            ("log.jsonl", &|log| log.replacen('{', "", 1)),
            ("log.jsonl", &|log| {
                format!("{}\n{log}", log.lines().next().unwrap())
            }),
            ("log.jsonl", &|log| {
                log.replacen("\"epoch\":1", "\"epoch\":2", 1)
            }),
            ("log.jsonl", &|log| {
                log.replacen("\"turn\":1", "\"turn\":9", 1)
            }),
            ("run.json", &|run| {
                run.replacen("\"version\": 1", "\"version\": 2", 1)
            }),
            ("run.json", &|run| {
                run.replacen("\"version\"", "\"verse\"", 1)
            }),
            ("run.json", &|run| run.replacen("\"mode\"", "\"mood\"", 1)),
            ("run.json", &|run| {
                run.replacen("\"dialogues\": 4", "\"dialogues\": 3", 1)
            }),
            ("run.json", &|_| "[".to_owned()),
        ],
        expect![[r#"
            error: HOME/run/log.jsonl: line 1 is no turn of a log: invalid type: string "epoch", expected struct TurnLog, column 7
            error: HOME/run/log.jsonl: has turn 1 of dialogue "create-1" twice (epoch 1); one of them is of another run
            error: HOME/run/log.jsonl: has epoch 2 of dialogue "create-1", and run.json says 1 epoch; it is the log of another run
            error: HOME/run/log.jsonl: has turn 9 of dialogue "create-1", which has 3 turns
            error: HOME/run/run.json: is of version 2 of the log, and this dialog2api reads 1; use the one that wrote it (0.1.0), or run it again
            error: HOME/run/run.json: does not say what ran: it has no version of a log
            error: HOME/run/run.json: does not say what ran: unknown field `mood`, expected one of `version`, `dialog2api`, `revision`, `signature`, `domain`, `model`, `mode`, `dataset`, `settings`, `epochs`, `shard`
            error: HOME/run/log.jsonl: has more dialogues than the 3 that run.json says; it is the log of another run
            error: HOME/run/run.json: does not say what ran: EOF while parsing a list at line 1 column 1
        "#]],
    )
    .await;
}

fn without(log: &str, line: usize) -> String {
    let lines = log.split_inclusive('\n').enumerate();
    lines
        .filter(|(index, _)| *index != line)
        .map(|(_, text)| text)
        .collect()
}

#[tokio::test]
async fn a_file_that_is_not_there_is_named() {
    let (home, folder) = whole().await;
    let mut seen = String::new();
    for name in ["log.jsonl", "run.json"] {
        fs::remove_file(folder.join(name)).unwrap();
        seen.push_str(&said(home.path(), &folder));
        seen.push('\n');
    }
    expect![[r#"
        error: HOME/run: has run.json and no log.jsonl: nothing ran yet; `dialog2api eval … --resume` begins
        error: HOME/run: is no run: it has no run.json. `dialog2api eval --out DIR` makes one
    "#]].assert_eq(&seen);
}

#[tokio::test]
async fn runs_on_other_dialogues_are_not_the_same() {
    let (_home, folder) = whole().await;
    let run = read(&folder).unwrap().run;
    let mut other = run.clone();
    other.model = "another".to_owned();
    other.settings.k = 3;
    assert_eq!(same_dialogues(&run, &other), Ok(()));
    other.dataset.dialogues = 3;
    other.signature = 2;
    expect!["the runs are not about the same dialogues: dataset.dialogues is 4 there and 3 here; signature is 1 there and 2 here"].assert_eq(&same_dialogues(&run, &other).unwrap_err());
}
