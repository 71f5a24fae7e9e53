//! Logs made of the dataset that comes with the program: the truth as the model.

use crate::score::logs::{options, run};
use dialog2api::dataset::rows::{TurnRow, rows};
use dialog2api::dataset::{Dialogue, Split, read};
use dialog2api::dialogue::Status;
use dialog2api::domain::s3::S3;
use dialog2api::eval::log::{EvalMode, Run, TurnLog};
use dialog2api::eval::score::metrics::metrics;
use dialog2api::eval::score::{DEFINITIONS_VERSION, ErrorClass, Score, score};
use std::collections::BTreeMap;
use std::path::Path;

/// The dialogues of the test part.
fn dialogues() -> Vec<Dialogue> {
    read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/s3/test")).expect("the dataset")
}

/// A log in which the model does what is true. Only who knows the world has the signatures
/// of turns that run nothing; here they are the last one with a mark.
pub fn truth(epochs: u32) -> (Run, Vec<TurnLog>) {
    let dialogues = dialogues();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/s3");
    let rows = rows(&root, &dialogues).expect("rows");
    let mut log = Vec::new();
    for epoch in 1..=epochs {
        let mut last = String::new();
        for row in &rows {
            let state = format!("{}~", row.signature.as_ref().unwrap_or(&last));
            last = row.signature.clone().unwrap_or_else(|| state.clone());
            log.push(turn(epoch, row, last.clone(), state));
        }
    }
    let mut run = run(u32::try_from(dialogues.len()).unwrap(), epochs);
    run.dataset.split = Some(Split::Test);
    (run, log)
}

fn turn(epoch: u32, row: &TurnRow, signature: String, state: String) -> TurnLog {
    TurnLog {
        epoch,
        truth: row.clone(),
        truth_signature: signature.clone(),
        truth_state: state.clone(),
        stack: row.stack.clone(),
        previous_response: row.previous_response.clone().unwrap_or_default(),
        exchanges: Vec::new(),
        programs: row.programs.clone(),
        calls: BTreeMap::new(),
        response: row.response.clone().unwrap_or_default(),
        limits: None,
        plain: false,
        doubts: Vec::new(),
        failure: None,
        signature,
        state,
        aided: Vec::new(),
        strict: None,
    }
}

fn value(score: &Score, name: &str) -> f64 {
    score
        .figure(name)
        .and_then(|figure| figure.value)
        .expect("a figure")
}

#[test]
fn the_truth_is_right_in_every_way() {
    let (mut run, log) = truth(1);
    for mode in [EvalMode::EndToEnd, EvalMode::TeacherForced] {
        run.mode = mode;
        let score = score(&run, &log, &options()).unwrap();
        assert_eq!(score.emr, Some(1.0));
        for figure in &score.metrics {
            let best = match figure.name.as_str() {
                "code_edits" => 0.0,
                "bleu" => 100.0,
                _ => 1.0,
            };
            let value = figure.value.unwrap();
            assert!((value - best).abs() < 1e-9, "{figure:?}");
        }
        assert_eq!(score.coverage.dialogues, 54);
        assert!(score.nothing.turns.unwrap() > 0.1 && score.nothing.turns.unwrap() < 0.6);
    }
}

#[test]
fn complexities_are_those_of_the_statistics() {
    let (run, log) = truth(1);
    let score = score(&run, &log, &options()).unwrap();
    let dialogues = dialogues();
    let part = dialog2api::dataset::stats::PartFigures::of(
        dialogues.iter(),
        &S3,
        &dialog2api::dataset::Catalogue::default(),
    );
    for by in &score.by_complexity {
        let expected = part.complexities[&by.complexity];
        let name = by.complexity.name();
        assert!(
            by.tally.turns <= expected && by.tally.turns > 0,
            "{name}: {expected}"
        );
        assert!(by.dialogues <= by.tally.turns, "{name}");
    }
    let executing = score.by_api.iter().filter(|by| by.operation.is_some());
    assert!(executing.count() >= 10);
}

#[test]
fn a_mistake_in_every_last_turn_costs_one_turn_of_each() {
    let (run, mut log) = truth(1);
    let mut expected = BTreeMap::new();
    for turn in &mut log {
        let turns = turn.truth.turns;
        if turn.truth.turn == turns {
            turn.signature.push('!');
            turn.state.push('!');
            expected.insert(
                turn.truth.dialogue.clone(),
                f64::from(turns - 1) / f64::from(turns),
            );
        }
    }
    let score = score(&run, &log, &options()).unwrap();
    let mean = expected.values().sum::<f64>() / expected.len() as f64;
    assert!((score.emr.unwrap() - mean).abs() < 1e-9);
    assert_eq!(value(&score, "complete"), 0.0);
    assert_eq!(value(&score, "emr"), value(&score, "state_emr"));
}

/// Doing nothing at all in every turn, as the figure of the score says it.
#[test]
fn the_emr_of_doing_nothing_is_what_a_run_that_does_nothing_has() {
    let (run, mut log) = truth(1);
    for turn in &mut log {
        if turn
            .truth
            .programs
            .iter()
            .any(|goal| goal.status == Status::Final)
        {
            turn.programs.clear();
            turn.signature = "nothing".to_owned();
            turn.state = "nothing".to_owned();
        }
    }
    let score = score(&run, &log, &options()).unwrap();
    assert!((score.emr.unwrap() - score.nothing.emr.unwrap()).abs() < 1e-12);
    assert!((value(&score, "turn_match") - score.nothing.turns.unwrap()).abs() < 1e-12);
}

#[test]
fn the_page_of_definitions_has_this_version_and_every_figure() {
    let page = include_str!("../../src/eval/definitions.md");
    let title = format!("# Definitions, version {DEFINITIONS_VERSION}\n");
    assert!(page.starts_with(&title), "{title}");
    let mut run = run(1, 1);
    run.mode = EvalMode::TeacherForced;
    for metric in metrics(&run) {
        let row = format!("| `{}` |", metric.name());
        assert!(page.contains(&row), "{row}");
    }
    for class in ErrorClass::ALL {
        let name = serde_json::to_value(class).unwrap();
        let name = format!("`{}`", name.as_str().unwrap());
        assert!(page.contains(&name), "{name}");
    }
}
