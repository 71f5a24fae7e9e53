//! The server over HTTP, for several clients at once.

use super::{Era, MAKE, Person, Talk, lifecycle, masked};
use crate::cli::support::Home;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use rmcp::model::ElicitationAction;
use rmcp::serve_client_with_lifecycle;
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use serde_json::{Value as Json, json};
use std::io::{BufRead, BufReader};
use std::process::{Child, Output, Stdio};

/// A server that several clients come to.
pub struct Served {
    /// Until it is ended.
    server: Option<Child>,
    pub url: String,
    pub token: String,
}

impl Served {
    pub fn new(home: &Home, options: &str) -> Served {
        let mut command = home.ready(&format!("mcp --http --json {options}"));
        let mut server = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        let mut said = BufReader::new(server.stdout.take().unwrap());
        said.read_line(&mut line).unwrap();
        let line: Json = serde_json::from_str(&line).expect("a line of JSON");
        let text = |key: &str| line[key].as_str().unwrap().to_owned();
        Served {
            server: Some(server),
            url: text("url"),
            token: text("token"),
        }
    }

    async fn client(&self, person: &Person, era: Era) -> Talk {
        let config = StreamableHttpClientTransportConfig::with_uri(self.url.clone());
        let config = config.auth_header(self.token.clone());
        let _ = rustls::crypto::ring::default_provider().install_default();
        let transport = StreamableHttpClientTransport::with_client(reqwest::Client::new(), config);
        let client = serve_client_with_lifecycle(person.clone(), transport, lifecycle(era));
        Talk {
            client: client.await.unwrap(),
            _server: None,
        }
    }

    /// Calls `apply` by a request of its own, with more parameters.
    async fn apply(&self, plan: &str, more: Json) -> reqwest::Response {
        let mut params = json!({"name": "apply", "arguments": {"plan_id": plan}, "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": {"name": "tests", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}},
        }});
        for (name, value) in more.as_object().unwrap() {
            params[name] = value.clone();
        }
        let request = reqwest::Client::new().post(&self.url);
        let request = request
            .bearer_auth(&self.token)
            .header("accept", "application/json, text/event-stream")
            .header("mcp-protocol-version", "2026-07-28")
            .header("mcp-method", "tools/call")
            .header("mcp-name", "apply");
        let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
        request.json(&call).send().await.unwrap()
    }

    /// Ctrl-C, and how it ended.
    pub fn end(mut self) -> Output {
        let server = self.server.take().unwrap();
        let process = Pid::from_raw(server.id().try_into().unwrap());
        kill(process, Signal::SIGINT).unwrap();
        server.wait_with_output().unwrap()
    }
}

/// A test that fails leaves none behind.
impl Drop for Served {
    fn drop(&mut self) {
        if let Some(server) = &mut self.server {
            let _ = server.kill();
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_plan_is_agreed_to_applied_and_taken_back_in_both_eras() {
    let home = Home::new();
    let served = Served::new(&home, "--world empty");
    let person = Person::who(ElicitationAction::Accept);
    for era in [Era::Handshake, Era::Stateless] {
        let talk = served.client(&person, era).await;
        let plan = talk.plan(MAKE).await;
        let applied = talk.text("apply", json!({"plan_id": plan})).await;
        assert!(applied.starts_with("result: \"made\""), "{applied}");
        assert!(person.asked().contains("+ attic/"));
        let again = talk.text("apply", json!({"plan_id": plan})).await;
        assert_eq!(masked(&again), masked(&applied));
        assert_eq!(person.asked(), "", "nobody is asked twice");
        assert_eq!(talk.buckets().await, r#"["attic"]"#);
        let undo = talk.call("undo", json!({"session": "trip"})).await;
        let undo = undo.structured_content.unwrap();
        let undone = talk
            .text("apply", json!({"plan_id": undo["plan_id"]}))
            .await;
        assert!(undone.starts_with("Undone."), "{undone}");
        assert_eq!(talk.buckets().await, "[]");
        let _ = person.asked();
    }
    assert!(served.end().status.success());
}

/// A client that waits for its person does not keep another one, nor the end.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn clients_have_sessions_of_their_own_and_ctrl_c_ends_all() {
    let home = Home::new();
    let served = Served::new(&home, "--world empty");
    let nobody = Person::default();
    let (one, other) = (
        served.client(&nobody, Era::Handshake).await,
        served.client(&nobody, Era::Handshake).await,
    );
    let session = async |talk: &Talk| {
        let ran = talk.call("run", json!({"program": "return 1"})).await;
        ran.structured_content.unwrap()["session"].to_string()
    };
    let own = session(&one).await;
    assert_eq!(session(&one).await, own);
    assert_ne!(session(&other).await, own);
    let plan = one.plan(MAKE).await;
    // Who has the name of the plan can look at it, and cannot agree to it either.
    let waits = other.text("apply", json!({"plan_id": plan})).await;
    assert!(waits.contains("dialog2api plan approve"), "{waits}");
    assert!(served.end().status.success());
}

/// A person who agrees, and a connection that breaks with the answer unread.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_apply_whose_answer_was_lost_gives_its_outcome_again_once() {
    let home = Home::new();
    let served = Served::new(&home, "--world empty");
    let talk = served.client(&Person::default(), Era::Stateless).await;
    let plan = talk.plan(MAKE).await;
    let asked = served.apply(&plan, json!({})).await.text().await.unwrap();
    let data = asked.lines().find_map(|line| line.strip_prefix("data: {"));
    let asked: Json = serde_json::from_str(&format!("{{{}", data.expect("an event"))).unwrap();
    let answer = json!({
        "requestState": asked["result"]["requestState"],
        "inputResponses": {"consent": {"action": "accept"}},
    });
    // The head of the answer, and nothing of its body.
    drop(served.apply(&plan, answer).await);
    let again = talk.text("apply", json!({"plan_id": plan})).await;
    assert!(again.starts_with("result: \"made\""), "{again}");
    assert_eq!(talk.buckets().await, r#"["attic"]"#);
    assert!(served.end().status.success());
}
