//! A world whose operations are the tools of an MCP server.

use super::answer::{answer, refusal, refused};
use super::arguments::arguments;
use super::server::Server;
use super::tool::Tools;
use crate::domain::{Answer, Meter, Signer, Spent, Value, World};
use crate::error::{Error, Result};
use crate::mcp::{Client, Failed};
use async_trait::async_trait;
use std::collections::BTreeSet;
use std::sync::Arc;
use tokio::sync::Mutex;

/// The tag and the content of the one field that the state of every server has in a
/// signature: see [`McpWorld`].
pub const UNKNOWN_STATE: (u8, &[u8]) = (b'm', b"the state of an MCP server is not known");

/// An MCP server as a world: its tools are the operations.
///
/// The state of a server can neither be read as a whole nor copied nor restored. So there is
/// no fork, and **the state is a constant**: one field of the stream with the tag `m` (0x6d)
/// and the text of [`UNKNOWN_STATE`]. Signatures of such worlds differ if results differ, and
/// never because of the state.
///
/// The server is started when the first call is made. If the connection breaks, a read is
/// made once more over a new one. A write never is: it may have been carried out. The call
/// after it connects anew, and a server that keeps its state in memory has then forgotten it.
pub struct McpWorld {
    server: Server,
    tools: Arc<Tools>,
    reads: BTreeSet<String>,
    client: Mutex<Option<Arc<Client>>>,
    meter: Meter,
}

impl McpWorld {
    /// A world of a server with these tools. Its reads are the tools that change nothing
    /// according to the server.
    pub fn new(server: Server, tools: Arc<Tools>) -> Self {
        let reads = tools.reads().into_iter().map(str::to_owned).collect();
        McpWorld {
            server,
            tools,
            reads,
            client: Mutex::default(),
            meter: Meter::default(),
        }
    }

    /// A world over an open connection.
    pub fn connected(client: Client, tools: Arc<Tools>) -> Self {
        let mut world = McpWorld::new(client.server().clone(), tools);
        *world.client.get_mut() = Some(Arc::new(client));
        world
    }

    /// The same world with these operations as its reads, whatever the server says.
    pub fn with_reads(mut self, reads: impl IntoIterator<Item = String>) -> Self {
        self.reads = reads.into_iter().collect();
        self
    }

    /// The tools.
    pub fn tools(&self) -> &Tools {
        &self.tools
    }

    /// A call in lines for people: [`Tools::lines`].
    pub fn lines(&self, operation: &str, params: &Value) -> Vec<String> {
        self.tools.lines(operation, params)
    }

    /// Closes the connection; the next call makes a new one. A server that was started gets
    /// a moment to end by itself, unless a call is under way.
    pub async fn close(&self) {
        let client = self.client.lock().await.take();
        if let Some(client) = client.and_then(Arc::into_inner) {
            client.close().await;
        }
    }

    /// The connection, or a new one.
    async fn client(&self) -> Result<Arc<Client>> {
        let mut held = self.client.lock().await;
        if let Some(client) = held.as_ref().filter(|client| !client.is_closed()) {
            return Ok(client.clone());
        }
        // The old server ends before a new one starts.
        *held = None;
        let client = Arc::new(Client::connect(&self.server).await?);
        *held = Some(client.clone());
        Ok(client)
    }

    /// Drops a lost connection.
    async fn forget(&self, client: &Arc<Client>) {
        let mut held = self.client.lock().await;
        if held.as_ref().is_some_and(|held| Arc::ptr_eq(held, client)) {
            *held = None;
        }
    }

    async fn make(&self, operation: &str, params: &Value, may_repeat: bool) -> Result<Answer> {
        let Some(tool) = self.tools.tool(operation) else {
            let problem = format!("the API has no operation {operation:?}");
            return Ok(Err(refusal("UnknownOperation", &problem)));
        };
        let arguments = match arguments(tool, params) {
            Ok(arguments) => arguments,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let is_read = self.reads.contains(operation);
        let mut may_repeat = may_repeat && is_read;
        loop {
            let client = self.client().await?;
            self.meter.sent();
            let failed = match client.call(&tool.wire, arguments.clone()).await {
                Ok(result) => {
                    self.meter.read(result.to_string().len());
                    let answer = answer(result);
                    answer.iter().for_each(|value| self.meter.answered(value));
                    return Ok(answer);
                }
                Err(Failed::Refused(code, message)) => return Ok(Err(refused(code, &message))),
                Err(failed) => failed,
            };
            if let Failed::Lost(_) = failed {
                self.forget(&client).await;
                if std::mem::take(&mut may_repeat) {
                    continue;
                }
            }
            let error = client.error(&format!("call {}", tool.wire), failed);
            return Err(match is_read {
                true => error,
                false => Error::World(format!(
                    "{error}. It is not known whether the call was carried out: look before you \
                     repeat it"
                )),
            });
        }
    }
}

#[async_trait]
impl World for McpWorld {
    async fn call(&self, operation: &str, params: &Value) -> Result<Answer> {
        self.make(operation, params, true).await
    }

    async fn call_once(&self, operation: &str, params: &Value) -> Result<Answer> {
        self.make(operation, params, false).await
    }

    fn fork(&self) -> Option<Arc<dyn World>> {
        None
    }

    async fn state(&self, signer: &mut Signer) -> Result<()> {
        signer.field(UNKNOWN_STATE.0, UNKNOWN_STATE.1);
        Ok(())
    }

    fn spent(&self) -> Option<Spent> {
        Some(self.meter.spent())
    }

    fn call_lines(&self, operation: &str, params: &Value) -> Vec<String> {
        self.lines(operation, params)
    }

    fn describe(&self) -> String {
        format!("the MCP server `{}`", self.server)
    }
}
