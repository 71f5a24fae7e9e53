//! Conversations about domains whose calls a server answers: reads run, and writes are shown
//! before they are sent.

use super::support::{Home, goal, model};
use crate::openapi::server::Server as Pets;
use crate::support::tools::{MCP_FILESYSTEM, NODE, needs};
use expect_test::{Expect, expect};
use serde_json::{Value as Json, json};

/// The pets of the server as an API.
pub fn pets(server: &Pets) -> Json {
    let id = json!([{"name": "id", "in": "path", "required": true, "schema": {"type": "integer"}}]);
    let pet = json!({"type": "object", "required": ["name"],
        "properties": {"id": {"type": "integer"}, "name": {"type": "string"}}});
    let content = |schema: &Json| json!({"application/json": {"schema": schema}});
    let found = |schema: &Json| json!({"200": {"description": "", "content": content(schema)}});
    let mut page = found(&json!({"type": "array", "items": pet}));
    page["200"]["headers"] = json!({"Link": {"schema": {"type": "string"}}});
    let sent = json!({"content": content(&pet)});
    json!({
        "openapi": "3.0.3",
        "info": {"title": "Pets", "version": "1"},
        "servers": [{"url": server.base()}],
        "paths": {
            "/pets": {
                "get": {"operationId": "listPets", "summary": "Returns all pets.",
                    "responses": page},
                "post": {"operationId": "addPet", "requestBody": sent, "responses": found(&pet)},
            },
            "/pets/{id}": {
                "parameters": id,
                "put": {"operationId": "putPet", "requestBody": sent, "responses": found(&pet)},
                "delete": {"operationId": "deletePet", "responses": {"204": {"description": ""}}},
            },
        },
    })
}

/// Says each line of a script to a model that gives these answers.
async fn converse(home: &Home, domain: &str, script: &str, answers: &[&str], expected: Expect) {
    let server = model(answers).await;
    home.write("script.txt", script);
    let words = format!("chat --domain {domain} --model openai:fake --script script.txt");
    let mut command = home.ready(&words);
    command.args(["--base-url", &server.base_url()]);
    home.check(command, "", expected);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_api_of_pets() {
    let home = Home::new();
    let server = Pets::start().await;
    home.write("pets.json", &pets(&server).to_string());
    let making = home.command("domain new pets --openapi pets.json");
    home.check(
        making,
        "",
        expect![[r#"
            ./pets has 4 operations: 1 to read, 3 to write.
            Requests go to http://127.0.0.1:PORT.
            PETS_TOKEN can hold a token.
            Next:
              dialog2api chat --domain ./pets
            -- exit 0 --
        "#]],
    );
    converse(
        &home,
        "./pets",
        "add Rex and Tom\nyes\nyes\nwhich pets are there?\nadd Kit\nyes\nlist all\ncall Tom Tim and remove Rex\nyes\nno\n\
         remove pet 9\nyes\n",
        &[
            &goal(1, "final", "for name in ['Rex', 'Tom']:\n    pets.add_pet(name=name)"),
            "Rex and Tom are there.",
            &goal(2, "final", "return pets.list_pets()"),
            "Rex and Tom.",
            &goal(3, "final", "pets.add_pet(name='Kit')"),
            "Kit is there.",
            &goal(
                4,
                "final",
                "return [pet['name'] for pet in pets.list_pets(all_pages=True)]",
            ),
            "Rex, Tom and Kit.",
            &goal(5, "final", "pets.put_pet(id=2, body={'name': 'Tim'})\npets.delete_pet(id=1)"),
            "Tom is Tim now, and Rex stays.",
            &goal(6, "final", "pets.delete_pet(id=9)"),
            "There is no pet 9.",
        ],
        expect![[r#"
            Agent: How can I help you?

            You: add Rex and Tom

            The program of goal 1 would change this:
              > pets/add_pet
                  POST http://127.0.0.1:PORT/pets
                  {"name":"Rex"}
              1 call
              what the program does after this call is not known before it is made
              pets/add_pet does not come back, because the API does not say how to take it back
              It is not known whether an undo can take this back.
            Do it? [y/N] yes

            The program of goal 1 would change this:
              > pets/add_pet
                  POST http://127.0.0.1:PORT/pets
                  {"name":"Tom"}
              1 call
              what the program does after this call is not known before it is made
              calls so far add_pet
              pets/add_pet does not come back, because the API does not say how to take it back
              It is not known whether an undo can take this back.
            Do it? [y/N] yes

              goal 1  final · TIME
              │ for name in ['Rex', 'Tom']:
              │     pets.add_pet(name=name)
              result   null

            Agent: Rex and Tom are there.

            You: which pets are there?

              goal 2  final · TIME
              │ return pets.list_pets()
              result   [{"name": "Rex", "id": 1}, {"name": "Tom", "id": 2}]

            Agent: Rex and Tom.

            You: add Kit

            The program of goal 3 would change this:
              > pets/add_pet
                  POST http://127.0.0.1:PORT/pets
                  {"name":"Kit"}
              1 call
              what the program does after this call is not known before it is made
              pets/add_pet does not come back, because the API does not say how to take it back
              It is not known whether an undo can take this back.
            Do it? [y/N] yes

              goal 3  final · TIME
              │ pets.add_pet(name='Kit')
              result   null

            Agent: Kit is there.

            You: list all

              goal 4  final · TIME
              │ return [pet['name'] for pet in pets.list_pets(all_pages=True)]
              result   ["Rex", "Tom", "Kit"]

            Agent: Rex, Tom and Kit.

            You: call Tom Tim and remove Rex

            The program of goal 5 would change this:
              > pets/put_pet
                  PUT http://127.0.0.1:PORT/pets/2
                  {"name":"Tim"}
              1 call
              what the program does after this call is not known before it is made
              pets/put_pet does not come back, because the API does not say how to take it back
              It is not known whether an undo can take this back.
            Do it? [y/N] yes

            The program of goal 5 would change this:
              > pets/delete_pet
                  DELETE http://127.0.0.1:PORT/pets/1
              1 call, which may remove or overwrite what is there
              what the program does after this call is not known before it is made
              calls so far put_pet
              pets/delete_pet does not come back, because the API does not say how to take it back
              It is not known whether an undo can take this back.
            Do it? [y/N] no
            The call is not made.

              goal 5  final · TIME
              │ pets.put_pet(id=2, body={'name': 'Tim'})
              │ pets.delete_pet(id=1)
              error    Declined: The call was not made: the user was shown it, and said no. Before that, 1 write was made: put_pet.

            Agent: Tom is Tim now, and Rex stays.
            Before that, 1 write was made: put_pet.

            You: remove pet 9

            The program of goal 6 would change this:
              > pets/delete_pet
                  DELETE http://127.0.0.1:PORT/pets/9
              1 call, which may remove or overwrite what is there
              what the program does after this call is not known before it is made
              pets/delete_pet does not come back, because the API does not say how to take it back
              It is not known whether an undo can take this back.
            Do it? [y/N] yes

              goal 6  final · TIME
              │ pets.delete_pet(id=9)
              error    NotFound (line 1): There is no such pet.

            Agent: There is no pet 9.

            -- stderr --
            note: the state of a server is not known to its domain
            Changes of the world will not be shown: the domain pets cannot say what its worlds hold.
            -- exit 0 --
        "#]],
    )
    .await;
    let requests = server.requests();
    let lines = requests.iter().filter_map(|it| it.split(" HTTP").next());
    expect![[r#"
        POST /pets
        POST /pets
        GET /pets
        POST /pets
        GET /pets
        GET /pets?page=2
        PUT /pets/2
        DELETE /pets/9"#]]
    .assert_eq(&lines.collect::<Vec<_>>().join("\n"));
}

#[test]
fn an_mcp_server_that_cannot_be_reached_leaves_no_folder() {
    let home = Home::new();
    // The port of a server that was there a moment ago.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    drop(listener);
    home.check(
        home.command(&format!("domain new tools --mcp http://{address}/mcp")),
        "",
        expect![[r#"
        -- stderr --
        error: cannot connect to the MCP server `http://127.0.0.1:PORT/mcp`: Connection refused (os error 111)
        -- exit 1 --
    "#]],
    );
    assert!(!home.path("tools").exists());
}

/// Secrets are found by the name of their scheme: in the environment, or else in the keyring,
/// which only a call asks for anything.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn secrets_of_an_api() {
    let home = Home::new();
    let server = Pets::start().await;
    let mut document = pets(&server);
    document["security"] = json!([{"store key": []}]);
    document["components"] = json!({"securitySchemes":
        {"store key": {"type": "apiKey", "in": "header", "name": "X-Store"}}});
    home.write("pets.json", &document.to_string());
    home.check(
        home.command("domain new pets --openapi pets.json"),
        "",
        expect![[r#"
        ./pets has 4 operations: 1 to read, 3 to write.
        Requests go to http://127.0.0.1:PORT.
        PETS_STORE_KEY can hold a key.
        Next:
          dialog2api chat --domain ./pets
        -- exit 0 --
    "#]],
    );
    home.write("list.py", "return pets.list_pets()");
    // Stands in for libsecret's tool, which asks the system's keyring.
    std::fs::create_dir_all(home.path("bin")).unwrap();
    home.write(
        "bin/secret-tool",
        "#!/bin/sh\necho \"$*\" >> \"$HOME/asked\"\necho kept\n",
    );
    let rights = std::os::unix::fs::PermissionsExt::from_mode(0o700);
    std::fs::set_permissions(home.path("bin/secret-tool"), rights).unwrap();
    let with = |words: &str, secret: Option<&str>| {
        let mut command = home.ready(words);
        command.env("PATH", home.path("bin"));
        command.envs(secret.map(|secret| ("PETS_STORE_KEY", secret)));
        command
    };
    let checked = with("domain check pets", None).output().unwrap();
    assert!(checked.status.success() && !home.path("asked").exists());
    for secret in [Some("given"), None] {
        let ran = with("run --domain ./pets list.py", secret)
            .output()
            .unwrap();
        assert!(ran.status.success(), "{}", home.seen(&ran));
    }
    let requests = server.requests();
    let sent = requests.iter().flat_map(|request| request.lines());
    let sent: Vec<&str> = sent.filter(|line| line.starts_with("x-store")).collect();
    assert_eq!(sent, ["x-store: given", "x-store: kept"]);
    assert_eq!(
        home.read("asked"),
        "lookup service dialog2api account PETS_STORE_KEY\n"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn files_behind_an_mcp_server() {
    needs!(NODE, MCP_FILESYSTEM);
    let home = Home::new();
    let folder = home.path("notes");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("a.txt"), "one\n").unwrap();
    let mut command = home.command("domain new notes-api --mcp --");
    command.args([NODE.path(), MCP_FILESYSTEM.path(), folder.clone()]);
    home.check(command, "", expect![[r#"
        ./notes-api has 14 operations: 10 to read, 4 to write, as the server says.
        Called without a question, and with --read-only: read_file, read_text_file, read_media_file, read_multiple_files, list_directory, list_directory_with_sizes, directory_tree, search_files, get_file_info, list_allowed_directories. To see each call first, take a tool out of `reads` in domain.toml.
        Look at domain.toml and api.pyi, then:
          dialog2api chat --domain ./notes-api
        -- exit 0 --
    "#]]);
    let at = |name: &str| folder.join(name).display().to_string();
    converse(
        &home,
        "./notes-api",
        "what is in a.txt?\nwrite two into b.txt\nyes\nrename b.txt to c.txt\nno\nread /etc/passwd\n",
        &[
            &goal(1, "final", &format!("return notes_api.read_text_file(path='{}')", at("a.txt"))),
            "one",
            &goal(2, "final", &format!("notes_api.write_file(path='{}', content='two')", at("b.txt"))),
            "It is written.",
            &goal(
                3,
                "final",
                &format!("notes_api.move_file(source='{}', destination='{}')", at("b.txt"), at("c.txt")),
            ),
            "Then it stays b.txt.",
            &goal(4, "final", "return notes_api.read_text_file(path='/etc/passwd')"),
            "The server does not let me.",
        ],
        expect![[r#"
            Agent: How can I help you?

            You: what is in a.txt?

              goal 1  final · TIME
              │ return notes_api.read_text_file(path='HOME/notes/a.txt')
              result   {"content": "one\n"}

            Agent: one

            You: write two into b.txt

            The program of goal 2 would change this:
              > notes-api/write_file
                  Write File (write_file)
                  path: "HOME/notes/b.txt"
                  content: "two"
              1 call, which may remove or overwrite what is there
              what the program does after this call is not known before it is made
              notes-api/write_file does not come back, because the API does not say how to take it back
              It is not known whether an undo can take this back.
            Do it? [y/N] yes

              goal 2  final · TIME
              │ notes_api.write_file(path='HOME/notes/b.txt', content='two')
              result   null

            Agent: It is written.

            You: rename b.txt to c.txt

            The program of goal 3 would change this:
              > notes-api/move_file
                  Move File (move_file)
                  source: "HOME/notes/b.txt"
                  destination: "HOME/notes/c.txt"
              1 call, which may remove or overwrite what is there
              what the program does after this call is not known before it is made
              notes-api/move_file does not come back, because the API does not say how to take it back
              It is not known whether an undo can take this back.
            Do it? [y/N] no
            The call is not made.

              goal 3  final · TIME
              │ notes_api.move_file(source='HOME/notes/b.txt', destination='HOME/notes/c.txt')
              error    Declined: The call was not made: the user was shown it, and said no.

            Agent: Then it stays b.txt.

            You: read /etc/passwd

              goal 4  final · TIME
              │ return notes_api.read_text_file(path='/etc/passwd')
              error    ToolError (line 1): Access denied - path outside allowed directories: /etc/passwd not in HOME/notes

            Agent: The server does not let me.

            -- stderr --
            note: the state of a server is not known to its domain
            Changes of the world will not be shown: the domain notes-api cannot say what its worlds hold.
            -- exit 0 --
        "#]],
    )
    .await;
    assert_eq!(
        std::fs::read_to_string(folder.join("b.txt")).unwrap(),
        "two"
    );
    assert!(!folder.join("c.txt").exists());
}

/// A program whose connection is lost says which writes it has made, also to scripts.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lost_connection_leaves_what_was_done() {
    let home = Home::new();
    let server = Pets::start().await;
    let mut document = pets(&server);
    document["paths"]["/round"] = json!({"get": {"operationId": "round", "responses": {}}});
    home.write("pets.json", &document.to_string());
    let made = home.command("domain new pets --openapi pets.json").output();
    assert!(made.unwrap().status.success());
    home.write("two.py", "pets.add_pet(name='Rex')\nreturn pets.round()");
    home.write("none.py", "return pets.round()");
    let ran = home
        .ready("run --domain ./pets --json two.py")
        .output()
        .unwrap();
    let said = "redirects more than 5 times. Before that, 1 write was made: add_pet";
    let report: Json = serde_json::from_slice(&ran.stdout).unwrap();
    assert_eq!(report["error"]["error"], "ConnectionLost");
    assert!(
        report["error"]["message"].as_str().unwrap().ends_with(said),
        "{report}"
    );
    let calls = json!([{"operation": "add_pet", "error": null},
        {"operation": "round", "error": "ConnectionLost"}]);
    assert_eq!(report["calls"], calls);
    assert!(
        home.seen(&ran)
            .contains(&format!("/round {said}\n-- exit 1 --")),
        "{}",
        home.seen(&ran)
    );
    let ran = home.ready("run --domain ./pets none.py").output().unwrap();
    let said = "redirects more than 5 times. No write was made before that\n";
    assert!(home.seen(&ran).contains(said), "{}", home.seen(&ran));

    let program = goal(1, "final", "pets.add_pet(name='Tom')\npets.round()");
    let model = model(&[&program, "I could not reach the server."]).await;
    home.write("script.txt", "add Tom\nyes\n");
    let words = "chat --domain ./pets --model openai:fake --script script.txt";
    let mut chat = home.ready(words);
    let chatted = chat
        .args(["--base-url", &model.base_url()])
        .output()
        .unwrap();
    let seen = home.seen(&chatted);
    let said = "redirects more than 5 times. Before that, 1 write was made: add_pet.";
    assert!(seen.contains(said), "{seen}");
    let reply = "Agent: I could not reach the server.\nBefore that, 1 write was made: add_pet.";
    assert!(seen.contains(reply), "{seen}");
}

/// A refusal is caught by the name of its status, and a date is a date on the wire.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn programs_catch_refusals_and_pass_dates() {
    let home = Home::new();
    let server = Pets::start().await;
    let query = |name: &str, format: &str| json!({"name": name, "in": "query", "schema": {"type": "string", "format": format}});
    let mut document = pets(&server);
    document["paths"]["/echo"] = json!({"get": {"operationId": "echo",
        "parameters": [query("day", "date"), query("at", "date-time")]}});
    home.write("pets.json", &document.to_string());
    let making = home.command("domain new pets --openapi pets.json").output();
    assert!(making.unwrap().status.success());
    home.write(
        "both.py",
        "from datetime import date, datetime\n\
         def asked(**when): return pets.echo(**when)['head'].split()[1]\n\
         try:\n    pets.delete_pet(id=9)\n\
         except pets.NotFound as error:\n    gone = [error.status, error.message]\n\
         return gone, asked(day=date(2024, 1, 2)), asked(day=datetime(2024, 1, 2, 3, 4)), asked(at=datetime(2024, 1, 2, 3, 4))",
    );
    let ran = home.ready("run --domain ./pets --json both.py").output();
    let report: Json = serde_json::from_slice(&ran.unwrap().stdout).unwrap();
    expect![[r#"[[404,"There is no such pet."],"/echo?day=2024-01-02","/echo?day=2024-01-02","/echo?at=2024-01-02T03%3A04%3A00Z"]"#]]
        .assert_eq(&report["result"].to_string());
}
