//! Tools as Python stubs: descriptions in, `api.pyi` out.

use dialog2api::mcp::Tools;
use expect_test::{Expect, expect};
use ruff_python_ast::Stmt;
use ruff_python_parser::parse_module;
use serde_json::{Value as Json, json};
use std::collections::HashSet;

/// The stubs of these tools, without the head that is always the same.
fn check(tools: Json, expected: Expect) {
    let tools = Tools::parse(&tools.to_string()).unwrap();
    let stub = tools.stub();
    valid(&tools);
    let at = stub.find("def ").unwrap();
    expected.assert_eq(&stub[at..]);
}

/// The stubs of one tool with these properties of its arguments.
fn properties(properties: Json, expected: Expect) {
    let schema = json!({"type": "object", "properties": properties});
    check(json!([{"name": "tool", "inputSchema": schema}]), expected);
}

/// Fails unless the stubs are Python with a function for each tool, each with another name.
pub fn valid(tools: &Tools) {
    let stub = tools.stub();
    let parsed = parse_module(&stub).unwrap_or_else(|error| panic!("{error}\n{stub}"));
    let functions = parsed.syntax().body.iter().filter_map(|it| match it {
        Stmt::FunctionDef(function) => Some(function),
        _ => None,
    });
    let functions: Vec<_> = functions.collect();
    let names: HashSet<&str> = functions.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names.len(), tools.iter().count(), "{stub}");
    for (function, tool) in functions.iter().zip(tools.iter()) {
        assert_eq!(function.name.as_str(), tool.name);
        assert!(!tool.name.starts_with('_'), "{stub}");
        let parameters = &function.parameters.kwonlyargs;
        let written: Vec<&str> = parameters
            .iter()
            .map(|it| it.parameter.name.as_str())
            .collect();
        let known: Vec<&str> = tool.parameters().map(|(name, _)| name).collect();
        assert_eq!(written, known);
        let wire: HashSet<_> = tool.parameters().collect();
        assert_eq!(wire.len(), known.len(), "{stub}");
    }
}

#[test]
fn a_stub_begins_with_the_exceptions() {
    let tools = Tools::parse(r#"[{"name": "ping"}]"#).unwrap();
    expect![[r#"
        from typing import Any, Literal

        class ToolError(Exception):
            """A tool reports that it failed. The message says why."""

        class InvalidParams(Exception):
            """The server does not accept the arguments of a call."""

        class ProtocolError(Exception):
            """The server cannot carry out a call."""

        def ping(*, arguments: dict | None = None) -> Any:
            """ping

            arguments: All arguments, by their names.
            """
    "#]]
    .assert_eq(&tools.stub());
}

#[test]
fn types_are_those_of_python() {
    properties(
        json!({
            "text": {"type": "string"},
            "whole": {"type": "integer"},
            "number": {"type": "number"},
            "truth": {"type": "boolean", "default": true},
            "nothing": {"type": "null"},
            "maybe": {"type": ["string", "null"]},
            "old_maybe": {"type": "string", "nullable": true},
            "either": {"anyOf": [{"type": "string"}, {"type": "integer"}, {"type": "null"}]},
            "names": {"type": "array", "items": {"type": "string"}},
            "pairs": {"type": "object", "additionalProperties": {"type": "number"}},
            "table": {"type": "array", "items": {"type": "array", "items": {"type": "integer"}}},
            "tuple": {"type": "array", "prefixItems": [{"type": "string"}]},
            "free": {"type": "object"},
            "file": {"type": "string", "contentEncoding": "base64"},
            "unknown": {},
            "any": true,
            "odd": {"type": "quaternion"},
            "wrong": {"type": 3},
            "nonsense": "text",
        }),
        expect![[r#"
            def tool(*, text: str | None = None, whole: int | None = None, number: float | None = None, truth: bool = True, nothing: None = None, maybe: str | None = None, old_maybe: str | None = None, either: str | int | None = None, names: list[str] | None = None, pairs: dict[str, float] | None = None, table: list[list[int]] | None = None, tuple: list | None = None, free: dict | None = None, file: bytes | None = None, unknown: Any = None, any: Any = None, odd: Any = None, wrong: Any = None, nonsense: Any = None) -> Any:
                """tool"""
        "#]],
    );
}

#[test]
fn enums_are_literals() {
    let many: Vec<Json> = (0..100).map(Json::from).collect();
    properties(
        json!({
            "colour": {"type": "string", "enum": ["red", "green", "red"], "default": "red"},
            "mixed": {"enum": [1, "1", true, null]},
            "only": {"const": "fixed"},
            "quoted": {"enum": ["a \"b\" \\ \n \u{202e}c"]},
            "floats": {"enum": [0.5, 1.5]},
            "many": {"enum": many},
            "parts": {"oneOf": [{"const": "a"}, {"const": "b", "title": "B"}]},
            "none": {"enum": []},
            "records": {"enum": [{"a": 1}]},
        }),
        expect![[r#"
            def tool(*, colour: Literal["red", "green"] = "red", mixed: Literal[1, "1", True] | None = None, only: Literal["fixed"] | None = None, quoted: Literal["a \"b\" \\ \n \U0000202ec"] | None = None, floats: float | None = None, many: int | None = None, parts: Literal["a", "b"] | None = None, none: Any = None, records: dict | None = None) -> Any:
                """tool"""
        "#]],
    );
}

#[test]
fn defaults_are_written_where_they_are_short() {
    properties(
        json!({
            "list": {"type": "array", "default": ["a", {"b": null}]},
            "float": {"type": "number", "default": 1e22},
            "null": {"type": ["integer", "null"], "default": null},
            "maybe": {"type": ["integer", "null"], "default": 3},
            "long": {"type": "string", "default": "x".repeat(100)},
        }),
        expect![[r#"
            def tool(*, list: list = ["a", {"b": None}], float: float = 1e+22, null: int | None = None, maybe: int | None = 3, long: str = ...) -> Any:
                """tool"""
        "#]],
    );
}

#[test]
fn required_parameters_come_first_and_have_no_default() {
    let schema = json!({
        "type": "object",
        "properties": {
            "a": {"type": "string", "description": "The first.\nIt is long."},
            "b": {"type": ["string", "null"], "default": "x", "title": "Second"},
        },
        "required": ["b", "missing"],
    });
    check(
        json!({"tools": [{"name": "tool", "title": "A tool", "inputSchema": schema}]}),
        expect![[r#"
            def tool(*, b: str | None, a: str | None = None) -> Any:
                """A tool

                b: Second
                a: The first. It is long.
                """
        "#]],
    );
}

#[test]
fn references_are_followed_to_an_end() {
    let schema = json!({
        "$ref": "#/$defs/Order",
        "$defs": {
            "Order": {
                "type": "object",
                "properties": {
                    "lines": {"type": "array", "items": {"$ref": "#/$defs/Line"}},
                    "tree": {"$ref": "#/$defs/Node", "description": "A tree."},
                    "deep": {"$ref": "#/$defs/Deep"},
                    "circle": {"$ref": "#/$defs/Circle"},
                    "lost": {"$ref": "#/$defs/Nobody"},
                    "elsewhere": {"$ref": "https://example.com/schema.json"},
                    "escaped": {"$ref": "#/$defs/a%20~1b"},
                },
                "required": ["lines"],
            },
            "Line": {
                "type": "object",
                "properties": {"sku": {"type": "string"}, "count": {"type": "integer"}},
                "required": ["sku"],
            },
            "Node": {
                "type": "object",
                "properties": {"left": {"$ref": "#/$defs/Node"}, "value": {"type": "integer"}},
            },
            "Deep": {"type": "array", "items": {"$ref": "#/$defs/Deep"}},
            "Circle": {"$ref": "#/$defs/Circle"},
            "a /b": {"type": "boolean"},
        },
    });
    check(
        json!([{"name": "order", "description": "Orders.", "inputSchema": schema}]),
        expect![[r#"
            def order(*, lines: list[dict], tree: dict | None = None, deep: list[list[list[list[list[list]]]]] | None = None, circle: Any = None, lost: Any = None, elsewhere: Any = None, escaped: bool | None = None) -> Any:
                """Orders.

                lines: [{"sku": str, "count"?: int}, …]
                tree: A tree. {"left"?: {"left"?: {"left"?: {"left"?: {"left"?: dict, "value"?: int}, "value"?: int}, "value"?: int}, "value"?: int}, "value"?: int}
                """
        "#]],
    );
}

#[test]
fn unions_of_objects_name_all_parameters() {
    let schema = json!({
        "type": "object",
        "properties": {"kind": {"type": "string"}},
        "required": ["kind"],
        "anyOf": [
            {"properties": {"path": {"type": "string"}}, "required": ["path"]},
            {"properties": {"url": {"type": "string"}}, "required": ["url"]},
        ],
        "allOf": [{"properties": {"id": {"type": "integer"}}, "required": ["id"]}],
    });
    let to = json!({"oneOf": [
        {"properties": {"mail": {"type": "string"}}},
        {"type": "object", "additionalProperties": {"properties": {"x": {"type": "integer"}}}},
    ]});
    check(
        json!([
            {"name": "open", "inputSchema": schema},
            {"name": "send", "inputSchema": {"properties": {"to": to}}},
            {"name": "closed", "inputSchema": {"type": "object", "additionalProperties": false}},
            {"name": "set", "inputSchema": {"additionalProperties": {"type": "string"}}},
        ]),
        expect![[r#"
            def open(*, kind: str, id: int, path: str | None = None, url: str | None = None) -> Any:
                """open"""

            def send(*, to: dict | None = None) -> Any:
                """send

                to: {"mail"?: str} or {…: {"x"?: int}}
                """

            def closed() -> Any:
                """closed"""

            def set(*, arguments: dict | None = None) -> Any:
                """set

                arguments: All arguments, by their names.
                """
        "#]],
    );
}

#[test]
fn results_are_described_where_the_server_does() {
    check(
        json!([
            {"name": "weather", "inputSchema": {"type": "object"}, "outputSchema": {
                "type": "object",
                "properties": {
                    "temperature": {"type": "number"},
                    "wind": {"type": "object", "properties": {"from": {"enum": ["N", "S"]}}},
                },
                "required": ["temperature"],
            }},
            {"name": "names", "inputSchema": {"type": "object"}, "outputSchema": {
                "type": "array", "items": {"type": "string"}
            }},
        ]),
        expect![[r#"
            def weather() -> dict:
                """weather

                Returns {"temperature": float, "wind"?: {"from"?: Literal["N", "S"]}}
                """

            def names() -> list[str]:
                """names"""
        "#]],
    );
}

#[test]
fn names_become_identifiers() {
    let parameters = json!({
        "type": "object",
        "properties": {
            "$filter": {"type": "string"}, "filter": {"type": "string"},
            "2fa": {"type": "string"}, "from": {"type": "string"}, "größe": {"type": "integer"},
            "名前": {"type": "string", "description": "The name."}, "x.y-z": {"type": "string"},
            "x_y_z": {"type": "string"}, "": {"type": "string"}, "self": {"type": "string"},
            "_id": {"type": "string"},
        },
    });
    check(
        json!([
            {"name": "3d.render", "inputSchema": parameters},
            {"name": "import", "inputSchema": {"type": "object"}},
            {"name": "ToolError", "inputSchema": {"type": "object"}},
            {"name": "a-b", "inputSchema": {"type": "object"}},
            {"name": "a.b", "inputSchema": {"type": "object"}},
            {"name": "_hidden", "inputSchema": {"type": "object"}},
        ]),
        expect![[r#"
            def tool_3d_render(*, filter_2: str | None = None, filter: str | None = None, arg_2fa: str | None = None, from_: str | None = None, größe: int | None = None, 名前: str | None = None, x_y_z_2: str | None = None, x_y_z: str | None = None, arg: str | None = None, self_2: str | None = None, _id: str | None = None) -> Any:
                """3d.render

                filter_2: ($filter)
                arg_2fa: (2fa)
                from_: (from)
                名前: The name.
                x_y_z_2: (x.y-z)
                arg: ()
                self_2: (self)
                """

            def import_() -> Any:
                """import"""

            def ToolError_2() -> Any:
                """ToolError"""

            def a_b() -> Any:
                """a-b"""

            def a_b_2() -> Any:
                """a.b"""

            def hidden() -> Any:
                """_hidden"""
        "#]],
    );
}

#[test]
fn what_is_no_tool_is_said() {
    let tools = json!([
        {"name": "a", "inputSchema": {"$ref": "#"}},
        {"name": "a", "description": "Another one."},
        {"description": "It has no name."},
        {"name": "None"},
        "a text",
    ]);
    let read = Tools::parse(&tools.to_string()).unwrap();
    expect![[r#"
        a: the server has another tool of this name before it, which counts
        a tool without a name is left out
        a tool without a name is left out"#]]
    .assert_eq(&read.notes.join("\n"));
    check(
        tools,
        expect![[r#"
        def a(*, arguments: dict | None = None) -> Any:
            """a

            arguments: All arguments, by their names.
            """

        def None_(*, arguments: dict | None = None) -> Any:
            """None

            arguments: All arguments, by their names.
            """
    "#]],
    );
    let mut problems = String::new();
    for text in ["{\"tools\": 3}", "[]", "[{}]", "{\n\"tools\": [", "null"] {
        problems += &format!("{}\n", Tools::parse(text).unwrap_err());
    }
    expect![[r#"
        is not a list of tools: {"tools": [{"name": …}]}
        has no tools: each has a name
        has no tools: each has a name
        line 2: EOF while parsing a list at line 2 column 10
        is not a list of tools: {"tools": [{"name": …}]}
    "#]]
    .assert_eq(&problems);
}

#[test]
fn texts_cannot_end_a_docstring() {
    check(
        json!([
            {"name": "a", "inputSchema": {}, "description": "Says \"\"\" and \\ and \"\"\"\""},
            {"name": "b", "inputSchema": {}, "description": "ends with a quote\""},
            {"name": "c", "inputSchema": {}, "description": "and with \\\""},
            {"name": "d", "inputSchema": {}, "description": "one\r\n\r\n\n  two\u{0}\u{202e}\tthree\\"},
            {"name": "e", "inputSchema": {}, "description": "\"\"\"\nimport os\n\"\"\""},
        ]),
        expect![[r#"
            def a() -> Any:
                """Says \"\"" and \\ and \"\"\"\""""

            def b() -> Any:
                """ends with a quote\""""

            def c() -> Any:
                """and with \\\""""

            def d() -> Any:
                """one

                  two three\\"""

            def e() -> Any:
                """\"\""
                import os
                \"\"\""""
        "#]],
    );
}

#[test]
fn hints_say_what_reads_and_what_destroys() {
    let tool = |name: &str, annotations: Json| json!({"name": name, "annotations": annotations});
    let tools = json!([
        tool("read", json!({"readOnlyHint": true})),
        tool(
            "liar",
            json!({"readOnlyHint": true, "destructiveHint": true})
        ),
        tool("delete", json!({"destructiveHint": true})),
        tool(
            "delete-it",
            json!({"readOnlyHint": false, "destructiveHint": true})
        ),
        tool(
            "add",
            json!({"destructiveHint": false, "idempotentHint": true})
        ),
        tool("odd", json!({"readOnlyHint": "yes", "destructiveHint": 1})),
        tool("none", json!([])),
        json!({"name": "silent"}),
    ]);
    let tools = Tools::parse(&tools.to_string()).unwrap();
    assert_eq!(tools.reads(), ["read", "liar"]);
    assert_eq!(tools.destroys(), ["delete", "delete_it"]);
    assert_eq!(tools.tool("add").unwrap().hints.idempotent, Some(true));
}

#[test]
fn tools_are_kept_as_json() {
    let text = include_str!("tools.json");
    let tools = Tools::parse(text).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tools.json");
    tools.save(&path).unwrap();
    assert_eq!(Tools::read(&path).unwrap(), tools);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text);

    let problem = |text: &str| {
        std::fs::write(&path, text).unwrap();
        let error = Tools::read(&path).unwrap_err().to_string();
        error.replace(&path.display().to_string(), "tools.json") + "\n"
    };
    expect![[r#"
        tools.json: line 1: EOF while parsing an object at line 1 column 1
        tools.json: is not a list of tools: {"tools": [{"name": …}]}
        tools.json: has no tools: each has a name
    "#]]
    .assert_eq(
        &[
            problem("{"),
            problem("{}"),
            problem("[{\"name\": \"\"}, 1]"),
        ]
        .concat(),
    );
}
