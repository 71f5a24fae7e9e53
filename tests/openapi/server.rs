//! A server with pets, in memory: POST, GET, PUT and DELETE on `/pets`, and a few paths that
//! answer oddly.

use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// A running server; it ends with the test's runtime.
pub struct Server {
    pub address: SocketAddr,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    pets: BTreeMap<i64, Json>,
    /// The requests so far: head, blank line, body.
    requests: Vec<String>,
    /// How often `/busy` has been asked.
    busy: usize,
}

/// Status, further header lines, body.
type Reply = (u16, String, Vec<u8>);

impl Server {
    pub async fn start() -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("loopback");
        let address = listener.local_addr().expect("an address");
        let state = Arc::new(Mutex::new(State::default()));
        let shared = state.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let state = shared.clone();
                tokio::spawn(async move {
                    // A client that hangs up early is part of some tests.
                    let _ = serve(stream, &state).await;
                });
            }
        });
        Server { address, state }
    }

    /// What a server at an address would be, where nothing listens.
    pub fn at(address: SocketAddr) -> Self {
        let state = Arc::default();
        Server { address, state }
    }

    pub fn base(&self) -> String {
        format!("http://{}", self.address)
    }

    pub fn requests(&self) -> Vec<String> {
        self.state.lock().expect("the state").requests.clone()
    }
}

async fn serve(mut stream: TcpStream, state: &Mutex<State>) -> std::io::Result<()> {
    let mut bytes = Vec::new();
    let request = loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let lines = head.lines().filter_map(|line| line.split_once(':'));
            let mut length = lines.filter(|(name, _)| name.eq_ignore_ascii_case("content-length"));
            let length = length
                .next()
                .map_or(0, |(_, it)| it.trim().parse().unwrap_or(0));
            if body.len() >= length {
                break text;
            }
        }
        if stream.read_buf(&mut bytes).await? == 0 {
            return Ok(());
        }
    };
    let (status, headers, body) = answer(&request, &mut state.lock().expect("the state"));
    let head = format!(
        "HTTP/1.1 {status} X\r\nContent-Length: {}\r\nConnection: close\r\n{headers}\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).await?;
    stream.write_all(&body).await?;
    stream.shutdown().await
}

fn json_reply(status: u16, body: &Json) -> Reply {
    let head = "Content-Type: application/json; charset=utf-8\r\n".to_owned();
    (status, head, body.to_string().into_bytes())
}

fn answer(request: &str, state: &mut State) -> Reply {
    state.requests.push(request.to_owned());
    let (head, body) = request.split_once("\r\n\r\n").expect("a request");
    let mut line = head.split(' ');
    let (method, target) = (line.next().expect("a method"), line.next().expect("a path"));
    let path = target.split('?').next().unwrap_or_default();
    let id: Option<i64> = path.strip_prefix("/pets/").and_then(|it| it.parse().ok());
    let parsed: Json = serde_json::from_str(body).unwrap_or_default();
    let gone = json!({"error": {"message": "There is no such pet."}, "code": 17});
    match (method, path, id) {
        ("GET", "/pets", _) => {
            let query = target
                .split(['?', '&'])
                .find_map(|it| it.strip_prefix("page="));
            let page: usize = query.map_or(1, |it| it.parse().expect("a page"));
            let pets: Vec<_> = state.pets.values().skip(2 * (page - 1)).take(2).collect();
            let mut reply = json_reply(200, &json!(pets));
            if state.pets.len() > 2 * page {
                let link = format!("Link: </pets?page={}>; rel=\"next\"\r\n", page + 1);
                reply.1.push_str(&link);
            }
            reply
        }
        ("POST", "/pets", _) => {
            let id = state.pets.len() as i64 + 1;
            let mut pet = parsed;
            pet["id"] = json!(id);
            state.pets.insert(id, pet.clone());
            json_reply(201, &pet)
        }
        ("GET", _, Some(id)) => match state.pets.get(&id) {
            Some(pet) => json_reply(200, pet),
            None => json_reply(404, &gone),
        },
        ("PUT", _, Some(id)) => match state.pets.get_mut(&id) {
            Some(pet) => {
                pet["name"] = parsed["name"].clone();
                json_reply(200, pet)
            }
            None => json_reply(404, &gone),
        },
        ("DELETE", _, Some(id)) => match state.pets.remove(&id) {
            Some(_) => (204, String::new(), Vec::new()),
            None => json_reply(404, &gone),
        },
        (_, "/busy", _) => {
            state.busy += 1;
            match state.busy % 3 {
                0 => (
                    200,
                    "Content-Type: text/plain\r\n".to_owned(),
                    b"ready".to_vec(),
                ),
                _ => (
                    503,
                    "Retry-After: 0\r\n".to_owned(),
                    b"<h1>Busy</h1>".to_vec(),
                ),
            }
        }
        (_, "/moved", _) => (302, "Location: /image\r\n".to_owned(), Vec::new()),
        (_, "/away", _) => (
            302,
            "Location: http://127.0.0.1:9/\r\n".to_owned(),
            Vec::new(),
        ),
        (_, "/round", _) => (302, "Location: /round\r\n".to_owned(), Vec::new()),
        // Pages whose next one is at another server, and at the page itself.
        (_, "/far" | "/circle", _) => {
            let mut reply = json_reply(200, &json!([1]));
            let next = match path {
                "/far" => "http://127.0.0.1:9/",
                _ => "/circle?again",
            };
            let link = format!("Link: <{next}>; rel=\"next\"\r\n");
            reply.1.push_str(&link);
            reply
        }
        (_, "/image", _) => (
            200,
            "Content-Type: image/png\r\n".to_owned(),
            vec![0x89, 0x50],
        ),
        (_, "/echo", _) => json_reply(200, &json!({"head": head})),
        (_, "/large", _) => json_reply(200, &json!("x".repeat(5000))),
        _ => (400, String::new(), Vec::new()),
    }
}
