//! Differences between the worlds at the first wrong turn.

use super::{logs, report};
use dialog2api::eval::log::EvalMode;
use dialog2api::eval::read::RunLog;
use dialog2api::eval::report::{ReportWorlds, StateDifference, differences};
use expect_test::{Expect, expect};
use std::path::Path;

/// The differences of a run, a line each.
async fn check(log: RunLog, dataset: &Path, expected: Expect) {
    let report = report(vec![log]);
    let worlds = ReportWorlds {
        replayer: logs::replayer().await,
        dataset: dataset.to_owned(),
    };
    let found = differences(&report, &worlds).await.expect("it can be done");
    let mut text = String::new();
    let folder = dataset.display().to_string();
    for ((_, uid, epoch), difference) in found {
        let said = match difference {
            StateDifference::Lines(lines) if lines.is_empty() => "the same".to_owned(),
            StateDifference::Lines(lines) => lines.join("\n    "),
            StateDifference::Unknown(problem) => {
                format!("? {}", problem.replace(&folder, "DATASET"))
            }
        };
        text.push_str(&format!("{uid}, epoch {epoch}\n    {said}\n"));
    }
    expected.assert_eq(&text);
}

/// The mistakes of one dialogue in two.
async fn some() -> RunLog {
    logs::log("m", 'c', |dialogue, turn, it| {
        if dialogue % 2 == 0 {
            logs::mistakes(dialogue, turn, it);
        }
    })
    .await
}

#[tokio::test]
async fn the_first_wrong_turn_has_its_difference() {
    check(
        some().await,
        &logs::root(),
        expect![[r#"
        buckets-matching-1, epoch 1
            the same
        copy-album-1, epoch 1
            the same
        delete-by-list-1, epoch 1
            + tarn-attic/stray.txt (1 byte)
        delete-dataset-1, epoch 1
            the same
    "#]],
    )
    .await;
}

/// What was drafted counts end to end; with teacher forcing it is the true draft that runs.
#[tokio::test]
async fn the_past_is_whose_the_mode_says() {
    let drafted = || {
        logs::log("m", 'c', |dialogue, turn, it| {
            // `delete-by-list-1`, whose fourth turn runs what its third drafts.
            if dialogue == 8
                && turn == 2
                && let Some(goal) = it.goals.last_mut()
            {
                logs::prefix(goal, logs::STRAY);
            }
        })
    };
    check(
        drafted().await,
        &logs::root(),
        expect![[r#"
        delete-by-list-1, epoch 1
            + tarn-attic/stray.txt (1 byte)
    "#]],
    )
    .await;
    let mut log = drafted().await;
    log.run.mode = EvalMode::TeacherForced;
    check(
        log,
        &logs::root(),
        expect![[r#"
        delete-by-list-1, epoch 1
            ? run again, the predicted programs gave another state than the one in the log
    "#]],
    )
    .await;
}

#[tokio::test]
async fn what_cannot_be_known_is_said() {
    let mut log = some().await;
    for turn in &mut log.turns {
        match turn.truth.dialogue.as_str() {
            // A world that is not there, one that is another, and states of other programs.
            "buckets-matching-1" => turn.truth.world = Some("atlantis".to_owned()),
            "delete-by-list-1" => turn.truth.world = Some("zoology".to_owned()),
            _ => turn.state = "00000000".to_owned(),
        }
    }
    check(log, &logs::root(), expect![[r#"
        buckets-matching-1, epoch 1
            ? the dialogue starts from a world "atlantis", and there is none of that name: neither in DATASET/worlds nor with the program (`dialog2api world list` names those)
        copy-album-1, epoch 1
            ? run again, the predicted programs gave another state than the one in the log
        delete-by-list-1, epoch 1
            ? the world "zoology" is another than the one that the dialogue was written for
        delete-dataset-1, epoch 1
            ? run again, the predicted programs gave another state than the one in the log
    "#]]).await;
}

#[tokio::test]
async fn without_the_dataset_worlds_that_come_with_the_program_do() {
    check(
        some().await,
        Path::new("nowhere"),
        expect![[r#"
        buckets-matching-1, epoch 1
            the same
        copy-album-1, epoch 1
            the same
        delete-by-list-1, epoch 1
            + tarn-attic/stray.txt (1 byte)
        delete-dataset-1, epoch 1
            the same
    "#]],
    )
    .await;
}
