//! A server that is kept from one command to the next.

use crate::local::machine::{Machine, Running};
use crate::support::command::kill;
use crate::support::tools::needs;
use expect_test::expect;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Stdio;

#[test]
fn a_server_is_kept_found_and_ended() {
    needs!(PYTHON);
    let machine = Machine::new();
    let home = &machine.home;
    let run = |words: &str, expected| {
        home.check(machine.command(words, &["one two three"]), "", expected)
    };
    run(
        "model stop",
        expect![[r#"
        No model is served.
        -- exit 0 --
    "#]],
    );
    run(
        "model serve",
        expect![[r#"
        qwen2.5-coder-1.5b is served at http://127.0.0.1:PORT/v1 until `dialog2api model stop`.
        `dialog2api chat --model local:qwen2.5-coder-1.5b` uses it; for other programs its key is in HOME/.local/state/dialog2api/server/server.json.
        -- exit 0 --
    "#]],
    );
    let server = machine.running();

    let state = home.path(".local/state/dialog2api/server/server.json");
    let mode = std::fs::metadata(&state)
        .expect("a file")
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600, "the key is the user's alone");
    let folder = state.parent().expect("a folder");
    let mode = std::fs::metadata(folder)
        .expect("a folder")
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o700);
    let text = std::fs::read_to_string(&state).expect("a file");
    let known: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let key = known["key"].as_str().expect("a key");
    assert!(key.len() >= 32, "a key that nobody can guess");
    assert!(!server.words.iter().any(|word| word.contains(key)));
    assert_eq!(known["pid"].as_u64(), Some(server.pid));

    run(
        "model serve",
        expect![[r#"
        qwen2.5-coder-1.5b is served already at http://127.0.0.1:PORT/v1 until `dialog2api model stop`.
        `dialog2api chat --model local:qwen2.5-coder-1.5b` uses it; for other programs its key is in HOME/.local/state/dialog2api/server/server.json.
        -- exit 0 --
    "#]],
    );
    run(
        "model serve --small",
        expect![[r#"
        -- stderr --
        error: qwen2.5-coder-1.5b is served; `dialog2api model stop` ends it
        -- exit 2 --
    "#]],
    );
    run(
        "model list",
        expect![[r#"
        configured
          no default; `dialog2api model use MODEL` sets one
        files
          qwen2.5-coder-1.5b  Qwen2.5-Coder-1.5B-Instruct, 4 bits, Apache-2.0, 1.1 GB  HOME/.local/share/dialog2api/models/qwen2.5-coder-1.5b
          qwen2.5-coder-0.5b  Qwen2.5-Coder-0.5B-Instruct, 4 bits, Apache-2.0, 491 MB, adapter for s3  not here; dialog2api model pull qwen2.5-coder-0.5b
          minilm  all-MiniLM-L6-v2, sentence embeddings, Apache-2.0, 91 MB  not here; dialog2api model pull minilm
        running
          model serve at http://127.0.0.1:PORT/v1  local:qwen2.5-coder-1.5b
        -- exit 0 --
    "#]],
    );
    // It is found, and goes on after the chat that used it.
    home.write("script.txt", "hello\n");
    run(
        "chat --yes --script script.txt",
        expect![[r#"
        Agent: How can I help you?

        You: hello

        Agent: Sorry, the model's answer could not be used, even after it was asked again: line 1, column 1: expected a goal, such as <goal uid="1" status="drafting"> with its <program>, found `I have nothing more to say.`. Nothing was changed; please try again.

        -- stderr --
        No model is configured; qwen2.5-coder-1.5b runs at http://127.0.0.1:PORT/v1, kept by `model serve`.
        -- exit 1 --
    "#]],
    );
    let doctor = machine.command("doctor --model local:qwen2.5-coder-1.5b", &[]);
    let found = assert_cmd::Command::from(doctor)
        .output()
        .expect("it starts");
    let found = String::from_utf8_lossy(&found.stdout);
    assert!(
        found.contains("(from --model); it runs at http://127.0.0.1:"),
        "{found}"
    );
    run(
        "model stop",
        expect![[r#"
        qwen2.5-coder-1.5b is no longer served.
        -- exit 0 --
    "#]],
    );
    server.ended();
    assert!(!state.exists());
}

#[test]
fn what_is_left_of_a_server_that_was_killed_is_no_server() {
    needs!(PYTHON);
    let machine = Machine::new();
    let serve = machine.command("model serve --quiet", &[]).output();
    assert!(serve.expect("it starts").status.success());
    let server = machine.running();
    kill("-9", server.pid);
    server.ended();
    let state = machine
        .home
        .path(".local/state/dialog2api/server/server.json");
    assert!(state.exists());
    machine.home.check(
        machine.command("model stop", &[]),
        "",
        expect![[r#"
            No model is served.
            -- exit 0 --
        "#]],
    );
    assert!(!state.exists());
}

#[test]
fn a_server_that_does_not_start_is_not_kept() {
    needs!(PYTHON);
    let machine = Machine::new();
    let mut command = machine.command("model serve", &[]);
    command.env("FAKE_TROUBLE", "yes");
    machine.home.check(command, "", expect![[r#"
        -- stderr --
        error: the server of qwen2.5-coder-1.5b does not start: the model cannot be loaded (exit status: 1)
        -- exit 1 --
    "#]]);
    machine.home.check(
        machine.command("model stop", &[]),
        "",
        expect![[r#"
            No model is served.
            -- exit 0 --
        "#]],
    );
}

fn record(machine: &Machine) -> PathBuf {
    machine
        .home
        .path(".local/state/dialog2api/server/server.json")
}

/// A `model serve` whose server never answers, interrupted by a signal while it waits.
fn interrupted(machine: &Machine, signal: &str) -> (Running, String) {
    let mut command = machine.command("model serve", &[]);
    let serve = command
        .env("FAKE_SLOW", "yes")
        .stdin(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let server = machine.running();
    // The record does not wait for the server's first answer, which never comes.
    while !record(machine).exists() {
        std::thread::yield_now();
    }
    kill(signal, serve.id());
    let output = serve.wait_with_output().expect("it ends");
    assert!(!output.status.success());
    (server, String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn an_interrupted_start_leaves_no_server() {
    needs!(PYTHON);
    let machine = Machine::new();
    for signal in ["-INT", "-TERM"] {
        let (server, said) = interrupted(&machine, signal);
        server.ended();
        expect![
            "error: the start of the server of qwen2.5-coder-1.5b was interrupted; nothing runs"
        ]
        .assert_eq(said.trim());
        assert!(!record(&machine).exists());
    }
}

#[test]
fn a_server_is_found_and_ended_after_its_start_was_killed() {
    needs!(PYTHON);
    let machine = Machine::new();
    let (server, _) = interrupted(&machine, "-KILL");
    machine.home.check(
        machine.command("model stop", &[]),
        "",
        expect![[r#"
            qwen2.5-coder-1.5b is no longer served.
            -- exit 0 --
        "#]],
    );
    server.ended();
}
