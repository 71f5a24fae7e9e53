//! The class of error of a wrong turn: the first one that applies.

use crate::score::logs::{options, run_of, turns};
use dialog2api::dialogue::Status;
use dialog2api::eval::log::TurnLog;
use dialog2api::eval::score::{ErrorClass, Score, classes, score, sheet::Sheet};
use expect_test::{Expect, expect};

/// The class of each turn of a dialogue.
fn check(log: &str, expected: Expect) {
    expected.assert_eq(&said(&turns(log)));
}

fn said(turns: &[TurnLog]) -> String {
    let run = run_of(turns);
    let sheet = Sheet::new(&run, turns, None).unwrap();
    let classes = sheet.passes().flat_map(classes);
    let said = classes.map(|class| class.map_or("right", ErrorClass::title));
    said.collect::<Vec<_>>().join("\n")
}

#[test]
fn programs_that_were_not_accepted() {
    check(
        "
        a 1  run:S1:x | fail:programs:S0 I am sorry
        a 1  run:S1:x | fail:programs:S0 <output></output>
        a 1  run:S1:x | fail:programs:S0 <goal uid=\"1\" status=\"final\"><program>if</program></goal>
        a 1  run:S1:x | fail:programs:S0 <goal uid=\"1\" status=\"final\"><program>f(?1)</program></goal>
        a 1  run:S1:x | fail:programs:S0 <goal uid=\"1\" status=\"abandoned\"/>
        a 1  run:S1:x | fail:programs:S0 <goal uid=\"1\" status=\"final\"><program>f(?1)</program></goal><goal uid=\"2\" status=\"final\"/>
        ",
        expect![[r#"
            unparsable
            unparsable
            unparsable
            placeholder left
            illegal status
            illegal status"#]],
    );
}

#[test]
fn a_goal_that_is_closed_does_not_change() {
    let answer = "<goal uid=\"1\" status=\"final\"><program>f()</program></goal>";
    let mut log = turns(&format!("a 1  run:S1:x | fail:programs:S0 {answer}"));
    assert_eq!(said(&log), "unparsable");
    let mut closed = log[0].truth.programs[0].clone();
    closed.status = Status::Final;
    log[0].stack = vec![closed];
    assert_eq!(said(&log), "illegal status");
}

#[test]
fn when_a_program_runs() {
    // The first program comes a turn too early, so that nothing is left to do in turn 2;
    // the second comes a turn too late, and so does what makes up for it.
    check(
        "
        a 1  draft:S0 | run:S1:x
        a 1  run:S1:x | draft:S1
        a 1  run:S2:x | draft:S1
        a 1  draft:S2 | run:S2:x
        a 1  draft:S2 | draft:S2
        a 1  draft:S2 | run:S2:!NoSuchKey
        ",
        expect![[r#"
            executed too early
            executed too early
            executed too late
            executed too late
            right
            executed too early"#]],
    );
}

#[test]
fn what_a_program_does() {
    check(
        "
        a 1  run:S1:x | run:S1:!FuelExhausted
        a 1  run:S1:x | run:S2:!NoSuchBucket
        a 1  run:S1:x | run:S1:!OutOfScopeRequestError
        a 1  run:S1:!NoSuchBucket | run:S2:!NoSuchBucket
        a 1  run:S1:!NoSuchBucket | run:S1:x
        a 1  run:S1:x | run:S2:x
        a 1  run:S1:x | run:S1:y
        a 1  draft:S1 | draft:S2
        a 1  run:S1:!NoSuchBucket | run:S1:!NoSuchBucket
        ",
        expect![[r#"
            limit
            exception
            exception
            wrong state
            right state, wrong value
            wrong state
            right state, wrong value
            wrong state
            right"#]],
    );
}

#[test]
fn a_limit_is_what_the_sandbox_says_it_is() {
    let mut log = turns("a 1  run:S1:x | run:S1:!DeadlineExceeded");
    // A log of before that was written down has the name alone.
    assert_eq!(said(&log), "limit");
    log[0].limits = Some(Vec::new());
    assert_eq!(said(&log), "exception");
    log[0].limits = Some(vec![1]);
    assert_eq!(said(&log), "limit");
    let line = serde_json::to_string(&log[0]).unwrap();
    let older = line.replace(",\"limits\":[1]", "");
    assert_ne!(older, line);
    let older: TurnLog = serde_json::from_str(&older).unwrap();
    assert_eq!(older.limits, None);
}

#[test]
fn first_and_all_wrong_turns_are_counted() {
    let log = turns(
        "
        a 1  run:S1:x | run:S1:y
        a 1  run:S1:x | run:S2:x
        b 1  run:S1:x | run:S1:x
        c 1  run:S1:x | run:S1:x
        c 1  run:S1:x | run:S1:!TypeError
        d 1  run:S1:x | fail:provider:S0
        ",
    );
    let score: Score = score(&run_of(&log), &log, &options()).unwrap();
    let errors = &score.errors;
    let count = |class| (errors.first[&class], errors.all[&class]);
    assert_eq!(count(ErrorClass::WrongValue), (1, 1));
    assert_eq!(count(ErrorClass::WrongState), (0, 1));
    assert_eq!(count(ErrorClass::Exception), (1, 1));
    assert_eq!(errors.first.values().sum::<usize>(), 2);
    assert_eq!(errors.all.values().sum::<usize>(), 3);
    assert_eq!((errors.none, errors.not_finished), (1, 1));
    let first = score.dialogues.iter().map(|dialogue| dialogue.error);
    assert_eq!(
        first.collect::<Vec<_>>(),
        [
            Some(ErrorClass::WrongValue),
            None,
            Some(ErrorClass::Exception)
        ]
    );
}
