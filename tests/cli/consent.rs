//! A plan under the agent's question, and the one yes to it.

use crate::cli::chat::chat;
use crate::cli::support::{Home, goal, model};
use expect_test::expect;

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_plan_under_a_question_is_done_after_one_yes() {
    let home = Home::new();
    let program = "s3.put_object(Bucket='zoology-bucket', Key='new.txt', Body=b'fresh')\n    \
                   s3.delete_object(Bucket='zoology-bucket', Key='sea_animals/otter.txt')";
    let server = model(&[
        &*goal(1, "drafting", program),
        "<turn>Agent: Shall I do it?</turn>",
        &*goal(1, "final", program),
        "<turn>Agent: I see.</turn>",
    ])
    .await;
    let said = "/plan\nmake new.txt and delete sea_animals/otter.txt in zoology-bucket\n/plan\nyes\n/plan\n/undo\nyes\n";
    let output = assert_cmd::Command::from(chat(&home, &server, "--world zoology"))
        .write_stdin(said)
        .output()
        .unwrap();
    let seen = home.seen(&output);
    expect![[""]].assert_eq(&seen);
}
