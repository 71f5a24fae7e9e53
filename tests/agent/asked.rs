//! In which form a model is asked, and what is left out so that it fits.

use crate::agent::fake::check_with;
use crate::agent::turns::{ASK, DRAFT};
use dialog2api::agent::{Settings, TurnReport};
use dialog2api::llm::{Request, Role};
use dialog2api::prompts::Form;
use dialog2api::retrieval::Selection;
use expect_test::{Expect, expect};

/// What an agent that works so is seen to do in one turn.
#[track_caller]
fn check(answers: &[&str], settings: Settings, expected: Expect) -> TurnReport {
    let (_, mut reports) = check_with(answers, &["delete something"], settings, expected);
    reports.remove(0)
}

fn requests(report: &TurnReport) -> Vec<&Request> {
    report
        .exchanges
        .iter()
        .map(|exchange| &exchange.request)
        .collect()
}

/// The user's utterances in the examples of a request.
fn examples(request: &Request) -> Vec<&str> {
    let of_users = request
        .messages
        .iter()
        .filter(|message| message.role == Role::User);
    let said = of_users.filter_map(|message| message.content.split("<turn>User: ").nth(1));
    let mut said: Vec<&str> = said.collect();
    said.pop();
    said
}

#[test]
fn examples_are_left_out_from_the_least_similar_one() {
    let whole = check(
        &[DRAFT, ASK],
        Settings::default(),
        expect![[r#"
        User: delete something
          asking for Program
          asking for Response
        Agent: Which one?
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
    let settings = Settings {
        budget: Some(3500),
        ..Settings::default()
    };
    let short = check(
        &[DRAFT, ASK],
        settings,
        expect![[r#"
            User: delete something
              2 of 5 examples for Program
              asking for Program
              asking for Response
            Agent: Which one?
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
    for (whole, short) in requests(&whole).into_iter().zip(requests(&short)) {
        let (whole, short) = (examples(whole), examples(short));
        assert!(whole.ends_with(&short), "{whole:?} {short:?}");
    }
}

#[test]
fn the_turn_itself_is_never_left_out() {
    let settings = Settings {
        budget: Some(1),
        ..Settings::default()
    };
    let report = check(
        &[DRAFT, ASK],
        settings,
        expect![[r#"
            User: delete something
              0 of 5 examples for Program
              asking for Program
              asking for Response
            Agent: Which one?
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
    let counts: Vec<usize> = (requests(&report).iter())
        .map(|request| request.messages.len())
        .collect();
    assert_eq!(counts, [2, 4]);
}

#[test]
fn one_text_is_gone_on_with() {
    let settings = Settings {
        protocol: Form::Text.protocol(),
        examples: Selection {
            nearest: 1,
            ..Selection::default()
        },
        ..Settings::default()
    };
    let report = check(
        &["no goal", DRAFT, ASK],
        settings,
        expect![[r#"
        User: delete something
          asking for Program
          unusable: line 1, column 1: expected a goal, such as <goal uid="1" status="drafting"> with its <program>, found `no goal`
          asking for Program again
          asking for Response
        Agent: Which one?
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
    let asked = requests(&report);
    let roles: Vec<Role> = asked[1]
        .messages
        .iter()
        .map(|message| message.role)
        .collect();
    assert_eq!(roles, [Role::Text]);
    let text = &asked[1].messages[0].content;
    let (_, last) = text.split_at(text.find("<turn>User: delete something").unwrap());
    expect![[r#"
        <turn>User: delete something</turn>

        You have answered:
        no goal

        That answer can not be used: line 1, column 1: expected a goal, such as <goal uid="1" status="drafting"> with its <program>, found `no goal`.
        Answer again, with the goals that are new or change now and nothing else.
        <output>
    "#]].assert_eq(last);
    assert!(text.starts_with("You are an assistant."));
    // The two answers of the example.
    assert_eq!(text.matches("\n</output>\n").count(), 2);
}

#[test]
fn what_a_model_cannot_read_whole_is_halved() {
    let answers = ["LONG", "LONG", DRAFT, ASK];
    let report = check(
        &answers,
        Settings::default(),
        expect![[r#"
        User: delete something
          asking for Program
          2 of 5 examples for Program
          asking for Program
          1 of 5 examples for Program
          asking for Program
          asking for Response
        Agent: Which one?
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
    let counts: Vec<usize> = (requests(&report).into_iter())
        .map(|asked| examples(asked).len())
        .collect();
    assert_eq!(counts, [5, 2, 1, 1]);
}

#[test]
fn what_is_too_long_without_examples_fails() {
    let report = check(
        &["LONG", "LONG", "LONG", "LONG"],
        Settings::default(),
        expect![[r#"
            User: delete something
              asking for Program
              2 of 5 examples for Program
              asking for Program
              1 of 5 examples for Program
              asking for Program
              0 of 5 examples for Program
              asking for Program
            Agent: Sorry, the model did not answer: the model server refuses the request: it is too long. Nothing was changed; please try again.
            <stack>
            </stack>
            goes on from: How can I help you?
        "#]],
    );
    assert_eq!(report.exchanges.len(), 4);
}
