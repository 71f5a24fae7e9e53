//! Chat completions as OpenAI, llama.cpp, Ollama, vLLM, LM Studio and others
//! serve them.

mod exchange;
mod failure;
mod probe;
mod reading;
mod retry;
mod sse;
mod wire;

pub use retry::Backoff;

use super::{ApiKey, Completion, Model, Progress, Request, Role};
use crate::error::{Error, Result};
use async_trait::async_trait;
use failure::Failure;
use reqwest::{Client, Url};
use std::sync::Mutex;
use std::time::Duration;
use wire::Dialect;

/// OpenAI's own server.
pub const DEFAULT_BASE_URL: &str = "https://api.openai.com/v1";

/// Where the server is, and how much patience there is with it.
#[derive(Debug, Clone, PartialEq)]
pub struct OpenAiConfig {
    /// The part of the address before `/chat/completions`; for most servers it
    /// ends in `/v1`.
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

impl OpenAiConfig {
    /// The defaults for a model at a base URL, without a key.
    pub fn new(base_url: impl Into<String>, model: impl Into<String>) -> Self {
        OpenAiConfig {
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

/// A model behind an OpenAI-compatible server. Dropping the future of
/// [`complete`](Model::complete) closes the connection, which makes servers stop.
#[derive(Debug)]
pub struct OpenAi {
    name: String,
    config: OpenAiConfig,
    endpoint: Url,
    /// The base URL for people: without a query, which may hold a secret.
    server: String,
    client: Client,
    dialect: Mutex<Dialect>,
}

impl OpenAi {
    /// Prepares a client; nothing is sent yet.
    ///
    /// # Errors
    /// [`Error::Usage`] when the base URL is none or holds a password, or the
    /// key cannot be a key; [`Error::Model`] when TLS cannot be set up.
    pub fn new(config: OpenAiConfig) -> Result<Self> {
        let (endpoint, server) = endpoint(&config.base_url)?;
        if let Some(key) = &config.api_key {
            key.header()?;
        }
        Ok(OpenAi {
            name: format!("openai:{}", config.model),
            client: client(&endpoint, &config)?,
            endpoint,
            server,
            config,
            dialect: Mutex::default(),
        })
    }

    async fn complete_with_retries(
        &self,
        request: &Request,
        progress: &mut (dyn for<'p> FnMut(Progress<'p>) + Send),
    ) -> Result<Completion> {
        let mut attempt = 1;
        loop {
            let mut spoke = false;
            let mut watch = |text: &str| {
                spoke = true;
                progress(Progress::Text(text));
            };
            let (reason, asked, hint) = match self.exchange(request, &mut watch).await {
                Ok(completion) => return Ok(completion),
                Err(Failure::Final(reason)) => return Err(Error::Model(reason)),
                Err(Failure::Passing {
                    reason,
                    asked,
                    hint,
                }) => (reason, asked, hint),
                Err(Failure::Dialect(refused)) => {
                    let fresh = self.lock_dialect().learn(refused);
                    if fresh {
                        continue;
                    }
                    let reason = format!("{} keeps refusing `{}`", self.server, refused.name());
                    return Err(Error::Model(reason));
                }
            };
            let Some(delay) = self.config.backoff.delay(attempt, asked) else {
                let mut reason = self.give_up(reason, attempt, asked);
                if let Some(hint) = hint {
                    reason.push_str(". ");
                    reason.push_str(&hint);
                }
                return Err(Error::Model(reason));
            };
            if spoke {
                progress(Progress::Restart);
            }
            progress(Progress::Waiting {
                delay,
                attempt,
                reason: &reason,
            });
            tokio::time::sleep(delay).await;
            attempt += 1;
        }
    }

    /// Where a request goes: a text has an address of its own.
    fn address(&self, request: &Request) -> Url {
        let mut url = self.endpoint.clone();
        if matches!(request.messages.as_slice(), [text] if text.role == Role::Text) {
            let path = url.path().replace("/chat/completions", "/completions");
            url.set_path(&path);
        }
        url
    }

    fn give_up(&self, reason: String, attempts: u32, asked: Option<Duration>) -> String {
        match asked {
            Some(asked) if asked > self.config.backoff.longest => {
                format!("{reason}; it asks to come back in {asked:?}")
            }
            _ if attempts == 1 => reason,
            _ => format!("{reason} (tried {attempts} times)"),
        }
    }

    /// What is behind the lock is a few flags, whole at any time.
    fn lock_dialect(&self) -> std::sync::MutexGuard<'_, Dialect> {
        self.dialect.lock().unwrap_or_else(|lock| lock.into_inner())
    }
}

#[async_trait]
impl Model for OpenAi {
    fn name(&self) -> &str {
        &self.name
    }

    async fn complete(
        &self,
        request: &Request,
        progress: &mut (dyn for<'p> FnMut(Progress<'p>) + Send),
    ) -> Result<Completion> {
        let total = self.config.total_timeout;
        let work = self.complete_with_retries(request, progress);
        match tokio::time::timeout(total, work).await {
            Ok(result) => result,
            Err(_) => Err(Error::Model(format!(
                "{} had no whole answer after {total:?}; a slow server needs a longer `total_timeout_s` under [model] in the config file",
                self.server
            ))),
        }
    }
}

/// The address to post to, and the base URL for people.
fn endpoint(base_url: &str) -> Result<(Url, String)> {
    let usage = |problem: &str| {
        Error::Usage(format!(
            "the base URL {problem}; it looks like http://127.0.0.1:8080/v1 or {DEFAULT_BASE_URL}"
        ))
    };
    let mut url = Url::parse(base_url.trim())
        .map_err(|problem| usage(&format!("`{}` is none: {problem}", base_url.escape_debug())))?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err(usage("must not hold a password: put it in OPENAI_API_KEY"));
    }
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
        return Err(usage(&format!("`{url}` is not one of http or https")));
    }
    url.set_fragment(None);
    let path = url.path().trim_end_matches('/');
    let path = path.strip_suffix("/chat/completions").unwrap_or(path);
    let path = path.trim_end_matches('/').to_owned();
    url.set_path(&path);
    let mut shown = url.clone();
    shown.set_query(None);
    let shown = shown.as_str().trim_end_matches('/').to_owned();
    url.set_path(&format!("{path}/chat/completions"));
    Ok((url, shown))
}

fn client(endpoint: &Url, config: &OpenAiConfig) -> Result<Client> {
    // An `Err` says that a provider is installed already, which is all we want.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut builder = Client::builder()
        .user_agent(concat!("dialog2api/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(config.connect_timeout)
        // A redirected POST becomes a GET, and the key would travel along.
        .redirect(reqwest::redirect::Policy::none());
    if endpoint.scheme() == "http" {
        // No certificate is looked at, so a machine without any will do.
        builder = builder.tls_certs_only([]);
    }
    if is_loopback(endpoint) {
        builder = builder.no_proxy();
    }
    builder.build().map_err(|error| {
        Error::Model(format!(
            "cannot set up HTTPS: {}; install the system's root certificates (package ca-certificates)",
            failure::root_cause(&error)
        ))
    })
}

fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let host = host.trim_start_matches('[').trim_end_matches(']');
    match host.parse::<std::net::IpAddr>() {
        Ok(address) => address.is_loopback(),
        Err(_) => host == "localhost" || host.ends_with(".localhost"),
    }
}
