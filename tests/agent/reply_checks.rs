//! Reply checks: a reply with a claim that nothing supports is sent back once.

use crate::agent::fake::{agent_with, block_on};
use dialog2api::agent::{Assist, Session, Settings, TurnEvent};
use expect_test::{Expect, expect};
use std::fmt::Write;

const COUNT: &str = r#"<goal uid="1" status="final"><program>
return {"logs": 4}
</program></goal>"#;
const RIGHT: &str = "<turn>Agent: There are 4 logs.</turn>";
const WRONG: &str = "<turn>Agent: There are 5 logs in \"web-logs\".</turn>";
const WORSE: &str = "<turn>Agent: There are 6, or 6.</turn>";

/// One turn of an agent that looks up what it says, with these answers for the reply.
fn check(validate: bool, answers: &[&str], expected: Expect) {
    let settings = Settings {
        assist: if validate {
            Assist::all()
        } else {
            Assist::default()
        },
        ..Settings::default()
    };
    let all: Vec<&str> = [COUNT].iter().chain(answers).copied().collect();
    let agent = agent_with(&all, settings);
    let mut session = Session::new();
    let mut seen = String::new();
    let mut observer = |event: TurnEvent<'_>| match event {
        TurnEvent::Unusable { finding, .. } => writeln!(seen, "unusable: {finding}").unwrap(),
        TurnEvent::Asking { task, repair } => {
            writeln!(seen, "asking for {task:?} {repair}").unwrap()
        }
        _ => {}
    };
    let report = block_on(agent.turn(&mut session, "how many logs?", &mut observer));
    writeln!(seen, "Agent: {}", report.reply).unwrap();
    for claim in &report.unsupported {
        assert_eq!(report.reply.get(claim.range.clone()), Some(&*claim.text));
        writeln!(seen, "unsupported: {}", claim.text).unwrap();
    }
    if let Some(failure) = &report.failure {
        writeln!(seen, "failure: {failure}").unwrap();
    }
    // What is kept has no marks.
    assert_eq!(session.said(), report.reply);
    assert_eq!(session.turns()[0].response.as_ref(), Some(&report.reply));
    assert_eq!(report.exchanges.len(), seen.matches("asking").count());
    expected.assert_eq(&seen);
}

#[test]
fn a_supported_reply_is_said_at_once() {
    check(
        true,
        &[RIGHT],
        expect![[r#"
        asking for Program false
        asking for Response false
        Agent: There are 4 logs.
    "#]],
    );
}

#[test]
fn an_unsupported_reply_is_asked_for_once_more() {
    check(
        true,
        &[WRONG, RIGHT],
        expect![[r#"
        asking for Program false
        asking for Response false
        unusable: no result has and nobody said "5", "web-logs"; state only what the results and the user say
        asking for Response true
        Agent: There are 4 logs.
    "#]],
    );
}

#[test]
fn the_second_reply_stays_and_is_marked() {
    check(
        true,
        &[WRONG, WORSE],
        expect![[r#"
        asking for Program false
        asking for Response false
        unusable: no result has and nobody said "5", "web-logs"; state only what the results and the user say
        asking for Response true
        Agent: There are 6, or 6.
        unsupported: 6
        unsupported: 6
    "#]],
    );
}

#[test]
fn the_first_reply_stays_where_there_is_no_better_second() {
    check(
        true,
        &[WRONG, "<turn>Agent: There are 7, 8 or 9.</turn>"],
        expect![[r#"
        asking for Program false
        asking for Response false
        unusable: no result has and nobody said "5", "web-logs"; state only what the results and the user say
        asking for Response true
        Agent: There are 5 logs in "web-logs".
        unsupported: 5
        unsupported: web-logs
    "#]],
    );
    check(
        true,
        &[WRONG, "DOWN"],
        expect![[r#"
        asking for Program false
        asking for Response false
        unusable: no result has and nobody said "5", "web-logs"; state only what the results and the user say
        asking for Response true
        Agent: There are 5 logs in "web-logs".
        unsupported: 5
        unsupported: web-logs
    "#]],
    );
    check(
        true,
        &[WRONG, "<turn>Agent: </turn>"],
        expect![[r#"
        asking for Program false
        asking for Response false
        unusable: no result has and nobody said "5", "web-logs"; state only what the results and the user say
        asking for Response true
        Agent: There are 5 logs in "web-logs".
        unsupported: 5
        unsupported: web-logs
    "#]],
    );
}

#[test]
fn three_requests_are_the_most() {
    check(
        true,
        &["", WRONG, WORSE],
        expect![[r#"
        asking for Program false
        asking for Response false
        unusable: line 1, column 1: expected a reply, such as <turn>Agent: What is the name of the bucket?</turn>, found the end of the text
        asking for Response true
        unusable: no result has and nobody said "5", "web-logs"; state only what the results and the user say
        asking for Response true
        Agent: There are 6, or 6.
        unsupported: 6
        unsupported: 6
    "#]],
    );
    // The second round of a form that is wrong ends it as before.
    check(
        true,
        &["", ""],
        expect![[r#"
        asking for Program false
        asking for Response false
        unusable: line 1, column 1: expected a reply, such as <turn>Agent: What is the name of the bucket?</turn>, found the end of the text
        asking for Response true
        unusable: line 1, column 1: expected a reply, such as <turn>Agent: What is the name of the bucket?</turn>, found the end of the text
        Agent: Done. The result is {"logs":4}
        failure: the model's answer could not be used, even after it was asked again: line 1, column 1: expected a reply, such as <turn>Agent: What is the name of the bucket?</turn>, found the end of the text
    "#]],
    );
}

#[test]
fn nothing_is_looked_up_where_that_is_not_wanted() {
    check(
        false,
        &[WRONG],
        expect![[r#"
        asking for Program false
        asking for Response false
        Agent: There are 5 logs in "web-logs".
    "#]],
    );
}
