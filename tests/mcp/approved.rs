//! Tools that are others than those that were approved, and secrets that a server repeats.

use super::{Items, problem, value};
use crate::support::tools::needs;
use crate::support::value::show;
use dialog2api::domain::World;
use dialog2api::mcp::{Address, Client, McpWorld, Server};
use expect_test::expect;
use serde_json::json;
use std::sync::Arc;

async fn call(world: &McpWorld, operation: &str, params: serde_json::Value) -> String {
    match world.call(operation, &value(params)).await.unwrap() {
        Ok(value) => show(&value, |_, _| None),
        Err(refusal) => format!("{}: {}", refusal.code, refusal.message),
    }
}

#[tokio::test]
async fn a_tool_that_has_changed_is_not_called() {
    needs!(PYTHON);
    let items = Items::new();
    let tools = Arc::new(items.world("").await.tools().clone());
    std::fs::write(items.file("changed"), "").unwrap();
    let world = McpWorld::new(items.server(""), tools);
    let world = world.with_approval("look".to_owned());
    expect!["ToolChanged: list_items is another tool than the one that was approved: its server has changed its description and its hints. It was not called; `look` shows what its server offers now, and approves it"]
        .assert_eq(&call(&world, "list_items", json!({})).await);
    let objection = world.objection("list_items", &value(json!({}))).await;
    assert_eq!(objection.unwrap().unwrap().code, "ToolChanged");
    // The others are as they were.
    assert_eq!(
        call(&world, "add_item", json!({"item_name": "a"})).await,
        r#"{name: "a", count: 1}"#
    );
    assert!(!items.log().contains("list_items"), "{}", items.log());
}

#[tokio::test]
async fn a_tool_that_changes_while_it_is_used_is_not_called_again() {
    needs!(PYTHON);
    let items = Items::new();
    let world = items.world("changing").await;
    assert_eq!(
        call(&world, "add_item", json!({"item_name": "a"})).await,
        r#"{name: "a", count: 1}"#
    );
    let none = value(json!({}));
    while world.objection("add_item", &none).await.unwrap().is_none() {
        tokio::task::yield_now().await;
    }
    let refused = call(&world, "add_item", json!({"item_name": "a"})).await;
    assert!(
        refused.contains("its server has changed its description"),
        "{refused}"
    );
    assert_eq!(items.log().matches("add-item").count(), 1);
}

#[tokio::test]
async fn secrets_of_a_server_are_not_repeated() {
    needs!(PYTHON);
    let items = Items::new();
    let mut server = items.server("");
    if let Address::Command(command) = &mut server.at {
        let variables = [("SHOP_TOKEN", "tok/en-12345"), ("MODE", "production")];
        let variables = variables.map(|(name, value)| (name.to_owned(), value.to_owned()));
        command.environment.extend(variables);
        command
            .arguments
            .extend([String::new(), "--api-key=arg-98765".to_owned()]);
    }
    assert!(!server.to_string().contains("98765"), "{server}");
    let world = items.world_of(&server).await;
    let sent =
        json!({"arguments": {"a": "tok%2Fen-12345 production", "arg-98765": "dG9rL2VuLTEyMzQ1"}});
    expect![[r#"{a: "[key] production", [key]: "[key]"}"#]]
        .assert_eq(&call(&world, "show", sent.clone()).await);
    let lines = world.call_lines("show", &value(sent)).join(" ");
    assert!(
        !lines.contains("12345") && !lines.contains("98765"),
        "{lines}"
    );
    let server = Server::command("no-such-program", ["--token", "secret-4711"]);
    let error = problem(Client::connect(&server).await, &server);
    assert!(!error.contains("4711"), "{error}");
}
