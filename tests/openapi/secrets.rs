//! Secrets that a server repeats, and those that would go to another server.

use super::{api, params, v3};
use crate::support::scripted_http::{Answer, Server, response};
use dialog2api::domain::{Value, World};
use dialog2api::openapi::{Credentials, HttpWorld};
use expect_test::expect;
use serde_json::{Value as Json, json};
use std::sync::Arc;

const KEY: &str = "bt/Tok/en+x12";

fn ok(body: &str) -> Answer {
    response("200 OK\nContent-Type: application/json", body)
}

/// An API with one read, whose schemes these are.
fn document(schemes: Json) -> Json {
    let items = json!({"type": "array", "items": {"type": "integer"}});
    let page =
        json!({"type": "object", "properties": {"next": {"type": "string"}, "items": items}});
    let mut document = v3(json!({"/items": {"get": {
        "operationId": "items",
        "parameters": [{"name": "page_size", "in": "query", "schema": {"type": "integer"}},
            {"name": "cursor", "in": "query", "schema": {"type": "string"}}],
        "responses": {"200": {"description": "", "headers": {"Link": {}},
            "content": {"application/json": {"schema": page}}}},
    }}}));
    let names = schemes.as_object().unwrap().keys();
    document["security"] = names.map(|name| json!({name: []})).collect();
    document["components"]["securitySchemes"] = schemes;
    document
}

fn query_key() -> Json {
    json!({"k": {"type": "apiKey", "in": "query", "name": "api_key"}})
}

fn world(document: &Json, server: &Server, secret: &str) -> HttpWorld {
    let api = Arc::new(api(document));
    let auth = Credentials::of(&api, Some("api"), &|_| Some(secret.to_owned()));
    HttpWorld::new(api, &format!("http://{}", server.address), auth).unwrap()
}

/// What a program, or our own error, says of a call.
async fn call(world: &HttpWorld, operation: &str, json: Json) -> String {
    match world.call(operation, &params(json)).await {
        Ok(Ok(value)) => crate::support::value::show(&value, |_, _| None),
        Ok(Err(it)) => format!("{}: {}", it.code, it.message),
        Err(error) => format!("! {error}"),
    }
}

#[tokio::test]
async fn a_secret_is_hidden_in_every_spelling() {
    let bearer = json!({"t": {"type": "http", "scheme": "bearer"}});
    for (body, seen) in [
        (
            r#"{"a": "Bearer bt\/Tok\/en+x12"}"#,
            r#"{a: "Bearer [key]"}"#,
        ),
        (
            r#"{"a": "\u0062t\u002FTok/en\u002bx12"}"#,
            r#"{a: "[key]"}"#,
        ),
        (
            r#"{"bt\/Tok\/en+x12": ["x=bt%2FTok%2fen%2Bx12&y"]}"#,
            r#"{[key]: ["x=[key]&y"]}"#,
        ),
        (
            r#"{"a": "{\"b\": \"bt\\\/Tok\\\/en+x12\"}"}"#,
            r#"{a: "{\"b\": \"[key]\"}"}"#,
        ),
        (
            r#"["YnQvVG9rL2VuK3gxMg==", "YnQvVG9rL2VuK3gxMg"]"#,
            r#"["[key]", "[key]"]"#,
        ),
        (r#"{"a": "bt%252FTok%252Fen%252Bx12"}"#, r#"{a: "[key]"}"#),
    ] {
        let server = Server::start(vec![ok(body)]).await;
        let world = world(&document(bearer.clone()), &server, KEY);
        assert_eq!(call(&world, "items", json!({})).await, seen, "{body}");
    }
    let refused = response(
        "400 Bad Request\nContent-Type: application/json",
        r#"{"message": "no bt\/Tok\/en+x12", "of": "bt%2FTok%2Fen%2Bx12"}"#,
    );
    let server = Server::start(vec![refused]).await;
    let world = world(&document(bearer), &server, KEY);
    let refusal = world
        .call("items", &Value::Null)
        .await
        .unwrap()
        .unwrap_err();
    assert_eq!(refusal.message, "no [key]");
    assert!(!format!("{refusal:?}").contains("Tok"), "{refusal:?}");
}

#[tokio::test]
async fn the_parts_of_a_pair_are_hidden() {
    let basic = json!({"b": {"type": "http", "scheme": "basic"}});
    let body =
        r#"["somebody", "pa55word", "c29tZWJvZHk6cGE1NXdvcmQ=", "somebody:pa55word", "some"]"#;
    let server = Server::start(vec![ok(body)]).await;
    let world = world(&document(basic), &server, "somebody:pa55word");
    expect![[r#"["[key]", "[key]", "[key]", "[key]", "some"]"#]]
        .assert_eq(&call(&world, "items", json!({})).await);
}

/// The key in a link is not sent twice, and shown neither by a refusal nor by an error of ours.
#[tokio::test]
async fn links_lose_their_secrets_before_they_are_used() {
    let link = |to: &str, body: &str| {
        let head = format!("200 OK\nContent-Type: application/json\nLink: <{to}>; rel=\"next\"");
        response(&head, body)
    };
    let key = "SECRETKEY123";
    let all = json!({"all_pages": true});
    let script = vec![link("/items?n=2&api_key=SECRETKEY123", "[1]"), ok("[2]")];
    let server = Server::start(script).await;
    let of_key = document(query_key());
    assert_eq!(
        call(&world(&of_key, &server, key), "items", all.clone()).await,
        "[1, 2]"
    );
    let asked = server.requests().remove(1);
    assert!(
        asked.starts_with("GET /items?n=2&api_key=SECRETKEY123 HTTP"),
        "{asked}"
    );

    let elsewhere = link("http://other.invalid/a?n=2&api_key=SECRETKEY123", "[1]");
    let server = Server::start(vec![elsewhere]).await;
    let seen = call(&world(&of_key, &server, key), "items", all.clone()).await;
    assert!(
        seen.starts_with("PageElsewhere: ") && !seen.contains(key),
        "{seen}"
    );

    let broken = vec![
        link("/items?n=2&token=SECRETKEY123", "[1]"),
        Answer::Bytes(Vec::new()),
    ];
    let server = Server::start(broken).await;
    let seen = call(&world(&of_key, &server, key), "items", all.clone()).await;
    assert!(
        seen.starts_with("! GET http://") && !seen.contains(key),
        "{seen}"
    );

    // A link in the body is followed as the server wrote it.
    let first = r#"{"items": [1], "next": "/items?n=2&api_key=SECRETKEY123"}"#;
    let last = r#"{"items": [2], "next": null}"#;
    let server = Server::start(vec![ok(first), ok(last)]).await;
    assert_eq!(
        call(&world(&of_key, &server, key), "items", all.clone()).await,
        "[1, 2]"
    );
    let asked = server.requests().remove(1);
    assert!(
        asked.starts_with("GET /items?n=2&api_key=SECRETKEY123 HTTP"),
        "{asked}"
    );
    let server = Server::start(vec![ok(first)]).await;
    expect![[r#"{items: [1], next: "/items?n=2&api_key=[key]"}"#]]
        .assert_eq(&call(&world(&of_key, &server, key), "items", json!({})).await);
}

/// Slack's documents have the token as a parameter of each operation, in a header or the query.
#[tokio::test]
async fn a_parameter_that_carries_a_secret_is_filled_in() {
    let parameter = |name: &str, place: &str| {
        json!({"name": name, "in": place, "required": true,
        "type": "string", "description": "Authentication token. Requires scope: `write`"})
    };
    let operation = |id: &str, parameter: Json| {
        json!({"operationId": id, "security": [{"auth": []}],
        "parameters": [parameter, {"name": "text", "in": "query", "type": "string"}],
        "responses": {"200": {"description": ""}}})
    };
    let document = json!({"swagger": "2.0", "info": {"title": "Chat", "version": "1"},
    "securityDefinitions": {"auth": {"type": "oauth2", "flow": "accessCode"}},
    "paths": {
        "/post": {"post": operation("post", parameter("token", "header"))},
        "/list": {"get": operation("list", parameter("token", "query"))},
        "/page": {"get": operation("page", json!({"name": "token", "in": "query",
            "type": "string", "description": "Where the page begins."}))},
        "/own": {"get": operation("own", parameter("X-Api-Key", "header"))},
    }});
    let read = api(&document);
    let names = Credentials::variables(&read, Some("chat"));
    let names: Vec<&str> = names.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["CHAT_AUTH", "CHAT_X_API_KEY"]);
    assert!(!read.operation("post").unwrap().stub().contains("token:"));
    assert!(read.operation("page").unwrap().stub().contains("token:"));
    let server = Server::start(vec![ok("{}"), ok("{}"), ok("{}")]).await;
    let world = world(&document, &server, "xoxb-secret-1234");
    for operation in ["post", "list", "own"] {
        assert_eq!(call(&world, operation, json!({"text": "hi"})).await, "{}");
        let lines = world
            .call_lines(operation, &params(json!({"text": "hi"})))
            .join(" ");
        assert!(!lines.contains("xoxb"), "{lines}");
    }
    let sent = server.requests();
    assert!(
        sent[0].contains("\r\ntoken: xoxb-secret-1234\r\n"),
        "{}",
        sent[0]
    );
    assert!(
        sent[1].starts_with("GET /list?text=hi&token=xoxb-secret-1234 "),
        "{}",
        sent[1]
    );
    assert!(
        sent[2].contains("x-api-key: xoxb-secret-1234"),
        "{}",
        sent[2]
    );
    expect!["InvalidCall: post: `token` is a secret, which is filled in from the environment: leave it out"]
        .assert_eq(&call(&world, "post", json!({"token": "mine"})).await);
}

/// The document sends one operation to another server.
#[tokio::test]
async fn credentials_go_to_another_server_only_if_it_is_trusted() {
    let other = Server::start(vec![ok("2"), ok("3")]).await;
    let server = Server::start(Vec::new()).await;
    let bearer = json!({"t": {"type": "http", "scheme": "bearer"}});
    let mut document = document(bearer);
    let origin = format!("http://{}", other.address);
    document["servers"] = json!([{"url": format!("http://{}", server.address)}]);
    document["paths"]["/items"]["get"]["servers"] = json!([{"url": format!("{origin}/v2")}]);
    let world = world(&document, &server, KEY);
    let elsewhere = world
        .api()
        .other_servers(&format!("http://{}", server.address));
    assert_eq!(elsewhere, [(origin.clone(), vec!["items".to_owned()])]);
    let seen = call(&world, "items", json!({}))
        .await
        .replace(&origin, "OTHER");
    expect![[r#"CredentialsElsewhere: items goes to OTHER, another server than that of this API, and would take the credentials there; nothing was sent. If that server may have them, write trusted_servers = ["OTHER"] into domain.toml, before its first [table]"#]]
        .assert_eq(&seen);
    assert!(other.requests().is_empty());
    assert!(
        world
            .objection("items", &Value::Null)
            .await
            .unwrap()
            .is_some()
    );
    let trusting = world.with_trusted(&[origin]);
    assert_eq!(call(&trusting, "items", json!({})).await, "2");
    assert!(other.requests()[0].contains("authorization: Bearer bt/"));
    // Without a credential there is nothing to give away.
    let api = trusting.api().clone();
    let none = HttpWorld::new(
        api,
        &format!("http://{}", server.address),
        Credentials::none(),
    );
    assert_eq!(call(&none.unwrap(), "items", json!({})).await, "3");
}

/// Who was not let in is told which variable holds the key.
#[tokio::test]
async fn a_call_without_credentials_names_their_variable() {
    let bearer = json!({"t": {"type": "http", "scheme": "bearer"}});
    let head = "401 Unauthorized\nContent-Type: application/json";
    let refused = response(head, r#"{"message": "No token."}"#);
    let server = Server::start(vec![refused]).await;
    let world = world(&document(bearer), &server, "");
    expect!["Unauthorized: No token. No credentials were sent: set API_T"]
        .assert_eq(&call(&world, "items", json!({})).await);
}
