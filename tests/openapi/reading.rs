//! Reading documents, and refusing them.

use super::{api, one, read, v3};
use dialog2api::openapi::{Api, Media, OpenapiVersion, ParameterLocation, SchemeKind};
use expect_test::expect;
use serde_json::json;

fn refused(text: &str) -> String {
    Api::read(text).expect_err("a document that is refused")
}

#[test]
fn what_is_no_document_is_refused() {
    expect!["the document is not an OpenAPI document: it is not an object"]
        .assert_eq(&refused("hello"));
    expect![[r#"the document is not an OpenAPI document: it has neither `openapi` nor `swagger`, but "name", "version""#]]
        .assert_eq(&refused(r#"{"name": "x", "version": "1"}"#));
    expect![[
        r#"the document is written in version "4.0.0" of OpenAPI; 2.0, 3.0 and 3.1 are read"#
    ]]
    .assert_eq(&refused("openapi: 4.0.0"));
    expect!["the document is not valid JSON: EOF while parsing an object at line 1 column 2"]
        .assert_eq(&refused("{ "));
    assert!(refused("a: [1").starts_with("the document is not valid YAML: "));
}

#[test]
fn versions_are_told_apart() {
    let version = |text: &str| read(text).version;
    assert_eq!(version("swagger: 2.0"), OpenapiVersion::V2);
    assert_eq!(version(r#"swagger: "2.0""#), OpenapiVersion::V2);
    assert_eq!(version("openapi: 3.0.3"), OpenapiVersion::V3);
    assert_eq!(
        version("{openapi: 3.1.0, info: {title: a}}"),
        OpenapiVersion::V31
    );
    assert_eq!(
        version("\u{feff}{\"openapi\": \"3.2.0\"}"),
        OpenapiVersion::V31
    );
    let empty = read("openapi: 3.0.0");
    assert_eq!((empty.title.as_str(), empty.servers.len()), ("API", 0));
    assert_eq!(empty.notes, ["the document has no operations"]);
    let problem = empty.base(None, None).unwrap_err();
    expect!["the document names no server: say its base URL"].assert_eq(&problem);
}

#[test]
fn the_parameters_of_a_path_are_those_of_its_operations() {
    let api = api(&v3(json!({"/pets/{id}/{extra}": {
        "parameters": [
            {"name": "id", "in": "path", "required": true, "schema": {"type": "integer"}},
            {"name": "lang", "in": "query", "schema": {"type": "string"}},
            {"name": "Authorization", "in": "header", "schema": {"type": "string"}},
            {"name": "nowhere", "in": "path", "required": true, "schema": {"type": "string"}},
        ],
        "get": {"parameters": [
            {"name": "lang", "in": "query", "required": true, "schema": {"enum": ["de", "en"]}},
        ]},
    }})));
    let parameters = api.operations[0].parameters.iter();
    let found: Vec<_> = parameters
        .map(|it| {
            (
                it.name.as_str(),
                it.place,
                it.is_required,
                it.shape.text.as_str(),
            )
        })
        .collect();
    assert_eq!(
        found,
        [
            (
                "lang",
                ParameterLocation::Query,
                true,
                "Literal[\"de\", \"en\"]"
            ),
            ("id", ParameterLocation::Path, true, "int"),
            ("extra", ParameterLocation::Path, true, "str"),
        ]
    );
}

fn with_body(content: serde_json::Value) -> dialog2api::openapi::HttpOperation {
    let document = one(json!({"requestBody": {"content": content}}));
    api(&document).operations[0].clone()
}

#[test]
fn a_small_body_is_flat() {
    let schema = json!({"allOf": [
        {"type": "object", "required": ["name"], "properties": {
            "name": {"type": "string"},
            "id": {"type": "integer", "readOnly": true},
        }},
        {"properties": {"age": {"type": "integer", "nullable": true}}},
    ]});
    let operation = with_body(json!({
        "text/plain": {"schema": {"type": "string"}},
        "application/vnd.pets+json": {"schema": schema},
    }));
    let body = operation.body.as_ref().unwrap();
    assert_eq!(
        (body.media, body.is_flat, body.is_required),
        (Media::Json, true, true)
    );
    assert_eq!(body.media_type, "application/vnd.pets+json");
    let names: Vec<&str> = operation
        .parameters
        .iter()
        .map(|it| it.name.as_str())
        .collect();
    assert_eq!(names, ["name", "age"]);
    assert!(operation.parameter("age").unwrap().is_nullable);
}

#[test]
fn other_bodies_are_one_parameter() {
    let many = (0..25).map(|at| (format!("p{at}"), json!({"type": "string"})));
    let many: serde_json::Map<_, _> = many.collect();
    for schema in [
        json!({"type": "object", "properties": many}),
        json!({"type": "array", "items": {"type": "string"}}),
        json!({"oneOf": [{"type": "object", "properties": {"a": {}}}, {"type": "string"}]}),
        json!({"type": "object", "additionalProperties": {"type": "string"}}),
        json!({"type": "object", "properties": {"a-b": {}, "a_b": {}}}),
        json!({}),
    ] {
        let operation = with_body(json!({"application/json": {"schema": schema.clone()}}));
        assert!(!operation.body.as_ref().unwrap().is_flat, "{schema}");
        let names: Vec<&str> = operation
            .parameters
            .iter()
            .map(|it| it.name.as_str())
            .collect();
        assert_eq!(names, ["body"], "{schema}");
    }
}

#[test]
fn a_body_that_collides_is_one_parameter() {
    let operation = json!({
        "operationId": "x",
        "parameters": [
            {"name": "body", "in": "query", "schema": {}},
            {"name": "name", "in": "query", "schema": {}},
        ],
        "requestBody": {"content": {"application/json": {"schema":
            {"type": "object", "properties": {"name": {"type": "string"}}}}}},
    });
    let api = api(&v3(json!({"/x": {"post": operation}})));
    let names: Vec<&str> = (api.operations[0].parameters.iter())
        .map(|it| it.name.as_str())
        .collect();
    assert_eq!(names, ["body", "name", "body_2"]);
}

#[test]
fn servers_have_their_variables_filled_in() {
    let mut document = v3(json!({}));
    document["servers"] = json!([
        {"url": "https://{region}.pets.test:{port}/{base}/", "variables": {
            "region": {"default": "eu"}, "port": {"default": 8443}, "base": {"default": "v1"}}},
        {"url": "{scheme}://x"},
        {"description": "no URL"},
    ]);
    let api = api(&document);
    assert_eq!(
        api.servers,
        ["https://eu.pets.test:8443/v1", "{scheme}://x"]
    );
    assert_eq!(
        api.base(None, None).unwrap(),
        "https://eu.pets.test:8443/v1"
    );
    assert_eq!(
        api.base(Some("http://127.0.0.1:1/"), None).unwrap(),
        "http://127.0.0.1:1"
    );
    for wrong in [
        "ftp://x",
        "pets",
        "https://a:b@x",
        "https://x?q=1",
        "https://{x}.y",
    ] {
        assert!(api.base(Some(wrong), None).is_err(), "{wrong}");
    }
}

#[test]
fn schemes_are_read_in_both_versions() {
    let mut document = v3(json!({}));
    document["components"]["securitySchemes"] = json!({
        "a": {"type": "apiKey", "in": "query", "name": "k"},
        "b": {"type": "http", "scheme": "Basic"},
        "c": {"type": "http", "scheme": "bearer"},
        "d": {"type": "openIdConnect", "openIdConnectUrl": "https://x"},
        "e": {"type": "mutualTLS"},
        "f": {"$ref": "#/components/securitySchemes/a"},
    });
    let kinds: Vec<SchemeKind> = api(&document)
        .schemes
        .into_iter()
        .map(|it| it.kind)
        .collect();
    let query = SchemeKind::Query("k".to_owned());
    let unknown = SchemeKind::Unknown("mutualTLS".to_owned());
    use SchemeKind::{Basic, Bearer};
    assert_eq!(
        kinds,
        [query.clone(), Basic, Bearer, Bearer, unknown, query]
    );
}

#[test]
fn what_is_elsewhere_is_left_out_with_a_note() {
    let api = api(&v3(json!({
        "/a": {"$ref": "other.yaml#/a"},
        "/b": {"get": {
            "operationId": "b",
            "parameters": [{"$ref": "https://x.test/p.json"}],
            "responses": {"200": {"description": "", "content": {"application/json":
                {"schema": {"$ref": "other.yaml#/B"}}}}},
        }},
    })));
    expect![[r#"
        /a has a reference that this document does not resolve, and is left out
        b: a parameter has a reference that this document does not resolve, and is left out
        b: a type refers to what this document does not have, and is `Any`"#]]
    .assert_eq(&api.notes.join("\n"));
    assert_eq!(api.operations[0].result.text, "Any");
}

/// The server of a document that names it in part: filled in from where the document was fetched,
/// or said.
#[test]
fn a_server_that_is_named_in_part() {
    let mut seen = String::new();
    for server in ["/api/v3", "//a.test/v1", "https://{host}/v1"] {
        let mut document = v3(json!({}));
        document["servers"] = json!([{"url": server}]);
        for source in [None, Some("http://127.0.0.1:8190/docs/api.json")] {
            let base = api(&document).base(None, source);
            seen += &format!("{}\n", base.unwrap_or_else(|problem| problem));
        }
    }
    let document = json!({"swagger": "2.0", "info": {"title": "Api", "version": "1"},
        "host": "127.0.0.1:8190", "basePath": "/", "paths": {}});
    for source in [None, Some("http://127.0.0.1:8190/api.json")] {
        seen += &format!("{}\n", api(&document).base(None, source).unwrap());
    }
    expect![[r#"
        the document names its server only as "/api/v3": say the whole base URL
        http://127.0.0.1:8190/api/v3
        https://a.test/v1
        http://a.test/v1
        the document names its server as "https://{host}/v1", and gives no value for what stands in braces: say the whole base URL
        the document names its server as "https://{host}/v1", and gives no value for what stands in braces: say the whole base URL
        https://127.0.0.1:8190
        http://127.0.0.1:8190
    "#]]
    .assert_eq(&seen);
}
