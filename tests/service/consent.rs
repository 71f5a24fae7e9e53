//! A complete draft is shown as a plan under the agent's question, and a plain yes to it is the only
//! one that is needed.

use crate::plan::lab::{block_on, read};
use crate::service::lab::{Lab, end, goal, outcomes};
use dialog2api::agent::Assist;
use dialog2api::domain::World;
use dialog2api::policy::{Mode, Policy};
use dialog2api::service::{Event, PlanAnswer, TurnView};
use expect_test::expect;
use std::fmt::Write as _;

const ASKS: &str = "<turn>Agent: Shall I do it?</turn>";
const DONE: &str = "<turn>Agent: I see.</turn>";
const PROGRAM: &str = "put a/new fresh\ndelete a/y\nreturn 2";

/// Its programs are no Python, so that nothing can be said about them before they run.
fn lab() -> Lab {
    let mut lab = Lab::new();
    lab.assist = Assist::none();
    lab
}

/// What a turn proposes, with its number and totals.
fn proposed(turn: &TurnView) -> String {
    match &turn.proposed {
        None => "nothing".to_owned(),
        Some(plan) => format!(
            "plan {} with {} created and {} deleted",
            plan.plan, plan.totals.created, plan.totals.deleted
        ),
    }
}

/// What the user does after the question of the agent, and what comes of it where every plan that is
/// asked about is declined.
struct Answered<'a> {
    policy: Policy,
    draft: &'a [&'a str],
    /// The world changes before the answer.
    meanwhile: Option<&'a str>,
    words: &'a str,
    then: &'a [&'a str],
}

impl Default for Answered<'_> {
    fn default() -> Self {
        Answered {
            policy: Policy::default(),
            draft: &[PROGRAM],
            meanwhile: None,
            words: "yes",
            then: &[PROGRAM],
        }
    }
}

fn hold(it: &Answered<'_>) -> String {
    let goals = |status: &str, programs: &[&str]| -> String {
        let numbered = programs.iter().zip(1..);
        numbered.map(|(it, uid)| goal(uid, status, it)).collect()
    };
    block_on(async {
        let lab = lab();
        let (draft, then) = (goals("drafting", it.draft), goals("final", it.then));
        let answers = [&draft, ASKS, &then, DONE, DONE];
        let talk = lab.try_open(&answers, it.policy.clone(), "here");
        let mut talk = talk.await.unwrap();
        let before = lab.holds();
        let conversation = talk.conversation.clone();
        let drafting = conversation.say("make a/new");
        let (turn, _) = talk.answering(PlanAnswer::Decline, drafting).await;
        let mut text = format!("proposed: {}\n", proposed(&turn.unwrap()));
        assert_eq!(lab.holds(), before, "a proposal changes nothing");
        if let Some(key) = it.meanwhile {
            let (operation, params) = read(&format!("put a/{key} other"));
            let put = lab.world.call(operation, &params).await;
            put.unwrap().unwrap();
        }
        let saying = conversation.say(it.words);
        let (turn, events) = talk.answering(PlanAnswer::Decline, saying).await;
        let turn = turn.unwrap();
        let asked = events.iter().filter(|it| matches!(it, Event::Plan(_)));
        let _ = writeln!(text, "asked: {}", asked.count());
        let by = turn.unasked.iter().map(|done| format!(" by {:?}", done.by));
        let _ = writeln!(
            text,
            "outcomes: {}{}",
            outcomes(&turn),
            by.collect::<String>()
        );
        let _ = write!(text, "{}", lab.holds());
        text
    })
}

#[test]
fn a_plain_yes_to_what_was_shown_is_the_only_yes() {
    let said = |words| Answered {
        words,
        ..Answered::default()
    };
    let text = hold(&said("yes"));
    expect![[r#"
        proposed: plan 1 with 1 created and 1 deleted
        asked: 0
        outcomes: 2 by Some(Words)
        a/dir/z a/new a/x b/x"#]]
    .assert_eq(&text);
    for words in ["Yes, please!", "ok, go on", "ja, bitte", "Sì, grazie"] {
        assert_eq!(hold(&said(words)), text, "{words}");
    }
}

#[test]
fn everything_else_is_asked_about() {
    let other = "put a/new fresh\ndelete a/z\nreturn 2";
    let content = "put a/new stale\ndelete a/y\nreturn 2";
    let more = "put a/new fresh\ndelete a/y\nput a/more fresh\nreturn 2";
    let cases: &[(&str, Answered<'_>)] = &[
        (
            "a yes, but",
            Answered {
                words: "yes, but keep y",
                ..Answered::default()
            },
        ),
        (
            "a question",
            Answered {
                words: "right?",
                ..Answered::default()
            },
        ),
        (
            "another place",
            Answered {
                then: &[other],
                ..Answered::default()
            },
        ),
        (
            "another content",
            Answered {
                then: &[content],
                ..Answered::default()
            },
        ),
        (
            "one write more",
            Answered {
                then: &[more],
                ..Answered::default()
            },
        ),
        (
            "the world has changed where it writes",
            Answered {
                meanwhile: Some("y"),
                ..Answered::default()
            },
        ),
        (
            "the world has changed elsewhere",
            Answered {
                meanwhile: Some("elsewhere"),
                ..Answered::default()
            },
        ),
        (
            "a second program beside it",
            Answered {
                then: &[PROGRAM, "put a/more fresh\nreturn 1"],
                ..Answered::default()
            },
        ),
        (
            "two drafts, of which nobody knows which one is meant",
            Answered {
                draft: &[PROGRAM, "put a/more fresh\nreturn 1"],
                then: &[PROGRAM],
                ..Answered::default()
            },
        ),
        (
            "a draft that lacks a value",
            Answered {
                draft: &["put a/?1 fresh\ndelete a/y\nreturn 2"],
                ..Answered::default()
            },
        ),
        (
            "a draft that fails",
            Answered {
                draft: &["put a/new fresh\nraise KeyError"],
                ..Answered::default()
            },
        ),
        (
            "a draft that changes nothing",
            Answered {
                draft: &["return 1"],
                then: &["return 1"],
                ..Answered::default()
            },
        ),
    ];
    let mut text = String::new();
    for (name, case) in cases {
        let _ = writeln!(text, "{name}\n{}\n", hold(case));
    }
    expect![[r#"
        a yes, but
        proposed: plan 1 with 1 created and 1 deleted
        asked: 1
        outcomes: Declined: Nothing was changed: the user was shown what this would change, and said no.
        a/dir/z a/x a/y b/x

        a question
        proposed: plan 1 with 1 created and 1 deleted
        asked: 1
        outcomes: Declined: Nothing was changed: the user was shown what this would change, and said no.
        a/dir/z a/x a/y b/x

        another place
        proposed: plan 1 with 1 created and 1 deleted
        asked: 1
        outcomes: Declined: Nothing was changed: the user was shown what this would change, and said no.
        a/dir/z a/x a/y b/x

        another content
        proposed: plan 1 with 1 created and 1 deleted
        asked: 1
        outcomes: Declined: Nothing was changed: the user was shown what this would change, and said no.
        a/dir/z a/x a/y b/x

        one write more
        proposed: plan 1 with 1 created and 1 deleted
        asked: 1
        outcomes: Declined: Nothing was changed: the user was shown what this would change, and said no.
        a/dir/z a/x a/y b/x

        the world has changed where it writes
        proposed: plan 1 with 1 created and 1 deleted
        asked: 1
        outcomes: Declined: Nothing was changed: the user was shown what this would change, and said no.
        a/dir/z a/x a/y b/x

        the world has changed elsewhere
        proposed: plan 1 with 1 created and 1 deleted
        asked: 0
        outcomes: 2 by Some(Words)
        a/dir/z a/elsewhere a/new a/x b/x

        a second program beside it
        proposed: plan 1 with 1 created and 1 deleted
        asked: 1
        outcomes: 2; Declined: Nothing was changed: the user was shown what this would change, and said no. by Some(Words)
        a/dir/z a/new a/x b/x

        two drafts, of which nobody knows which one is meant
        proposed: nothing
        asked: 1
        outcomes: Declined: Nothing was changed: the user was shown what this would change, and said no.
        a/dir/z a/x a/y b/x

        a draft that lacks a value
        proposed: nothing
        asked: 1
        outcomes: Declined: Nothing was changed: the user was shown what this would change, and said no.
        a/dir/z a/x a/y b/x

        a draft that fails
        proposed: nothing
        asked: 1
        outcomes: Declined: Nothing was changed: the user was shown what this would change, and said no.
        a/dir/z a/x a/y b/x

        a draft that changes nothing
        proposed: nothing
        asked: 0
        outcomes: 1
        a/dir/z a/x a/y b/x

    "#]].assert_eq(&text);
}

#[test]
fn modes_keep_their_meaning() {
    let in_mode = |mode| Answered {
        policy: Policy {
            mode,
            ..Policy::default()
        },
        ..Answered::default()
    };
    let text = format!(
        "auto\n{}\n\nread-only\n{}",
        hold(&in_mode(Mode::Auto)),
        hold(&in_mode(Mode::ReadOnly))
    );
    expect![[r#"
        auto
        proposed: nothing
        asked: 0
        outcomes: 2 by Some(Policy)
        a/dir/z a/new a/x b/x

        read-only
        proposed: nothing
        asked: 0
        outcomes: 2
        a/dir/z a/x a/y b/x"#]]
    .assert_eq(&text);
}

#[test]
fn a_yes_counts_once_and_only_in_the_next_turn() {
    let text = block_on(async {
        let lab = lab();
        let (draft, then) = (goal(1, "drafting", PROGRAM), goal(1, "final", PROGRAM));
        let other = goal(2, "final", "return 1");
        let mut talk = lab
            .open(&[&draft, ASKS, &other, DONE, &then, DONE, DONE])
            .await;
        let conversation = talk.conversation.clone();
        let mut text = String::new();
        for words in ["make a/new", "what is there?", "yes"] {
            let saying = conversation.say(words);
            let (turn, events) = talk.answering(PlanAnswer::Decline, saying).await;
            let asked = events.iter().filter(|it| matches!(it, Event::Plan(_)));
            let turn = turn.unwrap();
            let asked = asked.count();
            let _ = writeln!(
                text,
                "{words}: {} · asked {asked} · {}",
                end(&turn),
                outcomes(&turn)
            );
        }
        text
    });
    expect![[r#"
        make a/new: Agent: Shall I do it? · asked 0 · none
        what is there?: Agent: I see. · asked 0 · 1
        yes: Agent: I see. · asked 1 · Declined: Nothing was changed: the user was shown what this would change, and said no.
    "#]].assert_eq(&text);
}

#[test]
fn whoever_resumes_a_session_is_asked_again() {
    let text = block_on(async {
        let lab = lab();
        let (draft, then) = (goal(1, "drafting", PROGRAM), goal(1, "final", PROGRAM));
        let mut talk = lab.open(&[&draft, ASKS]).await;
        let shown = proposed(&talk.say("make a/new").await);
        drop(talk);
        let mut talk = lab.open(&[&then, DONE, DONE]).await;
        let conversation = talk.conversation.clone();
        let (turn, events) = talk
            .answering(PlanAnswer::Decline, conversation.say("yes"))
            .await;
        let asked = events.iter().filter(|it| matches!(it, Event::Plan(_)));
        format!(
            "{shown}\nasked {}: {}",
            asked.count(),
            outcomes(&turn.unwrap())
        )
    });
    expect![[r#"
        plan 1 with 1 created and 1 deleted
        asked 1: Declined: Nothing was changed: the user was shown what this would change, and said no."#]].assert_eq(&text);
}

#[test]
fn an_undo_withdraws_what_was_proposed() {
    let text = block_on(async {
        let lab = lab();
        let first = goal(1, "final", "put a/first fresh\nreturn 1");
        let (draft, then) = (goal(2, "drafting", PROGRAM), goal(2, "final", PROGRAM));
        let mut talk = lab
            .open(&[&first, DONE, &draft, ASKS, &then, DONE, DONE])
            .await;
        talk.say("make a/first").await;
        let shown = proposed(&talk.say("make a/new").await);
        let conversation = talk.conversation.clone();
        let undoing = conversation.undo(None);
        let (undone, _) = talk.answering(PlanAnswer::Apply, undoing).await;
        let said = undone.unwrap().said;
        let saying = conversation.say("yes");
        let (turn, events) = talk.answering(PlanAnswer::Apply, saying).await;
        let asked = events.iter().filter(|it| matches!(it, Event::Plan(_)));
        format!(
            "{shown}\n{said}\nasked {}: {}",
            asked.count(),
            outcomes(&turn.unwrap())
        )
    });
    expect![[r#"
        plan 2 with 1 created and 1 deleted
        Undone.
        asked 1: 2"#]]
    .assert_eq(&text);
}
