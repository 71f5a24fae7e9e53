//! A world over the wire: any world of this domain as an S3 endpoint.
//!
//! [`Service`] answers HTTP requests; [`listen`] puts it on a socket, [`http_client`]
//! gives it to the AWS SDK without one. A request passes these files in order:
//!
//! ```text
//! http.rs | direct.rs ─► gate.rs ─► request.rs ─► routes.rs ─► calls.rs ─► World::call
//!   sockets, the SDK     signatures  path, query,   which        params.rs: headers to arguments
//!                                    body           operation    answers.rs, xml.rs: and back
//! ```
//!
//! The crate `s3s` checks signatures, decodes `aws-chunked` bodies and reads XML. Its
//! typed operations are not used: they refuse what S3 takes (a `Range` that makes no
//! sense, a list of ETags) and can not tell all that an error of S3 tells. So operations
//! are tables here: which headers and query parameters are which of boto3's arguments,
//! and where each field of an answer goes.
//!
//! # What differs from Amazon's
//!
//! - Parts of multipart uploads are kept in memory, outside the world, until they are
//!   complete; then the object is put at once. Its ETag is the MD5 of the whole, not
//!   S3's `…-N`, and its checksum that of the whole. `uploads.rs` has the limits.
//! - A checksum that the store does not keep (CRC32C, CRC64NVME, SHA-1) is checked and
//!   told in the answer to the upload, and forgotten.
//! - Buckets of all regions answer here, without a redirect. The region that a request is
//!   signed for decides only where `create_bucket` may create.
//! - Sub-resources that nobody can set here (policy, CORS …) read as on a bucket that
//!   has none; all else is answered with 501 `NotImplemented`.

mod answers;
mod asides;
mod calls;
mod checksums;
mod direct;
mod errors;
mod fields;
mod gate;
mod http;
mod params;
mod request;
mod routes;
mod uploading;
mod uploads;
mod xml;

pub use direct::http_client;
pub use http::{Server, listen};

use super::remote::AccessKey;
use crate::domain::World;
use crate::error::Error;
use ::http::{HeaderValue, Method, Request, Response};
use bytes::Bytes;
use request::Incoming;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::sync::Semaphore;

/// A world as an S3 service. Clones are the same service.
///
/// Requests must be signed with its key (SigV4 in a header or in the URL).
#[derive(Clone)]
pub struct Service {
    gate: gate::Gate,
    shared: Arc<Shared>,
}

/// What all requests to a service share.
struct Shared {
    world: Arc<dyn World>,
    uploads: uploads::Uploads,
    /// Room for the bodies that are being read, in KiB.
    room: Semaphore,
    requests: AtomicU64,
    on_failure: Box<dyn Fn(&Error) + Send + Sync>,
}

/// The bodies that are being read at one time, together, in KiB.
const ROOM: usize = 1 << 20;

impl Service {
    /// A service in front of a world. Whoever has the key may do all that the world does.
    pub fn new(world: Arc<dyn World>, key: &AccessKey) -> Service {
        Service::reporting(world, key, |_| ())
    }

    /// The same; `on_failure` hears of what we failed at. Clients are told only that
    /// there was an internal error.
    pub fn reporting(
        world: Arc<dyn World>,
        key: &AccessKey,
        on_failure: impl Fn(&Error) + Send + Sync + 'static,
    ) -> Service {
        let shared = Arc::new(Shared {
            world,
            uploads: uploads::Uploads::default(),
            room: Semaphore::new(ROOM),
            requests: AtomicU64::new(0),
            on_failure: Box::new(on_failure),
        });
        let gate = gate::Gate::new(key, shared.clone());
        Service { gate, shared }
    }

    /// Answers one request. All that can go wrong is an answer.
    pub async fn answer<B>(&self, request: Request<B>) -> Response<Bytes>
    where
        B: ::http_body::Body<Data = Bytes> + Send + 'static,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let number = self.shared.requests.fetch_add(1, Ordering::Relaxed);
        let is_head = request.method() == Method::HEAD;
        let mut response = self.gate.pass(request).await;
        if is_head {
            response.body_mut().clear();
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
    /// What a request that may come in is answered.
    async fn respond(&self, mut request: Incoming) -> Response<Bytes> {
        let resource = request.resource();
        let answered = match routes::route(&request) {
            routes::Route::Call(call) => calls::carry_out(self, call, &mut request).await,
            routes::Route::Upload(step) => uploading::carry_out(self, step, &mut request).await,
            routes::Route::Aside(aside) => asides::answer(self, aside, &request).await,
            routes::Route::Refused(refusal) => Err(refusal.into()),
        };
        match answered {
            Ok(response) => response,
            Err(errors::Trouble::Refused(refusal)) => errors::response(&refusal),
            Err(errors::Trouble::Failed(error)) => {
                (self.on_failure)(&error);
                errors::response(&errors::internal(&resource))
            }
        }
    }
}

impl fmt::Debug for Service {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Service({})", self.shared.world.describe())
    }
}
