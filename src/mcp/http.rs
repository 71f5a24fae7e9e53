//! The HTTP transport to a server.

mod whole;

use super::server::{Server, Url, variable};
use crate::error::{Error, Result, innermost};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::{
    StreamableHttpClientTransportConfig, StreamableHttpError,
};
use std::error::Error as StdError;
use std::time::Duration;
use whole::Whole;

/// The time for connecting.
const CONNECT: Duration = Duration::from_secs(10);

/// The transport to an address. It follows no redirects, so that a token goes nowhere else.
///
/// # Errors
/// The address is invalid, the variable of the token is not set, or HTTPS cannot be set up.
pub fn transport(url: &Url, server: &Server) -> Result<StreamableHttpClientTransport<Whole>> {
    let (client, address, is_local) = client(url, server)?;
    let wrong = |problem: String| Error::usage(format!("the MCP server `{server}`: {problem}"));
    let is_plain = address.scheme() == "http";
    let mut config = StreamableHttpClientTransportConfig::with_uri(url.url.as_str());
    // A call is never sent twice here: the world decides what may be repeated.
    config = config.reinit_on_expired_session(false);
    if let Some(name) = &url.token_variable {
        if is_plain && !is_local {
            return Err(wrong(format!(
                "the token in {name} would be sent unencrypted; use https://"
            )));
        }
        config = config.auth_header(variable(name, server)?);
    }
    Ok(StreamableHttpClientTransport::with_client(
        Whole::new(client),
        config,
    ))
}

/// Whether a server that refused the greeting speaks the transport of 2024: a GET of its address
/// is a stream that begins with the address for messages.
pub async fn is_older(url: &Url, server: &Server) -> bool {
    let asked = async {
        let (client, address, is_local) = client(url, server).ok()?;
        let mut request = client
            .get(address.clone())
            .header("accept", "text/event-stream");
        if let Some(name) = &url.token_variable
            && (is_local || address.scheme() == "https")
        {
            request = request.bearer_auth(variable(name, server).ok()?);
        }
        let mut answer = request.send().await.ok()?.error_for_status().ok()?;
        let first = answer.chunk().await.ok()??;
        let first = String::from_utf8_lossy(&first).into_owned();
        Some(
            first
                .lines()
                .any(|line| line.trim_end().ends_with("endpoint")),
        )
    };
    let asked = tokio::time::timeout(CONNECT, asked).await;
    asked.ok().flatten().unwrap_or_default()
}

/// A client for an address, the address, and whether it is on this machine.
fn client(url: &Url, server: &Server) -> Result<(reqwest::Client, reqwest::Url, bool)> {
    let wrong = |problem: String| Error::usage(format!("the MCP server `{server}`: {problem}"));
    let address = reqwest::Url::parse(&url.url)
        .ok()
        .filter(|address| matches!(address.scheme(), "http" | "https") && address.has_host())
        .ok_or_else(|| wrong("its address must begin with http:// or https://".to_owned()))?;
    let client = crate::http::direct_client(&address).connect_timeout(CONNECT);
    let client = client.build();
    let client = client.map_err(|error| wrong(crate::http::no_https(&error)))?;
    // Who answers for a name below localhost is not the same everywhere.
    let is_named = address
        .host_str()
        .is_some_and(|host| host.ends_with(".localhost"));
    let is_local = crate::http::is_loopback(&address) && !is_named;
    Ok((client, address, is_local))
}

/// The innermost cause of an error, on one line, without web pages.
pub fn cause(error: &(dyn StdError + 'static)) -> String {
    if let Some(StreamableHttpError::Client(error)) =
        error.downcast_ref::<StreamableHttpError<reqwest::Error>>()
    {
        // The SDK hides the cause, and the text of the error repeats the URL.
        return innermost(error);
    }
    let mut text = error.to_string();
    let mut deeper = error.source();
    while let Some(error) = deeper {
        let more = error.to_string();
        if !text.contains(&more) {
            text = if more.contains(&text) {
                more
            } else {
                format!("{text}: {more}")
            };
        }
        deeper = error.source();
    }
    let page = ["<!doctype", "<html"].into_iter();
    let page = page
        .filter_map(|tag| text.to_ascii_lowercase().find(tag))
        .min();
    text.truncate(page.unwrap_or(text.len()));
    let text = text.replace(char::is_control, " ");
    text.trim_end_matches([' ', ':']).to_owned()
}
