//! Keys, and how they stay out of sight.

use crate::error::{Error, Result};
use reqwest::header::HeaderValue;
use std::borrow::Cow;

/// What stands where a key stood.
const HIDDEN: &str = "[key]";

/// A shorter key is no secret (`EMPTY`, `ollama`), and may well be a word of an answer.
const SHORTEST_SECRET: usize = 12;

/// A key of a model server. It never shows: not in `Debug`, errors or recordings.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

impl ApiKey {
    /// A key as a person or a file gives it: surrounding blanks are dropped.
    /// `None` when nothing is left.
    pub fn new(key: &str) -> Option<Self> {
        let key = key.trim();
        (!key.is_empty()).then(|| ApiKey(key.to_owned()))
    }

    /// The key itself, for the one place that sends it.
    pub(crate) fn expose(&self) -> &str {
        &self.0
    }

    /// The value of the header that carries the key behind `scheme`.
    pub(crate) fn header(&self, scheme: &str) -> Result<HeaderValue> {
        let mut header = HeaderValue::try_from(format!("{scheme}{}", self.0)).map_err(|_| {
            Error::Usage(
                "the API key holds a line break or a control character: was the whole file pasted?"
                    .to_owned(),
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

/// A text without any of these secrets, however short they are.
pub(super) fn without<'t>(text: &'t str, secrets: &[&str]) -> Cow<'t, str> {
    let mut text = Cow::Borrowed(text);
    for secret in secrets.iter().filter(|secret| !secret.is_empty()) {
        if text.contains(secret) {
            text = Cow::Owned(text.replace(secret, HIDDEN));
        }
    }
    text
}

/// An answer without the secrets of the one who asked: a server may repeat what it was sent.
pub(super) fn without_own<'t>(text: &'t str, secrets: &[&str]) -> Cow<'t, str> {
    let long = secrets.iter().copied();
    let long: Vec<&str> = long
        .filter(|secret| secret.len() >= SHORTEST_SECRET)
        .collect();
    without(text, &long)
}
