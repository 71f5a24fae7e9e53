//! Programs that call operations or parameters that the API does not have: they are sent
//! back once, and the second answer stands.

use crate::agent::fake::{check, goal};
use expect_test::expect;

const DONE: &str = "<turn>Agent: Done.</turn>";

fn program(code: &str) -> String {
    goal(1, "final", code)
}

#[test]
fn an_operation_that_there_is_not_is_corrected() {
    check(
        &[
            &program("call s3.list_object(Bucket=\"a\")"),
            &program("call list_objects"),
            DONE,
        ],
        &["what is in a?"],
        expect![[r#"
            User: what is in a?
              asking for Program
              unusable: the program of goal 1 calls s3.list_object, which there is not; there is s3.list_objects
              asking for Program again
              goal 1 runs
              calls list_objects
              goal 1 gave Result(Null)
              asking for Response
            Agent: Done.
            <stack>
            <goal uid="1" status="final">
            <program>
            call list_objects
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
fn a_parameter_that_there_is_not_is_corrected() {
    check(
        &[
            &program("call s3.copy_object(Bucket=\"a\", Source=\"b/x\")"),
            &program("call s3.copy_object(Bucket=\"a\", CopySource=\"b/x\")"),
            DONE,
        ],
        &["copy x to a"],
        expect![[r#"
            User: copy x to a
              asking for Program
              unusable: the program of goal 1 calls copy_object with Source, which it does not take; it takes Bucket, CopySource, Key, MetadataDirective, Metadata, IfNoneMatch
              asking for Program again
              goal 1 runs
              calls s3.copy_object(Bucket="a", CopySource="b/x")
              goal 1 gave Result(Null)
              asking for Response
            Agent: Done.
            <stack>
            <goal uid="1" status="final">
            <program>
            call s3.copy_object(Bucket="a", CopySource="b/x")
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
fn a_parameter_is_seen_through_another_name_of_the_call() {
    check(
        &[
            &program("copy = s3.copy_object\ncopy(Bucket=\"a\", Source=\"b/x\")"),
            &program("call s3.copy_object(Bucket=\"a\", CopySource=\"b/x\")"),
            DONE,
        ],
        &["copy x to a"],
        expect![[r#"
            User: copy x to a
              asking for Program
              unusable: the program of goal 1 calls copy_object with Source, which it does not take; it takes Bucket, CopySource, Key, MetadataDirective, Metadata, IfNoneMatch
              asking for Program again
              goal 1 runs
              calls s3.copy_object(Bucket="a", CopySource="b/x")
              goal 1 gave Result(Null)
              asking for Response
            Agent: Done.
            <stack>
            <goal uid="1" status="final">
            <program>
            call s3.copy_object(Bucket="a", CopySource="b/x")
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
fn who_insists_runs_it() {
    let wrong = program("call s3.move_bucket(Bucket=\"a\")");
    check(
        &[&wrong, &wrong, DONE],
        &["hide a"],
        expect![[r#"
        User: hide a
          asking for Program
          unusable: the program of goal 1 calls s3.move_bucket, which there is not
          asking for Program again
          goal 1 runs
          calls s3.move_bucket(Bucket="a")
          goal 1 gave Result(Null)
          asking for Response
        Agent: Done.
        <stack>
        <goal uid="1" status="final">
        <program>
        call s3.move_bucket(Bucket="a")
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
fn what_is_there_stays_when_nothing_better_comes() {
    let wrong = program("call s3.move_bucket(Bucket=\"a\")");
    check(
        &[&wrong, "I cannot.", DONE],
        &["hide a"],
        expect![[r#"
        User: hide a
          asking for Program
          unusable: the program of goal 1 calls s3.move_bucket, which there is not
          asking for Program again
          goal 1 runs
          calls s3.move_bucket(Bucket="a")
          goal 1 gave Result(Null)
          asking for Response
        Agent: Done.
        <stack>
        <goal uid="1" status="final">
        <program>
        call s3.move_bucket(Bucket="a")
        </program>
        <result>null</result>
        <error/>
        </goal>
        </stack>
        goes on from: Done.
    "#]],
    );
    check(
        &[&wrong, "DOWN", DONE],
        &["hide a"],
        expect![[r#"
        User: hide a
          asking for Program
          unusable: the program of goal 1 calls s3.move_bucket, which there is not
          asking for Program again
          waiting 2s: 503
          goal 1 runs
          calls s3.move_bucket(Bucket="a")
          goal 1 gave Result(Null)
          asking for Response
        Agent: Done.
        <stack>
        <goal uid="1" status="final">
        <program>
        call s3.move_bucket(Bucket="a")
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
fn what_boto3_has_is_no_mistake() {
    let helper = program("call s3.get_paginator('list_objects').paginate(PaginationConfig=1)");
    check(
        &[&helper, DONE],
        &["list"],
        expect![[r#"
        User: list
          asking for Program
          goal 1 runs
          calls s3.get_paginator('list_objects').paginate(PaginationConfig=1)
          goal 1 gave Result(Null)
          asking for Response
        Agent: Done.
        <stack>
        <goal uid="1" status="final">
        <program>
        call s3.get_paginator('list_objects').paginate(PaginationConfig=1)
        </program>
        <result>null</result>
        <error/>
        </goal>
        </stack>
        goes on from: Done.
    "#]],
    );
    let hidden = program("call s3.put_object(Bucket=\"a\", Key=\"my_s3.zip\", ACL=\"private\")");
    check(
        &[&hidden, DONE],
        &["put"],
        expect![[r#"
        User: put
          asking for Program
          goal 1 runs
          calls s3.put_object(Bucket="a", Key="my_s3.zip", ACL="private")
          goal 1 gave Result(Null)
          asking for Response
        Agent: Done.
        <stack>
        <goal uid="1" status="final">
        <program>
        call s3.put_object(Bucket="a", Key="my_s3.zip", ACL="private")
        </program>
        <result>null</result>
        <error/>
        </goal>
        </stack>
        goes on from: Done.
    "#]],
    );
    let text = program("call 's3.nothing(Bucket=1)'");
    check(
        &[&text, DONE],
        &["say"],
        expect![[r#"
        User: say
          asking for Program
          goal 1 runs
          calls 's3.nothing(Bucket=1)'
          goal 1 gave Result(Null)
          asking for Response
        Agent: Done.
        <stack>
        <goal uid="1" status="final">
        <program>
        call 's3.nothing(Bucket=1)'
        </program>
        <result>null</result>
        <error/>
        </goal>
        </stack>
        goes on from: Done.
    "#]],
    );
}
