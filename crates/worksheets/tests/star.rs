//! Dialogues of STAR: what the sheets do beside what the wizard did. The three dialogues are
//! under the licence in `data/star`.

use worksheets::star::{
    Protocol, StarDialogue, StarTask, after_label, commonest, predictions, report, scores,
};
use worksheets::{Severity, check};

fn dialogues(task: StarTask) -> Vec<StarDialogue> {
    let text = match task {
        StarTask::Bank => include_str!("data/star/bank.jsonl"),
        StarTask::Trip => include_str!("data/star/trip.jsonl"),
        StarTask::Trivia => include_str!("data/star/trivia.jsonl"),
    };
    StarDialogue::read(text).unwrap()
}

/// The labels of the turns that have one: the wizard's, where the sheets do the same, else both.
#[track_caller]
fn same(task: StarTask, protocol: Protocol, wanted: &[&str]) {
    let predictions = predictions(task, &dialogues(task), protocol);
    let found: Vec<String> = predictions
        .iter()
        .map(|one| match (one.gold == one.strict, one.is_right()) {
            (true, _) => one.gold.clone(),
            (false, right) => {
                let mark = if right { "or" } else { "not" };
                format!("{} {mark} {}", one.strict, one.gold)
            }
        })
        .collect();
    assert_eq!(found, wanted);
}

#[test]
fn the_sheets_have_no_errors() {
    for task in StarTask::ALL {
        let problems = check(&task.sheets());
        let errors = problems
            .iter()
            .filter(|problem| problem.severity == Severity::Error);
        assert_eq!(errors.count(), 0, "{problems:?}");
        assert!(task.sheets().main().is_some());
    }
}

#[test]
fn a_fraud_is_reported() {
    let wanted = [
        "hello",
        "ask_name",
        "bank_ask_pin",
        "bank_ask_fraud_details",
        "bank_inform_fraud_report_submitted",
        "goodbye_1",
        "goodbye_1",
    ];
    same(StarTask::Bank, Protocol::Own, &wanted);
    same(StarTask::Bank, Protocol::Gold, &wanted);
}

#[test]
fn directions_are_told_step_by_step() {
    let wanted = [
        "hello",
        "trip_inform_simple_step_ask_proceed not trip_inform_detailed_step",
        "trip_inform_simple_step_ask_proceed",
        "trip_inform_simple_step_ask_proceed",
        "trip_inform_last_step_and_done",
        "trip_inform_last_step_and_done",
        "trip_instructions_done or anything_else",
    ];
    same(StarTask::Trip, Protocol::Gold, &wanted);
    same(StarTask::Trip, Protocol::Own, &wanted);
}

#[test]
fn a_game_is_played() {
    let wanted = [
        "hello",
        "trivia_inform_answer_incorrect_ask_next",
        "trivia_ask_question",
        "trivia_inform_answer_correct_ask_next",
        "trivia_ask_question",
        "trivia_ask_question",
        "trivia_inform_answer_correct_ask_next",
        "trivia_bye",
    ];
    same(StarTask::Trivia, Protocol::Gold, &wanted);
    same(StarTask::Trivia, Protocol::Own, &wanted);
}

#[test]
fn baselines_count_in_the_file_itself() {
    let dialogues = dialogues(StarTask::Trivia);
    let all = scores(&commonest(&dialogues));
    assert_eq!(all.turns, 8);
    assert_eq!(all.strict.accuracy.value, 0.375);
    let after = scores(&after_label(&dialogues));
    assert!(after.strict.accuracy.value > all.strict.accuracy.value);
}

#[test]
fn lines_that_are_no_dialogues_are_named() {
    let why = StarDialogue::read("\n{\"dialogue_id\": 1}\n").unwrap_err();
    assert!(why.starts_with("line 2 is no dialogue: "), "{why}");
    // Numbers of events that there are not.
    let odd = r#"{"dialogue_id": 1, "events": [], "turns": [
        {"event": 9, "user": "1234", "gold_pick_last": "hello"},
        {"event": 3, "user": "more detail?", "prev_system": "bank_ask_dob", "gold_pick_last": "x"}]}"#;
    let odd = StarDialogue::read(&odd.replace('\n', " ")).unwrap();
    for task in StarTask::ALL {
        for protocol in [Protocol::Own, Protocol::Gold] {
            assert_eq!(predictions(task, &odd, protocol).len(), 2);
        }
    }
}

/// Nothing but a wizard's own label is right strictly; the figures of the papers stand beside.
#[test]
fn a_report_has_both_counts_and_the_papers_figures() {
    let all = report(StarTask::Bank, &dialogues(StarTask::Bank));
    let wanted = "\
bank, 1 dialogue
  commonest label                  n 7  strict: accuracy 28.57 [28.6, 28.6] F1 12.70 [12.7, 12.7]  lenient: accuracy 28.57 [28.6, 28.6] F1 12.70 [12.7, 12.7]
  label after label                n 7  strict: accuracy 100.00 [100.0, 100.0] F1 100.00 [100.0, 100.0]  lenient: accuracy 100.00 [100.0, 100.0] F1 100.00 [100.0, 100.0]
  worksheets, own state            n 7  strict: accuracy 100.00 [100.0, 100.0] F1 100.00 [100.0, 100.0]  lenient: accuracy 100.00 [100.0, 100.0] F1 100.00 [100.0, 100.0]
  worksheets, gold state (oracle)  n 7  strict: accuracy 100.00 [100.0, 100.0] F1 100.00 [100.0, 100.0]  lenient: accuracy 100.00 [100.0, 100.0] F1 100.00 [100.0, 100.0]
  Genie, GPT-4 Turbo               F1 82.5 (reported, other annotations)
";
    let text: String = all.text().split_inclusive('\n').take(6).collect();
    assert_eq!(text, wanted);
    let labels = report(StarTask::Trip, &dialogues(StarTask::Trip)).labels_text();
    let second = labels.lines().find(|line| line.contains("detailed_step"));
    let wanted = "  trip_inform_detailed_step            n    1  F1   0.0  1 time trip_inform_simple_step_ask_proceed";
    assert_eq!(second, Some(wanted));
    let json = all.json();
    assert_eq!(json["rows"][2]["lenient"]["accuracy"]["value"], 1.0);
    assert_eq!(json["reported"][0]["f1_percent"], 82.5);
}
