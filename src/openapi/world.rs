//! A server that is described by a document, as a world.

use super::answer::Response;
use super::pages::{self, ALL_PAGES, MOST_PAGES};
use super::send::{Sender, Sent};
use super::{Api, Credentials, HttpLimits, HttpRequest, Operation, base};
use crate::domain::{Answer, Map, Refusal, Signer, Value, World};
use crate::error::{Error, Result};
use async_trait::async_trait;
use std::sync::Arc;

/// The tag of the one field in the stream of a state. The state of a foreign server is not
/// known, so the field is always empty, and all states are alike.
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
    /// [`Error::Usage`] if the base URL is none; [`Error::World`] if TLS cannot be set up.
    pub fn new(api: Arc<Api>, base: &str, auth: Credentials) -> Result<Self> {
        HttpWorld::with_limits(api, base, auth, HttpLimits::default())
    }

    /// As [`new`](Self::new), with limits of its own.
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

    /// Makes a call, and says more of its answer than [`World::call`] does. `may_retry`
    /// says whether a read may be asked again.
    ///
    /// # Errors
    /// The server cannot be reached, takes too long, or answers too much.
    pub async fn send(
        &self,
        operation: &str,
        params: &Value,
        may_retry: bool,
    ) -> Result<Result<Response, Refusal>> {
        if self.api.operation(operation).is_none() {
            let problem = format!("the API has no operation {operation:?}");
            return Ok(Err(refused("UnknownOperation", problem, 404)));
        }
        let request = match self.request(operation, params) {
            Ok(request) => request,
            Err(problem) => return Ok(Err(refused("InvalidCall", problem, 400))),
        };
        let may_retry = may_retry && request.method.is_safe();
        Ok(match self.sender.send(&request, may_retry).await? {
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
    /// is itself. A result with more pages is refused, because a part of it would look like
    /// the whole.
    ///
    /// # Errors
    /// As [`send`](Self::send).
    pub async fn all(&self, operation: &str, params: &Value, most: usize) -> Result<Answer> {
        let mut params = params.clone();
        let mut found = Vec::new();
        for page in 0..most {
            let response = match self.send(operation, &params, true).await? {
                Ok(response) => response,
                Err(refusal) => return Ok(Err(refusal)),
            };
            let next = self.api.next_page(operation, &params, &response);
            match (pages::items(&response.value), page) {
                (Some(items), _) => found.extend_from_slice(items),
                (None, 0) => return Ok(Ok(response.value)),
                (None, _) => return Ok(Ok(Value::List(found))),
            }
            match next {
                Some(next) => params = next,
                None => return Ok(Ok(Value::List(found))),
            }
        }
        let problem = format!(
            "{operation} has more than {most} pages, which is the most that {ALL_PAGES} reads: \
             narrow it, or read page by page"
        );
        Ok(Err(refused("TooManyPages", problem, 400)))
    }

    /// The parameters of a call that asks for all pages, without this wish.
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
    /// Sends the request. A read that the server asks to come back for (429, 503) is asked
    /// again.
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

    fn writes(&self, operation: &str) -> bool {
        let known = self.api.operation(operation);
        known.is_none_or(|operation| !operation.method.is_safe())
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
