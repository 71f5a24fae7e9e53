//! Requests of web pages of other origins, which a bucket takes as its rules say
//! (`put_bucket_cors`). A bucket without rules takes none: a page could otherwise try out what
//! a server on its reader's machine answers.
//!
//! With rules, requests are answered as S3 does it: every one is carried out, and only the
//! answer to one that a rule allows has headers by which the browser shows it to the page.
//! Browsers ask first (a *preflight*) before all requests but the plainest.

use super::{Shared, errors, request};
use crate::domain::{Refusal, Value};
use http::header::{
    ACCESS_CONTROL_ALLOW_CREDENTIALS, ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS,
    ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE,
    ACCESS_CONTROL_REQUEST_HEADERS, ACCESS_CONTROL_REQUEST_METHOD, HeaderMap, HeaderName, ORIGIN,
    VARY,
};
use http::{HeaderValue, Method, Request};

/// The request of a page, as rules see it.
struct Asked {
    is_preflight: bool,
    origin: String,
    /// The method of the request, or of the one that a preflight is about.
    method: String,
    /// The names of the headers that a preflight is about, in lower case.
    headers: Vec<String>,
}

impl Shared {
    /// Judges a request of a page, which may be a preflight. The answer is the headers for the
    /// page; a request that no rule allows gets none.
    pub(super) async fn admit<B>(&self, request: &Request<B>) -> Result<HeaderMap, Refusal> {
        let asked = Asked::of(request)?;
        let (bucket, _) = request::bucket_and_key(request.uri(), request.headers())?;
        let rules = match self.rules(&bucket).await? {
            Ok(rules) => rules,
            Err(why) if asked.is_preflight => return Err(forbidden(why, &asked, "BUCKET")),
            Err(_) => return Err(not_taken()),
        };
        let rules = rules
            .get("CORSRules")
            .and_then(Value::as_list)
            .unwrap_or_default();
        match rules.iter().find(|rule| asked.is_allowed(rule)) {
            Some(rule) => Ok(asked.headers_of(rule)),
            None if asked.is_preflight => Err(forbidden(NOT_ALLOWED, &asked, "OBJECT")),
            None => Ok(HeaderMap::new()),
        }
    }

    /// The rules of a bucket, or why there are none.
    async fn rules(&self, bucket: &str) -> Result<Result<Value, &'static str>, Refusal> {
        let params = Value::Map(vec![("Bucket".into(), bucket.into())]);
        match self.world.call("get_bucket_cors", &params).await {
            Ok(Ok(rules)) => Ok(Ok(rules)),
            Ok(Err(refusal)) if refusal.code == "NoSuchBucket" => Ok(Err(NO_BUCKET)),
            Ok(Err(_)) => Ok(Err(NO_RULES)),
            Err(error) => {
                (self.on_failure)(&error);
                Err(errors::internal(&format!("/{bucket}")))
            }
        }
    }
}

// The misspelling is S3's.
const NOT_ALLOWED: &str = "This CORS request is not allowed. This is usually because the \
                           evalution of Origin, request method / Access-Control-Request-Method or \
                           Access-Control-Request-Headers are not whitelisted by the resource's \
                           CORS spec.";
const NO_BUCKET: &str = "Bucket not found";
const NO_RULES: &str = "CORS is not enabled for this bucket.";

fn forbidden(why: &str, asked: &Asked, about: &str) -> Refusal {
    Refusal::new(403, "AccessForbidden", format!("CORSResponse: {why}"))
        .with("Method", &*asked.method)
        .with("ResourceType", about)
}

fn not_taken() -> Refusal {
    let why = "requests from web pages are not taken by a bucket without CORS rules";
    Refusal::new(403, "AccessDenied", format!("Access Denied: {why}"))
}

impl Asked {
    fn of<B>(request: &Request<B>) -> Result<Asked, Refusal> {
        let is_preflight = request.method() == Method::OPTIONS;
        let header = |name: HeaderName| -> Option<&str> {
            let mut all = request.headers().get_all(name).iter();
            let only = all.next().filter(|_| all.next().is_none());
            only.and_then(|value| value.to_str().ok())
        };
        let incomplete = |message: &str| Refusal::new(400, "BadRequest", message);
        let Some(origin) = header(ORIGIN) else {
            return Err(match is_preflight {
                true => incomplete("Insufficient information. Origin request header needed."),
                false => not_taken(),
            });
        };
        let method = match header(ACCESS_CONTROL_REQUEST_METHOD) {
            Some(method) => method,
            None if is_preflight => {
                return Err(incomplete("Invalid Access-Control-Request-Method: null"));
            }
            None => request.method().as_str(),
        };
        let headers = header(ACCESS_CONTROL_REQUEST_HEADERS).unwrap_or_default();
        let headers = headers.split(',').map(|name| name.trim().to_lowercase());
        Ok(Asked {
            is_preflight,
            origin: origin.to_owned(),
            method: method.to_owned(),
            headers: headers.filter(|name| !name.is_empty()).collect(),
        })
    }

    fn is_allowed(&self, rule: &Value) -> bool {
        let mut headers = self.headers.iter();
        texts(rule, "AllowedMethods").any(|method| method == self.method)
            && texts(rule, "AllowedOrigins").any(|glob| fits(glob, &self.origin))
            && headers.all(|header| {
                texts(rule, "AllowedHeaders").any(|glob| fits(&glob.to_lowercase(), header))
            })
    }

    /// The headers by which a browser shows an answer to the page.
    fn headers_of(&self, rule: &Value) -> HeaderMap {
        let for_all = texts(rule, "AllowedOrigins").any(|glob| glob == "*");
        let join = |name| texts(rule, name).collect::<Vec<_>>().join(", ");
        let age = rule.get("MaxAgeSeconds").and_then(Value::as_int);
        let lines = [
            (
                ACCESS_CONTROL_ALLOW_ORIGIN,
                if for_all { "*" } else { &*self.origin }.to_owned(),
            ),
            (ACCESS_CONTROL_ALLOW_METHODS, join("AllowedMethods")),
            (ACCESS_CONTROL_ALLOW_HEADERS, self.headers.join(", ")),
            (ACCESS_CONTROL_EXPOSE_HEADERS, join("ExposeHeaders")),
            (
                ACCESS_CONTROL_MAX_AGE,
                age.map_or(String::new(), |age| age.to_string()),
            ),
            (
                ACCESS_CONTROL_ALLOW_CREDENTIALS,
                if for_all { "" } else { "true" }.to_owned(),
            ),
            (
                VARY,
                "Origin, Access-Control-Request-Headers, Access-Control-Request-Method".to_owned(),
            ),
        ];
        let lines = lines.into_iter().filter(|(_, text)| !text.is_empty());
        lines
            .filter_map(|(name, text)| Some((name, HeaderValue::try_from(text).ok()?)))
            .collect()
    }
}

fn texts<'a>(rule: &'a Value, list: &str) -> impl Iterator<Item = &'a str> {
    let list = rule.get(list).and_then(Value::as_list);
    list.unwrap_or_default().iter().filter_map(Value::as_str)
}

/// Whether a text is as a rule says, in which one `*` stands for any characters.
fn fits(glob: &str, text: &str) -> bool {
    match glob.split_once('*') {
        Some((start, end)) => {
            let rest = text.strip_prefix(start);
            rest.is_some_and(|rest| rest.ends_with(end))
        }
        None => glob == text,
    }
}
