//! The buckets and objects that a call names.

use super::caller::params;
use super::kept;
use super::memory::settings::policy::is_public;
use super::params::Params;
use crate::domain::{Map, Place, Role, Target, Touches, Value};

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
        let mut targets = match operation {
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
            "delete_object" => {
                let deleted = object().map(|place| deleted(place, text("VersionId")));
                deleted.into_iter().flatten().collect()
            }
            "delete_objects" => listed(params)
                .flat_map(|(key, version)| deleted(Place::thing(bucket, key), version))
                .collect(),
            "list_objects"
            | "list_objects_v2"
            | "list_object_versions"
            | "list_multipart_uploads" => {
                let prefix = text("Prefix").filter(|prefix| !prefix.is_empty());
                let place = prefix.map_or_else(container, |prefix| Place::thing(bucket, prefix));
                vec![Target::listing(place)]
            }
            // Parts become an object when the upload is completed.
            "create_multipart_upload" | "upload_part" | "abort_multipart_upload" => {
                let upload = object().map(|place| Target {
                    bytes: content_size(params),
                    ..Target::object(place.with_setting("upload"))
                });
                upload.into_iter().collect()
            }
            "upload_part_copy" => {
                let source = Params::new(params).and_then(|params| params.copy_source());
                let source = source.map(|source| Place::thing(source.bucket, source.key));
                let upload = object().map(|place| place.with_setting("upload"));
                let source = source.ok().map(Target::source);
                source
                    .into_iter()
                    .chain(upload.map(Target::object))
                    .collect()
            }
            "restore_object" => {
                let restored = object().map(|place| place.with_setting("restoration"));
                restored.map(Target::object).into_iter().collect()
            }
            _ => {
                let thing = object().unwrap_or_else(container);
                vec![Target::object(match kept::written_by(operation) {
                    Some(kept) => thing.with_setting(kept.label),
                    None => match (identified(operation), text("Id")) {
                        (Some(kind), Some(id)) => thing.with_setting(format!("{kind} {id}")),
                        _ => thing,
                    },
                })]
            }
        };
        if shares(operation, params) {
            for target in &mut targets {
                target.shares = target.role == Role::Object;
            }
        }
        targets
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

/// What a deletion touches: the object, and if it names one, the version.
fn deleted(place: Place, version: Option<&str>) -> Vec<Target> {
    let version = version.map(|version| {
        let place = place.clone().with_setting(format!("version {version}"));
        Target::object(place)
    });
    [Target::object(place)].into_iter().chain(version).collect()
}

/// The kind of configuration with an id that an operation writes.
fn identified(operation: &str) -> Option<&str> {
    let (act, rest) = operation.split_once("_bucket_")?;
    let kind = rest.strip_suffix("_configuration")?;
    let kinds = ["inventory", "metrics", "analytics", "intelligent_tiering"];
    (matches!(act, "put" | "delete") && kinds.contains(&kind)).then_some(kind)
}

/// Whether a call lets others see something by what its parameters say.
fn shares(operation: &str, params: &Value) -> bool {
    let text = |name: &str| params.get(name).and_then(Value::as_str);
    let granted = [
        "GrantFullControl",
        "GrantRead",
        "GrantReadACP",
        "GrantWrite",
        "GrantWriteACP",
    ];
    let by_list =
        text("ACL").is_some_and(|acl| acl.contains("public") || acl.contains("authenticated"));
    let by_grant = granted.iter().any(|name| text(name).is_some());
    let by_policy = operation == "put_bucket_policy" && text("Policy").is_some_and(is_public);
    by_list || by_grant || by_policy
}

/// The keys of `delete_objects`, each with its version if one is named.
fn listed(params: &Value) -> impl Iterator<Item = (&str, Option<&str>)> {
    let objects = params
        .get("Delete")
        .and_then(|delete| delete.get("Objects"));
    let objects = objects.and_then(Value::as_list).unwrap_or_default();
    objects.iter().filter_map(|object| {
        let key = object.get("Key").and_then(Value::as_str)?;
        Some((key, object.get("VersionId").and_then(Value::as_str)))
    })
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
            ("Id".into(), "i".into()),
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
