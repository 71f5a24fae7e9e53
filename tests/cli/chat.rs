//! `dialog2api chat`, with a model that follows a script.

use crate::scripted_http::{Server, response};
use crate::support::{Home, goal, model, says};
use expect_test::expect;
use std::process::Command;

fn chat(home: &Home, server: &Server, words: &str) -> Command {
    let mut command = home.ready(&format!("chat --model openai:fake {words}"));
    command.args(["--base-url", &server.base_url()]);
    command
}

fn moves_a_file() -> Vec<String> {
    let moving = |bucket| {
        format!(
            "    key = \"land_animals/pinniped.txt\"\n    \
             s3.copy_object(Bucket={bucket}, Key=\"seals.txt\", CopySource={{\"Bucket\": {bucket}, \"Key\": key}})\n    \
             s3.delete_object(Bucket={bucket}, Key=key)"
        )
    };
    vec![
        goal(1, "drafting", &moving("?1")),
        "Which bucket is it in?".to_owned(),
        goal(1, "final", &moving("\"zoology-bucket\"")),
        "It is now seals.txt.".to_owned(),
    ]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_dialogue_drafts_runs_and_shows_what_changed() {
    let home = Home::new();
    let answers = moves_a_file();
    let server = model(&answers.iter().map(String::as_str).collect::<Vec<_>>()).await;
    home.write(
        "script.txt",
        "# moving\nrename pinniped to seals\n\n  zoology-bucket\n/stack\n",
    );
    home.check(
        chat(&home, &server, "--script script.txt --save kept.xml"),
        "",
        expect![[]],
    );
    expect![[]].assert_eq(&home.read("kept.xml"));
    // The file is there now, and is not written over.
    home.check(chat(&home, &server, "--save kept.xml"), "", expect![[]]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn errors_and_hostile_text_are_shown_and_do_no_harm() {
    let home = Home::new();
    let server = model(&[
        &goal(
            1,
            "final",
            "print('\x1b[2J')\nreturn s3.get_object(Bucket='no', Key='x')",
        ),
        "No such \x1b]0;owned\x07bucket.\u{202e}",
        &goal(2, "final", "raise EndDialog()"),
        "Goodbye!",
        "nonsense",
        "still nonsense",
    ])
    .await;
    home.check(
        chat(&home, &server, ""),
        "read\x1b[1m x\nbye\n\nare you there?\n",
        expect![[]],
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn commands_answer_in_words() {
    let home = Home::new();
    let server = model(&[
        &goal(1, "drafting", "s3.delete_bucket(Bucket=?1)"),
        "Which one?",
        &goal(1, "final", "return 1"),
        "Done.",
    ])
    .await;
    home.write("taken.xml", "<conversation/>");
    home.check(
        chat(&home, &server, "--world empty"),
        "/stack\n/undo-draft\ndelete a bucket\n/undo-draft\n/stack\ncount\n/undo-draft\n\
         /world\n/save\n/save taken.xml\n/save! taken.xml\n/save taken.xml\n/nope\n/help\n/quit\nnever said\n",
        expect![[]],
    );
    assert!(
        home.read("taken.xml")
            .starts_with("<conversation uid=\"taken\" world=\"empty\">")
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_busy_server_is_waited_for_in_sight() {
    let home = Home::new();
    let server = Server::start(vec![
        response("503 Service Unavailable\nRetry-After: 0.01", ""),
        says(&goal(1, "final", "return 42")),
        says("It is 42."),
    ])
    .await;
    home.check(chat(&home, &server, ""), "what is it?\n", expect![[]]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_recorded_dialogue_is_replayed_without_a_model() {
    let home = Home::new();
    let answers = moves_a_file();
    let server = model(&answers.iter().map(String::as_str).collect::<Vec<_>>()).await;
    let said = "rename pinniped to seals\nzoology-bucket\n";
    let run = |mut command: Command| {
        command.arg("--quiet");
        let output = assert_cmd::Command::from(command)
            .write_stdin(said)
            .output();
        let output = output.expect("it starts");
        assert!(output.status.success(), "{output:?}");
        let text = String::from_utf8(output.stdout).expect("text");
        let same = text
            .lines()
            .map(|line| line.split(" · ").next().unwrap_or(line));
        same.collect::<Vec<_>>().join("\n")
    };
    let recorded = run(chat(&home, &server, "--record session.jsonl"));
    let replayed = run(home.command("chat --model replay:session.jsonl"));
    assert!(recorded.contains("It is now seals.txt."), "{recorded}");
    assert_eq!(recorded, replayed);
    // Another utterance is not in the recording: said in words, and in the exit code.
    let other = assert_cmd::Command::from(home.command("chat --model replay:session.jsonl"))
        .write_stdin("something else\n")
        .output()
        .expect("it starts");
    assert_eq!(other.status.code(), Some(1));
}

#[test]
fn without_a_model_there_is_a_guide() {
    let home = Home::new();
    let output = home.command("chat").output().expect("it starts");
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8(output.stderr).expect("text");
    assert!(
        text.starts_with("error: no model is configured. Three ways to get one:"),
        "{text}"
    );
    assert!(text.lines().count() <= 24, "{text}");
}

#[test]
fn what_was_typed_wrong_is_said_before_anything_starts() {
    let home = Home::new();
    home.check(home.command("chat --setting d"), "", expect![[]]);
    home.check(home.command("chat --script nope.txt"), "", expect![[]]);
    home.check(
        home.command("chat --world s3 --model replay:x"),
        "",
        expect![[]],
    );
    home.check(
        home.command("chat --endpoint-url http://x --world zoology"),
        "",
        expect![[]],
    );
}
