//! This program as a server of the Model Context Protocol: the real program over its standard
//! streams or HTTP, and the official SDK as its client.
//!
//! - `plans`: what runs at once, what waits, and what its answers do
//! - `consent`: who can agree, and who cannot
//! - `wire`: what is on the streams, whatever comes
//! - `over_http`: several clients at once, and a connection that breaks
//! - `address`: strangers, and how clients learn the address
//! - `app`: the plan as a view in the window of a client
//! - `told`: notes on the world, and links, which no model reads
//! - `progress`: what is told while the sandbox is prepared
//! - `replay`: a recorded dialogue, run again
//! - `schemas`: that answers are as their tools say, and that their text leaves nothing out
//! - `reference`: the reference clients in Python
//! - `conformance`: the conformance suite of the protocol

mod address;
mod app;
mod conformance;
mod consent;
mod over_http;
mod plans;
mod progress;
mod reference;
mod replay;
mod schemas;
mod told;
mod wire;

use crate::cli::support::Home;
use rmcp::model::{
    CallToolRequestParams, CallToolResult, ClientCapabilities, ClientConfig, ElicitRequestParams,
    ElicitResult, ElicitationAction, ExtensionCapabilities, Implementation, JsonObject,
    ProgressNotificationParam, ProtocolVersion,
};
use rmcp::service::{NotificationContext, RequestContext, RunningService};
use rmcp::{
    ClientHandler, ClientLifecycleMode, ErrorData, RoleClient, serve_client_with_lifecycle,
};
use serde_json::Value as Json;
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use tokio::process::Child;

/// The person behind a client, and the client.
#[derive(Clone, Default)]
struct Person {
    /// What they answer to every form; `None` where the client has no forms.
    answer: Option<ElicitationAction>,
    /// The questions so far, and what the client was told of progress.
    asked: Arc<Mutex<Vec<String>>>,
    /// Whether the client shows views.
    has_view: bool,
}

impl Person {
    fn who(answer: ElicitationAction) -> Person {
        Person {
            answer: Some(answer),
            ..Person::default()
        }
    }

    /// The questions since this was asked last.
    fn asked(&self) -> String {
        std::mem::take(&mut *self.asked.lock().unwrap()).join("----\n")
    }
}

impl ClientHandler for Person {
    fn get_info(&self) -> ClientConfig {
        let mut capabilities = match self.answer {
            Some(_) => ClientCapabilities::builder().enable_elicitation().build(),
            None => ClientCapabilities::default(),
        };
        if self.has_view {
            let view = (
                "io.modelcontextprotocol/ui".to_owned(),
                JsonObject::default(),
            );
            capabilities.extensions = Some(ExtensionCapabilities::from([view]));
        }
        ClientConfig::new(capabilities, Implementation::new("tests", "1"))
    }

    async fn on_progress(
        &self,
        told: ProgressNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        let told = told.message.unwrap_or_default();
        self.asked.lock().unwrap().push(told);
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        if let ElicitRequestParams::FormElicitationParams { message, .. } = request {
            self.asked.lock().unwrap().push(message);
        }
        let answer = self.answer.clone();
        Ok(ElicitResult::new(
            answer.unwrap_or(ElicitationAction::Decline),
        ))
    }
}

/// Which protocol a client speaks.
#[derive(Clone, Copy, PartialEq)]
enum Era {
    /// Before 2026-07-28: with a handshake.
    Handshake,
    /// Since then: each request stands alone.
    Stateless,
}

/// How a client of an era begins.
fn lifecycle(era: Era) -> ClientLifecycleMode {
    match era {
        Era::Handshake => ClientLifecycleMode::Initialize,
        Era::Stateless => ClientLifecycleMode::Discover {
            preferred_versions: vec![ProtocolVersion::V_2026_07_28],
        },
    }
}

/// A client with its server.
struct Talk {
    client: RunningService<RoleClient, Person>,
    /// Where the client started it.
    _server: Option<Child>,
}

impl Talk {
    async fn open(home: &Home, options: &str, person: &Person, era: Era) -> Talk {
        Talk::start(home.ready(&format!("mcp {options}")), person, era).await
    }

    /// The same with a command that starts the server.
    async fn start(command: std::process::Command, person: &Person, era: Era) -> Talk {
        let mut command = tokio::process::Command::from(command);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut server = command.kill_on_drop(true).spawn().unwrap();
        let streams = (server.stdout.take().unwrap(), server.stdin.take().unwrap());
        let client = serve_client_with_lifecycle(person.clone(), streams, lifecycle(era));
        Talk {
            client: client.await.unwrap(),
            _server: Some(server),
        }
    }

    async fn call(&self, tool: &str, arguments: Json) -> CallToolResult {
        let Json::Object(arguments) = arguments else {
            panic!("arguments are an object")
        };
        let request = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
        self.client.call_tool(request).await.unwrap()
    }

    /// What a model reads of a call, behind a mark of failure where it failed.
    async fn text(&self, tool: &str, arguments: Json) -> String {
        let result = self.call(tool, arguments).await;
        let text = result.content.first().and_then(|it| it.as_text());
        let text = text.map(|it| it.text.clone()).unwrap_or_default();
        match result.is_error {
            Some(true) => format!("FAILED\n{text}"),
            _ => text,
        }
    }

    /// The name of the plan that a program waits with.
    async fn plan(&self, program: &str) -> String {
        let arguments = serde_json::json!({"program": program, "session": "trip"});
        let result = self.call("run", arguments).await;
        let json = result.structured_content.unwrap();
        assert_eq!(json["status"], "waiting", "{json}");
        json["plan_id"].as_str().unwrap().to_owned()
    }

    /// The buckets that programs see.
    async fn buckets(&self) -> String {
        let program = "return [b['Name'] for b in s3.list_buckets()['Buckets']]";
        let arguments = serde_json::json!({"program": program, "session": "trip"});
        let result = self.call("run", arguments).await;
        result.structured_content.unwrap()["result"].to_string()
    }

    async fn close(self) {
        let _ = self.client.cancel().await;
        if let Some(mut server) = self._server {
            server.wait().await.unwrap();
        }
    }
}

/// A text with the digits of plans replaced.
fn masked(text: &str) -> String {
    let mut masked = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("trip:") {
        masked.push_str(before);
        masked.push_str("trip:…");
        rest = after.trim_start_matches(|c: char| c.is_ascii_hexdigit());
    }
    masked + rest
}

const MAKE: &str = "s3.create_bucket(Bucket='attic')\nreturn 'made'";
