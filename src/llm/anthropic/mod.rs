//! Anthropic's Messages API (`POST /v1/messages`), streamed.
//!
//! The instructions have a field of their own, and adjacent messages of one role are
//! joined. Two places are marked for the server's prompt cache: the end of the
//! instructions, which hold the API document, and the end of the message before the last
//! one. Up to there, the examples stay the same (and, in prompts for replies, the turn).
//! `omit = ["cache_control"]` in the config file removes the marks. The API takes no
//! sampling seed, so [`Request::seed`] is not sent, and two runs with one seed may
//! differ.
//!
//! The client has never met the real service: its tests use a server on loopback that
//! answers in the documented shapes, errors included.

mod wire;

use super::http::{
    Attempt, Failure, Patience, Server, ServerConfig, Words, attempt_until_answered,
};
use super::{Completion, Model, Progress, Request, without_grammar};
use crate::error::Result;
use async_trait::async_trait;
use reqwest::header::{HeaderName, HeaderValue};
use wire::Message;

/// Anthropic's own server.
pub const ANTHROPIC_BASE_URL: &str = "https://api.anthropic.com";

/// The version of the API, in the header `anthropic-version`.
const VERSION: &str = "2023-06-01";

/// The settings of a server with Anthropic's protocol.
pub type AnthropicConfig = ServerConfig;

const WORDS: Words = Words {
    scheme: "anthropic",
    url_variable: "ANTHROPIC_BASE_URL",
    key_variable: "ANTHROPIC_API_KEY",
    answer: "message",
    urls: "https://api.anthropic.com",
    url_hint: ", to which /v1/messages is added",
    path: "/v1/messages",
    path_ends: &["/messages", "/v1"],
    start: "",
    too_long: ". Ask for less (--setting b), or use a model with a longer context",
    refused: |_| None,
};

/// A model behind a server with Anthropic's protocol. Dropping the future of
/// [`complete`](Model::complete) closes the connection, at which servers stop generating.
#[derive(Debug)]
pub struct Anthropic {
    name: String,
    config: AnthropicConfig,
    server: Server,
}

impl Anthropic {
    /// Prepares a client; nothing is sent yet.
    ///
    /// # Errors
    /// [`Error::usage`](crate::Error::usage) if the base URL is invalid or holds a password, or
    /// the key holds a line break; [`Error::model`](crate::Error::model) if TLS cannot be set up.
    pub fn new(config: AnthropicConfig) -> Result<Self> {
        let mut headers = vec![(
            HeaderName::from_static("anthropic-version"),
            HeaderValue::from_static(VERSION),
        )];
        if let Some(key) = &config.api_key {
            headers.push((HeaderName::from_static("x-api-key"), key.header("")?));
        }
        Ok(Anthropic {
            name: format!("anthropic:{}", config.model),
            server: Server::new(&WORDS, &config, &headers)?,
            config,
        })
    }
}

#[async_trait]
impl Attempt for Anthropic {
    async fn attempt(
        &self,
        request: &Request,
        say: &mut (dyn for<'t> FnMut(&'t str) + Send),
    ) -> Result<Completion, Failure> {
        let body = wire::body(&self.config.model, request, &self.config.extra);
        let answer = self.server.exchange::<Message>(&body, &request.stop, say);
        answer.await
    }
}

#[async_trait]
impl Model for Anthropic {
    fn name(&self) -> &str {
        &self.name
    }

    fn server(&self) -> Option<&str> {
        Some(&self.config.base_url)
    }

    async fn complete(
        &self,
        request: &Request,
        progress: &mut (dyn for<'p> FnMut(Progress<'p>) + Send),
    ) -> Result<Completion> {
        without_grammar(self, request)?;
        let patience = Patience {
            server: &self.server.shown,
            backoff: &self.config.backoff,
            total: self.config.total_timeout,
        };
        attempt_until_answered(self, request, progress, patience).await
    }
}
