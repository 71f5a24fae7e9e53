//! A person at a terminal: a real pseudo-terminal with keys and colours.

use crate::support::{Home, goal, model};
use rexpect::session::{PtySession, spawn_command};

const PATIENCE_MS: u64 = 60_000;

fn expect(terminal: &mut PtySession, text: &str) -> String {
    match terminal.exp_string(text) {
        Ok(before) => before,
        Err(error) => panic!("waiting for {text:?}: {error}"),
    }
}

fn press(terminal: &mut PtySession, keys: &str) {
    terminal.send(keys).expect("typing");
    terminal.flush().expect("typing");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_person_talks_looks_back_and_leaves() {
    let home = Home::new();
    let server = model(&[
        &goal(1, "drafting", "return s3.list_objects(Bucket=?1)"),
        "Which bucket?",
        &goal(1, "drafting", "return s3.list_objects(Bucket=?2)"),
        "Again, which bucket?",
    ])
    .await;
    let mut command = home.ready("chat --model openai:fake");
    command.args(["--base-url", &server.base_url()]);
    command.env("TERM", "xterm-256color");
    let mut terminal = spawn_command(command, Some(PATIENCE_MS)).expect("a terminal");

    expect(&mut terminal, "zoology (embedded S3, in memory)");
    expect(&mut terminal, "How can I help you?");
    expect(&mut terminal, "You:");
    terminal.send_line("list my files").expect("typing");
    let shown = expect(&mut terminal, "Which bucket?");
    assert!(shown.contains("goal 1"), "{shown}");
    assert!(shown.contains("\x1b[33mdrafting"), "colours: {shown:?}");
    assert!(
        shown.contains("\x1b[1m\x1b[33m?1\x1b[0m"),
        "colours: {shown:?}"
    );

    // The arrow brings the utterance back; it is said again.
    expect(&mut terminal, "You:");
    press(&mut terminal, "\x1b[A\r");
    expect(&mut terminal, "list my files");
    expect(&mut terminal, "Again, which bucket?");

    // Commands complete, and answer.
    expect(&mut terminal, "You:");
    press(&mut terminal, "/st\t\r");
    expect(&mut terminal, "goal 1");
    expect(&mut terminal, "?2");
    expect(&mut terminal, "You:");
    terminal.send_line("/quit").expect("typing");
    terminal.exp_eof().expect("it ends");

    let history = home.path(".local/share/dialog2api/history.txt");
    let text = std::fs::read_to_string(&history).expect("a history");
    assert!(text.contains("list my files\n/stack\n/quit\n"), "{text}");
    let mode = std::os::unix::fs::PermissionsExt::mode(
        &std::fs::metadata(&history)
            .expect("a history")
            .permissions(),
    );
    assert_eq!(mode & 0o077, 0, "the history is private");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn ctrl_c_stops_a_turn_and_not_the_dialogue() {
    let home = Home::new();
    let server = model(&[&goal(1, "final", "while True: pass")]).await;
    let mut command = home.ready("chat --model openai:fake --color never");
    command.args(["--base-url", &server.base_url()]);
    command.env("TERM", "xterm-256color");
    let mut terminal = spawn_command(command, Some(PATIENCE_MS)).expect("a terminal");

    expect(&mut terminal, "You: ");
    terminal.send_line("loop").expect("typing");
    expect(&mut terminal, "running the program of goal 1");
    terminal.send_control('c').expect("typing");
    expect(
        &mut terminal,
        "Stopped. The program of goal 1 was running, and has changed nothing.",
    );
    expect(&mut terminal, "You: ");
    terminal.send_line("/undo-draft").expect("typing");
    expect(&mut terminal, "ran a program");
    expect(&mut terminal, "You: ");
    terminal.send_control('d').expect("typing");
    terminal.exp_eof().expect("it ends");
}
