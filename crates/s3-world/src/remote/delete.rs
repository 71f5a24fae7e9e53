//! The checks of `delete_objects` that the SDK and some servers do not make.

use crate::domain::{Refusal, Value};
use crate::refusal;

/// The most keys that `delete_objects` accepts.
const MOST: usize = 1000;

/// Refuses a list that is missing, empty or too long, and keys that are missing, as Amazon
/// does. What is not of its type is refused later.
pub(super) fn check(params: &Value) -> Result<(), Refusal> {
    let is_named = |object: &Value| match object {
        Value::Map(_) => {
            let key = object.get("Key").and_then(Value::as_str);
            key.is_some_and(|key| !key.is_empty())
        }
        _ => true,
    };
    let is_fine = match params.get("Delete") {
        Some(delete @ Value::Map(_)) => {
            let objects = delete.get("Objects").and_then(Value::as_list);
            let objects = objects.unwrap_or_default();
            (1..=MOST).contains(&objects.len()) && objects.iter().all(is_named)
        }
        None | Some(Value::Null) => false,
        Some(_) => true,
    };
    match is_fine {
        true => Ok(()),
        false => Err(refusal::malformed_xml()),
    }
}
