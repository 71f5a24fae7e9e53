//! A connection to an MCP server.
//!
//! It uses `rmcp`, the official SDK, because the protocol has two variants: servers with a
//! session, which begins with `initialize`, and servers without one, which are asked
//! `server/discover`. The SDK supports both over both transports. It adds six small crates
//! and less than half a minute to a clean build.
//!
//! Tools and results are read as JSON (`tools`, `answer`) and not as the SDK's types, because
//! one malformed tool must not hide the others.

use super::http;
use super::lines;
use super::process::Process;
use super::server::{Address, Server};
use crate::domain::counted;
use crate::error::{Error, Result};
use rmcp::model::{
    CallToolRequest, CallToolRequestParams, ClientConfig, ClientRequest, ErrorData, Implementation,
    ListToolsRequest, PaginatedRequestParams, ProtocolVersion, ServerResult,
};
use rmcp::service::{
    ClientInitializeError, NotificationContext, PeerRequestOptions, RunningService, ServiceError,
};
use rmcp::transport::IntoTransport;
use rmcp::{ClientHandler, ClientLifecycleMode, RoleClient, serve_client_with_lifecycle};
use serde_json::{Map as JsonMap, Value as Json};
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::Mutex;

/// What is wrong with a server of the first version of the protocol.
const OLDER: &str = "it speaks the older transport HTTP+SSE (protocol 2024-11-05); put a bridge to it \
                     in its place, such as `domain new NAME --mcp -- mcp-proxy URL`";
/// The most pages of tools that are asked for.
const PAGES: usize = 100;
/// The factor by which a server that reports progress may take longer than a silent one.
const PROGRESS: u32 = 10;

/// A connection to an MCP server. Dropping it closes it, and kills the server if this
/// program has started it.
pub struct Client {
    service: RunningService<RoleClient, Listener>,
    process: Option<Mutex<Process>>,
    server: Server,
    /// Whether the server has said that its tools are others now.
    has_changed: Arc<AtomicBool>,
}

/// This program as a server sees it.
struct Listener {
    config: ClientConfig,
    has_changed: Arc<AtomicBool>,
}

impl ClientHandler for Listener {
    fn get_info(&self) -> ClientConfig {
        self.config.clone()
    }

    async fn on_tool_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.has_changed.store(true, Ordering::SeqCst);
    }
}

/// Why a call has no result.
#[derive(Debug)]
pub enum Failed {
    /// The server refused the request: the code and the message of the protocol.
    Refused(i32, String),
    /// The connection is lost, and it is unknown whether the call was carried out.
    Lost(String),
    /// The server did not answer in time, and it is unknown whether the call was carried out.
    Late(String),
}

impl Client {
    /// Connects to a server, and starts it if it is a command.
    ///
    /// ```no_run
    /// # async fn example() -> dialog2api::Result<()> {
    /// use dialog2api::mcp::{Client, Server, Tools};
    ///
    /// let server = Server::command("npx", ["-y", "@modelcontextprotocol/server-everything"]);
    /// let client = Client::connect(&server).await?;
    /// let tools = Tools::list(&client).await?;
    /// assert!(tools.stub().contains("def echo("));
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// The server cannot be started or reached, does not answer in time, or speaks another
    /// protocol. The sentence contains the last lines that it wrote to standard error.
    pub async fn connect(server: &Server) -> Result<Client> {
        let connected = Client::connected(server).await;
        connected.map_err(|error| server.secrets().hide_error(error))
    }

    async fn connected(server: &Server) -> Result<Client> {
        let has_changed = Arc::new(AtomicBool::new(false));
        match &server.at {
            Address::Command(command) => {
                let (mut process, stdout, stdin) = Process::start(command, server)?;
                match greet(server, (lines::mended(stdout), stdin), &has_changed).await {
                    Ok(service) => Ok(Client {
                        service,
                        process: Some(Mutex::new(process)),
                        server: server.clone(),
                        has_changed,
                    }),
                    Err((problem, is_gone)) => {
                        let words = process.last_words(is_gone).await;
                        Err(failed(server, &problem, &words))
                    }
                }
            }
            Address::Url(url) => {
                let transport = http::transport(url, server)?;
                let service = match greet(server, transport, &has_changed).await {
                    Ok(service) => service,
                    Err(_) if http::is_older(url, server).await => {
                        return Err(failed(server, OLDER, ""));
                    }
                    Err((problem, _)) => return Err(failed(server, &problem, "")),
                };
                Ok(Client {
                    service,
                    process: None,
                    server: server.clone(),
                    has_changed,
                })
            }
        }
    }

    /// The server.
    pub fn server(&self) -> &Server {
        &self.server
    }

    /// What the server calls itself, if it says so.
    pub(super) fn name(&self) -> Option<String> {
        let info = self.service.peer_info()?.server_info.clone()?;
        let name = self.server.secrets().hide(&info.name).into_owned();
        (!name.is_empty()).then_some(name)
    }

    /// Whether the connection is known to be lost.
    pub fn is_closed(&self) -> bool {
        self.service.is_closed() || self.service.is_transport_closed()
    }

    /// Whether the server has said since the last time that its tools are others now.
    pub(super) fn take_changed(&self) -> bool {
        self.has_changed.swap(false, Ordering::SeqCst)
    }

    /// The tools as the server describes them, all pages of them. A secret that a description
    /// repeats is hidden.
    ///
    /// # Errors
    /// The server does not answer, or not with a list.
    pub async fn tools(&self) -> Result<Vec<Json>> {
        let mut pages: Vec<Vec<Json>> = Vec::new();
        let mut cursor: Option<String> = None;
        let mut sent = HashSet::new();
        for _ in 0..PAGES {
            let page = PaginatedRequestParams::default().with_cursor(cursor.take());
            let request = ListToolsRequest {
                params: Some(page),
                ..ListToolsRequest::default()
            };
            let answer = self.ask(ClientRequest::ListToolsRequest(request)).await;
            let mut answer = answer.map_err(|failed| self.error("list its tools", failed))?;
            match answer.get_mut("tools").map(Json::take) {
                // A server that does not know its cursor gives the same page again.
                Some(Json::Array(page)) if pages.contains(&page) => {}
                Some(Json::Array(page)) => pages.push(page),
                _ => {
                    return Err(Error::world(format!(
                        "the MCP server `{}` answered tools/list without a list of tools",
                        self.server
                    )));
                }
            }
            match answer.get("nextCursor").and_then(Json::as_str) {
                // An empty cursor is one as well. One that was sent before leads nowhere.
                Some(next) if sent.insert(next.to_owned()) => cursor = Some(next.to_owned()),
                _ => {
                    let secrets = self.server.secrets();
                    let tools = pages.into_iter().flatten().map(lines::whole_tool);
                    return Ok(tools.map(|it| secrets.hide_json(it)).collect());
                }
            }
        }
        Err(Error::world(format!(
            "the MCP server `{}` has more than {PAGES} pages of tools",
            self.server
        )))
    }

    /// Calls a tool by its name on the wire; returns the result as the server sent it.
    ///
    /// # Errors
    /// There is no result.
    pub async fn call(&self, tool: &str, arguments: JsonMap<String, Json>) -> Result<Json, Failed> {
        let params = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
        let request = CallToolRequest::new(params);
        self.ask(ClientRequest::CallToolRequest(request)).await
    }

    /// Closes the connection. A server that this program has started gets a moment to end by
    /// itself.
    pub async fn close(mut self) {
        let _ = self.service.close().await;
        if let Some(process) = self.process.take() {
            process.into_inner().end().await;
        }
    }

    async fn ask(&self, request: ClientRequest) -> Result<Json, Failed> {
        let mut options = PeerRequestOptions::with_timeout(self.server.answer_within);
        options.reset_timeout_on_progress = true;
        options.max_total_timeout = Some(self.server.answer_within.saturating_mul(PROGRESS));
        let handle = self.service.send_request_with_option(request, options);
        let answer = match handle.await {
            Ok(handle) => handle.await_response().await,
            Err(error) => Err(error),
        };
        match answer {
            Ok(result) => json(&result),
            Err(ServiceError::McpError(ErrorData { code, message, .. })) => {
                Err(Failed::Refused(code.0, message.into_owned()))
            }
            Err(ServiceError::Timeout { .. }) => {
                let within = counted(self.server.answer_within.as_secs_f64(), "second");
                Err(Failed::Late(format!("did not answer within {within}")))
            }
            Err(error) => Err(Failed::Lost(self.lost(&error).await)),
        }
    }

    async fn lost(&self, error: &ServiceError) -> String {
        match (&self.process, error) {
            (Some(process), ServiceError::TransportClosed | ServiceError::TransportSend(_)) => {
                let words = process.lock().await.last_words(true).await;
                format!("closed the connection{words}")
            }
            (_, ServiceError::TransportSend(error)) => {
                format!("cannot be reached: {}", http::cause(&*error.error))
            }
            (_, ServiceError::TransportClosed) => "closed the connection".to_owned(),
            (_, error) => format!("did not answer as it should: {}", http::cause(error)),
        }
    }

    /// An [`Error`] that names the server, the attempt and the failure.
    pub(super) fn error(&self, tried: &str, failed: Failed) -> Error {
        let server = &self.server;
        server.secrets().hide_error(Error::world(match failed {
            Failed::Refused(code, message) => {
                format!("the MCP server `{server}` refused to {tried}: {message} (code {code})")
            }
            Failed::Lost(what) | Failed::Late(what) => {
                format!("the MCP server `{server}`, asked to {tried}, {what}")
            }
        }))
    }
}

/// The JSON of a result.
fn json(result: &ServerResult) -> Result<Json, Failed> {
    let json = serde_json::to_value(result);
    json.map_err(|error| Failed::Lost(format!("sent what cannot be read: {error}")))
}

/// Introduces this program to a server. The error is a clause, and whether the server went
/// away by itself.
async fn greet<T, E, A>(
    server: &Server,
    transport: T,
    has_changed: &Arc<AtomicBool>,
) -> Result<RunningService<RoleClient, Listener>, (String, bool)>
where
    T: IntoTransport<RoleClient, E, A>,
    E: std::error::Error + Send + Sync + 'static,
{
    let us = Implementation::new(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));
    // No capabilities: the server cannot ask a model or a user through this program.
    let config = ClientConfig::new(Default::default(), us);
    let lifecycle = ClientLifecycleMode::Auto {
        preferred_versions: vec![ProtocolVersion::LATEST],
        legacy_version: Some(ProtocolVersion::LATEST_WITH_INITIALIZE),
    };
    let listener = Listener {
        config,
        has_changed: has_changed.clone(),
    };
    let greeting = serve_client_with_lifecycle(listener, transport, lifecycle);
    match tokio::time::timeout(server.start_within, greeting).await {
        Ok(Ok(service)) => Ok(service),
        Ok(Err(error)) => Err(refused_greeting(&error, server)),
        Err(_) => {
            let within = counted(server.start_within.as_secs_f64(), "second");
            Err((format!("it did not answer within {within}"), false))
        }
    }
}

fn refused_greeting(error: &ClientInitializeError, server: &Server) -> (String, bool) {
    use ClientInitializeError as Greeting;
    let closed = || ("it closed the connection".to_owned(), true);
    match error {
        Greeting::ConnectionClosed(_) => closed(),
        Greeting::TransportError { error, .. } => match &server.at {
            // A pipe that breaks is a server that went away.
            Address::Command(_) => closed(),
            Address::Url(_) => (http::cause(&*error.error), false),
        },
        Greeting::JsonRpcError(error) => {
            let problem = format!(
                "it refused the greeting: {} ({})",
                error.message, error.code.0
            );
            (problem, false)
        }
        Greeting::LegacyFallbackFailed { fallback, .. } => refused_greeting(fallback, server),
        Greeting::ExpectedInitResponse(_) | Greeting::ExpectedInitResult(_) => {
            let problem = "it answered the greeting with something else; is it an MCP server?";
            (problem.to_owned(), false)
        }
        error => (http::cause(error), false),
    }
}

fn failed(server: &Server, problem: &str, last_words: &str) -> Error {
    Error::world(format!(
        "cannot connect to the MCP server `{server}`: {problem}{last_words}"
    ))
}
