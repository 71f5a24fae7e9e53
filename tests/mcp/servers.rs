//! A server that others wrote: the reference server of the protocol's authors.

use super::value;
use crate::support::tools::{MCP_EVERYTHING, NODE, needs};
use crate::support::value::show;
use dialog2api::domain::{Value, World};
use dialog2api::mcp::{Client, McpWorld, Server, Tools};
use expect_test::expect;
use serde_json::json;
use std::sync::Arc;

#[tokio::test]
async fn the_reference_server_is_an_api() {
    needs!(NODE, MCP_EVERYTHING);
    let script = MCP_EVERYTHING.path().to_str().unwrap().to_owned();
    let client = Client::connect(&Server::command(NODE.path().to_str().unwrap(), [script]))
        .await
        .unwrap();
    let tools = Tools::list(&client).await.unwrap();
    let stub = tools.stub();
    let sum = stub.find("def get_sum").unwrap();
    // Its libraries decide whether the schema says what the numbers are.
    let sum: Vec<&str> = stub[sum..].split(['\n', '"']).collect();
    expect![[r#"
        def get_sum(*, a: float, b: float) -> Any:
        Returns the sum of two numbers"#]]
    .assert_eq(&format!("{}\n{}", sum[0], sum[4]));
    assert!(tools.reads().contains(&"echo"));

    let world = McpWorld::connected(client, Arc::new(tools));
    let call = async |operation: &str, params| match world.call(operation, &value(params)).await {
        Ok(answer) => answer,
        Err(error) => panic!("{error}"),
    };
    assert_eq!(
        call("echo", json!({"message": "hi"})).await,
        Ok("Echo: hi".into())
    );
    let weather = call("get_structured_content", json!({"location": "Chicago"}))
        .await
        .unwrap();
    assert!(
        weather.get("temperature").is_some(),
        "{}",
        show(&weather, |_, _| None)
    );
    let image = call("get_tiny_image", json!({})).await.unwrap();
    let blocks = image.as_list().unwrap().iter();
    let data = blocks.filter_map(|block| block.get("data"));
    let sizes: Vec<usize> = data
        .map(|data| match data {
            Value::Bytes(bytes) => bytes.len(),
            _ => 0,
        })
        .collect();
    assert!(sizes.len() == 1 && sizes[0] > 100, "{sizes:?}");
    let refusal = call("get_sum", json!({"a": "one"})).await.unwrap_err();
    assert_eq!(refusal.code, "InvalidParams", "{}", refusal.message);
}
