//! The lines that a worker writes, in order, one at a time.

use serde::Serialize;
use std::sync::Arc;
use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::task::JoinHandle;

/// Where lines are written.
#[derive(Clone)]
pub struct Out(Arc<UnboundedSender<Vec<u8>>>);

impl Out {
    /// Lines to this stream. The task ends when all [`Out`]s are gone or the stream is closed.
    pub fn to(mut write: impl AsyncWrite + Send + Unpin + 'static) -> (Out, JoinHandle<()>) {
        let (sender, mut lines) = unbounded_channel::<Vec<u8>>();
        let writing = tokio::spawn(async move {
            while let Some(line) = lines.recv().await {
                if write.write_all(&line).await.is_err() || write.flush().await.is_err() {
                    return;
                }
            }
        });
        (Out(Arc::new(sender)), writing)
    }

    /// Writes a line.
    pub fn say(&self, line: &impl Serialize) {
        if let Ok(mut bytes) = serde_json::to_vec(line) {
            bytes.push(b'\n');
            // A client that has gone is noticed where the next request would be read.
            let _ = self.0.send(bytes);
        }
    }

    /// Whether nobody reads any more.
    pub fn is_closed(&self) -> bool {
        self.0.is_closed()
    }
}
