//! A server on loopback that follows a script, for failures that real servers seldom show.
//! Each connection gets the next answer of the script.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::Notify;

/// What the server does with one connection, once the request is read.
#[derive(Clone)]
pub enum Answer {
    /// Sends these bytes and closes.
    Bytes(Vec<u8>),
    /// Sends these bytes and says nothing more, without closing.
    Silence(Vec<u8>),
    /// Sends the first bytes, then the others over and over.
    Drip(Vec<u8>, &'static [u8]),
    /// Sends these bytes and waits until the client hangs up.
    Watched(Vec<u8>),
    /// Gives the first answer to a request with these words in it, the second to others.
    IfAsked(&'static str, Box<Answer>, Box<Answer>),
}

/// A running server; it ends with the test's runtime.
pub struct Server {
    pub address: SocketAddr,
    requests: Arc<Mutex<Vec<String>>>,
    hung_up: Arc<Notify>,
}

impl Server {
    pub async fn start(script: Vec<Answer>) -> Server {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("loopback");
        let address = listener.local_addr().expect("an address");
        let requests = Arc::new(Mutex::new(Vec::new()));
        let log = requests.clone();
        let hung_up = Arc::new(Notify::new());
        let told = hung_up.clone();
        tokio::spawn(async move {
            let mut open = Vec::new();
            for answer in script {
                let (mut stream, _) = listener.accept().await.expect("a connection");
                let request = read_request(&mut stream).await;
                let answer = match answer {
                    Answer::IfAsked(words, yes, _) if request.contains(words) => *yes,
                    Answer::IfAsked(_, _, no) => *no,
                    answer => answer,
                };
                log.lock().expect("the log").push(request);
                // A client that hangs up early is part of some scripts.
                if let Answer::Watched(bytes) = answer {
                    let _ = stream.write_all(&bytes).await;
                    while stream.read_u8().await.is_ok() {}
                    told.notify_one();
                } else {
                    let _ = play(stream, answer, &mut open).await;
                }
            }
            drop(listener);
            std::future::pending::<()>().await;
        });
        Server {
            address,
            requests,
            hung_up,
        }
    }

    /// Waits until the client of an [`Answer::Watched`] has hung up.
    pub async fn hung_up(&self) {
        self.hung_up.notified().await;
    }

    /// The requests so far: head, blank line, body.
    pub fn requests(&self) -> Vec<String> {
        self.requests.lock().expect("the log").clone()
    }

    pub fn base_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }
}

/// An address at which nothing listens, nor will as long as the socket lives.
pub fn nobody() -> (TcpSocket, SocketAddr) {
    let socket = TcpSocket::new_v4().expect("a socket");
    let loopback = SocketAddr::from(([127, 0, 0, 1], 0));
    socket.bind(loopback).expect("loopback");
    let address = socket.local_addr().expect("an address");
    (socket, address)
}

async fn play(
    mut stream: TcpStream,
    answer: Answer,
    open: &mut Vec<TcpStream>,
) -> std::io::Result<()> {
    match answer {
        Answer::Bytes(bytes) | Answer::Watched(bytes) => {
            stream.write_all(&bytes).await?;
            stream.shutdown().await
        }
        Answer::Silence(bytes) => {
            stream.write_all(&bytes).await?;
            open.push(stream);
            Ok(())
        }
        Answer::Drip(first, drop) => {
            stream.write_all(&first).await?;
            loop {
                stream.write_all(drop).await?;
                tokio::task::yield_now().await;
            }
        }
        Answer::IfAsked(..) => unreachable!("a branch is chosen before"),
    }
}

async fn read_request(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&bytes);
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head
                .lines()
                .filter_map(|line| line.split_once(':'))
                .find(|(name, _)| name.eq_ignore_ascii_case("content-length"))
                .and_then(|(_, value)| value.trim().parse().ok());
            if body.len() >= length.unwrap_or(0) {
                return text.into_owned();
            }
        }
        if stream.read_buf(&mut bytes).await.unwrap_or(0) == 0 {
            return String::from_utf8_lossy(&bytes).into_owned();
        }
    }
}

/// A response with these header lines and this body, which the end of the
/// connection ends.
pub fn response(head: &str, body: impl AsRef<[u8]>) -> Answer {
    let head: String = head
        .lines()
        .map(|line| format!("{}\r\n", line.trim()))
        .collect();
    let mut bytes = format!("HTTP/1.1 {head}Connection: close\r\n\r\n").into_bytes();
    bytes.extend_from_slice(body.as_ref());
    Answer::Bytes(bytes)
}

/// A successful response that streams this.
pub fn stream(body: impl AsRef<[u8]>) -> Answer {
    response("200 OK\nContent-Type: text/event-stream", body)
}
