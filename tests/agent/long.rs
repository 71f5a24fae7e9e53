//! Dialogues that grow long: prompts keep their budget, and say what they leave out.

use crate::agent::fake::{agent_with, block_on, goal};
use dialog2api::agent::{DEFAULT_BUDGET, Failure, Session, Settings, TurnReport, Unwatched};
use dialog2api::dialogue::{
    Goal, GoalRecord, Outcome, Program, Stack, Status, Transcript, Turn, write_stack,
};
use dialog2api::llm::Request;
use dialog2api::prompts::{StackView, ViewLimits};
use expect_test::expect;
use std::fmt::Write as _;

const DONE: &str = "<turn>Agent: Done.</turn>";

/// Says these things to an agent with these answers.
fn converse(answers: &[String], users: &[&str], settings: Settings) -> (Session, Vec<TurnReport>) {
    let answers: Vec<&str> = answers.iter().map(String::as_str).collect();
    let agent = agent_with(&answers, settings);
    let mut session = Session::new();
    let reports = (users.iter())
        .map(|user| block_on(agent.turn(&mut session, user, &mut Unwatched)))
        .collect();
    (session, reports)
}

/// The estimate that a budget is compared with.
fn tokens(request: &Request) -> usize {
    let lengths = request.messages.iter().map(|message| message.content.len());
    lengths.sum::<usize>() / 3
}

#[track_caller]
fn check_budget(reports: &[TurnReport], budget: u32) {
    for (turn, report) in reports.iter().enumerate() {
        assert!(report.failure.is_none(), "turn {turn}: {}", report.reply);
        for exchange in &report.exchanges {
            let tokens = tokens(&exchange.request);
            assert!(tokens <= budget as usize, "turn {turn}: {tokens} tokens");
        }
    }
}

/// The turn itself in the request for the programs of a turn.
fn asked(report: &TurnReport) -> &str {
    let request = &report.exchanges[0].request;
    &request.messages.last().unwrap().content
}

#[test]
fn sixty_turns_with_listings_of_a_thousand_keys_fit_the_default_budget() {
    let mut answers = Vec::new();
    for turn in 1..=60 {
        let code = if turn % 2 == 1 {
            "keys 1000"
        } else {
            "return 1"
        };
        answers.extend([goal(turn, "final", code), DONE.to_owned()]);
    }
    let users = ["what is in the bucket?"; 60];
    let (session, reports) = converse(&answers, &users, Settings::default());
    check_budget(&reports, DEFAULT_BUDGET);
    assert_eq!(session.stack().goals().len(), 60);
    // Shown whole, it would not.
    let settings = Settings {
        budget: Some(u32::MAX),
        ..Settings::default()
    };
    let (_, whole) = converse(&answers, &users, settings);
    assert!(tokens(&whole[59].exchanges[0].request) > DEFAULT_BUDGET as usize);
    // A short dialogue is shown whole.
    assert!(!asked(&reports[4]).contains("left out"));
    // In a long one the last outcomes are.
    let last = asked(&reports[59]);
    assert!(last.contains("\"… (left out: a list of 1000)\""));
    let (_, newest) = last.split_once("<goal uid=\"59\"").unwrap();
    assert!(newest.contains("2024/03/key-0000") && !newest.contains("left out"));
}

/// Goals of a listing each, the first of them the oldest.
fn listings(count: u32) -> Stack {
    let keys: Vec<String> = (0..200).map(|n| format!("2024/03/key-{n:04}")).collect();
    let goals = (1..=count).map(|uid| Goal {
        uid,
        status: Status::Final,
        program: Program::new(&format!(
            "keys = []\nfor page in s3.get_paginator(\"list_objects\").paginate(Bucket=\"b-{uid}\"):\n    keys += page\nreturn keys"
        )),
        outcome: Some(Outcome::Result(keys.clone().into())),
        signature: None,
    });
    Stack::from_goals(goals.collect()).unwrap()
}

fn limits(closed: usize) -> ViewLimits {
    ViewLimits {
        closed,
        ..ViewLimits::of_outcomes(4000)
    }
}

#[test]
fn outcomes_go_before_programs_and_programs_before_goals() {
    let mut table = String::from("goals  whole  no outcome  no program  hidden  bytes\n");
    for count in [1, 5, 6, 7, 8, 20, 60, 100, 150, 200, 1000] {
        let view = StackView::new(&listings(count), &limits(24_000));
        let without_outcome = view.without_outcome - view.without_program;
        writeln!(
            table,
            "{count:5}  {:5}  {without_outcome:10}  {:10}  {:6}  {:5}",
            view.stack.goals().len() - view.without_outcome,
            view.without_program,
            view.hidden,
            write_stack(&view.stack).len(),
        )
        .unwrap();
    }
    expect![[r#"
        goals  whole  no outcome  no program  hidden  bytes
            1      1           0           0       0   4210
            5      5           0           0       0  20986
            6      2           4           0       0   9304
            7      3           4           0       0  13498
            8      4           4           0       0  17692
           20      3          17           0       0  16445
           60      1          59           0       0  17587
          100      1          12          87       0  19370
          150      3           9          53      85  22289
          200      1           8         106      85  21296
         1000      2          20          53     925  20626
    "#]]
    .assert_eq(&table);
}

#[test]
fn a_goal_says_what_is_left_out_of_it() {
    let mut stack = listings(3);
    let draft = Goal {
        uid: 9,
        status: Status::Drafting,
        program: Program::new("s3.delete_bucket(Bucket=?1)"),
        outcome: None,
        signature: None,
    };
    let goals = stack.goals().iter().map(|goal| (**goal).clone());
    stack = Stack::from_goals(goals.chain([draft]).collect()).unwrap();
    let view = StackView::new(&stack, &limits(4600));
    let text = write_stack(&view.stack);
    let (old, newest) = text.split_at(text.find("<goal uid=\"3\"").unwrap());
    expect![[r#"
        <stack>
        <goal uid="1" status="final">
        <program>
        # … (4 lines left out)
        </program>
        <result>"… (left out: a list of 200)"</result>
        <error/>
        </goal>
        <goal uid="2" status="final">
        <program>
        # … (4 lines left out)
        </program>
        <result>"… (left out: a list of 200)"</result>
        <error/>
        </goal>
    "#]]
    .assert_eq(old);
    // The newest outcome and the open goal are whole.
    let (_, open) = newest.split_at(newest.find("<goal uid=\"9\"").unwrap());
    assert!(newest.contains("key-0199"));
    expect![[r#"
        <goal uid="9" status="drafting">
        <program>
        s3.delete_bucket(Bucket=?1)
        </program>
        </goal>
        </stack>"#]]
    .assert_eq(open);
}

#[test]
fn what_is_left_out_stays_left_out_and_prompts_begin_alike() {
    let mut before = StackView::new(&listings(1), &limits(24_000));
    let mut text = write_stack(&before.stack);
    let mut changes = 0;
    for count in 2..=300 {
        let view = StackView::new(&listings(count), &limits(24_000));
        let fronts = |view: &StackView| {
            let hidden = view.hidden;
            [
                hidden,
                hidden + view.without_program,
                hidden + view.without_outcome,
            ]
        };
        assert!(
            fronts(&before)
                .iter()
                .zip(fronts(&view))
                .all(|(a, b)| *a <= b)
        );
        let next = write_stack(&view.stack);
        let common = text
            .bytes()
            .zip(next.bytes())
            .take_while(|(a, b)| a == b)
            .count();
        // But for the goal that was the newest, the text before is kept.
        let newest = text.rfind("<goal ").unwrap();
        changes += usize::from(common < newest);
        (before, text) = (view, next);
    }
    expect!["75 of 299"].assert_eq(&format!("{changes} of 299"));
}

#[test]
fn a_message_that_does_not_fit_is_refused_with_the_reason() {
    let answers = [goal(1, "final", "return 1"), DONE.to_owned()];
    let long = "please ".repeat(200_000);
    let (session, reports) = converse(&answers, &[&long, "one"], Settings::default());
    assert!(matches!(reports[0].failure, Some(Failure::TooLong { .. })));
    assert!(reports[0].exchanges.is_empty());
    expect!["Sorry, the turn is too long for the model: it needs at least 469728 tokens, 466666 of them for your message, but only 24000 fit. Nothing was changed; please try again."].assert_eq(&reports[0].reply);
    // The dialogue goes on.
    assert_eq!(reports[1].reply, "Done.");
    assert_eq!(session.stack().goals().len(), 1);
}

#[test]
fn a_huge_outcome_fits_and_so_do_many_in_one_turn() {
    let huge = [goal(1, "final", "keys 100000"), DONE.to_owned()];
    let many = (2..=61).map(|uid| goal(uid, "final", "keys 1000"));
    let many = [many.collect::<String>(), DONE.to_owned()];
    let last = [goal(99, "final", "return 1"), DONE.to_owned()];
    let answers = [huge, many, last].concat();
    let users = ["everything", "everything of everyone", "one"];
    let (_, reports) = converse(&answers, &users, Settings::default());
    check_budget(&reports, DEFAULT_BUDGET);
}

#[test]
fn open_goals_are_whole_until_nothing_else_is_left() {
    let long = format!("pass {}\ncall delete(?1)", "x".repeat(4000));
    let drafts = (1..=40).flat_map(|uid| [goal(uid, "drafting", &long), DONE.to_owned()]);
    let last = [goal(40, "abandoned", ""), DONE.to_owned()];
    let answers: Vec<String> = drafts.chain(last).collect();
    let mut users = vec!["delete something"; 40];
    users.push("not the last one");
    let (session, reports) = converse(&answers, &users, Settings::default());
    check_budget(&reports, DEFAULT_BUDGET);
    assert!(asked(&reports[5]).contains(&"x".repeat(4000)));
    assert_eq!(session.stack().get(40).unwrap().status, Status::Abandoned);
}

/// A dialogue with so many open goals, each about a key of its own.
fn with_drafts(count: u32) -> Session {
    let turns = (1..=count).map(|uid| Turn {
        user: format!("remove key-{uid}"),
        goals: vec![GoalRecord {
            uid,
            status: Status::Drafting,
            program: Some(Program::new(&format!(
                "pass {}\ncall delete(?1, \"key-{uid}\")",
                "x".repeat(400)
            ))),
            outcome: None,
            signature: None,
        }],
        response: Some("From which bucket?".to_owned()),
    });
    let dialogue = Transcript {
        turns: turns.collect(),
        ..Transcript::default()
    };
    Session::resume(&dialogue).unwrap()
}

#[test]
fn the_oldest_of_too_many_open_goals_are_left_out_after_all_else() {
    let answers = [
        goal(200, "drafting", "call delete(?1)"),
        DONE.to_owned(),
        goal(201, "final", "return 1"),
        DONE.to_owned(),
    ];
    let agent = agent_with(&answers.each_ref().map(String::as_str), Settings::default());
    let mut session = with_drafts(200);
    let reports: Vec<TurnReport> = ["that one, and key-7", "how many are there?"]
        .iter()
        .map(|user| block_on(agent.turn(&mut session, user, &mut Unwatched)))
        .collect();
    check_budget(&reports, DEFAULT_BUDGET);
    let request = &reports[0].exchanges[0].request;
    assert_eq!(request.messages.len(), 2, "the examples go first");
    let shown = asked(&reports[0]);
    // The goal at the top of the stack is whole, and so is the one that is named.
    assert!(shown.contains("call delete(?1, \"key-200\")"));
    assert!(shown.contains("call delete(?1, \"key-7\")"));
    assert!(!shown.contains("call delete(?1, \"key-6\")"));
    assert!(shown.contains(&"x".repeat(400)));
    // The note counts all that are missing: goals 1 to 6, and those from 8 on.
    let hidden = 200 - shown.matches("<goal ").count();
    let highest = hidden + 1;
    let note =
        format!("Not shown: {hidden} older goals, all drafting, with uids up to {highest}.\n");
    assert!(shown.contains(&note), "{note}");
    assert_eq!(session.stack().goals().len(), 201);
}

#[test]
fn open_goals_that_are_named_stay_longer() {
    let session = with_drafts(5);
    let shown = |drafts| {
        let limits = ViewLimits {
            drafts,
            ..ViewLimits::of_outcomes(4000)
        };
        let view = StackView::after(session.stack(), "goal 2, then key-4", &limits);
        let uids = view.stack.goals().iter().map(|goal| goal.uid);
        let uids: Vec<u32> = uids.collect();
        (uids, view.hidden_drafts, view.highest_hidden_draft)
    };
    assert_eq!(shown(5), (vec![1, 2, 3, 4, 5], 0, 0));
    assert_eq!(shown(4), (vec![2, 3, 4, 5], 1, 1));
    assert_eq!(shown(3), (vec![2, 4, 5], 2, 3));
    assert_eq!(shown(2), (vec![4, 5], 3, 3));
    assert_eq!(shown(1), (vec![5], 4, 4));
}

#[test]
fn a_repair_keeps_the_budget() {
    let settle = |budget| {
        let answers = [
            "nonsense ".repeat(1000),
            goal(1, "final", "return 1"),
            DONE.to_owned(),
        ];
        let settings = Settings {
            budget,
            ..Settings::default()
        };
        converse(&answers, &["delete something"], settings).1
    };
    let free = settle(None);
    let [first, repair] = [0, 1].map(|n| tokens(&free[0].exchanges[n].request));
    assert!(repair > first + 1000);
    // A budget that the first request fills.
    let tight = u32::try_from(first).unwrap();
    check_budget(&settle(Some(tight)), tight);
}

#[test]
fn what_a_model_refuses_as_too_long_loses_old_outcomes_first() {
    let mut answers = Vec::new();
    for turn in 1..=5 {
        answers.extend([goal(turn, "final", "keys 1000"), DONE.to_owned()]);
    }
    answers.extend(["LONG", "LONG"].map(str::to_owned));
    answers.extend([goal(6, "final", "return 1"), DONE.to_owned()]);
    let users = ["what is in the bucket?"; 6];
    let (_, reports) = converse(&answers, &users, Settings::default());
    assert!(reports[5].failure.is_none());
    let requests = reports[5].exchanges.iter().map(|exchange| {
        let request = &exchange.request;
        let turn = request
            .messages
            .iter()
            .rfind(|message| message.content.starts_with("Dialogue"));
        let turn = &turn.unwrap().content;
        format!(
            "{} messages, {} outcomes left out, {} goals\n",
            request.messages.len(),
            turn.matches("left out: a list").count(),
            turn.matches("<goal ").count(),
        )
    });
    expect![[r#"
        22 messages, 0 outcomes left out, 5 goals
        22 messages, 3 outcomes left out, 5 goals
        10 messages, 0 outcomes left out, 1 goals
        12 messages, 0 outcomes left out, 1 goals
    "#]]
    .assert_eq(&requests.collect::<String>());
}

#[test]
fn the_models_own_window_is_the_budget() {
    // A local model takes 12,288 tokens with the answer.
    use dialog2api::llm::Model;
    use dialog2api::llm::local::{Local, LocalConfig};
    assert_eq!(Local::new(LocalConfig::new("any")).window(), Some(12_288));
}
