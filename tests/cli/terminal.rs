//! A person at a terminal: a real pseudo-terminal with keys and colours.

use crate::cli::support::{Home, goal, model};
use crate::support::scripted_http::Server;
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

/// A chat at a terminal, with a session that has a name.
fn chat(home: &Home, server: &Server) -> PtySession {
    let mut command = home.ready("chat --model openai:fake --color never --session it");
    command.args(["--base-url", &server.base_url()]);
    command.env("TERM", "xterm-256color");
    let mut terminal = spawn_command(command, Some(PATIENCE_MS)).expect("a terminal");
    expect(&mut terminal, "You: ");
    terminal
}

fn says(terminal: &mut PtySession, words: &str) {
    terminal.send_line(words).expect("typing");
}

fn leaves(mut terminal: PtySession) {
    expect(&mut terminal, "You: ");
    terminal.send_control('d').expect("typing");
    terminal.exp_eof().expect("it ends");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_person_declines_agrees_undoes_and_comes_back() {
    let home = Home::new();
    let delete = "s3.delete_object(Bucket='zoology-bucket', Key='sea_animals/orca.txt')";
    let server = model(&[
        &goal(1, "final", delete),
        "I left it where it is.",
        &goal(2, "final", delete),
        "It is gone.",
    ])
    .await;
    let mut terminal = chat(&home, &server);

    // Enter alone is no answer, and what is neither yes nor no is asked about again.
    says(
        &mut terminal,
        "delete sea_animals/orca.txt in zoology-bucket",
    );
    expect(&mut terminal, "The program of goal 1 would change this:");
    expect(&mut terminal, "- zoology-bucket/sea_animals/orca.txt");
    expect(&mut terminal, "Do it? [y/N] ");
    says(&mut terminal, "perhaps");
    expect(&mut terminal, "Do it? [y/N] ");
    press(&mut terminal, "\r");
    expect(&mut terminal, "Nothing is changed.");
    expect(&mut terminal, "Declined: Nothing was changed:");
    expect(&mut terminal, "I left it where it is.");
    expect(&mut terminal, "You: ");

    says(&mut terminal, "do delete it");
    expect(&mut terminal, "Do it? [y/N] ");
    says(&mut terminal, "y");
    expect(
        &mut terminal,
        "world    - zoology-bucket/sea_animals/orca.txt",
    );
    expect(&mut terminal, "It is gone.");
    leaves(terminal);

    // The session goes on where it was: its world, its stack, and what can be undone.
    let mut terminal = chat(&home, &server);
    says(&mut terminal, "/stack");
    expect(&mut terminal, "goal 1  final");
    expect(&mut terminal, "Declined");
    expect(&mut terminal, "goal 2  final");
    expect(&mut terminal, "You: ");
    says(&mut terminal, "/undo");
    expect(
        &mut terminal,
        "Undoing the program of goal 2 (turn 2) would change this:",
    );
    expect(&mut terminal, "+ zoology-bucket/sea_animals/orca.txt");
    expect(&mut terminal, "Do it? [y/N] ");
    terminal.send_control('c').expect("typing");
    expect(&mut terminal, "Nothing is changed.");
    expect(&mut terminal, "You: ");
    says(&mut terminal, "/undo");
    expect(&mut terminal, "Do it? [y/N] ");
    says(&mut terminal, "yes");
    expect(
        &mut terminal,
        "world    + zoology-bucket/sea_animals/orca.txt",
    );
    expect(&mut terminal, "Undone.");
    expect(&mut terminal, "You: ");
    says(&mut terminal, "/undo");
    expect(
        &mut terminal,
        "There is nothing to undo: no program has changed the world.",
    );
    leaves(terminal);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn ctrl_c_ends_an_apply_between_two_writes() {
    let home = Home::new();
    let many = "for n in range(900):\n    \
                s3.put_object(Bucket='zoology-bucket', Key=f'many/{n:03}', Body='x')";
    let server = model(&[&goal(1, "final", many), "Not all of them were written."]).await;
    let mut terminal = chat(&home, &server);
    says(&mut terminal, "write many to zoology-bucket");
    expect(&mut terminal, "900 created");
    expect(&mut terminal, "Do it? [y/N] ");
    says(&mut terminal, "yes");
    expect(&mut terminal, "of 900 writes");
    terminal.send_control('c').expect("typing");
    expect(&mut terminal, "Interrupted: Only ");
    let made = expect(
        &mut terminal,
        " of 900 planned writes were made: it was stopped.",
    );
    let made: usize = made.trim().parse().expect("a number");
    assert!(0 < made && made < 900, "{made}");
    expect(&mut terminal, "Not all of them were written.");
    expect(&mut terminal, "You: ");

    // What was written is there, no more, and can be taken back.
    says(&mut terminal, "/undo");
    expect(&mut terminal, &format!("{made} deleted"));
    expect(&mut terminal, "Do it? [y/N] ");
    says(&mut terminal, "yes");
    expect(&mut terminal, "Undone.");
    leaves(terminal);

    let shown = home.command("session show it").output().expect("it starts");
    let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
    let lines = |of: &str| shown.lines().filter(|line| line.contains(of)).count();
    assert_eq!(lines("plan 1: write "), made, "{shown}");
    assert_eq!(lines("plan 2: write "), made, "{shown}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn what_was_typed_before_a_question_does_not_answer_it() {
    let home = Home::new();
    let delete = "s3.delete_object(Bucket='zoology-bucket', Key='sea_animals/orca.txt')";
    let server = model(&[
        &goal(1, "final", delete),
        "I left it where it is.",
        &goal(2, "final", delete),
        "It is gone.",
    ])
    .await;
    let mut terminal = chat(&home, &server);
    // The yes is there before the model was asked.
    press(
        &mut terminal,
        "delete sea_animals/orca.txt in zoology-bucket\ry\ryes\r",
    );
    expect(&mut terminal, "Do it? [y/N] ");
    press(&mut terminal, "n\r");
    expect(&mut terminal, "Nothing is changed.");
    expect(&mut terminal, "I left it where it is.");
    terminal.send_control('d').expect("typing");
}
