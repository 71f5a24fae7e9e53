//! Operations as requests of the API's table, without the SDK's types for them.
//!
//! The SDK has no call of an operation by name. So another operation of the SDK, the
//! carrier, brings the request to the server: its endpoint, region, credentials, retries
//! and signature are right for every request about the same bucket or object. Before it
//! is signed, method, query, headers and body are replaced. The SDK ignores the body of
//! the carrier's answer; [`Captured`] keeps it. Errors are read by the SDK as always.

use super::call::Call;
use super::errors::Trouble;
use super::params::Params;
use super::xml::text_of;
use super::{blank_keys, delete};
use crate::api::request::{QUERY, RequestParts};
use crate::api::{self, ApiOperation, ChecksumRule, Level, Location};
use crate::digests;
use crate::domain::{Map, Value};
use crate::error::Error;
use crate::listed_names;
use aws_sdk_s3::config::http::{HttpRequest, HttpResponse};
use aws_sdk_s3::config::interceptors::AfterDeserializationInterceptorContextRef as AfterDeserialization;
use aws_sdk_s3::config::{ConfigBag, Intercept, RuntimeComponents};
use aws_sdk_s3::error::BoxError;
use aws_smithy_types::body::SdkBody;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use percent_encoding::utf8_percent_encode;
use std::sync::{Arc, Mutex, PoisonError};

impl Call<'_> {
    /// Carries out an operation as the table describes it.
    pub async fn carry(
        &self,
        operation: &'static ApiOperation,
        params: &Value,
    ) -> Result<Map, Trouble> {
        if operation.name == "delete_objects" {
            delete::check(params)?;
        }
        let mut parts = api::request::write(operation, params)?;
        let encodes = listed_names::ask(operation, params, &mut parts);
        add_checksum(operation, &mut parts);
        let replaced = replace(operation.method, parts);
        let captured = Captured::default();
        let mut names = Params::new(params)?;
        match operation.level {
            Level::Service => {
                return Err(Trouble::Failed(Error::world(format!(
                    "S3 has no operation {:?} here",
                    operation.name
                ))));
            }
            Level::Bucket => {
                let request = self.client.delete_bucket_cors();
                let request = request.set_bucket(names.needed("Bucket")).customize();
                let request = request
                    .mutate_request(replaced)
                    .interceptor(captured.clone());
                request.send().await.map_err(|e| self.trouble(e))?;
            }
            Level::Object => {
                let key = names.needed("Key").unwrap_or_default();
                let (key, is_blank) = blank_keys::marked(&key);
                let unmark = blank_keys::unmark(is_blank);
                let request = self.client.delete_object_tagging().key(key);
                let request = request.set_bucket(names.needed("Bucket")).customize();
                let request = request
                    .mutate_request(move |request| {
                        unmark(request);
                        replaced(request);
                    })
                    .interceptor(captured.clone());
                request.send().await.map_err(|e| self.trouble(e))?;
            }
        }
        let answer = captured.take();
        // A long operation may fail after its success was announced.
        if let Ok(text) = std::str::from_utf8(&answer.body)
            && is_error(text)
        {
            let code = text_of(text, "Code");
            let message = text_of(text, "Message");
            return Err(self
                .remote
                .refused(code.as_deref(), message.as_deref(), &answer));
        }
        let fields = api::answer::read(
            operation,
            |name| answer.header(name),
            |prefix| answer.headers_after(prefix),
            &answer.body,
        );
        let mut fields = fields.ok_or_else(|| {
            Trouble::Failed(Error::world(format!(
                "{}: the answer to {} is not one of S3; is this the port of its S3 service?",
                self.remote.place(),
                operation.name
            )))
        })?;
        if encodes {
            listed_names::decode(&mut fields);
        }
        Ok(fields)
    }
}

/// Whether the root of a document is `Error`.
fn is_error(document: &str) -> bool {
    let rest = document.trim_start();
    let rest = match rest.strip_prefix("<?xml") {
        Some(rest) => rest.split_once("?>").map_or("", |(_, rest)| rest),
        None => rest,
    };
    rest.trim_start().starts_with("<Error>")
}

/// Puts the parts into the request of the carrier. It runs before every try.
pub(super) fn replace(
    method: &'static str,
    parts: RequestParts,
) -> impl Fn(&mut HttpRequest) + Send + Sync + 'static {
    let encode = |text: &str| utf8_percent_encode(text, QUERY).to_string();
    let pairs = parts.query.iter();
    let pairs: Vec<String> = pairs
        .map(|(name, value)| match value.as_str() {
            "" => encode(name),
            value => format!("{}={}", encode(name), encode(value)),
        })
        .collect();
    let query = pairs.join("&");
    move |request| {
        let uri = request.uri();
        let path = uri.split_once('?').map_or(uri, |(path, _)| path);
        let uri = match query.as_str() {
            "" => path.to_owned(),
            query => format!("{path}?{query}"),
        };
        // Method and URL are valid, so this cannot fail.
        let _ = request.set_uri(uri);
        let _ = request.set_method(method);
        for (name, value) in &parts.headers {
            // What HTTP cannot express is missing, and the server says so.
            let _ = request
                .headers_mut()
                .try_insert(name.to_string(), value.clone());
        }
        if !parts.body.is_empty() {
            let length = parts.body.len().to_string();
            let _ = request.headers_mut().try_insert("content-length", length);
            *request.body_mut() = SdkBody::from(parts.body.clone());
        }
    }
}

/// Adds the checksum of the body that botocore adds, unless the call has one: the
/// algorithm that the call names, else CRC32.
fn add_checksum(operation: &ApiOperation, parts: &mut RequestParts) {
    let is_sum = |name: &str| {
        let sum = name.strip_prefix("x-amz-checksum-");
        sum.is_some_and(|sum| !matches!(sum, "algorithm" | "type" | "mode"))
            || name.eq_ignore_ascii_case("content-md5")
    };
    let has_body = operation.input.at(Location::Payload).next().is_some();
    if operation.checksum == ChecksumRule::None
        || !has_body
        || parts.headers.iter().any(|(name, _)| is_sum(name))
    {
        return;
    }
    const ALGORITHM: &str = "x-amz-sdk-checksum-algorithm";
    let named = parts.headers.iter().find(|(name, _)| name == ALGORITHM);
    let named = named.map(|(_, algorithm)| algorithm.to_ascii_uppercase());
    let algorithm = named.as_deref().unwrap_or("CRC32");
    // An unknown algorithm goes to the server as it is: the server has the right refusal.
    let Some(digest) = digests::compute(algorithm, &parts.body) else {
        return;
    };
    let header = digests::header(algorithm);
    let is_named = named.is_some();
    parts.headers.push((header.into(), STANDARD.encode(digest)));
    if !is_named {
        parts.headers.push((ALGORITHM.into(), "CRC32".to_owned()));
    }
}

/// An answer as the server sent it.
#[derive(Debug, Default)]
pub(super) struct RawAnswer {
    pub status: u16,
    headers: Vec<(String, String)>,
    pub body: Bytes,
}

impl RawAnswer {
    /// The parts of the SDK's answer.
    pub fn of(response: &HttpResponse) -> Self {
        let headers = response.headers().iter();
        RawAnswer {
            status: response.status().as_u16(),
            headers: headers
                .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
                .collect(),
            body: Bytes::copy_from_slice(response.body().bytes().unwrap_or_default()),
        }
    }

    /// The value of a header.
    pub fn header(&self, name: &str) -> Option<String> {
        let mut headers = self.headers.iter();
        let found = headers.find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.clone())
    }

    fn headers_after(&self, prefix: &str) -> Vec<(String, String)> {
        let headers = self.headers.iter();
        let found = headers.filter_map(|(name, value)| {
            Some((name.strip_prefix(prefix)?.to_owned(), value.clone()))
        });
        found.collect()
    }
}

/// Keeps the answer of the last try.
#[derive(Debug, Clone, Default)]
struct Captured(Arc<Mutex<RawAnswer>>);

impl Captured {
    fn take(&self) -> RawAnswer {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *kept)
    }
}

#[aws_smithy_runtime_api::client::interceptors::dyn_dispatch_hint]
impl Intercept for Captured {
    fn name(&self) -> &'static str {
        "Captured"
    }

    fn read_after_deserialization(
        &self,
        context: &AfterDeserialization<'_>,
        _components: &RuntimeComponents,
        _config: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *kept = RawAnswer::of(context.response());
        Ok(())
    }
}
