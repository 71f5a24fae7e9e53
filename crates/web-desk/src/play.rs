//! The page of one seat of a game: what the seat sees, and what its person does. The page knows no
//! game: it draws what it is told.

use crate::log::Log;
use crate::server::Server;
use crate::stream::{self, Feed};
use crate::{assets, guard};
use async_trait::async_trait;
use axum::extract::{FromRef, State};
use axum::http::StatusCode;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Deserialize;
use serde_json::{Value, json};
use std::io;
use std::sync::Arc;

/// One seat of a game behind a page.
///
/// The page understands three events. `opened` has the `session`, and what the board is drawn from.
/// `told` has what was said since, whose turn it is, and how the game ended. `failed` is as in the
/// events of a [`Desk`](crate::Desk).
#[async_trait]
pub trait Play: Send + Sync + 'static {
    /// Carries out what the person does, or answers what it asks.
    ///
    /// # Errors
    /// It is refused: an object with `error`, a sentence, and perhaps a `code`.
    async fn act(&self, act: Value) -> Result<Value, Value>;
}

/// What the handlers know.
#[derive(Clone)]
struct Seated {
    play: Arc<dyn Play>,
    feed: Feed,
}

impl FromRef<Seated> for Feed {
    fn from_ref(seated: &Seated) -> Feed {
        seated.feed.clone()
    }
}

impl Server {
    /// Serves the page of a seat until the future ends. Each seat has a server of its own, so no
    /// page can be told what another one sees.
    ///
    /// # Errors
    /// The listener failed.
    pub async fn serve_seat(
        self,
        play: Arc<dyn Play>,
        log: Arc<Log>,
        until: impl Future<Output = ()> + Send + 'static,
    ) -> io::Result<()> {
        self.serve_with(log, until, |feed| {
            let access = feed.access.clone();
            Router::new()
                .route("/", get(assets::seat))
                .route("/assets/{name}", get(assets::asset))
                .route("/api/hello", get(stream::hello))
                .route("/api/events", get(stream::events))
                .route("/api/act", post(act))
                .with_state(Seated { play, feed })
                .layer(from_fn_with_state(access, guard::admit))
                .layer(from_fn(guard::headers))
        })
        .await
    }
}

/// What a page sends.
#[derive(Deserialize)]
struct Sent {
    session: String,
    what: Value,
}

async fn act(State(seated): State<Seated>, Json(sent): Json<Sent>) -> Response {
    if seated.feed.log.session() != sent.session {
        let why = "Another game was opened meanwhile. Nothing is done.";
        return (StatusCode::CONFLICT, Json(json!({"error": why}))).into_response();
    }
    match seated.play.act(sent.what).await {
        Ok(answer) => Json(answer).into_response(),
        Err(refused) => (StatusCode::CONFLICT, Json(refused)).into_response(),
    }
}
