//! A world whose operations are requests to a server.

use super::answer::Response;
use super::follow::{beside, origin};
use super::pages::{self, ALL_PAGES, MOST_PAGES};
use super::send::{Sender, Sent};
use super::{Api, Credentials, HttpLimits, HttpRequest, Operation, base};
use crate::domain::{Answer, Map, Refusal, Signer, Value, World};
use crate::error::{Error, Result};
use crate::secrets::Secrets;
use async_trait::async_trait;
use std::collections::HashSet;
use std::sync::Arc;

/// The tag of the only field of a state's stream. The state of the server is not known, so
/// the field is always empty and all states are alike.
const TAG: u8 = b'h';

/// A server, and what its document says about it.
///
/// The secrets go to the origin of the base URL alone, and to those servers that the document
/// names for single operations and its user [trusts](Self::with_trusted). Redirects to other
/// servers are refused. No answer, refusal, error or line for people has a secret.
#[derive(Debug, Clone)]
pub struct HttpWorld {
    api: Arc<Api>,
    base: String,
    auth: Credentials,
    secrets: Secrets,
    /// The origins of other servers that may get the secrets.
    trusted: Vec<String>,
    sender: Sender,
}

impl HttpWorld {
    /// The world of a server. Nothing is sent yet.
    ///
    /// # Errors
    /// [`Error::Usage`] if the base URL is invalid, [`Error::World`] if TLS cannot be set up.
    pub fn new(api: Arc<Api>, base: &str, auth: Credentials) -> Result<Self> {
        HttpWorld::with_limits(api, base, auth, HttpLimits::default())
    }

    /// Like [`new`](Self::new), with other limits.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_limits(
        api: Arc<Api>,
        base: &str,
        auth: Credentials,
        limits: HttpLimits,
    ) -> Result<Self> {
        let base = base::checked(base).map_err(Error::Usage)?;
        Ok(HttpWorld {
            sender: Sender::new(&base, limits)?,
            api,
            base,
            secrets: auth.secrets(),
            trusted: Vec::new(),
            auth,
        })
    }

    /// The same world, whose secrets may also go to these servers: base URLs or origins.
    pub fn with_trusted(mut self, servers: &[String]) -> Self {
        self.trusted = servers.iter().map(|server| origin(server)).collect();
        self
    }

    /// The API.
    pub fn api(&self) -> &Arc<Api> {
        &self.api
    }

    /// The request that a call would make: for plans.
    ///
    /// # Errors
    /// As [`Api::request`].
    pub fn request(&self, operation: &str, params: &Value) -> Result<HttpRequest, String> {
        self.api.request(operation, params, &self.base, &self.auth)
    }

    /// Makes a call. Its answer has the status and the next page as well, which
    /// [`World::call`] leaves out; neither has secrets. `may_retry` allows a read to be repeated.
    ///
    /// # Errors
    /// The server cannot be reached, takes too long, or answers too much.
    pub async fn send(
        &self,
        operation: &str,
        params: &Value,
        may_retry: bool,
    ) -> Result<Result<Response, Refusal>> {
        let sent = match self.prepared(operation, params) {
            Ok(request) => self.transfer(&request, may_retry).await,
            Err(refusal) => Ok(Err(refusal)),
        };
        let sent = sent.map_err(|error| self.secrets.hide_error(error))?;
        Ok(match sent {
            Ok(response) => Ok(Response {
                value: self.secrets.hide_value(response.value),
                next: (response.next).map(|link| self.secrets.hide(&link).into_owned()),
                ..response
            }),
            Err(refusal) => Err(self.secrets.hide_refusal(refusal)),
        })
    }

    fn prepared(&self, operation: &str, params: &Value) -> Result<HttpRequest, Refusal> {
        if self.api.operation(operation).is_none() {
            let problem = format!("the API has no operation {operation:?}");
            return Err(refused("UnknownOperation", problem, 404));
        }
        let request = self.request(operation, params);
        let request = request.map_err(|problem| refused("InvalidCall", problem, 400))?;
        let elsewhere = origin(&request.url);
        let is_trusted = elsewhere == origin(&self.base) || self.trusted.contains(&elsewhere);
        if is_trusted || request.proofs.is_empty() {
            return Ok(request);
        }
        let problem = format!(
            "{operation} goes to {elsewhere}, another server than that of this API, and would take \
             the credentials there; nothing was sent. If that server may have them, write \
             trusted_servers = [\"{elsewhere}\"] into domain.toml, before its first [table]"
        );
        Err(refused("CredentialsElsewhere", problem, 400))
    }

    /// Sends a request. The answer is as the server gave it, because the link to the next page
    /// is followed as it is: whoever passes it on hides the secrets.
    async fn transfer(
        &self,
        request: &HttpRequest,
        may_retry: bool,
    ) -> Result<Result<Response, Refusal>> {
        let may_retry = may_retry && request.method.is_safe();
        Ok(match self.sender.send(request, may_retry).await? {
            Sent::Answer(raw) => raw.read(),
            Sent::Elsewhere(status, origin) => {
                let problem = format!(
                    "the server sends the request on to {origin}, which is another server; it \
                     was not followed"
                );
                Err(refused("RedirectElsewhere", problem, status))
            }
        })
    }

    /// The items of all pages of a result, of at most `most` pages. A result without pages
    /// is returned as it is. A result with more pages is refused, because a part of it would
    /// look like the whole.
    ///
    /// # Errors
    /// As [`send`](Self::send).
    pub async fn all(&self, operation: &str, params: &Value, most: usize) -> Result<Answer> {
        let read = self.all_raw(operation, params, most).await;
        let answer = read.map_err(|error| self.secrets.hide_error(error))?;
        Ok(self.secrets.hide_answer(answer))
    }

    async fn all_raw(&self, operation: &str, params: &Value, most: usize) -> Result<Answer> {
        let mut params = params.clone();
        let mut request = match self.prepared(operation, &params) {
            Ok(request) => request,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let mut asked = HashSet::new();
        let mut found: Vec<Value> = Vec::new();
        for page in 0..most {
            let response = match self.transfer(&request, true).await? {
                Ok(response) => response,
                Err(refusal) => return Ok(Err(refusal)),
            };
            match (pages::items(&response.value), page) {
                // Some servers lead from the last page to itself.
                (Some(items), 1..) if found.ends_with(items) => return Ok(Ok(Value::List(found))),
                (Some(items), _) => found.extend_from_slice(items),
                (None, 0) => return Ok(Ok(response.value)),
                (None, _) => return Ok(Ok(Value::List(found))),
            }
            let next = match self.api.next_page(operation, &params, &response) {
                Some(next) => {
                    params = next;
                    self.prepared(operation, &params).map(Some)
                }
                None => linked(&request, &response),
            };
            asked.insert(request.url);
            match next {
                Ok(Some(next)) if !asked.contains(&next.url) => request = next,
                Ok(_) => return Ok(Ok(Value::List(found))),
                Err(refusal) => return Ok(Err(refusal)),
            }
        }
        let problem = format!(
            "{operation} has more than {most} pages, which is the most that {ALL_PAGES} reads: \
             narrow it, or read page by page"
        );
        Ok(Err(refused("TooManyPages", problem, 400)))
    }

    /// Whether a call asks for all pages, and its parameters without that argument.
    fn wants_all(&self, operation: &str, params: &Value) -> (bool, Value) {
        let has = |it: &Operation| it.has_all_pages();
        match params {
            Value::Map(pairs) if self.api.operation(operation).is_some_and(has) => {
                let (wish, others): (Vec<_>, Vec<_>) =
                    (pairs.iter().cloned()).partition(|(name, _)| name.as_ref() == ALL_PAGES);
                let wants = wish.iter().any(|(_, it)| *it == Value::Bool(true));
                (wants, Value::Map(others))
            }
            _ => (false, params.clone()),
        }
    }

    async fn answer(&self, operation: &str, params: &Value, may_retry: bool) -> Result<Answer> {
        let (wants_all, params) = self.wants_all(operation, params);
        if wants_all {
            return self.all(operation, &params, MOST_PAGES).await;
        }
        let sent = self.send(operation, &params, may_retry).await?;
        Ok(sent.map(|response| response.value))
    }
}

/// The request for the page that an answer links to, where no parameter leads there.
fn linked(request: &HttpRequest, response: &Response) -> Result<Option<HttpRequest>, Refusal> {
    let Some(link) = pages::link(response) else {
        return Ok(None);
    };
    match beside(&request.url, link, &request.proofs) {
        Some(url) => Ok(Some(HttpRequest {
            url,
            ..request.clone()
        })),
        None => {
            let problem = format!(
                "the server says that the next page is at {link}, which is not on this server; \
                 it was not followed"
            );
            Err(refused("PageElsewhere", problem, 400))
        }
    }
}

fn refused(code: &str, message: String, status: u16) -> Refusal {
    Refusal {
        code: code.to_owned(),
        message,
        status,
        details: Map::new(),
    }
}

#[async_trait]
impl World for HttpWorld {
    /// Sends the request. A read is repeated if the server asks for it (429, 503).
    async fn call(&self, operation: &str, params: &Value) -> Result<Answer> {
        self.answer(operation, params, true).await
    }

    async fn call_once(&self, operation: &str, params: &Value) -> Result<Answer> {
        self.answer(operation, params, false).await
    }

    fn fork(&self) -> Option<Arc<dyn World>> {
        None
    }

    /// The same for every state: see [`HttpWorld`].
    async fn state(&self, signer: &mut Signer) -> Result<()> {
        signer.field(TAG, b"");
        Ok(())
    }

    async fn objection(&self, operation: &str, params: &Value) -> Result<Option<Refusal>> {
        let prepared = self.prepared(operation, params);
        Ok(prepared.err().map(|it| self.secrets.hide_refusal(it)))
    }

    fn call_lines(&self, operation: &str, params: &Value) -> Vec<String> {
        let lines = match self.request(operation, params) {
            Ok(request) => request.lines(),
            Err(problem) => vec![problem],
        };
        let lines = lines
            .iter()
            .map(|line| self.secrets.hide(line).into_owned());
        lines.collect()
    }

    fn describe(&self) -> String {
        format!("{} at {}", self.api.title, self.base)
    }
}
