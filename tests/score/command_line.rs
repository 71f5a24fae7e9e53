//! `dialog2api score` and `eval compare` as users meet them.

use crate::score::logs::{run_of, turns};
use crate::score::whole;
use dialog2api::eval::log::{Run, TurnLog};
use dialog2api::llm::{Message, Role};
use expect_test::{Expect, expect};
use std::path::Path;
use tempfile::TempDir;

/// A small log with most of what there can be.
const LOG: &str = "
    a 1  draft:S0 code: s3.delete_object(Bucket=?1, Key='k') | draft:S0
    a 1  run:S1:x code: s3.delete_object(Bucket='b', Key='k') | run:S2:x
    b 1  run:S1:x | run:S1:x
    c 1  run:S1:x | fail:provider:S0
    ";

fn write(folder: &Path, run: &Run, log: &[TurnLog]) {
    std::fs::create_dir_all(folder).unwrap();
    let json = serde_json::to_string_pretty(run).unwrap();
    std::fs::write(folder.join("run.json"), json).unwrap();
    let lines = log
        .iter()
        .map(|turn| serde_json::to_string(turn).unwrap() + "\n");
    std::fs::write(folder.join("log.jsonl"), lines.collect::<String>()).unwrap();
}

/// Folders with the run `LOG` in `a` and `b`.
fn home() -> TempDir {
    let home = tempfile::tempdir().unwrap();
    let log = turns(LOG);
    for name in ["a", "b"] {
        write(&home.path().join(name), &run_of(&log), &log);
    }
    home
}

/// Runs the command there: what it prints, and its exit code.
fn seen(home: &TempDir, words: &str) -> String {
    let output = crate::support::command::dialog2api()
        .args(words.split_whitespace())
        .current_dir(home.path())
        .output()
        .expect("it starts");
    let mut text = String::from_utf8(output.stdout).unwrap();
    text.push_str(&String::from_utf8(output.stderr).unwrap());
    format!("{text}-- exit {}\n", output.status.code().unwrap_or(-1))
}

fn check(home: &TempDir, words: &str, expected: Expect) {
    expected.assert_eq(&seen(home, words));
}

#[test]
fn the_figures_stand_beside_those_of_the_paper() {
    check(
        &home(),
        "score a",
        expect![[r#"
            test:model · end to end · setting (c), K 5, α 1, bm25 · 3 dialogues × 1 epoch
            2 of 3 dialogues finished and scored, 3 turns
            1 cut short by failures that are not the model's, and not scored; the first: c, turn 1: the model did not answer

                                                 EMR %    BLEU  code edits
            this run (c)                          75.0     0.0           –
            paper: Codex Davinci (c)              33.0    29.5        13.2
            paper: Bloom 176B (c)                  4.4    10.9        27.6
            paper: GPT-NeoX 20B (c)                2.6    13.1        23.5
            The paper's figures are of a dataset of its own, which was never found in public.

                                                         95 % interval
            EMR, %                                75.0   50.0 to 100.0
            dialogues with EMR = 1, %             50.0   0.0 to 100.0
            turn match, %                         66.7   50.0 to 100.0
            state-only EMR, %                     75.0   50.0 to 100.0
            EMR over executing turns, %           50.0   0.0 to 100.0
            BLEU of responses                      0.0   0.0 to 0.0
            had no dialogue been cut short, EMR would be between 50.0 and 83.3 %
            doing nothing is right in 33.3 % of the turns, and its EMR is 25.0 %

            Wrong turns                          first     all
            wrong state                              1       1
            none wrong                               1

            By position, %                       turns   match    kept
            turn 1                                   2   100.0   100.0
            turn 2                                   1     0.0     0.0

            By operation, %                      turns   match    kept
            delete_object                            1     0.0     0.0
            list_objects                             1   100.0   100.0

            By complexity, %                     turns   match    kept
            missing information                      1   100.0   100.0

            4 requests, 400 tokens read (200 cached), 40 written; 1 answer not usable, 0 turns mended
            -- exit 0
        "#]],
    );
}

#[test]
fn json_has_the_emr_on_top_and_the_same_bytes_every_time() {
    let home = home();
    let text = seen(&home, "score a --json");
    assert_eq!(text, seen(&home, "score a --json"));
    let json = text.split("-- exit").next().unwrap();
    let json: serde_json::Value = serde_json::from_str(json).unwrap();
    assert_eq!(json["emr"], 0.75);
    assert_eq!(json["definitions"], 1);
    let names = json["metrics"].as_array().unwrap().iter();
    let names: Vec<&str> = names
        .map(|metric| metric["name"].as_str().unwrap())
        .collect();
    assert_eq!(names[..2], ["emr", "complete"]);
    assert_eq!(json["coverage"]["cut_short"][0]["dialogue"], "c");
    assert_eq!(json["errors"]["first"]["wrong_state"], 1);
}

#[test]
fn two_runs_stand_beside_each_other() {
    let home = home();
    let mut log = turns(LOG);
    log[1].signature = log[1].truth_signature.clone();
    log[1].state = log[1].truth_state.clone();
    let mut run = run_of(&log);
    run.model = "test:better".to_owned();
    write(&home.path().join("b"), &run, &log);
    check(
        &home,
        "eval compare a b",
        expect![[r#"
        A test:model · end to end · setting (c), K 5, α 1, bm25 · 3 dialogues × 1 epoch
          2 of 3 dialogues finished
        B test:better · end to end · setting (c), K 5, α 1, bm25 · 3 dialogues × 1 epoch
          2 of 3 dialogues finished
          model: test:model / test:better
        2 dialogues finished in both

                                                 A       B   B - A   95 % interval     p
        EMR, %                                75.0   100.0   +25.0   +0.0 to +50.0     0.4956
        dialogues with EMR = 1, %             50.0   100.0   +50.0   +0.0 to +100.0    0.4956
        turn match, %                         66.7   100.0   +33.3   +0.0 to +50.0     0.4956
        state-only EMR, %                     75.0   100.0   +25.0   +0.0 to +50.0     0.4956
        EMR over executing turns, %           50.0   100.0   +50.0   +0.0 to +100.0    0.4956
        BLEU of responses                      0.0     0.0    +0.0   +0.0 to +0.0      1.0000
        -- exit 0
    "#]],
    );
    let json = seen(&home, "eval compare a b --json");
    let json: serde_json::Value =
        serde_json::from_str(json.split("-- exit").next().unwrap()).unwrap();
    assert_eq!(json["metrics"][0]["difference"], 0.25);
}

#[test]
fn other_datasets_are_not_compared() {
    let home = home();
    let log = turns(LOG);
    let mut run = run_of(&log);
    run.dataset.digest = "d2".to_owned();
    write(&home.path().join("b"), &run, &log);
    check(
        &home,
        "eval compare a b",
        expect![[r#"
        error: a and b: the two runs did not answer the same questions: their datasets (by their digests) are d1 and d2
        -- exit 2
    "#]],
    );
}

#[test]
fn a_log_that_is_cut_off_is_no_log() {
    let home = home();
    let path = home.path().join("a/log.jsonl");
    let text = std::fs::read_to_string(&path).unwrap();
    // In the middle of a character.
    let cut = [&text.as_bytes()[..text.len() - 100], b"\xc3"].concat();
    std::fs::write(&path, cut).unwrap();
    check(
        &home,
        "score a",
        expect![[r#"
        error: a/log.jsonl: line 4, the last one, is cut off: finish the run with `dialog2api eval --resume`, or score what is finished with --partial
        -- exit 1
    "#]],
    );
    let partial = seen(&home, "score a --partial");
    assert!(partial.contains("PARTIAL"), "{partial}");
    assert!(partial.contains("2 of 3 dialogues finished"), "{partial}");

    std::fs::write(&path, text.replace("\"epoch\":1", "\"epoch\":\"one\"")).unwrap();
    check(
        &home,
        "score a --partial",
        expect![[r#"
            error: a/log.jsonl: line 1 is no turn of a log: invalid type: string "one", expected u32, column 14
            -- exit 1
        "#]],
    );

    // A disk that was full, or a machine that stopped: the last line has an end, and no turn.
    std::fs::write(&path, format!("{text}\0\0\n")).unwrap();
    check(
        &home,
        "score a",
        expect![[r#"
        error: a/log.jsonl: line 5, the last one, is cut off: finish the run with `dialog2api eval --resume`, or score what is finished with --partial
        -- exit 1
    "#]],
    );

    // Whole lines are missing.
    let whole: Vec<&str> = text.lines().collect();
    std::fs::write(&path, format!("{}\n", whole[0])).unwrap();
    check(
        &home,
        "score a",
        expect![[r#"
        error: a: the log is not complete: missing are 2 of 3 dialogues; a, epoch 1: turn 2; finish the run with `dialog2api eval --resume`, or score what is finished with --partial
        -- exit 1
    "#]],
    );
}

#[test]
fn a_folder_that_is_no_run_is_named() {
    let home = home();
    let run = home.path().join("a/run.json");
    let text = std::fs::read_to_string(&run).unwrap();
    std::fs::write(&run, text.replace("\"version\": 1", "\"version\": 99")).unwrap();
    check(
        &home,
        "score a",
        expect![[r#"
            error: a/run.json: is of version 99 of the log, and this dialog2api reads 1; use the one that wrote it (0.1.0), or run it again
            -- exit 1
        "#]],
    );
    std::fs::write(&run, "{}").unwrap();
    check(
        &home,
        "score a",
        expect![[r#"
            error: a/run.json: does not say what ran: it has no version of a log
            -- exit 1
        "#]],
    );
    std::fs::write(&run, "nothing").unwrap();
    check(
        &home,
        "score a",
        expect![[r#"
            error: a/run.json: does not say what ran: expected ident at line 1 column 2
            -- exit 1
        "#]],
    );
    std::fs::remove_file(&run).unwrap();
    check(
        &home,
        "score a",
        expect![[r#"
            error: a: is no run: it has no run.json. `dialog2api eval --out DIR` makes one
            -- exit 1
        "#]],
    );
    std::fs::remove_file(home.path().join("b/log.jsonl")).unwrap();
    check(
        &home,
        "score b",
        expect![[r#"
            error: b: has run.json and no log.jsonl: nothing ran yet; `dialog2api eval … --resume` begins
            -- exit 1
        "#]],
    );
}

#[test]
fn a_run_without_a_finished_dialogue_has_no_figures() {
    let home = home();
    let log = turns("a 1  run:S1:x | fail:provider:S0");
    write(&home.path().join("a"), &run_of(&log), &log);
    check(
        &home,
        "score a --json",
        expect![[r#"
        error: a: no dialogue is finished, so that there is nothing to score; the first that ended did so because the model did not answer
        -- exit 1
    "#]],
    );
}

#[test]
fn the_truth_of_the_dataset_scores_one() {
    let home = home();
    let (run, log) = whole::truth(1);
    write(&home.path().join("a"), &run, &log);
    let json = seen(&home, "score a --json");
    assert!(json.starts_with("{\n  \"emr\": 1.0,"), "{}", &json[..100]);
}

#[test]
fn figures_of_cut_prompts_say_so() {
    let home = home();
    let mut log = turns(LOG);
    // 10,000 letters are more than 1,000 tokens, and may be 1,250.
    for (turn, tokens) in [(0, 1000), (1, 1250)] {
        let exchange = &mut log[turn].exchanges[0];
        exchange.usage.prompt_tokens = tokens;
        exchange.request.messages = vec![Message {
            role: Role::User,
            content: "word ".repeat(2000),
        }];
    }
    write(&home.path().join("a"), &run_of(&log), &log);
    let text = seen(&home, "score a");
    let told =
        "\nCUT: in 1 turn the model's server read only a part of a prompt, without an error.\n";
    assert!(text.contains(told), "{text}");
    let json = seen(&home, "score a --json");
    assert!(json.contains("\"cut_prompts\": 1"), "{json}");
}
