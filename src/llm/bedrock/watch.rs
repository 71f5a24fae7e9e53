//! What the SDK does not look at in an answer: how long it is, and whether it is one.

use aws_sdk_bedrockruntime::config::interceptors::BeforeDeserializationInterceptorContextMut;
use aws_sdk_bedrockruntime::config::{ConfigBag, Intercept, RuntimeComponents};
use aws_smithy_runtime_api::box_error::BoxError;
use aws_smithy_runtime_api::http::StatusCode;
use aws_smithy_types::body::SdkBody;
use http_body_util::Limited;
use std::sync::{Arc, OnceLock};

const EVENT_STREAM: &str = "application/vnd.amazon.eventstream";

/// Stands between the answer and the SDK, for one request.
#[derive(Debug, Clone)]
pub(super) struct Watch {
    /// More bytes are not read: a frame may say of itself that it has four gigabytes, and
    /// an error's description has no end that the SDK would know of.
    pub limit: usize,
    /// The content type of an answer that began with success and is no stream of events.
    pub foreign: Arc<OnceLock<String>>,
}

#[aws_smithy_runtime_api::client::interceptors::dyn_dispatch_hint]
impl Intercept for Watch {
    fn name(&self) -> &'static str {
        "Watch"
    }

    fn modify_before_deserialization(
        &self,
        context: &mut BeforeDeserializationInterceptorContextMut<'_>,
        _components: &RuntimeComponents,
        _config: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        let response = context.response_mut();
        let kind = response.headers().get("content-type").unwrap_or_default();
        if response.status().is_success() && !kind.starts_with(EVENT_STREAM) {
            let _ = self.foreign.set(kind.to_owned());
            // The SDK reads as a whole only what it takes for a failure.
            *response.status_mut() = StatusCode::try_from(500)?;
        }
        let body = std::mem::replace(response.body_mut(), SdkBody::taken());
        *response.body_mut() = SdkBody::from_body_1_x(Limited::new(body, self.limit));
        Ok(())
    }
}
