//! The ground truth on the dataset of the repository, through the whole path of a turn.

use crate::eval::lab::{folder, wanted};
use crate::support::sandbox;
use dialog2api::dataset::{ExampleDialogues, Set};
use dialog2api::domain::s3::S3;
use dialog2api::eval::baseline::named;
use dialog2api::eval::log::{DatasetId, EvalMode};
use dialog2api::eval::read::read;
use dialog2api::eval::runner::{Examples, RunStop, Runner};
use dialog2api::prompts::Form;
use dialog2api::retrieval::ExamplePool;
use std::path::Path;
use std::sync::Arc;

/// Runs the truth with a prompt setting, and holds every turn to it.
async fn check(setting: char, mode: EvalMode, form: Form) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/s3");
    let set = Set::read(&path, &S3).unwrap();
    let dialogues = ExampleDialogues::training_part(&set);
    let pool = Arc::new(ExamplePool::new(&dialogues.transcripts(), &S3).unwrap());
    let examples = Examples { dialogues, pool };
    let mut wanted = wanted();
    wanted.mode = mode;
    (wanted.settings.setting, wanted.settings.k) = (setting, 5);
    wanted.settings.form = form;
    let (candidate, sandbox) = (named("ground-truth").unwrap(), Arc::new(sandbox().await));
    let mut runner = Runner::new(&set, &examples, candidate, sandbox, wanted)
        .await
        .unwrap();
    runner.concurrency = 4;
    let (_home, folder) = folder();
    let runner = Arc::new(runner);
    let tally = runner
        .run(&folder, false, RunStop::default(), Arc::new(|_| ()))
        .await
        .unwrap();
    assert_eq!((tally.finished, tally.emr()), (54, Some(1.0)));
    let recorded = read(&folder).unwrap();
    check_revision(recorded.run.revision.as_deref());
    check_dataset(&recorded.run.dataset);
    assert!(recorded.completeness.is_complete());
    for turn in recorded.turns {
        let place = format!("{} turn {}", turn.truth.dialogue, turn.truth.turn);
        assert_eq!(turn.failure, None, "{place}");
        assert_eq!(turn.exchanges.len(), 2, "{place}");
        assert_eq!(turn.state, turn.truth_state, "{place}");
        assert_eq!(turn.programs, turn.truth.programs, "{place}");
        assert_eq!(Some(turn.response), turn.truth.response, "{place}");
        let mut stack = turn.truth.stack;
        for goal in &mut stack {
            // No model sees it.
            goal.signature = None;
        }
        assert_eq!(turn.stack, stack, "{place}");
        let recorded = turn.truth.signature.unwrap_or(turn.truth_signature);
        assert_eq!(turn.signature, recorded, "{place}");
    }
}

/// The dataset has a name, and the digests with which runs of it were published.
fn check_dataset(dataset: &DatasetId) {
    let published = include_str!("../../datasets/s3/results/ground-truth.json");
    let published: serde_json::Value = serde_json::from_str(published).unwrap();
    let published = &published["run"]["dataset"];
    assert_eq!(published["digest"], dataset.digest, "make the results anew");
    assert_eq!(published["examples_digest"], dataset.examples_digest);
    let history = include_str!("../../datasets/s3/CHANGELOG.md");
    assert!(history.contains(&dataset.digest) && history.contains(&dataset.examples_digest));
    assert_eq!(dataset.name.as_deref(), Some("s3"));
    assert_eq!(dataset.examples.as_deref(), Some("s3/train"));
}

/// Where this is a checkout, a run names a commit of it; elsewhere it names none.
fn check_revision(revision: Option<&str>) {
    let git = |arguments: &[&str]| {
        let mut command = std::process::Command::new("git");
        let root = env!("CARGO_MANIFEST_DIR");
        let output = command.current_dir(root).args(arguments).output().ok()?;
        output.status.success().then_some(output.stdout)
    };
    let top = git(&["rev-parse", "--show-prefix"]).is_some_and(|prefix| prefix == b"\n");
    assert_eq!(revision.is_some(), top, "{revision:?}");
    if let Some(revision) = revision {
        let commit = revision.strip_suffix("-dirty").unwrap_or(revision);
        assert_eq!(commit.len(), 40, "{revision}");
        assert!(git(&["cat-file", "-e", commit]).is_some(), "{revision}");
    }
}

macro_rules! right {
    ($($name:ident: $setting:literal, $mode:ident, $form:ident;)*) => {$(
        #[tokio::test(flavor = "multi_thread")]
        async fn $name() {
            check($setting, EvalMode::$mode, Form::$form).await;
        }
    )*};
}

right! {
    the_truth_is_right_end_to_end_with_the_api_document: 'a', EndToEnd, Chat;
    the_truth_is_right_end_to_end_with_examples: 'b', EndToEnd, Chat;
    the_truth_is_right_end_to_end_with_both: 'c', EndToEnd, Chat;
    the_truth_is_right_teacher_forced_with_the_api_document: 'a', TeacherForced, Chat;
    the_truth_is_right_teacher_forced_with_examples: 'b', TeacherForced, Chat;
    the_truth_is_right_teacher_forced_with_both: 'c', TeacherForced, Chat;
    the_truth_is_right_end_to_end_as_a_trained_model: 'c', EndToEnd, Trained;
    the_truth_is_right_teacher_forced_as_a_trained_model: 'c', TeacherForced, Trained;
}
