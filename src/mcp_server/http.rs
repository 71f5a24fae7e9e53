//! The server over HTTP: one address for clients of both eras of the protocol, on this machine.
//!
//! The page's crate lets requests in, and the SDK speaks the protocol. Clients with a handshake have
//! an MCP session, whose name each request brings; since 2026-07-28 each request stands alone. Either
//! way our own sessions and plans outlive the connection: they are of the world, not of a client.

use super::McpEndpoint;
use crate::error::{Error, Result};
use rmcp::RoleServer;
use rmcp::service::RequestContext;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use std::sync::Arc;
use std::time::Duration;
use web_desk::Gate;

/// Where the server answers.
pub const PATH: &str = "/mcp";
/// The largest request: the longest program, with all of it escaped.
const LARGEST: usize = 8 << 20;
/// How long an MCP session lives without a request. A person may take that long to answer a form, for
/// which nothing is sent.
const KEPT: Duration = Duration::from_secs(24 * 60 * 60);
/// The header with the name of an MCP session.
const SESSION: &str = "mcp-session-id";

impl McpEndpoint {
    /// Serves clients over HTTP until the future ends, and then closes the sessions. Plans that
    /// wait stay: their sessions go on with them.
    ///
    /// # Errors
    /// The listener failed, or a journal cannot be written.
    pub async fn serve_http(
        &self,
        gate: Gate,
        until: impl Future<Output = ()> + Send + 'static,
    ) -> Result<()> {
        let mut clients = LocalSessionManager::default();
        clients.session_config.keep_alive = Some(KEPT);
        // The gate knows the port, so it alone looks at hosts and origins.
        let config = StreamableHttpServerConfig::default().with_max_request_body_bytes(LARGEST);
        let ends = config.cancellation_token.clone();
        let server = self.clone();
        let service =
            StreamableHttpService::new(move || Ok(server.clone()), Arc::new(clients), config);
        let handler = move |request| {
            let service = service.clone();
            async move { service.handle(request).await }
        };
        let until = async move {
            until.await;
            // Streams of events have no end of their own.
            ends.cancel();
        };
        let served = gate.serve(PATH, handler, until).await;
        let closed = self.0.sessions.close().await;
        served.map_err(Error::system("clients cannot be served"))?;
        closed
    }
}

/// What the calls have in common that share a session where they name none: the MCP session, or
/// without one the client's name. Two streams have one client.
pub fn connection(context: &RequestContext<RoleServer>) -> String {
    let Some(parts) = context.extensions.get::<http::request::Parts>() else {
        return String::new();
    };
    let session = parts.headers.get(SESSION).and_then(|it| it.to_str().ok());
    match session {
        Some(session) => format!("session {session}"),
        None => {
            let client = context.client_info().map(|it| it.name);
            format!("client {}", client.unwrap_or_default())
        }
    }
}
