//! Where a model server is, and how much patience there is with it.

use super::Backoff;
use crate::llm::ApiKey;
use std::time::Duration;

/// A model behind a server, and how much patience there is with it.
#[derive(Debug, Clone, PartialEq)]
pub struct ServerConfig {
    /// The part of the address that all requests share: for an OpenAI-compatible server
    /// what stands before `/chat/completions` (it mostly ends in `/v1`), for Anthropic's
    /// what stands before `/v1/messages`.
    pub base_url: String,
    /// The name that the server knows the model by.
    pub model: String,
    /// The key; servers on one's own machine mostly want none.
    pub api_key: Option<ApiKey>,
    /// To reach the server.
    pub connect_timeout: Duration,
    /// The longest silence, before and within the answer. A small machine may
    /// read a long prompt for minutes before it says a word.
    pub idle_timeout: Duration,
    /// For the whole completion, with all its tries and waits.
    pub total_timeout: Duration,
    /// When to ask again.
    pub backoff: Backoff,
    /// The longest text taken, in bytes.
    pub max_answer_bytes: usize,
    /// Fields laid over the request's body: a server's own options (`grammar`,
    /// `top_k` …). A `null` takes the field of this name out.
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
