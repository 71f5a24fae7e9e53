//! Ctrl-C where SIGINT is ignored, as in a background job of a shell script: whatever says that
//! it ends something asks for the signal itself.

use crate::cli::eval;
use crate::cli::replay::dataset;
use crate::cli::support::Home;
use crate::support::command::kill;
use crate::support::scripted_http::{Answer, Server};
use rexpect::session::spawn_command;
use std::io::{BufRead, BufReader, Read};
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
