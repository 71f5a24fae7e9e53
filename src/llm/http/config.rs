//! The address of a model server, and the timeouts of its client.

use super::Backoff;
use crate::llm::ApiKey;
use std::time::Duration;

/// A model behind a server, and the timeouts of its client.
#[derive(Debug, Clone, PartialEq)]
pub struct ServerConfig {
    /// The common part of all requests' URLs: without `/chat/completions` for an
    /// OpenAI-compatible server (it usually ends in `/v1`), without `/v1/messages` for
    /// Anthropic's.
    pub base_url: String,
    /// The server's name of the model.
    pub model: String,
    /// The key; servers on the same machine usually need none.
    pub api_key: Option<ApiKey>,
    /// The limit for opening a connection.
    pub connect_timeout: Duration,
    /// The longest silence, before and within the answer. A small machine may read a long
    /// prompt for minutes.
    pub idle_timeout: Duration,
    /// The limit for the whole completion, with all tries and waits.
    pub total_timeout: Duration,
    /// When to retry.
    pub backoff: Backoff,
    /// The longest text accepted, in bytes.
    pub max_answer_bytes: usize,
    /// Fields that are added to the request's body, or replace standard ones: a server's own
    /// options (`grammar`, `top_k` …). A `null` removes a field.
    pub extra: serde_json::Map<String, serde_json::Value>,
}

impl ServerConfig {
    /// The defaults for a model at a base URL, without a key.
    pub fn new(base_url: impl Into<String>, model: impl Into<String>) -> Self {
        ServerConfig {
            base_url: base_url.into(),
            model: model.into(),
            api_key: None,
            connect_timeout: Duration::from_secs(10),
            idle_timeout: Duration::from_secs(300),
            total_timeout: Duration::from_secs(1800),
            backoff: Backoff::default(),
            max_answer_bytes: 8 << 20,
            extra: serde_json::Map::new(),
        }
    }
}
