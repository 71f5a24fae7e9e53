//! The configurations of which a bucket can have several, each with an id: inventory,
//! metrics, analytics and intelligent tiering.

use crate::domain::s3::api::canonical_parameter;
use crate::domain::s3::memory::{Store, buckets};
use crate::domain::s3::params::Params;
use crate::domain::s3::refusal;
use crate::domain::{Answer, Map, Refusal, Value};

/// The words in the names of the operations, and what their parameter is called.
const KINDS: [(&str, &str); 4] = [
    ("inventory", "InventoryConfiguration"),
    ("metrics", "MetricsConfiguration"),
    ("analytics", "AnalyticsConfiguration"),
    ("intelligent_tiering", "IntelligentTieringConfiguration"),
];

/// The names of the kinds, as the operations have them.
pub fn kinds() -> impl Iterator<Item = &'static str> {
    KINDS.iter().map(|(kind, _)| *kind)
}

/// What the parameter of a kind is called.
pub fn parameter(kind: &str) -> Option<&'static str> {
    let (_, parameter) = KINDS.iter().find(|(known, _)| *known == kind)?;
    Some(parameter)
}

/// Carries out an operation on such a configuration; `None` if it is about none.
pub fn perform(store: &mut Store, operation: &str, params: Params<'_>) -> Option<Answer> {
    let (act, rest) = operation.split_once("_bucket_")?;
    let kind = rest
        .strip_suffix("_configuration")
        .or(rest.strip_suffix("_configurations"))?;
    let (kind, field) = KINDS.iter().find(|(known, _)| *known == kind)?;
    Some(match act {
        "get" => get(store, params, kind, field),
        "put" => put(store, params, kind, field),
        "delete" => delete(store, params, kind),
        _ => list(store, params, kind, field),
    })
}

fn setting(kind: &str, id: &str) -> String {
    format!("{kind}/{id}")
}

fn none() -> Refusal {
    Refusal::new(
        404,
        "NoSuchConfiguration",
        "The specified configuration does not exist.",
    )
}

fn get(store: &Store, params: Params<'_>, kind: &str, field: &'static str) -> Answer {
    let bucket = buckets::find(&store.state, params, params.text("Bucket")?)?;
    let name = setting(kind, params.text("Id")?);
    let value = bucket.settings.get(&name).ok_or_else(none)?;
    Ok(Value::Map(vec![(field.into(), value.clone())]))
}

fn put(store: &mut Store, params: Params<'_>, kind: &str, field: &str) -> Answer {
    let (name, id) = (params.text("Bucket")?, params.text("Id")?);
    buckets::find(&store.state, params, name)?;
    let given = params.get(field).ok_or_else(refusal::malformed_xml)?;
    let operation = format!("put_bucket_{kind}_configuration");
    let value = canonical_parameter(&operation, field, given)?;
    if value.get("Id").and_then(Value::as_str) != Some(id) {
        return Err(Refusal::new(
            400,
            "InvalidArgument",
            "The ID specified in the request does not match the ID of the configuration.",
        ));
    }
    if let Some(bucket) = store.state.bucket_mut(name) {
        bucket.settings.set(&setting(kind, id), value);
    }
    Ok(Value::Map(Map::new()))
}

fn delete(store: &mut Store, params: Params<'_>, kind: &str) -> Answer {
    let name = params.text("Bucket")?;
    let setting = setting(kind, params.text("Id")?);
    buckets::find(&store.state, params, name)?
        .settings
        .get(&setting)
        .ok_or_else(none)?;
    if let Some(bucket) = store.state.bucket_mut(name) {
        bucket.settings.remove(&setting);
    }
    Ok(Value::Map(Map::new()))
}

fn list(store: &Store, params: Params<'_>, kind: &str, field: &str) -> Answer {
    let bucket = buckets::find(&store.state, params, params.text("Bucket")?)?;
    let prefix = setting(kind, "");
    let all = bucket
        .settings
        .iter()
        .filter(|(name, _)| name.starts_with(&prefix));
    let all: Vec<Value> = all.map(|(_, value)| Value::clone(value)).collect();
    let mut answer = Map::new();
    if !all.is_empty() {
        answer.push((format!("{field}List").into(), Value::List(all)));
    }
    answer.push(("IsTruncated".into(), false.into()));
    Ok(Value::Map(answer))
}
