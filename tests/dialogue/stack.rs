//! One test for each status rule, and the sentence of each refusal.

use dialog2api::dialogue::{Outcome, Stack, Status, Update, read_updates, write_stack};
use expect_test::{Expect, expect};

/// Feeds turns of model text to an empty stack. Shows what is executed in each
/// turn or why the turn is refused, then the stack.
fn check(turns: &[&str], expected: Expect) {
    let mut stack = Stack::default();
    let mut shown = String::new();
    for turn in turns {
        let updates = read_updates(turn).expect("the test's own text");
        match stack.updated(&updates) {
            Ok((new, execute)) => {
                shown.push_str(&format!("execute {execute:?}\n"));
                stack = new;
                for uid in execute {
                    assert!(stack.attach(uid, Outcome::Result(uid.into())));
                }
            }
            Err(reasons) => {
                for reason in reasons {
                    shown.push_str(&format!("refused: {reason}\n"));
                }
            }
        }
    }
    shown.push_str(&write_stack(&stack));
    expected.assert_eq(&shown);
}

const DRAFT_1: &str = r#"<goal uid="1" status="drafting"><program>f(?1, ?2)</program></goal>"#;
const FINAL_2: &str = r#"<goal uid="2" status="final"><program>g()</program></goal>"#;

#[test]
fn what_is_touched_moves_to_the_top_and_runs_when_final() {
    check(
        &[
            DRAFT_1,
            FINAL_2,
            r#"<goal uid="1" status="final"><program>f(3, 4)</program></goal>"#,
        ],
        expect![[r#"
            execute []
            execute [2]
            execute [1]
            <stack>
            <goal uid="2" status="final">
            <program>g()</program>
            <result>2</result>
            <error/>
            </goal>
            <goal uid="1" status="final">
            <program>f(3, 4)</program>
            <result>1</result>
            <error/>
            </goal>
            </stack>"#]],
    );
}

#[test]
fn goals_execute_in_the_order_given_and_keep_their_code() {
    check(
        &[
            r#"<goal uid="1" status="drafting"><program>f()</program></goal>
               <goal uid="3" status="drafting"><program>h()</program></goal>
               <goal uid="9" status="drafting"><program>i(?1)</program></goal>"#,
            r#"<goal uid="3" status="final"/>
               <goal uid="9" status="abandoned"/>
               <goal uid="1" status="final"/>"#,
        ],
        expect![[r#"
            execute []
            execute [3, 1]
            <stack>
            <goal uid="3" status="final">
            <program>h()</program>
            <result>3</result>
            <error/>
            </goal>
            <goal uid="9" status="abandoned">
            <program>i(?1)</program>
            </goal>
            <goal uid="1" status="final">
            <program>f()</program>
            <result>1</result>
            <error/>
            </goal>
            </stack>"#]],
    );
}

#[test]
fn a_placeholder_keeps_a_program_from_becoming_final() {
    check(
        &[
            DRAFT_1,
            r#"<goal uid="1" status="final"/>"#,
            r#"<goal uid="1" status="final"><program>f(1, ?2) # ?3</program></goal>"#,
            r#"<goal uid="2" status="final"><program>f("?1")</program></goal>"#,
        ],
        expect![[r#"
            execute []
            refused: goal 1 can not be final: its program still has the placeholders ?1, ?2; fill in what the user said, or keep the status "drafting" until it is known
            refused: goal 1 can not be final: its program still has the placeholder ?2; fill in what the user said, or keep the status "drafting" until it is known
            execute [2]
            <stack>
            <goal uid="1" status="drafting">
            <program>f(?1, ?2)</program>
            </goal>
            <goal uid="2" status="final">
            <program>f("?1")</program>
            <result>2</result>
            <error/>
            </goal>
            </stack>"#]],
    );
}

#[test]
fn final_and_abandoned_never_change() {
    check(
        &[
            FINAL_2,
            DRAFT_1,
            r#"<goal uid="1" status="abandoned"/>"#,
            FINAL_2,
            r#"<goal uid="2" status="abandoned"/>"#,
            r#"<goal uid="1" status="drafting"/>"#,
        ],
        expect![[r#"
            execute [2]
            execute []
            execute []
            refused: goal 2 is final and can not change any more; for a new wish start a new goal, such as uid="3"
            refused: goal 2 is final and can not change any more; for a new wish start a new goal, such as uid="3"
            refused: goal 1 is abandoned and can not change any more; for a new wish start a new goal, such as uid="3"
            <stack>
            <goal uid="2" status="final">
            <program>g()</program>
            <result>2</result>
            <error/>
            </goal>
            <goal uid="1" status="abandoned">
            <program>f(?1, ?2)</program>
            </goal>
            </stack>"#]],
    );
}

#[test]
fn all_reasons_are_told_and_nothing_changes() {
    check(
        &[
            r#"<goal uid="1" status="final"><program>f()</program></goal>
               <goal uid="2" status="drafting"/>
               <goal uid="3" status="abandoned"><program>f()</program></goal>
               <goal uid="4" status="final"><program>  </program></goal>
               <goal uid="1" status="drafting"><program>g()</program></goal>
               <goal uid="1" status="drafting"><program>h()</program></goal>"#,
        ],
        expect![[r#"
            refused: goal 2 is not on the stack, so it needs a program; write one, or use the uid of a goal that is on the stack
            refused: goal 3 is not on the stack, so it can not be abandoned; a goal starts as "drafting" or "final"
            refused: goal 4 can not be final: its program is empty; write the code, or make the goal "abandoned"
            refused: goal 1 is updated more than once in this turn; write it once, as it is to be
            <stack>
            </stack>"#]],
    );
}

#[test]
fn an_outcome_is_attached_once_and_only_to_a_final_goal() {
    let updates = read_updates(&format!("{DRAFT_1}{FINAL_2}")).expect("the test's own text");
    let (mut stack, _) = Stack::default().updated(&updates).expect("no rule broken");
    assert!(!stack.attach(1, Outcome::Result(1.into())));
    assert!(!stack.attach(7, Outcome::Result(1.into())));
    assert!(stack.attach(2, Outcome::Result(1.into())));
    assert!(!stack.attach(2, Outcome::Result(2.into())));
    let outcome = stack.get(2).and_then(|goal| goal.outcome.clone());
    assert_eq!(outcome, Some(Outcome::Result(1.into())));
}

#[test]
fn a_free_number_is_free_even_at_the_end_of_numbers() {
    assert_eq!(Stack::default().free_uid(), 1);
    let update = |uid| Update {
        uid,
        status: Status::Drafting,
        program: Some(Default::default()),
    };
    let (stack, _) = Stack::default()
        .updated(&[update(1), update(u32::MAX)])
        .expect("no rule broken");
    assert_eq!(stack.free_uid(), 2);
}

#[test]
fn a_status_is_a_word_in_lower_case() {
    for status in [Status::Drafting, Status::Final, Status::Abandoned] {
        assert_eq!(status.to_string().parse(), Ok(status));
    }
    let refused = "Final".parse::<Status>().expect_err("no status");
    expect![[r#"a status is "drafting", "final" or "abandoned", not "Final""#]]
        .assert_eq(&refused.to_string());
}
