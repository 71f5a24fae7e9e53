//! Counts the tries of a call, and limits when it is retried.

use crate::domain::Meter;
use aws_sdk_s3::config::Intercept;
use aws_sdk_s3::config::interceptors::{
    BeforeTransmitInterceptorContextRef as BeforeTransmit, InterceptorContext,
};
use aws_sdk_s3::config::retry::{ClassifyRetry, RetryAction};
use aws_sdk_s3::config::{ConfigBag, RuntimeComponents};
use aws_sdk_s3::error::BoxError;
use std::cell::Cell;
use std::sync::Arc;

/// When a call is retried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Again {
    /// Like boto3: even if the first try may have been carried out.
    AsBoto3,
    /// Only if the server's answer says that the first try was not carried out, and that
    /// another try may succeed (a wrong clock).
    IfNotCarriedOut,
}

/// A call in progress.
struct Trying {
    tries: Cell<u32>,
    again: Again,
}

tokio::task_local! {
    /// The current call of this task.
    static TRYING: Trying;
}

/// Carries out a call and counts its tries.
pub(super) async fn counted<T>(again: Again, call: impl Future<Output = T>) -> T {
    let tries = Cell::new(0);
    TRYING.scope(Trying { tries, again }, call).await
}

/// The tries of the current call so far.
pub(super) fn tries() -> u32 {
    TRYING.try_with(|call| call.tries.get()).unwrap_or_default()
}

/// Counts the tries of a call, which the SDK does not report.
#[derive(Debug)]
pub(super) struct CountTries(pub Arc<Meter>);

#[aws_smithy_runtime_api::client::interceptors::dyn_dispatch_hint]
impl Intercept for CountTries {
    fn name(&self) -> &'static str {
        "CountTries"
    }

    fn read_before_attempt(
        &self,
        _context: &BeforeTransmit<'_>,
        _components: &RuntimeComponents,
        _config: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        self.0.sent();
        // Outside of a call, as for a signature, tries are not counted.
        let _ = TRYING.try_with(|call| call.tries.set(call.tries.get() + 1));
        Ok(())
    }
}

/// Keeps the SDK from repeating a call that may have been carried out, if the caller
/// wants to check that first.
#[derive(Debug)]
pub(super) struct KnowFirst;

impl ClassifyRetry for KnowFirst {
    fn name(&self) -> &'static str {
        "KnowFirst"
    }

    fn classify_retry(&self, context: &InterceptorContext) -> RetryAction {
        let again = TRYING.try_with(|call| call.again);
        if again != Ok(Again::IfNotCarriedOut) {
            return RetryAction::NoActionIndicated;
        }
        let status = context.response().map(|answer| answer.status().as_u16());
        match status {
            // The call was refused, so the other classifiers decide.
            Some(400..=499) => RetryAction::NoActionIndicated,
            _ => RetryAction::RetryForbidden,
        }
    }
}
