//! Calls as requests: what is missing, what is unknown, bodies, and what people see.

use super::{api, one, params, v3};
use dialog2api::domain::Value;
use dialog2api::openapi::{Api, Credentials, HttpRequest};
use expect_test::{Expect, expect};
use serde_json::{Value as Json, json};

fn request(api: &Api, operation: &str, json: Json) -> Result<HttpRequest, String> {
    let base = api.base(None, None).unwrap();
    api.request(operation, &params(json), &base, &Credentials::none())
}

fn check(api: &Api, operation: &str, json: Json, expected: Expect) {
    let said = match request(api, operation, json) {
        Ok(request) => request.lines().join("\n"),
        Err(problem) => problem,
    };
    expected.assert_eq(&said);
}

fn pets() -> Api {
    api(&v3(json!({
        "/pets/{id}": {"put": {
            "operationId": "putPet",
            "parameters": [
                {"name": "id", "in": "path", "required": true, "schema": {"type": "integer"}},
                {"name": "dry", "in": "query", "schema": {"type": "boolean"}},
                {"name": "X-Trace", "in": "header", "schema": {"type": "string"}},
            ],
            "requestBody": {"required": false, "content": {"application/json": {"schema": {
                "type": "object", "required": ["name"], "properties": {
                    "name": {"type": "string"},
                    "born": {"type": "string", "format": "date-time", "nullable": true},
                    "tags": {"type": "array", "items": {"type": "string"}}}}}}},
        }},
        "/pets": {"get": {"operationId": "listPets"}},
    })))
}

#[test]
fn plans_show_method_url_and_body() {
    check(
        &pets(),
        "put_pet",
        json!({"id": 7, "name": "Rex", "born": null, "tags": ["a"], "dry": true, "X_Trace": "t"}),
        expect![[r#"
            PUT https://api.pets.test/v1/pets/7?dry=true
            X-Trace: t
            {"name":"Rex","born":null,"tags":["a"]}"#]],
    );
    check(
        &pets(),
        "list_pets",
        json!({}),
        expect!["GET https://api.pets.test/v1/pets"],
    );
}

#[test]
fn calls_that_are_wrong_are_sentences() {
    let pets = pets();
    check(
        &pets,
        "nobody",
        json!({}),
        expect![[r#"the API has no operation "nobody""#]],
    );
    check(
        &pets,
        "put_pet",
        json!({"name": "x"}),
        expect!["put_pet needs `id`"],
    );
    check(
        &pets,
        "put_pet",
        json!({"id": null}),
        expect!["put_pet needs `id`"],
    );
    check(
        &pets,
        "put_pet",
        json!({"id": 1, "nam": "x"}),
        expect![
            "put_pet has no parameter `nam`; it has `id`, `dry`, `X_Trace`, `name`, `born`, `tags`"
        ],
    );
    check(
        &pets,
        "list_pets",
        json!({"a": 1}),
        expect!["list_pets has no parameter `a`; it has none"],
    );
    // The body may be absent, but not in part.
    check(
        &pets,
        "put_pet",
        json!({"id": 1}),
        expect!["PUT https://api.pets.test/v1/pets/1"],
    );
    check(
        &pets,
        "put_pet",
        json!({"id": 1, "tags": []}),
        expect!["put_pet needs `name`"],
    );
}

/// An API with one operation that takes this body.
fn takes(media_type: &str, schema: Json) -> Api {
    api(&one(
        json!({"requestBody": {"required": true, "content": {media_type: {"schema": schema}}}}),
    ))
}

fn sent(api: &Api, json: Json) -> String {
    let request = request(api, "do_it", json).unwrap();
    let body = request.body.unwrap();
    let bytes = String::from_utf8_lossy(&body.bytes).replace('\r', "");
    format!("{}\n{bytes}\nshown: {}", body.media_type, body.shown)
}

#[test]
fn bodies_of_every_kind() {
    let fields = json!({"type": "object", "properties": {
        "name": {"type": "string"}, "tags": {"type": "array", "items": {"type": "string"}},
        "file": {"type": "string", "format": "binary"}, "more": {"type": "object"}}});
    let values = json!({"name": "a b&c", "tags": ["x", "y"]});
    expect![[r#"
        application/x-www-form-urlencoded
        name=a%20b%26c&tags=x&tags=y
        shown: {"name":"a b&c","tags":["x","y"]}"#]]
    .assert_eq(&sent(
        &takes("application/x-www-form-urlencoded", fields.clone()),
        values,
    ));
    let values = json!({"name": "a", "tags": ["x"], "file": {"@bytes": "abc"}, "more": {"k": 1}});
    expect![[r#"
        multipart/form-data; boundary=dialog2api-57dc8a21dc4da0d297c0e508d9c9dd5d
        --dialog2api-57dc8a21dc4da0d297c0e508d9c9dd5d
        Content-Disposition: form-data; name="name"

        a
        --dialog2api-57dc8a21dc4da0d297c0e508d9c9dd5d
        Content-Disposition: form-data; name="tags"

        x
        --dialog2api-57dc8a21dc4da0d297c0e508d9c9dd5d
        Content-Disposition: form-data; name="file"; filename="file"
        Content-Type: application/octet-stream

        abc
        --dialog2api-57dc8a21dc4da0d297c0e508d9c9dd5d
        Content-Disposition: form-data; name="more"
        Content-Type: application/json

        {"k":1}
        --dialog2api-57dc8a21dc4da0d297c0e508d9c9dd5d--

        shown: {"name":"a","tags":["x"],"file":"<3 bytes>","more":{"k":1}}"#]]
    .assert_eq(&sent(&takes("multipart/form-data", fields), values));
    let list = json!({"type": "array", "items": {}});
    expect![[r#"
        application/json
        [1,"é",null]
        shown: [1,"é",null]"#]]
    .assert_eq(&sent(
        &takes("application/json", list),
        json!({"body": [1, "é", null]}),
    ));
    expect![[r#"
        application/pdf
        %PDF
        shown: <4 bytes>"#]]
    .assert_eq(&sent(
        &takes("application/pdf", json!({})),
        json!({"body": {"@bytes": "%PDF"}}),
    ));
}

#[test]
fn numbers_without_json_are_refused() {
    let api = takes(
        "application/json",
        json!({"type": "object", "properties": {"x": {}}}),
    );
    let params = Value::Map(vec![("x".into(), Value::Float(f64::NAN))]);
    let problem = api.request("do_it", &params, "https://a.test", &Credentials::none());
    expect!["do_it: `x`: NaN has no form in JSON"].assert_eq(&problem.unwrap_err());
}

#[test]
fn an_operation_may_have_a_server_of_its_own() {
    let api = api(&v3(json!({
        "/upload": {"servers": [{"url": "https://upload.pets.test/"}],
            "post": {"operationId": "upload"}},
        "/beta": {"post": {"operationId": "beta", "servers": [{"url": "/beta"}]}},
    })));
    let url = |operation, base| {
        let request = api.request(operation, &Value::Null, base, &Credentials::none());
        request.unwrap().url
    };
    let documented = "https://api.pets.test/v1";
    assert_eq!(url("upload", documented), "https://upload.pets.test/upload");
    assert_eq!(url("beta", documented), "https://api.pets.test/beta/beta");
    assert_eq!(
        url("upload", "http://127.0.0.1:1"),
        "http://127.0.0.1:1/upload"
    );
}
