//! Ctrl-C where SIGINT is ignored, as in a background job of a shell script: whatever says that
//! it ends something asks for the signal itself.

use crate::cli::eval;
use crate::cli::replay::dataset;
use crate::cli::support::Home;
use crate::support::command::kill;
use crate::support::scripted_http::{Answer, Server};
use rexpect::session::spawn_command;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Stdio};

/// The same command in a shell that ignores SIGINT.
fn deaf(command: &Command) -> Command {
    let mut shell = Command::new("sh");
    shell.args(["-c", "trap '' INT; exec \"$@\"", "sh"]);
    shell.arg(command.get_program()).args(command.get_args());
    shell.env_clear().env("PATH", "/usr/bin:/bin");
    for (name, value) in command.get_envs() {
        shell.envs(value.map(|value| (name, value)));
    }
    if let Some(folder) = command.get_current_dir() {
        shell.current_dir(folder);
    }
    shell
}

fn spawned(home: &Home, words: &str) -> Child {
    let mut command = deaf(&home.ready(words));
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped());
    command.stderr(Stdio::piped()).spawn().expect("it starts")
}

/// Reads lines up to one with these words.
fn wait_for(child: &mut Child, words: &str) {
    let lines = BufReader::new(child.stdout.as_mut().expect("a pipe")).lines();
    let mut lines = lines.map_while(Result::ok);
    assert!(lines.any(|line| line.contains(words)), "{words}");
}

fn ended(mut child: Child) -> (Option<i32>, String) {
    let mut said = String::new();
    let mut errors = child.stderr.take().expect("a pipe");
    errors.read_to_string(&mut said).expect("text");
    (child.wait().expect("it ends").code(), said)
}

#[test]
fn a_replay_that_waits_for_enter_ends() {
    let home = dataset(&[]);
    let mut command = home.ready("replay --step data --color never");
    command.env("TERM", "xterm-256color");
    let mut terminal = spawn_command(deaf(&command), Some(60_000)).expect("a terminal");
    for _ in 0..2 {
        terminal
            .exp_string("Enter goes on, Ctrl-C ends.")
            .expect("it waits");
        terminal.send_line("").expect("typing");
    }
    let home = dataset(&[]);
    let mut command = home.ready("replay --step data --color never");
    command.env("TERM", "xterm-256color");
    let mut terminal = spawn_command(deaf(&command), Some(60_000)).expect("a terminal");
    terminal
        .exp_string("Enter goes on, Ctrl-C ends.")
        .expect("it waits");
    terminal.send_control('c').expect("typing");
    terminal
        .exp_string("stopped before the end")
        .expect("it says so");
    terminal.exp_eof().expect("it ends");
}

#[test]
fn a_served_world_ends() {
    let home = Home::new();
    let mut serve = spawned(&home, "world serve --address 127.0.0.1:0");
    wait_for(&mut serve, "aws ");
    kill("-INT", serve.id());
    assert_eq!(ended(serve), (Some(0), String::new()));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_evaluation_ends() {
    let home = eval::home();
    let server = Server::start(vec![Answer::Silence(Vec::new())]).await;
    let url = server.base_url();
    let words = "eval --model openai:x --dataset set --out out --base-url";
    let mut run = spawned(&home, &format!("{words} {url}"));
    while server.requests().is_empty() {
        if let Some(status) = run.try_wait().expect("a child") {
            panic!("it ended: {status}: {}", ended(run).1);
        }
        tokio::task::yield_now().await;
    }
    kill("-INT", run.id());
    let mut said = String::new();
    let mut errors = BufReader::new(run.stderr.as_mut().expect("a pipe"));
    while !said.contains("Ctrl-C again stops at once.") {
        assert!(errors.read_line(&mut said).expect("text") > 0, "{said}");
    }
    kill("-INT", run.id());
    let (code, said) = ended(run);
    assert_eq!(code, Some(1));
    assert!(said.contains("Stopped at once."), "{said}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_turn_of_a_chat_ends() {
    let home = Home::new();
    let server = Server::start(vec![Answer::Watched(Vec::new())]).await;
    let mut command = home.ready("chat --model openai:fake --base-url");
    command.arg(server.base_url());
    command.env("TERM", "xterm-256color");
    let mut terminal = spawn_command(deaf(&command), Some(60_000)).expect("a terminal");
    terminal.exp_string("You:").expect("it waits");
    terminal.send_line("list my files").expect("typing");
    while server.requests().is_empty() {
        tokio::task::yield_now().await;
    }
    terminal.send_control('c').expect("typing");
    server.hung_up().await;
    terminal.exp_string("You:").expect("the dialogue goes on");
    terminal.send_line("/quit").expect("typing");
    terminal.exp_eof().expect("it ends");
}

/// A program that never ends is ended, and what it wrote is said.
#[test]
fn a_program_ends_and_its_writes_are_said() {
    let home = Home::new();
    std::fs::create_dir_all(home.path("photos/album")).expect("a folder");
    let program = "print('so far')\ns3.put_object(Bucket='album', Key='first', Body=b'x')\n\
                   s3.put_object(Bucket='album', Key='new', Body=b'x')\nwhile True: pass";
    home.write("endless.py", program);
    let stopped = "error: the program was stopped from outside before its end. Before that, ";
    for options in ["", " --json"] {
        let written = home.path("photos/album/new");
        let words = format!("run endless.py --world ./photos --deadline 500s{options}");
        let mut run = spawned(&home, &format!("{words} --fuel 1000000000000000"));
        while !written.exists() {
            assert!(
                run.try_wait().expect("a child").is_none(),
                "{}",
                ended(run).1
            );
            std::thread::yield_now();
        }
        kill("-INT", run.id());
        let mut printed = run.stdout.take().expect("a pipe");
        let (code, said) = ended(run);
        assert_eq!(code, Some(1), "{said}");
        // The second one may not have been answered yet.
        let made = said
            .strip_prefix(stopped)
            .unwrap_or_else(|| panic!("{said}"));
        let both = "2 writes were made: put_object × 2\n";
        let one = "1 write was made: put_object; it is not known of put_object\n";
        assert!([both, one].contains(&made), "{said}");
        let mut report = String::new();
        printed.read_to_string(&mut report).expect("text");
        assert!(report.contains("so far"), "{report}");
        assert_eq!(
            report.contains("\"error\": \"Stopped\"") || report.contains("\"error\":\"Stopped\""),
            !options.is_empty(),
            "{report}"
        );
        std::fs::remove_file(written).expect("the file");
    }
}

/// Whatever waits for its input, its client or its player ends at once.
#[test]
fn whatever_waits_ends() {
    let greeting = r#"{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion":
                      "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}}"#;
    let greeting = greeting.split_whitespace().collect::<Vec<_>>().join(" ") + "\n";
    for (words, input) in [
        ("chat --model script:answers.txt", "/help\n"),
        ("worker", ""),
        ("mcp", &greeting),
        ("web --model script:answers.txt --no-open --json", ""),
        ("play planning", ""),
    ] {
        let home = Home::new();
        home.write("answers.txt", "nothing\n");
        let mut waiting = spawned(&home, words);
        let mut to = waiting.stdin.take().expect("a pipe");
        to.write_all(input.as_bytes()).expect("it reads");
        let mut from = BufReader::new(waiting.stdout.take().expect("a pipe"));
        let mut line = String::new();
        from.read_line(&mut line).expect("text");
        assert!(!line.is_empty(), "{words}: {}", ended(waiting).1);
        kill("-INT", waiting.id());
        let status = waiting.wait().expect("it ends");
        // Its input is open still, so nothing else has ended it.
        drop(to);
        assert!(
            status.signal() == Some(2) || status.code().is_some(),
            "{words}: {status}"
        );
    }
}
