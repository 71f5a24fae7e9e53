//! Fetching an OpenAPI document.

use super::send::decoded;
use crate::error::{Error, Result};
use crate::http::{self, cause};
use crate::secrets::shown_url;
use std::time::Duration;

/// The largest document that is fetched, in bytes.
const MOST: usize = 64 << 20;

/// The text of a document at a URL.
///
/// # Errors
/// [`Error::world`]: it cannot be fetched, is too large, or is not text.
pub async fn download(url: &str) -> Result<String> {
    let shown = shown_url(url);
    let failed = |problem: String| Error::world(format!("cannot fetch {shown}: {problem}"));
    let address = reqwest::Url::parse(url).map_err(|error| failed(error.to_string()))?;
    let client = http::client(&address).timeout(Duration::from_secs(120));
    let client = client.build().map_err(|error| failed(error.to_string()))?;
    let sent = client.get(url).send().await;
    let response = sent.and_then(reqwest::Response::error_for_status);
    let mut response = response.map_err(|error| {
        failed(match error.status() {
            Some(status) => format!("it answered {status}"),
            None => cause(&error),
        })
    })?;
    let codings = response.headers().get("content-encoding");
    let codings = codings
        .and_then(|it| it.to_str().ok())
        .unwrap_or_default()
        .to_owned();
    let mut bytes = Vec::new();
    while let Some(piece) = response
        .chunk()
        .await
        .map_err(|error| failed(cause(&error)))?
    {
        bytes.extend_from_slice(&piece);
        if bytes.len() > MOST {
            return Err(failed(format!("it has more than {} MiB", MOST >> 20)));
        }
    }
    let bytes = decoded(bytes, &codings, MOST).map_err(failed)?;
    String::from_utf8(bytes).map_err(|_| failed("it is not text in UTF-8".to_owned()))
}
