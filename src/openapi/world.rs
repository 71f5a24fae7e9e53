//! A world whose operations are requests to a server.

use super::answer::Response;
use super::follow::{beside, origin};
use super::pages::{self, ALL_PAGES, MOST_PAGES, Step, Walk};
use super::send::{Sender, Sent};
use super::{Api, Credentials, HttpLimits, HttpOperation, HttpRequest, base};
use crate::domain::{Answer, Map, Refusal, Signer, Spent, Value, World, counted};
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
    /// [`Error::usage`] if the base URL is invalid, [`Error::world`] if TLS cannot be set up.
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
        let base = base::checked(base).map_err(Error::usage)?;
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

    fn unknown(&self, operation: &str) -> Refusal {
        let problem = format!("the API has no operation {operation:?}");
        refused("UnknownOperation", problem, 404)
    }

    fn prepared(&self, operation: &str, params: &Value) -> Result<HttpRequest, Refusal> {
        if self.api.operation(operation).is_none() {
            return Err(self.unknown(operation));
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

    /// The refusal of a request without credentials names the variables that can hold them.
    fn with_way_in(&self, mut refusal: Refusal, request: &HttpRequest) -> Refusal {
        if refusal.status == 401
            && request.proofs.is_empty()
            && let Some(names) = self.auth.names()
        {
            let said = refusal.message.trim_end_matches('.');
            refusal.message = format!("{said}. No credentials were sent: set {names}");
        }
        refusal
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
            Sent::Answer(raw) => raw
                .read()
                .map_err(|refusal| self.with_way_in(refusal, request)),
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
    /// look like the whole, and so is one of which neither the document nor the server says how
    /// it goes on. Refusals after the first page have the items so far in their details.
    ///
    /// # Errors
    /// As [`send`](Self::send).
    pub async fn all(&self, operation: &str, params: &Value, most: usize) -> Result<Answer> {
        let read = self.all_raw(operation, params, most).await;
        let answer = read.map_err(|error| self.secrets.hide_error(error))?;
        Ok(self.secrets.hide_answer(answer))
    }

    async fn all_raw(&self, operation: &str, params: &Value, most: usize) -> Result<Answer> {
        let mut request = match self.prepared(operation, params) {
            Ok(request) => request,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let Some(known) = self.api.operation(operation) else {
            return Ok(Err(self.unknown(operation)));
        };
        let mut walk = Walk::new(known, params);
        let mut asked = HashSet::new();
        for _ in 0..most {
            let response = match self.transfer(&request, true).await? {
                Ok(response) => response,
                Err(refusal) => return Ok(Err(failed(refusal, walk))),
            };
            let next = match walk.take(&response.value, response.next.as_deref()) {
                Step::Done(value) => return Ok(Ok(value)),
                Step::Refused(unknown) => {
                    let problem = format!(
                        "{operation} may have more items than the {} so far: neither the document \
                         nor the server says {unknown}. Read page by page",
                        walk.found().len()
                    );
                    Err(refused("UnknownPages", problem, 400))
                }
                Step::Call(params) | Step::Probe(params) => self.prepared(operation, &params),
                Step::Follow(url) => self.linked(&request, known, walk.params(), &url),
            };
            asked.insert(request.url);
            match next {
                Ok(next) if !asked.contains(&next.url) => request = next,
                Ok(_) => {
                    let problem = format!(
                        "{operation} has no end: the server leads from its page {} to one that \
                         was read before",
                        walk.pages()
                    );
                    return Ok(Err(with_items(refused("RepeatedPage", problem, 400), walk)));
                }
                Err(refusal) => return Ok(Err(with_items(refusal, walk))),
            }
        }
        let problem = format!(
            "{operation} has more than {most} pages, which is the most that {ALL_PAGES} reads: \
             narrow it, or read page by page"
        );
        Ok(Err(with_items(refused("TooManyPages", problem, 400), walk)))
    }

    /// The request for the page at this URL. If it is on another server, its parameters are used
    /// on this one, as long as the operation has them all: servers behind a proxy often do not
    /// know their own address.
    fn linked(
        &self,
        request: &HttpRequest,
        operation: &HttpOperation,
        params: &Value,
        link: &str,
    ) -> Result<HttpRequest, Refusal> {
        let hidden = request.hidden_parameters();
        if let Some(url) = beside(&request.url, link, &hidden) {
            return Ok(HttpRequest {
                url,
                ..request.clone()
            });
        }
        if let Some(params) = pages::by_url(operation, params, link, Some(&hidden)) {
            return self.prepared(&operation.name, &params);
        }
        let shown = beside(link, link, &hidden).unwrap_or_else(|| link.to_owned());
        let problem = format!(
            "the server says that the next page is at {shown}, which is not on this server; it \
             was not followed"
        );
        Err(refused("PageElsewhere", problem, 400))
    }

    /// Whether a call asks for all pages, and its parameters without that argument.
    fn wants_all(&self, operation: &str, params: &Value) -> (bool, Value) {
        let has = |it: &HttpOperation| it.has_all_pages();
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
        let answer = match wants_all {
            true => self.all(operation, &params, MOST_PAGES).await?,
            false => {
                let sent = self.send(operation, &params, may_retry).await?;
                sent.map(|response| response.value)
            }
        };
        if let Ok(value) = &answer {
            self.sender.meter.answered(value);
        }
        Ok(answer)
    }
}

/// The refusal of a page that is not the first one, with the items of those before.
fn failed(mut refusal: Refusal, walk: Walk<'_>) -> Refusal {
    if walk.pages() > 0 {
        let found = counted(walk.found().len(), "item");
        let pages = counted(walk.pages(), "page");
        refusal.message = format!(
            "{} (after {pages} with {found}, in `details[\"items\"]` of this error)",
            refusal.message
        );
    }
    with_items(refusal, walk)
}

/// A refusal that has the items so far.
fn with_items(mut refusal: Refusal, walk: Walk<'_>) -> Refusal {
    if walk.pages() > 0 {
        let items = Value::List(walk.into_found());
        refusal.details.push(("items".into(), items));
    }
    refusal
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

    fn spent(&self) -> Option<Spent> {
        Some(self.sender.meter.spent())
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
