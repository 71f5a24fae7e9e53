//! This program as a server of the Model Context Protocol, for agents that people already use:
//! they bring the model, and this is the box, the plan, the consent and the undo.
//!
//! A tool that runs a program is a turn of a [`Conversation`](crate::service::Conversation)
//! without a model. Plans, policy, journal and undo are those of every other front end. Here is
//! only what the protocol needs:
//!
//! - `open.rs` is one open session with the program that runs in it. A plan that waits for its
//!   answer is a turn that waits, and outlives the request that it came from.
//! - `sessions.rs` opens, closes and lists the sessions.
//! - `told.rs` is what was told of the world. A link is for the person, and no model reads it.
//! - `consent.rs` asks the person behind the client. Nothing that a model can send counts.
//! - `calls.rs` carries out the tools of `tools.rs`, whose arguments are in `arguments.rs`.
//!   `results` writes what came of it, `schemas.rs` says which fields that has, and `look.rs` what
//!   can be looked up.
//! - `replay.rs` runs a recorded dialogue again.
//! - `progress.rs` tells clients that wait for the sandbox.
//! - `resources.rs` is what can be read by its address.
//! - `app.rs` is the plan as a view in the client's window.
//! - `lines.rs` has a client on two streams, and `http.rs` several over HTTP.
//!
//! The server answers at once: worlds are opened and the sandbox is prepared when the first
//! program needs them, or before.

mod app;
mod arguments;
mod calls;
mod consent;
mod http;
mod lines;
mod look;
mod open;
mod progress;
mod replay;
mod resources;
mod results;
mod schemas;
mod sessions;
mod told;
mod tools;

use crate::agent::{Sandbox, Settings};
use crate::domain::{Domain, NamedWorld, SharedLink, WorldKind};
use crate::error::{Error, Result};
use crate::journal::SessionStore;
use crate::service::{PlanView, StoredSession};
use async_trait::async_trait;
use consent::Seal;
pub use http::PATH;
use lines::Lines;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CustomRequest, CustomResult, ErrorCode,
    Implementation, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult,
    PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse, ServerCapabilities,
    ServerConfig,
};
use rmcp::service::{RequestContext, ServerInitializeError};
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt};
use sessions::Sessions;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};

/// What a server needs of the program that starts it.
#[async_trait]
pub trait McpHost: Send + Sync {
    /// The sandbox, as soon as it is prepared.
    async fn sandbox(&self) -> Result<Arc<dyn Sandbox>>;

    /// Whether the world of the session is the one that this server is for.
    fn is_here(&self, stored: &StoredSession) -> bool;

    /// A plan in the words of a terminal, without its colours, and its program where that is given.
    fn plan(&self, plan: &PlanView, program: Option<&str>) -> String;

    /// Shows a link to whoever reads what the server itself writes.
    fn link(&self, link: &SharedLink);
}

/// Where people are asked about plans.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ask {
    /// In the client where it can ask, else in a terminal.
    #[default]
    Client,
    /// In a terminal: for clients that answer by themselves.
    Terminal,
}

/// The parts of a server.
pub struct ServerParts {
    /// What it needs of the program that starts it.
    pub host: Arc<dyn McpHost>,
    /// The domain of its world.
    pub domain: Arc<Domain>,
    /// The world, as its user named it.
    pub world: NamedWorld,
    /// Where the state of its world lives.
    pub kind: WorldKind,
    /// Its sessions.
    pub store: SessionStore,
    /// How programs run, and what they may do.
    pub settings: Settings,
    /// Where people are asked.
    pub ask: Ask,
    /// How often a client is told that it waits for the sandbox.
    pub told_every: Duration,
}

/// A server for one client on two streams, or for several over HTTP.
#[derive(Clone)]
pub struct McpEndpoint(Arc<Inner>);

struct Inner {
    parts: ServerParts,
    sessions: Sessions,
    seal: Seal,
}

impl McpEndpoint {
    /// A server of these parts.
    ///
    /// # Errors
    /// The system gives no random key.
    pub fn new(parts: ServerParts) -> Result<McpEndpoint> {
        Ok(McpEndpoint(Arc::new(Inner {
            sessions: Sessions::default(),
            seal: Seal::new()?,
            parts,
        })))
    }

    /// Serves a client until it closes its side, and then closes the sessions. A plan that
    /// waits stays: its session goes on with it.
    ///
    /// # Errors
    /// The client cannot be read or written, or a journal cannot be written.
    pub async fn serve<R, W>(&self, read: R, write: W) -> Result<()>
    where
        R: AsyncRead + Send + Unpin + 'static,
        W: AsyncWrite + Send + Unpin + 'static,
    {
        let ended = |error: String| Error::world(format!("the client was lost: {error}"));
        match self.clone().serve_with(read, write).await {
            Ok(()) | Err(ServerInitializeError::ConnectionClosed(_)) => {}
            Err(error) => return Err(ended(error.to_string())),
        }
        self.0.sessions.close().await
    }

    async fn serve_with<R, W>(self, read: R, write: W) -> Result<(), ServerInitializeError>
    where
        R: AsyncRead + Send + Unpin + 'static,
        W: AsyncWrite + Send + Unpin + 'static,
    {
        let running = ServiceExt::<RoleServer>::serve(self, Lines::new(read, write)).await?;
        // However it ended, nobody listens any more.
        let _ = running.waiting().await;
        Ok(())
    }
}

impl ServerHandler for McpEndpoint {
    fn get_info(&self) -> ServerConfig {
        let about = Implementation::new("dialog2api", env!("CARGO_PKG_VERSION"));
        let can = ServerCapabilities::builder()
            .enable_resources()
            .enable_tools()
            .enable_extensions_with(app::extensions());
        ServerConfig::new(can.build())
            .with_server_info(about.with_title("dialog2api"))
            .with_instructions(tools::instructions(&self.0.parts))
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(tools::list(&self.0.parts)))
    }

    async fn list_resources(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let resources = self.0.resources();
        Ok(ListResourcesResult::with_all_items(resources))
    }

    async fn list_resource_templates(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let templates = resources::templates();
        Ok(ListResourceTemplatesResult::with_all_items(templates))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let read = self.0.resource(&request.uri);
        read.map(ReadResourceResponse::from)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        self.0.call(request, context).await
    }

    /// Requests that the SDK cannot read come here, too: those that have a method of this server, and
    /// other parameters than the protocol gives it.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let method = request.method;
        let why = match &*method {
            "tools/call" => "it takes name, a text, and arguments, an object",
            "resources/read" => "it takes uri, a text",
            "tools/list" | "resources/list" | "resources/templates/list" | "prompts/list" => {
                "it takes cursor, a text, or nothing"
            }
            _ => return Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, method, None)),
        };
        let problem = format!("{method} cannot be called like this: {why}");
        Err(ErrorData::invalid_params(problem, None))
    }
}
