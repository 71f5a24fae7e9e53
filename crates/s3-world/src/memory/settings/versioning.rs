//! Whether a bucket keeps versions.

use super::{Context, OBJECT_LOCK, REPLICATION};
use crate::domain::{Refusal, Value};

/// Checks the status. A bucket with locked objects keeps its versions.
pub fn check(context: &Context<'_>, value: Value) -> Result<Value, Refusal> {
    let Some(status) = value.get("Status").and_then(Value::as_str) else {
        return Err(Refusal::new(
            400,
            "IllegalVersioningConfigurationException",
            "The Versioning element must be specified",
        ));
    };
    if status != "Enabled" && context.bucket.settings.get(OBJECT_LOCK).is_some() {
        return Err(Refusal::new(
            409,
            "InvalidBucketState",
            "An Object Lock configuration is present on this bucket, so the versioning state \
             cannot be changed.",
        ));
    }
    if status != "Enabled" && context.bucket.settings.get(REPLICATION).is_some() {
        return Err(Refusal::new(
            409,
            "InvalidBucketState",
            "A replication configuration is present on this bucket, so you cannot change the \
             versioning state. To change the versioning state, first delete the replication \
             configuration.",
        ));
    }
    Ok(value)
}
