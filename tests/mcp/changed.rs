//! What a server does to a tool after it was approved, and that the tool is not called then.

use super::connecting::Http;
use super::{Items, hurried, value};
use crate::support::tools::needs;
use crate::support::value::show;
use dialog2api::domain::World;
use dialog2api::mcp::{McpWorld, Tools};
use expect_test::{Expect, expect};
use serde_json::{Value as Json, json};
use std::sync::Arc;
use std::time::Duration;

/// A tool that adds, and one that says that it only reads.
fn tools() -> [Json; 2] {
    let tool = |name: &str, reads: bool| {
        json!({
            "name": name,
            "title": "Add",
            "description": "Does it.",
            "inputSchema": {"type": "object", "properties": {"item-name": {"type": "string"}}},
            "annotations": {"readOnlyHint": reads},
        })
    };
    [tool("add-item", false), tool("list_items", true)]
}

/// The server, and a world with those tools approved that asks for the list before each call.
async fn approved(pages: &Json, mode: &str) -> (Items, McpWorld) {
    let items = Items::new();
    items.list(pages);
    let world = items.world(mode).await;
    let world = McpWorld::new(items.server(mode), Arc::new(world.tools().clone()))
        .with_approval("look".to_owned())
        .with_list_for(Duration::ZERO);
    items.forget();
    (items, world)
}

/// What becomes of a call of both tools, and which of them the server was asked for.
async fn called(items: &Items, world: &McpWorld) -> String {
    items.forget();
    let mut said = String::new();
    for (operation, params) in [
        ("add_item", json!({"item_name": "a"})),
        ("list_items", json!({})),
    ] {
        said += &match world.call(operation, &value(params)).await {
            Ok(Ok(value)) => format!("{}\n", show(&value, |_, _| None)),
            Ok(Err(refusal)) => format!("{}: {}\n", refusal.code, refusal.message),
            Err(error) => {
                let error = error.to_string();
                format!(
                    "! {}\n",
                    error.replace(&items.server("").to_string(), "SERVER")
                )
            }
        };
    }
    let calls = items.log();
    let calls = calls.lines().filter(|line| line.starts_with("tools/call"));
    said + &calls.map(|line| format!("{line}\n")).collect::<String>()
}

async fn check(world: &(Items, McpWorld), pages: Json, expected: Expect) {
    let (items, world) = world;
    items.list(&pages);
    expected.assert_eq(&called(items, world).await);
}

#[tokio::test]
async fn a_tool_that_is_no_longer_listed_is_not_called() {
    needs!(PYTHON);
    let [add, list] = tools();
    let world = approved(&json!([[add, list]]), "").await;
    let other = json!({"name": "other", "inputSchema": {"type": "object"}});
    check(&world, json!([[other]]), expect![[r#"
        ToolChanged: add_item is gone: its server no longer lists it. It was not called; `look` shows what its server offers now, and approves it
        ToolChanged: list_items is gone: its server no longer lists it. It was not called; `look` shows what its server offers now, and approves it
    "#]]).await;
    // It comes back as it was, on another page.
    check(
        &world,
        json!([[other], [list], [add]]),
        expect![[r#"
            {name: "a", count: 1}
            {items: [{name: "nail", count: 3}, {name: "a", count: 1}]}
            tools/call add-item
            tools/call list_items
        "#]],
    )
    .await;
    check(&world, json!([[add], []]), expect![[r#"
        {name: "a", count: 2}
        ToolChanged: list_items is gone: its server no longer lists it. It was not called; `look` shows what its server offers now, and approves it
        tools/call add-item
    "#]]).await;
    check(&world, json!([]), expect![[r#"
        ToolChanged: add_item is gone: its server no longer lists it. It was not called; `look` shows what its server offers now, and approves it
        ToolChanged: list_items is gone: its server no longer lists it. It was not called; `look` shows what its server offers now, and approves it
    "#]]).await;
}

#[tokio::test]
async fn without_a_list_nothing_is_called() {
    needs!(PYTHON);
    let [add, list] = tools();
    let world = approved(&json!([[add, list]]), "").await;
    let server = world.0.server("");
    check(
        &world,
        json!("not now"),
        expect![[r#"
            ! the MCP server `SERVER` refused to list its tools: not now (code -32603). Nothing was called, because it is not known whether its tools are still those that were approved
            ! the MCP server `SERVER` refused to list its tools: not now (code -32603). Nothing was called, because it is not known whether its tools are still those that were approved
        "#]],
    )
    .await;
    let tools = Arc::new(world.1.tools().clone());
    let late = (world.0, McpWorld::new(hurried(server), tools));
    check(&late, Json::Null, expect![[r#"
        ! the MCP server `SERVER`, asked to list its tools, did not answer within 0.2 seconds. Nothing was called, because it is not known whether its tools are still those that were approved
        ! the MCP server `SERVER`, asked to list its tools, did not answer within 0.2 seconds. Nothing was called, because it is not known whether its tools are still those that were approved
    "#]]).await;
    let world = (late.0, world.1);
    // The next connection finds it.
    check(
        &world,
        json!([[add], [list]]),
        expect![[r#"
            {name: "a", count: 1}
            {items: [{name: "nail", count: 3}, {name: "a", count: 1}]}
            tools/call add-item
            tools/call list_items
        "#]],
    )
    .await;
}

#[tokio::test]
async fn of_two_tools_with_one_name_none_is_called_before_both_are_approved() {
    needs!(PYTHON);
    let [add, list] = tools();
    let mut other = add.clone();
    other["description"] = "Does something else.".into();
    let world = approved(&json!([[add, list]]), "").await;
    let refused = expect![[r#"
        ToolChanged: add_item is no longer one tool: its server lists 2 different tools of this name, and not all of them were approved. It was not called; `look` shows what its server offers now, and approves it
        {items: [{name: "nail", count: 3}]}
        tools/call list_items
    "#]];
    check(&world, json!([[add, other, list]]), refused).await;
    let world = approved(&json!([[add, list], [other]]), "").await;
    check(
        &world,
        json!([[list, add, add, other]]),
        expect![[r#"
            {name: "a", count: 1}
            {items: [{name: "nail", count: 3}, {name: "a", count: 1}]}
            tools/call add-item
            tools/call list_items
        "#]],
    )
    .await;
    let mut third = other.clone();
    third["annotations"] = json!({"title": "Remove"});
    check(&world, json!([[add, third, list]]), expect![[r#"
        ToolChanged: add_item is no longer one tool: its server lists 2 different tools of this name, and not all of them were approved. It was not called; `look` shows what its server offers now, and approves it
        {items: [{name: "nail", count: 3}, {name: "a", count: 1}]}
        tools/call list_items
    "#]]).await;
    check(&world, json!([[other, list]]), expect![[r#"
        ToolChanged: add_item is another tool than the one that was approved: its server has changed its description. It was not called; `look` shows what its server offers now, and approves it
        {items: [{name: "nail", count: 3}, {name: "a", count: 1}]}
        tools/call list_items
    "#]]).await;
}

/// What the protocol's library does not know of a tool is compared as well.
#[tokio::test]
async fn all_that_a_server_sends_is_compared() {
    needs!(PYTHON);
    let [add, list] = tools();
    let world = approved(&json!([[add, list]]), "").await;
    for (part, value) in [
        ("execution", json!({"taskSupport": "required"})),
        ("execution", json!({"taskSupport": "optional"})),
        ("x-cost", json!(2)),
        ("icons", json!([{"src": "https://x.test/a.png"}])),
        ("_meta", json!({"level": 2, "dialog2api/whole": add})),
    ] {
        let mut other = add.clone();
        other[part] = value;
        world.0.list(&json!([[other, list]]));
        let said = called(&world.0, &world.1).await;
        assert!(said.starts_with("ToolChanged: add_item "), "{part}: {said}");
        assert!(!said.contains("tools/call add-item"), "{part}: {said}");
    }
}

/// A server at an address is compared as one that is started here, however it writes its answers. None
/// can say of a tool that it is the one that was approved.
#[tokio::test]
async fn all_that_a_server_sends_over_http_is_compared() {
    needs!(PYTHON);
    let [add, list] = tools();
    for mode in ["http", "events", "escaped"] {
        let items = Items::new();
        items.list(&json!([[add, list]]));
        let http = Http::of_mode(&items, mode, "");
        let tools = items.world_of(&http.server).await.tools().clone();
        let world = McpWorld::new(http.server.clone(), Arc::new(tools))
            .with_approval("look".to_owned())
            .with_list_for(Duration::ZERO);
        let said = called(&items, &world).await;
        assert!(said.contains("tools/call add-item"), "{mode}: {said}");
        for (part, value) in [
            ("execution", json!({"taskSupport": "required"})),
            ("x-cost", json!(2)),
            ("_meta", json!({"level": 2, "dialog2api/whole": add})),
        ] {
            let mut other = add.clone();
            other[part] = value;
            items.list(&json!([[other, list]]));
            let said = called(&items, &world).await;
            assert!(
                said.starts_with("ToolChanged: add_item "),
                "{mode} {part}: {said}"
            );
            assert!(
                !said.contains("tools/call add-item"),
                "{mode} {part}: {said}"
            );
        }
        items.list(&json!("not now"));
        let said = called(&items, &world).await;
        let refused = "refused to list its tools: not now (code -32603). Nothing was called";
        assert!(said.contains(refused), "{mode}: {said}");
    }
}

#[tokio::test]
async fn another_server_in_its_place_is_not_called() {
    needs!(PYTHON);
    let [add, list] = tools();
    let mut world = approved(&json!([[add, list]]), "").await;
    std::fs::write(world.0.file("name.txt"), "others").unwrap();
    check(&world, json!([[add, list]]), expect![[r#"
        ToolChanged: add_item is a tool of another server than the one that was approved: the server calls itself by another name. It was not called; `look` shows what its server offers now, and approves it
        ToolChanged: list_items is a tool of another server than the one that was approved: the server calls itself by another name. It was not called; `look` shows what its server offers now, and approves it
    "#]]).await;
    for mode in ["", "modern"] {
        std::fs::remove_file(world.0.file("name.txt")).ok();
        world.1.close().await;
        world.1 = McpWorld::new(world.0.server(mode), Arc::new(world.1.tools().clone()));
        let said = called(&world.0, &world.1).await;
        assert!(
            said.ends_with("tools/call add-item\ntools/call list_items\n"),
            "{said}"
        );
    }
}

/// A document in which everything is that a tool can have.
fn full() -> Json {
    json!({
        "name": "a", "title": "A", "description": "Does a.",
        "inputSchema": {"type": "object", "properties": {"x": {"type": "integer", "default": 1}}},
        "outputSchema": {"type": "object"},
        "annotations": {
            "title": "An A", "readOnlyHint": true, "openWorldHint": false, "idempotentHint": true
        },
        "execution": {"taskSupport": "optional"},
        "icons": [{"src": "https://x.test/a.png"}],
        "_meta": {"x.test/level": 1},
        "x-cost": {"units": 1},
    })
}

fn read(tool: &Json) -> Tools {
    Tools::parse(&json!([tool]).to_string()).unwrap()
}

#[test]
fn every_part_of_a_tool_counts() {
    let approved = read(&full());
    let saved = Tools::parse(&approved.to_json()).unwrap();
    let changed = |place: &str, to: Json| {
        let mut other = full();
        *other.pointer_mut(place).expect(place) = to;
        let other = read(&other);
        assert_eq!(saved.changed(&other), approved.changed(&other));
        let said = saved.changed(&other).into_values().map(|it| it.to_string());
        said.collect::<String>()
    };
    let rest = "is another tool than the one that was approved: its server has changed ";
    for (place, to, said) in [
        ("/title", json!("B"), "its title"),
        ("/annotations/title", json!("Rm"), "its title"),
        ("/description", json!("Does b."), "its description"),
        ("/description", json!("Does a. "), "its description"),
        (
            "/inputSchema/properties/x/type",
            json!("string"),
            "its arguments",
        ),
        (
            "/inputSchema/properties/x/default",
            json!(2),
            "its arguments",
        ),
        ("/outputSchema/type", json!("array"), "its result"),
        ("/outputSchema", Json::Null, "its result"),
        ("/annotations/readOnlyHint", json!(false), "its hints"),
        ("/annotations/openWorldHint", json!(true), "its hints"),
        ("/annotations/openWorldHint", Json::Null, "its hints"),
        ("/annotations/idempotentHint", Json::Null, "its hints"),
        ("/annotations", json!({}), "its title and its hints"),
        (
            "/execution/taskSupport",
            json!("forbidden"),
            "its way to run",
        ),
        ("/icons/0/src", json!("https://x.test/b.png"), "its icons"),
        ("/_meta/x.test~1level", json!(2), "its metadata"),
        ("/x-cost/units", json!(2), "its further description"),
    ] {
        assert_eq!(changed(place, to), format!("{rest}{said}"), "{place}");
    }
    assert_eq!(changed("/name", json!("a")), "");
    let task = changed("/execution/taskSupport", json!("required"));
    assert_eq!(
        task,
        "runs only as a task now, which this program cannot follow"
    );
}

/// What says the same in other words is no change.
#[test]
fn what_says_nothing_is_no_change() {
    let plain = json!({"name": "a", "title": "A", "description": "Does a."});
    for (place, value) in [
        ("outputSchema", Json::Null),
        ("annotations", json!({})),
        (
            "annotations",
            json!({"openWorldHint": true, "destructiveHint": null, "title": "A"}),
        ),
        ("execution", json!({"taskSupport": "forbidden"})),
        ("icons", json!([])),
        ("_meta", Json::Null),
    ] {
        let mut other = plain.clone();
        other[place] = value.clone();
        let (plain, other) = (read(&plain), read(&other));
        assert!(plain.changed(&other).is_empty(), "{place}: {value}");
        assert!(other.changed(&plain).is_empty(), "{place}: {value}");
    }
    let reversed: serde_json::Map<String, Json> = full()
        .as_object()
        .unwrap()
        .clone()
        .into_iter()
        .rev()
        .collect();
    assert!(read(&full()).changed(&read(&reversed.into())).is_empty());
}

/// Earlier versions of this program kept what they used of a tool. Their folders are compared by that.
#[test]
fn folders_of_earlier_versions_are_compared_by_what_they_have() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tools.json");
    let kept = json!({"tools": [{
        "name": "a", "title": "A", "description": "Does a.", "inputSchema": full()["inputSchema"],
        "outputSchema": {"type": "object"},
        "annotations": {"readOnlyHint": true, "idempotentHint": true},
    }]});
    std::fs::write(&path, kept.to_string()).unwrap();
    let approved = Tools::read(&path).unwrap();
    assert!(approved.changed(&read(&full())).is_empty());
    let mut other = full();
    other["annotations"]["readOnlyHint"] = false.into();
    other["title"] = "B".into();
    let change = approved.changed(&read(&other)).remove("a").unwrap();
    assert_eq!(change.parts(), "its title and its hints");
    // What is saved now has all of it.
    read(&full()).save(&path).unwrap();
    let approved = Tools::read(&path).unwrap();
    other = full();
    other["icons"] = Json::Null;
    let change = approved.changed(&read(&other)).remove("a").unwrap();
    assert_eq!(change.parts(), "its icons");
}
