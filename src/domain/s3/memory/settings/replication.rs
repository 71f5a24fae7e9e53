//! Where objects would be copied to. Nothing is copied.

use super::Context;
use crate::domain::s3::memory::state::Versioning;
use crate::domain::{Refusal, Value};

/// Checks that both buckets keep versions.
pub fn check(context: &Context<'_>, value: Value) -> Result<Value, Refusal> {
    let invalid = |message: String| Err(Refusal::new(400, "InvalidRequest", message));
    if context.bucket.versioning() != Versioning::Enabled {
        return invalid(
            "Versioning must be 'Enabled' on the bucket to apply a replication configuration"
                .to_owned(),
        );
    }
    for rule in value
        .get("Rules")
        .and_then(Value::as_list)
        .unwrap_or_default()
    {
        let arn = rule
            .get("Destination")
            .and_then(|it| it.get("Bucket")?.as_str());
        let name = arn.and_then(|arn| arn.strip_prefix("arn:aws:s3:::"));
        let Some(name) = name else {
            return Err(Refusal::new(400, "InvalidArgument", "Invalid bucket ARN."));
        };
        let Some(bucket) = context.state.bucket(name) else {
            return invalid("Destination bucket must exist.".to_owned());
        };
        if bucket.versioning() != Versioning::Enabled {
            return invalid("Destination bucket must have versioning enabled.".to_owned());
        }
    }
    Ok(value)
}
