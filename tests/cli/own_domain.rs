//! Domains that are folders: a conversation with plan, undo and session, as for S3, and a check.

use super::support::{Home, goal, model};
use expect_test::expect;

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_dialogue_is_planned_undone_and_replayed() {
    let home = Home::new();
    home.check(
        home.command("domain new library"),
        "",
        expect![[r#"
        ./library has 9 files. Next:
          dialog2api domain check ./library                    # see whether its files go together
          dialog2api domain test ./library                     # replay its recorded calls
          dialog2api chat --domain ./library                   # talk
        -- exit 0 --
    "#]],
    );
    let definition = home.read("library/domain.toml");
    let timed = definition.replace("\nreads = ", "\nnow = \"2024-01-01T00:00:00Z\"\nreads = ");
    assert_ne!(timed, definition);
    home.write("library/domain.toml", &timed);
    let program = "library.set_count(name=\"apple\", count=10)\nlibrary.add_item(name=\"pear\")";
    let server = model(&[
        &goal(1, "final", program),
        "Apple is 10 now, and pear is on the list.",
    ])
    .await;
    home.write(
        "script.txt",
        "set apple to 10 and add pear\nyes\n/undo\nyes\n/quit\n",
    );
    let mut command =
        home.ready("chat --domain ./library --session it --model openai:fake --script script.txt");
    command.args(["--base-url", &server.base_url()]);
    home.check(
        command,
        "",
        expect![[r#"
            Agent: How can I help you?

            You: set apple to 10 and add pear

            The program of goal 1 would change this:
              ~ items/apple  41 B → 42 B  comes back by our journal
                  count: 3 → 10
              + items/pear   48 B
                  {"count":1,"added":"2024-01-01T00:00:01.000001"}
              1 created, 1 overwritten; 90 B written; 41 B destroyed
              calls set_count, add_item
              An undo can take all of it back, as long as nobody changes it meanwhile; 1 comes back by our journal.
            The program:
                library.set_count(name="apple", count=10)
                library.add_item(name="pear")
            Do it? [y/N] yes

              goal 1  final · TIME
              │ library.set_count(name="apple", count=10)
              │ library.add_item(name="pear")
              result   null

              world    ~ items/apple  count: 3 → 10
                       + items/pear  {"count":1,"added":"2024-01-01T00:00:01.000001"}

            Agent: Apple is 10 now, and pear is on the list.

            You: /undo

            Undoing the program of goal 1 (turn 1) would change this:
              - items/pear   48 B  comes back by our journal
              ~ items/apple  42 B → 41 B  comes back by our journal
              1 overwritten, 1 deleted; 41 B written; 90 B destroyed
              An undo can take all of it back, as long as nobody changes it meanwhile; 2 come back by our journal.
            Do it? [y/N] yes
              world    ~ items/apple  count: 10 → 3
                       - items/pear
            Undone.

            You: /quit
            -- exit 0 --
        "#]],
    );
    home.check(
        home.command("session --domain ./library replay it"),
        "",
        expect![[r#"
            turn 1, goal 1  the same
            1 program, all as in the session
            -- exit 0 --
        "#]],
    );
    home.check(
        home.command("session --domain ./library undo it"),
        "",
        expect![[r#"
            -- stderr --
            error: there is nothing to undo: no program has changed the world
            -- exit 2 --
        "#]],
    );
}

/// A session knows the folder of its domain, so that nobody has to name it again.
#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_session_knows_its_domain() {
    let home = Home::new();
    let made = home.command("domain new library").output().unwrap();
    assert!(made.status.success());
    std::fs::copy(
        home.path("library/worlds/start.json"),
        home.path("state.json"),
    )
    .unwrap();
    let server = model(&[
        &goal(1, "final", "library.add_item(name=\"pear\")"),
        "Pear is on the list.",
        &goal(2, "final", "library.add_item(name=\"plum\")"),
        "Plum is on the list.",
    ])
    .await;
    home.write("yes.txt", "yes\n");
    let chat = |words: &str, said: &str| {
        let mut command = home.ready("prepare --domain ./library");
        drop(command.output().unwrap());
        command = home.command("chat --session it --model openai:fake --script script.txt");
        command.args(["--base-url", &server.base_url()]);
        command.args(words.split_whitespace());
        home.write("script.txt", said);
        home.seen(&command.output().unwrap())
    };
    let seen = chat(
        "--domain ./library --world state.json",
        "add pear\nyes\n/quit\n",
    );
    assert!(seen.contains("Pear is on the list."), "{seen}");
    // The chat goes on without it.
    let seen = chat("", "add plum\nyes\n/quit\n");
    assert!(seen.contains("Plum is on the list."), "{seen}");
    assert!(
        home.read("state.json").contains("plum"),
        "{}",
        home.read("state.json")
    );
    let run = |words: &str| {
        let mut command = home.command(words);
        command.stdin(std::fs::File::open(home.path("yes.txt")).unwrap());
        home.seen(&command.output().unwrap())
    };
    let seen = run("session undo it");
    assert!(seen.contains("- items/plum"), "{seen}");
    assert!(!home.read("state.json").contains("plum"), "{seen}");
    let seen = run("session replay it");
    assert!(!seen.contains("invalid key-value pair"), "{seen}");
    assert!(run("session show it").contains("items/pear"));
    // Another domain is refused, with the option that names the right one.
    let seen = run("session --domain s3 undo it");
    let own = home.path("library").canonicalize().unwrap();
    assert!(
        seen.contains(&format!(
            "the session it is one of the domain {}, not s3: name that one with --domain",
            own.display()
        )) || seen.contains("HOME/library"),
        "{seen}"
    );
    // A folder that was moved is named where it is now.
    std::fs::rename(home.path("library"), home.path("moved")).unwrap();
    let seen = run("session undo it");
    assert!(
        seen.contains("name the folder where it is now with --domain"),
        "{seen}"
    );
    let seen = run("session --domain ./moved undo it");
    assert!(seen.contains("- items/pear"), "{seen}");
    assert!(run("session show it").contains("-- exit 0 --"));
}

/// A folder has a policy of its own, which is shown where no file is named.
#[test]
fn the_policy_of_a_folder_is_shown() {
    let home = Home::new();
    let made = home.command("domain new library").output().unwrap();
    assert!(made.status.success());
    let shown = home.command("policy --domain ./library show").output();
    let shown = home.seen(&shown.unwrap());
    assert!(shown.contains("keep-the-spare-key"), "{shown}");
}

/// The examples of a new domain have records, so that a replay compares something.
#[test]
fn the_examples_of_a_new_domain_replay_as_recorded() {
    let home = Home::new();
    let made = home.command("domain new library").output().unwrap();
    assert!(made.status.success());
    home.check(
        home.ready("replay --quiet --domain ./library library"),
        "",
        expect![[r#"
            2 dialogues, 5 programs, all match, TIME
            -- exit 0 --
        "#]],
    );
}

/// Preparing the sandbox takes far longer than everything else in a check.
#[test]
fn a_check_of_a_large_api_on_a_server_prepares_no_sandbox() {
    let home = Home::new();
    let operation = |number: usize| {
        let path = format!("/things{number}/{{id}}");
        let id = serde_json::json!({
            "name": "id", "in": "path", "required": true, "schema": {"type": "string"},
        });
        let get = serde_json::json!({
            "operationId": format!("get_thing_{number}"), "summary": "Returns a thing.",
            "parameters": [id], "responses": {"200": {"description": "ok"}},
        });
        (path, serde_json::json!({ "get": get }))
    };
    let paths: serde_json::Map<_, _> = (0..1200).map(operation).collect();
    let document = serde_json::json!({
        "openapi": "3.1.0", "info": {"title": "Things", "version": "1"},
        "servers": [{"url": "http://127.0.0.1:8099"}], "paths": paths,
    });
    home.write("things.json", &document.to_string());
    let made = home
        .command("domain new things --openapi things.json")
        .output();
    assert!(made.expect("it starts").status.success());
    let mut check = home.command("domain check things");
    check.env("DIALOG2API_CACHE_DIR", home.path("cache"));
    home.check(
        check,
        "",
        expect![[r#"
            ok things
            -- exit 0 --
        "#]],
    );
    assert!(!home.path("cache").exists());
}
