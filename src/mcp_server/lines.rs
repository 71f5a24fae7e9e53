//! Messages on two streams, one a line.
//!
//! The SDK's own transport says nothing of a line that is no JSON, so that its sender waits for an
//! answer for ever. Here it has the answer that JSON-RPC names.

use rmcp::RoleServer;
use rmcp::model::ErrorCode;
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::{Value as Json, json};
use std::io;
use std::sync::Arc;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::Mutex;
use tokio::task::JoinHandle;

/// The longest line. A program is far shorter, also with all of it escaped.
const LONGEST: usize = 16 << 20;

/// A client on two streams.
pub struct Lines<R, W> {
    read: BufReader<R>,
    /// The line so far. Receiving is begun again and again, and goes on where it was.
    line: Vec<u8>,
    is_too_long: bool,
    write: Arc<Mutex<W>>,
    /// The answer to a line that is no message, until it is written.
    answer: Option<JoinHandle<io::Result<()>>>,
}

impl<R, W> Lines<R, W>
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    pub fn new(read: R, write: W) -> Self {
        Lines {
            read: BufReader::new(read),
            line: Vec::new(),
            is_too_long: false,
            write: Arc::new(Mutex::new(write)),
            answer: None,
        }
    }

    /// Reads until the line is whole; `false` at the end of the stream.
    async fn fill_line(&mut self) -> io::Result<bool> {
        loop {
            let available = self.read.fill_buf().await?;
            if available.is_empty() {
                return Ok(false);
            }
            let end = available.iter().position(|byte| *byte == b'\n');
            let part = &available[..end.unwrap_or(available.len())];
            self.is_too_long |= self.line.len() + part.len() > LONGEST;
            match self.is_too_long {
                true => self.line.clear(),
                false => self.line.extend_from_slice(part),
            }
            let used = part.len() + usize::from(end.is_some());
            self.read.consume(used);
            if end.is_some() {
                return Ok(true);
            }
        }
    }

    /// Takes the line that is whole.
    fn message(&mut self) -> Option<Result<RxJsonRpcMessage<RoleServer>, Json>> {
        let line = std::mem::take(&mut self.line);
        if std::mem::take(&mut self.is_too_long) {
            let why = format!("a message has at most {LONGEST} bytes");
            return Some(Err(refusal(ErrorCode::INVALID_REQUEST, &why, None)));
        }
        let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&line);
        match line.trim_ascii().is_empty() {
            true => None,
            false => Some(read(line)),
        }
    }
}

/// The message of a line, or the answer to one that is none.
fn read(line: &[u8]) -> Result<RxJsonRpcMessage<RoleServer>, Json> {
    serde_json::from_slice(line).map_err(|_| match serde_json::from_slice::<Json>(line) {
        Err(error) => refusal(ErrorCode::PARSE_ERROR, &format!("no JSON: {error}"), None),
        Ok(json) => {
            // Whoever sends a response would take an error with its name for one, too.
            let id = json.get("method").and_then(|_| json.get("id"));
            refusal(ErrorCode::INVALID_REQUEST, "no message of JSON-RPC 2.0", id)
        }
    })
}

/// JSON-RPC wants an `id` also where none can be read; the SDK would leave it out.
fn refusal(code: ErrorCode, message: &str, id: Option<&Json>) -> Json {
    let id = id.filter(|id| id.is_string() || id.is_number());
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": code.0, "message": message}})
}

/// Writes a line. Others wait until it is whole.
async fn put<W: AsyncWrite + Unpin>(write: Arc<Mutex<W>>, mut line: Vec<u8>) -> io::Result<()> {
    line.push(b'\n');
    let mut write = write.lock().await;
    write.write_all(&line).await?;
    write.flush().await
}

impl<R, W> Transport<RoleServer> for Lines<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        let (line, write) = (serde_json::to_vec(&item), self.write.clone());
        async move {
            // A task of its own: no line stays half written where nobody waits for it any more.
            tokio::spawn(put(write, line?)).await?
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            // Nothing more is read before it is written, and nothing ends before.
            if let Some(answer) = &mut self.answer {
                let _ = answer.await;
                self.answer = None;
            }
            if !self.fill_line().await.unwrap_or(false) {
                return None;
            }
            match self.message() {
                Some(Ok(message)) => return Some(message),
                Some(Err(refusal)) => {
                    let line = refusal.to_string().into_bytes();
                    self.answer = Some(tokio::spawn(put(self.write.clone(), line)));
                }
                None => {}
            }
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.write.lock().await.flush().await
    }
}
