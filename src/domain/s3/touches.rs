//! The buckets and objects that a call names.

use super::caller::params;
use super::params::Params;
use crate::domain::{Map, Place, Target, Touches, Value};

/// Finds the buckets and keys that calls name.
pub struct S3Touches;

impl Touches for S3Touches {
    /// Leaves out parameters that cannot be read: they make the call itself be refused.
    fn targets(&self, operation: &str, params: &Value) -> Vec<Target> {
        let text = |name: &str| params.get(name).and_then(Value::as_str);
        let Some(bucket) = text("Bucket") else {
            return Vec::new();
        };
        let container = || Place::container(bucket);
        let object = || text("Key").map(|key| Place::thing(bucket, key));
        match operation {
            "create_bucket" | "delete_bucket" => vec![Target::object(container())],
            "put_object" => {
                let put = object().map(|place| Target {
                    bytes: content_size(params),
                    ..Target::object(place)
                });
                put.into_iter().collect()
            }
            "copy_object" => {
                let source = Params::new(params).and_then(|params| params.copy_source());
                let source = source.map(|source| Place::thing(source.bucket, source.key));
                let source = source.ok().map(Target::source);
                let copy = object().map(Target::object);
                source.into_iter().chain(copy).collect()
            }
            "delete_object" => object().map(Target::object).into_iter().collect(),
            "delete_objects" => listed(params)
                .map(|key| Target::object(Place::thing(bucket, key)))
                .collect(),
            "list_objects" | "list_objects_v2" => {
                let prefix = text("Prefix").filter(|prefix| !prefix.is_empty());
                let place = prefix.map_or_else(container, |prefix| Place::thing(bucket, prefix));
                vec![Target::listing(place)]
            }
            _ => vec![Target::object(object().unwrap_or_else(container))],
        }
    }

    /// Contains every parameter that gives some operation a key.
    fn call(&self, _: &str, place: Option<&str>, source: Option<&str>) -> Value {
        let mut call = Map::new();
        if let Some((named, key)) = place.map(object) {
            call.extend(named);
            if !key.is_empty() {
                let entry = Value::Map(params([("Key", key)]));
                let objects = Value::Map(vec![("Objects".into(), Value::List(vec![entry]))]);
                call.extend(params([("Prefix", key)]));
                call.push(("Delete".into(), objects));
            }
        }
        if let Some((named, key)) = source.map(object) {
            let mut named = named;
            if key.is_empty() {
                named.extend(params([("Key", "")]));
            }
            call.push(("CopySource".into(), Value::Map(named)));
        }
        Value::Map(call)
    }
}

/// Splits `bucket/key` into bucket and key.
fn object(path: &str) -> (Map, &str) {
    let (bucket, key) = path.split_once('/').unwrap_or((path, ""));
    let mut named = params([("Bucket", bucket)]);
    if !key.is_empty() {
        named.extend(params([("Key", key)]));
    }
    (named, key)
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

fn content_size(params: &Value) -> u64 {
    let bytes = Params::new(params).and_then(|params| params.body());
    bytes.map_or(0, |body| body.len() as u64)
}

#[cfg(test)]
mod tests {
    use crate::domain::s3::{OPERATIONS, S3};
    use crate::domain::{Access, Touch, Value};

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
            let found = S3.touches(operation, &params);
            let access = found.iter().map(|touch| touch.access).max();
            let effect = S3.operation(operation).map(|operation| operation.effect);
            assert_eq!(access, effect, "{operation}");
        }
        let copied = S3.touches("copy_object", &params);
        let what = |touch: &Touch| (touch.access, touch.place.to_string());
        // `CopySource` is not percent-encoded.
        assert_eq!(
            copied.iter().map(what).collect::<Vec<_>>(),
            [
                (Access::Read, "from/a%20b".to_owned()),
                (Access::Write, "a/b".to_owned())
            ]
        );
        let listed = S3.touches("list_objects", &params);
        assert_eq!(listed.first().map(|touch| touch.prefix), Some(true));
        let put = S3.touches("put_object", &params);
        assert_eq!(put.first().map(|touch| touch.bytes), Some(4));
    }
}
