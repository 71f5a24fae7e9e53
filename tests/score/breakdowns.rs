//! By position, by operation, by complexity.

use crate::score::logs::scored;
use dialog2api::eval::score::{Score, Tally};
use expect_test::{Expect, expect};

fn check(log: &str, of: fn(&Score) -> Vec<(String, Tally)>, expected: Expect) {
    let rows = of(&scored(log)).into_iter().map(|(name, tally)| {
        let Tally {
            turns,
            matched,
            reached,
            kept,
        } = tally;
        format!("{name}: {turns} turns, {matched} matched, {reached} reached, {kept} kept\n")
    });
    expected.assert_eq(&rows.collect::<String>());
}

const LOG: &str = "
    a 1  draft:S0 code: s3.delete_object(Bucket=?1, Key='k') | draft:S0
    a 1  run:S1:x code: s3.delete_object(Bucket='b', Key='k') | run:S2:x
    a 1  run:S1:y code: a = s3.list_objects(Bucket='b'); s3.head_bucket(Bucket='b') | run:S1:y
    b 1  run:S0:!ChitChat code: raise ChitChat() | run:S0:!ChitChat
    b 1  run:S0:z code: for x in 'ab': s3.list_objects(Bucket=x) | run:S0:z
    ";

#[test]
fn by_position() {
    // Turn 2 of a is wrong: turn 3 is right, but neither reached nor kept.
    check(
        LOG,
        |score| {
            let rows = score.by_turn.iter();
            rows.map(|by| (format!("turn {}", by.turn), by.tally))
                .collect()
        },
        expect![[r#"
            turn 1: 2 turns, 2 matched, 2 reached, 2 kept
            turn 2: 2 turns, 1 matched, 2 reached, 1 kept
            turn 3: 1 turns, 1 matched, 0 reached, 0 kept
        "#]],
    );
}

#[test]
fn by_operation() {
    // A draft runs nothing, so that the first turn of a counts nowhere.
    check(
        LOG,
        |score| {
            let rows = score.by_api.iter();
            let name = |by: &Option<String>| by.clone().unwrap_or("none".to_owned());
            rows.map(|by| (name(&by.operation), by.tally)).collect()
        },
        expect![[r#"
            none: 1 turns, 1 matched, 1 reached, 1 kept
            delete_object: 1 turns, 0 matched, 1 reached, 0 kept
            head_bucket: 1 turns, 1 matched, 0 reached, 0 kept
            list_objects: 2 turns, 2 matched, 1 reached, 1 kept
        "#]],
    );
}

#[test]
fn by_complexity() {
    check(
        LOG,
        |score| {
            let rows = score.by_complexity.iter().filter(|by| by.dialogues > 0);
            let name = |by: &dialog2api::eval::score::ByComplexity| {
                let (emr, complete) = (by.emr.unwrap(), by.complete.unwrap());
                let name = by.complexity.name();
                format!(
                    "{name} in {} (EMR {emr:.3}, complete {complete})",
                    by.dialogues
                )
            };
            rows.map(|by| (name(by), by.tally)).collect()
        },
        expect![[r#"
            missing information in 1 (EMR 0.333, complete 0): 1 turns, 1 matched, 1 reached, 1 kept
            chitchat in 1 (EMR 1.000, complete 1): 1 turns, 1 matched, 1 reached, 1 kept
        "#]],
    );
}
