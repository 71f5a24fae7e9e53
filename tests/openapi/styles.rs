//! Values in paths, queries and headers, in every style of OpenAPI.

use super::{api, params, v3};
use dialog2api::openapi::Credentials;
use expect_test::expect;
use serde_json::{Value as Json, json};

/// What follows the server in the URL of a request with the values `v`, and its headers.
fn sent(place: &str, more: Json, values: &[Json]) -> String {
    let mut parameter =
        json!({"name": "v", "in": place, "required": place == "path", "schema": {}});
    for (key, value) in more.as_object().unwrap() {
        parameter[key] = value.clone();
    }
    let path = if place == "path" { "/x{v}" } else { "/x" };
    let api = api(&v3(
        json!({path: {"get": {"operationId": "x", "parameters": [parameter]}}}),
    ));
    let lines = values.iter().map(|value| {
        let params = params(json!({"v": value}));
        let request = api.request("x", &params, "https://a.test", &Credentials::none());
        match request {
            Ok(request) => {
                let headers = request
                    .headers
                    .iter()
                    .map(|(name, value)| format!("{name}: {value}"));
                let headers: String = headers.collect();
                format!(
                    "{}{headers}\n",
                    request.url.trim_start_matches("https://a.test/x")
                )
            }
            Err(problem) => format!("{problem}\n"),
        }
    });
    lines.collect()
}

/// The values of the tables in the specification.
fn values() -> [Json; 3] {
    [
        json!("blue"),
        json!(["blue", "black"]),
        json!({"R": 100, "G": 200}),
    ]
}

#[test]
fn paths() {
    let all = |style: &str| {
        let explodes = |it: bool| sent("path", json!({"style": style, "explode": it}), &values());
        explodes(false) + &explodes(true)
    };
    expect![[r#"
        blue
        blue,black
        R,100,G,200
        blue
        blue,black
        R=100,G=200
    "#]]
    .assert_eq(&all("simple"));
    expect![[r#"
        .blue
        .blue,black
        .R,100,G,200
        .blue
        .blue.black
        .R=100.G=200
    "#]]
    .assert_eq(&all("label"));
    expect![[r#"
        ;v=blue
        ;v=blue,black
        ;v=R,100,G,200
        ;v=blue
        ;v=blue;v=black
        ;R=100;G=200
    "#]]
    .assert_eq(&all("matrix"));
}

#[test]
fn queries() {
    let with = |style: &str, explode: bool| {
        sent(
            "query",
            json!({"style": style, "explode": explode}),
            &values(),
        )
    };
    expect![[r#"
        ?v=blue
        ?v=blue,black
        ?v=R,100,G,200
        ?v=blue
        ?v=blue&v=black
        ?R=100&G=200
    "#]]
    .assert_eq(&(with("form", false) + &with("form", true)));
    expect![[r#"
        ?v=blue
        ?v=blue%20black
        ?v=R%20100%20G%20200
        ?v=blue
        ?v=blue%7Cblack
        ?v=R%7C100%7CG%7C200
    "#]]
    .assert_eq(&(with("spaceDelimited", false) + &with("pipeDelimited", false)));
    let deep = json!({"a": {"b": [1, 2]}, "c": "d e"});
    expect![[r#"
        ?v%5Ba%5D%5Bb%5D=1&v%5Ba%5D%5Bb%5D=2&v%5Bc%5D=d%20e
    "#]]
    .assert_eq(&sent("query", json!({"style": "deepObject"}), &[deep]));
    expect![[r#"
        ?v=%7B%22a%22%3A%5B1%5D%7D
    "#]]
    .assert_eq(&sent(
        "query",
        json!({"content": {"application/json": {"schema": {}}}}),
        &[json!({"a": [1]})],
    ));
}

#[test]
fn headers_and_cookies() {
    let explode = json!({"explode": true});
    expect![[r#"
        v: blue
        v: blue,black
        v: R,100,G,200
        v: R=100,G=200
        Cookie: v=blue
        Cookie: v=blue; v=black
        Cookie: R=100; G=200
    "#]]
    .assert_eq(
        &(sent("header", json!({}), &values())
            + &sent("header", explode, &values()[2..])
            + &sent("cookie", json!({}), &values())),
    );
}

#[test]
fn what_is_reserved_is_encoded() {
    let odd = [
        json!("a/b?c&d=e#f g+é%"),
        json!(true),
        json!(1.5),
        json!({"@time": "2024-05-01T12:00:00Z"}),
    ];
    expect![[r#"
        ?v=a%2Fb%3Fc%26d%3De%23f%20g%2B%C3%A9%25
        ?v=true
        ?v=1.5
        ?v=2024-05-01T12%3A00%3A00Z
        ?v=a/b?c%26d%3De%23f%20g%2B%C3%A9%25
        a/b%3Fc&d=e%23f%20g+%C3%A9%25
    "#]]
    .assert_eq(
        &(sent("query", json!({}), &odd)
            + &sent("query", json!({"allowReserved": true}), &odd[..1])
            + &sent("path", json!({"x-multi-segment": true}), &odd[..1])),
    );
}

#[test]
fn a_value_cannot_lead_to_another_path() {
    let api = api(&v3(
        json!({"/pets/{v}": {"delete": {"operationId": "x", "parameters": [
        {"name": "v", "in": "path", "required": true, "schema": {"type": "string"}}]}}}),
    ));
    let url = |value: &str| {
        let params = params(json!({"v": value}));
        let request = api.request("x", &params, "https://a.test", &Credentials::none());
        request.map(|it| it.url)
    };
    assert_eq!(url("../x").unwrap(), "https://a.test/pets/..%2Fx");
    assert_eq!(url("{v}").unwrap(), "https://a.test/pets/%7Bv%7D");
    for step in ["", ".", ".."] {
        assert!(url(step).is_err(), "{step:?}");
    }
    let line = sent("header", json!({}), &[json!("a\r\nX-Evil: 1")]);
    assert_eq!(
        line,
        "x: `v` must not have line breaks or control characters\n"
    );
}
