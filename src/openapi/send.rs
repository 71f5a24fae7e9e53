//! Sends requests and reads the responses.

use super::answer::Raw;
use super::credentials::Proof;
use super::encode::encoded;
use super::follow::{Redirect, redirect};
use super::model::Method;
use super::request::HttpRequest;
use crate::domain::Meter;
use crate::error::{Error, Result};
use crate::http::{self, cause, retry_after};
use flate2::read::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};
use jiff::Timestamp;
use reqwest::header::{
    ACCEPT, ACCEPT_ENCODING, CONTENT_TYPE, COOKIE, HeaderMap, HeaderName, HeaderValue,
};
use reqwest::{Client, Response, Url};
use std::io::Read as _;
use std::sync::Arc;
use std::time::Duration;

/// The limits of one call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpLimits {
    /// The time for connecting.
    pub connect_timeout: Duration,
    /// The time for a request with its whole answer.
    pub timeout: Duration,
    /// The largest answer, in bytes.
    pub max_answer_bytes: usize,
    /// The number of redirects that are followed. They never leave the server.
    pub max_redirects: usize,
    /// The number of times that a read is repeated if the server asks for it.
    pub max_retries: usize,
    /// The longest wait before such a retry. If a server asks for more, its answer counts.
    pub max_wait: Duration,
}

impl Default for HttpLimits {
    fn default() -> Self {
        HttpLimits {
            connect_timeout: Duration::from_secs(15),
            timeout: Duration::from_secs(60),
            max_answer_bytes: 16 << 20,
            max_redirects: 5,
            max_retries: 3,
            max_wait: Duration::from_secs(20),
        }
    }
}

/// The outcome of a request.
pub(super) enum Sent {
    Answer(Raw),
    /// A redirect to another server, with this origin.
    Elsewhere(u16, String),
}

/// A client that sends requests.
#[derive(Debug, Clone)]
pub(super) struct Sender {
    client: Client,
    limits: HttpLimits,
    pub(super) meter: Arc<Meter>,
}

impl Sender {
    /// A client for a base URL.
    pub(super) fn new(base: &str, limits: HttpLimits) -> Result<Self> {
        let url = Url::parse(base).map_err(|error| Error::world(format!("{base}: {error}")))?;
        let client = http::direct_client(&url)
            .connect_timeout(limits.connect_timeout)
            .timeout(limits.timeout)
            .build()
            .map_err(|error| Error::world(http::no_https(&error)))?;
        Ok(Sender {
            client,
            limits,
            meter: Arc::default(),
        })
    }

    /// Sends a request. `may_retry` says that asking again does no harm.
    pub(super) async fn send(&self, request: &HttpRequest, may_retry: bool) -> Result<Sent> {
        let mut tries = 0;
        loop {
            let (answer, redirected) = self.send_once(request).await?;
            if let Some(elsewhere) = redirected {
                return Ok(Sent::Elsewhere(answer.status().as_u16(), elsewhere));
            }
            let again = may_retry && tries < self.limits.max_retries;
            match self.wait(&answer, tries).filter(|_| again) {
                Some(wait) => tokio::time::sleep(wait).await,
                None => return Ok(Sent::Answer(self.read(request, answer).await?)),
            }
            tries += 1;
        }
    }

    /// The wait before the request is repeated; `None` if it is not.
    fn wait(&self, answer: &Response, tries: usize) -> Option<Duration> {
        if !matches!(answer.status().as_u16(), 429 | 503) {
            return None;
        }
        let header = answer.headers().get("retry-after");
        let header = header.and_then(|it| it.to_str().ok());
        let asked = header.and_then(|it| retry_after(it, Timestamp::now()));
        let wait = asked.unwrap_or_else(|| Duration::from_secs(1 << tries.min(4)));
        (wait <= self.limits.max_wait).then_some(wait)
    }

    /// Sends a request and follows its redirects. Also returns the target of a redirect that
    /// is not followed.
    async fn send_once(&self, request: &HttpRequest) -> Result<(Response, Option<String>)> {
        let mut url = full_url(request)?;
        let mut method = request.method;
        let headers = headers(request)?;
        for _ in 0..=self.limits.max_redirects {
            let mut builder = self.client.request(kind(method), url.clone());
            builder = builder.headers(headers.clone());
            // A POST that became a GET has no body.
            if let Some(body) = request.body.as_ref().filter(|_| method == request.method) {
                builder = builder.header(CONTENT_TYPE, &body.media_type);
                builder = builder.body(body.bytes.clone());
            }
            self.meter.sent();
            let sent = builder.send().await;
            let answer = sent.map_err(|error| self.unreachable(request, &error))?;
            let location = answer.headers().get("location");
            let location = location.and_then(|it| it.to_str().ok());
            match redirect(answer.status().as_u16(), location, &url, method) {
                Redirect::Within(next, how) => (url, method) = (next, how),
                Redirect::Elsewhere(origin) => return Ok((answer, Some(origin))),
                Redirect::None => return Ok((answer, None)),
            }
        }
        Err(Error::world(format!(
            "{} redirects more than {} times",
            request.url, self.limits.max_redirects
        )))
    }

    /// Reads an answer, up to the size limit.
    async fn read(&self, request: &HttpRequest, mut answer: Response) -> Result<Raw> {
        let most = self.limits.max_answer_bytes;
        let text = |name: &str| {
            let all = answer.headers().get_all(name).into_iter();
            all.filter_map(|it| it.to_str().ok().map(str::to_owned))
                .collect::<Vec<String>>()
        };
        let media_type = text("content-type").into_iter().next().unwrap_or_default();
        let links = text("link");
        let codings = text("content-encoding").join(",");
        let mut body = Vec::new();
        loop {
            let chunk = answer.chunk().await;
            let Some(chunk) = chunk.map_err(|error| self.unreachable(request, &error))? else {
                break;
            };
            if body.len() + chunk.len() > most {
                return Err(Error::world(format!(
                    "the answer of {} has more than {most} bytes; ask for less at once",
                    request.url
                )));
            }
            self.meter.read(chunk.len());
            body.extend_from_slice(&chunk);
        }
        let body = decoded(body, &codings, most)
            .map_err(|problem| Error::world(format!("the answer of {} {problem}", request.url)))?;
        Ok(Raw {
            status: answer.status().as_u16(),
            media_type,
            links,
            body: body.into(),
        })
    }

    fn unreachable(&self, request: &HttpRequest, error: &reqwest::Error) -> Error {
        let (method, url) = (request.method.as_str(), &request.url);
        Error::world(match error.is_timeout() {
            true => format!(
                "{method} {url} was not answered within {} s",
                self.limits.timeout.as_secs()
            ),
            false => format!("{method} {url} failed: {}", cause(error)),
        })
    }
}

fn kind(method: Method) -> reqwest::Method {
    match method {
        Method::Get => reqwest::Method::GET,
        Method::Head => reqwest::Method::HEAD,
        Method::Options => reqwest::Method::OPTIONS,
        Method::Trace => reqwest::Method::TRACE,
        Method::Post => reqwest::Method::POST,
        Method::Put => reqwest::Method::PUT,
        Method::Patch => reqwest::Method::PATCH,
        Method::Delete => reqwest::Method::DELETE,
    }
}

/// The URL with the secrets of its query.
fn full_url(request: &HttpRequest) -> Result<Url> {
    let mut text = request.url.clone();
    for proof in &request.proofs {
        if let Proof::Query(name, secret) = proof {
            let between = if text.contains('?') { '&' } else { '?' };
            text = format!(
                "{text}{between}{}={}",
                encoded(name),
                encoded(secret.expose())
            );
        }
    }
    let wrong = |_| Error::world(format!("{} is not a URL", request.url));
    Url::parse(&text).map_err(wrong)
}

/// The headers with their secrets.
fn headers(request: &HttpRequest) -> Result<HeaderMap> {
    let mut headers = HeaderMap::new();
    headers.insert(
        ACCEPT,
        HeaderValue::from_static("application/json, */*;q=0.5"),
    );
    headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
    let mut cookies: Vec<String> = Vec::new();
    for (name, value) in &request.headers {
        match name.as_str() {
            "Cookie" => cookies.push(value.clone()),
            name => put(&mut headers, name, value, false)?,
        }
    }
    for proof in &request.proofs {
        match proof {
            Proof::Header(name, secret) => put(&mut headers, name, secret.expose(), true)?,
            Proof::Cookie(name, secret) => {
                cookies.push(format!("{name}={}", encoded(secret.expose())));
            }
            Proof::Query(..) => {}
        }
    }
    if !cookies.is_empty() {
        put(&mut headers, COOKIE.as_str(), &cookies.join("; "), true)?;
    }
    Ok(headers)
}

fn put(headers: &mut HeaderMap, name: &str, value: &str, is_secret: bool) -> Result<()> {
    let key: HeaderName = name
        .parse()
        .map_err(|_| Error::world(format!("{:?} cannot be the name of a header", name)))?;
    let mut value = HeaderValue::from_bytes(value.as_bytes()).map_err(|_| {
        Error::world(format!(
            "the value of the header {name} has line breaks or control characters"
        ))
    })?;
    value.set_sensitive(is_secret);
    headers.insert(key, value);
    Ok(())
}

/// A body without its codings: some servers compress what nobody asked them to compress.
///
/// # Errors
/// A clause: it is damaged, larger than `most`, or in another coding.
pub(super) fn decoded(body: Vec<u8>, codings: &str, most: usize) -> Result<Vec<u8>, String> {
    let mut body = body;
    for coding in codings.rsplit(',') {
        let mut read = Vec::new();
        let limit = most as u64 + 1;
        let done = match coding.trim().to_ascii_lowercase().as_str() {
            "" | "identity" => continue,
            "gzip" | "x-gzip" => MultiGzDecoder::new(&*body)
                .take(limit)
                .read_to_end(&mut read),
            // RFC 9110 means zlib; some servers leave its two bytes out.
            "deflate" if body.first().is_some_and(|byte| byte & 0xf == 8) => {
                ZlibDecoder::new(&*body).take(limit).read_to_end(&mut read)
            }
            "deflate" => DeflateDecoder::new(&*body)
                .take(limit)
                .read_to_end(&mut read),
            other => return Err(format!("is compressed with {other}, which is not read")),
        };
        done.map_err(|error| format!("cannot be decompressed: {error}"))?;
        if read.len() > most {
            return Err(format!("has more than {most} bytes; ask for less at once"));
        }
        body = read;
    }
    Ok(body)
}
