//! Dialogues that offer only some operations of their domain.

use crate::eval::lab::{Change, Fake, Lab, folder, shown};
use dialog2api::agent::Assist;
use dialog2api::eval::baseline::named;
use expect_test::{Expect, expect};
use std::sync::Arc;

/// A dialogue that offers a second operation in its second turn.
const LATER: Change = (
    "sum-1",
    "world=\"empty\"",
    "world=\"empty\" offered=\"list_buckets\" offered-from-2=\"create_bucket\"",
);

fn goal(uid: u32, program: &str) -> &'static str {
    let text = format!("<goal uid=\"{uid}\" status=\"final\"><program>{program}</program></goal>");
    text.leak()
}

/// A model that makes a bucket in both turns of the dialogue.
fn eager() -> Arc<Fake> {
    let make = "try:\n    s3.create_bucket(Bucket=\"five-5\")\nexcept AttributeError:\n    pass\n";
    let reply = "<turn>Agent: Done.</turn>";
    Arc::new(Fake {
        wrong: [
            (
                "two and three?",
                (goal(1, &format!("{make}return 1")), reply),
            ),
            (
                "and times two?",
                (goal(2, "s3.create_bucket(Bucket=\"five-5\")"), reply),
            ),
        ]
        .into(),
        ..Fake::default()
    })
}

async fn run(model: &Arc<Fake>, assist: Assist) -> String {
    let (_home, folder) = folder();
    let mut lab = Lab::asking(model);
    lab.changes = vec![LATER];
    lab.wanted.settings.setting = 'c';
    lab.wanted.settings.assist = Some(assist);
    lab.run(&folder, false).await.unwrap();
    let shown = shown(&folder);
    let lines = shown.lines().filter(|line| line.starts_with("sum-1"));
    lines.map(|line| format!("{line}\n")).collect()
}

#[tokio::test]
async fn a_call_that_is_not_offered_yet_fails() {
    let model = eager();
    expect![[r#"
        sum-1 1.1 same state | 1 final = 1 | Done. | 2 exchanges
        sum-1 1.2 other state | 2 final = null | Done. | 2 exchanges
    "#]]
    .assert_eq(&run(&model, Assist::none()).await);
}

#[tokio::test]
async fn prompts_know_what_is_offered() {
    let model = eager();
    run(&model, Assist::usual()).await;
    let answered = model.answered.lock().unwrap();
    let asked = |utterance: &str| {
        let requests = answered.iter().filter(|it| it.contains(utterance));
        let requests: Vec<String> = requests
            .map(|request| {
                let has = |text: &str| if request.contains(text) { 'x' } else { '-' };
                format!(
                    "{} {} {} {}",
                    has("def list_buckets("),
                    has("def create_bucket("),
                    has("s3.create_bucket(Bucket=?1)"),
                    has("calls s3.create_bucket, which there is not"),
                )
            })
            .collect();
        requests.join("\n")
    };
    // The stubs, the example, the complaint of the lint: programs, programs again, reply.
    expect![[r#"
        x - - -
        x - - x
        x - - -"#]]
    .assert_eq(&asked("User: two and three?"));
    expect![[r#"
        x x x -
        x x x -"#]]
    .assert_eq(&asked("User: and times two?"));
}

#[tokio::test]
async fn the_truth_and_doing_nothing_are_baselines_there_too() {
    for (name, emr) in [("ground-truth", 1.0), ("do-nothing", 1.0 / 3.0)] {
        let (_home, folder) = folder();
        let mut lab = Lab::of(named(name).unwrap());
        lab.changes = vec![LATER];
        let tally = lab.run(&folder, false).await.unwrap();
        assert!((tally.emr().unwrap() - emr).abs() < 1e-9, "{name}");
    }
}

async fn refused(offered: &'static str, expected: Expect) {
    let (_home, folder) = folder();
    let mut lab = Lab::of(named("do-nothing").unwrap());
    lab.changes = vec![("create-1", "world=\"empty\"", offered)];
    let error = lab.run(&folder, false).await.err().unwrap();
    expected.assert_eq(&error.to_string());
}

#[tokio::test]
async fn a_truth_that_is_impossible_is_refused() {
    refused(
        "world=\"empty\" offered=\"list_bucket\"",
        expect!["test/create-1.xml: offers list_bucket, and the domain s3 has no such operation"],
    )
    .await;
    refused("world=\"empty\" offered=\"list_buckets\"", expect!["test/create-1.xml: turn 2 has the signature ebfe4c40, and its programs give 0cc9ff6c here; `dialog2api dataset check` says what differs, `dialog2api dataset annotate --write` writes what they do"]).await;
}
