//! Prompts for a model that was trained on dialogues of the domain.

use crate::agent::fake::{agent_with, block_on};
use dialog2api::agent::{Session, Settings, TurnReport, Unwatched};
use dialog2api::dataset;
use dialog2api::dialogue::{read_transcript, read_updates};
use dialog2api::llm::{Message, Request};
use dialog2api::prompts::{Form, trained};
use expect_test::{Expect, expect};
use std::path::Path;

fn text(messages: &[Message]) -> String {
    let lines = messages
        .iter()
        .map(|it| format!("[{:?}] {}\n", it.role, it.content));
    lines.collect()
}

/// The turns of a dialogue with these answers. Its user says `go on` again and again.
fn turns(answers: &[&str], count: usize, settings: Settings) -> (Session, Vec<TurnReport>) {
    let form = Form::Trained;
    let agent = agent_with(
        answers,
        Settings {
            protocol: form.protocol(),
            ..settings
        },
    );
    let mut session = Session::new();
    let turn = |_| block_on(agent.turn(&mut session, "go on", &mut Unwatched));
    let reports = (0..count).map(turn).collect();
    (session, reports)
}

fn requests(reports: &[TurnReport]) -> Vec<&Request> {
    let exchanges = reports.iter().flat_map(|report| &report.exchanges);
    exchanges.map(|exchange| &exchange.request).collect()
}

#[test]
fn a_dialogue_as_a_model_is_trained_on_it() {
    let dialogue = r#"<conversation uid="x">
<turns>
<turn>Agent: How can I help you?</turn>
<turn>User: delete a bucket</turn>
<goal uid="1" status="drafting">
<program>
s3.delete_bucket(Bucket=?1)
</program>
</goal>
<turn>Agent: Which one?</turn>
<turn>User: zoology, and how many have I?</turn>
<goal uid="1" status="drafting">
<program>
s3.delete_bucket(Bucket="zoology")
</program>
</goal>
<goal uid="2" status="final">
<program>
return len(s3.list_buckets()["Buckets"])
</program>
<result>2</result>
<error/>
</goal>
<turn>Agent: 2. Shall I delete "zoology"?</turn>
<turn>User: yes</turn>
<goal uid="1" status="final">
<program>
s3.delete_bucket(Bucket="zoology")
</program>
<result>null</result>
<error>{"error": "BucketNotEmpty", "message": "It is not empty"}</error>
</goal>
<turn>Agent: It is not empty.</turn>
<turn>User: never mind, bye</turn>
<goal uid="3" status="final">
<program>
raise EndDialog()
</program>
<result>null</result>
<error>{"error": "EndDialog", "message": ""}</error>
</goal>
<turn>Agent: Goodbye!</turn>
</turns>
</conversation>
"#;
    let dialogue = read_transcript(dialogue).expect("a dialogue");
    expect![[r#"
        [System] You write Python programs for what the user says, and then say what came of them.
        [User] delete a bucket
        [Assistant] 1 drafting
        s3.delete_bucket(Bucket=?1)
        [User] 1 drafting
        [Assistant] Which one?
        [User] zoology, and how many have I?
        [Assistant] 1 drafting
        s3.delete_bucket(Bucket="zoology")
        2 final
        return len(s3.list_buckets()["Buckets"])
        [User] 1 drafting
        2 gave 2
        [Assistant] 2. Shall I delete "zoology"?
        [User] yes
        [Assistant] 1 final
        [User] 1 failed: BucketNotEmpty: It is not empty
        [Assistant] It is not empty.
        [User] never mind, bye
        [Assistant] 3 final
        raise EndDialog()
        [User] 3 failed: EndDialog
        [Assistant] Goodbye!
    "#]]
    .assert_eq(&text(&trained::lesson(&dialogue, 1000)));
}

#[test]
fn every_goal_of_the_training_parts_can_be_read_again() {
    for name in ["s3", "s3-manage"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("datasets")
            .join(name);
        for dialogue in dataset::read(&folder).expect("a dataset") {
            for turn in &dialogue.transcript.turns {
                let updates: Vec<_> = turn.goals.iter().map(|goal| goal.update()).collect();
                let written = trained::write_goals(&updates);
                let read = trained::read_goals(&written).expect("goals");
                assert_eq!(
                    trained::write_goals(&read),
                    written,
                    "{}",
                    dialogue.path.display()
                );
                let same = updates.iter().zip(&read).all(|(one, other)| {
                    let code = |it: &dialog2api::dialogue::Update| {
                        let code = it.program.as_ref().map(|program| program.code().trim_end());
                        code.unwrap_or_default().trim_start_matches('\n').to_owned()
                    };
                    (one.uid, one.status, code(one)) == (other.uid, other.status, code(other))
                });
                assert!(same && updates.len() == read.len(), "{written}");
            }
        }
    }
}

#[track_caller]
fn check_notation(text: &str, expected: Expect) {
    expected.assert_eq(&match trained::read_goals(text) {
        Ok(goals) => Form::Chat.protocol().write_updates(&goals),
        Err(error) => error.to_string(),
    });
}

#[test]
fn goals_as_models_write_them() {
    check_notation(
        "1 abandoned\n2 final\nreturn 1\n",
        expect![[r#"
        <goal uid="1" status="abandoned"/>
        <goal uid="2" status="final">
        <program>
        return 1
        </program>
        </goal>"#]],
    );
    check_notation(
        "\n12 drafting\n\nif a:\n    b(?1)\n\n",
        expect![[r#"
        <goal uid="12" status="drafting">
        <program>

        if a:
            b(?1)
        </program>
        </goal>"#]],
    );
    check_notation("1 final", expect![[r#"<goal uid="1" status="final"/>"#]]);
    check_notation("", expect![[r#""#]]);
    check_notation(
        "Sure!\n1 final\nreturn 1",
        expect!["line 1, column 1: expected the uid and the status of a goal, as in `1 final`"],
    );
    check_notation(
        "01 final\nreturn 1",
        expect!["line 1, column 1: expected the uid and the status of a goal, as in `1 final`"],
    );
    check_notation(
        "99999999999 final",
        expect!["line 1, column 1: expected the uid and the status of a goal, as in `1 final`"],
    );
    check_notation(
        "1 done",
        expect!["line 1, column 1: expected the uid and the status of a goal, as in `1 final`"],
    );
}

#[test]
fn a_line_that_looks_like_a_goal_stays_a_line() {
    let code = "text = \"\"\"\n2 final\n\\2 final\n\\\\n\n\"\"\"";
    let goal = format!("<goal uid=\"1\" status=\"final\"><program>\n{code}\n</program></goal>");
    let updates = read_updates(&goal).expect("a goal");
    let written = trained::write_goals(&updates);
    assert!(
        written.contains("\n\\2 final\n\\\\2 final\n\\\\n\n"),
        "{written}"
    );
    assert_eq!(trained::read_goals(&written), Ok(updates));
}

#[test]
fn a_prompt_begins_with_the_one_before() {
    let answers = [
        "1 final\nkeys 3",
        "Three.",
        "2 drafting\nput a/?1",
        "Where?",
        "2 final\nput a/b",
        "Done.",
    ];
    let (_, reports) = turns(&answers, 3, Settings::default());
    assert!(reports.iter().all(|report| report.failure.is_none()));
    let requests = requests(&reports);
    assert_eq!(requests.len(), 6);
    for pair in requests.windows(2) {
        assert!(pair[1].messages.starts_with(&pair[0].messages));
    }
    let last = requests.last().expect("a request");
    expect![[r#"
        [System] You write Python programs for what the user says, and then say what came of them.
        [User] go on
        [Assistant] 1 final
        keys 3
        [User] 1 gave ["2024/03/key-0000","2024/03/key-0001","2024/03/key-0002"]
        [Assistant] Three.
        [User] go on
        [Assistant] 2 drafting
        put a/?1
        [User] 2 drafting
        [Assistant] Where?
        [User] go on
        [Assistant] 2 final
        put a/b
        [User] 2 gave null
    "#]]
    .assert_eq(&text(&last.messages));
}

#[test]
fn a_rejected_answer_is_drawn_again_from_the_same_prompt() {
    let answers = ["Sure!", "Okay!", "2 end", "1 final\nreturn 1", "One."];
    let (_, reports) = turns(&answers, 1, Settings::default());
    let draws = &requests(&reports)[..4];
    for pair in draws.windows(2) {
        assert_eq!(pair[0].messages, pair[1].messages);
    }
    let drawn = draws.iter().map(|it| (it.seed, it.temperature));
    let drawn: Vec<_> = drawn.collect();
    assert_eq!(
        drawn,
        [
            (Some(0), 0.0),
            (Some(1), 0.7),
            (Some(2), 0.9),
            (Some(3), 1.1)
        ]
    );
    assert_eq!(reports[0].reply, "One.");
}

#[test]
fn the_fourth_draw_is_the_last() {
    let (_, reports) = turns(&["Sure!"; 4], 1, Settings::default());
    let failure = reports[0].failure.as_ref().expect("a failure");
    expect!["the model's answer could not be used, even after it was asked again: line 1, column 1: expected the uid and the status of a goal, as in `1 final`"].assert_eq(&failure.to_string());
}

#[test]
fn the_oldest_of_too_many_drafts_give_way() {
    let mut answers = Vec::new();
    for uid in 1..=150 {
        let draft = format!("{uid} drafting\nput a-bucket-with-a-long-name-of-its-own/?1");
        answers.extend([draft, "Where?".to_owned()]);
    }
    let answers: Vec<&str> = answers.iter().map(String::as_str).collect();
    let (session, reports) = turns(&answers, 150, Settings::default());
    assert!(reports.iter().all(|report| report.failure.is_none()));
    assert_eq!(session.stack().goals().len(), 150);
    let requests = requests(&reports);
    for request in &requests {
        let size: usize = request.messages.iter().map(|it| it.content.len()).sum();
        assert!(size / 3 <= trained::BUDGET as usize, "{size} bytes");
    }
    let last = text(&requests.last().expect("a request").messages);
    assert!(!last.contains("[Assistant] 1 drafting\n"), "{last}");
    assert!(last.contains("[Assistant] 149 drafting\n"), "{last}");
}

#[test]
fn an_old_draft_stays_when_old_turns_give_way() {
    let mut answers = vec!["1 drafting\nput a/?1".to_owned(), "Where?".to_owned()];
    for uid in 2..60 {
        answers.extend([format!("{uid} final\nkeys 100"), "A hundred.".to_owned()]);
    }
    answers.extend(["1 final\nput a/b".to_owned(), "Done.".to_owned()]);
    let answers: Vec<&str> = answers.iter().map(String::as_str).collect();
    let (_, reports) = turns(&answers, 60, Settings::default());
    let requests = requests(&reports);
    assert_eq!(requests.len(), 120);
    let mut read_again = 0;
    for pair in requests.windows(2) {
        let size: usize = pair[1].messages.iter().map(|it| it.content.len()).sum();
        assert!(size < trained::BUDGET as usize * 3);
        read_again += usize::from(!pair[1].messages.starts_with(&pair[0].messages));
        let shown = text(&pair[1].messages);
        assert!(
            shown.contains("[Assistant] 1 drafting\nput a/?1\n"),
            "{shown}"
        );
    }
    // Old turns give way in steps: most prompts only grow.
    assert!((1..30).contains(&read_again), "{read_again}");
    let last = requests.last().expect("a request");
    assert!(!text(&last.messages).contains("\n2 gave"));
}
