//! The buckets and objects that a call names.

use super::api::{self, Level};
use super::caller::params;
use super::let_in::{self, shares};
use super::memory::settings::identified_parameter;
use super::params::Params;
use super::world::alias;
use super::{later, links, listed_names, names, setting_kind, uploads};
use crate::domain::{
    Access, Beside, Counts, Grant, Map, Operation, Ownership, PathForm, Place, Segment, Target,
    Touches, Value,
};

/// Finds the buckets and keys that calls name.
pub struct S3Touches;

impl Touches for S3Touches {
    /// Follows from the parameters that the operation has. Leaves out parameters that
    /// cannot be read: they make the call itself be refused.
    fn targets(&self, operation: &str, params: &Value) -> Vec<Target> {
        self.targets_owning(operation, params, &[])
    }

    fn targets_owning(&self, operation: &str, params: &Value, own: &[String]) -> Vec<Target> {
        if links::describing(operation).is_some() {
            let link = |place| Target {
                counts: Counts::Bytes,
                ..Target::object(place)
            };
            let place = links::place(operation, params);
            return place.map(link).into_iter().collect();
        }
        let mut targets = named(operation, params, own);
        // The bucket behind an access point is not known.
        let of_points = targets.iter_mut();
        for target in of_points.filter(|it| names::is_access_point(it.place.root())) {
            target.beside = Beside::Anything;
        }
        targets
    }

    fn named_accounts(&self, operation: &str, params: &Value, own: &[String]) -> Vec<String> {
        let_in::accounts(operation, params, own)
    }

    /// Contains every parameter that gives some operation a key. A link is judged as one that
    /// reads.
    fn call(&self, operation: &str, place: Option<&str>, source: Option<&str>) -> Value {
        if operation == "generate_presigned_url" {
            let named = place.map(object).map(|(named, _)| named);
            return Value::Map(vec![
                ("ClientMethod".into(), "get_object".into()),
                ("Params".into(), Value::Map(named.unwrap_or_default())),
                ("ExpiresIn".into(), Value::Int(60)),
            ]);
        }
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

    fn grant<'a>(&self, operation: &str, params: &'a Value) -> Option<Grant<'a>> {
        links::grant(operation, params)
    }

    /// A list of nothing to delete, which S3 finds malformed.
    fn is_void(&self, operation: &str, params: &Value) -> bool {
        let listed = params.get("Delete").and_then(|it| it.get("Objects"));
        operation == "delete_objects"
            && listed.and_then(Value::as_list).is_some_and(<[_]>::is_empty)
    }

    fn no_container(&self, name: &str) -> Option<String> {
        // What has a slash is the path of an object or an access point.
        if names::is_folder_bucket_name(name) || name.contains(['/', ':']) {
            return None;
        }
        let alias = alias(name);
        Some(format!(
            "no bucket can be called {name:?}; a folder of that name is the bucket \"{alias}\""
        ))
    }

    /// Settings of a bucket say what S3 does later, and where it sends things.
    fn is_judged_by_more(&self, operation: &str) -> bool {
        operation.starts_with("put_bucket_") || operation.ends_with("_acl")
    }

    fn ownership(&self) -> Option<Ownership> {
        Some(Ownership {
            list: "list_buckets",
            field: "Buckets",
            name: "Name",
            look: "head_bucket",
            parameter: "Bucket",
            owner: "ExpectedBucketOwner",
        })
    }

    /// A write may do anything but read at what it names: parameters decide.
    fn forms(&self, operation: &Operation) -> Option<Vec<PathForm>> {
        let accesses = match operation.effect {
            Access::Read => vec![Access::Read],
            _ => vec![Access::Write, Access::Delete, Access::Share],
        };
        let form = |accesses: &[Access], segments: &[Segment]| PathForm {
            accesses: accesses.to_vec(),
            segments: segments.to_vec(),
        };
        let (bucket, object) = ([Segment::Value], [Segment::Value, Segment::Path]);
        let level = api::operation(&operation.name).map(|it| it.level);
        Some(match (level, operation.effect) {
            (Some(Level::Service), _) => vec![form(&accesses, &[])],
            (Some(Level::Bucket), Access::Read) if !lists_names(&operation.name) => {
                vec![form(&accesses, &bucket)]
            }
            (Some(Level::Object), Access::Read) => vec![form(&accesses, &object)],
            // The source of a copy, and what S3 does later.
            (Some(_), _) => vec![
                form(&accesses, &bucket),
                form(&accesses, &object),
                form(&[Access::Read], &object),
            ],
            // A link grants any other call.
            (None, _) => return None,
        })
    }
}

fn lists_names(operation: &str) -> bool {
    api::operation(operation).is_some_and(listed_names::lists)
}

/// The targets of a call of the API.
fn named(operation: &str, params: &Value, own: &[String]) -> Vec<Target> {
    let Some(operation) = api::operation(operation) else {
        return Vec::new();
    };
    let text = |name: &str| params.get(name).and_then(Value::as_str);
    let has = |name: &str| operation.input.member(name).is_some();
    let Some(bucket) = text("Bucket") else {
        return Vec::new();
    };
    let container = || Place::container(bucket);
    if has("Delete") {
        let each = listed(params);
        let each = each.flat_map(|(key, version)| deleted(Place::thing(bucket, key), version));
        return each.collect();
    }
    if operation.level == Level::Bucket && listed_names::lists(operation) {
        let prefix = text("Prefix").filter(|prefix| !prefix.is_empty());
        let place = prefix.map_or_else(container, |prefix| Place::thing(bucket, prefix));
        return vec![Target::listing(place)];
    }
    let place = match text("Key").filter(|_| operation.level == Level::Object) {
        Some(key) => Some(Place::thing(bucket, key)),
        // A read without a key says at least where it would have looked.
        None => {
            (operation.level == Level::Bucket || operation.effect == Access::Read).then(container)
        }
    };
    if operation.name == "delete_object" {
        return place.map_or_else(Vec::new, |place| deleted(place, text("VersionId")));
    }
    let source = has("CopySource").then(|| {
        let source = Params::new(params).and_then(|params| params.copy_source());
        let source = source.map(|source| Place::thing(source.bucket, source.key));
        source.ok().map(Target::source)
    });
    let object = place.map(|place| Target {
        bytes: if has("Body") { content_size(params) } else { 0 },
        shares: shares(operation.name, params, own),
        counts: match is_of_upload(operation.name) {
            true => Counts::Bytes,
            false => Counts::ByPlace,
        },
        ..Target::object(with_setting(place, operation.name, params))
    });
    let later = later::targets(operation.name, bucket, params, own);
    let itself = source.flatten().into_iter().chain(object);
    itself.chain(later).collect()
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

/// The place that a call changes: the thing itself, or one of its settings.
fn with_setting(thing: Place, operation: &str, params: &Value) -> Place {
    let text = |name: &str| params.get(name).and_then(Value::as_str);
    if let Some(kind) = setting_kind::written_by(operation) {
        return thing.with_setting(setting_kind::name(kind, text("VersionId")));
    }
    match (operation, identified(operation), text("Id")) {
        _ if is_of_upload(operation) => uploads::place(thing, params),
        ("restore_object", ..) => thing.with_setting("restoration"),
        (_, Some(kind), Some(id)) => thing.with_setting(format!("{kind} {id}")),
        _ => thing,
    }
}

/// Whether an operation is about the parts of an upload, which become an object when the
/// upload is completed.
fn is_of_upload(operation: &str) -> bool {
    let parts = ["upload_part", "upload_part_copy"];
    let uploads = ["create_multipart_upload", "abort_multipart_upload"];
    parts.contains(&operation) || uploads.contains(&operation)
}

/// The targets of a deletion: the object, and if it names one, the version. They are one
/// deletion.
fn deleted(place: Place, version: Option<&str>) -> Vec<Target> {
    let version = version.map(|version| {
        let place = place.clone().with_version(version);
        Target {
            counts: Counts::Bytes,
            ..Target::object(place)
        }
    });
    [Target::object(place)].into_iter().chain(version).collect()
}

/// The kind of configuration with an id that an operation writes.
fn identified(operation: &str) -> Option<&str> {
    let (act, rest) = operation.split_once("_bucket_")?;
    let kind = rest.strip_suffix("_configuration")?;
    let is_known = identified_parameter(kind).is_some();
    (matches!(act, "put" | "delete") && is_known).then_some(kind)
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
    use crate::domain::{Access, Touch, Value};
    use crate::{OPERATIONS, S3};

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
            // Some calls share by what they say, beyond the least that their operation does.
            let is_more = access == Some(Access::Share) && effect == Some(Access::Write);
            assert!(access == effect || is_more, "{operation}: {access:?}");
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
        for operation in ["put_object", "upload_part"] {
            let put = S3.touches(operation, &params);
            assert_eq!(put.first().map(|touch| touch.bytes), Some(4));
        }
        let of = |operation: &str| S3.touches(operation, &params).iter().map(what).collect();
        let (tags, policy): (Vec<_>, Vec<_>) = (of("put_object_tagging"), of("put_bucket_policy"));
        assert_eq!(tags, [(Access::Write, "a/b (tags)".to_owned())]);
        assert_eq!(policy, [(Access::Write, "a/ (policy)".to_owned())]);
        let versions = S3.touches("list_object_versions", &params);
        assert_eq!(versions.first().map(|touch| touch.prefix), Some(true));
    }
}
