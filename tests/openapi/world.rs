//! A server as a world: calls, errors, retries, redirects, secrets.

use super::server::Server;
use super::{api, params, v3};
use dialog2api::domain::{Answer, Signer, Value, World};
use dialog2api::openapi::{Credentials, HttpLimits, HttpWorld};
use expect_test::expect;
use serde_json::{Value as Json, json};
use std::sync::Arc;
use std::time::Duration;

fn document() -> Json {
    let id = json!([{"name": "id", "in": "path", "required": true, "schema": {"type": "integer"}}]);
    let pet = json!({"content": {"application/json": {"schema": {
        "type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}}}}});
    let read = |id: &str| json!({"get": {"operationId": id}});
    let mut document = v3(json!({
        "/pets": {
            "get": {
                "operationId": "listPets",
                "parameters": [{"name": "page", "in": "query", "schema": {"type": "integer"}}],
                "responses": {"200": {"description": "", "headers": {"Link": {}}, "content":
                    {"application/json": {"schema": {"type": "array", "items": {}}}}}},
            },
            "post": {"operationId": "addPet", "requestBody": pet},
        },
        "/pets/{id}": {
            "parameters": id,
            "get": {"operationId": "getPet"},
            "put": {"operationId": "putPet", "requestBody": pet},
            "delete": {"operationId": "deletePet"},
        },
        "/busy": {"get": {"operationId": "busy"}, "post": {"operationId": "beBusy"}},
        "/moved": read("moved"),
        "/away": read("away"),
        "/round": read("round"),
        "/echo": {"get": {"operationId": "echo", "parameters": [
            {"name": "X-Name", "in": "header", "schema": {"type": "string"}}]}},
        "/large": read("large"),
        "/wrong": read("wrong"),
    }));
    document["components"]["securitySchemes"] = json!({
        "key": {"type": "apiKey", "in": "query", "name": "api_key"},
        "login": {"type": "http", "scheme": "bearer"},
        "cookie": {"type": "apiKey", "in": "cookie", "name": "session"},
    });
    document["security"] = json!([{"key": [], "login": [], "cookie": []}]);
    document
}

fn world(server: &Server) -> HttpWorld {
    world_of(&document(), server)
}

fn world_of(document: &Json, server: &Server) -> HttpWorld {
    let api = Arc::new(api(document));
    let lookup = |name: &str| Some(format!("secret-of-{name}"));
    let auth = Credentials::of(&api, Some("pets"), &lookup);
    let limits = HttpLimits {
        timeout: Duration::from_secs(30),
        max_answer_bytes: 1000,
        ..HttpLimits::default()
    };
    HttpWorld::with_limits(api, &server.base(), auth, limits).unwrap()
}

/// The answer of a call in one line.
async fn call(world: &HttpWorld, operation: &str, json: Json) -> String {
    shown(world.call(operation, &params(json)).await.unwrap())
}

fn shown(answer: Answer) -> String {
    match answer {
        Ok(value) => crate::support::value::show(&value, |_, _| None),
        Err(it) => format!("{} {} {}", it.status, it.code, it.message),
    }
}

#[tokio::test]
async fn pets_come_and_go() {
    let server = Server::start().await;
    let world = world(&server);
    let mut lines = Vec::new();
    for (operation, params) in [
        ("add_pet", json!({"name": "Rex"})),
        ("add_pet", json!({"name": "Tom"})),
        ("add_pet", json!({"name": "Ada"})),
        ("put_pet", json!({"id": 2, "name": "Tim"})),
        ("get_pet", json!({"id": 2})),
        ("list_pets", json!({})),
        ("list_pets", json!({"page": 2})),
        ("delete_pet", json!({"id": 1})),
        ("delete_pet", json!({"id": 1})),
        ("get_pet", json!({})),
        ("nobody", json!({})),
        ("wrong", json!({})),
    ] {
        lines.push(format!(
            "{operation} {}",
            call(&world, operation, params).await
        ));
    }
    expect![[r#"
        add_pet {name: "Rex", id: 1}
        add_pet {name: "Tom", id: 2}
        add_pet {name: "Ada", id: 3}
        put_pet {name: "Tim", id: 2}
        get_pet {name: "Tim", id: 2}
        list_pets [{name: "Rex", id: 1}, {name: "Tim", id: 2}]
        list_pets [{name: "Ada", id: 3}]
        delete_pet None
        delete_pet 404 NotFound There is no such pet.
        get_pet 400 InvalidCall get_pet needs `id`
        nobody 404 UnknownOperation the API has no operation "nobody"
        wrong 400 BadRequest the server answered 400 Bad Request"#]]
    .assert_eq(&lines.join("\n"));
    let refused = world
        .call("get_pet", &params(json!({"id": 9})))
        .await
        .unwrap();
    assert_eq!(
        refused.unwrap_err().details,
        [("code".into(), Value::Int(17))]
    );
}

#[tokio::test]
async fn all_pages_are_one_list() {
    let server = Server::start().await;
    let world = world(&server);
    for name in ["a", "b", "c", "d", "e"] {
        call(&world, "add_pet", json!({"name": name})).await;
    }
    for most in [10, 3] {
        let all = world.all("list_pets", &Value::Null, most).await.unwrap();
        assert_eq!(all.unwrap().as_list().unwrap().len(), 5);
    }
    // A part of the pages would look like all of them.
    let part = world.all("list_pets", &Value::Null, 2).await.unwrap();
    assert_eq!(part.unwrap_err().code, "TooManyPages");

    // Programs ask for them by an argument.
    let listed = |wish: bool| call(&world, "list_pets", json!({"all_pages": wish}));
    assert_eq!(listed(true).await.matches("name").count(), 5);
    assert_eq!(listed(false).await.matches("name").count(), 2);
    let stub = world.api().operation("list_pets").unwrap().stub();
    assert!(stub.contains("all_pages: bool = False"), "{stub}");
    let refused = call(&world, "get_pet", json!({"id": 1, "all_pages": true})).await;
    assert!(refused.starts_with("400 InvalidCall"), "{refused}");
}

/// Where a server links to a page to which no parameter leads, the link itself is followed. One
/// to another server is refused, and so is one that leads round in a circle.
#[tokio::test]
async fn pages_that_only_links_lead_to() {
    let server = Server::start().await;
    let mut document = document();
    document["paths"]["/pets"]["get"]["parameters"] = json!([]);
    for place in ["far", "circle"] {
        let mut get = document["paths"]["/pets"]["get"].clone();
        get["operationId"] = json!(format!("list_{place}"));
        document["paths"][format!("/{place}")] = json!({"get": get});
    }
    let world = world_of(&document, &server);
    for name in ["a", "b", "c", "d", "e"] {
        call(&world, "add_pet", json!({"name": name})).await;
    }
    let all = call(&world, "list_pets", json!({"all_pages": true})).await;
    assert_eq!(all.matches("name").count(), 5, "{all}");
    expect!["400 PageElsewhere the server says that the next page is at http://127.0.0.1:9/, which is not on this server; it was not followed"]
        .assert_eq(&call(&world, "list_far", json!({"all_pages": true})).await);
    let circle = call(&world, "list_circle", json!({"all_pages": true})).await;
    expect![["400 RepeatedPage list_circle has no end: the server leads from its page 2 to one that was read before"]].assert_eq(&circle);
}

#[tokio::test]
async fn only_reads_are_asked_again() {
    let server = Server::start().await;
    let world = world(&server);
    let none = Value::Null;
    assert_eq!(call(&world, "busy", json!({})).await, r#""ready""#);
    assert_eq!(server.requests().len(), 3);
    let busy = "503 ServiceUnavailable the server answered 503 Service Unavailable";
    assert_eq!(shown(world.call_once("busy", &none).await.unwrap()), busy);
    assert_eq!(shown(world.call("be_busy", &none).await.unwrap()), busy);
    assert_eq!(server.requests().len(), 5);
}

#[tokio::test]
async fn redirects_stay_with_the_server() {
    let server = Server::start().await;
    let world = world(&server);
    assert_eq!(call(&world, "moved", json!({})).await, r#"b"�P""#);
    expect!["302 RedirectElsewhere the server sends the request on to http://127.0.0.1:9, which is another server; it was not followed"]
        .assert_eq(&call(&world, "away", json!({})).await);
    let error = world
        .call("round", &Value::Null)
        .await
        .unwrap_err()
        .to_string();
    assert_eq!(
        error,
        format!("{}/round redirects more than 5 times", server.base())
    );
}

#[tokio::test]
async fn secrets_are_sent_and_not_shown() {
    let server = Server::start().await;
    let world = world(&server);
    let told = call(&world, "echo", json!({"X_Name": "Zoë"})).await;
    assert!(told.contains("x-name: Zoë"), "{told}");
    let sent = server.requests().remove(0);
    for secret in [
        "/echo?api_key=secret-of-PETS_KEY",
        "authorization: Bearer secret-of-PETS_LOGIN",
        "cookie: session=secret-of-PETS_COOKIE",
    ] {
        assert!(sent.contains(secret), "{sent}");
    }
    assert!(
        told.contains("[key]") && !told.contains("secret-of"),
        "{told}"
    );
    assert!(!format!("{world:?} {}", world.describe()).contains("secret-of"));
}

#[tokio::test]
async fn failures_of_ours_are_errors_without_secrets() {
    let server = Server::start().await;
    let large = world(&server)
        .call("large", &Value::Null)
        .await
        .unwrap_err()
        .to_string();
    let expected = format!(
        "the answer of {}/large has more than 1000 bytes; ask for less at once",
        server.base()
    );
    assert_eq!(large, expected);
    let (_socket, address) = crate::support::scripted_http::nobody();
    let nobody = Server::at(address);
    let error = world(&nobody)
        .call("busy", &Value::Null)
        .await
        .unwrap_err()
        .to_string();
    assert!(
        error.starts_with(&format!("GET http://{address}/busy failed: ")),
        "{error}"
    );
    assert!(!error.contains("secret"), "{error}");
}

#[tokio::test]
async fn the_state_of_a_server_is_unknown() {
    let server = Server::start().await;
    let world = world(&server);
    let (mut one, mut other) = (Signer::new(), Signer::new());
    world.state(&mut one).await.unwrap();
    call(&world, "add_pet", json!({"name": "Rex"})).await;
    world.state(&mut other).await.unwrap();
    assert_eq!(one.signature(), other.signature());
    assert!(world.fork().is_none());
    assert_eq!(world.describe(), format!("Pets at {}", server.base()));
}
