//! Lets a request in, or says why not.

use crate::access::{Access, same};
use axum::extract::{Request, State};
use axum::http::header::{
    ALLOW, CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, COOKIE, HOST, HeaderMap,
    HeaderName, HeaderValue, ORIGIN, REFERRER_POLICY, SET_COOKIE, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::sync::Arc;

/// The header with the key that each write needs.
const KEY: &str = "x-desk-key";

/// Nothing but our own files is loaded, and no text can become markup or script. `blob:` is for
/// pictures that were read as bytes.
const POLICY: &str = "default-src 'self'; img-src 'self' blob:; object-src 'none'; \
     base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
     require-trusted-types-for 'script'; trusted-types 'none'";

/// Goes on to the page's own address. Were it a redirection, a browser that comes from another
/// site would not send the cookie.
const COME_IN: &str = "<!doctype html><html lang=\"en\"><title>dialog2api</title>\
     <meta http-equiv=\"refresh\" content=\"0;url=/\"><p><a href=\"/\">Open the page</a></p></html>";

/// Lets a request in that may be answered.
pub async fn admit(State(access): State<Arc<Access>>, request: Request, next: Next) -> Response {
    match check(&access, &request) {
        Ok(()) => next.run(request).await,
        Err(refused) => *refused,
    }
}

fn check(access: &Access, request: &Request) -> Result<(), Box<Response>> {
    let headers = request.headers();
    let host = of_host(access, request)?;
    let reads = [Method::GET, Method::HEAD].contains(request.method());
    if !reads && request.method() != Method::POST {
        let why = (StatusCode::METHOD_NOT_ALLOWED, [(ALLOW, "GET, HEAD, POST")]);
        return Err(Box::new(why.into_response()));
    }
    if let Some(token) = launch_token(request) {
        return Err(Box::new(visit(access, headers, token)));
    }
    if !has_cookie(access, headers) {
        let why = "This browser has not been let in, or the server was started again. Open the \
                   link that it printed: each link works once.";
        return refuse(StatusCode::UNAUTHORIZED, why);
    }
    let site = headers.get("sec-fetch-site").map(HeaderValue::as_bytes);
    let is_ours = site == Some(b"same-origin");
    if reads {
        // A reader of an older browser sends no such header, and a link from elsewhere no cookie.
        let is_known = is_ours || matches!(site, None | Some(b"none"));
        return match is_known {
            true => Ok(()),
            false => refuse(StatusCode::FORBIDDEN, "Another site asked for this."),
        };
    }
    if !is_from(host, headers) || !is_ours {
        return refuse(StatusCode::FORBIDDEN, "Another site sent this.");
    }
    let key = headers.get(KEY).and_then(|key| key.to_str().ok());
    if !same(&access.key, key.unwrap_or_default()) {
        let why = "The page is older than the server. Load it again.";
        return refuse(StatusCode::FORBIDDEN, why);
    }
    Ok(())
}

/// The host that a request is for, which is one of the server's own names.
pub fn of_host<'a>(access: &Access, request: &'a Request) -> Result<&'a str, Box<Response>> {
    let host = text(request.headers(), &HOST);
    let authority = request.uri().authority().map(|it| it.as_str());
    if !access.answers_to(host) || authority.is_some_and(|it| it != host) {
        let why = "This server answers to its own name alone. Use the address that it printed.";
        refuse(StatusCode::MISDIRECTED_REQUEST, why)?;
    }
    Ok(host)
}

/// Exchanges the token of a link for the cookie.
fn visit(access: &Access, headers: &HeaderMap, token: &str) -> Response {
    let knows = has_cookie(access, headers);
    if !access.begins(token) && !knows {
        let why = "This link was used before, or is not of this server. Started again, it prints a new one.";
        return (StatusCode::UNAUTHORIZED, why).into_response();
    }
    let (name, value) = (&access.cookie_name, &access.cookie);
    let cookie = format!("{name}={value}; HttpOnly; SameSite=Strict; Path=/");
    let html = "text/html; charset=utf-8".to_owned();
    ([(SET_COOKIE, cookie), (CONTENT_TYPE, html)], COME_IN).into_response()
}

fn launch_token(request: &Request) -> Option<&str> {
    if request.uri().path() != "/" || request.method() != Method::GET {
        return None;
    }
    let query = request.uri().query()?;
    query
        .split('&')
        .find_map(|part| part.strip_prefix("token="))
}

fn has_cookie(access: &Access, headers: &HeaderMap) -> bool {
    let cookies = headers.get_all(COOKIE).iter();
    let cookies = cookies.filter_map(|line| line.to_str().ok());
    cookies
        .flat_map(|line| line.split(';'))
        .filter_map(|cookie| cookie.trim().split_once('='))
        .any(|(name, value)| name == access.cookie_name && same(&access.cookie, value))
}

/// Whether a page of this host sent it.
pub fn is_from(host: &str, headers: &HeaderMap) -> bool {
    let origin = text(headers, &ORIGIN);
    let from = origin
        .strip_prefix("http://")
        .or_else(|| origin.strip_prefix("https://"));
    from == Some(host)
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> &'a str {
    let value = headers.get(name).and_then(|value| value.to_str().ok());
    value.unwrap_or_default()
}

pub fn refuse(status: StatusCode, why: &'static str) -> Result<(), Box<Response>> {
    Err(Box::new((status, why).into_response()))
}

/// Adds the headers that every answer has.
pub async fn headers(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    let mut always = |name, value| headers.insert(name, HeaderValue::from_static(value));
    always(X_CONTENT_TYPE_OPTIONS, "nosniff");
    always(REFERRER_POLICY, "no-referrer");
    always(CACHE_CONTROL, "no-store");
    let own = HeaderName::from_static;
    always(own("cross-origin-resource-policy"), "same-origin");
    always(own("cross-origin-opener-policy"), "same-origin");
    always(own("x-frame-options"), "DENY");
    let policy = HeaderValue::from_static(POLICY);
    headers.entry(CONTENT_SECURITY_POLICY).or_insert(policy);
    response
}
