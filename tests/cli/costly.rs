//! Programs that cost much on a server: `run` stops them, and a chat asks.

use super::support::{Home, goal, model};
use crate::plan::lab::call_all;
use crate::serve::support::{key, serve, world};
use dialog2api::domain::s3::serve::S3Server;
use expect_test::{Expect, expect};
use std::process::Command;

/// A program that lists five names, and once more.
const LISTS: &str = "listed = [s3.list_objects_v2(Bucket='bucket-a')['KeyCount'] for _ in range(2)]\nreturn sum(listed)";

/// A server with a bucket of five letters, and a home with a policy that asks at five names.
async fn there() -> (Home, S3Server) {
    let world = world();
    let letters = "make a; put a/v one; put a/w two; put a/x three; put a/y four; put a/z five";
    call_all(&*world, letters).await;
    let home = Home::new();
    home.write(
        "policy.toml",
        "version = 1\n[ask_above]\nnames_listed = 5\n",
    );
    (home, serve(world).await)
}

fn command(home: &Home, server: &S3Server, words: &str) -> Command {
    let mut command = home.ready(words);
    let key = key();
    command
        .args(["--policy", "policy.toml", "--region", "us-east-1"])
        .args(["--endpoint-url", &server.endpoint()])
        .env("AWS_ACCESS_KEY_ID", key.id)
        .env("AWS_SECRET_ACCESS_KEY", key.secret);
    command
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn run_stops_before_it_costs_more() {
    let (home, server) = there().await;
    home.check(command(&home, &server, "run -"), LISTS, expect![[r#"
        -- stderr --
        error: the program was stopped before it costs more: it has sent 1 request and listed 5 names, and would go on with list_objects_v2 on bucket-a/. It has written nothing. With --expensive it runs to its end; `ask_above` in a policy sets when it is stopped
        -- exit 2 --
    "#]]);
    // What it printed until then is not lost.
    let prints = format!("print('so far')\n{LISTS}");
    let ran = assert_cmd::Command::from(command(&home, &server, "run -"))
        .write_stdin(prints)
        .output()
        .expect("it starts");
    let said = home.seen(&ran);
    assert!(said.contains("printed before that: so far\n"), "{said}");
    home.check(
        command(&home, &server, "run - --expensive"),
        LISTS,
        expect![[r#"
            result     10
            calls      list_objects_v2 × 2
            signature  not computed
            elapsed    TIME
            -- exit 0 --
        "#]],
    );
    // A program that has written would be left half done.
    let writes = format!("s3.put_object(Bucket='bucket-a', Key='new', Body=b'x')\n{LISTS}");
    home.check(
        command(&home, &server, "run -"),
        &writes,
        expect![[r#"
        result     12
        calls      put_object, list_objects_v2 × 2
        signature  not computed
        elapsed    TIME
        -- exit 0 --
    "#]],
    );
    // Nothing is left half done where the writes are kept apart.
    home.check(
        command(&home, &server, "run - --overlay"),
        &writes,
        expect![[r#"
            -- stderr --
            error: the program was stopped before it costs more: it has sent 3 requests and listed 6 names, and would go on with list_objects_v2 on bucket-a/. It has written nothing. With --expensive it runs to its end; `ask_above` in a policy sets when it is stopped
            -- exit 2 --
        "#]],
    );
    server.stop().await;
}

/// A chat in which somebody wants to count and answers the question.
async fn chat(answer: &str, reply: &str, expected: Expect) {
    let (home, server) = there().await;
    let answers = model(&[&goal(1, "final", LISTS), reply, reply]).await;
    home.write("script.txt", &format!("count\n{answer}\n/quit\n"));
    let words = "chat --model openai:fake --script script.txt";
    let mut command = command(&home, &server, words);
    command.args(["--base-url", &answers.base_url()]);
    home.check(command, "", expected);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_chat_asks_before_it_costs_more() {
    chat("no", "I stopped there.", expect![[r#"
        Agent: How can I help you?

        You: count

        The program of goal 1 costs time and money: it has sent 1 request and listed 5 names, and would go on with list_objects_v2 on bucket-a/. How much is still to come is not known. If it goes on, it begins again.
        Go on? [y/N] no

          goal 1  final · TIME
          │ listed = [s3.list_objects_v2(Bucket='bucket-a')['KeyCount'] for _ in range(2)]
          │ return sum(listed)
          error    TooCostly: Nothing was changed, and the program did not come to its end: it has sent 1 request and listed 5 names, and would go on with list_objects_v2 on bucket-a/. The user was asked whether it goes on, because this costs time and money, and did not agree.

        Agent: I stopped there.

        You: /quit
        -- exit 0 --
    "#]]).await;
    chat("yes", "There are 10.", expect![[r#"
        Agent: How can I help you?

        You: count

        The program of goal 1 costs time and money: it has sent 1 request and listed 5 names, and would go on with list_objects_v2 on bucket-a/. How much is still to come is not known. If it goes on, it begins again.
        Go on? [y/N] yes

          goal 1  final · TIME
          │ listed = [s3.list_objects_v2(Bucket='bucket-a')['KeyCount'] for _ in range(2)]
          │ return sum(listed)
          result   10

        Agent: There are 10.

        You: /quit
        -- exit 0 --
    "#]]).await;
    // Who does not answer does not agree.
    chat("", "I stopped there.", expect![[r#"
        Agent: How can I help you?

        You: count

        The program of goal 1 costs time and money: it has sent 1 request and listed 5 names, and would go on with list_objects_v2 on bucket-a/. How much is still to come is not known. If it goes on, it begins again.
        Go on? [y/N] (no answer)

          goal 1  final · TIME
          │ listed = [s3.list_objects_v2(Bucket='bucket-a')['KeyCount'] for _ in range(2)]
          │ return sum(listed)
          error    TooCostly: Nothing was changed, and the program did not come to its end: it has sent 1 request and listed 5 names, and would go on with list_objects_v2 on bucket-a/. The user was asked whether it goes on, because this costs time and money, and did not agree.

        Agent: I stopped there.

        You: /quit
        -- exit 0 --
    "#]]).await;
}

/// An API that a document describes costs as much as S3 does.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_api_is_counted_too() {
    let home = Home::new();
    let server = crate::openapi::server::Server::start().await;
    let document = serde_json::json!({
        "openapi": "3.0.3",
        "info": {"title": "Pets", "version": "1"},
        "servers": [{"url": server.base()}],
        "paths": {"/pets": {
            "get": {"operationId": "listPets", "responses": {"200": {"description": ""}}},
            "post": {"operationId": "addPet", "requestBody": {"content": {"application/json":
                {"schema": {"type": "object", "properties": {"name": {"type": "string"}}}}}},
                "responses": {"200": {"description": ""}}},
        }},
    });
    home.write("pets.json", &document.to_string());
    home.write("policy.toml", "version = 1\n[ask_above]\nrequests = 3\n");
    let made = home.command("domain new pets --openapi pets.json").output();
    assert!(made.unwrap().status.success());
    home.write(
        "list.py",
        "return len([pets.list_pets() for _ in range(20)])",
    );
    let run = |words: &str| {
        let words = format!("run --domain ./pets --policy policy.toml {words}");
        let ran = home.ready(&words).output().unwrap();
        home.seen(&ran)
    };
    let stopped = run("list.py");
    let why = "the program was stopped before it costs more: it has sent 3 requests";
    assert!(stopped.contains(why), "{stopped}");
    let whole = run("--expensive list.py");
    assert!(whole.contains("result     20"), "{whole}");

    // What was written before the question stays, and is told.
    let writes = "pets.list_pets()\npets.add_pet(name='Rex')\n\
                  return len([pets.list_pets() for _ in range(20)])";
    for (answer, reply, said) in [
        ("yes", "Done.", "result   20"),
        (
            "no",
            "I stopped.",
            "TooCostly: The program has made 1 write, and",
        ),
    ] {
        let model = model(&[&goal(1, "final", writes), reply]).await;
        home.write("script.txt", &format!("count\nyes\n{answer}\n"));
        let words =
            "chat --domain ./pets --policy policy.toml --model openai:fake --script script.txt";
        let mut command = home.ready(words);
        command.args(["--base-url", &model.base_url()]);
        let ran = command.output().unwrap();
        let seen = home.seen(&ran);
        let asked = "costs time and money: it has sent 3 requests";
        assert!(seen.contains(asked) && seen.contains(said), "{seen}");
    }
}
