//! A world whose operations are the tools of an MCP server.

use super::answer::{answer, refusal, refused};
use super::arguments::arguments;
use super::change::ToolChange;
use super::server::Server;
use super::tool::{TOOL_CHANGED, Tools};
use crate::domain::{Answer, Meter, Refusal, Signer, Spent, Value, World};
use crate::error::{Error, Result};
use crate::mcp::{Client, Failed};
use crate::secrets::Secrets;
use async_trait::async_trait;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::Mutex;

/// The tag and the content of the one field that the state of every server has in a
/// signature: see [`McpWorld`].
pub const UNKNOWN_STATE: (u8, &[u8]) = (b'm', b"the state of an MCP server is not known");

/// How long reads rely on a list of tools: not every server says when it changes.
pub const LIST_LASTS: Duration = Duration::from_secs(30);

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
///
/// **Its tools are those that were approved.** Each connection asks the server for its tools, and
/// a tool that is described in another way than in [`tools`](Self::tools), or is not listed any
/// more, is not called. The server is asked again before each write, before a read if the list is
/// older than [`LIST_LASTS`], and where it says that its tools are others now.
pub struct McpWorld {
    server: Server,
    tools: Arc<Tools>,
    reads: BTreeSet<String>,
    secrets: Secrets,
    /// How the user approves tools that have changed, for sentences.
    approval: Option<String>,
    list_lasts: Duration,
    client: Mutex<Option<Connection>>,
    meter: Meter,
}

/// A connection, and the tools that are others there than those that were approved.
#[derive(Clone)]
struct Connection {
    client: Arc<Client>,
    changed: Arc<BTreeMap<String, ToolChange>>,
    listed: Instant,
}

impl McpWorld {
    /// A world of a server with these tools. Its reads are the tools that change nothing
    /// according to the server.
    pub fn new(server: Server, tools: Arc<Tools>) -> Self {
        let reads = tools.reads().into_iter().map(str::to_owned).collect();
        McpWorld {
            secrets: server.secrets(),
            server,
            tools,
            reads,
            approval: None,
            list_lasts: LIST_LASTS,
            client: Mutex::default(),
            meter: Meter::default(),
        }
    }

    /// A world over an open connection whose tools these are.
    pub fn connected(client: Client, tools: Arc<Tools>) -> Self {
        let mut world = McpWorld::new(client.server().clone(), tools);
        *world.client.get_mut() = Some(Connection {
            client: Arc::new(client),
            changed: Arc::default(),
            listed: Instant::now(),
        });
        world
    }

    /// The same world, whose reads rely on a list of tools for this long.
    pub fn with_list_for(mut self, lasts: Duration) -> Self {
        self.list_lasts = lasts;
        self
    }

    /// The same world, whose changed tools are approved by this command.
    pub fn with_approval(mut self, command: String) -> Self {
        self.approval = Some(command);
        self
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
        let lines = self.tools.lines(operation, params).into_iter();
        lines
            .map(|line| self.secrets.hide(&line).into_owned())
            .collect()
    }

    /// Closes the connection; the next call makes a new one. A server that was started gets
    /// a moment to end by itself, unless a call is under way.
    pub async fn close(&self) {
        let held = self.client.lock().await.take();
        if let Some(client) = held.and_then(|held| Arc::into_inner(held.client)) {
            client.close().await;
        }
    }

    /// The connection, or a new one, with a list of tools that is no older than this.
    async fn connection(&self, list_lasts: Duration) -> Result<Connection> {
        let mut held = self.client.lock().await;
        let open = held.take().filter(|held| !held.client.is_closed());
        let known = match open {
            Some(open) if !open.client.take_changed() && open.listed.elapsed() < list_lasts => {
                Some(open)
            }
            Some(open) => match self.compared(open.client.clone()).await {
                Err(_) if open.client.is_closed() => None,
                compared => Some(compared?),
            },
            None => None,
        };
        // Without one, the old server has ended before a new one starts.
        let connection = match known {
            Some(known) => known,
            None => {
                let client = Arc::new(Client::connect(&self.server).await?);
                self.compared(client).await?
            }
        };
        *held = Some(connection.clone());
        Ok(connection)
    }

    /// A connection whose tools are compared with those that were approved.
    async fn compared(&self, client: Arc<Client>) -> Result<Connection> {
        let now = Tools::list(&client).await.map_err(|error| {
            Error::world(format!(
                "{error}. Nothing was called, because it is not known whether its tools are still \
                 those that were approved"
            ))
        })?;
        Ok(Connection {
            changed: Arc::new(self.tools.changed(&now)),
            client,
            listed: Instant::now(),
        })
    }

    /// The refusal of a tool that is not the one that was approved.
    fn changed(&self, connection: &Connection, operation: &str) -> Option<Refusal> {
        let change = connection.changed.get(operation)?;
        let approval = match &self.approval {
            Some(command) => {
                format!("`{command}` shows what its server offers now, and approves it")
            }
            None => "look at what its server offers now before you call it".to_owned(),
        };
        let problem = format!("{operation} {change}. It was not called; {approval}");
        Some(refusal(TOOL_CHANGED, &problem))
    }

    /// Drops a lost connection.
    async fn forget(&self, client: &Arc<Client>) {
        let mut held = self.client.lock().await;
        if (held.as_ref()).is_some_and(|held| Arc::ptr_eq(&held.client, client)) {
            *held = None;
        }
    }

    async fn make(&self, operation: &str, params: &Value, may_repeat: bool) -> Result<Answer> {
        let made = self.make_raw(operation, params, may_repeat).await;
        let answer = made.map_err(|error| self.secrets.hide_error(error))?;
        Ok(self.secrets.hide_answer(answer))
    }

    async fn make_raw(&self, operation: &str, params: &Value, may_repeat: bool) -> Result<Answer> {
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
            let list_lasts = match is_read {
                true => self.list_lasts,
                false => Duration::ZERO,
            };
            let connection = self.connection(list_lasts).await?;
            if let Some(refusal) = self.changed(&connection, operation) {
                return Ok(Err(refusal));
            }
            let client = connection.client;
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
                false => Error::world(format!(
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

    async fn objection(&self, operation: &str, _: &Value) -> Result<Option<Refusal>> {
        match self.tools.tool(operation) {
            Some(_) => {
                let connection = self.connection(self.list_lasts).await?;
                Ok(self.changed(&connection, operation))
            }
            None => Ok(None),
        }
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
