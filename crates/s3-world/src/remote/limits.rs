//! The limits of one connection to a server.

use crate::ahead::AheadLimits;
use aws_config::retry::RetryConfig;
use aws_config::stalled_stream_protection::StalledStreamProtectionConfig;
use aws_config::timeout::TimeoutConfig;
use std::time::Duration;

/// Limits on the calls to a server: time, tries, memory and concurrency.
///
/// # Retries
///
/// The SDK's standard mode: a call is retried after a failed connection, a timeout of a
/// try, an answer with the status 500, 502, 503 or 504, or a code that says "too fast"
/// (`SlowDown`, `ThrottlingException` …) or "your clock is wrong"
/// (`RequestTimeTooSkewed`; the SDK corrects it). Before the n-th try it waits a random
/// time between 0 and `first_wait` · 2ⁿ⁻², at most `longest_wait`. Many failures in a row
/// use up the quota of the connection. After that, nothing is retried until calls succeed.
///
/// Writes are retried like reads, as in boto3. When an answer was lost, the server may
/// have carried out the first try. With `put_object` and deletes, the result is the same
/// state. But a conditional write (`IfNoneMatch="*"`) may be refused because of its own
/// first try, and a versioned bucket may get two versions. The writes of a plan are not
/// retried in this way: before each further try, the apply checks whether the previous
/// try was carried out (see [`World::call_once`](crate::domain::World::call_once)).
///
/// If a body breaks off, a program's call does not read it again, but a signature does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemoteLimits {
    /// The most tries of one call, the first included.
    pub tries: u32,
    /// The longest wait before the second try; it doubles from try to try.
    pub first_wait: Duration,
    /// The longest wait between two tries.
    pub longest_wait: Duration,
    /// The most time to connect.
    pub connect: Duration,
    /// The most time from the start of a request to the head of its answer.
    pub read: Duration,
    /// The most time of one try, up to the head of its answer.
    pub attempt: Duration,
    /// The most time of a call with all its tries and waits, up to the head of its answer.
    pub operation: Duration,
    /// A body has stalled if it moves by less than a byte a second for this long.
    pub stalled: Duration,
    /// The most concurrent calls; further ones wait.
    pub at_once: usize,
    /// What is read ahead of a program that reads in the order of a listing.
    pub ahead: AheadLimits,
    /// The largest content that `get_object` reads, in bytes.
    pub body: u64,
    /// The most objects that a signature covers.
    pub signature_objects: u64,
    /// The most bytes that a signature of content reads.
    pub signature_bytes: u64,
}

impl Default for RemoteLimits {
    fn default() -> Self {
        RemoteLimits {
            tries: 3,
            first_wait: Duration::from_millis(200),
            longest_wait: Duration::from_secs(5),
            connect: Duration::from_secs(5),
            read: Duration::from_secs(60),
            attempt: Duration::from_secs(60),
            operation: Duration::from_secs(200),
            stalled: Duration::from_secs(20),
            at_once: 512,
            ahead: AheadLimits::default(),
            body: 64 << 20,
            signature_objects: 1_000_000,
            signature_bytes: 1 << 30,
        }
    }
}

impl RemoteLimits {
    pub(super) fn retries(&self) -> RetryConfig {
        RetryConfig::standard()
            .with_max_attempts(self.tries.max(1))
            .with_initial_backoff(self.first_wait)
            .with_max_backoff(self.longest_wait)
    }

    pub(super) fn timeouts(&self) -> TimeoutConfig {
        TimeoutConfig::builder()
            .connect_timeout(self.connect)
            .read_timeout(self.read)
            .operation_attempt_timeout(self.attempt)
            .operation_timeout(self.operation)
            .build()
    }

    pub(super) fn stalls(&self) -> StalledStreamProtectionConfig {
        StalledStreamProtectionConfig::enabled()
            .upload_enabled(true)
            .download_enabled(true)
            .grace_period(self.stalled)
            .build()
    }
}
