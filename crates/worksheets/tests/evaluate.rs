//! The figures of the evaluation on dialogues that can be counted by hand.

use serde_json::json;
use worksheets::dialogue::{Dialogue, Turn};
use worksheets::evaluate::{self, DialogueScore, Mode, Report, Tally};
use worksheets::knowledge::{Content, Knowledge, Limits};
use worksheets::{Format, Settings, Sheets, read};

const SHEETS: &str = "WS Name,Kind,Type,Name,Required,Enum Values\n\
    Order,task,,\"order(self.count, size=self.size)\",,\n\
    ,input,int,count,TRUE,\n\
    ,input,Enum,size,TRUE,small\n\
    ,,,,,large\n\
    ,input,text,wish,TRUE,\n\
    ,input,confirm,sure,,\n";

fn turn(program: &str) -> Turn {
    Turn {
        program: program.to_owned(),
        ..Turn::default()
    }
}

/// Two turns: an order, then the yes to it. The backend knows the order of 2 and that of 3.
fn gold() -> Dialogue {
    let mut yes = turn("order.sure = True");
    yes.result = Some(json!({ "calls": [
        { "call": "order(2, size=\"small\")", "result": 1 },
        { "call": "order(3, size=\"small\")", "result": 2 },
    ] }));
    let order = turn("Order(count=2, size=\"small\", wish=\"wrap it in red paper\")");
    Dialogue {
        uid: "d".to_owned(),
        turns: vec![order, yes],
        ..Dialogue::default()
    }
}

fn score(predicted: [&str; 2], mode: Mode) -> DialogueScore {
    let sheets: Sheets = read(SHEETS.as_bytes(), Format::Csv).unwrap();
    let mut knowledge = Knowledge::open(&sheets, &Content::default(), Limits::default()).unwrap();
    let predicted = predicted.map(turn);
    let settings = Settings::default();
    evaluate::dialogue(&sheets, settings, &mut knowledge, &gold(), &predicted, mode).unwrap()
}

fn tally(gold: u64, predicted: u64, common: u64) -> Tally {
    Tally {
        gold,
        predicted,
        common,
    }
}

const RIGHT: [&str; 2] = [
    "Order(count=2, size=\"small\", wish=\"in red paper\")",
    "order.sure = True",
];

/// What a text field says is compared by its presence, and apart by its words.
#[test]
fn a_right_dialogue_is_right() {
    let score = score(RIGHT, Mode::EndToEnd);
    // new, count, size, wish.
    assert_eq!(score.turns[0].parse, tally(4, 4, 4));
    assert_eq!(score.turns[0].acts, tally(1, 1, 1));
    // 2 · 3 common words of 5 and 3.
    assert_eq!(score.turns[0].texts, [0.75]);
    assert_eq!(score.turns[1].execution, tally(1, 1, 1));
    assert_eq!(score.completed, Some(true));
    assert!(score.turns.iter().all(|turn| turn.same_state));
}

#[test]
fn another_value_costs_precision_recall_and_the_goal() {
    let wrong = [
        "Order(count=3, size=\"small\", wish=\"red\")",
        "order.sure = True",
    ];
    let score = score(wrong, Mode::EndToEnd);
    assert_eq!(score.turns[0].parse, tally(4, 4, 3));
    assert_eq!(score.turns[0].slots, tally(4, 4, 4));
    // The same question, another call.
    assert_eq!(score.turns[0].acts, tally(1, 1, 1));
    assert_eq!(score.turns[1].parse, tally(1, 1, 1));
    assert_eq!(score.turns[1].execution, tally(1, 1, 0));
    assert_eq!(score.completed, Some(false));
    let mistakes = &score.errors.0;
    assert_eq!(mistakes["set Order.count"].other_value, 1);
    assert_eq!(mistakes["execution order"].missing, 1);
    assert_eq!(mistakes["execution order"].extra, 1);
}

/// From the gold state the second turn is right, whatever the first one was.
#[test]
fn a_mistake_stays_in_its_turn_where_the_teacher_forces() {
    let lazy = ["pass", "order.sure = True"];
    let forced = score(lazy, Mode::TeacherForced);
    assert_eq!(forced.turns[0].parse, tally(4, 0, 0));
    assert_eq!(forced.turns[0].parse.precision(), None);
    // Without a program the agent opens the sheet and asks for the count.
    assert_eq!(forced.turns[0].acts, tally(1, 1, 0));
    assert_eq!(forced.turns[1].parse, tally(1, 1, 1));
    assert_eq!(forced.completed, None);
    let own = score(lazy, Mode::EndToEnd);
    assert_eq!(own.turns[1].execution, tally(1, 0, 0));
    assert_eq!(own.completed, Some(false));
}

/// Over all elements, by turns and by dialogues: (3 + 1) of 5, (3/4 + 1) / 2 the mean of turns.
#[test]
fn a_report_says_which_average_it_is() {
    let wrong = [
        "Order(count=3, size=\"small\", wish=\"red\")",
        "order.sure = True",
    ];
    let scores = [score(wrong, Mode::EndToEnd), score(RIGHT, Mode::EndToEnd)];
    let report = Report::of(&scores[..1]);
    let recall = report.figure("parse recall").unwrap();
    assert_eq!(recall.all, Some(0.8));
    assert_eq!(recall.turns, Some(0.875));
    assert_eq!(recall.dialogues, Some(0.8));
    let report = Report::of(&scores);
    let recall = report.figure("parse recall").unwrap();
    assert_eq!((recall.all, recall.dialogues), (Some(0.9), Some(0.9)));
    assert_eq!(report.completed, Some(0.5));
    let text = report.text();
    assert!(text.starts_with("2 dialogues, 4 turns\n"), "{text}");
    assert!(text.contains("goal completion"), "{text}");
    assert!(
        text.contains("      0       0       1  set Order.count\n"),
        "{text}"
    );
}

/// A call that nobody recorded fails; nothing is invented.
#[test]
fn a_call_that_was_not_recorded_fails() {
    let more = [
        "Order(count=9, size=\"large\", wish=\"red\")",
        "order.sure = True",
    ];
    let score = score(more, Mode::EndToEnd);
    assert_eq!(score.turns[1].execution, tally(1, 1, 0));
    assert!(!score.turns[1].same_state);
    assert_eq!(score.completed, Some(false));
}
