//! Deletions of single objects that are made by one `delete_objects`. Each has its own condition
//! and its own answer in it.

use super::caller::{list, params, text};
use crate::domain::{Answer, Map, Mark, Refusal, Value, Write};

/// The bucket of a deletion that says nothing but which object is meant, and that a list can name.
pub(super) fn gathers(write: &Write) -> Option<String> {
    let Value::Map(pairs) = &write.params else {
        return None;
    };
    let is_plain = write.operation == "delete_object" && pairs.len() == 2;
    // XML cannot hold every character that a path can.
    let is_text = |key: &&str| !key.chars().any(char::is_control);
    text(&write.params, "Key").filter(is_text)?;
    let bucket = text(&write.params, "Bucket").filter(|_| is_plain)?;
    Some(bucket.to_owned())
}

/// The call that deletes all these objects, each only if it is still the one with this mark.
pub(super) fn call(writes: &[(&Write, &[Option<Mark>])]) -> Option<(String, Value)> {
    let bucket = text(&writes.first()?.0.params, "Bucket")?;
    let objects = writes.iter().map(|(write, found)| {
        let mut object = params([("Key", text(&write.params, "Key")?)]);
        if let Some(Some(mark)) = found.first() {
            object.push(("ETag".into(), format!("\"{}\"", mark.tag).into()));
        }
        Some(Value::Map(object))
    });
    let objects: Vec<Value> = objects.collect::<Option<_>>()?;
    let objects: Map = vec![("Objects".into(), Value::List(objects))];
    let mut params = params([("Bucket", bucket)]);
    params.push(("Delete".into(), Value::Map(objects)));
    Some(("delete_objects".to_owned(), Value::Map(params)))
}

/// What the answer says of one object: what the answer to its own deletion would have said.
pub(super) fn answer_of(write: &Write, answer: &Value) -> Option<Answer> {
    let key = text(&write.params, "Key");
    let is_its = |it: &&Value| text(it, "Key") == key;
    if let Some(error) = list(answer, "Errors").iter().find(is_its) {
        let code = text(error, "Code").unwrap_or_default();
        let message = text(error, "Message").unwrap_or_default();
        return Some(Err(Refusal::new(status(code), code, message)));
    }
    let deleted = list(answer, "Deleted").iter().find(is_its)?;
    let mut alone = Map::new();
    if let Some(id) = text(deleted, "DeleteMarkerVersionId") {
        alone.push(("DeleteMarker".into(), true.into()));
        alone.push(("VersionId".into(), id.into()));
    }
    Some(Ok(Value::Map(alone)))
}

/// The status that a deletion with this error has alone.
fn status(code: &str) -> u16 {
    match code {
        "SlowDown" | "ServiceUnavailable" => 503,
        "InternalError" => 500,
        "PreconditionFailed" => 412,
        "ConditionalRequestConflict" | "OperationAborted" => 409,
        "NotImplemented" => 501,
        "AccessDenied" => 403,
        _ => 400,
    }
}
