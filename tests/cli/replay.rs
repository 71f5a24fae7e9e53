//! `dialog2api replay`.

use crate::cli::support::Home;
use crate::support::command::kill;
use dialog2api::domain::s3::clock::Clock;
use dialog2api::domain::s3::memory::Store;
use dialog2api::domain::s3::serve::{S3Server, Service, listen};
use dialog2api::domain::s3::{AccessKey, Memory};
use expect_test::{Expect, expect};
use rexpect::session::spawn_command;
use std::net::{Ipv4Addr, SocketAddr};
use std::process::{Command, Stdio};
use std::sync::Arc;

const BURN: &str = include_str!("replay/burn.xml");
const DESK: &str = include_str!("replay/desk.toml");

/// A dialogue of one turn, with the outcome of another program.
const SHORT: &str = r#"<conversation uid="short" world="desk">
<turns>
<turn>User: I need one more drawer</turn>
<goal uid="1" status="final">
<program>
s3.create_bucket(Bucket="drawer-new")
</program>
<result>7</result>
<error/>
<signature>00000000</signature>
</goal>
</turns>
</conversation>
"#;

/// A dataset with this dialogue as it was recorded, and the others.
pub fn dataset(others: &[(&str, String)]) -> Home {
    let home = Home::new();
    for folder in ["data/train", "data/test", "data/worlds"] {
        std::fs::create_dir_all(home.path(folder)).expect("a folder");
    }
    home.write("data/worlds/desk.toml", DESK);
    home.write("data/train/burn.xml", BURN);
    for (name, text) in others {
        home.write(&format!("data/{name}"), text);
    }
    home
}

fn check(home: &Home, words: &str, expected: Expect) {
    home.check(home.ready(&format!("replay {words}")), "", expected);
}

/// The dialogue with something else in it.
fn burn(what: &str, instead: &str) -> String {
    assert!(BURN.contains(what), "{what}");
    BURN.replace(what, instead)
}

#[test]
fn a_dialogue_is_shown_turn_by_turn() {
    let home = dataset(&[]);
    check(
        &home,
        "data/train/burn.xml",
        expect![[r#"
        data/train/burn.xml
        goal       burn-a-letter
        world      desk
        signature  4f1d7dfd  as recorded

        Agent: How can I help you?

        User: burn the letter to bob, it's in drawer-top

          goal 1  drafting
          │ s3.delete_object(Bucket="drawer-top", Key="letters/bob.txt")

          signature  4f1d7dfd

        Agent: Can you confirm that you want to delete "letters/bob.txt" from "drawer-top"?

        User: yep. And what is left in there?

          goal 1  final · TIME
          │ s3.delete_object(Bucket="drawer-top", Key="letters/bob.txt")
          result   null

          goal 2  final · TIME
          │ objects = s3.list_objects(Bucket="drawer-top").get("Contents", [])
          │ return [obj["Key"] for obj in objects]
          result   ["letters/anna.txt", "pencil"]

          world    - drawer-top/letters/bob.txt (8 bytes)

          signature  3c9a4636  as recorded

        Agent: The letter is gone. Here are your objects:
        - letters/anna.txt
        - pencil

        User: now read me the one to carl

          goal 3  final · TIME
          │ return s3.get_object(Bucket="drawer-top", Key="letters/carl.txt")["Body"].read().decode()
          error    NoSuchKey: An error occurred (NoSuchKey) when calling the GetObject operation: The specified key does not exist.

          signature  1ca6ea04  as recorded

        Agent: Sorry, the object "letters/carl.txt" does not exist.

        User: bye

          goal 4  final · TIME
          │ raise EndDialog()
          error    EndDialog

          signature  119dd8e5  as recorded

        Agent: Goodbye!

        1 dialogue, 4 programs, all match, TIME
        -- exit 0 --
    "#]],
    );
}

#[test]
fn what_differs_is_shown_where_it_does() {
    let home = dataset(&[
        ("test/a-other.xml", SHORT.to_owned()),
        ("test/b-rules.xml", SHORT.replace("final", "abandoned")),
    ]);
    check(
        &home,
        "data/test",
        expect![[r#"
            data/test/a-other.xml
            world      desk
            signature  4f1d7dfd

            User: I need one more drawer

              goal 1  final · TIME
              │ s3.create_bucket(Bucket="drawer-new")
              result   null

              world    + drawer-new/

              signature  0f5a0e24  recorded is 00000000
              turn 1, goal 1: expected result 7 with signature 00000000, got result null with signature 0f5a0e24

            data/test/b-rules.xml
            world      desk
            signature  4f1d7dfd

            User: I need one more drawer

              turn 1: goal 1 is not on the stack, so it can not be abandoned; a goal starts as "drafting" or "final"
              The replay of this dialogue ends here.

            2 dialogues, 1 program, 2 differ, TIME
            -- exit 3 --
        "#]],
    );
}

#[test]
fn quiet_has_a_line_for_each_dialogue_that_differs() {
    let gone = "The specified key does not exist.";
    let home = dataset(&[
        ("test/a-result.xml", burn(r#", "pencil"]"#, "]")),
        ("test/b-signature.xml", burn("1ca6ea04", "00000000")),
        ("test/c-world.xml", burn("4f1d7dfd", "00000000")),
        (
            "test/d-nothing.xml",
            burn("<signature>119dd8e5</signature>\n", ""),
        ),
        ("test/e-code.xml", burn("\"NoSuchKey\"", "\"NoSuchBucket\"")),
        (
            "test/f-draft.xml",
            burn(
                "</program>\n</goal>\n<turn>Agent: Can",
                "</program>\n<result>7</result>\n<error/>\n</goal>\n<turn>Agent: Can",
            ),
        ),
        (
            "test/g-rules.xml",
            burn("<goal uid=\"3\"", "<goal uid=\"2\""),
        ),
        ("test/h-message.xml", burn(gone, "Gone.")),
        ("test/j-all.xml", SHORT.to_owned()),
        ("test/i-text.xml", burn(r#""pencil"]"#, r#""pen\u0063il"]"#)),
    ]);
    check(
        &home,
        "--quiet data",
        expect![[r#"
            data/test/a-result.xml: turn 2, goal 2: expected result ["letters/anna.txt"], got result ["letters/anna.txt","pencil"]; the signature 3c9a4636 is the same
            data/test/b-signature.xml: turn 3, goal 3: expected signature 00000000, got 1ca6ea04; error NoSuchKey (An error occurred (NoSuchKey) when calling the GetObject operation: The specified key does not exist.) is the same
            data/test/c-world.xml: before the first turn: expected a world with signature 00000000, got one with 4f1d7dfd
            data/test/d-nothing.xml: turn 4, goal 4: nothing is recorded to compare with, got error EndDialog with signature 119dd8e5; `dialog2api dataset annotate` records it
            data/test/e-code.xml: turn 3, goal 3: expected error NoSuchBucket (An error occurred (NoSuchKey) when calling the GetObject operation: The specified key does not exist.), got error NoSuchKey (An error occurred (NoSuchKey) when calling the GetObject operation: The specified key does not exist.); the signature 1ca6ea04 is the same
            data/test/f-draft.xml: turn 1, goal 1: an outcome is recorded, and no program ran
            data/test/g-rules.xml: turn 3: goal 2 is final and can not change any more; for a new wish start a new goal, such as uid="3"
            data/test/h-message.xml: turn 3, goal 3: the same error with another message: expected "An error occurred (NoSuchKey) when calling the GetObject operation: Gone.", got "An error occurred (NoSuchKey) when calling the GetObject operation: The specified key does not exist."
            data/test/j-all.xml: turn 1, goal 1: expected result 7 with signature 00000000, got result null with signature 0f5a0e24
            11 dialogues, 39 programs, 8 differ, 1 with another message, TIME
            -- exit 3 --
        "#]],
    );
}

#[test]
fn what_cannot_be_replayed_is_said_and_the_others_are() {
    let home = dataset(&[
        ("test/a-torn.xml", BURN.replace("</turns>", "")),
        ("test/b-nowhere.xml", burn("\"desk\"", "\"attic\"")),
        ("test/c-path.xml", burn("\"desk\"", "\"../worlds/desk\"")),
        ("test/d-no-world.xml", burn(" world=\"desk\"", "")),
        ("worlds/shelf.toml", "shelves = 3".to_owned()),
        ("test/e-shelf.xml", burn("\"desk\"", "\"shelf\"")),
    ]);
    check(
        &home,
        "--quiet data missing.xml data/train",
        expect![[r#"
            1 dialogue, 4 programs, 6 could not be replayed, TIME
            -- stderr --
            error: data/test/a-torn.xml: line 53, column 1: expected <turn>, <goal> or </turns>, found `</conversation>`
            error: cannot read missing.xml: No such file or directory (os error 2)
            error: data/test/b-nowhere.xml: starts from a world "attic", and there is none of that name: neither in data/worlds nor with the program (`dialog2api world list` names those)
            error: data/test/c-path.xml: starts from a world "../worlds/desk", and there is none of that name: neither in data/worlds nor with the program (`dialog2api world list` names those)
            error: data/test/d-no-world.xml: names no world to start from: write <conversation uid="…" world="NAME">
            error: data/worlds/shelf.toml: line 1, column 1: unknown field `shelves`, expected one of `description`, `region`, `clock`, `filler`, `bucket`
            -- exit 1 --
        "#]],
    );
    check(
        &home,
        "--quiet data/worlds",
        expect![[r#"
        0 dialogues, 0 programs, 1 could not be replayed, TIME
        -- stderr --
        error: data/worlds: expected a folder with dialogues (*.xml), and has none
        -- exit 1 --
    "#]],
    );
}

#[test]
fn another_world_can_be_given() {
    let home = dataset(&[]);
    check(
        &home,
        "--quiet data --world data/worlds/desk.toml",
        expect![[r#"
            1 dialogue, 4 programs, all match, TIME
            -- exit 0 --
        "#]],
    );
    check(
        &home,
        "--quiet data --world empty",
        expect![[r#"
            data/train/burn.xml: before the first turn: expected a world with signature 4f1d7dfd, got one with e3b0c442
            1 dialogue, 4 programs, 1 differ, TIME
            -- exit 3 --
        "#]],
    );
}

#[test]
fn json_is_one_line_for_each_dialogue() {
    let home = dataset(&[
        ("train/burn.xml", SHORT.to_owned()),
        ("test/rules.xml", SHORT.replace("final", "abandoned")),
        ("test/nowhere.xml", SHORT.replace("desk", "attic")),
    ]);
    check(
        &home,
        "--json data",
        expect![[r#"
        {"path":"data/test/nowhere.xml","uid":"short","world":"attic","matches":false,"error":"data/test/nowhere.xml: starts from a world \"attic\", and there is none of that name: neither in data/worlds nor with the program (`dialog2api world list` names those)"}
        {"path":"data/test/rules.xml","uid":"short","goal":null,"world":"desk","matches":false,"programs":0,"differences":["turn 1: goal 1 is not on the stack, so it can not be abandoned; a goal starts as \"drafting\" or \"final\""],"signature":"4f1d7dfd","recorded_signature":null,"turns":[]}
        {"path":"data/train/burn.xml","uid":"short","goal":null,"world":"desk","matches":false,"programs":1,"differences":["turn 1, goal 1: expected result 7 with signature 00000000, got result null with signature 0f5a0e24"],"signature":"4f1d7dfd","recorded_signature":null,"turns":[{"user":"I need one more drawer","goals":[{"uid":1,"status":"final","program":"s3.create_bucket(Bucket=\"drawer-new\")","now":{"result":null,"error":null,"signature":"0f5a0e24","calls":[{"operation":"create_bucket","error":null}],"output":""},"recorded":{"result":7,"error":null,"signature":"00000000"}}],"changes":[{"change":"bucket_created","bucket":"drawer-new","region":"us-east-1"}],"signature":"0f5a0e24","differences":["turn 1, goal 1: expected result 7 with signature 00000000, got result null with signature 0f5a0e24"],"response":null}]}
        -- exit 1 --
    "#]],
    );
}

#[test]
fn options_that_mean_nothing_are_refused() {
    let home = dataset(&[]);
    check(
        &home,
        "data --step",
        expect![[r#"
        -- stderr --
        error: --step waits for Enter, and there is no terminal: leave it out
        -- exit 2 --
    "#]],
    );
    check(
        &home,
        "data --step --quiet",
        expect![[r#"
        -- stderr --
        error: --step waits after each turn, and --quiet shows none: use one of them
        -- exit 2 --
    "#]],
    );
    check(
        &home,
        "data --endpoint-url http://127.0.0.1:1 --signature etag",
        expect![[r#"
            -- stderr --
            error: dialogues record signatures of contents, which --signature etag does not read: leave it out
            -- exit 2 --
        "#]],
    );
}

#[test]
fn step_waits_for_enter() {
    let home = dataset(&[]);
    let mut command = home.ready("replay --step data --color never");
    command.env("TERM", "xterm-256color");
    let mut terminal = spawn_command(command, Some(60_000)).expect("a terminal");
    let mut expect = |text: &str| match terminal.exp_string(text) {
        Ok(before) => before,
        Err(error) => panic!("waiting for {text:?}: {error}"),
    };
    expect("burn the letter to bob");
    let first = expect("Enter goes on, Ctrl-C ends.");
    assert!(!first.contains("yep."), "{first}");
    terminal.send_line("").expect("typing");
    let second = terminal
        .exp_string("Enter goes on")
        .expect("it waits again");
    assert!(second.contains("yep."), "{second}");
    assert!(!second.contains("bye"), "{second}");
    terminal.send_control('c').expect("typing");
    terminal.exp_eof().expect("it ends");
}

/// A server over an account in memory.
async fn serve() -> (S3Server, Arc<Memory>) {
    let start = "2024-01-01T00:00:00Z".parse().expect("a time");
    let world = Arc::new(Memory::new("test", Store::new(Clock::Steps(start))));
    let key = AccessKey {
        id: "AKIATEST".to_owned(),
        secret: "secret-of-the-test".to_owned(),
    };
    let service = Service::new(world.clone(), &key);
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    (listen(service, address).await.expect("a free port"), world)
}

/// The command against that server.
fn against(server: &S3Server, home: &Home, words: &str) -> Command {
    let mut command = home.ready(&format!("replay {words} --endpoint-url"));
    command.arg(server.endpoint());
    command.env("AWS_ACCESS_KEY_ID", "AKIATEST");
    command.env("AWS_SECRET_ACCESS_KEY", "secret-of-the-test");
    command
}

fn buckets(world: &Memory) -> Vec<String> {
    let state = world.snapshot().state;
    state.buckets().map(|(name, _)| name.to_owned()).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_is_borrowed_and_given_back_empty() {
    let home = dataset(&[
        ("test/a-signature.xml", burn("1ca6ea04", "00000000")),
        ("test/b-nowhere.xml", burn("\"desk\"", "\"attic\"")),
    ]);
    let (server, world) = serve().await;
    let command = against(&server, &home, "--quiet data");
    home.check(command, "", expect![[r#"
        data/test/a-signature.xml: turn 3, goal 3: expected signature 00000000, got 1ca6ea04; error NoSuchKey (An error occurred (NoSuchKey) when calling the GetObject operation: The specified key does not exist.) is the same
        2 dialogues, 8 programs, 1 differ, 1 could not be replayed, TIME
        -- stderr --
        error: data/test/b-nowhere.xml: starts from a world "attic", and there is none of that name: neither in data/worlds nor with the program (`dialog2api world list` names those)
        -- exit 1 --
    "#]]);
    assert_eq!(buckets(&world), [""; 0]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_holds_something_is_left_alone() {
    let home = dataset(&[]);
    let (server, world) = serve().await;
    let desk = dialog2api::domain::s3::world::memory(
        &home.path("data/worlds/desk.toml").to_string_lossy(),
    );
    world.restore(desk.expect("a world").snapshot());
    let command = against(&server, &home, "--quiet data");
    home.check(command, "", expect![[r#"
        -- stderr --
        error: S3 at http://127.0.0.1:PORT is not empty, it has drawer-low, drawer-top. A replay deletes all that is there when it ends, so it begins only on an account that holds nothing: use another one, or empty this one
        -- exit 2 --
    "#]]);
    let objects = world
        .snapshot()
        .state
        .bucket("drawer-top")
        .map(|b| b.objects.len());
    assert_eq!(objects, Some(3));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_replay_that_is_stopped_leaves_nothing_on_the_server() {
    let endless = "import time\nwhile True:\n    s3.list_buckets()";
    let home = dataset(&[("train/burn.xml", burn("raise EndDialog()", endless))]);
    let (server, world) = serve().await;
    let mut command = against(&server, &home, "data");
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    // What it shows says how far it is.
    let mut shown = std::io::BufReader::new(child.stdout.take().expect("its output"));
    let mut line = String::new();
    while !line.contains("letters/carl.txt") {
        line.clear();
        let read = std::io::BufRead::read_line(&mut shown, &mut line).expect("its output");
        assert!(read > 0, "it ended before the program that does not");
    }
    assert_eq!(buckets(&world), ["drawer-low", "drawer-top"]);
    kill("-INT", child.id());
    let output = child.wait_with_output().expect("it ends");
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert_eq!(complaint, "error: stopped before the end\n");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(buckets(&world), [""; 0]);
}

/// No dialogue starts from the state of a server that cannot be set.
#[test]
fn no_dialogue_is_replayed_on_an_api() {
    let home = Home::new();
    home.write(
        "api.json",
        r#"{"openapi": "3.0.3", "info": {"title": "Api", "version": "1"},
            "servers": [{"url": "http://127.0.0.1:9"}], "paths": {"/x": {"get": {"operationId": "x"}}}}"#,
    );
    let making = home.command("domain new api --openapi api.json").output();
    assert!(making.expect("it starts").status.success());
    home.check(
        home.command("replay --domain ./api api"),
        "",
        expect![[r#"
            -- stderr --
            error: Api at http://127.0.0.1:PORT is a server that cannot be copied: no dialogue is replayed there. A program on it is shown and confirmed write by write: dialog2api chat
            -- exit 2 --
        "#]],
    );
}
