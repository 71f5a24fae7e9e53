//! Strict and assisted figures of one run, beside those of a run without aids.

use crate::eval::lab::{Fake, Lab, folder};
use dialog2api::agent::Assist;
use dialog2api::eval::log::EvalMode;
use dialog2api::eval::read::load;
use dialog2api::eval::score::{Bootstrap, Options, Score, score};
use expect_test::{Expect, expect};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

/// A model whose answer to this utterance is this one, and when asked again that one.
fn model(user: &'static str, first: &'static str, second: &'static str) -> Fake {
    Fake {
        wrong: BTreeMap::from([(user, (first, "Agent: So it is."))]),
        again: BTreeMap::from([(user, second)]),
        ..Fake::default()
    }
}

async fn scored(mode: EvalMode, assist: Assist, model: Fake) -> Score {
    let (_home, folder) = folder();
    let mut lab = Lab::asking(&Arc::new(model));
    lab.wanted.mode = mode;
    lab.wanted.settings.assist = Some(assist);
    lab.run(&folder, false).await.unwrap();
    let log = load(&folder, false).unwrap();
    // A log says of each turn what helped, and what it was without.
    for turn in &log.turns {
        assert_eq!(turn.aided.is_empty(), turn.strict.is_none());
    }
    let options = Options {
        partial: false,
        bootstrap: Bootstrap {
            resamples: 10,
            seed: 0,
        },
        domain: None,
    };
    score(&log.run, &log.turns, &options).unwrap()
}

/// The figures of a run with the usual aids and of one without, in both modes.
async fn check(model: impl Fn() -> Fake, expected: Expect) {
    let mut seen = String::new();
    for mode in [EvalMode::EndToEnd, EvalMode::TeacherForced] {
        for assist in [Assist::usual(), Assist::none()] {
            let score = scored(mode, assist.clone(), model()).await;
            let figure = |name: &str| score.figure(name).unwrap().value.unwrap();
            let assistance = score.assistance.as_ref().unwrap();
            let (emr, strict) = (figure("emr"), figure("strict_emr"));
            let high = assistance.strict_emr_high.unwrap();
            writeln!(
                seen,
                "{mode:?}, {assist}: EMR {emr:.3}, strict {strict:.3} to {high:.3}; turns {:.3}, \
                 strict {:.3}; {:?}",
                figure("turn_match"),
                figure("strict_turn_match"),
                assistance.by_aid,
            )
            .unwrap();
            if assist == Assist::none() {
                assert_eq!((emr, emr), (strict, high));
            }
        }
        // What a run with aids says about one without is true.
        let usual = scored(mode, Assist::usual(), model()).await;
        let none = scored(mode, Assist::none(), model()).await;
        let emr = none.figure("emr").unwrap().value.unwrap();
        let low = usual.figure("strict_emr").unwrap().value.unwrap();
        let high = usual.assistance.unwrap().strict_emr_high.unwrap();
        assert!(low <= emr && emr <= high, "{low} {emr} {high}");
    }
    expected.assert_eq(&seen);
}

#[tokio::test]
async fn without_a_slip_both_are_the_same() {
    check(
        Fake::default,
        expect![[r#"
        EndToEnd, usual: EMR 1.000, strict 1.000 to 1.000; turns 1.000, strict 1.000; {}
        EndToEnd, none: EMR 1.000, strict 1.000 to 1.000; turns 1.000, strict 1.000; {}
        TeacherForced, usual: EMR 1.000, strict 1.000 to 1.000; turns 1.000, strict 1.000; {}
        TeacherForced, none: EMR 1.000, strict 1.000 to 1.000; turns 1.000, strict 1.000; {}
    "#]],
    )
    .await;
}

#[tokio::test]
async fn a_normalizer_makes_a_wrong_answer_right() {
    let hasty = "<goal uid=\"1\" status=\"final\"><program>\ns3.create_bucket(Bucket=\"?1\")\n</program></goal>";
    check(
        || model("please create a new bucket", hasty, hasty),
        expect![[r#"
            EndToEnd, usual: EMR 1.000, strict 0.750 to 0.750; turns 1.000, strict 0.875; {"final-placeholder": 1, "quoted-placeholder": 1}
            EndToEnd, none: EMR 0.750, strict 0.750 to 0.750; turns 0.625, strict 0.625; {}
            TeacherForced, usual: EMR 1.000, strict 0.750 to 0.750; turns 1.000, strict 0.875; {"final-placeholder": 1, "quoted-placeholder": 1}
            TeacherForced, none: EMR 0.750, strict 0.750 to 0.750; turns 0.875, strict 0.875; {}
        "#]],
    )
    .await;
}

#[tokio::test]
async fn a_repair_makes_an_unreadable_answer_right() {
    let right = "<goal uid=\"1\" status=\"final\"><program>\nreturn 2 + 3\n</program></goal>";
    check(
        || model("two and three?", "I think it is 5.", right),
        expect![[r#"
            EndToEnd, usual: EMR 1.000, strict 0.750 to 0.750; turns 1.000, strict 0.875; {"repair": 1}
            EndToEnd, none: EMR 0.750, strict 0.750 to 0.750; turns 0.875, strict 0.875; {}
            TeacherForced, usual: EMR 1.000, strict 0.750 to 0.750; turns 1.000, strict 0.875; {"repair": 1}
            TeacherForced, none: EMR 0.750, strict 0.750 to 0.750; turns 0.875, strict 0.875; {}
        "#]],
    )
    .await;
}

#[tokio::test]
async fn a_lint_makes_a_right_answer_another_right_answer() {
    let first = "<goal uid=\"1\" status=\"final\"><program>\nif False:\n    s3.make_bucket()\ns3.create_bucket(Bucket=\"new-1\")\n</program></goal>";
    let second = "<goal uid=\"1\" status=\"final\"><program>\ns3.create_bucket(Bucket=\"new-1\")\n</program></goal>";
    check(|| model("its name is new-1", first, second), expect![[r#"
        EndToEnd, usual: EMR 1.000, strict 0.917 to 1.000; turns 1.000, strict 1.000; {"unknown-call": 1}
        EndToEnd, none: EMR 1.000, strict 1.000 to 1.000; turns 1.000, strict 1.000; {}
        TeacherForced, usual: EMR 1.000, strict 1.000 to 1.000; turns 1.000, strict 1.000; {"unknown-call": 1}
        TeacherForced, none: EMR 1.000, strict 1.000 to 1.000; turns 1.000, strict 1.000; {}
    "#]]).await;
}

#[tokio::test]
async fn a_lint_makes_a_right_answer_wrong() {
    let first = "<goal uid=\"1\" status=\"final\"><program>\nif False:\n    s3.make_bucket()\ns3.create_bucket(Bucket=\"new-1\")\n</program></goal>";
    let second = "<goal uid=\"1\" status=\"final\"><program>\ns3.create_bucket(Bucket=\"new-2\")\n</program></goal>";
    check(|| model("its name is new-1", first, second), expect![[r#"
        EndToEnd, usual: EMR 0.833, strict 0.917 to 1.000; turns 0.750, strict 0.875; {"unknown-call": 1}
        EndToEnd, none: EMR 1.000, strict 1.000 to 1.000; turns 1.000, strict 1.000; {}
        TeacherForced, usual: EMR 0.833, strict 1.000 to 1.000; turns 0.875, strict 1.000; {"unknown-call": 1}
        TeacherForced, none: EMR 1.000, strict 1.000 to 1.000; turns 1.000, strict 1.000; {}
    "#]]).await;
}

#[tokio::test]
async fn who_insists_is_not_led_another_way() {
    let answer = "<goal uid=\"1\" status=\"final\"><program>\nif False:\n    s3.make_bucket()\ns3.create_bucket(Bucket=\"new-1\")\n</program></goal>";
    check(|| model("its name is new-1", answer, answer), expect![[r#"
        EndToEnd, usual: EMR 1.000, strict 1.000 to 1.000; turns 1.000, strict 1.000; {"unknown-call": 1}
        EndToEnd, none: EMR 1.000, strict 1.000 to 1.000; turns 1.000, strict 1.000; {}
        TeacherForced, usual: EMR 1.000, strict 1.000 to 1.000; turns 1.000, strict 1.000; {"unknown-call": 1}
        TeacherForced, none: EMR 1.000, strict 1.000 to 1.000; turns 1.000, strict 1.000; {}
    "#]]).await;
}
