//! A model server: its address, its HTTP client, and its name in messages.

use super::failure::quote;
use super::{ServerConfig, Words};
use crate::error::{Error, Result};
use crate::http;
use crate::llm::ApiKey;
use crate::llm::secret::without_own;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Url};
use std::borrow::Cow;
use std::time::Duration;

/// A server that speaks JSON over HTTP.
#[derive(Debug, Clone)]
pub(in crate::llm) struct Server {
    pub words: &'static Words,
    pub model: String,
    /// The base URL for messages. It has no query, because a query may hold a secret.
    pub shown: String,
    /// The URL of requests.
    pub endpoint: Url,
    pub client: Client,
    /// The headers of every request, the key among them.
    pub headers: HeaderMap,
    pub key: Option<ApiKey>,
    pub idle_timeout: Duration,
    pub max_answer_bytes: usize,
}

impl Server {
    /// Prepares a client; nothing is sent yet. `headers` go with every request.
    ///
    /// # Errors
    /// [`Error::usage`] if the base URL is invalid or holds a password; [`Error::model`] if
    /// TLS cannot be set up.
    pub(in crate::llm) fn new(
        words: &'static Words,
        config: &ServerConfig,
        headers: &[(HeaderName, HeaderValue)],
    ) -> Result<Self> {
        let (endpoint, shown) = endpoint(words, &config.base_url)?;
        Ok(Server {
            words,
            model: config.model.clone(),
            shown,
            client: http_client(&endpoint, config.connect_timeout)?,
            endpoint,
            headers: headers.iter().cloned().collect(),
            key: config.api_key.clone(),
            idle_timeout: config.idle_timeout,
            max_answer_bytes: config.max_answer_bytes,
        })
    }

    /// The same server at another URL: `path` replaces `end` in this one's.
    pub(in crate::llm) fn beside(&self, end: &str, path: &str) -> Server {
        let mut endpoint = self.endpoint.clone();
        let base = endpoint.path().strip_suffix(end).unwrap_or_default();
        let path = format!("{base}{path}");
        endpoint.set_path(&path);
        Server {
            endpoint,
            ..self.clone()
        }
    }

    /// Whether the server is on this machine.
    pub(in crate::llm) fn is_loopback(&self) -> bool {
        http::is_loopback(&self.endpoint)
    }

    /// Strings that must not appear in any output.
    fn secrets(&self) -> Vec<&str> {
        self.key.iter().map(ApiKey::expose).collect()
    }

    /// Removes the key from a text of the server, which may repeat it.
    pub(super) fn clean<'t>(&self, text: &'t str) -> Cow<'t, str> {
        without_own(text, &self.secrets())
    }

    /// A server's words, cleaned for use in a sentence; empty if there are none.
    pub(super) fn quoted(&self, text: &str) -> String {
        match quote(text, &self.secrets()) {
            quoted if quoted.is_empty() => quoted,
            quoted => format!(": {}", quoted.trim_end_matches('.')),
        }
    }
}

/// The URL of requests, and the base URL in messages.
fn endpoint(words: &Words, base_url: &str) -> Result<(Url, String)> {
    let usage = |problem: &str| {
        Error::usage(format!(
            "the base URL {problem}; it looks like {}",
            words.urls
        ))
    };
    let mut url = Url::parse(base_url.trim()).map_err(|problem| {
        usage(&format!(
            "`{}` is not a URL: {problem}",
            base_url.escape_debug()
        ))
    })?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err(usage(&format!(
            "must not hold a password: put it in {}",
            words.key_variable
        )));
    }
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
        return Err(usage(&format!("`{url}` is not one of http or https")));
    }
    url.set_fragment(None);
    let path = url.path().trim_end_matches('/').to_owned();
    let mut path = path.as_str();
    for end in words.path_ends {
        path = path.strip_suffix(end).unwrap_or(path);
        path = path.trim_end_matches('/');
    }
    let path = path.to_owned();
    url.set_path(&path);
    let mut shown = url.clone();
    shown.set_query(None);
    let shown = shown.as_str().trim_end_matches('/').to_owned();
    url.set_path(&format!("{path}{}", words.path));
    Ok((url, shown))
}

/// A client for an endpoint. It follows no redirects.
///
/// # Errors
/// [`Error::model`] when TLS cannot be set up.
pub(in crate::llm) fn http_client(endpoint: &Url, connect_timeout: Duration) -> Result<Client> {
    let builder = http::direct_client(endpoint).connect_timeout(connect_timeout);
    (builder.build()).map_err(|error| Error::model(http::no_https(&error)))
}
