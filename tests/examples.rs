//! The programs in `examples/` do what they say.
#![allow(dead_code, reason = "the `main` of an example is for people")]

#[path = "../examples/embed.rs"]
mod embed;
#[path = "../examples/front_end.rs"]
mod front_end;
#[path = "../examples/function_as_model.rs"]
mod function_as_model;
#[path = "../examples/own_domain.rs"]
mod own_domain;
#[path = "../examples/own_policy.rs"]
mod own_policy;
#[path = "../examples/s3_server.rs"]
mod s3_server;
#[path = "../examples/star_model/main.rs"]
mod star_model;

use dialog2api::exec::Cache;
use dialog2api::llm::Script;
use expect_test::expect;
use star_model::prompts::{TurnPrompts, examples};
use star_model::run::{Asker, Wanted, score};
use std::path::Path;
use std::sync::Arc;
use worksheets::State;
use worksheets::star::{Protocol, StarDialogue, StarTask};

fn cache() -> Cache {
    Cache::at(Path::new(env!("CARGO_TARGET_TMPDIR")).join("sandbox"))
}

#[tokio::test]
async fn the_agent_can_be_embedded() {
    let sessions = tempfile::tempdir().unwrap();
    assert_eq!(
        embed::converse(&cache(), sessions.path()).await.unwrap(),
        "buckets to create: 1\nThe bucket attic is there."
    );
}

/// The names of the events and what became of the plan.
#[tokio::test]
async fn a_front_end_draws_events_and_passes_answers_on() {
    let sessions = tempfile::tempdir().unwrap();
    let mut out = Vec::new();
    let said = "make a bucket attic\nyes\nwhich are there?\n";
    front_end::converse(&cache(), sessions.path(), said.as_bytes(), &mut out)
        .await
        .unwrap();
    let lines = String::from_utf8(out).unwrap();
    let mut names: Vec<String> = Vec::new();
    for line in lines.lines() {
        let event: serde_json::Value = serde_json::from_str(line).unwrap();
        let name = event["event"].as_str().unwrap().to_owned();
        if names.last() != Some(&name) {
            names.push(name);
        }
    }
    expect!["opened turn_started asking text stack started called plan decided applying executed asking text turn_ended turn_started asking text stack started called executed asking text turn_ended"].assert_eq(&names.join(" "));
}

#[tokio::test]
async fn a_domain_can_be_written_in_rust() {
    expect![[r#"
        draft: <result>42</result>
        <error/>
        draft: <result>null</result>
        <error>{"error": "OnlyUpwards", "message": "a counter only grows: use a number above 0"}</error>
        world: <result>42</result>
        <error/>
        world: <result>null</result>
        <error>{"error": "OnlyUpwards", "message": "a counter only grows: use a number above 0"}</error>
    "#]].assert_eq(&own_domain::count(&cache()).await.unwrap());
}

#[tokio::test]
async fn a_policy_holds_what_programs_do() {
    expect![[r#"
        <result>2</result>
        <error/>
        <result>null</result>
        <error>{"error": "AccessDenied", "message": "An error occurred (AccessDenied) when calling the DeleteObject operation: The policy does not allow this: protected_buckets has \"zoology-*\", which denies delete_object on zoology-bucket/sea_animals/otter.txt."}</error>
        <result>"made"</result>
        <error/>
    "#]].assert_eq(&own_policy::guarded(&cache()).await.unwrap());
}

#[tokio::test]
async fn a_function_is_scored_as_a_model() {
    let folder = tempfile::tempdir().unwrap();
    let dataset = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/s3-everyday");
    let run = folder.path().join("run");
    let figures = function_as_model::evaluate(&cache(), &dataset, &run).await;
    expect![[r#"
        emr 0.500
        complete 0.500
        turn_match 0.500
        state_emr 0.750
        executing_emr 0.500
        bleu 1.646
        strict_emr 0.500
        strict_turn_match 0.500
    "#]]
    .assert_eq(&figures.unwrap());
}

#[tokio::test]
async fn a_world_is_a_server_for_tests() {
    assert_eq!(s3_server::serve().await.unwrap(), "feed the seals");
}

/// A made-up dialogue like those of STAR.
const STAR: &str = r#"{"dialogue_id": ID, "events": [
    {"kind": "user", "text": "I want to play"},
    {"kind": "wizard", "text": "Which question comes first?"},
    {"kind": "user", "text": "Number 3, please"},
    {"kind": "return", "item": {"Question": "What is the capital of France?", "Answer": "Paris"}},
    {"kind": "wizard", "text": "What is the capital of France?"},
    {"kind": "user", "text": "Paris"},
    {"kind": "wizard", "text": "Correct. Another one?"},
    {"kind": "user", "text": "No, thanks"},
    {"kind": "wizard", "text": "Bye"}],
  "turns": [
    {"event": 0, "user": "I want to play", "gold_pick_last": "trivia_ask_question_number"},
    {"event": 2, "user": "Number 3, please", "prev_system": "trivia_ask_question_number",
     "gold_pick_last": "trivia_ask_question"},
    {"event": 5, "user": "Paris", "prev_system": "trivia_ask_question",
     "gold_pick_last": "trivia_inform_answer_correct_ask_next"},
    {"event": 7, "user": "No, thanks", "prev_system": "trivia_inform_answer_correct_ask_next",
     "gold_pick_last": "trivia_bye"}]}"#;

fn star(dialogues: usize) -> Vec<StarDialogue> {
    let line = STAR.replace('\n', " ");
    let lines = (1..=dialogues).map(|id| line.replace("ID", &id.to_string()));
    let lines: Vec<String> = lines.collect();
    StarDialogue::read(&lines.join("\n")).unwrap()
}

async fn star_scored(protocol: Protocol, dialogues: usize, answers: &[&str]) -> String {
    let mut asker = Asker::new(Arc::new(Script::new(answers.to_vec())), None);
    let wanted = Wanted {
        task: StarTask::Trivia,
        protocol,
        limit: None,
        seed: 0,
    };
    let scored = score(&wanted, star(dialogues), &mut asker, &cache()).await;
    scored.map_or_else(|error| error.to_string(), |scored| scored.to_string())
}

#[tokio::test]
async fn a_model_is_scored_on_dialogues_of_star() {
    // The third program is mended, the last one is not.
    let answers = [
        "pass",
        "```python\nMain(starting_question_number=3)\n```",
        "question.user_answer = \"Paris\"",
        "question_answer.user_answer = \"Paris\"",
        "question_answer.go_on = False",
        "question_answer.go_on = False",
    ];
    let scored = star_scored(Protocol::Own, 4, &answers).await;
    expect![[r#"
        trivia, own state, script
          the model's programs             n 4  strict: accuracy 75.00 [75.0, 75.0] F1 66.67 [66.7, 66.7]  lenient: accuracy 75.00 [75.0, 75.0] F1 66.67 [66.7, 66.7]
          the record's parses              n 4  strict: accuracy 100.00 [100.0, 100.0] F1 100.00 [100.0, 100.0]  lenient: accuracy 100.00 [100.0, 100.0] F1 100.00 [100.0, 100.0]
          parse F1 80.0, without values 80.0
          dialogues 1, turns asked 4, sent back 2, failed 1
    "#]]
    .assert_eq(&scored);
    // An answer without a program is sent back as well; each turn begins from the record.
    let answers = [
        "",
        "pass",
        "Main(starting_question_number=3)",
        "question_answer.user_answer = \"Paris\"",
        "question_answer.continue_trivia = False",
    ];
    let scored = star_scored(Protocol::Gold, 4, &answers).await;
    expect![[r#"
        trivia, gold state (oracle), script
          the model's programs             n 4  strict: accuracy 100.00 [100.0, 100.0] F1 100.00 [100.0, 100.0]  lenient: accuracy 100.00 [100.0, 100.0] F1 100.00 [100.0, 100.0]
          the record's parses              n 4  strict: accuracy 100.00 [100.0, 100.0] F1 100.00 [100.0, 100.0]  lenient: accuracy 100.00 [100.0, 100.0] F1 100.00 [100.0, 100.0]
          parse F1 100.0, without values 100.0
          dialogues 1, turns asked 4, sent back 1, failed 0
    "#]]
    .assert_eq(&scored);
    assert_eq!(
        star_scored(Protocol::Own, 3, &[]).await,
        "no dialogue is left to play: 3 give the examples, so there must be one more, and --limit \
         must be 1 at least"
    );
}

/// The prompt is that of every agent with worksheets; the examples are turns of the record.
#[test]
fn a_model_sees_examples_of_star() {
    let taught = examples(StarTask::Trivia, Protocol::Own, &star(3));
    let prompts = TurnPrompts::new(StarTask::Trivia, taught, &cache()).unwrap();
    let chat = prompts.chat(&State::default(), "Hello.", "Let us play");
    let chat = chat.unwrap();
    assert!(chat[0].content.contains("class QuestionAnswer:"));
    let shown = chat[1..].iter();
    let shown = shown.map(|it| format!("{:?}: {}\n", it.role, it.content));
    expect![[r##"
        User: You said: Which question comes first?
        The user says: Number 3, please

        The program:
        Assistant: Main(starting_question_number=3)
        User: You said: What is the capital of France?
        The user says: Paris

        The program:
        Assistant: question_answer.user_answer = "Paris"
        User: You said: Correct. Another one?
        The user says: No, thanks

        The program:
        Assistant: question_answer.continue_trivia = False
        User: # nothing yet

        You said: Hello.
        The user says: Let us play

        The program:
    "##]]
    .assert_eq(&shown.collect::<String>());
}
