//! Keys, and how they stay out of sight.

use crate::error::{Error, Result};
use reqwest::header::HeaderValue;

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

    /// The `Authorization` header.
    pub(crate) fn header(&self) -> Result<HeaderValue> {
        let mut header = HeaderValue::try_from(format!("Bearer {}", self.0)).map_err(|_| {
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
