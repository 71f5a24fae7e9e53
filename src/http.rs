//! Clients for HTTP, as every part of this program sets them up.

use crate::error::innermost;
use jiff::Timestamp;
use reqwest::{ClientBuilder, Url};
use std::error::Error as _;
use std::time::Duration;

/// A client for requests to a URL.
pub(crate) fn client(url: &Url) -> ClientBuilder {
    // An `Err` means that a provider is installed already.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let builder =
        reqwest::Client::builder().user_agent(concat!("dialog2api/", env!("CARGO_PKG_VERSION")));
    match url.scheme() {
        // Plain HTTP must work on machines without root certificates.
        "http" => builder.tls_certs_only([]),
        _ => builder,
    }
}

/// A client that speaks to the server of a URL alone: it follows no redirects, which would lead
/// keys elsewhere, and asks no proxy for a server on this machine.
pub(crate) fn direct_client(url: &Url) -> ClientBuilder {
    let builder = client(url).redirect(reqwest::redirect::Policy::none());
    match is_loopback(url) {
        true => builder.no_proxy(),
        false => builder,
    }
}

/// Why no client could be made: a clause with the way out.
pub(crate) fn no_https(error: &reqwest::Error) -> String {
    format!(
        "cannot set up HTTPS: {}; install the system's root certificates (package ca-certificates)",
        cause(error)
    )
}

/// The innermost cause of an error, which does not repeat the URL: "Connection refused (os error
/// 111)".
pub(crate) fn cause(error: &reqwest::Error) -> String {
    match error.source() {
        Some(source) => innermost(source),
        None => "the connection failed".to_owned(),
    }
}

/// Whether a URL leads to this machine.
pub(crate) fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let host = host.trim_start_matches('[').trim_end_matches(']');
    match host.parse::<std::net::IpAddr>() {
        Ok(address) => address.is_loopback(),
        Err(_) => host == "localhost" || host.ends_with(".localhost"),
    }
}

/// The wait that a header `Retry-After` asks for, in seconds or as a date. A date in the past is
/// a wait of zero; any other text is ignored.
pub(crate) fn retry_after(value: &str, now: Timestamp) -> Option<Duration> {
    let value = value.trim();
    if let Ok(seconds) = value.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let date = jiff::fmt::rfc2822::parse(value).ok()?.timestamp();
    Some(Duration::try_from(date.duration_since(now)).unwrap_or(Duration::ZERO))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(value: &str) -> Option<Duration> {
        let now = "2024-11-06T08:49:30Z".parse().expect("a timestamp");
        retry_after(value, now)
    }

    #[test]
    fn retry_after_is_seconds_or_a_date() {
        assert_eq!(after("2"), Some(Duration::from_secs(2)));
        assert_eq!(after(" 0.5 "), Some(Duration::from_millis(500)));
        let date = |text| after(text).map(|wait| wait.as_secs());
        assert_eq!(date("Wed, 06 Nov 2024 08:49:37 GMT"), Some(7));
        assert_eq!(date("Wed, 06 Nov 2024 08:49:00 GMT"), Some(0));
        for nonsense in ["", "soon", "-1", "NaN", "inf", "1e400"] {
            assert_eq!(after(nonsense), None, "{nonsense:?}");
        }
    }

    #[test]
    fn this_machine_has_many_names() {
        let is_here = |url: &str| is_loopback(&url.parse().expect("a URL"));
        for here in [
            "http://127.0.0.1:8080/v1",
            "http://127.3.2.1",
            "https://[::1]:1/",
            "http://localhost",
            "http://api.localhost:3000",
        ] {
            assert!(is_here(here), "{here}");
        }
        for elsewhere in [
            "http://10.0.0.1",
            "http://localhost.example",
            "https://[2001:db8::1]",
            "http://mylocalhost",
        ] {
            assert!(!is_here(elsewhere), "{elsewhere}");
        }
    }

    #[tokio::test]
    async fn the_cause_of_an_error_does_not_repeat_the_url() {
        let url: Url = "http://127.0.0.1:1/secret".parse().expect("a URL");
        let client = direct_client(&url).build().expect("a client");
        let error = client.get(url).send().await.expect_err("nobody listens");
        let cause = cause(&error);
        assert!(cause.starts_with("Connection refused"), "{cause}");
    }
}
