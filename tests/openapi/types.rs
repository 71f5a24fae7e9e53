//! Schemas as Python types.

use super::{api, is_python, one};
use expect_test::expect;
use serde_json::{Value as Json, json};

/// The types of these schemas, a line each.
fn types(schemas: &[Json]) -> String {
    let lines = schemas.iter().map(|schema| {
        let mut document = one(json!({
            "responses": {"default": {"content": {"application/json": {"schema": schema}}}},
        }));
        document["components"] = json!({"schemas": {
            "Pet": {"type": "object", "properties": {
                "name": {"type": "string"}, "mother": {"$ref": "#/components/schemas/Pet"}}},
            "Tree": {"type": "array", "items": {"$ref": "#/components/schemas/Tree"}},
            "Loop": {"$ref": "#/components/schemas/Loop"},
            "All": {"allOf": [{"$ref": "#/components/schemas/All"}]},
            "a/b": {"type": "integer"},
        }});
        let api = api(&document);
        let stub = api.stub("api");
        assert!(is_python(&stub), "{stub}");
        let shape = &api.operations[0].result;
        match shape.doc.is_empty() {
            true => format!("{}\n", shape.text),
            false => format!("{}  {}\n", shape.text, shape.doc),
        }
    });
    lines.collect()
}

fn reference(name: &str) -> Json {
    json!({"$ref": format!("#/components/schemas/{name}")})
}

#[test]
fn plain_types() {
    expect![[r#"
        int
        float
        bytes
        list[bool]
        list
        dict[str, int]
        Any
        Any
        Any
    "#]]
    .assert_eq(&types(&[
        json!({"type": "integer"}),
        json!({"type": "number"}),
        json!({"type": "string", "format": "binary"}),
        json!({"type": "array", "items": {"type": "boolean"}}),
        json!({"type": "array"}),
        json!({"type": "object", "additionalProperties": {"type": "integer"}}),
        json!({}),
        json!(true),
        json!({"type": 7}),
    ]));
}

#[test]
fn null_has_two_forms() {
    expect![[r#"
        str | None
        str | None
        int | None
        Literal["a", "b"] | None
    "#]]
    .assert_eq(&types(&[
        json!({"type": "string", "nullable": true}),
        json!({"type": ["null", "string"]}),
        json!({"anyOf": [{"type": "null"}, {"type": "integer"}]}),
        json!({"enum": ["a", null, "b"]}),
    ]));
}

#[test]
fn enums_are_literals_in_bounds() {
    let many: Vec<String> = (0..100).map(|it| format!("value{it}")).collect();
    expect![[r#"
        Literal["it's", "a\nb", "c\\d"]
        Literal[1, True] | float
        str
        Literal["x"]
    "#]]
    .assert_eq(&types(&[
        json!({"type": "string", "enum": ["it's", "a\nb", "c\\d"]}),
        json!({"enum": [1, true, 1.5]}),
        json!({"enum": many}),
        json!({"const": "x"}),
    ]));
}

#[test]
fn unions_are_joined() {
    let deep = (0..50).fold(json!({"type": "string"}), |it, _| json!({"anyOf": [it]}));
    expect![[r#"
        str | int
        dict  {name: str, mother: {name: str, mother: dict}, age: int}
        Any
        dict  {name: str, mother: {name: str, mother: dict}}
        list[str | int]
        dict
    "#]]
    .assert_eq(&types(&[
        json!({"oneOf": [{"type": "string"}, {"type": "integer"}, {"type": "string"}]}),
        json!({"allOf": [reference("Pet"), {"properties": {"age": {"type": "integer"}}}]}),
        json!({"anyOf": [{"type": "string"}, {}]}),
        json!({"allOf": [{"description": "x"}, reference("Pet")]}),
        json!({"type": "array", "items": {"anyOf": [{"type": "string"}, {"type": "integer"}]}}),
        deep,
    ]));
}

#[test]
fn references_come_to_an_end() {
    expect![[r#"
        dict  {name: str, mother: {name: str, mother: dict}}
        list[list]
        Any
        dict
        int
        Any
    "#]]
    .assert_eq(&types(&[
        reference("Pet"),
        reference("Tree"),
        reference("Loop"),
        reference("All"),
        reference("a~1b"),
        reference("Nobody"),
    ]));
}
