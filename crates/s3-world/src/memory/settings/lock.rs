//! Whether objects can be locked, and for how long new ones are.

use super::Context;
use crate::domain::{Refusal, Value};
use crate::memory::state::Versioning;
use crate::refusal;

/// Checks the configuration: only versions can be locked.
pub fn check(context: &Context<'_>, value: Value) -> Result<Value, Refusal> {
    if context.bucket.versioning() != Versioning::Enabled {
        return Err(Refusal::new(
            409,
            "InvalidBucketState",
            "Versioning must be 'Enabled' on the bucket to apply a Object Lock configuration",
        ));
    }
    if value.get("ObjectLockEnabled").is_none() {
        return Err(refusal::malformed_xml());
    }
    let Some(rule) = value.get("Rule") else {
        return Ok(value);
    };
    let default = rule
        .get("DefaultRetention")
        .ok_or_else(refusal::malformed_xml)?;
    let number = |name| default.get(name).and_then(Value::as_int);
    match (default.get("Mode"), number("Days"), number("Years")) {
        (Some(_), Some(count), None) | (Some(_), None, Some(count)) if count > 0 => Ok(value),
        (Some(_), Some(_), None) | (Some(_), None, Some(_)) => Err(Refusal::new(
            400,
            "InvalidArgument",
            "Default retention period must be a positive integer value.",
        )),
        _ => Err(refusal::malformed_xml()),
    }
}
