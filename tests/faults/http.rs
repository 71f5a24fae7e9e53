//! As much of HTTP/1.1 as a proxy between two good peers needs.

use std::io;
use std::net::SocketAddr;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// A request, as its bytes.
#[derive(Clone)]
pub struct Request {
    /// `PUT /bucket/key?x-id=PutObject`.
    pub line: String,
    bytes: Vec<u8>,
    /// Where the body begins.
    body: usize,
}

impl Request {
    /// Reads one; none where the client has hung up. `rest` is what was read too far.
    pub async fn read(client: &mut TcpStream, rest: &mut Vec<u8>) -> io::Result<Option<Request>> {
        let body = loop {
            if let Some(end) = find(rest, b"\r\n\r\n") {
                break end + 4;
            }
            if client.read_buf(rest).await? == 0 {
                return Ok(None);
            }
        };
        let head = String::from_utf8_lossy(&rest[..body]).into_owned();
        assert!(header(&head, "transfer-encoding").is_none(), "{head}");
        let length: usize = header(&head, "content-length").map_or(0, |text| text.parse().unwrap());
        while rest.len() < body + length {
            if client.read_buf(rest).await? == 0 {
                return Ok(None);
            }
        }
        let after = rest.split_off(body + length);
        let line = head.split(" HTTP/1.1").next().unwrap_or_default();
        Ok(Some(Request {
            line: line.to_owned(),
            bytes: std::mem::replace(rest, after),
            body,
        }))
    }

    /// The value of a header.
    pub fn header(&self, name: &str) -> Option<String> {
        let head = String::from_utf8_lossy(&self.bytes[..self.body]);
        header(&head, name).map(str::to_owned)
    }

    /// Whether it changes something on an S3 server.
    pub fn writes(&self) -> bool {
        let is_delete = self.line.starts_with("POST ") && self.line.contains("?delete");
        is_delete || self.line.starts_with("PUT ") || self.line.starts_with("DELETE ")
    }

    /// Sends it to a server and reads what that answers to its end.
    pub async fn forward(&self, server: SocketAddr) -> io::Result<Vec<u8>> {
        exchange(server, &self.bytes, false).await
    }

    /// Sends half of it and no more.
    pub async fn forward_half(&self, server: SocketAddr) -> io::Result<Vec<u8>> {
        exchange(server, half(&self.bytes, self.body), true).await
    }
}

/// An answer, as its bytes.
pub struct Response(Vec<u8>);

impl Response {
    pub fn new(bytes: Vec<u8>) -> Response {
        Response(bytes)
    }

    /// An error as S3 says it.
    pub fn error(request: &Request, status: &str, code: &str) -> Response {
        let body = format!("<Error><Code>{code}</Code><Message>of {code}</Message></Error>");
        let length = body.len();
        let body = match request.line.starts_with("HEAD ") {
            true => "",
            false => &body,
        };
        let head = format!("HTTP/1.1 {status}\r\nContent-Length: {length}\r\n\r\n");
        Response(format!("{head}{body}").into_bytes())
    }

    /// Whether the server says that it did what it was asked.
    pub fn is_success(&self) -> bool {
        self.0.starts_with(b"HTTP/1.1 2") && find(&self.0, b"<Error>").is_none()
    }

    /// The bytes for a client, and whether the connection can be used on.
    pub fn for_client(&self) -> (Vec<u8>, bool) {
        let end = find(&self.0, b"\r\n\r\n").unwrap_or(self.0.len());
        let head = String::from_utf8_lossy(&self.0[..end]).into_owned();
        let is_ended = header(&head, "content-length").is_some()
            || header(&head, "transfer-encoding").is_some()
            || head.starts_with("HTTP/1.1 204");
        if !is_ended {
            return (self.0.clone(), false);
        }
        let lines = head.split("\r\n");
        let lines = lines.filter(|line| !line.to_ascii_lowercase().starts_with("connection:"));
        let mut bytes = lines.collect::<Vec<_>>().join("\r\n").into_bytes();
        bytes.extend_from_slice(&self.0[end..]);
        (bytes, true)
    }

    /// The first half: of the body, or where there is none of the head.
    pub fn half(&self) -> &[u8] {
        let body = find(&self.0, b"\r\n\r\n").map_or(0, |end| end + 4);
        half(&self.0, body)
    }
}

fn half(bytes: &[u8], body: usize) -> &[u8] {
    let more = bytes.len() - body;
    match more > 1 {
        true => &bytes[..body + more / 2],
        false => &bytes[..body / 2],
    }
}

/// One exchange on a connection of its own, which the server is asked to close.
async fn exchange(server: SocketAddr, request: &[u8], ends: bool) -> io::Result<Vec<u8>> {
    let mut stream = TcpStream::connect(server).await?;
    stream.set_nodelay(true)?;
    let line = find(request, b"\r\n").map_or(0, |end| end + 2);
    let (line, rest) = request.split_at(line);
    let bytes = [line, b"Connection: close\r\n", rest].concat();
    stream.write_all(&bytes).await?;
    if ends {
        stream.shutdown().await?;
    }
    let mut answer = Vec::new();
    // A server that was sent half a request may just hang up.
    let _ = stream.read_to_end(&mut answer).await;
    Ok(answer)
}

fn header<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    let fields = head.lines().filter_map(|line| line.split_once(':'));
    let mut named = fields.filter(|(known, _)| known.eq_ignore_ascii_case(name));
    named.next().map(|(_, value)| value.trim())
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|part| part == wanted)
}
