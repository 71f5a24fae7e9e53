//! What is on the streams.

use crate::cli::support::Home;
use serde_json::Value as Json;
use std::io::Write;
use std::process::Stdio;

/// Everything that the server writes for these lines.
fn written(home: &Home, lines: &[&str]) -> Vec<Json> {
    let mut command = home.ready("mcp --world empty");
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut server = command.stderr(Stdio::null()).spawn().unwrap();
    let mut stdin = server.stdin.take().unwrap();
    for line in lines {
        writeln!(stdin, "{line}").unwrap();
    }
    drop(stdin);
    let output = server.wait_with_output().unwrap();
    assert!(output.status.success(), "{:?}", output.status);
    let text = String::from_utf8(output.stdout).unwrap();
    let read = |line: &str| serde_json::from_str(line).expect("nothing but JSON-RPC");
    text.lines().map(read).collect()
}

const HELLO: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;
const READY: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
const LIST: &str = r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#;

#[test]
fn garbage_gets_an_error_of_the_protocol_and_ends_nothing() {
    let home = Home::new();
    let garbage = [
        "",
        "{",
        "hello",
        "[1, 2",
        r#"{"jsonrpc":"2.0"}"#,
        "\u{1b}[2J",
    ];
    for before in [true, false] {
        let mut lines = vec![HELLO, READY, LIST];
        let at = if before { 0 } else { 2 };
        lines.splice(at..at, garbage);
        let answers = written(&home, &lines);
        let tools = answers.iter().find(|it| it["id"] == 2).expect("the list");
        assert_eq!(tools["result"]["tools"][1]["name"], "run", "{tools}");
    }
    assert_eq!(
        written(&home, &garbage)
            .iter()
            .filter(|it| it["id"] == 1)
            .count(),
        0
    );
    assert!(written(&home, &[]).is_empty());
}

#[test]
fn tools_say_truthfully_what_they_do() {
    let home = Home::new();
    let answers = written(&home, &[HELLO, READY, LIST]);
    let tools = answers.iter().find(|it| it["id"] == 2).unwrap();
    let tools = tools["result"]["tools"].as_array().unwrap();
    let mut said = String::new();
    for tool in tools {
        let hints = &tool["annotations"];
        let name = tool["name"].as_str().unwrap();
        let (reads, destroys) = (&hints["readOnlyHint"], &hints["destructiveHint"]);
        said += &format!("{name} reads={reads} destroys={destroys}\n");
        assert_eq!(tool["inputSchema"]["additionalProperties"], false);
        assert!(tool.get("$schema").is_none());
    }
    expect_test::expect![[r#"
        search_api reads=true destroys=null
        run reads=true destroys=null
        apply reads=false destroys=true
        discard reads=false destroys=false
        undo reads=true destroys=null
        sessions reads=true destroys=null
        session reads=true destroys=null
        policy reads=true destroys=null
        replay reads=true destroys=null
    "#]]
    .assert_eq(&said);
}

/// Every line that can be answered has the code that JSON-RPC names, and an `id`.
#[test]
fn what_is_no_message_of_the_protocol_is_answered_by_its_code() {
    let home = Home::new();
    let call = |id: u32, params: &str| {
        format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{params}}}"#)
    };
    let lines = [
        "hello",
        HELLO,
        READY,
        r#"{"id":"#,
        "[1, 2]",
        r#"{"jsonrpc":"2.0"}"#,
        r#"{"id":7,"method":"ping"}"#,
        r#"{"id":8,"result":{}}"#,
        &call(3, r#"{"name":"run","arguments":"x"}"#),
        &call(4, r#"{"arguments":{}}"#),
        r#"{"jsonrpc":"2.0","id":5,"method":"tools/none"}"#,
        LIST,
    ];
    let answers = written(&home, &lines);
    let errors = answers.iter().filter(|it| it.get("error").is_some());
    let mut said: Vec<String> = errors
        .inspect(|it| assert!(it.get("id").is_some(), "{it}"))
        .map(|it| format!("{} {}\n", it["id"], it["error"]["code"]))
        .collect();
    said.sort();
    expect_test::expect![[r#"
        3 -32602
        4 -32602
        5 -32601
        7 -32600
        null -32600
        null -32600
        null -32600
        null -32700
        null -32700
    "#]]
    .assert_eq(&said.concat());
    assert!(answers.iter().any(|it| it["id"] == 2), "{answers:?}");
}
