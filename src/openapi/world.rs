//! A world whose operations are requests to a server.

use super::answer::Response;
use super::follow::beside;
use super::pages::{self, ALL_PAGES, MOST_PAGES};
use super::send::{Sender, Sent};
use super::{Api, Credentials, HttpLimits, HttpRequest, Operation, base};
use crate::domain::{Answer, Map, Refusal, Signer, Spent, Value, World};
use crate::error::{Error, Result};
use async_trait::async_trait;
use std::collections::HashSet;
use std::sync::Arc;

/// The tag of the only field of a state's stream. The state of the server is not known, so
/// the field is always empty and all states are alike.
const TAG: u8 = b'h';

/// A server, and what its document says about it.
///
/// The secrets go to the origin of the base URL alone, and to servers that the document
/// itself names for single operations. Redirects to other servers are refused.
#[derive(Debug, Clone)]
pub struct HttpWorld {
    api: Arc<Api>,
    base: String,
    auth: Credentials,
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
            auth,
        })
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
    /// [`World::call`] leaves out. `may_retry` allows a read to be repeated.
    ///
    /// # Errors
    /// The server cannot be reached, takes too long, or answers too much.
    pub async fn send(
        &self,
        operation: &str,
        params: &Value,
        may_retry: bool,
    ) -> Result<Result<Response, Refusal>> {
        match self.prepared(operation, params) {
            Ok(request) => self.transfer(&request, may_retry).await,
            Err(refusal) => Ok(Err(refusal)),
        }
    }

    fn prepared(&self, operation: &str, params: &Value) -> Result<HttpRequest, Refusal> {
        if self.api.operation(operation).is_none() {
            let problem = format!("the API has no operation {operation:?}");
            return Err(refused("UnknownOperation", problem, 404));
        }
        let request = self.request(operation, params);
        request.map_err(|problem| refused("InvalidCall", problem, 400))
    }

    async fn transfer(
        &self,
        request: &HttpRequest,
        may_retry: bool,
    ) -> Result<Result<Response, Refusal>> {
        let may_retry = may_retry && request.method.is_safe();
        Ok(match self.sender.send(request, may_retry).await? {
            Sent::Answer(raw) => raw.read(&self.auth.secrets()),
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

/// The request for the page that an answer links to, where no parameter leads there.
fn linked(request: &HttpRequest, response: &Response) -> Result<Option<HttpRequest>, Refusal> {
    let Some(link) = pages::link(response) else {
        return Ok(None);
    };
    match beside(&request.url, link) {
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

    fn spent(&self) -> Option<Spent> {
        Some(self.sender.meter.spent())
    }

    fn call_lines(&self, operation: &str, params: &Value) -> Vec<String> {
        match self.request(operation, params) {
            Ok(request) => request.lines(),
            Err(problem) => vec![problem],
        }
    }

    fn describe(&self) -> String {
        format!("{} at {}", self.api.title, self.base)
    }
}
