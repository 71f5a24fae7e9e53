//! Replies that the rows of the world contradict: asked for once more, marked, or not said.

use crate::agent::fake::{OneLine, block_on, goal, zoology_agent};
use dialog2api::agent::{Assist, Session, Settings, TurnEvent};
use dialog2api::policy::Policy;
use expect_test::{Expect, expect};
use std::fmt::Write;
use std::sync::Arc;

/// One turn in the world `zoology`, whose program gives this, with these answers for the reply.
fn check(settings: Settings, user: &str, result: &str, answers: &[&str], expected: Expect) {
    let program = goal(1, "final", &format!("return {result}"));
    let replies = answers
        .iter()
        .map(|reply| format!("<turn>Agent: {reply}</turn>"));
    let settings = Settings {
        assist: Assist::all(),
        ..settings
    };
    let agent = zoology_agent(
        [program].into_iter().chain(replies),
        Arc::new(OneLine),
        settings,
    );
    let mut session = Session::new();
    let mut seen = String::new();
    let mut observer = |event: TurnEvent<'_>| {
        if let TurnEvent::Unusable { finding, .. } = event {
            writeln!(seen, "again: {finding}").unwrap();
        }
    };
    let report = block_on(agent.turn(&mut session, user, &mut observer));
    writeln!(seen, "Agent: {}", report.reply).unwrap();
    for claim in &report.unsupported {
        let (verdict, grounds) = (claim.verdict, claim.grounds());
        writeln!(
            seen,
            "{:?} {verdict:?}: {} [{grounds}]",
            claim.text,
            claim.reason()
        )
        .unwrap();
    }
    // What it cost is counted.
    assert_eq!(
        report.usage().completion_tokens,
        10 * report.exchanges.len() as u64
    );
    writeln!(seen, "{} requests", report.exchanges.len()).unwrap();
    expected.assert_eq(&seen);
}

fn usual(user: &str, result: &str, answers: &[&str], expected: Expect) {
    check(Settings::default(), user, result, answers, expected);
}

#[test]
fn a_total_of_another_bucket_is_asked_for_once_more() {
    // The program looked at the wrong bucket, so that results support the reply.
    usual(
        "How many objects are in zoology-bucket?",
        "2",
        &[
            "There are 2 objects in zoology-bucket.",
            "There are 11 objects in zoology-bucket.",
        ],
        expect![[r#"
            again: "2 objects" is wrong: objects of zoology-bucket: 11; state only what the results and the user say
            Agent: There are 11 objects in zoology-bucket.
            3 requests
        "#]],
    );
}

#[test]
fn the_better_of_two_replies_is_kept() {
    usual(
        "How many objects are in zoology-bucket?",
        "2",
        &[
            "There are 2 objects in zoology-bucket.",
            "There are 3 objects in zoology-bucket and 4 objects in zoology-archive.",
        ],
        expect![[r#"
            again: "2 objects" is wrong: objects of zoology-bucket: 11; state only what the results and the user say
            Agent: There are 2 objects in zoology-bucket.
            "2 objects" False: objects of zoology-bucket: 11 [row zoology-bucket; rule differs; bytes 10 to 19 of the reply]
            3 requests
        "#]],
    );
}

#[test]
fn a_list_with_one_of_another_bucket_and_one_left_out() {
    usual(
        "Which objects are in zoology-archive?",
        r#"["sea_animals/orca.txt"]"#,
        &["The objects in zoology-archive are:\n- sea_animals/orca.txt"; 2],
        expect![[r#"
            again: the list leaves out 2022/report.txt; "sea_animals/orca.txt" is wrong: no row of the bucket zoology-archive has this name; state only what the results and the user say
            Agent: The objects in zoology-archive are:
            - sea_animals/orca.txt
            "The objects in zoology-archive are:" Incomplete: the list leaves out 2022/report.txt [row 2022/report.txt; rule incomplete; bytes 0 to 35 of the reply]
            "sea_animals/orca.txt" False: no row of the bucket zoology-archive has this name [no row; rule differs; bytes 38 to 58 of the reply]
            3 requests
        "#]],
    );
}

#[test]
fn an_exact_agent_says_what_the_rows_have() {
    let exact = || Settings {
        exact: true,
        ..Settings::default()
    };
    check(
        exact(),
        "How many objects are in zoology-bucket?",
        "2",
        &["There are 2 objects in zoology-bucket."; 2],
        expect![[r#"
            again: "2 objects" is wrong: objects of zoology-bucket: 11; state only what the results and the user say
            Agent: Done. The result is 2
            The rows have: objects of zoology-bucket: 11.
            3 requests
        "#]],
    );
    check(
        exact(),
        "Which objects are in zoology-archive?",
        "[]",
        &["zoology-archive is empty."; 2],
        expect![[r#"
            again: "empty" is wrong: objects of zoology-archive: 1; state only what the results and the user say
            Agent: Done. The result is []
            The rows have: objects of zoology-archive: 1.
            3 requests
        "#]],
    );
}

/// What a policy hides is no fact, so that no reason tells it.
#[test]
fn what_may_not_be_read_is_not_compared_with() {
    let policy =
        "version = 1\n[[rule]]\nname = \"hidden\"\neffect = \"deny\"\nbuckets = [\"zoology-*\"]";
    let settings = Settings {
        policy: Some(Arc::new(Policy::read(policy).unwrap())),
        ..Settings::default()
    };
    check(
        settings,
        "How many objects are in zoology-bucket?",
        "2",
        &["There are 2 objects in zoology-bucket."],
        expect![[r#"
            Agent: There are 2 objects in zoology-bucket.
            2 requests
        "#]],
    );
}
