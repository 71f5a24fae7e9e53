//! A server that is started for a chat, and ends with it.

use crate::cli::support::goal;
use crate::local::machine::Machine;
use crate::support::tools::needs;
use expect_test::expect;
use std::io::{BufRead, BufReader};
use std::process::Stdio;

#[test]
fn a_chat_runs_the_server_for_as_long_as_it_lasts() {
    needs!(PYTHON);
    let machine = Machine::new();
    let program = goal(1, "final", "return len(s3.list_buckets()[\"Buckets\"])");
    let command = machine.command(
        "chat --yes --script script.txt",
        &[&program, "Two buckets."],
    );
    machine
        .home
        .write("script.txt", "how many buckets have I?\n");
    machine.home.check(
        command,
        "",
        expect![[r#"
        Agent: How can I help you?

        You: how many buckets have I?

          goal 1  final · TIME
          │ return len(s3.list_buckets()["Buckets"])
          result   2

        Agent: Two buckets.

        -- exit 0 --
    "#]],
    );
    let server = machine.running();
    assert_eq!(server.option("--host"), "127.0.0.1");
    assert_eq!(server.option("--alias"), "qwen2.5-coder-1.5b");
    assert!(
        !server.words.iter().any(|word| word.contains("key")),
        "{:?}",
        server.words
    );
    assert!(!server.words.iter().any(|word| word.starts_with("--spec")));
    server.ended();
    // Nothing of it is left, not even what it printed.
    let state = machine.home.path(".local/state/dialog2api/server");
    assert_eq!(std::fs::read_dir(state).expect("a folder").count(), 0);
}

#[test]
fn a_server_that_can_look_up_what_follows_does_so() {
    needs!(PYTHON);
    let machine = Machine::new();
    let mut command = machine.command("chat --yes --script script.txt", &[]);
    machine.home.write("script.txt", "hello\n");
    let help = [
        "usage:",
        "--spec-type none,ngram-simple",
        "--spec-ngram-simple-size-n N",
        "--spec-ngram-simple-size-m N",
    ];
    command.env("FAKE_HELP", help.join("\n"));
    let output = command.output().expect("it starts");
    let server = machine.running();
    assert_eq!(server.option("--spec-type"), "ngram-simple");
    assert_eq!(server.option("--spec-ngram-simple-size-n"), "8");
    assert_eq!(server.option("--spec-ngram-simple-size-m"), "8");
    // The other options are as they were, and the server answers.
    assert_eq!(server.option("--alias"), "qwen2.5-coder-1.5b");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        said.contains("found `I have nothing more to say.`"),
        "{said}"
    );
    server.ended();
}

#[test]
fn a_server_ends_with_a_chat_that_is_killed() {
    needs!(PYTHON);
    let machine = Machine::new();
    let mut command = machine.command("chat --model local:qwen2.5-coder-1.5b", &[]);
    let mut chat = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let server = machine.running();
    let mut said = String::new();
    let mut out = BufReader::new(chat.stdout.take().expect("a pipe"));
    out.read_line(&mut said).expect("a line");
    assert_eq!(said, "Agent: How can I help you?\n");
    chat.kill().expect("kill -9");
    chat.wait().expect("it has ended");
    server.ended();
}

#[test]
fn a_server_that_does_not_start_says_why() {
    needs!(PYTHON);
    let machine = Machine::new();
    let mut command = machine.command("model test local:qwen2.5-coder-1.5b", &[]);
    command.env("FAKE_TROUBLE", "yes");
    machine.home.check(command, "", expect![[r#"
        -- stderr --
        error: the server of qwen2.5-coder-1.5b does not start: the model cannot be loaded (exit status: 1)
        -- exit 1 --
    "#]]);
}

#[test]
fn what_is_not_here_is_named_with_what_brings_it() {
    let machine = Machine::bare();
    let test = |words: &str| machine.command(&format!("model test {words}"), &[]);
    machine
        .home
        .check(test("local:qwen2.5-coder-0.5b"), "", expect![[r#"
            -- stderr --
            error: the files of qwen2.5-coder-0.5b are not here: `dialog2api model pull qwen2.5-coder-0.5b` fetches them
            -- exit 2 --
        "#]]);
    machine.home.check(test("local:gpt-9"), "", expect![[r#"
        -- stderr --
        error: there is no model "gpt-9" to fetch; there are: qwen2.5-coder-1.5b, qwen2.5-coder-0.5b, minilm
        -- exit 2 --
    "#]]);
    machine.home.check(
        test("local:minilm"),
        "",
        expect![[r#"
        -- stderr --
        error: minilm (all-MiniLM-L6-v2, sentence embeddings) is not a model to talk with
        -- exit 2 --
    "#]],
    );
    machine.home.check(
        test("local:nothing.gguf"),
        "",
        expect![[r#"
            -- stderr --
            error: there is no model file nothing.gguf
            -- exit 2 --
        "#]],
    );
    let machine = Machine::new();
    let mut command = machine.command("model test local:qwen2.5-coder-1.5b", &[]);
    command.env("PATH", "/nowhere");
    machine.home.check(command, "", expect![[r#"
        -- stderr --
        error: there is no server program for qwen2.5-coder-1.5b here: `dialog2api model serve --yes` installs one, and llama.cpp's `llama-server` on PATH is taken as well
        -- exit 2 --
    "#]]);
    let mut command = machine.command("model serve --yes", &[]);
    command.env("PATH", "/nowhere");
    machine.home.check(command, "", expect![[r#"
        -- stderr --
        Qwen2.5-Coder-1.5B-Instruct, 4 bits (Apache-2.0) can be run on this machine. That installs llama.cpp's server in a Python environment of its own (34 MB).
        error: there is no python3 here: install Python 3.10 or later with its venv module (Debian's package python3-venv), or llama.cpp's `llama-server`
        -- exit 2 --
    "#]]);
}

#[test]
fn an_adapter_is_named_to_the_server_and_chooses_the_form_of_the_prompts() {
    needs!(PYTHON);
    let machine = Machine::new();
    let home = &machine.home;
    home.write("own.gguf", "GGUF");
    home.write("script.txt", "how many buckets have I?\n");
    let chat = "chat --model local:qwen2.5-coder-1.5b --script script.txt";
    let program = "1 final\nreturn len(s3.list_buckets()[\"Buckets\"])";
    home.check(
        machine.command(
            &format!("{chat} --adapter own.gguf"),
            &[program, "Two buckets."],
        ),
        "",
        expect![[r#"
            Agent: How can I help you?

            You: how many buckets have I?

              goal 1  final · TIME
              │ return len(s3.list_buckets()["Buckets"])
              result   2

            Agent: Two buckets.

            -- exit 0 --
        "#]],
    );
    let server = machine.running();
    assert_eq!(
        server.option("--lora"),
        home.path("own.gguf").display().to_string()
    );
    server.ended();
    let program = goal(1, "final", "return len(s3.list_buckets()[\"Buckets\"])");
    home.check(
        machine.command(
            &format!("{chat} --adapter none"),
            &[&program, "Two buckets."],
        ),
        "",
        expect![[r#"
            Agent: How can I help you?

            You: how many buckets have I?

              goal 1  final · TIME
              │ return len(s3.list_buckets()["Buckets"])
              result   2

            Agent: Two buckets.

            -- exit 0 --
        "#]],
    );
    assert!(!machine.running().words.contains(&"--lora".to_owned()));
    home.check(
        machine.command(&format!("{chat} --adapter other.gguf"), &[]),
        "",
        expect![[r#"
            -- stderr --
            error: there is no adapter other.gguf; --adapter none does without one
            -- exit 2 --
        "#]],
    );
    home.write("letter.gguf", "Dear model,");
    home.check(
        machine.command(&format!("{chat} --adapter letter.gguf"), &[]),
        "",
        expect![[r#"
            -- stderr --
            error: HOME/letter.gguf is no adapter: it does not begin like a GGUF file; --adapter none does without one
            -- exit 2 --
        "#]],
    );
    home.check(
        machine.command(
            "chat --model openai:x --adapter own.gguf --script script.txt",
            &[],
        ),
        "",
        expect![[r#"
            -- stderr --
            error: --adapter is for models on this machine: local:NAME
            -- exit 2 --
        "#]],
    );
}
