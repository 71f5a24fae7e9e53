//! Chat completions as OpenAI, llama.cpp, Ollama, vLLM, LM Studio and others
//! serve them.

mod probe;
mod wire;

use super::http::{
    Attempt, Failure, Patience, Refused, Server, ServerConfig, Words, attempt_until_answered,
};
use super::{Completion, Model, Progress, Request};
use crate::error::Result;
use async_trait::async_trait;
use reqwest::header;
use std::sync::Mutex;
use wire::{Chat, Dialect};

/// OpenAI's own server.
pub const DEFAULT_BASE_URL: &str = "https://api.openai.com/v1";

/// The settings of an OpenAI-compatible server.
pub type OpenAiConfig = ServerConfig;

const WORDS: Words = Words {
    scheme: "openai",
    url_variable: "OPENAI_BASE_URL",
    key_variable: "OPENAI_API_KEY",
    answer: "chat completion",
    urls: "http://127.0.0.1:8080/v1 or https://api.openai.com/v1",
    url_hint: ", which mostly ends in /v1",
    path: "/chat/completions",
    path_ends: &["/chat/completions"],
    start: " (llama-server -m MODEL.gguf --host 127.0.0.1 --port PORT)",
    too_long: ". Start the server with a longer context (llama-server -c 16384, OLLAMA_CONTEXT_LENGTH=16384) or use a model with one",
    refused: wire::refused,
};

/// A model behind an OpenAI-compatible server. Dropping the future of
/// [`complete`](Model::complete) closes the connection, at which servers stop generating.
#[derive(Debug)]
pub struct OpenAi {
    name: String,
    config: OpenAiConfig,
    server: Server,
    /// The same server, at the URL for texts to be continued.
    texts: Server,
    dialect: Mutex<Dialect>,
}

impl OpenAi {
    /// Prepares a client; nothing is sent yet.
    ///
    /// # Errors
    /// [`Error::usage`](crate::Error::usage) if the base URL is invalid or holds a password, or
    /// the key holds a line break; [`Error::model`](crate::Error::model) if TLS cannot be set up.
    pub fn new(config: OpenAiConfig) -> Result<Self> {
        let key = config.api_key.as_ref().map(|key| key.header("Bearer "));
        let key = key.transpose()?.map(|key| (header::AUTHORIZATION, key));
        let server = Server::new(&WORDS, &config, key.as_slice())?;
        Ok(OpenAi {
            name: format!("openai:{}", config.model),
            texts: server.beside("/chat/completions", "/completions"),
            server,
            config,
            dialect: Mutex::default(),
        })
    }

    /// Handles the refusal of a parameter in a request that was sent with the dialect
    /// `used`. The current dialect may differ by now, because concurrent requests change
    /// it as well.
    fn learn(&self, refused: Refused, used: Dialect) -> Failure {
        if used.avoids(refused) {
            let (server, name) = (&self.server.shown, refused.name());
            return Failure::Final(format!("{server} keeps refusing `{name}`"));
        }
        self.lock_dialect().avoid(refused);
        Failure::Dialect(refused)
    }

    /// A panic cannot leave half-changed flags behind the lock.
    fn lock_dialect(&self) -> std::sync::MutexGuard<'_, Dialect> {
        self.dialect.lock().unwrap_or_else(|lock| lock.into_inner())
    }
}

#[async_trait]
impl Attempt for OpenAi {
    async fn attempt(
        &self,
        request: &Request,
        say: &mut (dyn for<'t> FnMut(&'t str) + Send),
    ) -> Result<Completion, Failure> {
        let dialect = *self.lock_dialect();
        let body = wire::body(&self.config.model, request, dialect, &self.config.extra);
        let server = match wire::is_text(request) {
            true => &self.texts,
            false => &self.server,
        };
        let answer = server.exchange::<Chat>(&body, &request.stop, say).await;
        answer.map_err(|failure| match failure {
            Failure::Dialect(refused) => self.learn(refused, dialect),
            other => other,
        })
    }
}

#[async_trait]
impl Model for OpenAi {
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
        let patience = Patience {
            server: &self.server.shown,
            backoff: &self.config.backoff,
            total: self.config.total_timeout,
        };
        attempt_until_answered(self, request, progress, patience).await
    }
}
