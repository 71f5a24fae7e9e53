//! Where a bucket's access logs would go. No logs are written.

use super::Context;
use crate::domain::{Refusal, Value};
use crate::names;

/// Checks the target: a bucket of the account in the same region.
pub fn check(context: &Context<'_>, value: Value) -> Result<Value, Refusal> {
    let Some(enabled) = value.get("LoggingEnabled") else {
        return Ok(value);
    };
    let target = enabled
        .get("TargetBucket")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let Some(found) = context.state.bucket(target) else {
        return Err(Refusal::new(
            400,
            "InvalidTargetBucketForLogging",
            "The target bucket for logging does not exist",
        )
        .with("TargetBucket", target));
    };
    let region = names::region_of(context.bucket.location.as_deref());
    let theirs = names::region_of(found.location.as_deref());
    if region != theirs {
        let refusal = Refusal::new(
            403,
            "CrossLocationLoggingProhibitted",
            "Cross S3 location logging not allowed. ",
        );
        let refusal = match context.bucket.location {
            Some(_) => refusal.with("SourceBucketLocation", region),
            None => refusal,
        };
        return Err(refusal.with("TargetBucketLocation", theirs));
    }
    Ok(value)
}
