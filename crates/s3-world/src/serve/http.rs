//! The service on a socket.

use super::{Service, stream};
use crate::error::{Error, Result};
use http::header::{CONNECTION, CONTENT_LENGTH, EXPECT};
use http::{HeaderMap, HeaderValue};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use std::convert::Infallible;
use std::io::ErrorKind;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, oneshot};
use tokio::task::JoinHandle;

/// The most open connections. Further ones wait until one ends.
const CONNECTIONS: usize = 512;

/// How long a client may take to send the head of a request.
const HEAD: Duration = Duration::from_secs(30);

/// How long open requests may take once the server is told to stop.
const LAST: Duration = Duration::from_secs(3);

/// A listening service. Dropping it stops it at once.
#[derive(Debug)]
pub struct S3Server {
    address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    task: JoinHandle<()>,
}

/// Serves on an address. Port 0 takes any free port.
///
/// # Errors
/// [`Error::usage`] if the address is not available; the message says what to do.
pub async fn listen(service: Service, address: SocketAddr) -> Result<S3Server> {
    let no_address = |error: std::io::Error| {
        Error::usage(match error.kind() {
            ErrorKind::AddrInUse => format!(
                "{address} is in use by another program; give another address, or port 0 for any that is free"
            ),
            ErrorKind::PermissionDenied => {
                format!("{address} may not be used by you; give a port above 1023")
            }
            ErrorKind::AddrNotAvailable => {
                format!(
                    "{address} is not an address of this machine; give 127.0.0.1 or one that is"
                )
            }
            _ => format!("cannot listen on {address}: {error}"),
        })
    };
    let listener = TcpListener::bind(address).await.map_err(no_address)?;
    let address = listener.local_addr().map_err(no_address)?;
    let (stop, stopped) = oneshot::channel();
    let task = tokio::spawn(accept(service, listener, stopped));
    Ok(S3Server {
        address,
        stop: Some(stop),
        task,
    })
}

impl S3Server {
    /// The address that it listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The URL for clients on this machine.
    pub fn endpoint(&self) -> String {
        let mut address = self.address;
        if address.ip().is_unspecified() {
            // The server listens on all addresses, including loopback.
            address.set_ip(match address {
                SocketAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
                SocketAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
            });
        }
        format!("http://{address}")
    }

    /// Accepts no more connections, waits at most a few seconds for open requests, and
    /// returns.
    pub async fn stop(mut self) {
        if let Some(stop) = self.stop.take() {
            // An error means that the server has already stopped.
            let _ = stop.send(());
        }
        let _ = (&mut self.task).await;
    }
}

impl Drop for S3Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn accept(service: Service, listener: TcpListener, mut stopped: oneshot::Receiver<()>) {
    let graceful = GracefulShutdown::new();
    let room = Arc::new(Semaphore::new(CONNECTIONS));
    let mut connections = tokio::task::JoinSet::new();
    loop {
        let next = async {
            let place = room.clone().acquire_owned().await.ok()?;
            let (stream, _) = listener.accept().await.ok()?;
            Some((stream, place))
        };
        tokio::select! {
            _ = &mut stopped => break,
            Some(_) = connections.join_next() => {}
            next = next => match next {
                Some((stream, place)) => {
                    let connection = graceful.watch(connection(service.clone(), stream));
                    connections.spawn(async move {
                        // The client may have broken the connection.
                        let _ = connection.await;
                        drop(place);
                    });
                }
                // The process has probably run out of file descriptors. It waits for
                // other connections to end.
                None => tokio::time::sleep(Duration::from_millis(50)).await,
            },
        }
    }
    drop(listener);
    let _ = tokio::time::timeout(LAST, graceful.shutdown()).await;
    connections.shutdown().await;
}

/// Whether a client waits for `100 Continue` before it sends an empty body. HTTP may leave that
/// answer out; then the clients of AWS before 2026 take the rest of this one for the beginning of
/// the next, unless the connection ends (boto/botocore#3755).
fn is_fooled(headers: &HeaderMap) -> bool {
    let is = |name, value: &str| {
        let header = headers.get(name).and_then(|it| it.to_str().ok());
        header.is_some_and(|it| it.trim().eq_ignore_ascii_case(value))
    };
    is(EXPECT, "100-continue") && is(CONTENT_LENGTH, "0")
}

fn connection(
    service: Service,
    stream: TcpStream,
) -> impl hyper_util::server::graceful::GracefulConnection<Error = hyper::Error> + Send {
    // Small answers should be sent without delay.
    let _ = stream.set_nodelay(true);
    let local = stream
        .local_addr()
        .map_or(Ipv4Addr::LOCALHOST.into(), |address| address.ip());
    let answer = service_fn(move |request: hyper::Request<Incoming>| {
        let service = service.clone();
        async move {
            let is_fooled = is_fooled(request.headers());
            let (mut head, body) = service.answer_at(local, request).await.into_parts();
            if is_fooled {
                let close = HeaderValue::from_static("close");
                head.headers.insert(CONNECTION, close);
            }
            let body = stream::body(&mut head.extensions, body);
            Ok::<_, Infallible>(hyper::Response::from_parts(head, body))
        }
    });
    http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD)
        .serve_connection(TokioIo::new(stream), answer)
}
