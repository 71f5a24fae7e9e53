//! The checks of `delete_objects` that the SDK and some servers do not make.

use crate::domain::s3::refusal;
use crate::domain::{Refusal, Value};

/// The most keys that `delete_objects` accepts.
const MOST: usize = 1000;

/// Refuses a list that is empty or too long, and keys that are missing, as Amazon does.
pub(super) fn check(params: &Value) -> Result<(), Refusal> {
    let objects = params
        .get("Delete")
        .and_then(|delete| delete.get("Objects"));
    let objects = objects.and_then(Value::as_list).unwrap_or_default();
    let is_named = |object: &Value| {
        let key = object.get("Key").and_then(Value::as_str);
        key.is_some_and(|key| !key.is_empty())
    };
    match (1..=MOST).contains(&objects.len()) && objects.iter().all(is_named) {
        true => Ok(()),
        false => Err(refusal::malformed_xml()),
    }
}
