//! The buckets and objects that a call names.

use super::params::Params;
use crate::domain::{Access, Place, Touch, Value};

/// The places that a call names, and what it does to each. What cannot be read is left
/// out: the call itself will be refused for it.
pub fn touches(operation: &str, params: &Value) -> Vec<Touch> {
    let text = |name: &str| params.get(name).and_then(Value::as_str);
    let Some(bucket) = text("Bucket") else {
        return Vec::new();
    };
    let touch = |access, place| Touch {
        access,
        place,
        prefix: false,
        bytes: 0,
    };
    let container = || Place::container(bucket);
    let object = || text("Key").map(|key| Place::thing(bucket, key));
    match operation {
        "create_bucket" => vec![touch(Access::Write, container())],
        "delete_bucket" => vec![touch(Access::Delete, container())],
        "put_object" => object()
            .map(|place| Touch {
                bytes: brought(params),
                ..touch(Access::Write, place)
            })
            .into_iter()
            .collect(),
        "copy_object" => {
            let source = Params::new(params).and_then(|params| params.copy_source());
            let source = source.map(|source| Place::thing(source.bucket, source.key));
            let target = object().map(|place| touch(Access::Write, place));
            let source = source.ok().map(|place| touch(Access::Read, place));
            source.into_iter().chain(target).collect()
        }
        "delete_object" => (object().map(|place| touch(Access::Delete, place)))
            .into_iter()
            .collect(),
        "delete_objects" => listed(params)
            .map(|key| touch(Access::Delete, Place::thing(bucket, key)))
            .collect(),
        "list_objects" | "list_objects_v2" => {
            let prefix = text("Prefix").filter(|prefix| !prefix.is_empty());
            let place = prefix.map_or_else(container, |prefix| Place::thing(bucket, prefix));
            vec![Touch {
                prefix: true,
                ..touch(Access::Read, place)
            }]
        }
        _ => vec![touch(Access::Read, object().unwrap_or_else(container))],
    }
}

/// The keys of `delete_objects`.
fn listed(params: &Value) -> impl Iterator<Item = &str> {
    let objects = params
        .get("Delete")
        .and_then(|delete| delete.get("Objects"));
    let objects = objects.and_then(Value::as_list).unwrap_or_default();
    objects
        .iter()
        .filter_map(|object| object.get("Key").and_then(Value::as_str))
}

fn brought(params: &Value) -> u64 {
    let bytes = Params::new(params).and_then(|params| params.body());
    bytes.map_or(0, |body| body.len() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::s3::{OPERATIONS, operations};

    #[test]
    fn every_operation_that_writes_touches_something_to_write_or_delete() {
        let entry = Value::Map(vec![("Key".into(), "c".into())]);
        let delete = Value::Map(vec![("Objects".into(), Value::List(vec![entry]))]);
        let params = Value::Map(vec![
            ("Bucket".into(), "a".into()),
            ("Key".into(), "b".into()),
            ("Body".into(), "four".into()),
            ("CopySource".into(), "from/a%20b?versionId=1".into()),
            ("Delete".into(), delete),
        ]);
        for operation in OPERATIONS.iter().filter(|name| **name != "list_buckets") {
            let found = touches(operation, &params);
            let changes = found.iter().any(|touch| touch.access != Access::Read);
            assert_eq!(changes, operations::writes(operation), "{operation}");
        }
        let copied = touches("copy_object", &params);
        let places: Vec<String> = copied.iter().map(|touch| touch.place.to_string()).collect();
        // Not percent-encoded, as `CopySource` says.
        assert_eq!(places, ["from/a%20b", "a/b"]);
        let listed = touches("list_objects", &params);
        assert_eq!(listed.first().map(|touch| touch.prefix), Some(true));
        assert_eq!(
            touches("put_object", &params).first().map(|t| t.bytes),
            Some(4)
        );
    }
}
