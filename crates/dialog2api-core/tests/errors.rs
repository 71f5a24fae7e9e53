//! Failures on our side: whose they are, and what they say.
#![allow(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

use dialog2api_core::error::{Error, Interrupted};
use expect_test::expect;
use std::io;
use std::path::PathBuf;

fn gone() -> io::Error {
    io::Error::new(io::ErrorKind::NotFound, "not found")
}

#[test]
fn each_failure_says_whose_it_is() {
    let json = serde_json::from_str::<u8>("x").unwrap_err();
    let failures = [
        Error::usage("name a world"),
        Error::taken("the session is open elsewhere"),
        Error::no_folder("sessions", "XDG_STATE_HOME")(gone()),
        Error::file("cannot read", "a.toml")(gone()),
        Error::Content {
            path: PathBuf::from("a.toml"),
            problem: "line 2 has no value".to_owned(),
        },
        Error::world("no answer"),
        Error::model("the answer is no JSON"),
        Error::unanswered("the model server answers 503"),
        Error::prompt_too_long("the prompt is too long"),
        Error::sandbox("there is no memory"),
        Error::system("cannot start threads")(gone()),
        Error::bug("an output cannot be written as JSON")(json),
        Error::bug("a prompt template is broken")("syntax error"),
        Error::Interrupted(Box::new(Interrupted {
            error: Error::world("the connection was lost"),
            output: String::new(),
            calls: Vec::new(),
        })),
    ];
    let table: Vec<String> = failures.map(|it| format!("{}: {it}", it.kind())).into();
    expect![[r#"
        usage: name a world
        usage: the session is open elsewhere
        usage: cannot make the folder sessions: not found; set HOME or XDG_STATE_HOME to a folder that can be written to
        file: cannot read a.toml: not found
        file: a.toml: line 2 has no value
        world: no answer
        model: the answer is no JSON
        model: the model server answers 503
        model: the prompt is too long
        sandbox: the sandbox failed: there is no memory
        system: cannot start threads: not found
        bug: a defect of dialog2api: an output cannot be written as JSON: expected value at line 1 column 1
        bug: a defect of dialog2api: a prompt template is broken: syntax error
        world: the connection was lost"#]]
    .assert_eq(&table.join("\n"));
}

#[tokio::test]
async fn a_task_that_is_lost_panicked_or_was_ended() {
    let ended = tokio::spawn(std::future::pending::<()>());
    ended.abort();
    let panicked = tokio::spawn(async { panic!("at the end") });
    let mut kinds = Vec::new();
    for task in [ended, panicked] {
        kinds.push(Error::lost(task.await.unwrap_err()).kind().to_string());
    }
    assert_eq!(kinds, ["system", "bug"]);
}

#[test]
fn a_changed_text_keeps_its_kind() {
    let bug = Error::bug("a task panicked")("at secret-1");
    let hidden = bug.map_text(|text| text.replace("secret-1", "…"));
    assert_eq!(
        hidden.to_string(),
        "a defect of dialog2api: a task panicked: at …"
    );
    assert_eq!(hidden.kind().to_string(), "bug");
}
