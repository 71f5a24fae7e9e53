//! A plan under the agent's question, and the one yes to it.

use crate::cli::chat::chat;
use crate::cli::support::{Home, goal, model};
use expect_test::expect;

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_long_plan_under_a_question_is_shown_whole_and_done_after_one_yes() {
    let home = Home::new();
    let program = "for n in range(120):\n    \
                       s3.put_object(Bucket='zoology-bucket', Key=f'n/{n}', Body='x')\n    \
                       s3.delete_object(Bucket='zoology-bucket', Key='sea_animals/otter.txt')";
    let server = model(&[
        &*goal(1, "drafting", program),
        "Shall I do it?",
        &*goal(1, "final", program),
        "It is done.",
    ])
    .await;
    let said = "/plan\nmake 120 objects in zoology-bucket, and delete the otter\n/plan\nyes\n/plan\n/undo\nyes\n";
    let output = assert_cmd::Command::from(chat(&home, &server, "--world zoology"))
        .write_stdin(said)
        .output()
        .unwrap();
    let seen = home.seen(&output);
    let (is_new, mut new) = (|line: &&str| line.starts_with("  + "), 0);
    let lines = seen.lines().filter(|line| {
        new += usize::from(is_new(line));
        !is_new(line)
    });
    let lines: String = lines.map(|line| format!("{line}\n")).collect();
    expect![[""]].assert_eq(&format!("{lines}{new} lines of what is new"));
}
