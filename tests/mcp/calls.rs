//! Calls: what becomes of answers, refusals and lost connections.

use super::{Items, hurried, problem, value};
use crate::support::tools::needs;
use crate::support::value::show;
use dialog2api::domain::{Signer, Value, World, signature};
use dialog2api::mcp::{McpWorld, UNKNOWN_STATE};
use expect_test::expect;
use serde_json::json;
use std::sync::Arc;

/// Calls as `operation {parameters}`, and what becomes of each.
async fn calls(world: &McpWorld, lines: &[&str]) -> String {
    let mut said = String::new();
    for line in lines {
        let (operation, params) = line.split_once(' ').unwrap_or((line, "{}"));
        let params = value(serde_json::from_str(params).unwrap());
        let answer = match world.call(operation, &params).await {
            Ok(Ok(value)) => show(&value, |_, _| None),
            Ok(Err(refusal)) => format!("{}: {}", refusal.code, refusal.message),
            Err(error) => format!("! {error}"),
        };
        said += &format!("{line}\n    {answer}\n");
    }
    said
}

#[tokio::test]
async fn answers_become_values_and_refusals() {
    needs!(PYTHON);
    let items = Items::new();
    let world = items.world("").await;
    let said = calls(
        &world,
        &[
            "list_items",
            r#"add_item {"item_name": "screw"}"#,
            r#"add_item {"item_name": "screw", "count": null, "class_": null}"#,
            r#"add_item {"item_name": "screw", "count": "many"}"#,
            r#"delete_item {"name": "screw"}"#,
            r#"delete_item {"name": "screw"}"#,
            "fail",
            "picture",
            r#"show {"arguments": {"a-b": [1, 2.5, null]}, "c": {"@bytes": "xyz"}, "d": {"@time": "2026-01-02T03:04:05Z"}}"#,
            r#"show {"arguments": [1]}"#,
            "no_such_tool",
            "add-item",
        ],
    )
    .await;
    expect![[r#"
        list_items
            {items: [{name: "nail", count: 3}]}
        add_item {"item_name": "screw"}
            {name: "screw", count: 1}
        add_item {"item_name": "screw", "count": null, "class_": null}
            {name: "screw", count: 2}
        add_item {"item_name": "screw", "count": "many"}
            InvalidParams: count must be an integer
        delete_item {"name": "screw"}
            "gone"
        delete_item {"name": "screw"}
            ToolError: there is no screw
        fail
            ProtocolError: it cannot
        picture
            ProtocolError: the tool answers with a content of the type "hologram", which the protocol does not have, so it is not known whether it succeeded
        show {"arguments": {"a-b": [1, 2.5, null]}, "c": {"@bytes": "xyz"}, "d": {"@time": "2026-01-02T03:04:05Z"}}
            {a-b: [1, 2.5, None], c: "eHl6", d: "2026-01-02T03:04:05Z"}
        show {"arguments": [1]}
            InvalidParams: arguments: must be a dict with the arguments
        no_such_tool
            UnknownOperation: the API has no operation "no_such_tool"
        add-item
            UnknownOperation: the API has no operation "add-item"
    "#]].assert_eq(&said);
    assert_eq!(items.state(), r#"{"nail": 3}"#);
    expect![[r#"
        tools/call list_items
        tools/list
        tools/call add-item
        tools/list
        tools/call add-item
        tools/list
        tools/call add-item
        tools/list
        tools/call delete.item
        tools/list
        tools/call delete.item
        tools/list
        tools/call fail
        tools/call picture
        tools/list
        tools/call show
    "#]]
    .assert_eq(&items.log());
}

#[tokio::test]
async fn values_without_json_are_refused_before_they_are_sent() {
    needs!(PYTHON);
    let items = Items::new();
    let world = items.world("").await;
    let params = Value::Map(vec![("arguments".into(), Value::Float(f64::NAN))]);
    let refusal = world.call("show", &params).await.unwrap().unwrap_err();
    assert_eq!(
        format!("{}: {}", refusal.code, refusal.message),
        "InvalidParams: arguments: a number must be finite"
    );
    assert_eq!(items.log(), "");
}

#[tokio::test]
async fn a_lost_read_is_made_again_and_a_lost_write_is_not() {
    needs!(PYTHON);
    let items = Items::new();
    let world = items.world("").await;
    let read = world
        .call("crash_reading", &value(json!({})))
        .await
        .unwrap();
    assert_eq!(read, Ok("still here".into()));
    expect![[r#"
        tools/call crash_reading
        server/discover
        initialize
        notifications/initialized
        tools/list
        tools/call crash_reading
    "#]]
    .assert_eq(&items.log());

    let items = Items::new();
    let world = items.world("").await;
    let server = items.server("");
    let error = problem(world.call("crash", &value(json!({}))).await, &server);
    expect!["the MCP server `SERVER`, asked to call crash, closed the connection; it ended with exit status: 3. Its last words: out of luck. It is not known whether the call was carried out: look before you repeat it"].assert_eq(&error);
    assert_eq!(items.log(), "tools/list\ntools/call crash\n");
    // The next call finds a new server.
    let write = world.call("crash", &value(json!({}))).await.unwrap();
    assert_eq!(write, Ok("still here".into()));

    // Those who ask for one attempt get one, and the user may know better than the server.
    let items = Items::new();
    let world = items.world("").await;
    let lost = world.call_once("crash_reading", &value(json!({}))).await;
    assert!(lost.is_err());
    let items = Items::new();
    let world = items.world("").await.with_reads(["crash".to_owned()]);
    assert!(
        world
            .call("crash", &value(json!({})))
            .await
            .unwrap()
            .is_ok()
    );
}

#[tokio::test]
async fn a_call_that_hangs_ends() {
    needs!(PYTHON);
    let items = Items::new();
    let server = hurried(items.server(""));
    let tools = items.world("").await.tools().clone();
    let world = McpWorld::new(server.clone(), Arc::new(tools));
    let error = problem(world.call("hang", &value(json!({}))).await, &server);
    expect![
        "the MCP server `SERVER`, asked to call hang, did not answer within 0.2 seconds. It is not known whether the call was carried out: look before you repeat it"
    ]
    .assert_eq(&error);
}

#[tokio::test]
async fn a_world_starts_its_server_when_it_is_called() {
    needs!(PYTHON);
    let items = Items::new();
    let tools = Arc::new(items.world("").await.tools().clone());
    let world = McpWorld::new(items.server(""), tools);
    assert_eq!(items.log(), "");
    assert!(world.fork().is_none() && world.state_value().is_none());
    let mut signer = Signer::new();
    signer.field(UNKNOWN_STATE.0, UNKNOWN_STATE.1);
    assert_eq!(signature(&world, []).await.unwrap(), signer.signature());
    assert_eq!(items.log(), "");

    assert!(
        world
            .call("list_items", &value(json!({})))
            .await
            .unwrap()
            .is_ok()
    );
    world.close().await;
    let again = world.call("list_items", &value(json!({}))).await;
    assert!(again.unwrap().is_ok());
    assert_eq!(items.log().matches("initialize\n").count(), 2);
}

#[tokio::test]
async fn calls_at_the_same_time_share_a_connection() {
    needs!(PYTHON);
    let items = Items::new();
    let world = items.world("").await;
    let add = |number: usize| {
        let params = value(json!({"item_name": format!("item {number}")}));
        let world = &world;
        async move { world.call("add_item", &params).await.unwrap().is_ok() }
    };
    let (a, b, c) = tokio::join!(add(1), add(2), add(3));
    assert!(a && b && c);
    assert_eq!(items.log().matches("tools/call").count(), 3);
    assert!(!items.log().contains("initialize"), "{}", items.log());
}

#[test]
fn a_call_is_shown_in_lines() {
    let tools = r#"[{"name": "add-item", "title": "Add an\nitem"}, {"name": "ping"},
        {"name": "search", "title": "Search", "annotations": {"openWorldHint": true}},
        {"name": "post", "annotations": {"openWorldHint": true}},
        {"name": "local", "annotations": {"openWorldHint": false}}]"#;
    let tools = dialog2api::mcp::Tools::parse(tools).unwrap();
    let mut said = Vec::new();
    let many = (0..15).map(|number| (format!("p{number}"), json!(number)));
    let many = serde_json::Map::from_iter(many);
    for (operation, params) in [
        (
            "add_item",
            json!({"name": "a \"b\"\n\u{202e}c", "note": null, "data": {"@zeros": 5}}),
        ),
        (
            "add_item",
            json!({"text": "x".repeat(200), "list": [1, {"a": true}]}),
        ),
        ("ping", many.into()),
        ("other", json!({})),
        ("search", json!({"q": "seals"})),
        ("post", json!({})),
        ("local", json!({})),
    ] {
        said.extend(tools.lines(operation, &value(params)));
        said.push(String::new());
    }
    expect![[r#"
        Add an item (add-item)
        name: "a \"b\"\n\U0000202ec"
        note: None
        data: 5 bytes

        Add an item (add-item)
        text: "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx… (200 characters)
        list: [1, {"a": True}]

        ping
        p0: 0
        p1: 1
        p2: 2
        p3: 3
        p4: 4
        p5: 5
        p6: 6
        p7: 7
        p8: 8
        p9: 9
        p10: 10
        p11: 11
        … and 3 more

        other

        Search (search), which the server says reaches others (openWorldHint)
        q: "seals"

        post, which the server says reaches others (openWorldHint)

        local
    "#]].assert_eq(&said.join("\n"));
}
