//! Normalizers: a prediction whose meaning is plain is corrected without a second request.

use crate::agent::fake::{check, goal};
use expect_test::expect;

const DONE: &str = "<turn>Agent: Done.</turn>";

#[test]
fn a_new_request_with_an_old_number_is_a_new_goal() {
    check(
        &[
            &goal(1, "final", "return 1"),
            DONE,
            &goal(1, "final", "return 2"),
            DONE,
            // Each has a number of its own, and leaves those alone that are right.
            &[
                goal(1, "final", "return 3"),
                goal(3, "final", "return 4"),
                goal(2, "final", "return 5"),
            ]
            .concat(),
            DONE,
        ],
        &["one", "two", "three, four and five"],
        expect![[r#"
            User: one
              asking for Program
              goal 1 runs
              goal 1 gave Result(Number(1))
              asking for Response
            Agent: Done.
            User: two
              asking for Program
              goal 2 runs
              goal 2 gave Result(Number(2))
              asking for Response
            Agent: Done.
            User: three, four and five
              asking for Program
              goal 4 runs
              goal 4 gave Result(Number(3))
              goal 3 runs
              goal 3 gave Result(Number(4))
              goal 5 runs
              goal 5 gave Result(Number(5))
              asking for Response
            Agent: Done.
            <stack>
            <goal uid="1" status="final">
            <program>
            return 1
            </program>
            <result>1</result>
            <error/>
            </goal>
            <goal uid="2" status="final">
            <program>
            return 2
            </program>
            <result>2</result>
            <error/>
            </goal>
            <goal uid="4" status="final">
            <program>
            return 3
            </program>
            <result>3</result>
            <error/>
            </goal>
            <goal uid="3" status="final">
            <program>
            return 4
            </program>
            <result>4</result>
            <error/>
            </goal>
            <goal uid="5" status="final">
            <program>
            return 5
            </program>
            <result>5</result>
            <error/>
            </goal>
            </stack>
            goes on from: Done.
        "#]],
    );
}

#[test]
fn what_ran_does_not_run_again_because_its_number_is_old() {
    let delete = goal(1, "final", "delete a/b");
    check(
        &[
            &delete,
            DONE,
            // The same once more may be no request at all.
            &delete,
            &goal(2, "final", "raise ChitChat()"),
            "<turn>Agent: You are welcome.</turn>",
        ],
        &["delete b in a", "thanks"],
        expect![[r#"
            User: delete b in a
              asking for Program
              goal 1 runs
              calls delete_object
              goal 1 gave Result(Null)
              asking for Response
            Agent: Done.
            User: thanks
              asking for Program
              unusable: goal 1 is final and can not change any more; for a new wish start a new goal, such as uid="2"
              asking for Program again
              goal 2 runs
              goal 2 gave Error(ProgramError { error: "ChitChat", message: "", traceback: None })
              asking for Response
            Agent: You are welcome.
            <stack>
            <goal uid="1" status="final">
            <program>
            delete a/b
            </program>
            <result>null</result>
            <error/>
            </goal>
            <goal uid="2" status="final">
            <program>
            raise ChitChat()
            </program>
            <result>null</result>
            <error>{"error": "ChitChat", "message": ""}</error>
            </goal>
            </stack>
            goes on from: You are welcome.
        "#]],
    );
}

#[test]
fn a_placeholder_in_quotes_is_one() {
    let draft = goal(1, "drafting", "put \"?1\"");
    check(
        &[&draft, DONE],
        &["put something somewhere"],
        expect![[r#"
        User: put something somewhere
          asking for Program
          asking for Response
        Agent: Done.
        <stack>
        <goal uid="1" status="drafting">
        <program>
        put ?1
        </program>
        </goal>
        </stack>
        goes on from: Done.
    "#]],
    );
    // Unless it is what the user says.
    let said = goal(1, "final", "return \"?1\"");
    check(
        &[&said, DONE],
        &["say \"?1\""],
        expect![[r#"
        User: say "?1"
          asking for Program
          goal 1 runs
          goal 1 gave Result(String("?1"))
          asking for Response
        Agent: Done.
        <stack>
        <goal uid="1" status="final">
        <program>
        return "?1"
        </program>
        <result>"?1"</result>
        <error/>
        </goal>
        </stack>
        goes on from: Done.
    "#]],
    );
}
