//! Replies that are in doubt: `/why`, and `chat --exact`.

use crate::cli::chat::chat;
use crate::cli::support::{Home, goal, model};
use expect_test::{Expect, expect};

/// A program that counts what is in two buckets, and three replies to it.
async fn counted(options: &str, expected: Expect) {
    let home = Home::new();
    let server = model(&[
        &goal(
            1,
            "final",
            "return {'zoo-logs': {'objects': 12}, 'zoo-data': {'objects': 7}}",
        ),
        "There are 7 objects in zoo-logs.",
        "There are 7 objects in zoo-logs.",
        &goal(2, "final", "return ['zoo-logs', 'zoo-data', 'zoo-old']"),
        "Your buckets are zoo-logs and zoo-data.",
        "Your buckets are zoo-logs, zoo-data and zoo-old.",
    ])
    .await;
    home.check(
        chat(&home, &server, options),
        "/why\nhow many objects are in zoo-logs?\n/why\nwhich buckets do I have?\n/why\n",
        expected,
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn what_is_in_doubt_has_a_reason() {
    counted(
        "--world empty",
        expect![[r#"
        Agent: How can I help you?

        You: /why
        Nothing was said yet.

        You: how many objects are in zoo-logs?

          goal 1  final · TIME
          │ return {'zoo-logs': {'objects': 12}, 'zoo-data': {'objects': 7}}
          result   {"zoo-logs": {"objects": 12}, "zoo-data": {"objects": 7}}

        Agent: There are 7[?] objects in zoo-logs.
        [?] "7": a result has it for zoo-data, not for zoo-logs

        You: /why
        "7": a result has it for zoo-data, not for zoo-logs

        You: which buckets do I have?

          goal 2  final · TIME
          │ return ['zoo-logs', 'zoo-data', 'zoo-old']
          result   ["zoo-logs", "zoo-data", "zoo-old"]

        Agent: Your buckets are zoo-logs, zoo-data and zoo-old.

        You: /why
        The last reply states 2 numbers and names, and results or somebody's words have all of them.

        -- exit 0 --
    "#]],
    )
    .await;
}

/// What a process before this one found in its last reply is kept with it.
#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_session_that_goes_on_knows_why_its_last_reply_was_in_doubt() {
    let home = Home::new();
    let server = model(&[
        &goal(1, "final", "return {'zoo-logs': 12, 'zoo-data': 7}"),
        "There are 7 objects in zoo-logs.",
        "There are 7 objects in zoo-logs.",
    ])
    .await;
    let options = "--world empty --session it";
    let input = "how many objects are in zoo-logs?\n/why\n";
    let mut first = chat(&home, &server, options);
    home.write("said.txt", input);
    first.stdin(std::fs::File::open(home.path("said.txt")).expect("a file"));
    let seen = home.seen(&first.output().expect("it runs"));
    assert!(seen.contains("[?]"), "{seen}");
    home.check(
        chat(&home, &server, options),
        "/why\n",
        expect![[r#"
        Agent: There are 7 objects in zoo-logs.

        (The session it goes on after 1 turn.)

        You: /why
        "7": a result has it for zoo-data, not for zoo-logs

        -- exit 0 --
    "#]],
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn an_exact_agent_says_what_the_results_are_rather_than_what_is_in_doubt() {
    counted(
        "--world empty --exact",
        expect![[r#"
        Agent: How can I help you?

        You: /why
        Nothing was said yet.

        You: how many objects are in zoo-logs?

          goal 1  final · TIME
          │ return {'zoo-logs': {'objects': 12}, 'zoo-data': {'objects': 7}}
          result   {"zoo-logs": {"objects": 12}, "zoo-data": {"objects": 7}}

        Agent: Done. The result is {"zoo-logs":{"objects":12},"zoo-data":{"objects":7}}

        You: /why
        The last reply is no model's: it says what came of the programs.

        You: which buckets do I have?

          goal 2  final · TIME
          │ return ['zoo-logs', 'zoo-data', 'zoo-old']
          result   ["zoo-logs", "zoo-data", "zoo-old"]

        Agent: Your buckets are zoo-logs, zoo-data and zoo-old.

        You: /why
        The last reply states 2 numbers and names, and results or somebody's words have all of them.

        -- exit 0 --
    "#]],
    )
    .await;
}

/// A result supports the number, and the rows do not: they tell.
#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_total_of_another_bucket_has_its_row_and_rule() {
    let home = Home::new();
    let server = model(&[
        &goal(1, "final", "return 1"),
        "There is 1 object in zoology-bucket.",
        "There is 1 object in zoology-bucket.",
    ])
    .await;
    home.check(
        chat(&home, &server, "--world zoology"),
        "how many objects are in zoology-bucket?\n/why\n",
        expect![[r#"
            Agent: How can I help you?

            You: how many objects are in zoology-bucket?

              goal 1  final · TIME
              │ return 1
              result   1

            Agent: There is 1 object[?] in zoology-bucket.
            [?] "1 object": objects of zoology-bucket: 11

            You: /why
            "1 object": objects of zoology-bucket: 11 (row zoology-bucket; rule differs; bytes 9 to 17 of the reply)

            -- exit 0 --
        "#]],
    );
}
