//! Servers that start, and servers that do not.

use super::{Items, hurried, problem, program, value};
use crate::support::scripted_http::{self, Answer, response};
use crate::support::tools::needs;
use dialog2api::domain::World;
use dialog2api::mcp::{Address, Client, McpWorld, Server, Tools};
use expect_test::expect;
use serde_json::json;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;
use tokio::io::AsyncReadExt;
use tokio::net::TcpListener;

#[tokio::test]
async fn tools_are_listed() {
    needs!(PYTHON);
    let items = Items::new();
    let client = Client::connect(&items.server("")).await.unwrap();
    let tools = Tools::list(&client).await.unwrap();
    assert_eq!(tools.reads().join(" "), "list_items crash_reading picture");
    assert_eq!(tools.destroys().join(" "), "delete_item");
    let stub = tools.stub();
    let start = stub.find("def list_items").unwrap();
    let end = stub.find("def fail").unwrap();
    expect![[r#"
        def list_items() -> dict:
            """Returns all items.

            Returns {"items": [{"name": str, "count": int}, …]}
            """

        def add_item(*, item_name: str, count: int = 1, class_: Literal["food", "tool"] | None = None) -> Any:
            """Adds an item.

            Its "count" grows if it is there: see \"\""docs\"\""\\

            item_name: Which one.
            count: How many.
            class_: (class) Of which class.
            """

        def delete_item(*, name: str) -> Any:
            """Removes an item for good."""

    "#]]
    .assert_eq(&stub[start..end]);
    expect![[r#"
        server/discover
        initialize
        notifications/initialized
        tools/list
    "#]]
    .assert_eq(&items.log());
    client.close().await;
}

/// An empty cursor is a cursor, and one that was sent before is the end.
#[tokio::test]
async fn cursors_of_every_kind_end() {
    needs!(PYTHON);
    for (mode, tools, pages) in [
        ("cursor-empty", 1, 2),
        ("cursor-same", 1, 2),
        ("cursor-more", 2, 2),
    ] {
        let items = Items::new();
        let client = Client::connect(&items.server(mode)).await.unwrap();
        assert_eq!(client.tools().await.unwrap().len(), tools, "{mode}");
        assert_eq!(items.log().matches("tools/list").count(), pages, "{mode}");
        client.close().await;
    }
}

#[tokio::test]
async fn servers_of_every_kind_are_understood() {
    needs!(PYTHON);
    let plain = Items::new().world("").await;
    for mode in ["modern", "noisy", "pages"] {
        let items = Items::new();
        let world = items.world(mode).await;
        assert_eq!(world.tools(), plain.tools(), "{mode}");
        let added = world
            .call("add_item", &value(json!({"item_name": "screw"})))
            .await;
        let expected = value(json!({"name": "screw", "count": 1}));
        assert_eq!(added.unwrap(), Ok(expected), "{mode}");
    }
}

#[tokio::test]
async fn a_start_that_fails_is_a_sentence() {
    needs!(PYTHON);
    let items = Items::new();
    let mut said = String::new();
    let mut say = |problem: String| said += &(problem + "\n");

    let server = Server::command("no-such-program", ["x"]);
    say(problem(Client::connect(&server).await, &server));
    let server = items.server("dying");
    say(problem(Client::connect(&server).await, &server));
    let mut server = items.server("silent");
    server.start_within = Duration::from_millis(300);
    say(problem(Client::connect(&server).await, &server));
    let server = Server::command("true", [""; 0]);
    say(problem(Client::connect(&server).await, &server));
    let mut server = items.server("");
    if let Address::Command(command) = &mut server.at {
        command
            .pass
            .push("DIALOG2API_TEST_NO_SUCH_VARIABLE".to_owned());
    }
    say(problem(Client::connect(&server).await, &server));
    for url in ["example.com", "ftp://example.com"] {
        let server = Server::url(url);
        say(problem(Client::connect(&server).await, &server));
    }
    expect![[r#"
        cannot start the MCP server `SERVER`: No such file or directory (os error 2); check its command
        cannot connect to the MCP server `SERVER`: it closed the connection; it ended with exit status: 1. Its last words: the database is gone | nothing can be done
        cannot connect to the MCP server `SERVER`: it did not answer within 0.3 seconds
        cannot connect to the MCP server `SERVER`: it closed the connection; it ended with exit status: 0
        the MCP server `SERVER` needs the environment variable DIALOG2API_TEST_NO_SUCH_VARIABLE, which is not set
        the MCP server `SERVER`: its address must begin with http:// or https://
        the MCP server `SERVER`: its address must begin with http:// or https://
    "#]].assert_eq(&said);
}

#[tokio::test]
async fn a_server_gets_no_more_of_the_environment_than_it_needs() {
    needs!(PYTHON);
    let items = Items::new();
    let mut server = items.server("");
    if let Address::Command(command) = &mut server.at {
        command
            .environment
            .insert("STORE".to_owned(), "main".to_owned());
        command.pass.push("CARGO_MANIFEST_DIR".to_owned());
    }
    let world = items.world_of(&server).await;
    let answer = world
        .call("environment", &value(json!({})))
        .await
        .unwrap()
        .unwrap();
    let names = answer
        .get("names")
        .and_then(|names| names.as_list())
        .unwrap();
    let names: Vec<&str> = names.iter().filter_map(|name| name.as_str()).collect();
    assert!(
        names.contains(&"STORE") && names.contains(&"CARGO_MANIFEST_DIR"),
        "{names:?}"
    );
    assert!(names.contains(&"PATH"), "{names:?}");
    assert!(!names.contains(&"CARGO_PKG_NAME"), "{names:?}");
}

#[tokio::test]
async fn the_process_ends_with_its_client() {
    needs!(PYTHON);
    let items = Items::new();
    // A shell in between, as `npx` is: both have to go.
    let command = program(&items.server("")).clone();
    let words: Vec<String> = [command.program]
        .into_iter()
        .chain(command.arguments)
        .collect();
    let script = format!("'{}'; true", words.join("' '"));
    let server = hurried(Server::command("sh", ["-c", &script]));
    let tools = items.world("").await.tools().clone();
    let world = McpWorld::new(server.clone(), Arc::new(tools));

    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let call = world.call("hang", &value(json!({"port": port}))).await;
    let said = problem(call, &server);
    expect![
        "the MCP server `SERVER`, asked to call hang, did not answer within 0.2 seconds. It is not known whether the call was carried out: look before you repeat it"
    ]
    .assert_eq(&said);
    let (mut line, _) = listener.accept().await.unwrap();
    drop(world);
    // It does not read its input any more, so only a signal ends it, and with it the line.
    let mut rest = Vec::new();
    let ended = tokio::time::timeout(Duration::from_secs(20), line.read_to_end(&mut rest));
    ended.await.expect("the server is dead").unwrap();
}

/// The server over HTTP. Dropping it ends it.
pub struct Http {
    child: Child,
    pub server: Server,
}

impl Http {
    fn start(items: &Items, token: &str) -> Self {
        Http::of_mode(items, "http", token)
    }

    /// One that answers in this way: see `server.py`.
    pub fn of_mode(items: &Items, mode: &str, token: &str) -> Self {
        let server = items.server(mode);
        let command = program(&server);
        let mut child = Command::new(&command.program)
            .args(&command.arguments)
            .env("TOKEN", token)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut port = String::new();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        output.read_line(&mut port).unwrap();
        Http {
            child,
            server: Server::url(format!("http://127.0.0.1:{}/mcp", port.trim())),
        }
    }
}

impl Drop for Http {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[tokio::test]
async fn servers_are_reached_over_http() {
    needs!(PYTHON);
    let items = Items::new();
    let http = Http::start(&items, "");
    let world = items.world_of(&http.server).await;
    let listed = world.call("list_items", &value(json!({}))).await.unwrap();
    let expected = value(json!({"items": [{"name": "nail", "count": 3}]}));
    assert_eq!(listed, Ok(expected));
    let refused = world
        .call("fail", &value(json!({})))
        .await
        .unwrap()
        .unwrap_err();
    assert_eq!(
        (&*refused.code, &*refused.message),
        ("ProtocolError", "it cannot")
    );

    let server = http.server.clone();
    drop(http);
    let error = problem(
        world
            .call("add_item", &value(json!({"item_name": "x"})))
            .await,
        &server,
    );
    assert!(
        error.starts_with("the MCP server `SERVER`, asked to list its tools, "),
        "{error}"
    );
    assert!(error.contains("Nothing was called"), "{error}");
    let tools = Arc::new(world.tools().clone());
    let world = McpWorld::new(server.clone(), tools);
    let error = problem(world.call("list_items", &value(json!({}))).await, &server);
    let refused = "cannot connect to the MCP server `SERVER`: Connection refused";
    assert!(error.starts_with(refused), "{error}");
}

/// A server of the protocol of 2024 is called what it is, with the way to it.
#[tokio::test]
async fn a_server_with_the_older_transport_is_named() {
    let refused = response("405 Method Not Allowed", "<html>No.</html>");
    let events = response(
        "200 OK\nContent-Type: text/event-stream",
        "event: endpoint\ndata: /messages?session=1\n\n",
    );
    let answer = Answer::IfAsked("GET /sse", Box::new(events), Box::new(refused));
    let older = scripted_http::Server::start(vec![answer; 20]).await;
    let server = Server::url(format!("http://{}/sse", older.address));
    let error = problem(Client::connect(&server).await, &server);
    expect!["cannot connect to the MCP server `SERVER`: it speaks the older transport HTTP+SSE (protocol 2024-11-05); put a bridge to it in its place, such as `domain new NAME --mcp -- mcp-proxy URL`"]
        .assert_eq(&error);
}

#[tokio::test]
async fn a_token_comes_from_the_environment() {
    needs!(PYTHON);
    let items = Items::new();
    let name = env!("CARGO_PKG_NAME");
    let http = Http::start(&items, &format!("Bearer {name}"));
    let with = |variable: &str| {
        let mut server = http.server.clone();
        if let Address::Url(url) = &mut server.at {
            url.token_variable = Some(variable.to_owned());
        }
        server
    };
    // A variable that every test has, in place of a secret.
    let client = Client::connect(&with("CARGO_PKG_NAME")).await.unwrap();
    client.close().await;
    let mut said = String::new();
    for server in [with("DIALOG2API_TEST_NO_SUCH_VARIABLE"), with("PATH"), {
        let mut server = with("CARGO_PKG_NAME");
        if let Address::Url(url) = &mut server.at {
            url.url = "http://example.com/mcp?key=1".to_owned();
        }
        server
    }] {
        said += &(problem(Client::connect(&server).await, &server) + "\n");
    }
    expect![[r#"
        the MCP server `SERVER` needs the environment variable DIALOG2API_TEST_NO_SUCH_VARIABLE, which is not set
        cannot connect to the MCP server `SERVER`: unexpected server response: HTTP 401 Unauthorized
        the MCP server `SERVER`: the token in CARGO_PKG_NAME would be sent unencrypted; use https://
    "#]].assert_eq(&said);
}
