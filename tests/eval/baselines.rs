//! Baselines, which cost nothing.

use crate::eval::lab::{Lab, folder, shown};
use dialog2api::eval::baseline::{NAMES, named};
use expect_test::{Expect, expect};

async fn check(name: &str, seed: u64, expected: Expect) {
    let (_home, folder) = folder();
    let mut lab = Lab::of(named(name).unwrap());
    lab.wanted.settings.seed = seed;
    let tally = lab.run(&folder, false).await.unwrap();
    assert!(tally.is_complete());
    assert!(!folder.join("responses.jsonl").exists());
    let emr = tally.emr().unwrap();
    expected.assert_eq(&format!("{}\nEMR {emr:.3}", shown(&folder)));
}

#[tokio::test]
async fn the_truth_is_right() {
    check(
        "ground-truth",
        0,
        expect![[r#"
        create-1 1.1 same | 1 drafting | Which name? | 2 exchanges
        create-1 1.2 same | 1 final = null | Done. | 2 exchanges
        create-1 1.3 same | 2 final = 1 | 1 bucket. | 2 exchanges
        drop-1 1.1 same | 1 drafting | What did you plan? | 2 exchanges
        drop-1 1.2 same | 1 abandoned | As you wish. | 2 exchanges
        sum-1 1.1 same | 1 final = 5 | 5 | 2 exchanges
        sum-1 1.2 same | 2 final = 10 | 10 | 2 exchanges
        talk-1 1.1 same | 1 final = ChitChat | It is, I hope. | 2 exchanges
        all 4 dialogues are finished (8 turns)
        EMR 1.000"#]],
    )
    .await;
}

#[tokio::test]
async fn nothing_is_right_as_long_as_nothing_happens() {
    check(
        "do-nothing",
        0,
        expect![[r#"
        create-1 1.1 same |  |  | 0 exchanges
        create-1 1.2 other state |  |  | 0 exchanges
        create-1 1.3 other state |  |  | 0 exchanges
        drop-1 1.1 same |  |  | 0 exchanges
        drop-1 1.2 same |  |  | 0 exchanges
        sum-1 1.1 same state |  |  | 0 exchanges
        sum-1 1.2 same state |  |  | 0 exchanges
        talk-1 1.1 same state |  |  | 0 exchanges
        all 4 dialogues are finished (8 turns)
        EMR 0.333"#]],
    )
    .await;
}

#[tokio::test]
async fn the_nearest_example_gets_the_names_of_the_dialogue() {
    check(
        "nearest-example",
        0,
        expect![[r#"
            create-1 1.1 same | 1 drafting | What should it be called? | 2 exchanges
            create-1 1.2 same | 1 final = null | I made "old-1". | 2 exchanges
            create-1 1.3 same state | 2 drafting | What should it be called? | 2 exchanges
            drop-1 1.1 same | 1 drafting | What should it be called? | 2 exchanges
            drop-1 1.2 other state | 1 final = null | I made "old-1". | 2 exchanges
            sum-1 1.1 same state | 1 drafting | What should it be called? | 2 exchanges
            sum-1 1.2 other state | 1 final = null | I made "old-1". | 2 exchanges
            talk-1 1.1 same state | 1 drafting | What should it be called? | 2 exchanges
            all 4 dialogues are finished (8 turns)
            EMR 0.292"#]],
    )
    .await;
}

#[tokio::test]
async fn a_random_example_is_another_with_another_seed() {
    check("random-example", 0, expect![[r#"
        create-1 1.1 same state | 1 final = ChitChat | Let us talk about your buckets. | 2 exchanges
        create-1 1.2 other state | 2 final = ChitChat | Let us talk about your buckets. | 2 exchanges
        create-1 1.3 other state | 3 final = ChitChat | Let us talk about your buckets. | 2 exchanges
        drop-1 1.1 same state | 1 final = ChitChat | Let us talk about your buckets. | 2 exchanges
        drop-1 1.2 other state | 2 final = null | I made "old-1". | 2 exchanges
        sum-1 1.1 same state | 1 final = ChitChat | Let us talk about your buckets. | 2 exchanges
        sum-1 1.2 other state | 2 final = null | I made "old-1". | 2 exchanges
        talk-1 1.1 other state | 1 final = null | I made "old-1". | 2 exchanges
        all 4 dialogues are finished (8 turns)
        EMR 0.000"#]]).await;
    check(
        "random-example",
        1,
        expect![[r#"
        create-1 1.1 other state | 1 final = null | I made "old-1". | 2 exchanges
        create-1 1.2 other state | 2 drafting | What should it be called? | 2 exchanges
        create-1 1.3 other state | 3 drafting | What should it be called? | 2 exchanges
        drop-1 1.1 same state | 1 final = ChitChat | Let us talk about your buckets. | 2 exchanges
        drop-1 1.2 other state | 2 final = null | I made "old-1". | 2 exchanges
        sum-1 1.1 same state | 1 final = ChitChat | Let us talk about your buckets. | 2 exchanges
        sum-1 1.2 same state | 2 drafting | What should it be called? | 2 exchanges
        talk-1 1.1 same state | 1 drafting | What should it be called? | 2 exchanges
        all 4 dialogues are finished (8 turns)
        EMR 0.000"#]],
    )
    .await;
}

#[test]
fn every_name_is_a_baseline() {
    for name in NAMES {
        assert_eq!(
            named(name).map(|found| found.name().to_owned()).as_deref(),
            Some(name)
        );
    }
    assert!(named("openai:x").is_none());
}
