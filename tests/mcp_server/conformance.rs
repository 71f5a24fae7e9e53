//! The conformance suite of the protocol, in both eras. Most of its scenarios call tools, prompts
//! or resources that only a server made for the suite has; what is not about those passes.

use super::over_http::Served;
use crate::cli::support::Home;
use crate::support::tools::{MCP_CONFORMANCE, NODE_22, needs};
use expect_test::expect;
use std::net::SocketAddr;
use tokio::io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use tokio::process::Command;

/// The suite cannot be told the token of a server, so its requests come in through this gate, which
/// adds the token.
async fn gate(served: &Served) -> SocketAddr {
    let server = served.url.trim_start_matches("http://");
    let server = server.trim_end_matches("/mcp").to_owned();
    let token = format!("Authorization: Bearer {}\r\n", served.token);
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let gate = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((client, _)) = listener.accept().await {
            tokio::spawn(enter(
                client,
                gate.to_string(),
                server.clone(),
                token.clone(),
            ));
        }
    });
    gate
}

/// One request, on a connection of its own.
async fn enter(mut client: TcpStream, gate: String, server: String, token: String) {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        match client.read_u8().await {
            Ok(byte) => head.push(char::from(byte)),
            Err(_) => return,
        }
    }
    let head = head.replace(&gate, &server);
    let (request, fields) = head.split_once("\r\n").unwrap();
    let fields = fields
        .split_inclusive("\r\n")
        .filter(|field| !field.to_ascii_lowercase().starts_with("connection:"));
    let fields = fields.collect::<String>();
    let head = format!("{request}\r\n{token}Connection: close\r\n{fields}");
    let mut server = TcpStream::connect(server).await.unwrap();
    server.write_all(head.as_bytes()).await.unwrap();
    // Clients may hang up early.
    let _ = copy_bidirectional(&mut client, &mut server).await;
}

/// What the suite says at the end.
async fn suite(gate: SocketAddr, options: &str) -> String {
    let mut command = Command::new(NODE_22.path());
    let url = format!("http://{gate}/mcp");
    command.arg(MCP_CONFORMANCE.path());
    command.args(["server", "--url", &url]);
    let output = command.args(options.split(' ')).output().await.unwrap();
    String::from_utf8(output.stdout).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_the_suite_asks_of_every_server_is_so() {
    needs!(NODE_22, MCP_CONFORMANCE);
    let home = Home::new();
    let served = Served::new(&home, "--world empty");
    let gate = gate(&served).await;
    let mut passed = String::new();
    for version in ["2025-06-18", "2025-11-25", "2026-07-28"] {
        let said = suite(gate, &format!("--suite all --spec-version {version}")).await;
        let lines = said.lines().filter(|line| line.starts_with('✓'));
        passed += &format!("{version}\n{}\n", lines.collect::<Vec<_>>().join("\n"));
    }
    expect![[r#"
        2025-06-18
        ✓ server-initialize: 3 passed, 0 failed
        ✓ server-session-lifecycle: 3 passed, 0 failed
        ✓ ping: 2 passed, 0 failed
        ✓ tools-list: 2 passed, 0 failed
        ✓ resources-list: 2 passed, 0 failed
        2025-11-25
        ✓ server-initialize: 3 passed, 0 failed
        ✓ server-session-lifecycle: 3 passed, 0 failed
        ✓ ping: 2 passed, 0 failed
        ✓ tools-list: 3 passed, 0 failed
        ✓ server-sse-polling: 2 passed, 0 failed
        ✓ server-sse-multiple-streams: 2 passed, 0 failed
        ✓ resources-list: 2 passed, 0 failed
        ✓ dns-rebinding-protection: 2 passed, 0 failed
        2026-07-28
        ✓ tools-list: 4 passed, 0 failed
        ✓ server-sse-multiple-streams: 2 passed, 0 failed
        ✓ resources-list: 2 passed, 0 failed
        ✓ sep-2164-resource-not-found: 4 passed, 0 failed
        ✓ dns-rebinding-protection: 2 passed, 0 failed
        ✓ http-header-validation: 14 passed, 0 failed
        ✓ input-required-result-missing-input-response: 1 passed, 0 failed
        ✓ input-required-result-unsupported-methods: 2 passed, 0 failed
        ✓ input-required-result-ignore-extra-params: 1 passed, 0 failed
        ✓ input-required-result-validate-input: 3 passed, 0 failed
    "#]]
    .assert_eq(&passed);

    // The rest of these two is not testable here: it asks for tools and prompts of the suite.
    let mut failed = String::new();
    for scenario in ["server-stateless", "caching"] {
        let options = format!("--scenario {scenario} --spec-version 2026-07-28");
        let said = suite(gate, &options).await;
        let (_, said) = said.split_once("=== Failed Checks ===").unwrap();
        let error = |line: &&str| line.trim_start().starts_with("Error: ");
        for line in said.lines().filter(error) {
            failed += &format!("{scenario}: {}\n", line.trim());
        }
    }
    expect![[r#"
        server-stateless: Error: Not testable: server does not list the diagnostic tool 'test_missing_capability' in tools/list and the probe call did not exercise it (required for the undeclared-capability rejection)
        server-stateless: Error: Not testable: server does not list the diagnostic tool 'test_missing_capability' in tools/list, so the -32021 HTTP status could not be validated
        server-stateless: Error: Not testable: server does not list the diagnostic tool 'test_streaming_elicitation' in tools/list, so the response stream could not be exercised
        server-stateless: Error: Not testable: server does not list the diagnostic tool 'test_logging_tool' in tools/list, so the no-log-without-logLevel requirement could not be exercised
        caching: Error: prompts/list returned JSON-RPC error -32601: prompts/list
    "#]].assert_eq(&failed);
    assert!(served.end().status.success());
}
