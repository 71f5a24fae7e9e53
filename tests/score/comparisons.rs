//! Two runs beside each other.

use crate::score::logs::{options, run_of, turns};
use dialog2api::eval::log::{EvalMode, TurnLog};
use dialog2api::eval::score::{Comparison, compare};
use expect_test::expect;

/// Makes this many dialogues of one turn, the first ones right.
fn log(dialogues: usize, right: std::ops::Range<usize>) -> Vec<TurnLog> {
    let lines = (0..dialogues).map(|index| {
        let value = if right.contains(&index) { "x" } else { "y" };
        format!("d{index:02} 1  run:S1:x | run:S1:{value}\n")
    });
    turns(&lines.collect::<String>())
}

fn compared(a: &[TurnLog], b: &[TurnLog]) -> Comparison {
    let mut options = options();
    options.bootstrap.resamples = 2000;
    compare((&run_of(a), a), (&run_of(b), b), &options).expect("a comparison")
}

#[test]
fn a_difference_that_dialogues_agree_on() {
    // 4 of 20 right, and 14 of 20, these 4 among them: B is better by 10/20, and no resample
    // says otherwise. p is 2 · (0 + 1) / 2001.
    let comparison = compared(&log(20, 0..4), &log(20, 0..14));
    let emr = &comparison.metrics[0];
    assert_eq!((emr.a, emr.b), (Some(0.2), Some(0.7)));
    assert!((emr.difference.unwrap() - 0.5).abs() < 1e-12);
    assert!(emr.low.unwrap() > 0.2 && emr.high.unwrap() < 0.8, "{emr:?}");
    assert!((emr.p.unwrap() - 2.0 / 2001.0).abs() < 1e-12, "{emr:?}");
}

#[test]
fn a_run_does_not_differ_from_itself() {
    let log = log(20, 0..4);
    let emr = &compared(&log, &log).metrics[0];
    assert_eq!(
        (emr.difference, emr.low, emr.high),
        (Some(0.0), Some(0.0), Some(0.0))
    );
    assert_eq!(emr.p, Some(1.0));
}

#[test]
fn pairs_tell_more_than_two_intervals() {
    // 10 of 40 and 16 of 40, these 10 among them: the intervals of both alone overlap far.
    let comparison = compared(&log(40, 0..10), &log(40, 0..16));
    let emr = &comparison.metrics[0];
    assert!(emr.low.unwrap() > 0.0, "{emr:?}");
    assert!(emr.p.unwrap() < 0.05, "{emr:?}");
    // The same counts on other dialogues say little.
    let apart = &compared(&log(40, 0..10), &log(40, 20..36)).metrics[0];
    assert_eq!(apart.difference, emr.difference);
    assert!(
        apart.low.unwrap() < 0.0 && apart.p.unwrap() > 0.05,
        "{apart:?}"
    );
}

#[test]
fn what_is_finished_in_one_alone_is_left_out() {
    let a = turns("a 1  run:S1:x | run:S1:x\nb 1  run:S1:x | fail:provider:S0");
    let b = turns("a 1  run:S1:x | run:S1:y\nb 1  run:S1:x | run:S1:x");
    let comparison = compared(&a, &b);
    assert_eq!(
        (comparison.dialogues, comparison.left_out),
        (1, vec!["b".to_owned()])
    );
    assert_eq!(comparison.metrics[0].difference, Some(-1.0));
}

#[test]
fn settings_that_differ_are_said() {
    let log = log(2, 0..1);
    let (one, mut other) = (run_of(&log), run_of(&log));
    other.model = "test:other".to_owned();
    other.settings.k = 3;
    let comparison = compare((&one, &log), (&other, &log), &options()).unwrap();
    assert_eq!(
        comparison.settings,
        ["k: 5 / 3", "model: test:model / test:other"]
    );
}

#[test]
fn other_questions_are_not_compared() {
    let log = log(2, 0..1);
    let (one, mut other) = (run_of(&log), run_of(&log));
    other.dataset.digest = "d2".to_owned();
    other.mode = EvalMode::TeacherForced;
    other.signature = 2;
    let refused = |a: (&_, &[TurnLog]), b: (&_, &[TurnLog])| {
        compare(a, b, &options()).expect_err("a sentence")
    };
    expect!["the two runs did not answer the same questions: their versions of the signature are 1 and 2; their datasets (by their digests) are d1 and d2; their modes are EndToEnd and TeacherForced"]
        .assert_eq(&refused((&one, &log), (&other, &log)));

    let mut changed = log.clone();
    changed[1].truth.utterance = "something else".to_owned();
    expect!["the truth of d01 is not the same in the two runs"]
        .assert_eq(&refused((&one, &log), (&one, &changed)));

    expect!["the second run: the log is not complete: missing are 1 of 2 dialogues; finish the run with `dialog2api eval --resume`, or score what is finished with --partial"]
        .assert_eq(&refused((&one, &log), (&one, &log[..1])));

    let none = turns("d00 1  run:S1:x | fail:provider:S0\nd01 1  run:S1:x | fail:provider:S0");
    expect!["no dialogue is finished in both runs"]
        .assert_eq(&refused((&one, &log), (&one, &none)));
}
