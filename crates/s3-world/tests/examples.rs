//! The examples, as the README has them.
#![allow(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

use expect_test::expect;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// An example, which `cargo test` has built beside the tests.
fn example(name: &str) -> Command {
    let tests = std::env::current_exe().unwrap();
    let built: PathBuf = tests.ancestors().nth(2).unwrap().join("examples");
    Command::new(built.join(name))
}

#[test]
fn two_states_are_compared() {
    let said = example("compare").output().unwrap();
    expect![[r#"
        made: true
        made again
        same: false
    "#]]
    .assert_eq(&String::from_utf8(said.stdout).unwrap());
}

#[test]
fn a_world_is_served() {
    let mut server = example("serve")
        .arg("zoology")
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let mut said = BufReader::new(server.stdout.take().unwrap());
    said.read_line(&mut line).unwrap();
    let (address, _) = line.split_once(',').unwrap();
    let address = address.strip_prefix("http://").unwrap();
    let mut client = TcpStream::connect(address).unwrap();
    write!(
        client,
        "GET / HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n"
    )
    .unwrap();
    let mut answer = String::new();
    client.read_to_string(&mut answer).unwrap();
    server.kill().unwrap();
    server.wait().unwrap();
    // It is S3: who does not sign is refused in its words.
    assert!(answer.starts_with("HTTP/1.1 403"), "{answer}");
    assert!(answer.contains("<Code>AccessDenied</Code>"), "{answer}");
}
