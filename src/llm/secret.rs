//! Keys of model servers, and how they are kept out of all output.

use crate::error::{Error, Result};
use crate::secrets::Secrets;
use reqwest::header::HeaderValue;
use std::borrow::Cow;

/// Shorter keys (`EMPTY`, `ollama`) are not treated as secrets: an answer may contain
/// them as ordinary words.
const SHORTEST_SECRET: usize = 12;

/// A key of a model server. It never appears in `Debug` output, errors or recordings.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

impl ApiKey {
    /// A key from a person or a file, without surrounding blanks; `None` if nothing is left.
    pub fn new(key: &str) -> Option<Self> {
        let key = key.trim();
        (!key.is_empty()).then(|| ApiKey(key.to_owned()))
    }

    /// The key itself, for sending it.
    pub(crate) fn expose(&self) -> &str {
        &self.0
    }

    /// The header value that carries the key after `scheme`.
    pub(crate) fn header(&self, scheme: &str) -> Result<HeaderValue> {
        let mut header = HeaderValue::try_from(format!("{scheme}{}", self.0)).map_err(|_| {
            Error::usage(
                "the API key holds a line break or a control character: was the whole file pasted?",
            )
        })?;
        header.set_sensitive(true);
        Ok(header)
    }
}

impl std::fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ApiKey(…)")
    }
}

/// Replaces these secrets in a text, whatever their length and spelling.
pub(super) fn without<'t>(text: &'t str, secrets: &[&str]) -> Cow<'t, str> {
    Secrets::whatever_length(secrets).hide(text)
}

/// Replaces the requester's own secrets in an answer, because a server may repeat them.
/// Short ones are left.
pub(super) fn without_own<'t>(text: &'t str, secrets: &[&str]) -> Cow<'t, str> {
    let long = secrets.iter();
    let long = long.filter(|secret| secret.len() >= SHORTEST_SECRET);
    Secrets::of(long).hide(text)
}
