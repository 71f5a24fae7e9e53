//! One turn after the other, with good models and bad ones.

use crate::agent::fake::{agent, block_on, check};
use dialog2api::agent::{Session, Unwatched};
use dialog2api::dialogue::Outcome;
use expect_test::expect;

pub const DRAFT: &str = r#"<goal uid="1" status="drafting"><program>
call delete(?1)
</program></goal>"#;
pub const ASK: &str = "<turn>Agent: Which one?</turn>";
pub const FINAL: &str = r#"<goal uid="1" status="final"><program>
call delete
return "gone"
</program></goal>"#;
const DONE: &str = "<turn>Agent: It is gone.</turn>";

#[test]
fn a_goal_is_drafted_revised_and_run() {
    let (_, reports) = check(
        &[DRAFT, ASK, FINAL, DONE],
        &["delete something", "the bat"],
        expect![[r#"
            User: delete something
              asking for Program
              asking for Response
            Agent: Which one?
            User: the bat
              asking for Program
              goal 1 runs
              calls delete
              goal 1 gave Result(String("gone"))
              asking for Response
            Agent: It is gone.
            <stack>
            <goal uid="1" status="final">
            <program>
            call delete
            return "gone"
            </program>
            <result>"gone"</result>
            <error/>
            </goal>
            </stack>
            goes on from: It is gone.
        "#]],
    );
    assert_ne!(reports[0].signature, reports[1].signature);
    assert_eq!(reports[1].signature, reports[1].executed[0].signature);
    assert_eq!(reports[1].usage().prompt_tokens, 200);
}

#[test]
fn a_status_alone_runs_the_program_that_is_there() {
    let draft = DRAFT.replace("delete(?1)", "s3.delete_bucket(Bucket='bat')");
    let confirmed = r#"<goal uid="1" status="final"/>"#;
    check(
        &[&draft, "<turn>Agent: Sure?</turn>", confirmed, DONE],
        &["delete the bat", "yes"],
        expect![[r#"
            User: delete the bat
              asking for Program
              asking for Response
            Agent: Sure?
            User: yes
              asking for Program
              goal 1 runs
              calls s3.delete_bucket(Bucket='bat')
              goal 1 gave Result(Null)
              asking for Response
            Agent: It is gone.
            <stack>
            <goal uid="1" status="final">
            <program>
            call s3.delete_bucket(Bucket='bat')
            </program>
            <result>null</result>
            <error/>
            </goal>
            </stack>
            goes on from: It is gone.
        "#]],
    );
}

#[test]
fn goals_run_in_the_order_given() {
    let goals = r#"<goal uid="2" status="final"><program>
return 2
</program></goal>
<goal uid="1" status="final"><program>
raise EndDialog()
</program></goal>"#;
    let (_, reports) = check(
        &[goals, "<turn>Agent: 2. Goodbye!</turn>"],
        &["two, and bye"],
        expect![[r#"
            User: two, and bye
              asking for Program
              goal 2 runs
              goal 2 gave Result(Number(2))
              goal 1 runs
              goal 1 gave Error(ProgramError { error: "EndDialog", message: "", traceback: None })
              asking for Response
            Agent: 2. Goodbye!
            <stack>
            <goal uid="2" status="final">
            <program>
            return 2
            </program>
            <result>2</result>
            <error/>
            </goal>
            <goal uid="1" status="final">
            <program>
            raise EndDialog()
            </program>
            <result>null</result>
            <error>{"error": "EndDialog", "message": ""}</error>
            </goal>
            </stack>
            goes on from: 2. Goodbye!
        "#]],
    );
    assert!(reports[0].ends_dialogue());
}

#[test]
fn a_program_that_lacks_a_value_is_a_draft() {
    let hasty = DRAFT.replace("drafting", "final");
    check(
        &[&hasty, ASK],
        &["delete something"],
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
}

#[test]
fn a_syntax_error_is_shown_to_the_model() {
    let half = DRAFT.replace("?1)", "?1");
    check(
        &[&half, DRAFT, ASK],
        &["delete something"],
        expect![[r#"
        User: delete something
          asking for Program
          unusable: the program of goal 1 is not Python: SyntaxError: '(' was never closed (line 1, column 1)
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
}

#[test]
fn the_dialogue_goes_on_after_a_failure() {
    check(
        &[DRAFT, ASK, "DOWN", FINAL, DONE],
        &["delete something", "the bat", "the bat, I said"],
        expect![[r#"
            User: delete something
              asking for Program
              asking for Response
            Agent: Which one?
            User: the bat
              asking for Program
              waiting 2s: 503
            Agent: Sorry, the model did not answer: the model server answers 503. Nothing was changed; please try again.
            User: the bat, I said
              asking for Program
              goal 1 runs
              calls delete
              goal 1 gave Result(String("gone"))
              asking for Response
            Agent: It is gone.
            <stack>
            <goal uid="1" status="final">
            <program>
            call delete
            return "gone"
            </program>
            <result>"gone"</result>
            <error/>
            </goal>
            </stack>
            goes on from: It is gone.
        "#]],
    );
}

#[test]
fn a_final_goal_stays_as_it_is() {
    check(
        &[
            FINAL,
            DONE,
            r#"<goal uid="1" status="abandoned"/>"#,
            &DRAFT.replace("uid=\"1\"", "uid=\"2\""),
            ASK,
        ],
        &["delete the bat", "delete something more"],
        expect![[r#"
            User: delete the bat
              asking for Program
              goal 1 runs
              calls delete
              goal 1 gave Result(String("gone"))
              asking for Response
            Agent: It is gone.
            User: delete something more
              asking for Program
              unusable: goal 1 is final and can not change any more; for a new wish start a new goal, such as uid="2"
              asking for Program again
              asking for Response
            Agent: Which one?
            <stack>
            <goal uid="1" status="final">
            <program>
            call delete
            return "gone"
            </program>
            <result>"gone"</result>
            <error/>
            </goal>
            <goal uid="2" status="drafting">
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
fn an_outcome_is_said_when_the_model_can_not_say_it() {
    let (session, reports) = check(
        &[FINAL, "DOWN"],
        &["delete the bat"],
        expect![[r#"
        User: delete the bat
          asking for Program
          goal 1 runs
          calls delete
          goal 1 gave Result(String("gone"))
          asking for Response
          waiting 2s: 503
        Agent: Done. The result is "gone"
        <stack>
        <goal uid="1" status="final">
        <program>
        call delete
        return "gone"
        </program>
        <result>"gone"</result>
        <error/>
        </goal>
        </stack>
        goes on from: Done. The result is "gone"
    "#]],
    );
    assert!(reports[0].plain);
    assert!(session.stack().get(1).unwrap().outcome.is_some());
}

#[test]
fn an_empty_reply_is_asked_for_again() {
    check(
        &[DRAFT, "", ASK],
        &["delete something"],
        expect![[r#"
        User: delete something
          asking for Program
          asking for Response
          unusable: line 1, column 1: expected a reply, such as <turn>Agent: What is the name of the bucket?</turn>, found the end of the text
          asking for Response again
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
    check(
        &[DRAFT, "", " \n"],
        &["delete something"],
        expect![[r#"
        User: delete something
          asking for Program
          asking for Response
          unusable: line 1, column 1: expected a reply, such as <turn>Agent: What is the name of the bucket?</turn>, found the end of the text
          asking for Response again
          unusable: line 2, column 1: expected a reply, such as <turn>Agent: What is the name of the bucket?</turn>, found the end of the text
        Agent: I need more information: ?1 in call delete(?1)
        <stack>
        <goal uid="1" status="drafting">
        <program>
        call delete(?1)
        </program>
        </goal>
        </stack>
        goes on from: I need more information: ?1 in call delete(?1)
    "#]],
    );
}

#[test]
fn what_ran_before_the_world_was_lost_is_kept() {
    let goals = r#"<goal uid="1" status="final"><program>
call delete
return 1
</program></goal>
<goal uid="2" status="final"><program>
call delete
lose
</program></goal>
<goal uid="3" status="final"><program>
return 3
</program></goal>"#;
    let (session, _) = check(
        &[goals],
        &["three things"],
        expect![[r#"
            User: three things
              asking for Program
              goal 1 runs
              calls delete
              goal 1 gave Result(Number(1))
              goal 2 runs
              calls delete
            Agent: Done. The result is 1
            Sorry, the program of goal 2 did not come to its end, and may have done part of its work: the connection is lost.
            <stack>
            <goal uid="1" status="final">
            <program>
            call delete
            return 1
            </program>
            <result>1</result>
            <error/>
            </goal>
            </stack>
            goes on from: Done. The result is 1
            Sorry, the program of goal 2 did not come to its end, and may have done part of its work: the connection is lost.
        "#]],
    );
    assert_eq!(session.turns()[0].goals.len(), 1);
}

#[test]
fn a_turn_that_only_drafted_can_be_taken_back() {
    let agent = agent(&[DRAFT, ASK, FINAL, DONE, FINAL, DONE]);
    let mut session = Session::new();
    block_on(agent.turn(&mut session, "delete something", &mut Unwatched));
    assert!(session.undo_draft());
    assert!(session.stack().is_empty());
    assert_eq!(session.said(), "How can I help you?");
    assert!(!session.undo_draft());

    block_on(agent.turn(&mut session, "delete the bat", &mut Unwatched));
    assert!(!session.undo_draft());
    assert_eq!(session.turns().len(), 1);
}

#[test]
fn a_saved_dialogue_is_taken_up_where_it_ended() {
    let agent = agent(&[DRAFT, ASK, FINAL, DONE]);
    let mut session = Session::new();
    block_on(agent.turn(&mut session, "delete something", &mut Unwatched));
    block_on(agent.turn(&mut session, "the bat", &mut Unwatched));
    let resumed = Session::resume(&session.transcript("saved")).unwrap();
    assert_eq!(resumed.said(), session.said());
    assert_eq!(resumed.turns(), session.turns());
}

#[test]
fn the_same_dialogue_gives_the_same_random_numbers() {
    let seed = |uid: u32| {
        format!("<goal uid=\"{uid}\" status=\"final\"><program>\nreturn seed\n</program></goal>")
    };
    let run = || {
        let agent = agent(&[&format!("{}{}", seed(1), seed(2)), DONE]);
        let report = block_on(agent.turn(&mut Session::new(), "roll", &mut Unwatched));
        let outcomes = report
            .executed
            .into_iter()
            .map(|done| done.execution.outcome);
        outcomes.collect::<Vec<_>>()
    };
    let [first, second] = &run()[..] else {
        panic!("two programs ran")
    };
    assert_ne!(first, second);
    assert_eq!(run(), run());
}

#[test]
fn what_only_the_host_says_is_marked_where_a_program_says_it() {
    let program = |name: &str| {
        format!("<goal uid=\"1\" status=\"final\"><program>\nraise {name}()\n</program></goal>")
    };
    for (name, message) in [
        ("DeadlineExceeded", "raised by the program itself: "),
        ("AccessDenied", "raised by the program itself: "),
        ("Declined", "raised by the program itself: "),
        ("MemoryError", ""),
        ("KeyError", ""),
        ("EndDialog", ""),
    ] {
        let agent = agent(&[&program(name), DONE]);
        let mut session = Session::new();
        let report = block_on(agent.turn(&mut session, "do it", &mut Unwatched));
        let Outcome::Error(error) = &report.executed[0].execution.outcome else {
            panic!("{name} is no error");
        };
        assert_eq!(
            (error.error.as_str(), error.message.as_str()),
            (name, message)
        );
    }
}
