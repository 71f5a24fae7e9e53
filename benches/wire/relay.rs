//! A relay that brings distance: every piece arrives some time later, each way, in order. It
//! counts the requests that pass.

use std::io::{Error, Result};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc::unbounded_channel;
use tokio::time::Instant;

/// A running relay; it ends with its runtime.
pub struct Relay {
    pub endpoint: String,
    requests: Arc<AtomicU64>,
}

impl Relay {
    /// Begins to pass on what comes to `port`, so much later each way.
    pub async fn start(port: u16, delay: Duration) -> Relay {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("loopback");
        let address = listener.local_addr().expect("an address");
        let requests = Arc::<AtomicU64>::default();
        let counted = requests.clone();
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let counted = counted.clone();
                tokio::spawn(async move {
                    // A connection that breaks is broken for both.
                    let _ = pass_on(client, port, delay, counted).await;
                });
            }
        });
        Relay {
            endpoint: format!("http://{address}"),
            requests,
        }
    }

    /// The requests that passed since the last time.
    pub fn requests(&self) -> u64 {
        self.requests.swap(0, Ordering::Relaxed)
    }
}

async fn pass_on(
    client: TcpStream,
    port: u16,
    delay: Duration,
    counted: Arc<AtomicU64>,
) -> Result<()> {
    let server = TcpStream::connect(("127.0.0.1", port)).await?;
    client.set_nodelay(true)?;
    server.set_nodelay(true)?;
    let (from_client, to_client) = client.into_split();
    let (from_server, to_server) = server.into_split();
    let note = move |bytes: &[u8]| {
        if is_request(bytes) {
            counted.fetch_add(1, Ordering::Relaxed);
        }
    };
    tokio::try_join!(
        pump(from_client, to_server, delay, note),
        pump(from_server, to_client, delay, |_| ()),
    )?;
    Ok(())
}

async fn pump(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    delay: Duration,
    note: impl Fn(&[u8]),
) -> Result<()> {
    let (sender, mut receiver) = unbounded_channel::<(Instant, Vec<u8>)>();
    let read = async move {
        let mut buffer = vec![0; 1 << 18];
        loop {
            let count = from.read(&mut buffer).await?;
            if count == 0 {
                return Ok(());
            }
            let bytes = buffer.get(..count).unwrap_or_default().to_vec();
            note(&bytes);
            if sender.send((Instant::now() + delay, bytes)).is_err() {
                return Ok(());
            }
        }
    };
    let write = async move {
        while let Some((when, bytes)) = receiver.recv().await {
            // Timers count whole milliseconds, which a server next door does not take.
            if !delay.is_zero() {
                tokio::time::sleep_until(when).await;
            }
            to.write_all(&bytes).await?;
        }
        to.shutdown().await
    };
    let (read, written): (Result<()>, Result<()>) = tokio::join!(read, write);
    read.and(written)
}

fn is_request(bytes: &[u8]) -> bool {
    let methods = ["GET ", "PUT ", "HEAD ", "POST ", "DELETE "];
    let line = bytes
        .split(|byte| *byte == b'\r')
        .next()
        .unwrap_or_default();
    methods.iter().any(|it| bytes.starts_with(it.as_bytes())) && line.ends_with(b"HTTP/1.1")
}

/// The port of an endpoint.
pub fn port(endpoint: &str) -> Result<u16> {
    let port = endpoint.rsplit(':').next().and_then(|it| it.parse().ok());
    port.ok_or_else(|| Error::other(format!("{endpoint} has no port")))
}
