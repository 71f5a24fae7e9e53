//! The log of a run, in both modes.

use crate::eval::lab::{Fake, Lab, REQUESTS, bytes, folder, shown};
use dialog2api::eval::log::EvalMode;
use dialog2api::eval::read::read;
use dialog2api::retrieval::Task;
use expect_test::{Expect, expect};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Runs a model on everything, and compares the log.
async fn check(model: Fake, mode: EvalMode, expected: Expect) -> Arc<Fake> {
    let (_home, folder) = folder();
    let model = Arc::new(model);
    let mut lab = Lab::asking(&model);
    lab.wanted.mode = mode;
    let tally = lab.run(&folder, false).await.unwrap();
    let emr = tally
        .emr()
        .map_or_else(String::new, |emr| format!("{emr:.3}"));
    expected.assert_eq(&format!("{}\nEMR {emr}", shown(&folder)));
    model
}

#[tokio::test]
async fn a_model_that_is_right_is_right_everywhere() {
    let model = check(
        Fake::default(),
        EvalMode::EndToEnd,
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
    assert_eq!(model.answers(), REQUESTS);
}

/// A wrong name, and a program that runs too early.
fn mistakes() -> Fake {
    Fake {
        wrong: BTreeMap::from([
            (
                "its name is new-1",
                (
                    "<goal uid=\"1\" status=\"final\"><program>\ns3.create_bucket(Bucket=\"new-2\")\n</program></goal>",
                    "Agent: There it is.",
                ),
            ),
            (
                "two and three?",
                (
                    "<goal uid=\"1\" status=\"final\"><program>\nreturn 6\n</program></goal>",
                    "Agent: 6",
                ),
            ),
        ]),
        ..Fake::default()
    }
}

#[tokio::test]
async fn a_mistake_stays_where_the_dialogue_is_the_models_own() {
    check(
        mistakes(),
        EvalMode::EndToEnd,
        expect![[r#"
        create-1 1.1 same | 1 drafting | Which name? | 2 exchanges
        create-1 1.2 other state | 1 final = null | There it is. | 2 exchanges
        create-1 1.3 other state | 2 final = 1 | 1 bucket. | 2 exchanges
        drop-1 1.1 same | 1 drafting | What did you plan? | 2 exchanges
        drop-1 1.2 same | 1 abandoned | As you wish. | 2 exchanges
        sum-1 1.1 same state | 1 final = 6 | 6 | 2 exchanges
        sum-1 1.2 same | 2 final = 10 | 10 | 2 exchanges
        talk-1 1.1 same | 1 final = ChitChat | It is, I hope. | 2 exchanges
        all 4 dialogues are finished (8 turns)
        EMR 0.583"#]],
    )
    .await;
}

#[tokio::test]
async fn a_mistake_is_forgotten_where_the_past_is_the_truth() {
    check(
        mistakes(),
        EvalMode::TeacherForced,
        expect![[r#"
        create-1 1.1 same | 1 drafting | Which name? | 2 exchanges
        create-1 1.2 other state | 1 final = null | There it is. | 2 exchanges
        create-1 1.3 same | 2 final = 1 | 1 bucket. | 2 exchanges
        drop-1 1.1 same | 1 drafting | What did you plan? | 2 exchanges
        drop-1 1.2 same | 1 abandoned | As you wish. | 2 exchanges
        sum-1 1.1 same state | 1 final = 6 | 6 | 2 exchanges
        sum-1 1.2 same | 2 final = 10 | 10 | 2 exchanges
        talk-1 1.1 same | 1 final = ChitChat | It is, I hope. | 2 exchanges
        all 4 dialogues are finished (8 turns)
        EMR 0.583"#]],
    )
    .await;
}

#[tokio::test]
async fn nonsense_is_scored_and_the_run_finishes() {
    let model = Fake {
        always: Some("I would rather not."),
        ..Fake::default()
    };
    check(model, EvalMode::EndToEnd, expect![[r#"
        create-1 1.1 same |  | Sorry, the model's answer could not be used, even after it was asked again: line 1, column 1: expected a goal, such as <goal uid="1" status="drafting"> with its <program>, found `I would rather not.`. Nothing was changed; please try again. (Programs: the model's answer could not be used, even after it was asked again: line 1, column 1: expected a goal, such as <goal uid="1" status="drafting"> with its <program>, found `I would rather not.`) | 2 exchanges
        create-1 1.2 other state |  | Sorry, the model's answer could not be used, even after it was asked again: line 1, column 1: expected a goal, such as <goal uid="1" status="drafting"> with its <program>, found `I would rather not.`. Nothing was changed; please try again. (Programs: the model's answer could not be used, even after it was asked again: line 1, column 1: expected a goal, such as <goal uid="1" status="drafting"> with its <program>, found `I would rather not.`) | 2 exchanges
        create-1 1.3 other state |  | Sorry, the model's answer could not be used, even after it was asked again: line 1, column 1: expected a goal, such as <goal uid="1" status="drafting"> with its <program>, found `I would rather not.`. Nothing was changed; please try again. (Programs: the model's answer could not be used, even after it was asked again: line 1, column 1: expected a goal, such as <goal uid="1" status="drafting"> with its <program>, found `I would rather not.`) | 2 exchanges
        drop-1 1.1 same |  | Sorry, the model's answer could not be used, even after it was asked again: line 1, column 1: expected a goal, such as <goal uid="1" status="drafting"> with its <program>, found `I would rather not.`. Nothing was changed; please try again. (Programs: the model's answer could not be used, even after it was asked again: line 1, column 1: expected a goal, such as <goal uid="1" status="drafting"> with its <program>, found `I would rather not.`) | 2 exchanges
        drop-1 1.2 same |  | Sorry, the model's answer could not be used, even after it was asked again: line 1, column 1: expected a goal, such as <goal uid="1" status="drafting"> with its <program>, found `I would rather not.`. Nothing was changed; please try again. (Programs: the model's answer could not be used, even after it was asked again: line 1, column 1: expected a goal, such as <goal uid="1" status="drafting"> with its <program>, found `I would rather not.`) | 2 exchanges
        sum-1 1.1 same state |  | Sorry, the model's answer could not be used, even after it was asked again: line 1, column 1: expected a goal, such as <goal uid="1" status="drafting"> with its <program>, found `I would rather not.`. Nothing was changed; please try again. (Programs: the model's answer could not be used, even after it was asked again: line 1, column 1: expected a goal, such as <goal uid="1" status="drafting"> with its <program>, found `I would rather not.`) | 2 exchanges
        sum-1 1.2 same state |  | Sorry, the model's answer could not be used, even after it was asked again: line 1, column 1: expected a goal, such as <goal uid="1" status="drafting"> with its <program>, found `I would rather not.`. Nothing was changed; please try again. (Programs: the model's answer could not be used, even after it was asked again: line 1, column 1: expected a goal, such as <goal uid="1" status="drafting"> with its <program>, found `I would rather not.`) | 2 exchanges
        talk-1 1.1 same state |  | Sorry, the model's answer could not be used, even after it was asked again: line 1, column 1: expected a goal, such as <goal uid="1" status="drafting"> with its <program>, found `I would rather not.`. Nothing was changed; please try again. (Programs: the model's answer could not be used, even after it was asked again: line 1, column 1: expected a goal, such as <goal uid="1" status="drafting"> with its <program>, found `I would rather not.`) | 2 exchanges
        all 4 dialogues are finished (8 turns)
        EMR 0.000"#]]).await;
}

#[tokio::test]
async fn what_the_model_saw_is_its_own_past_or_the_truth() {
    let mut seen = String::new();
    for mode in [EvalMode::EndToEnd, EvalMode::TeacherForced] {
        let (_home, folder) = folder();
        let mut lab = Lab::asking(&Arc::new(mistakes()));
        lab.wanted.mode = mode;
        lab.run(&folder, false).await.unwrap();
        let turns = read(&folder).unwrap().turns;
        let turn = turns
            .iter()
            .find(|turn| turn.truth.utterance == "and times two?");
        let turn = turn.unwrap();
        let stack = turn.stack.first().unwrap();
        let asked = &turn.exchanges.first().unwrap().request.messages;
        let last = &asked.last().unwrap().content;
        seen.push_str(&format!(
            "{mode:?}: {:?} {:?} after {:?}\n{last}\n\n",
            stack.program, stack.result, turn.previous_response
        ));
    }
    expect![[r#"
        EndToEnd: Some("\nreturn 6\n") Some("6") after "6"
        Today is Wednesday, 2024-05-01 (UTC).

        Dialogue 3
        <stack>
        <goal uid="1" status="final">
        <program>
        return 6
        </program>
        <result>6</result>
        <error/>
        </goal>
        </stack>
        <turn>Agent: 6</turn>
        <turn>User: and times two?</turn>

        TeacherForced: Some("\nreturn 2 + 3\n") Some("5") after "5"
        Today is Wednesday, 2024-05-01 (UTC).

        Dialogue 3
        <stack>
        <goal uid="1" status="final">
        <program>
        return 2 + 3
        </program>
        <result>5</result>
        <error/>
        </goal>
        </stack>
        <turn>Agent: 5</turn>
        <turn>User: and times two?</turn>

    "#]]
    .assert_eq(&seen);
}

#[tokio::test]
async fn the_log_does_not_depend_on_how_much_is_done_at_once() {
    let mut logs = Vec::new();
    for concurrency in [1, 3] {
        let (_home, folder) = folder();
        let mut lab = Lab::asking(&Arc::new(mistakes()));
        lab.concurrency = concurrency;
        lab.wanted.epochs = 2;
        lab.run(&folder, false).await.unwrap();
        logs.push(bytes(&folder));
    }
    assert_eq!(logs.first(), logs.last());
}

#[tokio::test]
async fn no_example_is_of_the_dialogue_or_the_goal_under_test() {
    let (_home, folder) = folder();
    let mut lab = Lab::asking(&Arc::new(Fake::default()));
    // What is trained on is tested.
    lab.wanted.split = None;
    lab.changes = vec![("rain-1", "goal=\"rain\"", "goal=\"make\"")];
    lab.run(&folder, false).await.unwrap();
    let mut prompts = 0;
    for turn in read(&folder).unwrap().turns {
        if !matches!(turn.truth.dialogue.as_str(), "make-1" | "rain-1") {
            continue;
        }
        for exchange in &turn.exchanges {
            // The instructions and the turn itself, as far as it has come.
            let own = match exchange.task {
                Task::Program => 2,
                Task::Response => 4,
            };
            assert_eq!(exchange.request.messages.len(), own, "{exchange:#?}");
            prompts += 1;
        }
    }
    assert_eq!(prompts, 6);
}

#[tokio::test]
async fn every_epoch_is_asked_anew_with_another_seed() {
    let (_home, folder) = folder();
    let model = Arc::new(Fake::default());
    let mut lab = Lab::asking(&model);
    (lab.wanted.epochs, lab.wanted.limit) = (2, Some(1));
    lab.run(&folder, false).await.unwrap();
    assert_eq!(model.answers(), 2 * 6);
    let turns = read(&folder).unwrap().turns;
    let seeds = turns
        .iter()
        .map(|turn| turn.exchanges.first().unwrap().request.seed);
    assert_eq!(
        seeds.collect::<Vec<_>>(),
        [0, 0, 0, 1_000_003, 1_000_003, 1_000_003].map(Some)
    );
}

#[tokio::test]
async fn a_truth_that_is_not_true_is_not_run() {
    let cases = [
        ("<signature>", "<signature>0"),
        ("<result>5</result>\n<error/>\n", ""),
        ("world=\"empty\"", "world=\"full\""),
        ("world=\"empty\"", "planet=\"empty\""),
        ("status=\"final\"", "status=\"abandoned\""),
        ("uid=\"sum-1\"", "uid=\"drop-1\""),
        ("<turns>", "<terns>"),
    ];
    let mut seen = String::new();
    for (old, new) in cases {
        let (_home, folder) = folder();
        let model = Arc::new(Fake::default());
        let mut lab = Lab::asking(&model);
        lab.changes = vec![("sum-1", old, new)];
        let error = lab.run(&folder, false).await.unwrap_err();
        seen.push_str(&format!("{error}\n"));
        assert_eq!(model.answers(), 0);
        assert!(!folder.exists());
    }
    expect![[r#"
        test/sum-1.xml: turn 1 has the signature 0bc35a5a2, and its programs give bc35a5a2 here; `dialog2api dataset check` says what differs, `dialog2api dataset annotate --write` writes what they do
        test/sum-1.xml: turn 1 does not say what came of its program; `dialog2api dataset annotate --write` writes it
        test/sum-1.xml: starts from a world "full", and there is none of that name: neither in worlds nor with the program (`dialog2api world list` names those)
        test/sum-1.xml: names no world to start from: write <conversation uid="…" world="NAME">
        test/sum-1.xml: turn 1: goal 1 is not on the stack, so it can not be abandoned; a goal starts as "drafting" or "final"
        test/sum-1.xml: test/drop-1.xml has the uid "drop-1" too; rename one of them
        test/sum-1.xml: line 5, column 1: expected <turns>, found `<terns>`
    "#]].assert_eq(&seen);
}
