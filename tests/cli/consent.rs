//! A plan under the agent's question, and the one yes to it.

use crate::cli::support::Home;
use expect_test::expect;

const ANSWERS: &str = r#"<goal uid="1" status="drafting"><program>s3.put_object(Bucket="zoology-bucket", Key="new.txt", Body=b"fresh")
s3.delete_object(Bucket="zoology-bucket", Key="sea_animals/otter.txt")</program></goal>
---
<turn>Agent: Shall I do it?</turn>
---
<goal uid="1" status="final"><program>s3.put_object(Bucket="zoology-bucket", Key="new.txt", Body=b"fresh")
s3.delete_object(Bucket="zoology-bucket", Key="sea_animals/otter.txt")</program></goal>
---
<turn>Agent: I see.</turn>
"#;

#[test]
fn a_plan_under_a_question_is_done_after_one_yes() {
    let home = Home::new();
    home.write("answers.txt", ANSWERS);
    let said = "/plan\n\
        make new.txt and delete sea_animals/otter.txt in zoology-bucket\n\
        /plan\nyes, please\n/plan\n/undo\nyes\n";
    let chat = home.ready("chat --world zoology --model script:answers.txt");
    let output = assert_cmd::Command::from(chat)
        .write_stdin(said)
        .output()
        .unwrap();
    expect![[r#"
        Agent: How can I help you?

        You: /plan
        No plan waits for your yes.

        You: make new.txt and delete sea_animals/otter.txt in zoology-bucket

          goal 1  drafting
          │ s3.put_object(Bucket="zoology-bucket", Key="new.txt", Body=b"fresh")
          │ s3.delete_object(Bucket="zoology-bucket", Key="sea_animals/otter.txt")

        Agent: Shall I do it?

        If you say yes, this is done, as plan 1:
          - zoology-bucket/sea_animals/otter.txt  955 B  comes back by our journal
          + zoology-bucket/new.txt                5 B
          1 created, 1 deleted; 5 B written; 955 B destroyed
          calls put_object, delete_object
          An undo can take all of it back, as long as nobody changes it meanwhile; 1 comes back by our journal.

        You: /plan
        If you say yes, this is done, as plan 1:
          - zoology-bucket/sea_animals/otter.txt  955 B  comes back by our journal
          + zoology-bucket/new.txt                5 B
          1 created, 1 deleted; 5 B written; 955 B destroyed
          calls put_object, delete_object
          An undo can take all of it back, as long as nobody changes it meanwhile; 1 comes back by our journal.

        You: yes, please

          goal 1  final · TIME
          │ s3.put_object(Bucket="zoology-bucket", Key="new.txt", Body=b"fresh")
          │ s3.delete_object(Bucket="zoology-bucket", Key="sea_animals/otter.txt")
          result   null
          changed  1 created, 1 deleted; 5 B written; 955 B destroyed

          world    + zoology-bucket/new.txt (5 bytes)
                   - zoology-bucket/sea_animals/otter.txt (955 bytes)

        Agent: I see.

        You: /plan
        No plan waits for your yes.

        You: /undo

        Undoing the program of goal 1 (turn 2) would change this:
          - zoology-bucket/new.txt                5 B  comes back by our journal
          + zoology-bucket/sea_animals/otter.txt  955 B
          1 created, 1 deleted; 955 B written; 5 B destroyed
          An undo can take all of it back, as long as nobody changes it meanwhile; 1 comes back by our journal.
        Do it? [y/N] yes
          world    - zoology-bucket/new.txt (5 bytes)
                   + zoology-bucket/sea_animals/otter.txt (955 bytes)
        Undone.

        -- exit 0 --
    "#]]
    .assert_eq(&home.seen(&output));
}
