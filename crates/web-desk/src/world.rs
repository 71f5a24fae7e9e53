//! The world in the page: what lies where, and the buttons that change it.

use crate::commands::{Begun, Command, Refused};
use crate::desk::{Content, Incoming, Look, Page, Received, Version, Wish};
use crate::server::Shared;
use axum::Json;
use axum::body::Body;
use axum::extract::{Query, State};
use axum::http::header::{
    CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName,
    HeaderValue,
};
use axum::response::Response;
use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt, future};
use serde::Deserialize;
use serde_json::{Value, json};
use std::io;

pub(crate) async fn browse(
    State(shared): State<Shared>,
    Query(look): Query<Look>,
) -> Result<Json<Page>, Refused> {
    let page = shared.desk.browse(look).await;
    shared.done(page).map(Json)
}

#[derive(Deserialize)]
pub(crate) struct At {
    path: String,
    version: Option<String>,
    /// How many bytes a preview wants at most.
    most: Option<usize>,
    /// How many bytes at the end a preview wants.
    last: Option<u64>,
}

/// The bytes of a thing. They are never a page of ours: a browser saves them.
pub(crate) async fn read(
    State(shared): State<Shared>,
    Query(at): Query<At>,
) -> Result<Response, Refused> {
    let content = shared.desk.read(at.path, at.version, at.last).await;
    let Content { size, bytes } = shared.done(content)?;
    let mut response = match at.most {
        None => Response::new(Body::from_stream(bytes)),
        Some(most) => Response::new(Body::from_stream(first(bytes, most))),
    };
    let headers = response.headers_mut();
    let mut fixed = |name, value| headers.insert(name, HeaderValue::from_static(value));
    fixed(CONTENT_TYPE, "application/octet-stream");
    fixed(CONTENT_DISPOSITION, "attachment");
    fixed(CONTENT_SECURITY_POLICY, "default-src 'none'; sandbox");
    if let Some(size) = size {
        let name = match (at.most, at.last) {
            (None, None) => CONTENT_LENGTH,
            _ => HeaderName::from_static("x-desk-size"),
        };
        headers.insert(name, HeaderValue::from(size));
    }
    Ok(response)
}

type Read = Result<Bytes, std::io::Error>;

/// The first bytes of a stream; what follows is not read.
fn first(
    bytes: impl futures_util::Stream<Item = Read> + Send + 'static,
    most: usize,
) -> impl futures_util::Stream<Item = Read> + Send + 'static {
    bytes.scan(most, |left, chunk| {
        let chunk = match chunk {
            _ if *left == 0 => None,
            Ok(chunk) => {
                let part = chunk.slice(..chunk.len().min(*left));
                *left -= part.len();
                Some(Ok(part))
            }
            Err(error) => Some(Err(error)),
        };
        future::ready(chunk)
    })
}

#[derive(Deserialize)]
pub(crate) struct Path {
    path: String,
}

pub(crate) async fn versions(
    State(shared): State<Shared>,
    Query(Path { path }): Query<Path>,
) -> Result<Json<Vec<Version>>, Refused> {
    let versions = shared.desk.versions(path).await;
    shared.done(versions).map(Json)
}

#[derive(Deserialize)]
pub(crate) struct Delete {
    paths: Vec<String>,
    version: Option<String>,
}

pub(crate) async fn delete(State(shared): State<Shared>, Json(it): Json<Command<Delete>>) -> Begun {
    let Delete { paths, version } = it.checked(&shared)?;
    let wish = Wish::Delete { paths, version };
    shared.begun(shared.desk.propose(wish).await)
}

#[derive(Deserialize)]
pub(crate) struct Restore {
    path: String,
    version: String,
}

pub(crate) async fn restore(
    State(shared): State<Shared>,
    Json(it): Json<Command<Restore>>,
) -> Begun {
    let Restore { path, version } = it.checked(&shared)?;
    let wish = Wish::Restore { path, version };
    shared.begun(shared.desk.propose(wish).await)
}

#[derive(Deserialize)]
pub(crate) struct Make {
    name: String,
}

pub(crate) async fn make(State(shared): State<Shared>, Json(it): Json<Command<Make>>) -> Begun {
    let Make { name } = it.checked(&shared)?;
    shared.begun(shared.desk.propose(Wish::Make { name }).await)
}

#[derive(Deserialize)]
pub(crate) struct Move {
    paths: Vec<String>,
    to: String,
}

pub(crate) async fn rename(State(shared): State<Shared>, Json(it): Json<Command<Move>>) -> Begun {
    let Move { paths, to } = it.checked(&shared)?;
    shared.begun(shared.desk.propose(Wish::Move { paths, to }).await)
}

#[derive(Deserialize)]
pub(crate) struct Share {
    path: String,
    seconds: u32,
}

pub(crate) async fn share(State(shared): State<Shared>, Json(it): Json<Command<Share>>) -> Begun {
    let Share { path, seconds } = it.checked(&shared)?;
    shared.begun(shared.desk.propose(Wish::Share { path, seconds }).await)
}

#[derive(Deserialize)]
pub(crate) struct Upload {
    folder: String,
    files: Vec<Received>,
}

pub(crate) async fn upload(State(shared): State<Shared>, Json(it): Json<Command<Upload>>) -> Begun {
    let Upload { folder, files } = it.checked(&shared)?;
    let wish = Wish::Upload { folder, files };
    shared.begun(shared.desk.propose(wish).await)
}

#[derive(Deserialize)]
pub(crate) struct Receive {
    session: String,
}

/// Takes in a file of any size, as it comes.
pub(crate) async fn receive(
    State(shared): State<Shared>,
    Query(Receive { session }): Query<Receive>,
    body: Body,
) -> Result<Json<Value>, Refused> {
    shared.in_session(&session)?;
    let bytes = body.into_data_stream().map_err(io::Error::other).boxed();
    let held = shared.desk.receive(Incoming { bytes }).await;
    Ok(Json(json!({"held": shared.done(held)?})))
}
