//! Metrics over small logs, computed by hand in the comments.

use crate::score::logs::{figures, options, run, run_of, scored, turns};
use dialog2api::eval::log::{EvalMode, Shard, TurnLog};
use dialog2api::eval::score::{Bounds, Options, score};
use expect_test::{Expect, expect};

fn check(log: &str, expected: Expect) {
    expected.assert_eq(&figures(&scored(log)));
}

#[test]
fn the_metrics_of_a_small_log() {
    // a: right, right, wrong value, right: EMR 2/4. The state is right in all: 4/4. Executing
    //    turns are 2 and 3 (1 and 4 draft): 1/2. Matched: 3 of 4.
    // b: the first is right and the second, the last: 1. Executing: turn 2 alone: 1/1.
    // c: never executes, and the model runs at once: EMR 0/1, state 1/1, left out of executing.
    // EMR (0.5 + 1 + 0) / 3 = 0.5; complete 1/3; matched 5 of 7; state 1; executing 0.75.
    check(
        "
        a 1  draft:S0 | draft:S0
        a 1  run:S1:x | run:S1:x
        a 1  run:S1:y | run:S1:z
        a 1  draft:S1 | draft:S1
        b 1  draft:S0 | draft:S0
        b 1  run:S2:x | run:S2:x
        c 1  draft:S0 | run:S0:x
        ",
        expect![[r#"
            emr 0.5000 of 3
            complete 0.3333 of 3
            turn_match 0.7143 of 3
            state_emr 1.0000 of 3
            executing_emr 0.7500 of 2
            bleu 0.0000 of 3
        "#]],
    );
}

#[test]
fn a_turn_that_was_not_understood_is_wrong_even_where_nothing_was_to_be_done() {
    // Everything stays as it should in turn 1, and still nothing is right.
    check(
        "
        a 1  draft:S0 | fail:programs:S0 garbage
        a 1  run:S0:x | fail:programs:S0 garbage
        ",
        expect![[r#"
            emr 0.0000 of 1
            complete 0.0000 of 1
            turn_match 0.0000 of 1
            state_emr 0.0000 of 1
            executing_emr 0.0000 of 1
            bleu 0.0000 of 1
        "#]],
    );
}

#[test]
fn epochs_are_averaged_within_their_dialogue() {
    // a: t_last/T is 1/2, 2/2, 0/2 in the three epochs; b: 1 in each.
    // EMR: (0.5 + 1) / 2. complete: (1/3 + 1) / 2. Matched: a 1+2+0 (turn 2 of epoch 3 is
    // wrong too), b 3: 6 of 9.
    // EMR^2 of a: pairs (1/2,1), (1/2,0), (1,0): (0.5 + 0 + 0) / 3 = 1/6; b 1: 7/12.
    // complete^2 of a: no pair is complete twice: 0; b 1: 1/2.
    // EMR^3: (0 + 1) / 2. complete^3: 1/2.
    // executing: a's turn 2 alone: 0, 1, 0: 1/3; b's turn 1: 1: 2/3.
    let log = "
        a 1  draft:S0 | draft:S0
        a 1  run:S1:x | run:S1:y
        b 1  run:S1:x | run:S1:x
        a 2  draft:S0 | draft:S0
        a 2  run:S1:x | run:S1:x
        b 2  run:S1:x | run:S1:x
        a 3  draft:S0 | run:S0:x
        a 3  run:S1:x | run:S1:y
        b 3  run:S1:x | run:S1:x
        ";
    check(
        log,
        expect![[r#"
            emr 0.7500 of 2
            complete 0.6667 of 2
            turn_match 0.6667 of 2
            state_emr 1.0000 of 2
            executing_emr 0.6667 of 2
            bleu 0.0000 of 2
            emr^2 0.5833 of 2
            complete^2 0.5000 of 2
            emr^3 0.5000 of 2
            complete^3 0.5000 of 2
        "#]],
    );
    // By epoch (1/2 + 1)/2, 1, 1/2; their standard deviation 0.25. a differs, b does not.
    let epochs = scored(log).epochs;
    assert_eq!(epochs.emr, [Some(0.75), Some(1.0), Some(0.5)]);
    assert_eq!(epochs.deviation, Some(0.25));
    assert_eq!((epochs.least, epochs.greatest), (Some(0.5), Some(1.0)));
    assert_eq!(epochs.unsteady, Some(0.5));
}

#[test]
fn responses_of_our_own_are_no_hypotheses() {
    let mut log = turns("a 1  draft:S0 | draft:S0\na 1  draft:S0 | draft:S0 plain");
    let words = "there are four words here";
    for turn in &mut log {
        turn.truth.response = Some(words.to_owned());
        turn.response = words.to_owned();
    }
    let bleu = |log: &[TurnLog]| {
        let score = score(&run_of(log), log, &options()).unwrap();
        score.figure("bleu").unwrap().value.unwrap()
    };
    // Precision 1, lengths 5 and 10: the brevity penalty e^(1 - 10/5) alone.
    let short = bleu(&log);
    assert!((short - 100.0 * (-1.0_f64).exp()).abs() < 1e-9, "{short}");
    // A turn without a true response is no segment.
    log[1].truth.response = None;
    let whole = bleu(&log);
    assert!((whole - 100.0).abs() < 1e-9, "{whole}");
}

#[test]
fn code_edits_are_of_teacher_forced_runs() {
    // Turn 1: one token differs. Turn 2: nothing predicted for `f(x)` and its line's end: 5.
    let log = turns(
        "
        a 1  run:S0:x code: a = 1 | run:S0:x code: a = 2
        a 1  run:S0:x code: f(x) | fail:programs:S0 garbage
        ",
    );
    let mut run = run_of(&log);
    let end_to_end = score(&run, &log, &options()).unwrap();
    assert!(end_to_end.figure("code_edits").is_none());
    run.mode = EvalMode::TeacherForced;
    let forced = score(&run, &log, &options()).unwrap();
    assert_eq!(forced.figure("code_edits").unwrap().value, Some(3.0));
}

#[test]
fn what_a_provider_did_is_not_the_models_mistake() {
    // a is finished: 1. b ends in turn 3 of 4 with 2 right: between 2/4 and 1. c was wrong
    // in turn 1 already, so that it is 0 whatever would have come.
    let mut log = turns(
        "
        a 1  run:S1:x | run:S1:x
        b 1  run:S1:x | run:S1:x
        b 1  run:S1:y | run:S1:y
        b 1  run:S1:z | fail:provider:S1
        c 1  run:S1:x | run:S2:x
        c 1  run:S1:y | fail:ours:S1
        ",
    );
    for turn in log.iter_mut().filter(|log| log.truth.dialogue == "b") {
        turn.truth.turns = 4;
    }
    let score = score(&run(3, 1), &log, &options()).unwrap();
    assert_eq!(score.emr, Some(1.0));
    let coverage = &score.coverage;
    assert_eq!(
        (coverage.scored, coverage.expected, coverage.partial),
        (1, 3, false)
    );
    let cut: Vec<(&str, u32)> = coverage
        .cut_short
        .iter()
        .map(|c| (&*c.dialogue, c.turn))
        .collect();
    assert_eq!(cut, [("b", 3), ("c", 2)]);
    let bounds = score.bounds.unwrap();
    assert_eq!(
        bounds,
        Bounds {
            low: 1.5 / 3.0,
            high: 2.0 / 3.0
        }
    );
    assert_eq!(score.errors.not_finished, 2);
}

#[test]
fn doing_nothing_is_right_where_nothing_runs() {
    // a: turns 1 and 3 of 3 run nothing, the first alone comes before what runs: 1/3.
    // b: its one turn runs nothing: 1. Epochs count once.
    let score = scored(
        "
        a 1  draft:S0 | draft:S0
        a 1  run:S1:x | run:S1:x
        a 1  draft:S1 | draft:S1
        b 1  draft:S0 | draft:S0
        a 2  draft:S0 | draft:S0
        a 2  run:S1:x | run:S1:x
        a 2  draft:S1 | draft:S1
        b 2  draft:S0 | draft:S0
        ",
    );
    assert_eq!(score.nothing.turns, Some(3.0 / 4.0));
    assert!((score.nothing.emr.unwrap() - 2.0 / 3.0).abs() < 1e-12);
}

#[test]
fn tokens_and_failures_are_of_all_turns() {
    let log = turns(
        "
        a 1  draft:S0 | fail:programs:S0 garbage
        b 1  draft:S0 | fail:provider:S0
        ",
    );
    let score = score(&run(2, 1), &log, &options()).unwrap();
    let all = score.tokens.all;
    assert_eq!((all.requests, all.usage.prompt_tokens), (2, 200));
    assert_eq!(
        (all.usage.cached_tokens, all.usage.completion_tokens),
        (100, 20)
    );
    assert_eq!(score.tokens.responses.requests, 0);
    let counts: Vec<usize> = score.failures.turns.values().copied().collect();
    assert_eq!(counts, [1, 1, 0, 0], "provider, programs, response, ours");
    assert_eq!(score.failures.unusable_answers, 2);
}

/// What is no whole log is refused with a sentence, or scored as a part on request.
#[test]
fn what_is_missing_is_said() {
    let text = "
        a 1  draft:S0 | draft:S0
        a 1  run:S1:x | run:S1:x
        b 1  draft:S0 | draft:S0
        b 1  run:S1:x | run:S1:y
        ";
    let whole = turns(text);
    let refused = |run: &_, log: &[_]| score(run, log, &options()).expect_err("a sentence");
    let partial = Options {
        partial: true,
        ..options()
    };

    let part = &whole[..3];
    expect![[r#"
        the log is not complete: missing are 1 of 3 dialogues; b, epoch 1: turn 2; finish the run with `dialog2api eval --resume`, or score what is finished with --partial"#]]
    .assert_eq(&refused(&run(3, 1), part));
    let scored = score(&run(3, 1), part, &partial).unwrap();
    assert!(scored.coverage.partial);
    assert_eq!((scored.emr, scored.coverage.scored), (Some(1.0), 1));

    expect![[r#"
        the log is not complete: missing are a, epoch 2: turn 1, and 1 more like it; finish the run with `dialog2api eval --resume`, or score what is finished with --partial"#]]
    .assert_eq(&refused(&run(2, 2), &whole));

    let mut sharded = run(4, 1);
    sharded.shard = Some(Shard { index: 2, of: 2 });
    expect![[r#"
        this is part 2 of 2 of a run: join the parts with `dialog2api eval merge`, or score this one with --partial"#]]
    .assert_eq(&refused(&sharded, &whole));
    assert!(score(&sharded, &whole, &partial).unwrap().coverage.partial);
}

#[test]
fn what_contradicts_itself_is_refused_always() {
    let partial = Options {
        partial: true,
        ..options()
    };
    let whole = turns("a 1  run:S1:x | run:S1:x\na 2  run:S1:x | run:S1:x");
    let refused = |run: &_, log: &[_]| score(run, log, &partial).expect_err("a sentence");

    expect!["the log has 1 dialogue, and its run.json says that there are 0"]
        .assert_eq(&refused(&run(0, 2), &whole));
    expect!["turn 1 of a, epoch 2: the run has 1 epoch by its run.json"]
        .assert_eq(&refused(&run(1, 1), &whole));

    let twice = [whole.clone(), whole.clone()].concat();
    expect!["turn 1 of a, epoch 1, stands twice in the log"]
        .assert_eq(&refused(&run(1, 2), &twice));

    let mut other = whole.clone();
    other[1].truth.utterance = "something else".to_owned();
    expect!["the truth of a is not the same in the epochs 1 and 2"]
        .assert_eq(&refused(&run(1, 2), &other));

    let mut outside = whole.clone();
    outside[0].truth.turn = 2;
    expect!["turn 2 of a, epoch 1: the dialogue has 1 turn"]
        .assert_eq(&refused(&run(1, 2), &outside));

    let mut elsewhere = run(1, 2);
    elsewhere.domain = "chess".to_owned();
    expect![[r#"the run is about the domain "chess", and this program knows s3, optimization, planning, mediation; if it is a folder, name it: --domain DIR"#]]
        .assert_eq(&refused(&elsewhere, &whole));
}
