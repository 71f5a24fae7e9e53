//! How results go on.

use super::{api, params, v3};
use dialog2api::openapi::{Api, Response};
use serde_json::{Value as Json, json};

/// An API with one read that has these integers and texts in its query.
fn reads(ints: &[&str], texts: &[&str], result: Json) -> Api {
    let of = |kind: &'static str| move |name: &&str| json!({"name": name, "in": "query", "schema": {"type": kind}});
    let parameters: Vec<Json> = (ints.iter().map(of("integer")))
        .chain(texts.iter().map(of("string")))
        .collect();
    api(&v3(json!({"/x": {"get": {
        "operationId": "x", "parameters": parameters,
        "responses": {"200": {"description": "", "content": {"application/json": {"schema": result}}}},
    }}})))
}

fn next(api: &Api, called: Json, value: Json, link: Option<&str>) -> Option<Json> {
    let response = Response {
        status: 200,
        value: params(value),
        next: link.map(str::to_owned),
    };
    let next = api.next_page("x", &params(called), &response)?;
    let dialog2api::domain::Value::Map(pairs) = next else {
        panic!("a dict")
    };
    let pairs = pairs.into_iter().map(|(name, value)| {
        let value = value
            .as_int()
            .map(Json::from)
            .or(value.as_str().map(Json::from));
        (name.into_owned(), value.expect("a number or a text"))
    });
    Some(Json::Object(pairs.collect()))
}

fn list() -> Json {
    json!({"type": "array", "items": {"type": "object"}})
}

#[test]
fn pages_are_counted() {
    let api = reads(&["page", "per_page"], &[], list());
    assert_eq!(
        next(&api, json!({}), json!([1]), None),
        Some(json!({"page": 2}))
    );
    let called = json!({"per_page": 2, "page": 3});
    assert_eq!(
        next(&api, called.clone(), json!([1, 2]), None),
        Some(json!({"per_page": 2, "page": 4}))
    );
    assert_eq!(next(&api, called, json!([1]), None), None);
    assert_eq!(next(&api, json!({}), json!([]), None), None);
    let last = json!({"results": [1], "total_pages": 2});
    assert_eq!(next(&api, json!({"page": 2}), last, None), None);
}

#[test]
fn items_are_counted() {
    let api = reads(&["offset", "limit"], &[], json!({"type": "object"}));
    let some = json!({"items": [1, 2], "total": 5});
    assert_eq!(
        next(&api, json!({}), some.clone(), None),
        Some(json!({"offset": 2}))
    );
    assert_eq!(next(&api, json!({"offset": 3}), some, None), None);
    // Spotify has the whole URL in the answer.
    let linked = json!({"items": [1], "next": "https://x.test/v1/x?offset=20&limit=20"});
    assert_eq!(
        next(&api, json!({}), linked, None),
        Some(json!({"offset": 20, "limit": 20}))
    );
}

#[test]
fn marks_are_passed_on() {
    let api = reads(&["limit"], &["cursor"], json!({"type": "object"}));
    let some = json!({"members": [1], "response_metadata": {"next_cursor": "abc="}});
    assert_eq!(
        next(&api, json!({}), some.clone(), None),
        Some(json!({"cursor": "abc="}))
    );
    assert_eq!(next(&api, json!({"cursor": "abc="}), some, None), None);
    let last = json!({"members": [1], "response_metadata": {"next_cursor": ""}});
    assert_eq!(next(&api, json!({}), last, None), None);
}

#[test]
fn links_are_followed() {
    let api = reads(&["page", "per_page"], &["sort", "after"], list());
    let link = |url| next(&api, json!({"sort": "name"}), json!([1]), Some(url));
    assert_eq!(
        link("https://x.test/y?sort=name&page=2&per_page=30"),
        Some(json!({"sort": "name", "page": 2, "per_page": 30}))
    );
    assert_eq!(
        link("/y?after=a%3D%3D"),
        Some(json!({"sort": "name", "after": "a=="}))
    );
    assert_eq!(link("/y"), None);
    assert_eq!(link("/y?page_token=x"), None);
}

#[test]
fn what_has_no_pages_has_no_next_one() {
    let plain = reads(&["id"], &["after"], list());
    assert!(plain.operations[0].pages.is_none());
    assert_eq!(next(&plain, json!({}), json!([1]), None), None);
}
