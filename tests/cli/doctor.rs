//! `dialog2api doctor` and `prepare`.

use crate::cli::support::Home;
use crate::local::machine::{Machine, NOWHERE};
use crate::support::scripted_http::{Server, nobody, response};
use crate::support::tools::needs;
use expect_test::expect;

const MODELS: &str = r#"{"object": "list", "data": [{"id": "qwen"}, {"id": "phi"}]}"#;

async fn server(head: &str, body: &str) -> Server {
    Server::start(vec![response(head, body)]).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_server_that_is_there_makes_chat_possible() {
    let home = Home::new();
    let server = server("200 OK", MODELS).await;
    let mut command = home.ready("doctor --model openai:qwen --json");
    command.env("OPENAI_BASE_URL", server.base_url());
    command.env("OPENAI_API_KEY", "sk-very-secret");
    let output = command.output().expect("it starts");
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(!text.contains("very-secret"));
    let json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(json["ready"], true);
    let states: Vec<String> = (json["checks"].as_array().expect("checks").iter())
        .map(|check| format!("{} {}", check["name"], check["state"]).replace('"', ""))
        .collect();
    assert_eq!(states, ["sandbox ok", "cache ok", "model ok", "S3 note"]);
    let asked = server.requests();
    assert!(asked[0].starts_with("GET /v1/models "), "{asked:?}");
    assert!(asked[0].contains("Bearer sk-very-secret"), "{asked:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_name_that_the_server_does_not_know_is_pointed_out() {
    let home = Home::new();
    let server = server("200 OK", MODELS).await;
    let mut command = home.command("doctor --model openai:llama --json");
    command.args(["--base-url", &server.base_url()]);
    let output = command.output().expect("it starts");
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let check = &json["checks"][2];
    assert_eq!(check["state"], "note");
    let mend = check["mend"].as_str().expect("a way out");
    assert!(mend.ends_with("with one of: qwen, phi"), "{mend}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_refused_key_is_no_model() {
    let home = Home::new();
    let server = server("401 Unauthorized", "{}").await;
    let mut command = home.command("doctor --model openai:qwen --json");
    command.args(["--base-url", &server.base_url()]);
    let output = command.output().expect("it starts");
    assert_eq!(output.status.code(), Some(1));
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let found = json["checks"][2]["found"].as_str().expect("a sentence");
    assert!(found.ends_with("wants a key (401)"), "{found}");
}

#[test]
fn what_is_missing_is_named_with_the_command_that_mends_it() {
    let home = Home::new();
    let mut command = home.command("doctor");
    command.env("DIALOG2API_LOCAL_PORTS", NOWHERE);
    command.env("DIALOG2API_CACHE_DIR", home.path("cache"));
    home.check(command, "", expect![[r#"
        – sandbox  not prepared yet; the first program will wait about a minute for it
                   → dialog2api prepare
        ✓ cache    HOME/cache/sandbox, not made yet
        ✗ model    none is configured
                   → dialog2api chat finds one on this machine, or sets one up after a yes
        – S3       Amazon S3 in us-east-1: no usable credentials: no credentials found in chain; only --world s3 needs them

        `dialog2api chat` cannot run yet.
        -- exit 1 --
    "#]]);
    std::fs::create_dir_all(home.path("cache/sandbox")).expect("a folder");
    let mut command = home.command("doctor --model replay:nope.jsonl --world s3");
    command.env("DIALOG2API_CACHE_DIR", home.path("cache"));
    home.check(command, "", expect![[r#"
        – sandbox  not prepared yet; the first program will wait about a minute for it
                   → dialog2api prepare
        – cache    HOME/cache/sandbox is open to others, so what is in it is not trusted
                   → chmod 700 'HOME/cache/sandbox'
        ✗ model    cannot read the recording nope.jsonl: No such file or directory (os error 2) (from --model)
                   → name a recording made with `dialog2api chat --record FILE`
        ✗ S3       Amazon S3 in us-east-1: no usable credentials: no credentials found in chain
                   → set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or name a profile: --profile NAME

        `dialog2api chat` cannot run yet.
        -- exit 1 --
    "#]]);
}

/// The model's line and the last line of what `doctor` says.
fn of_model(machine: &Machine) -> (String, i32) {
    let output = machine.command("doctor", &[]).output().expect("it starts");
    let text = String::from_utf8(output.stdout).expect("text");
    let lines = text
        .lines()
        .filter(|line| line.contains(" model ") || line.contains("chat` can"));
    let lines: Vec<&str> = lines.collect();
    (lines.join("\n"), output.status.code().expect("an end"))
}

/// The first command of the README sets a model up, and names it in no file.
#[test]
fn what_a_chat_would_take_unasked_is_enough() {
    needs!(PYTHON);
    let (said, code) = of_model(&Machine::new());
    expect![[r#"
        ✓ model    none is configured; `chat --yes`, or a yes in a chat, takes local:qwen2.5-coder-1.5b, which is set up
        `dialog2api chat` can run."#]]
    .assert_eq(&said);
    assert_eq!(code, 0);
    // The server alone is no model.
    let (said, code) = of_model(&Machine::bare());
    assert!(
        said.ends_with("`dialog2api chat` cannot run yet."),
        "{said}"
    );
    assert_eq!(code, 1);
}

#[test]
fn a_kept_server_is_what_a_chat_would_take() {
    needs!(PYTHON);
    let machine = Machine::new();
    let serve = machine.command("model serve --quiet", &[]).output();
    assert!(serve.expect("it starts").status.success());
    let server = machine.running();
    let (said, code) = of_model(&machine);
    assert!(
        said.contains("takes local:qwen2.5-coder-1.5b, which runs at http"),
        "{said}"
    );
    assert_eq!(code, 0, "{said}");
    let stop = machine.command("model stop", &[]).output();
    assert!(stop.expect("it starts").status.success());
    server.ended();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_server_of_others_is_what_a_chat_would_take() {
    let models = r#"{"models": [{"name": "qwen2.5-coder:7b"}]}"#;
    let ollama = server("200 OK", models).await;
    let home = Home::new();
    let mut command = home.ready("doctor");
    let base_url = ollama.base_url();
    let port = base_url.split(':').nth(2).expect("a port");
    let port = port.split('/').next().expect("a port");
    command.env("DIALOG2API_LOCAL_PORTS", format!("{port},1,1"));
    let output = command.output().expect("it starts");
    let said = String::from_utf8(output.stdout).expect("text");
    assert!(
        said.contains("takes qwen2.5-coder:7b of Ollama, which runs at"),
        "{said}"
    );
    assert!(said.ends_with("`dialog2api chat` can run.\n"), "{said}");
}

#[tokio::test]
async fn a_server_that_is_not_there_is_said_within_seconds() {
    let home = Home::new();
    let (_socket, address) = nobody();
    let mut command = home.command("doctor --model openai:qwen --json");
    command.args(["--base-url", &format!("http://{address}/v1")]);
    let output = command.output().expect("it starts");
    assert_eq!(output.status.code(), Some(1));
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let found = json["checks"][2]["found"].as_str().expect("a sentence");
    assert!(found.contains("cannot be reached"), "{found}");
}

#[test]
fn prepare_says_where_the_sandbox_is() {
    let home = Home::new();
    home.check(
        home.ready("prepare"),
        "",
        expect![[r#"
        The sandbox of the domain s3 was prepared before; it is in CACHE/sandbox.
        -- exit 0 --
    "#]],
    );
    home.check(
        home.command("prepare --quiet"),
        "",
        expect![[r#"
        -- exit 0 --
    "#]],
    );
}
