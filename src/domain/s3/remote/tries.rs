//! How often a call is tried, and when it is tried again.

use aws_sdk_s3::config::Intercept;
use aws_sdk_s3::config::interceptors::{
    BeforeTransmitInterceptorContextRef as BeforeTransmit, InterceptorContext,
};
use aws_sdk_s3::config::retry::{ClassifyRetry, RetryAction};
use aws_sdk_s3::config::{ConfigBag, RuntimeComponents};
use aws_sdk_s3::error::BoxError;
use std::cell::Cell;

/// When a call is tried again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Again {
    /// As boto3 does it: also where the first try may have been carried out.
    AsBoto3,
    /// Only where the server's answer says that the first try was not carried out and that
    /// a further one may be (a clock that was wrong).
    IfNotCarriedOut,
}

/// A call under way.
struct Trying {
    tries: Cell<u32>,
    again: Again,
}

tokio::task_local! {
    /// The call that this task makes.
    static TRYING: Trying;
}

/// Carries out a call whose tries are counted.
pub(super) async fn counted<T>(again: Again, call: impl Future<Output = T>) -> T {
    let tries = Cell::new(0);
    TRYING.scope(Trying { tries, again }, call).await
}

/// How often the call under way was tried.
pub(super) fn tries() -> u32 {
    TRYING.try_with(|call| call.tries.get()).unwrap_or_default()
}

/// Counts the tries of a call; the SDK tells them to nobody else.
#[derive(Debug)]
pub(super) struct CountTries;

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
        // Outside of a call, as for a signature, nobody asks.
        let _ = TRYING.try_with(|call| call.tries.set(call.tries.get() + 1));
        Ok(())
    }
}

/// Keeps the SDK from trying again what may have been carried out, where that is not wanted.
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
            // Refused: the other classifiers say whether that passes.
            Some(400..=499) => RetryAction::NoActionIndicated,
            _ => RetryAction::RetryForbidden,
        }
    }
}
