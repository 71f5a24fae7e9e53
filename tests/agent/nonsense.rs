//! Models that answer nothing, nonsense or too much, twice: the stack stays as it
//! was, and the user is told in one sentence.

use crate::agent::fake::check;
use crate::agent::turns::{ASK, DRAFT, FINAL};
use dialog2api::agent::Failure;
use dialog2api::dialogue::MAX_MODEL_TEXT;
use expect_test::expect;

/// What can not be used twice leaves the stack as it was.
#[track_caller]
fn check_given_up(answer: &str, expected: expect_test::Expect) {
    let (session, reports) = check(
        &[DRAFT, ASK, answer, answer],
        &["delete something", "the bat"],
        expected,
    );
    assert!(matches!(
        reports[1].failure,
        Some(Failure::NotUnderstood { .. })
    ));
    assert_eq!(session.turns()[1].user, "the bat");
    assert_eq!(reports[1].exchanges.len(), 2);
    assert_eq!(reports[1].usage().prompt_tokens, 200);
    assert_eq!(reports[0].signature, reports[1].signature);
}

#[test]
fn nothing() {
    check_given_up(
        "",
        expect![[r#"
            User: delete something
              asking for Program
              asking for Response
            Agent: Which one?
            User: the bat
              asking for Program
              unusable: line 1, column 1: expected a goal, such as <goal uid="1" status="drafting"> with its <program>, found the end of the text
              asking for Program again
              unusable: line 1, column 1: expected a goal, such as <goal uid="1" status="drafting"> with its <program>, found the end of the text
            Agent: Sorry, the model's answer could not be used, even after it was asked again: line 1, column 1: expected a goal, such as <goal uid="1" status="drafting"> with its <program>, found the end of the text. Nothing was changed; please try again.
            <stack>
            <goal uid="1" status="drafting">
            <program>
            call delete(?1)
            </program>
            </goal>
            </stack>
            goes on from: Which one?
        "#]],
    );
}

#[test]
fn nonsense() {
    check_given_up(
        "As a large language model, I like bats.",
        expect![[r#"
            User: delete something
              asking for Program
              asking for Response
            Agent: Which one?
            User: the bat
              asking for Program
              unusable: line 1, column 1: expected a goal, such as <goal uid="1" status="drafting"> with its <program>, found `As a large language model, I l…`
              asking for Program again
              unusable: line 1, column 1: expected a goal, such as <goal uid="1" status="drafting"> with its <program>, found `As a large language model, I l…`
            Agent: Sorry, the model's answer could not be used, even after it was asked again: line 1, column 1: expected a goal, such as <goal uid="1" status="drafting"> with its <program>, found `As a large language model, I l…`. Nothing was changed; please try again.
            <stack>
            <goal uid="1" status="drafting">
            <program>
            call delete(?1)
            </program>
            </goal>
            </stack>
            goes on from: Which one?
        "#]],
    );
}

#[test]
fn no_goal() {
    check_given_up(
        "<output></output>",
        expect![[r#"
            User: delete something
              asking for Program
              asking for Response
            Agent: Which one?
            User: the bat
              asking for Program
              unusable: it has no <goal>; every turn starts, changes or ends one
              asking for Program again
              unusable: it has no <goal>; every turn starts, changes or ends one
            Agent: Sorry, the model's answer could not be used, even after it was asked again: it has no <goal>; every turn starts, changes or ends one. Nothing was changed; please try again.
            <stack>
            <goal uid="1" status="drafting">
            <program>
            call delete(?1)
            </program>
            </goal>
            </stack>
            goes on from: Which one?
        "#]],
    );
}

#[test]
fn half_a_program() {
    check_given_up(
        "<goal uid=\"1\" status=\"final\"><program>\ncall delete(",
        expect![[r#"
            User: delete something
              asking for Program
              asking for Response
            Agent: Which one?
            User: the bat
              asking for Program
              unusable: the program of goal 1 is not Python: SyntaxError: '(' was never closed (line 1, column 1)
              asking for Program again
              unusable: the program of goal 1 is not Python: SyntaxError: '(' was never closed (line 1, column 1)
            Agent: Sorry, the model's answer could not be used, even after it was asked again: the program of goal 1 is not Python: SyntaxError: '(' was never closed (line 1, column 1). Nothing was changed; please try again.
            <stack>
            <goal uid="1" status="drafting">
            <program>
            call delete(?1)
            </program>
            </goal>
            </stack>
            goes on from: Which one?
        "#]],
    );
}

#[test]
fn two_goals_with_one_uid() {
    check_given_up(
        &format!("{FINAL}\n{FINAL}"),
        expect![[r#"
            User: delete something
              asking for Program
              asking for Response
            Agent: Which one?
            User: the bat
              asking for Program
              unusable: goal 1 is updated more than once in this turn; write it once, as it is to be
              asking for Program again
              unusable: goal 1 is updated more than once in this turn; write it once, as it is to be
            Agent: Sorry, the model's answer could not be used, even after it was asked again: goal 1 is updated more than once in this turn; write it once, as it is to be. Nothing was changed; please try again.
            <stack>
            <goal uid="1" status="drafting">
            <program>
            call delete(?1)
            </program>
            </goal>
            </stack>
            goes on from: Which one?
        "#]],
    );
}

#[test]
fn a_program_that_lacks_a_value_decided_twice() {
    check_given_up(
        r#"<goal uid="1" status="final"/>"#,
        expect![[r#"
            User: delete something
              asking for Program
              asking for Response
            Agent: Which one?
            User: the bat
              asking for Program
              unusable: goal 1 can not be final: its program still has the placeholder ?1; fill in what the user said, or keep the status "drafting" until it is known
              asking for Program again
              unusable: goal 1 can not be final: its program still has the placeholder ?1; fill in what the user said, or keep the status "drafting" until it is known
            Agent: Sorry, the model's answer could not be used, even after it was asked again: goal 1 can not be final: its program still has the placeholder ?1; fill in what the user said, or keep the status "drafting" until it is known. Nothing was changed; please try again.
            <stack>
            <goal uid="1" status="drafting">
            <program>
            call delete(?1)
            </program>
            </goal>
            </stack>
            goes on from: Which one?
        "#]],
    );
}

#[test]
fn far_too_much() {
    let much = "<goal ".repeat(10 * MAX_MODEL_TEXT / 6);
    check_given_up(
        &much,
        expect![[r#"
            User: delete something
              asking for Program
              asking for Response
            Agent: Which one?
            User: the bat
              asking for Program
              unusable: line 1, column 1: the answer has 2621436 bytes, and at most 262144 (256 KiB) are read
              asking for Program again
              unusable: line 1, column 1: the answer has 2621436 bytes, and at most 262144 (256 KiB) are read
            Agent: Sorry, the model's answer could not be used, even after it was asked again: line 1, column 1: the answer has 2621436 bytes, and at most 262144 (256 KiB) are read. Nothing was changed; please try again.
            <stack>
            <goal uid="1" status="drafting">
            <program>
            call delete(?1)
            </program>
            </goal>
            </stack>
            goes on from: Which one?
        "#]],
    );
}
