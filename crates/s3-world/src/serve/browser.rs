//! Tells which requests a web page may have sent.
//!
//! A page can send requests to any address that its reader's browser can reach, including
//! loopback. Two checks find them:
//!
//! - `Host` must be one of the server's own names. If a page has made its own name
//!   resolve to this machine (DNS rebinding), its requests still contain that name. They are
//!   refused.
//! - `Origin`, which browsers send with every request that could write, is this server's own
//!   for pages of its own. Requests of other pages go to [`cors`](super::cors).
//!
//! Clients of S3 send no `Origin`.

use crate::domain::Refusal;
use http::header::{HOST, ORIGIN};
use http::uri::Authority;
use http::{HeaderName, HeaderValue, Method, Request};
use std::net::IpAddr;

const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Refuses a request whose `Host` is not one of the server's names. `local` is the address
/// that the client has connected to. It and the names of loopback always belong to the
/// server; `names` are further ones, in lower case.
pub fn check_host<B>(request: &Request<B>, local: IpAddr, names: &[String]) -> Result<(), Refusal> {
    let mut hosts = request.headers().get_all(HOST).iter();
    let host = match (hosts.next().map(|host| host.to_str()), hosts.next()) {
        (Some(Ok(host)), None) => host,
        _ => return Err(refused("exactly one Host header is needed".to_owned())),
    };
    let in_target = request.uri().authority().map(Authority::as_str);
    for host in [Some(host), in_target].into_iter().flatten() {
        if !is_ours(host, local, names) {
            let host: String = host.chars().filter(|c| !c.is_control()).take(255).collect();
            return Err(refused(format!("{host} is not a name of this server")));
        }
    }
    Ok(())
}

/// Whether a page of another origin may have sent the request.
pub fn is_from_elsewhere<B>(request: &Request<B>) -> bool {
    let host = request
        .headers()
        .get(HOST)
        .and_then(|host| host.to_str().ok());
    let is_own = |origin: &HeaderValue| {
        let authority = origin.to_str().ok().and_then(|text| text.split_once("://"));
        let authority = authority.map(|(_, authority)| authority);
        host.zip(authority)
            .is_some_and(|(host, authority)| authority.eq_ignore_ascii_case(host))
    };
    let mut origins = request.headers().get_all(ORIGIN).iter();
    if origins.any(|origin| !is_own(origin)) {
        return true;
    }
    // Links to presigned URLs may be on any page.
    let site = request
        .headers()
        .get(FETCH_SITE)
        .map(|site| site.as_bytes());
    matches!(site, Some(b"cross-site" | b"same-site"))
        && !matches!(*request.method(), Method::GET | Method::HEAD)
}

fn is_ours(host: &str, local: IpAddr, names: &[String]) -> bool {
    let Ok(authority) = host.parse::<Authority>() else {
        return false;
    };
    if authority.as_str().contains('@') {
        return false;
    }
    let name = authority.host().to_ascii_lowercase();
    let unbracketed = name.trim_start_matches('[').trim_end_matches(']');
    if let Ok(address) = unbracketed.parse::<IpAddr>() {
        return address.is_loopback() || address.to_canonical() == local.to_canonical();
    }
    name == "localhost" || name.ends_with(".localhost") || names.contains(&name)
}

fn refused(why: String) -> Refusal {
    Refusal::new(403, "AccessDenied", format!("Access Denied: {why}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(method: &str, headers: &[(&str, &str)]) -> String {
        let mut request = Request::builder().method(method).uri("/k");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(()).expect("a request");
        let local = [192, 0, 2, 7].into();
        match check_host(&request, local, &["files.example".to_owned()]) {
            Err(refusal) => refusal.message,
            Ok(()) if is_from_elsewhere(&request) => "from another page".to_owned(),
            Ok(()) => "taken".to_owned(),
        }
    }

    #[test]
    fn only_the_servers_own_names_are_taken() {
        let hosts = [
            "localhost",
            "LOCALHOST:9000",
            "bucket.localhost:9000",
            "127.0.0.1:9000",
            "127.9.9.9",
            "[::1]:9000",
            "192.0.2.7:80",
            "files.example:9000",
            "Files.Example",
            "192.0.2.8",
            "0.0.0.0:9000",
            "evil.example",
            "localhost.evil.example:9000",
            "127.0.0.1.evil.example",
            "evil.example@127.0.0.1",
            "files.example.",
            "evillocalhost",
            "",
        ];
        let lines = hosts.map(|host| format!("{host:?}: {}\n", judge("GET", &[("host", host)])));
        expect_test::expect![[r#"
            "localhost": taken
            "LOCALHOST:9000": taken
            "bucket.localhost:9000": taken
            "127.0.0.1:9000": taken
            "127.9.9.9": taken
            "[::1]:9000": taken
            "192.0.2.7:80": taken
            "files.example:9000": taken
            "Files.Example": taken
            "192.0.2.8": Access Denied: 192.0.2.8 is not a name of this server
            "0.0.0.0:9000": Access Denied: 0.0.0.0:9000 is not a name of this server
            "evil.example": Access Denied: evil.example is not a name of this server
            "localhost.evil.example:9000": Access Denied: localhost.evil.example:9000 is not a name of this server
            "127.0.0.1.evil.example": Access Denied: 127.0.0.1.evil.example is not a name of this server
            "evil.example@127.0.0.1": Access Denied: evil.example@127.0.0.1 is not a name of this server
            "files.example.": Access Denied: files.example. is not a name of this server
            "evillocalhost": Access Denied: evillocalhost is not a name of this server
            "": Access Denied:  is not a name of this server
        "#]]
        .assert_eq(&lines.concat());
    }

    #[test]
    fn pages_of_other_origins_are_found() {
        let cases = [
            ("GET", vec![("host", "localhost:9000")]),
            ("GET", vec![]),
            ("GET", vec![("host", "localhost"), ("host", "localhost")]),
            (
                "PUT",
                vec![
                    ("host", "localhost:9000"),
                    ("origin", "http://localhost:9000"),
                ],
            ),
            (
                "PUT",
                vec![
                    ("host", "localhost:9000"),
                    ("origin", "http://localhost:8000"),
                ],
            ),
            (
                "POST",
                vec![
                    ("host", "localhost:9000"),
                    ("origin", "https://evil.example"),
                ],
            ),
            ("POST", vec![("host", "localhost:9000"), ("origin", "null")]),
            (
                "OPTIONS",
                vec![
                    ("host", "localhost:9000"),
                    ("origin", "https://evil.example"),
                ],
            ),
            (
                "POST",
                vec![("host", "localhost:9000"), ("sec-fetch-site", "cross-site")],
            ),
            (
                "GET",
                vec![("host", "localhost:9000"), ("sec-fetch-site", "cross-site")],
            ),
            (
                "PUT",
                vec![
                    ("host", "localhost:9000"),
                    ("sec-fetch-site", "same-origin"),
                ],
            ),
        ];
        let lines = cases.map(|(method, headers)| {
            let judged = judge(method, &headers);
            format!("{method} {headers:?}\n    {judged}\n")
        });
        expect_test::expect![[r#"
            GET [("host", "localhost:9000")]
                taken
            GET []
                Access Denied: exactly one Host header is needed
            GET [("host", "localhost"), ("host", "localhost")]
                Access Denied: exactly one Host header is needed
            PUT [("host", "localhost:9000"), ("origin", "http://localhost:9000")]
                taken
            PUT [("host", "localhost:9000"), ("origin", "http://localhost:8000")]
                from another page
            POST [("host", "localhost:9000"), ("origin", "https://evil.example")]
                from another page
            POST [("host", "localhost:9000"), ("origin", "null")]
                from another page
            OPTIONS [("host", "localhost:9000"), ("origin", "https://evil.example")]
                from another page
            POST [("host", "localhost:9000"), ("sec-fetch-site", "cross-site")]
                from another page
            GET [("host", "localhost:9000"), ("sec-fetch-site", "cross-site")]
                taken
            PUT [("host", "localhost:9000"), ("sec-fetch-site", "same-origin")]
                taken
        "#]]
        .assert_eq(&lines.concat());
    }
}
