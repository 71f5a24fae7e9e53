//! What a program printed and wrote before its world failed, in every front end.

use super::servers::pets;
use super::support::{Home, goal, model};
use crate::openapi::server::Server as Pets;
use serde_json::{Value as Json, json};

/// A program that prints and writes before it asks a server that sends it round in circles.
const LOST: &str =
    "print('so far')\npets.add_pet(name='Rex')\nprint('and on')\nreturn pets.round()";
/// One that only reads.
const READS: &str = "print('so far')\nreturn pets.round()";

/// A home with an API of pets, one of whose calls has no answer.
pub async fn there() -> (Home, Pets) {
    let home = Home::new();
    let server = Pets::start().await;
    let mut document = pets(&server);
    document["paths"]["/round"] = json!({"get": {"operationId": "round", "responses": {}}});
    home.write("pets.json", &document.to_string());
    let made = home.command("domain new pets --openapi pets.json").output();
    assert!(made.unwrap().status.success());
    (home, server)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn run_shows_what_was_printed_and_written() {
    let (home, _server) = there().await;
    home.write("lost.py", LOST);
    let words = "run --domain ./pets --json lost.py";
    let ran = home.ready(words).output().unwrap();
    let report: Json = serde_json::from_slice(&ran.stdout).unwrap();
    assert_eq!(report["output"], "so far\nand on\n");
    let writes = json!([{"operation": "add_pet", "places": ["pets/add_pet"], "made": true}]);
    assert_eq!(report["writes"], writes, "{report}");
    let ran = home.ready("run --domain ./pets lost.py").output().unwrap();
    let seen = home.seen(&ran);
    assert!(
        seen.starts_with("output     so far\n           and on\n"),
        "{seen}"
    );
    assert!(seen.contains("1 write was made: add_pet"), "{seen}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_chat_shows_what_was_printed() {
    let (home, _server) = there().await;
    for (program, said) in [(LOST, "add Rex\nyes\n"), (READS, "look\n")] {
        let answers = [&*goal(1, "final", program), "It is gone."];
        let model = model(&answers).await;
        home.write("script.txt", said);
        let words = "chat --domain ./pets --model openai:fake --script script.txt";
        let mut chat = home.ready(words);
        chat.args(["--base-url", &model.base_url()]);
        let seen = home.seen(&chat.output().unwrap());
        assert!(seen.contains("\n  printed  so far\n"), "{seen}");
    }
    // Also where its user says no in the middle.
    let model = model(&[&*goal(1, "final", LOST), "It is not there."]).await;
    home.write("script.txt", "add Rex\nno\n");
    let mut chat = home.ready("chat --domain ./pets --model openai:fake --script script.txt");
    chat.args(["--base-url", &model.base_url()]);
    let seen = home.seen(&chat.output().unwrap());
    assert!(seen.contains("\n  printed  so far\n"), "{seen}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_worker_says_what_was_printed_and_called() {
    let (home, _server) = there().await;
    let mut worker = home.ready("worker");
    let program = json!({"id": 2, "do": "run", "world": 1, "program": LOST});
    // The world has its number before the program is sent.
    let lines = [json!({"id": 1, "do": "world", "domain": "./pets"}), program];
    let said = tokio::task::spawn_blocking(move || conversation(&mut worker, &lines));
    let failed = said.await.unwrap();
    assert_eq!(failed["failed"]["kind"], "world", "{failed}");
    assert_eq!(failed["failed"]["output"], "so far\nand on\n", "{failed}");
    let calls = json!([{"operation": "add_pet", "error": null},
        {"operation": "round", "error": "ConnectionLost"}]);
    assert_eq!(failed["failed"]["calls"], calls, "{failed}");
}

/// Sends each line once the one before is answered; returns the last answer.
fn conversation(worker: &mut std::process::Command, lines: &[Json]) -> Json {
    use std::io::{BufRead, BufReader, Write};
    use std::process::Stdio;
    let mut worker = worker
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = worker.stdin.take().unwrap();
    let mut output = BufReader::new(worker.stdout.take().unwrap());
    let mut line = String::new();
    output.read_line(&mut line).unwrap();
    for sent in lines {
        writeln!(input, "{sent}").unwrap();
        line.clear();
        output.read_line(&mut line).unwrap();
    }
    drop(input);
    worker.wait().unwrap();
    serde_json::from_str(&line).unwrap()
}
