//! Downloads that are resumed (RFC 9110, section 13.1.5).
//!
//! A client that has the first bytes of an object asks for the rest, and says in `If-Range` of
//! which object it has them. If the object is another one now, it gets the whole.

use super::errors::Trouble;
use super::{Shared, calls};
use crate::api::{ApiOperation, scalars};
use crate::domain::{Map, Value};

/// Carries out a read with a range, if the object is still the one that `validator` names, or
/// else without.
pub async fn read(
    shared: &Shared,
    operation: &ApiOperation,
    arguments: Map,
    validator: &str,
) -> Result<Value, Trouble> {
    let mut whole = arguments.clone();
    whole.retain(|(name, _)| name != "Range");
    // The answer itself is compared, since the object may be replaced between two calls.
    match calls::call(shared, operation, arguments).await {
        Ok(part) if is_of(validator, &part) => Ok(part),
        Ok(_) => calls::call(shared, operation, whole).await,
        // The new object may be too short for the range.
        Err(Trouble::Refused(refusal)) if refusal.status == 416 => {
            match calls::call(shared, operation, whole).await? {
                all if is_of(validator, &all) => Err(refusal.into()),
                all => Ok(all),
            }
        }
        failed => failed,
    }
}

/// Whether an answer is about the object that a validator names: by its tag, or by the time of
/// its last change.
fn is_of(validator: &str, answer: &Value) -> bool {
    let validator = validator.trim();
    let tag = answer.get("ETag").and_then(Value::as_str);
    let is_tag = tag.is_some_and(|tag| tag.trim_matches('"') == validator.trim_matches('"'));
    let time = scalars::read_time(validator).map(|time| time.as_second());
    let modified = match answer.get("LastModified") {
        Some(Value::Time(time)) => Some(time.as_second()),
        _ => None,
    };
    is_tag || time.is_some() && time == modified
}
