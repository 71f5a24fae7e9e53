//! What every page begins with: its key, and the events as a stream.

use crate::access::Access;
use crate::log::{Log, Numbered};
use axum::Json;
use axum::extract::{Query, State};
use axum::http::HeaderMap;
use axum::response::sse::{Event, Sse};
use futures_util::stream::{Stream, unfold};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;

/// A page that hears nothing for longer than this knows that the stream is lost.
const BEAT: Duration = Duration::from_secs(10);

/// The events, and who may have them.
#[derive(Clone)]
pub(crate) struct Feed {
    pub log: Arc<Log>,
    pub access: Arc<Access>,
    /// Becomes true when the server ends.
    pub ends: watch::Receiver<bool>,
}

pub(crate) async fn hello(State(feed): State<Feed>) -> Json<Value> {
    Json(json!({"key": feed.access.key, "session": feed.log.session()}))
}

#[derive(Deserialize)]
pub(crate) struct From {
    /// The id of the last event that the page has.
    after: Option<String>,
}

/// Everything after the event that the page names; all, where that is one of another process.
pub(crate) async fn events(
    State(feed): State<Feed>,
    Query(from): Query<From>,
    headers: HeaderMap,
) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    // A browser that connects again by itself asks for the old address with this header.
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok());
    let last = last.or(from.after.as_deref()).unwrap_or_default();
    let number = match last.split_once('.') {
        Some((run, number)) if run == feed.access.run => number.parse().unwrap_or_default(),
        _ => 0,
    };
    let following = Following {
        news: feed.log.news(),
        run: feed.access.run.clone(),
        log: feed.log,
        ends: feed.ends,
        queue: VecDeque::new(),
        number,
        greets: true,
    };
    Sse::new(unfold(following, |mut following| async {
        let event = following.next().await?;
        Some((Ok(event), following))
    }))
}

struct Following {
    log: Arc<Log>,
    news: watch::Receiver<u64>,
    ends: watch::Receiver<bool>,
    run: String,
    queue: VecDeque<Numbered>,
    number: u64,
    greets: bool,
}

impl Following {
    async fn next(&mut self) -> Option<Event> {
        if std::mem::take(&mut self.greets) {
            return Some(beat());
        }
        loop {
            if let Some(event) = self.queue.pop_front() {
                self.number = event.number;
                let id = format!("{}.{}", self.run, event.number);
                return Some(Event::default().id(id).data(&*event.json));
            }
            // Seen before it is read, so that nothing which comes in between is missed.
            self.news.borrow_and_update();
            self.queue = self.log.after(self.number).into();
            if !self.queue.is_empty() {
                continue;
            }
            tokio::select! {
                changed = self.news.changed() => changed.ok()?,
                _ = self.ends.wait_for(|ends| *ends) => return None,
                () = tokio::time::sleep(BEAT) => return Some(beat()),
            }
        }
    }
}

/// It has no number, so that it does not count as read.
fn beat() -> Event {
    Event::default().data(r#"{"event":"beat"}"#)
}
