//! All pages of a result: never a part of them for the whole.

use super::{api, params, v3};
use dialog2api::domain::World;
use dialog2api::openapi::{Credentials, HttpWorld};
use expect_test::{Expect, expect};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

/// What a server is asked: the query, by names.
pub type Query = BTreeMap<String, String>;
/// What a server answers.
pub type Serve = fn(&Query) -> (u16, Json);

/// A server that answers every request by its query. Returns its address, and what it was asked.
async fn serve(answer: Serve) -> (String, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("loopback");
    let address = listener.local_addr().expect("an address").to_string();
    let asked: Arc<Mutex<Vec<String>>> = Arc::default();
    let shared = asked.clone();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut head = Vec::new();
            while !head.ends_with(b"\r\n\r\n") {
                if stream.read_buf(&mut head).await.unwrap_or(0) == 0 {
                    break;
                }
            }
            let head = String::from_utf8_lossy(&head).into_owned();
            let target = head.split(' ').nth(1).unwrap_or_default().to_owned();
            shared.lock().expect("what was asked").push(target.clone());
            let query = target.split_once('?').map_or("", |(_, query)| query);
            let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
            let query = pairs.map(|(name, value)| (name.replace("%24", "$"), value.to_owned()));
            let (status, body) = answer(&query.collect());
            let body = body.to_string();
            let length = body.len();
            let answer = format!(
                "HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
            );
            let _ = stream.write_all(answer.as_bytes()).await;
        }
    });
    (address, asked)
}

/// An API with one read, `list_things`, with these parameters in its query and these fields in
/// its answer.
pub fn document(parameters: Json, fields: Json) -> Json {
    let parameters = parameters.as_object().expect("a dict");
    let parameters: Vec<Json> = (parameters.iter())
        .map(|(name, more)| {
            let mut parameter = json!({"name": name, "in": "query", "schema": more});
            parameter["description"] = more["description"].clone();
            parameter
        })
        .collect();
    v3(json!({"/things": {"get": {
        "operationId": "listThings", "parameters": parameters, "responses": {"200": {
            "description": "", "content": {"application/json": {"schema":
                {"type": "object", "properties": fields}}}}},
    }}}))
}

/// Asks for all pages. Gives what the server was asked, and the result.
pub async fn all(parameters: Json, fields: Json, call: Json, answer: Serve) -> String {
    let (address, asked) = serve(answer).await;
    let api = Arc::new(api(&document(parameters, fields)));
    let base = format!("http://{address}");
    let world = HttpWorld::new(api, &base, Credentials::none()).expect("a world");
    let mut call = call;
    call["all_pages"] = json!(true);
    let result = match world
        .call("list_things", &params(call))
        .await
        .expect("an answer")
    {
        Ok(value) => crate::support::value::show(&value, |_, _| None),
        Err(refusal) => {
            let mut details = refusal.details.iter();
            let items = details.find(|(name, _)| name == "items");
            let items = items.map(|(_, items)| crate::support::value::show(items, |_, _| None));
            let items = items.unwrap_or_else(|| "no items".to_owned());
            let message = refusal.message.replace(&base, "BASE");
            format!("{} {message}: {items}", refusal.code)
        }
    };
    let asked = asked.lock().expect("what was asked");
    let asked: Vec<&str> = asked
        .iter()
        .map(|it| match it.trim_start_matches("/things") {
            "" => "/",
            query => query,
        })
        .collect();
    format!("{} -> {result}\n", asked.join(" "))
}

pub fn number(query: &Query, name: &str, default: i64) -> i64 {
    query
        .get(name)
        .map_or(default, |it| it.parse().expect("a number"))
}

/// The things from one number to another, of seven.
pub fn things(from: i64, to: i64) -> Vec<Json> {
    (from.max(1)..to.min(8))
        .map(|id| json!({"id": id}))
        .collect()
}

pub fn list() -> Json {
    json!({"type": "array", "items": {"type": "object"}})
}

pub async fn check(lines: Vec<String>, expected: Expect) {
    expected.assert_eq(&lines.concat());
}

/// Pages that are counted from 0, as different evidence shows it, and from 1.
#[tokio::test]
async fn pages_are_counted_from_where_they_begin() {
    let from_0: Serve = |query| {
        let page = number(query, "page", 0);
        (200, json!({"items": things(page * 3 + 1, page * 3 + 4)}))
    };
    let from_0_and_says_so: Serve = |query| {
        let page = number(query, "page", 0);
        let items = things(page * 3 + 1, page * 3 + 4);
        (
            200,
            json!({"content": items, "number": page, "totalPages": 3, "last": page == 2}),
        )
    };
    let from_1: Serve = |query| {
        let page = number(query, "page", 1);
        (200, json!({"items": things(page * 3 - 2, page * 3 + 1)}))
    };
    let fields = || json!({"items": list()});
    let page = |more: Json| json!({"page": more});
    check(
        vec![
            all(
                page(json!({"type": "integer", "default": 0})),
                fields(),
                json!({}),
                from_0,
            )
            .await,
            all(
                page(json!({"type": "integer", "description": "Zero-based page index (0..N)"})),
                fields(),
                json!({}),
                from_0,
            )
            .await,
            all(
                page(json!({"type": "integer"})),
                json!({}),
                json!({}),
                from_0_and_says_so,
            )
            .await,
            all(
                page(json!({"type": "integer"})),
                fields(),
                json!({}),
                from_0,
            )
            .await,
            all(
                page(json!({"type": "integer"})),
                fields(),
                json!({}),
                from_1,
            )
            .await,
            all(
                page(json!({"type": "integer", "minimum": 1})),
                fields(),
                json!({}),
                from_1,
            )
            .await,
            all(
                page(json!({"type": "integer", "default": 1})),
                fields(),
                json!({"page": 2}),
                from_1,
            )
            .await,
        ],
        expect![[r#"
            / ?page=1 ?page=2 ?page=3 -> [{id: 1}, {id: 2}, {id: 3}, {id: 4}, {id: 5}, {id: 6}, {id: 7}]
            / ?page=1 ?page=2 ?page=3 -> [{id: 1}, {id: 2}, {id: 3}, {id: 4}, {id: 5}, {id: 6}, {id: 7}]
            / ?page=1 ?page=2 -> [{id: 1}, {id: 2}, {id: 3}, {id: 4}, {id: 5}, {id: 6}, {id: 7}]
            / ?page=1 ?page=2 ?page=3 -> [{id: 1}, {id: 2}, {id: 3}, {id: 4}, {id: 5}, {id: 6}, {id: 7}]
            / ?page=1 ?page=2 ?page=3 ?page=4 -> [{id: 1}, {id: 2}, {id: 3}, {id: 4}, {id: 5}, {id: 6}, {id: 7}]
            / ?page=2 ?page=3 ?page=4 -> [{id: 1}, {id: 2}, {id: 3}, {id: 4}, {id: 5}, {id: 6}, {id: 7}]
            ?page=2 ?page=3 ?page=4 -> [{id: 4}, {id: 5}, {id: 6}, {id: 7}]
        "#]],
    )
    .await;
}

/// Fewer items than asked for are no end: many servers have a most.
#[tokio::test]
async fn short_pages_are_no_end() {
    let parameters = || json!({"offset": {"type": "integer"}, "limit": {"type": "integer"}});
    let capped: Serve = |query| {
        let offset = number(query, "offset", 0);
        (200, json!({"items": things(offset + 1, offset + 4)}))
    };
    let counted: Serve = |query| {
        let offset = number(query, "offset", 0);
        (
            200,
            json!({"total": 7, "items": things(offset + 1, offset + 4)}),
        )
    };
    let says_no: Serve = |query| {
        let offset = number(query, "offset", 0);
        match offset {
            0..4 => (
                200,
                json!({"items": things(offset + 1, offset + 3), "has_next": offset < 2}),
            ),
            _ => (400, json!({"message": "beyond the end"})),
        }
    };
    let less: Serve = |query| {
        let offset = number(query, "offset", 0);
        (
            200,
            json!({"total": 9, "items": things(offset + 1, offset + 4)}),
        )
    };
    let ignores: Serve = |_| (200, json!({"items": things(1, 3)}));
    let fails: Serve = |query| match number(query, "offset", 0) {
        0 => (200, json!({"items": things(1, 4)})),
        _ => (404, json!({"message": "no such page"})),
    };
    let moves: Serve = |query| {
        let offset = number(query, "offset", 0);
        (
            200,
            json!({"items": things(offset + 1, offset + 3), "next_offset": if offset < 4 { json!(offset + 2) } else { json!(null) }}),
        )
    };
    let fields = || json!({"items": list()});
    check(
        vec![
            all(parameters(), fields(), json!({"limit": 100}), capped).await,
            all(parameters(), fields(), json!({"limit": 100}), counted).await,
            all(
                parameters(),
                fields(),
                json!({"limit": 100, "offset": 3}),
                counted,
            )
            .await,
            all(parameters(), fields(), json!({}), says_no).await,
            all(parameters(), fields(), json!({}), less).await,
            all(parameters(), fields(), json!({}), ignores).await,
            all(parameters(), fields(), json!({"limit": 3}), fails).await,
            all(parameters(), fields(), json!({}), moves).await,
        ],
        expect![[r#"
            ?limit=100 ?offset=3&limit=100 ?offset=6&limit=100 ?offset=7&limit=100 -> [{id: 1}, {id: 2}, {id: 3}, {id: 4}, {id: 5}, {id: 6}, {id: 7}]
            ?limit=100 ?offset=3&limit=100 ?offset=6&limit=100 -> [{id: 1}, {id: 2}, {id: 3}, {id: 4}, {id: 5}, {id: 6}, {id: 7}]
            ?offset=3&limit=100 ?offset=6&limit=100 -> [{id: 4}, {id: 5}, {id: 6}, {id: 7}]
            / ?offset=2 -> [{id: 1}, {id: 2}, {id: 3}, {id: 4}]
            / ?offset=3 ?offset=6 ?offset=7 -> UnknownPages list_things may have more items than the 7 so far: neither the document nor the server says where the rest of its 9 items are. Read page by page: [{id: 1}, {id: 2}, {id: 3}, {id: 4}, {id: 5}, {id: 6}, {id: 7}]
            / ?offset=2 -> UnknownPages list_things may have more items than the 2 so far: neither the document nor the server says which page is next: the page before came again. Read page by page: [{id: 1}, {id: 2}]
            ?limit=3 ?offset=3&limit=3 -> NotFound no such page (after 1 page with 3 items, in `details["items"]` of this error): [{id: 1}, {id: 2}, {id: 3}]
            / ?offset=2 ?offset=4 -> [{id: 1}, {id: 2}, {id: 3}, {id: 4}, {id: 5}, {id: 6}]
        "#]],
    )
    .await;
}

/// Marks: from the answer, or the last item.
#[tokio::test]
async fn marks_lead_to_the_end() {
    let text = || json!({"type": "string"});
    let stripe: Serve = |query| {
        let after = number(query, "starting_after", 0);
        (
            200,
            json!({"data": things(after + 1, after + 4), "has_more": after + 3 < 7}),
        )
    };
    let without_ids: Serve = |_| (200, json!({"data": [1, 2], "has_more": true}));
    let google: Serve = |query| {
        (
            200,
            match query.get("pageToken").map(String::as_str) {
                None => json!({"items": things(1, 2), "nextPageToken": "t1"}),
                Some("t1") => json!({"items": [], "nextPageToken": "t2"}),
                Some("t2") => json!({"nextPageToken": "t3"}),
                _ => json!({"items": things(2, 3)}),
            },
        )
    };
    let round: Serve = |_| (200, json!({"items": things(1, 2), "next_cursor": "c"}));
    let relay: Serve = |query| {
        let after = number(query, "after", 0);
        (
            200,
            json!({"nodes": things(after + 1, after + 4), "pageInfo":
            {"endCursor": (after + 3).to_string(), "hasNextPage": after < 4}}),
        )
    };
    let two_lists: Serve = |query| {
        let cursor = query.get("cursor").map_or("c0", String::as_str);
        let next = match cursor {
            "c0" => json!("c1"),
            "c1" => json!("c2"),
            _ => json!(null),
        };
        (
            200,
            json!({"things": [cursor], "warnings": [], "cursor": cursor, "next_cursor": next}),
        )
    };
    let unclear: Serve = |_| (200, json!({"cats": [1], "dogs": [2], "next_cursor": "c1"}));
    let silent: Serve = |_| (200, json!({"items": things(1, 4)}));
    let breaks: Serve = |query| match query.get("cursor") {
        None => (200, json!({"items": things(1, 4), "next_cursor": "c1"})),
        Some(_) => (200, json!({"error": "slow down"})),
    };
    let garbled: Serve = |query| match query.get("cursor") {
        None => (200, json!({"items": things(1, 4), "next_cursor": "c1"})),
        Some(_) => (200, json!("<html>")),
    };
    let cursor = || json!({"cursor": text(), "limit": {"type": "integer"}});
    check(
        vec![
            all(
                json!({"starting_after": text(), "limit": {"type": "integer"}}),
                json!({"data": list(), "has_more": {"type": "boolean"}}),
                json!({}),
                stripe,
            )
            .await,
            all(
                json!({"starting_after": text(), "limit": {"type": "integer"}}),
                json!({}),
                json!({}),
                without_ids,
            )
            .await,
            all(
                json!({"pageToken": text(), "pageSize": {"type": "integer"}}),
                json!({"items": list(), "nextPageToken": text()}),
                json!({}),
                google,
            )
            .await,
            all(cursor(), json!({}), json!({}), round).await,
            all(
                json!({"after": text(), "first": {"type": "integer"}}),
                json!({}),
                json!({}),
                relay,
            )
            .await,
            all(
                cursor(),
                json!({"things": list(), "warnings": list(), "next_cursor": text()}),
                json!({}),
                two_lists,
            )
            .await,
            all(cursor(), json!({}), json!({}), unclear).await,
            all(cursor(), json!({}), json!({}), silent).await,
            all(cursor(), json!({}), json!({}), breaks).await,
            all(cursor(), json!({}), json!({}), garbled).await,
        ],
        expect![[r#"
            / ?starting_after=3 ?starting_after=6 -> [{id: 1}, {id: 2}, {id: 3}, {id: 4}, {id: 5}, {id: 6}, {id: 7}]
            / -> UnknownPages list_things may have more items than the 2 so far: neither the document nor the server says how its next page is asked for. Read page by page: [1, 2]
            / ?pageToken=t1 ?pageToken=t2 ?pageToken=t3 -> [{id: 1}, {id: 2}]
            / ?cursor=c -> UnknownPages list_things may have more items than the 2 so far: neither the document nor the server says which page is next: the mark for it is that of this page. Read page by page: [{id: 1}, {id: 1}]
            / ?after=3 ?after=6 -> [{id: 1}, {id: 2}, {id: 3}, {id: 4}, {id: 5}, {id: 6}, {id: 7}]
            / ?cursor=c1 ?cursor=c2 -> ["c0", "c1", "c2"]
            / -> UnknownPages list_things may have more items than the 0 so far: neither the document nor the server says which of its lists has the items (cats, dogs). Read page by page: no items
            / -> UnknownPages list_things may have more items than the 3 so far: neither the document nor the server says how its next page is asked for. Read page by page: [{id: 1}, {id: 2}, {id: 3}]
            / ?cursor=c1 -> UnknownPages list_things may have more items than the 3 so far: neither the document nor the server says what is on its next page, which is no list of items. Read page by page: [{id: 1}, {id: 2}, {id: 3}]
            / ?cursor=c1 -> UnknownPages list_things may have more items than the 3 so far: neither the document nor the server says what is on its next page, which is no list of items. Read page by page: [{id: 1}, {id: 2}, {id: 3}]
        "#]],
    )
    .await;
}
