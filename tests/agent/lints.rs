//! Lints: a valid program that is probably a mistake is sent back once, and the second
//! answer stands. (`unknown_calls` has the lint of that name.)

use crate::agent::fake::{check_with, goal};
use dialog2api::agent::{Assist, Settings};
use expect_test::{Expect, expect};

const DONE: &str = "<turn>Agent: Done.</turn>";

/// What becomes of these answers where names are looked up.
fn check(answers: &[&str], users: &[&str], expected: Expect) {
    let settings = Settings {
        assist: Assist::all(),
        ..Settings::default()
    };
    check_with(answers, users, settings, expected);
}

#[test]
fn what_only_reads_and_lacks_nothing_does_not_wait() {
    let list = "call s3.list_objects(Bucket=\"a\")";
    let (draft, done) = (goal(1, "drafting", list), goal(1, "final", list));
    check(
        &[&draft, &done, DONE],
        &["what is in a?"],
        expect![[r#"
        User: what is in a?
          asking for Program
          unusable: the program of goal 1 is drafting, but lacks no value and changes nothing: there is nothing to ask the user, so it is final
          asking for Program again
          goal 1 runs
          calls s3.list_objects(Bucket="a")
          goal 1 gave Result(Null)
          asking for Response
        Agent: Done.
        <stack>
        <goal uid="1" status="final">
        <program>
        call s3.list_objects(Bucket="a")
        </program>
        <result>null</result>
        <error/>
        </goal>
        </stack>
        goes on from: Done.
    "#]],
    );
}

#[test]
fn what_changes_something_or_lacks_a_value_may_wait() {
    let delete = goal(1, "drafting", "call s3.delete_bucket(Bucket=\"a\")");
    let which = goal(2, "drafting", "call s3.list_objects(Bucket=?1)");
    let answers = [&*delete, DONE, &*which, DONE];
    check(
        &answers,
        &["delete a", "and what is in b?"],
        expect![[r#"
        User: delete a
          asking for Program
          asking for Response
        Agent: Done.
        User: and what is in b?
          asking for Program
          asking for Response
        Agent: Done.
        <stack>
        <goal uid="1" status="drafting">
        <program>
        call s3.delete_bucket(Bucket="a")
        </program>
        </goal>
        <goal uid="2" status="drafting">
        <program>
        call s3.list_objects(Bucket=?1)
        </program>
        </goal>
        </stack>
        goes on from: Done.
    "#]],
    );
}

#[test]
fn what_may_change_something_unseen_may_wait() {
    let named = "call s3.list_buckets()\ngetattr(s3, 'delete_bucket')(Bucket=\"a\")";
    let computed = "call s3.list_buckets()\ngetattr(s3, \"\".join(parts))(Bucket=\"a\")";
    let (one, other) = (goal(1, "drafting", named), goal(2, "drafting", computed));
    check(
        &[&one, DONE, &other, DONE],
        &["delete a", "and a again"],
        expect![[r#"
            User: delete a
              asking for Program
              asking for Response
            Agent: Done.
            User: and a again
              asking for Program
              asking for Response
            Agent: Done.
            <stack>
            <goal uid="1" status="drafting">
            <program>
            call s3.list_buckets()
            getattr(s3, 'delete_bucket')(Bucket="a")
            </program>
            </goal>
            <goal uid="2" status="drafting">
            <program>
            call s3.list_buckets()
            getattr(s3, "".join(parts))(Bucket="a")
            </program>
            </goal>
            </stack>
            goes on from: Done.
        "#]],
    );
}

#[test]
fn a_name_is_looked_up_through_variables() {
    let hidden = "call s3.list_buckets()\nmake = s3.create_bucket\nwhere = {\"Bucket\": \"web-logs\"}\nmake(**where)";
    check(
        &[
            &goal(1, "final", hidden),
            &goal(1, "drafting", "call s3.create_bucket(Bucket=?1)"),
            "<turn>Agent: What should be its name?</turn>",
        ],
        &["make a bucket"],
        expect![[r#"
            User: make a bucket
              asking for Program
              unusable: the program of goal 1 names "web-logs", which nobody gave. If the user has to say it, write Bucket=?1 and status="drafting"
              asking for Program again
              asking for Response
            Agent: What should be its name?
            <stack>
            <goal uid="1" status="drafting">
            <program>
            call s3.create_bucket(Bucket=?1)
            </program>
            </goal>
            </stack>
            goes on from: What should be its name?
        "#]],
    );
}

#[test]
fn a_name_that_nobody_gave_is_asked_for() {
    check(
        &[
            &goal(1, "final", "call s3.create_bucket(Bucket=\"web-logs\")"),
            &goal(1, "drafting", "call s3.create_bucket(Bucket=\"?1\")"),
            "<turn>Agent: What should be its name?</turn>",
            &goal(1, "final", "call s3.create_bucket(Bucket=\"error-logs\")"),
            DONE,
        ],
        &["make a bucket", "error logs"],
        expect![[r#"
            User: make a bucket
              asking for Program
              unusable: the program of goal 1 names "web-logs", which nobody gave. If the user has to say it, write Bucket=?1 and status="drafting"
              asking for Program again
              asking for Response
            Agent: What should be its name?
            User: error logs
              asking for Program
              goal 1 runs
              calls s3.create_bucket(Bucket="error-logs")
              goal 1 gave Result(Null)
              asking for Response
            Agent: Done.
            <stack>
            <goal uid="1" status="final">
            <program>
            call s3.create_bucket(Bucket="error-logs")
            </program>
            <result>null</result>
            <error/>
            </goal>
            </stack>
            goes on from: Done.
        "#]],
    );
}

#[test]
fn names_come_from_what_was_said_and_from_results() {
    check(
        &[
            &goal(1, "final", "return [\"kestrel-web-logs\"]"),
            DONE,
            // The number of a month and an ending may be nobody's words.
            &goal(
                2,
                "final",
                "call s3.get_object(Bucket='kestrel-web-logs', Key=\"error/2024/03.log\")",
            ),
            DONE,
            // Where a variable comes from elsewhere is not looked up; who insists has it so.
            &goal(
                3,
                "final",
                "call s3.put_object(Bucket=name, Key=\"note.txt\", Body=\"x\")",
            ),
            &goal(
                3,
                "final",
                "call s3.put_object(Bucket=name, Key=\"note.txt\", Body=\"x\")",
            ),
            DONE,
        ],
        &["which buckets?", "the error log of March", "write it down"],
        expect![[r#"
            User: which buckets?
              asking for Program
              goal 1 runs
              goal 1 gave Result(Array [String("kestrel-web-logs")])
              asking for Response
            Agent: Done.
            User: the error log of March
              asking for Program
              goal 2 runs
              calls s3.get_object(Bucket='kestrel-web-logs', Key="error/2024/03.log")
              goal 2 gave Result(Null)
              asking for Response
            Agent: Done.
            User: write it down
              asking for Program
              unusable: the program of goal 3 names "note.txt", which nobody gave. If the user has to say it, write Key=?1 and status="drafting"
              asking for Program again
              goal 3 runs
              calls s3.put_object(Bucket=name, Key="note.txt", Body="x")
              goal 3 gave Result(Null)
              asking for Response
            Agent: Done.
            <stack>
            <goal uid="1" status="final">
            <program>
            return ["kestrel-web-logs"]
            </program>
            <result>["kestrel-web-logs"]</result>
            <error/>
            </goal>
            <goal uid="2" status="final">
            <program>
            call s3.get_object(Bucket='kestrel-web-logs', Key="error/2024/03.log")
            </program>
            <result>null</result>
            <error/>
            </goal>
            <goal uid="3" status="final">
            <program>
            call s3.put_object(Bucket=name, Key="note.txt", Body="x")
            </program>
            <result>null</result>
            <error/>
            </goal>
            </stack>
            goes on from: Done.
        "#]],
    );
}

#[test]
fn names_are_not_looked_up_where_a_model_is_measured() {
    let invented = goal(1, "final", "call s3.create_bucket(Bucket=\"web-logs\")");
    check_with(
        &[&invented, DONE],
        &["make a bucket"],
        Settings::default(),
        expect![[r#"
        User: make a bucket
          asking for Program
          goal 1 runs
          calls s3.create_bucket(Bucket="web-logs")
          goal 1 gave Result(Null)
          asking for Response
        Agent: Done.
        <stack>
        <goal uid="1" status="final">
        <program>
        call s3.create_bucket(Bucket="web-logs")
        </program>
        <result>null</result>
        <error/>
        </goal>
        </stack>
        goes on from: Done.
    "#]],
    );
}

#[test]
fn a_name_in_a_variable_is_looked_up_too() {
    let delete = |key: &str| format!("call s3.delete_object(Bucket=\"a\", Key={key})");
    check(
        &[
            &goal(
                1,
                "final",
                &format!("key = \"deer.txt\"\n{}", delete("key")),
            ),
            &goal(1, "drafting", &delete("?1")),
            "<turn>Agent: Which one?</turn>",
        ],
        &["delete something in a"],
        expect![[r#"
            User: delete something in a
              asking for Program
              unusable: the program of goal 1 names "deer.txt", which nobody gave. If the user has to say it, write Key=?1 and status="drafting"
              asking for Program again
              asking for Response
            Agent: Which one?
            <stack>
            <goal uid="1" status="drafting">
            <program>
            call s3.delete_object(Bucket="a", Key=?1)
            </program>
            </goal>
            </stack>
            goes on from: Which one?
        "#]],
    );
}
