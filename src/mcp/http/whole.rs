//! An HTTP client of the protocol that passes on whole descriptions of tools. The protocol's library
//! leaves out what it does not know of them.

use crate::domain::strict_json;
use crate::mcp::lines::with_whole_tools;
use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use http::{HeaderName, HeaderValue};
use rmcp::model::{ClientJsonRpcMessage, ClientRequest, JsonRpcMessage};
use rmcp::transport::streamable_http_client::{
    SseError, StreamableHttpClient, StreamableHttpError, StreamableHttpPostResponse,
    StreamableHttpResponseLimits,
};
use sse_stream::Sse;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

type Failed = StreamableHttpError<reqwest::Error>;
type Events = BoxStream<'static, Result<Sse, SseError>>;
type Headers = HashMap<HeaderName, HeaderValue>;

/// The library's client, whose lists of tools are those of the wire.
#[derive(Clone)]
pub struct Whole {
    client: reqwest::Client,
    /// Whether the server lists its tools in a stream of events.
    streams: Arc<AtomicBool>,
}

/// A message that is sent.
struct Post<'a> {
    uri: &'a str,
    message: &'a ClientJsonRpcMessage,
    session: Option<&'a str>,
    token: Option<&'a str>,
    headers: &'a Headers,
}

impl Whole {
    /// This client of HTTP.
    pub fn new(client: reqwest::Client) -> Self {
        Whole {
            client,
            streams: Arc::default(),
        }
    }

    /// Asks for the tools. Where the answer is not one JSON document there is none, and nothing is
    /// lost by asking again: a list changes nothing.
    async fn list(&self, post: Post<'_>, most: usize) -> Option<StreamableHttpPostResponse> {
        let mut request = self
            .client
            .post(post.uri)
            .header("accept", "text/event-stream, application/json");
        for (name, value) in post.headers {
            request = request.header(name, value);
        }
        if let Some(token) = post.token {
            request = request.bearer_auth(token);
        }
        if let Some(session) = post.session {
            request = request.header("mcp-session-id", session);
        }
        let mut answer = request.json(post.message).send().await.ok()?;
        let header = |name: &str| {
            let value = answer.headers().get(name)?;
            value.to_str().ok().map(str::to_owned)
        };
        let kind = header("content-type")?.to_ascii_lowercase();
        let is_json = kind.trim_start().starts_with("application/json");
        if !answer.status().is_success() || !is_json {
            let streams = answer.status().is_success();
            self.streams.store(streams, Ordering::SeqCst);
            return None;
        }
        let session = header("mcp-session-id");
        let mut body = Vec::new();
        while let Some(piece) = answer.chunk().await.ok()? {
            body.extend_from_slice(&piece);
            if body.len() > most {
                return None;
            }
        }
        let text = String::from_utf8_lossy(&body);
        let text = strict_json(text.trim(), None);
        let whole = with_whole_tools(&text);
        let message = serde_json::from_str(whole.as_deref().unwrap_or(&text)).ok()?;
        match &message {
            JsonRpcMessage::Response(_) if whole.is_none() => None,
            _ => Some(StreamableHttpPostResponse::Json(message, session)),
        }
    }
}

/// The same events, with whole tools in them.
fn whole(events: Events) -> Events {
    let whole = |event: Result<Sse, SseError>| {
        let mut event = event?;
        if let Some(data) = &mut event.data
            && let Some(whole) = with_whole_tools(data)
        {
            *data = whole;
        }
        Ok(event)
    };
    events.map(whole).boxed()
}

impl StreamableHttpClient for Whole {
    type Error = reqwest::Error;

    async fn post_message(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        token: Option<String>,
        headers: Headers,
    ) -> Result<StreamableHttpPostResponse, Failed> {
        let limits = StreamableHttpResponseLimits::default();
        self.post_message_with_response_limits(uri, message, session, token, headers, limits)
            .await
    }

    async fn post_message_with_response_limits(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        token: Option<String>,
        headers: Headers,
        limits: StreamableHttpResponseLimits,
    ) -> Result<StreamableHttpPostResponse, Failed> {
        let is_list = matches!(&message, JsonRpcMessage::Request(asked)
            if matches!(asked.request, ClientRequest::ListToolsRequest(_)));
        if is_list && !self.streams.load(Ordering::SeqCst) {
            let post = Post {
                uri: &uri,
                message: &message,
                session: session.as_deref(),
                token: token.as_deref(),
                headers: &headers,
            };
            if let Some(listed) = self.list(post, limits.max_json_response_size).await {
                return Ok(listed);
            }
        }
        let answer = self
            .client
            .post_message_with_response_limits(uri, message, session, token, headers, limits)
            .await?;
        match answer {
            // It was no list a moment ago, and its tools could say that they are whole.
            StreamableHttpPostResponse::Json(JsonRpcMessage::Response(_), _) if is_list => {
                Err(StreamableHttpError::UnexpectedServerResponse(
                    "the list of tools cannot be read".into(),
                ))
            }
            StreamableHttpPostResponse::Sse(events, session) => {
                Ok(StreamableHttpPostResponse::Sse(whole(events), session))
            }
            other => Ok(other),
        }
    }

    async fn delete_session(
        &self,
        uri: Arc<str>,
        session: Arc<str>,
        token: Option<String>,
        headers: Headers,
    ) -> Result<(), Failed> {
        self.client
            .delete_session(uri, session, token, headers)
            .await
    }

    async fn get_stream(
        &self,
        uri: Arc<str>,
        session: Option<Arc<str>>,
        last: Option<String>,
        token: Option<String>,
        headers: Headers,
    ) -> Result<Events, Failed> {
        let events = self
            .client
            .get_stream(uri, session, last, token, headers)
            .await;
        Ok(whole(events?))
    }

    async fn get_stream_with_max_sse_event_size(
        &self,
        uri: Arc<str>,
        session: Option<Arc<str>>,
        last: Option<String>,
        token: Option<String>,
        headers: Headers,
        most: usize,
    ) -> Result<Events, Failed> {
        let events = self
            .client
            .get_stream_with_max_sse_event_size(uri, session, last, token, headers, most)
            .await;
        Ok(whole(events?))
    }
}
