//! Where objects would be copied to. Nothing is copied.

use super::Context;
use crate::domain::{Refusal, Value};
use crate::memory::state::Versioning;
use crate::refusal;

/// Checks that both buckets keep versions.
pub fn check(context: &Context<'_>, value: Value) -> Result<Value, Refusal> {
    let invalid = |message: String| Err(Refusal::new(400, "InvalidRequest", message));
    if context.bucket.versioning() != Versioning::Enabled {
        return invalid(
            "Versioning must be 'Enabled' on the bucket to apply a replication configuration"
                .to_owned(),
        );
    }
    let Some(rules) = value.get("Rules").and_then(Value::as_list) else {
        return Err(refusal::malformed_xml());
    };
    for rule in rules {
        check_rule(rule)?;
        let arn = rule
            .get("Destination")
            .and_then(|it| it.get("Bucket")?.as_str());
        let name = arn.and_then(|arn| arn.strip_prefix("arn:aws:s3:::"));
        let Some(name) = name else {
            return Err(Refusal::new(400, "InvalidArgument", "Invalid bucket ARN."));
        };
        let bucket = context.state.bucket(name);
        if bucket.is_none_or(|bucket| bucket.versioning() != Versioning::Enabled) {
            return invalid("Destination bucket must have versioning enabled.".to_owned());
        }
    }
    Ok(value)
}

/// A rule with a filter must say how it ranks, and what becomes of deletions.
fn check_rule(rule: &Value) -> Result<(), Refusal> {
    if rule.get("Filter").is_none() {
        return Ok(());
    }
    for name in ["Priority", "DeleteMarkerReplication"] {
        if rule.get(name).is_none() {
            return Err(Refusal::new(
                400,
                "InvalidRequest",
                format!(
                    "{name} must be specified for this version of Cross Region Replication \
                     configuration schema. Please refer to S3 Developer Guide for more \
                     information."
                ),
            ));
        }
    }
    Ok(())
}
