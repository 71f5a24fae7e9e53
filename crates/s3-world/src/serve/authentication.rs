//! Checks signatures and decodes `aws-chunked` bodies with the crate `s3s`.

use super::request::{self, Incoming};
use super::signed::Signed;
use super::{Shared, errors};
use crate::domain::Refusal;
use crate::remote::AccessKey;
use bytes::Bytes;
use http::uri::Uri;
use http::{Extensions, HeaderMap, Method, Request, Response};
use s3s::auth::{S3Auth, SecretKey};
use s3s::route::S3Route;
use s3s::service::{S3Service, S3ServiceBuilder};
use s3s::validation::NameValidation;
use s3s::{Body, S3, S3Error, S3ErrorCode, S3Request, S3Response, S3Result};
use std::sync::Arc;

/// Passes on requests that are signed with one key. Refuses others and tells them why.
#[derive(Clone)]
pub struct Authentication(S3Service);

impl Authentication {
    pub fn new(key: &AccessKey, shared: Arc<Shared>) -> Authentication {
        let mut builder = S3ServiceBuilder::new(NoOperation);
        builder.set_auth(OneKey(key.clone()));
        builder.set_validation(AnyName);
        builder.set_route(Everything(shared));
        Authentication(builder.build())
    }

    /// Answers a request with the service's answer, or with a refusal.
    pub async fn answer<B>(&self, request: Request<B>) -> Response<Bytes>
    where
        B: http_body::Body<Data = Bytes> + Send + 'static,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let path = request.uri().path().to_owned();
        let headers = request.headers();
        let signed = check_lifetime(request.uri());
        let signed = match signed.and_then(|()| Signed::of(headers, request.uri())) {
            Ok(signed) => signed,
            Err(refusal) => return errors::response(&refusal),
        };
        let is_endless = request::is_endless(headers);
        let is_in_chunks = signed == Some(Signed::Header4) && request::is_in_chunks(headers);
        let mut request = request.map(|body| match is_in_chunks {
            true => request::in_chunks(body),
            false => request::body(body),
        });
        request.extensions_mut().insert(signed);
        let Ok(response) = self.0.call(request).await else {
            return errors::response(&errors::internal(&path));
        };
        let (parts, mut body) = response.into_parts();
        let body = body.take_bytes().unwrap_or_default();
        match parts.extensions.get::<Authenticated>() {
            Some(Authenticated) => Response::from_parts(parts, body),
            None => {
                let refusal = errors::of_authentication(&body, &path);
                match refusal.status {
                    411 if is_endless => errors::response(&errors::endless()),
                    _ => errors::response(&refusal),
                }
            }
        }
    }
}

/// For how many seconds a presigned link can hold: a week.
const LONGEST_LIFETIME: i64 = 604_800;

/// Refuses a presigned link that asks for a lifetime that S3 does not give. `s3s` has no
/// limit.
fn check_lifetime(uri: &Uri) -> Result<(), Refusal> {
    let parameter = |name: &str| {
        let mut pairs = uri.query().unwrap_or_default().split('&');
        pairs.find_map(|pair| pair.strip_prefix(name))
    };
    let (Some(_), Some(asked)) = (parameter("X-Amz-Algorithm="), parameter("X-Amz-Expires="))
    else {
        return Ok(());
    };
    match asked.parse::<i64>() {
        Ok(..0) => Err(errors::link("X-Amz-Expires must be non-negative")),
        Ok(0..=LONGEST_LIFETIME) => Ok(()),
        Ok(_) => Err(errors::link(
            "X-Amz-Expires must be less than a week (in seconds); that is, the given \
             X-Amz-Expires must be less than 604800 seconds",
        )),
        Err(_) => Err(errors::link("X-Amz-Expires should be a number")),
    }
}

/// Marks the answer to an authenticated request. All other answers are made by `s3s`.
#[derive(Clone)]
struct Authenticated;

/// Implements no operation of `s3s`: [`Everything`] takes requests before they get there.
struct NoOperation;

impl S3 for NoOperation {}

struct OneKey(AccessKey);

#[async_trait::async_trait]
impl S3Auth for OneKey {
    async fn get_secret_key(&self, id: &str) -> S3Result<SecretKey> {
        if id == self.0.id {
            return Ok(SecretKey::from(self.0.secret.as_str()));
        }
        Err(S3Error::with_message(
            S3ErrorCode::InvalidAccessKeyId,
            "The AWS Access Key Id you provided does not exist in our records.",
        ))
    }
}

/// Accepts every bucket name, because the world checks the names.
struct AnyName;

impl NameValidation for AnyName {
    fn validate_bucket_name(&self, _: &str) -> bool {
        true
    }
}

/// Takes every request with a valid signature, and those without one where guests are let in.
struct Everything(Arc<Shared>);

#[async_trait::async_trait]
impl S3Route for Everything {
    fn is_match(&self, _: &Method, _: &Uri, _: &HeaderMap, _: &mut Extensions) -> bool {
        true
    }

    async fn check_access(&self, request: &mut S3Request<Body>) -> S3Result<()> {
        match request.credentials.is_some() || self.0.anonymous {
            true => Ok(()),
            false => Err(S3ErrorCode::AccessDenied.into()),
        }
    }

    async fn call(&self, request: S3Request<Body>) -> S3Result<S3Response<Body>> {
        let signed = request.extensions.get().copied().flatten();
        let covered = signed.map_or(Ok(()), |signed: Signed| {
            signed.check(&request.headers, &request.uri)
        });
        let answered = match covered.and_then(|()| Incoming::read(request, signed)) {
            Ok(request) => self.0.respond(request).await,
            Err(refusal) => errors::response(&refusal),
        };
        let (parts, body) = answered.into_parts();
        let mut response = S3Response::new(Body::from(body));
        response.status = Some(parts.status);
        response.headers = parts.headers;
        response.extensions = parts.extensions;
        response.extensions.insert(Authenticated);
        Ok(response)
    }
}
