//! `dialog2api world serve`, as a user starts it.

use crate::support::command::{dialog2api, kill};
use expect_test::{Expect, expect};
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};

/// A running server, and the lines that it has printed.
pub struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Running {
    fn start(words: &str) -> Running {
        let mut command = dialog2api();
        command.args(words.split_whitespace());
        Running::spawn(command)
    }

    pub fn spawn(mut command: Command) -> Running {
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped());
        Running(child.spawn().expect("it starts"))
    }

    /// The lines up to one that begins so.
    pub fn lines(&mut self, last: &str) -> Vec<String> {
        let mut lines = Vec::new();
        let mut output = BufReader::new(self.0.stdout.as_mut().expect("a pipe"));
        while lines
            .last()
            .is_none_or(|line: &String| !line.starts_with(last))
        {
            let mut line = String::new();
            let read = output.read_line(&mut line).expect("text");
            assert!(read > 0, "it ended after {lines:?}");
            lines.push(line.trim_end().to_owned());
        }
        lines
    }

    /// Sends a signal; answers the exit code and what was said on standard error.
    pub fn stop(mut self, signal: &str) -> (Option<i32>, String) {
        kill(signal, self.0.id());
        let mut said = String::new();
        let mut errors = self.0.stderr.take().expect("a pipe");
        errors.read_to_string(&mut said).expect("text");
        (self.0.wait().expect("it ends").code(), said)
    }
}

/// Takes the secret out of the lines of a server that has made it up, and puts a word in
/// its place.
fn without_secret(lines: &mut [String]) -> String {
    let mut found = String::new();
    for line in lines {
        for before in ["AWS_SECRET_ACCESS_KEY=", "\"secret_access_key\":\""] {
            let Some((start, rest)) = line.split_once(before) else {
                continue;
            };
            let end = rest.find('"').unwrap_or(rest.len());
            found = rest[..end].to_owned();
            *line = format!("{start}{before}RANDOM{}", &rest[end..]);
        }
    }
    assert_eq!(found.len(), 40, "{found:?}");
    assert!(found.chars().all(|c| c.is_ascii_hexdigit()), "{found:?}");
    found
}

/// Puts a word in the place of the port, which the system chooses.
fn without_port(lines: &[String]) -> String {
    let text = lines.join("\n") + "\n";
    let mut parts = text.split("127.0.0.1:");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| {
        let rest = part.trim_start_matches(|c: char| c.is_ascii_digit());
        format!("{text}127.0.0.1:PORT{rest}")
    })
}

#[test]
fn it_says_what_to_paste_and_stops_when_told() {
    let mut server = Running::start("world serve --address 127.0.0.1:0");
    let mut lines = server.lines("aws ");
    let first = without_secret(&mut lines);
    expect![[r#"
        Serving zoology (embedded S3, in memory) at http://127.0.0.1:PORT
        Ctrl-C stops it. In another terminal:

        export AWS_ENDPOINT_URL=http://127.0.0.1:PORT
        export AWS_ACCESS_KEY_ID=dialog2api
        export AWS_SECRET_ACCESS_KEY=RANDOM
        export AWS_DEFAULT_REGION=us-east-1
        aws s3 ls
    "#]]
    .assert_eq(&without_port(&lines));
    assert_eq!(server.stop("-INT"), (Some(0), String::new()));

    let mut server =
        Running::start("world serve --world empty --address localhost:0 --quiet --access-key me");
    let mut lines = server.lines("export AWS_DEFAULT_REGION");
    let second = without_secret(&mut lines);
    assert_ne!(first, second);
    expect![[r#"
        export AWS_ENDPOINT_URL=http://127.0.0.1:PORT
        export AWS_ACCESS_KEY_ID=me
        export AWS_SECRET_ACCESS_KEY=RANDOM
        export AWS_DEFAULT_REGION=us-east-1
    "#]]
    .assert_eq(&without_port(&lines));
    assert_eq!(server.stop("-TERM"), (Some(0), String::new()));

    let mut server = Running::start("world serve --address 127.0.0.1:0 --json --overlay");
    let mut lines = server.lines("{");
    without_secret(&mut lines);
    expect![[r#"
        {"world":"zoology (embedded S3, in memory), with all changes kept apart","endpoint":"http://127.0.0.1:PORT","access_key_id":"dialog2api","secret_access_key":"RANDOM","region":"us-east-1"}
    "#]].assert_eq(&without_port(&lines));
    assert_eq!(server.stop("-TERM"), (Some(0), String::new()));
}

#[test]
fn a_secret_of_ones_own_is_not_shown() {
    let mut command = dialog2api();
    command
        .args(["world", "serve", "--address", "127.0.0.1:0"])
        .env("DIALOG2API_SERVE_SECRET", "my-own-secret");
    let mut server = Running::spawn(command);
    let lines = server.lines("aws ").join("\n");
    assert!(!lines.contains("my-own-secret"), "{lines}");
    assert!(
        lines.contains("AWS_SECRET_ACCESS_KEY=\"$DIALOG2API_SERVE_SECRET\""),
        "{lines}"
    );
    server.stop("-TERM");

    let mut server =
        Running::start("world serve --address 127.0.0.1:0 --quiet --secret my-own-secret");
    let lines = server.lines("export AWS_DEFAULT_REGION").join("\n");
    assert!(!lines.contains("my-own-secret"), "{lines}");
    assert!(lines.contains("AWS_SECRET_ACCESS_KEY=SECRET"), "{lines}");
    server.stop("-TERM");
}

/// No secret is known to everybody any more, so that none has to be set for other machines.
#[test]
fn other_machines_need_the_secret_of_this_start() {
    let mut server = Running::start("world serve --world empty --address 0.0.0.0:0 --quiet");
    without_secret(&mut server.lines("export AWS_DEFAULT_REGION"));
    server.stop("-TERM");
}

#[test]
fn what_cannot_be_served_is_said() {
    check(
        "world serve --address 127.0.0.1:0 --secret short",
        expect![[r#"
            error: invalid value 'short' for '--secret <SECRET>': a secret has 8 to 128 characters of ASCII and no spaces

            For more information, try '--help'.
            exit 2
        "#]],
    );
    check(
        "world serve --address 127.0.0.1:0 --host http://files.example",
        expect![[r#"
            error: invalid value 'http://files.example' for '--host <NAME>': a host is a name without scheme and port, as files.example

            For more information, try '--help'.
            exit 2
        "#]],
    );
    check(
        "world serve --address nowhere:x",
        expect![[r#"
            error: invalid value 'nowhere:x' for '--address <IP:PORT>': an address is an IP address and a port: 127.0.0.1:PORT

            For more information, try '--help'.
            exit 2
        "#]],
    );
    check(
        "world serve --address 192.0.2.1:1 --world empty",
        expect![[r#"
            error: 192.0.2.1:1 is not an address of this machine; give 127.0.0.1 or one that is
            exit 2
        "#]],
    );
    check(
        "world serve --access-key a/b",
        expect![[r#"
            error: invalid value 'a/b' for '--access-key <ID>': an access key has letters, digits, `-`, `_` and `.` only

            For more information, try '--help'.
            exit 2
        "#]],
    );
    let taken = std::net::TcpListener::bind(("127.0.0.1", 0)).expect("a port");
    let address = taken.local_addr().expect("its address").to_string();
    check(
        &format!("world serve --address {address}"),
        expect![[r#"
        error: 127.0.0.1:PORT is in use by another program; give another address, or port 0 for any that is free
        exit 2
    "#]],
    );
}

fn check(words: &str, expected: Expect) {
    let mut command = dialog2api();
    let ended = command.args(words.split_whitespace()).output();
    let ended = ended.expect("it starts");
    let said = String::from_utf8_lossy(&ended.stderr).into_owned();
    let lines: Vec<String> = said.lines().map(str::to_owned).collect();
    let code = ended.status.code().unwrap_or(-1);
    expected.assert_eq(&format!("{}exit {code}\n", without_port(&lines)));
}
