//! Any world of this domain as an S3 endpoint over HTTP.
//!
//! [`Service`] answers HTTP requests; [`listen`] puts it on a socket, [`http_client`]
//! gives it to the AWS SDK without one. A request passes these files in order:
//!
//! ```text
//! http.rs ─► browser.rs ─┬─► authentication.rs ─► request.rs ─► routes.rs ─► calls.rs ─► World::call
//! sockets    web pages:  │   signatures:           path, query,  which        the API's table:
//!            cors.rs     │   signed.rs, chunks.rs  body          operation    arguments, answers.rs
//! direct.rs ─────────────┘
//! the AWS SDK
//! ```
//!
//! Large bodies are never in memory as a whole: `request.rs` keeps one that comes in a file, and
//! `stream.rs` reads one from a file while it is sent.
//!
//! The crate `s3s` checks signatures and decodes `aws-chunked` bodies. Its typed
//! operations are not used: they refuse requests that S3 accepts (a meaningless `Range`, a
//! list of ETags), and their errors lack details that S3 sends. Here, the table of the
//! [`api`](super::api) says how requests become arguments and answers become responses.
//!
//! # Differences from Amazon S3
//!
//! - Buckets of all regions are served here without a redirect. The region that a request
//!   is signed for only decides where `create_bucket` may create a bucket.
//! - Operations that programs do not have either (annotations, S3 Tables …) are answered
//!   with 501 `NotImplemented`.

mod answers;
mod authentication;
mod browser;
mod calls;
mod checksums;
mod chunks;
mod cors;
mod direct;
mod errors;
mod forms;
mod guests;
mod http;
mod if_range;
mod legacy;
mod refused_reads;
mod request;
mod routes;
mod signed;
mod stream;

pub use direct::http_client;
pub use http::{S3Server, listen};

use super::remote::AccessKey;
use crate::domain::World;
use crate::error::Error;
use ::http::{HeaderMap, HeaderValue, Method, Request, Response};
use bytes::Bytes;
use request::Incoming;
use std::fmt;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::sync::Semaphore;

/// A world as an S3 service. All clones are one service.
///
/// Requests must be signed with its key, in a header or in the URL.
///
/// # Examples
///
/// The AWS SDK's HTTP client over a service, without a socket:
///
/// ```
/// use s3_world::domain::World;
/// use s3_world::serve::{Service, http_client};
/// use s3_world::{AccessKey, Remote, RemoteOptions, world};
/// use s3_world::domain::Value;
/// # async fn example() -> s3_world::Result<()> {
/// let key = AccessKey { id: "me".to_owned(), secret: "a secret".to_owned() };
/// let service = Service::new(world::open("zoology")?.world, &key);
/// let options = RemoteOptions {
///     endpoint_url: Some("http://s3.example".to_owned()),
///     access_key: Some(key),
///     ..RemoteOptions::default()
/// };
/// let remote = Remote::connect_through(&options, http_client(service)).await?;
/// let answer = remote.call("list_buckets", &Value::Map(Vec::new())).await?;
/// assert!(answer.is_ok());
/// # Ok(())
/// # }
/// # tokio::runtime::Runtime::new().unwrap().block_on(example()).unwrap();
/// ```
#[derive(Clone)]
pub struct Service {
    authentication: authentication::Authentication,
    shared: Arc<Shared>,
}

/// Options of a [`Service`].
pub struct ServiceOptions {
    /// Further names, beside those of loopback, under which clients reach the server on a
    /// socket. Requests with another `Host` are refused. The names have no ports.
    pub hosts: Vec<String>,
    /// Whether requests without a signature are answered, as far as the policies and access
    /// control lists of buckets let everybody in. Otherwise all of them are refused.
    pub anonymous: bool,
    /// Whether new buckets are as AWS made them before April 2023: with access control lists,
    /// and without a block of public access.
    pub legacy_buckets: bool,
    /// Called with each error of this program. Clients only learn that there was one.
    pub on_failure: Box<dyn Fn(&Error) + Send + Sync>,
}

impl Default for ServiceOptions {
    fn default() -> Self {
        ServiceOptions {
            hosts: Vec::new(),
            anonymous: false,
            legacy_buckets: false,
            on_failure: Box::new(|_| ()),
        }
    }
}

/// The state that all requests to a service share.
struct Shared {
    world: Arc<dyn World>,
    key: AccessKey,
    /// The free room for request bodies, in KiB.
    room: Semaphore,
    requests: AtomicU64,
    hosts: Vec<String>,
    anonymous: bool,
    legacy_buckets: bool,
    on_failure: Box<dyn Fn(&Error) + Send + Sync>,
}

/// The most KiB of request bodies that are in memory at one time.
const ROOM: usize = 1 << 20;

impl Service {
    /// A service for a world. Anyone who has the key may call all operations.
    pub fn new(world: Arc<dyn World>, key: &AccessKey) -> Service {
        Service::with_options(world, key, ServiceOptions::default())
    }

    /// A service with these options.
    pub fn with_options(
        world: Arc<dyn World>,
        key: &AccessKey,
        options: ServiceOptions,
    ) -> Service {
        let mut hosts = options.hosts;
        hosts
            .iter_mut()
            .for_each(|host| host.make_ascii_lowercase());
        let shared = Arc::new(Shared {
            world,
            key: key.clone(),
            room: Semaphore::new(ROOM),
            requests: AtomicU64::new(0),
            hosts,
            anonymous: options.anonymous,
            legacy_buckets: options.legacy_buckets,
            on_failure: options.on_failure,
        });
        let authentication = authentication::Authentication::new(key, shared.clone());
        Service {
            authentication,
            shared,
        }
    }

    /// Answers one request. Errors become answers, too.
    pub async fn answer<B>(&self, request: Request<B>) -> Response<Bytes>
    where
        B: ::http_body::Body<Data = Bytes> + Send + 'static,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let is_head = request.method() == Method::HEAD;
        let is_preflight = request.method() == Method::OPTIONS;
        let mut for_page = HeaderMap::new();
        if is_preflight || browser::is_from_elsewhere(&request) {
            match self.shared.admit(&request).await {
                Ok(headers) => for_page = headers,
                Err(refusal) => return self.numbered(errors::response(&refusal), is_head),
            }
        }
        let mut response = if is_preflight {
            Response::new(Bytes::new())
        } else if forms::is_form(request.method(), request.headers()) {
            self.shared.take_form(request).await
        } else {
            self.authentication.answer(request).await
        };
        response.headers_mut().extend(for_page);
        self.numbered(response, is_head)
    }

    /// Answers a request over a socket with this local address. Refuses it if its host is not
    /// this server.
    async fn answer_at<B>(&self, local: IpAddr, request: Request<B>) -> Response<Bytes>
    where
        B: ::http_body::Body<Data = Bytes> + Send + 'static,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        match browser::check_host(&request, local, &self.shared.hosts) {
            Ok(()) => self.answer(request).await,
            Err(refusal) => {
                let is_head = request.method() == Method::HEAD;
                self.numbered(errors::response(&refusal), is_head)
            }
        }
    }

    /// Adds the request's ID to its answer. Removes the body of an answer to a HEAD.
    fn numbered(&self, mut response: Response<Bytes>, is_head: bool) -> Response<Bytes> {
        let number = self.shared.requests.fetch_add(1, Ordering::Relaxed);
        if is_head {
            response.body_mut().clear();
            response.extensions_mut().remove::<stream::Streamed>();
        }
        let id = format!("{:016X}", number.wrapping_add(1));
        errors::name_request(&mut response, &id);
        if let Ok(id) = HeaderValue::from_str(&id) {
            response.headers_mut().insert("x-amz-request-id", id);
        }
        response
    }
}

impl Shared {
    /// Answers an authenticated request.
    async fn respond(&self, mut request: Incoming) -> Response<Bytes> {
        let answered = match routes::route(&request) {
            Ok(operation) => calls::carry_out(self, operation, &mut request).await,
            Err(refusal) => Err(refusal.into()),
        };
        self.finish(&request, answered)
    }

    /// Answers an upload from a form, whose signature is one of its fields.
    async fn take_form<B>(&self, request: Request<B>) -> Response<Bytes>
    where
        B: ::http_body::Body<Data = Bytes> + Send + 'static,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let (head, body) = request.into_parts();
        let body = request::body(body);
        match Incoming::unsigned(head.method, &head.uri, head.headers, body) {
            Ok(mut request) => {
                let answered = forms::upload(self, &mut request).await;
                self.finish(&request, answered)
            }
            Err(refusal) => errors::response(&refusal),
        }
    }

    fn finish(
        &self,
        request: &Incoming,
        answered: Result<Response<Bytes>, errors::Trouble>,
    ) -> Response<Bytes> {
        match answered {
            Ok(response) => response,
            Err(errors::Trouble::Refused(refusal)) => errors::response(&refusal),
            Err(errors::Trouble::Failed(error)) => {
                (self.on_failure)(&error);
                errors::response(&errors::internal(&request.resource()))
            }
        }
    }
}

impl fmt::Debug for Service {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Service({})", self.shared.world.describe())
    }
}
