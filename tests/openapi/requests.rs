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

/// The body of a call of the operation `do_it` whose body the document describes like this.
fn body(media_type: &str, content: Json, values: Json) -> String {
    let content = json!({"requestBody": {"content": {media_type: content}}});
    let request = request(&api(&one(content)), "do_it", values).unwrap();
    let bytes = request.body.unwrap().bytes;
    String::from_utf8_lossy(&bytes).replace('\r', "")
}

#[test]
fn forms_hold_dicts_and_lists_as_the_document_says() {
    let form = "application/x-www-form-urlencoded";
    let person = json!({"type": "object", "properties": {
        "name": {"type": "string"}, "address": {"type": "object"}, "more": {"type": "array"}}});
    let values = json!({
        "name": "Ada", "address": {"name": "Home", "city": "Bonn"}, "more": [{"a": 1}, {"a": 2}]});
    expect![
        "name=Ada&address=%7B%22name%22%3A%22Home%22%2C%22city%22%3A%22Bonn%22%7D&more=%7B%22a%22%3A1%7D&more=%7B%22a%22%3A2%7D"
    ]
    .assert_eq(&body(form, json!({"schema": person}), values.clone()));
    let deep = json!({"style": "deepObject", "explode": true});
    let content = json!({"schema": person, "encoding": {"address": deep, "more": deep}});
    expect![
        "name=Ada&address%5Bname%5D=Home&address%5Bcity%5D=Bonn&more%5B0%5D%5Ba%5D=1&more%5B1%5D%5Ba%5D=2"
    ]
    .assert_eq(&body(form, content, values));
    let photo = json!({
        "schema": {"type": "object", "properties": {
            "photo": {"type": "string", "format": "binary"}, "notes": {"type": "array"}}},
        "encoding": {"photo": {"contentType": "image/*, image/png"}}});
    let values = json!({"photo": {"@bytes": "PNG"}, "notes": [{"a": 1}, {"a": 2}]});
    let sent = body("multipart/form-data", photo, values);
    let lines = sent
        .lines()
        .filter(|line| !line.starts_with("--") && !line.is_empty());
    let lines: Vec<&str> = lines.collect();
    expect![[r#"
        Content-Disposition: form-data; name="photo"; filename="photo.png"
        Content-Type: image/png
        PNG
        Content-Disposition: form-data; name="notes"
        Content-Type: application/json
        {"a":1}
        Content-Disposition: form-data; name="notes"
        Content-Type: application/json
        {"a":2}"#]]
    .assert_eq(&lines.join("\n"));
}

#[test]
fn bodies_with_choices_are_one_parameter_and_what_is_dropped_is_noted() {
    let json = |schema: Json| json!({"content": {"application/json": {"schema": schema}}});
    let fields = |name: &str| json!({"type": "object", "properties": {name: {"type": "string"}}});
    let all = json!({"allOf": [fields("amount"), {"oneOf": [fields("card"), fields("iban")]}]});
    let mut any = fields("words");
    any["anyOf"] = json!([{"required": ["words"]}]);
    let mut open = fields("text");
    open["additionalProperties"] = json!(true);
    let mut two = json(fields("url"));
    two["content"]["multipart/form-data"] = json!({"schema": fields("file")});
    let api = api(&v3(json!({
        "/pay": {"post": {"operationId": "pay", "requestBody": json(all)}},
        "/any": {"post": {"operationId": "any", "requestBody": json(any)}},
        "/open": {"post": {"operationId": "open", "requestBody": json(open)}},
        "/two": {"post": {"operationId": "two", "requestBody": two}},
        "/find": {"get": {"operationId": "find", "requestBody": json(fields("query"))}},
        "/here": {"put": {"$ref": "#/x-operations/here"}, "post": {"$ref": "away.yml"}},
    })));
    let parameters = api.operations.iter().map(|operation| {
        let names: Vec<&str> = operation
            .parameters
            .iter()
            .map(|it| it.name.as_str())
            .collect();
        format!("{}({})", operation.name, names.join(", "))
    });
    let parameters: Vec<String> = parameters.collect();
    expect!["pay(body) any(words) open(body) two(url) find()"].assert_eq(&parameters.join(" "));
    expect![[r#"
        two: its body is sent as application/json; what only multipart/form-data takes cannot be passed
        find: its body is left out, since requests of GET have none; what it would select by is not sent
        PUT /here has a reference that this document does not resolve, and is left out
        POST /here has a reference that this document does not resolve, and is left out"#]]
    .assert_eq(&api.notes.join("\n"));
}

#[test]
fn dates_are_dates() {
    let query = |name: &str, format: &str| json!({"name": name, "in": "query", "schema": {"type": "string", "format": format}});
    let api = api(&one(
        json!({"parameters": [query("day", "date"), query("at", "date-time")]}),
    ));
    let time = json!({"@time": "2024-01-02T03:04:00Z"});
    let request = request(&api, "do_it", json!({"day": time, "at": time})).unwrap();
    expect!["https://api.pets.test/v1/it?day=2024-01-02&at=2024-01-02T03%3A04%3A00Z"]
        .assert_eq(&request.url);
}

#[test]
fn integers_keep_their_digits() {
    let api = api(&v3(json!({"/items/{id}": {"put": {
        "operationId": "put", "requestBody": {"content": {"application/json": {"schema":
            {"type": "object", "properties": {"n": {"type": "integer"}}}}}}}}})));
    let large = || Value::BigInt("18446744073709551616".to_owned());
    let params = Value::Map(vec![("id".into(), large()), ("n".into(), large())]);
    let request = api.request("put", &params, "https://a.test", &Credentials::none());
    expect![[r#"
        PUT https://a.test/items/18446744073709551616
        {"n":18446744073709551616}"#]]
    .assert_eq(&request.unwrap().lines().join("\n"));
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
