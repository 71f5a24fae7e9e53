//! Domains whose calls a server answers: the folder that is made, what a prompt shows of a
//! large one, and what is said where something is missing.

use super::lab::{cache, outcome, run};
use crate::support::scripted_http::nobody;
use crate::support::tools::{PYTHON, needs};
use dialog2api::domain::{Access, NamedWorld, Opening};
use dialog2api::folder;
use dialog2api::mcp::Server;
use expect_test::expect;
use serde_json::json;

/// A document with an operation for each of these things.
fn document(things: usize) -> String {
    let path = |number: usize| {
        let get = json!({
            "operationId": format!("get_thing_{number}"),
            "summary": format!("Returns the colour of thing number {number}."),
            "responses": {"200": {"description": "ok"}},
        });
        (
            format!("/things/{number}"),
            json!({"get": get, "delete": {
                "operationId": format!("drop_thing_{number}"),
                "responses": {"204": {"description": "gone"}},
            }}),
        )
    };
    let paths: serde_json::Map<_, _> = (0..things).map(path).collect();
    let info = json!({"title": "Things", "version": "1"});
    json!({"openapi": "3.0.3", "info": info, "servers": [{"url": "http://127.0.0.1:9"}], "paths": paths})
        .to_string()
}

#[tokio::test]
async fn a_prompt_gets_the_operations_that_fit() {
    let place = tempfile::tempdir().unwrap();
    let source = place.path().join("things.json");
    std::fs::write(&source, document(400)).unwrap();
    let path = place.path().join("things");
    let made = folder::create_openapi(&path, source.to_str().unwrap())
        .await
        .unwrap();
    assert_eq!((made.operations, made.reads), (800, 400));
    assert_eq!(folder::check(&path, &cache()).await.unwrap(), []);
    let domain = folder::load(&path, &cache()).unwrap();
    assert!(domain.effects.is_stepwise && domain.destroys("drop_thing_7"));
    let shown = domain.document("what colour has thing number 123?", &["drop_thing_9"]);
    assert!(shown.contains("def get_thing_123("), "{shown}");
    assert!(shown.contains("def drop_thing_9("), "{shown}");
    assert!(shown.len() < 25_000 && shown.len() * 2 < domain.api.document.len());
    let small = place.path().join("few");
    std::fs::write(&source, document(3)).unwrap();
    folder::create_openapi(&small, source.to_str().unwrap())
        .await
        .unwrap();
    let domain = folder::load(&small, &cache()).unwrap();
    assert_eq!(domain.document("anything", &[]), domain.api.document);
}

#[tokio::test]
async fn what_is_missing_is_said() {
    let place = tempfile::tempdir().unwrap();
    let source = place.path().join("things.json");
    let text = document(1).replace("http://127.0.0.1:9", "/v1");
    std::fs::write(&source, text).unwrap();
    let path = place.path().join("things");
    let made = folder::create_openapi(&path, source.to_str().unwrap())
        .await
        .unwrap();
    let problem = made.base.unwrap_err();
    assert!(
        problem.starts_with("the document names its server only as"),
        "{problem}"
    );
    let shown = |text: String| text.replace(&format!("{}/", place.path().display()), "");
    let said = |path: &std::path::Path| match folder::load(path, &cache()) {
        Ok(_) => "it is whole".to_owned(),
        Err(error) => shown(error.to_string()),
    };
    let mut seen = vec![said(&path)];
    let toml = path.join("domain.toml");
    let with_url = std::fs::read_to_string(&toml).unwrap() + "url = \"http://127.0.0.1:9/v1\"\n";
    std::fs::write(&toml, &with_url).unwrap();
    seen.push(said(&path));
    std::fs::write(&toml, with_url.replace("\"openapi\"", "\"mcp\"")).unwrap();
    seen.push(said(&path));
    std::fs::write(&toml, &with_url).unwrap();
    std::fs::remove_file(path.join("openapi.json")).unwrap();
    seen.push(said(&path));
    expect![[r#"
        things/domain.toml: the document names its server only as "/v1": say the whole base URL; write url = "https://…" into it
        it is whole
        things/domain.toml: has the kind mcp and no [server]: say how it is reached, as command = ["npx", "some-server"] or url = "http://…"
        things/domain.toml: has the kind openapi, and there is no openapi.json or openapi.yaml or openapi.yml"#]].assert_eq(&seen.join("\n"));
}

/// What cannot become a domain leaves no folder behind.
#[tokio::test]
async fn nothing_is_made_of_nothing() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("api");
    let source = place.path().join("document.json");
    let document = json!({"openapi": "3.0.3", "info": {"title": "", "version": ""},
        "paths": {"/a": {"$ref": "#/paths/~1b"}}});
    std::fs::write(&source, document.to_string()).unwrap();
    let refused = folder::create_openapi(&path, source.to_str().unwrap()).await;
    let mut seen = refused.unwrap_err().to_string() + "\n";
    let server = Server::command("no-such-program", Vec::<String>::new());
    let refused = folder::create_mcp(&path, &server).await;
    seen += &refused.unwrap_err().to_string();
    assert!(!path.exists());
    expect![[r#"
        document.json: has nothing to call: /a has a reference that this document does not resolve, and is left out; the document has no operations
        cannot start the MCP server `no-such-program`: No such file or directory (os error 2); check its command"#]].assert_eq(&seen.replace(&format!("{}/", place.path().display()), ""));
}

/// What a document or a name cannot be is said, with the way out and without secrets.
#[tokio::test]
async fn what_cannot_be_made_is_said() {
    let place = tempfile::tempdir().unwrap();
    let source = place.path().join("things.json");
    std::fs::write(&source, document(1)).unwrap();
    let class = place.path().join("class");
    let refused = folder::create_openapi(&class, source.to_str().unwrap()).await;
    let mut seen = refused.unwrap_err().to_string() + "\n";
    seen += &folder::create(&class).unwrap_err().to_string();
    assert!(!class.exists());
    let (_socket, address) = nobody();
    let url = format!("http://{address}/api.json?token=SECRETKEY123");
    let refused = folder::create_openapi(&place.path().join("api"), &url).await;
    seen += &format!("\n{}", refused.unwrap_err());
    expect![[r#"
        class cannot name a domain: a name has lower-case letters, digits and hyphens, begins with a letter, and is no keyword of Python
        class cannot name a domain: a name has lower-case letters, digits and hyphens, begins with a letter, and is no keyword of Python
        cannot fetch http://ADDRESS/api.json: Connection refused (os error 111)"#]]
    .assert_eq(
        &seen
            .replace(&format!("{}/", place.path().display()), "")
            .replace(&address.to_string(), "ADDRESS"),
    );
}

/// A document that refers to itself, names two operations alike, uses words of Python as
/// names and has no server: a folder is made, and each thing that is wrong is said.
#[tokio::test]
async fn a_document_with_faults_becomes_a_folder() {
    let place = tempfile::tempdir().unwrap();
    let source = place.path().join("odd.json");
    let node = json!({"type": "object", "properties": {
        "next": {"$ref": "#/components/schemas/Node"}, "class": {"type": "string"}}});
    let reply = json!({"200": {"description": "", "content": {"application/json":
        {"schema": {"$ref": "#/components/schemas/Node"}}}}});
    let query = |name: &str| json!({"in": "query", "name": name, "schema": {"type": "string"}});
    let text = json!({
        "openapi": "3.1.0",
        "info": {"title": "Odd", "version": "1"},
        "paths": {
            "/a": {"get": {"operationId": "import", "responses": reply,
                "parameters": [query("from"), query("self"), query("from_")]}},
            "/b": {"get": {"operationId": "import", "responses": reply}},
            "/c": {"$ref": "#/paths/~1c"},
            "/d": {"post": {"operationId": "None", "responses": {},
                "requestBody": {"$ref": "#/components/requestBodies/Body"}}},
        },
        "components": {
            "schemas": {"Node": node},
            "requestBodies": {"Body": {"$ref": "#/components/requestBodies/Body"}},
        },
    });
    std::fs::write(&source, text.to_string()).unwrap();
    let path = place.path().join("odd");
    let made = folder::create_openapi(&path, source.to_str().unwrap()).await;
    let made = made.unwrap();
    let mut seen = made.notes.join("\n") + "\n\n";
    let findings = folder::check(&path, &cache()).await.unwrap();
    seen.extend(findings.iter().map(|finding| format!("{finding}\n\n")));
    seen += &std::fs::read_to_string(path.join("api.pyi")).unwrap();
    expect![[r#"
        import__2: its operationId is that of another operation, import
        /c has a reference that this document does not resolve, and is left out
        none: its body has a reference that this document does not resolve, and is left out

        domain.toml: the document names no server: say its base URL; write url = "https://…" into it

        # Odd. Programs call these as `odd.NAME(…)`, with keyword arguments.

        def import_(*, from_: str | None = None, self_: str | None = None, from__2: str | None = None) -> dict:
            """GET /a

            from_: from in the query.
            self_: self in the query.
            from__2: from_ in the query.
            Returns {next: {next: dict, class: str}, class: str}
            """

        def import__2() -> dict:
            """GET /b

            Returns {next: {next: dict, class: str}, class: str}
            """

        def none() -> Any:
            """POST /d"""
    "#]].assert_eq(&seen);
    let toml = path.join("domain.toml");
    let with_url = std::fs::read_to_string(&toml).unwrap() + "url = \"http://127.0.0.1:9\"\n";
    std::fs::write(&toml, with_url).unwrap();
    assert_eq!(folder::check(&path, &cache()).await.unwrap(), []);
    let domain = folder::load(&path, &cache()).unwrap();
    let opened = domain
        .worlds()
        .unwrap()
        .open(&NamedWorld::default(), Opening::default())
        .await;
    let world = opened.unwrap().world;
    let mut seen = String::new();
    for program in ["return odd.import_(from_=1, form='x')", "return odd.lost()"] {
        seen += &format!("{}\n", outcome(&run(&domain, &world, program).await));
    }
    expect![[r#"
        TypeError: import_() got an unexpected keyword argument 'form'
        AttributeError: the API has no operation 'lost'
    "#]]
    .assert_eq(&seen);
}

#[tokio::test]
async fn the_tools_of_an_mcp_server_are_operations() {
    needs!(PYTHON);
    let place = tempfile::tempdir().unwrap();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/mcp/server.py");
    let state = place.path().join("state");
    std::fs::create_dir(&state).unwrap();
    let python = PYTHON.path().display().to_string();
    let server = Server::command(python, [script, state.to_str().unwrap(), "plain"]);
    let path = place.path().join("items");
    let made = folder::create_mcp(&path, &server).await.unwrap();
    assert!(made.operations > made.reads && made.reads > 0);
    let notes = [
        "a tool without a name is left out",
        "a tool without a name is left out",
        "fail: the server has another tool of this name before it, which counts",
    ];
    assert_eq!(made.notes, notes);
    let toml = std::fs::read_to_string(path.join("domain.toml")).unwrap();
    let here = format!("folder = {:?}\n", std::env::current_dir().unwrap());
    assert!(toml.contains(&here), "{toml}");
    assert_eq!(folder::check(&path, &cache()).await.unwrap(), []);
    let domain = folder::load(&path, &cache()).unwrap();
    let count = domain
        .api
        .operations
        .iter()
        .filter(|it| it.effect == Access::Read)
        .count();
    assert_eq!(count, made.reads);
    let opened = domain
        .worlds()
        .unwrap()
        .open(&NamedWorld::default(), Opening::default())
        .await;
    let world = opened.unwrap().world;
    assert!(world.fork().is_none());
    let program = "items.add_item(item_name='apple', count=2)\nreturn items.list_items()";
    expect![[r#"{"items":[{"name":"nail","count":3},{"name":"apple","count":2}]}"#]]
        .assert_eq(&outcome(&run(&domain, &world, program).await));
    let ran = run(&domain, &world, "return items.no_such_tool()").await;
    assert_eq!(
        outcome(&ran),
        "AttributeError: the API has no operation 'no_such_tool'"
    );
}

/// What calls itself a read and says that it changes something is said, and asked about.
#[tokio::test]
async fn what_lies_about_reading_is_no_read() {
    let place = tempfile::tempdir().unwrap();
    let source = place.path().join("cache.json");
    let get = |id: &str, summary: &str, servers: serde_json::Value| {
        json!({"get": {"operationId": id, "summary": summary, "servers": servers,
            "responses": {"200": {"description": "ok"}}}})
    };
    let other = json!([{"url": "http://127.0.0.1:8/v1"}]);
    let text = json!({"openapi": "3.0.3", "info": {"title": "Cache", "version": "1"},
    "servers": [{"url": "http://127.0.0.1:9"}],
    "paths": {
        "/a": get("purgeCache", "Empties it.", json!([])),
        "/b": get("entries", "Deletes every entry and returns it.", json!([])),
        "/c": get("listDeleted", "Lists what was deleted.", other),
    }});
    std::fs::write(&source, text.to_string()).unwrap();
    let path = place.path().join("cache");
    let made = folder::create_openapi(&path, source.to_str().unwrap());
    let made = made.await.unwrap();
    expect![[r#"
        purge_cache seems to purge something, although the document says that it only reads. It is not among `reads`, so each call is shown first.
        entries seems to delete something, although the document says that it only reads. It is not among `reads`, so each call is shown first.
        Requests of list_deleted go to http://127.0.0.1:8, another server that the document names. They take no credentials there unless domain.toml has it among trusted_servers."#]]
    .assert_eq(&made.warnings.join("\n"));
    let toml = std::fs::read_to_string(path.join("domain.toml")).unwrap();
    assert!(
        toml.contains("# trusted_servers = [\"http://127.0.0.1:8\"]"),
        "{toml}"
    );
    let domain = folder::load(&path, &cache()).unwrap();
    assert!(domain.writes("purge_cache") && domain.writes("entries"));
    assert!(!domain.writes("list_deleted"));
}
