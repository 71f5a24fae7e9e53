//! Documents that are odd in every way: nothing panics, nothing goes on for ever.

use super::{is_python, read, v3};
use dialog2api::domain::Value;
use dialog2api::openapi::{Api, Credentials};
use proptest::prelude::*;
use serde_json::{Map, Value as Json, json};

/// Everything that can be asked of an API.
fn use_all(text: &str) {
    let Ok(api) = Api::read(text) else {
        return;
    };
    let stub = api.stub("api");
    assert!(is_python(&stub), "{stub}");
    api.search("list all pets named Rex", 5);
    let _ = api.base(None, Some("https://a.test/x.json"));
    let auth = Credentials::of(&api, Some("pets"), &|_| Some("a secret\n".to_owned()));
    for operation in &api.operations {
        let pairs = operation.parameters.iter();
        let pairs = pairs.map(|it| (it.name.clone().into(), Value::Str("é/..".to_owned())));
        let request = api.request(
            &operation.name,
            &Value::Map(pairs.collect()),
            "https://a.test",
            &auth,
        );
        if let Ok(request) = request {
            request.lines();
        }
    }
}

/// Keys and texts that mean something in a document.
const WORDS: &[&str] = &[
    "$ref",
    "#/components/schemas/A",
    "#/paths/~1a/get",
    "#",
    "#/",
    "#/components",
    "A",
    "B",
    "/a",
    "/a/{id}",
    "/{}",
    "/{a}{b}{",
    "get",
    "post",
    "put",
    "parameters",
    "name",
    "in",
    "path",
    "query",
    "body",
    "formData",
    "header",
    "cookie",
    "required",
    "schema",
    "type",
    "array",
    "object",
    "string",
    "integer",
    "null",
    "items",
    "properties",
    "allOf",
    "oneOf",
    "anyOf",
    "enum",
    "const",
    "nullable",
    "additionalProperties",
    "requestBody",
    "content",
    "application/json",
    "multipart/form-data",
    "application/x-www-form-urlencoded",
    "responses",
    "200",
    "2XX",
    "default",
    "headers",
    "Link",
    "operationId",
    "description",
    "\"\"\"",
    "\\",
    "\u{202e}\u{2028}\u{0}",
    "class",
    "style",
    "deepObject",
    "matrix",
    "explode",
    "security",
    "servers",
    "url",
    "variables",
    "{x}",
    "tags",
    "summary",
    "<a",
    "[b](",
    "limit",
    "page",
];

fn word() -> impl Strategy<Value = String> {
    prop::sample::select(WORDS).prop_map(str::to_owned)
}

fn anything() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        6 => word().prop_map(Json::String),
        1 => Just(Json::Null),
        1 => any::<bool>().prop_map(Json::Bool),
        1 => any::<i64>().prop_map(Json::from),
        1 => any::<f64>().prop_map(Json::from),
    ];
    leaf.prop_recursive(7, 60, 5, |inner| {
        prop_oneof![
            3 => prop::collection::vec((word(), inner.clone()), 0..5)
                .prop_map(|pairs| Json::Object(pairs.into_iter().collect::<Map<_, _>>())),
            1 => prop::collection::vec(inner, 0..4).prop_map(Json::Array),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn any_document_is_read_or_refused(
        paths in anything(), operation in anything(), schema in anything(), components in anything(),
        is_old in any::<bool>(),
    ) {
        let mut document = v3(json!({"/a/{id}": {"post": operation, "get": {
            "responses": {"200": {"schema": schema, "content": {"application/json": {"schema": schema}}}},
            "parameters": [schema, {"in": "query", "name": "x", "schema": schema}],
            "requestBody": {"content": {"application/json": {"schema": schema}}},
        }}, "/b": paths}));
        document["components"] = components.clone();
        document["definitions"] = components;
        if is_old {
            document["openapi"] = Json::Null;
            document.as_object_mut().unwrap().remove("openapi");
            document["swagger"] = json!("2.0");
        }
        use_all(&document.to_string());
    }

    #[test]
    fn any_text_is_read_or_refused(text in "(openapi: 3.0.0\n)?[ -~\n]{0,200}") {
        use_all(&text);
    }
}

#[test]
fn deep_documents_are_refused() {
    for depth in [100, 1000, 100_000] {
        use_all(&format!(
            "{{\"openapi\": \"3.0.0\", \"x\": {}",
            "[".repeat(depth)
        ));
        use_all(&format!(
            "openapi: 3.0.0\nx: {}{}",
            "[".repeat(depth),
            "]".repeat(depth)
        ));
        use_all(&format!(
            "openapi: 3.0.0\nx: {}1{}",
            "{a: ".repeat(depth),
            "}".repeat(depth)
        ));
    }
    let blocks: String = (0..500)
        .map(|it| format!("{}a:\n", " ".repeat(it)))
        .collect();
    use_all(&format!("openapi: 3.0.0\n{blocks}"));
    let dashes = "- ".repeat(5000);
    use_all(&format!("openapi: 3.0.0\nx:\n  {dashes}1"));
}

#[test]
fn aliases_do_not_grow_without_end() {
    let mut text = "openapi: 3.0.0\na0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for at in 1..12 {
        let before = format!("*a{}", at - 1);
        text += &format!("a{at}: &a{at} [{}]\n", [before.as_str(); 10].join(", "));
    }
    assert!(Api::read(&text).is_err());
    let mut text = "openapi: 3.0.0\na0: &a0 [x]\n".to_owned();
    for at in 1..2000 {
        let (open, close) = ("[".repeat(50), "]".repeat(50));
        text += &format!("a{at}: &a{at} {open}*a{}{close}\n", at - 1);
    }
    assert!(Api::read(&text).is_err());
}

#[test]
fn wide_unions_and_long_texts_are_bounded() {
    let long = "word ".repeat(100_000);
    let many: Vec<Json> = (0..5000)
        .map(|it| json!({"enum": [format!("v{it}")]}))
        .collect();
    let wide = json!({"oneOf": many, "description": long});
    let document = v3(json!({"/a": {"get": {
        "summary": long, "description": long, "operationId": long,
        "parameters": [{"name": "a", "in": "query", "description": long, "schema": wide}],
        "responses": {"200": {"content": {"application/json": {"schema": wide}}}},
    }}}));
    let api = read(&document.to_string());
    let stub = api.stub("api");
    assert!(stub.len() < 3000, "{}", stub.len());
}

#[test]
fn schemas_that_double_at_each_step_take_no_time() {
    // Each has two references to the next: 2^60 ways.
    let schemas = (0..60).map(|at| {
        let next = json!({"$ref": format!("#/components/schemas/S{}", at + 1)});
        let both = json!({"anyOf": [next, {"items": next}], "allOf": [next, next],
            "properties": {"a": next, "b": next}});
        (format!("S{at}"), both)
    });
    let mut document = v3(json!({"/a": {"post": {
        "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/S0"}}}},
        "responses": {"200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/S0"}}}}},
    }}}));
    document["components"] = json!({"schemas": schemas.collect::<Map<_, _>>()});
    use_all(&document.to_string());
}

/// Hand-written documents have a path twice; which one counts is said.
#[test]
fn a_key_that_is_written_twice() {
    let json = r#"{"openapi": "3.0.0", "info": {"title": "A", "title": "B"}, "paths": {
        "/a": {"get": {"operationId": "one"}}, "/a": {"get": {"operationId": "two"}}}}"#;
    let yaml = "openapi: 3.0.0\ninfo: {title: A, title: B}\npaths:\n  /a:\n    get: {operationId: one}\n  \
                /a:\n    get: {operationId: two}\n";
    for text in [json, yaml] {
        let api = Api::read(text).unwrap();
        let name = api.operations[0].name.as_str();
        assert_eq!((api.title.as_str(), name), ("B", "two"));
        assert_eq!(
            api.notes,
            [
                "the key info › title is written twice; the last one counts",
                "the key paths › /a is written twice; the last one counts"
            ]
        );
    }
}
