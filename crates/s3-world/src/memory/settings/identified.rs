//! The configurations of which a bucket can have several, each with an id: inventory,
//! metrics, analytics and intelligent tiering.

use crate::api::canonical_parameter;
use crate::domain::{Answer, Map, Refusal, Value};
use crate::memory::list::Token;
use crate::memory::state::Bucket;
use crate::memory::{Store, buckets};
use crate::params::Params;
use crate::refusal;
use std::collections::BTreeMap;

/// The words in the names of the operations, and what their parameter is called.
const KINDS: [(&str, &str); 4] = [
    ("inventory", "InventoryConfiguration"),
    ("metrics", "MetricsConfiguration"),
    ("analytics", "AnalyticsConfiguration"),
    ("intelligent_tiering", "IntelligentTieringConfiguration"),
];

/// The most configurations of a kind that a bucket has.
const MOST: usize = 1000;
/// The most configurations of a kind in one answer.
const PAGE: usize = 100;

/// The names of the kinds, as the operations have them.
pub fn kinds() -> impl Iterator<Item = &'static str> {
    KINDS.iter().map(|(kind, _)| *kind)
}

/// The name of the parameter of a kind.
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
    check(kind, id, &value)?;
    if let Some(bucket) = store.state.bucket(name) {
        let others = bucket.settings.iter();
        let others = others.filter(|(name, _)| name.starts_with(&setting(kind, "")));
        if others
            .filter(|(name, _)| *name != setting(kind, id))
            .count()
            >= MOST
        {
            return Err(Refusal::new(
                400,
                "TooManyConfigurations",
                "You are attempting to create a new configuration but have already reached the \
                 1,000-configuration limit.",
            ));
        }
    }
    if let Some(bucket) = store.state.bucket_mut(name) {
        bucket.settings.set(&setting(kind, id), value);
    }
    Ok(Value::Map(Map::new()))
}

/// Refuses an invalid configuration, and one with another id than the call.
fn check(kind: &str, id: &str, value: &Value) -> Result<(), Refusal> {
    let invalid = |code: &str, message: &str| Err(Refusal::new(400, code, message));
    let is_other = value.get("Id").and_then(Value::as_str) != Some(id);
    match kind {
        "inventory" if is_other => invalid(
            "IdMismatch",
            "Document ID does not match the specified configuration ID.",
        ),
        _ if is_other => Err(refusal::malformed_xml()),
        "inventory" => {
            let bucket = value
                .get("Destination")
                .and_then(|it| it.get("S3BucketDestination")?.get("Bucket")?.as_str());
            match bucket.is_some_and(|arn| arn.starts_with("arn:")) {
                true => Ok(()),
                false => invalid("InvalidS3DestinationBucket", "Invalid bucket ARN."),
            }
        }
        "intelligent_tiering" => {
            let tierings = value.get("Tierings").and_then(Value::as_list);
            match tierings.unwrap_or_default().iter().all(is_tiering) {
                true => Ok(()),
                false => invalid("InvalidArgument", "Invalid Argument"),
            }
        }
        _ => Ok(()),
    }
}

/// Whether objects go to the archive after a time that S3 takes (S3 API reference, `Tiering`).
fn is_tiering(tiering: &Value) -> bool {
    let least = match tiering.get("AccessTier").and_then(Value::as_str) {
        Some("DEEP_ARCHIVE_ACCESS") => 180,
        _ => 90,
    };
    let days = tiering.get("Days").and_then(Value::as_int);
    days.is_some_and(|days| (least..=730).contains(&days))
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
    page(params, field, &of_bucket(bucket, kind))
}

/// The configurations of a kind that a bucket has, by their ids.
pub fn of_bucket(bucket: &Bucket, kind: &str) -> BTreeMap<String, Value> {
    let prefix = setting(kind, "");
    let all = bucket.settings.iter();
    all.filter_map(|(name, value)| {
        let id = name.strip_prefix(&prefix)?;
        Some((id.to_owned(), Value::clone(value)))
    })
    .collect()
}

/// The page of these configurations that a call asks for. `field` is the parameter of the kind.
///
/// # Errors
/// The `ContinuationToken` is not one that a listing gives.
pub fn page(params: Params<'_>, field: &str, all: &BTreeMap<String, Value>) -> Answer {
    let token = params.filled("ContinuationToken")?;
    let after = token.map(Token::read).transpose()?;
    let mut left = all
        .iter()
        .filter(|(id, _)| after.as_ref().is_none_or(|after| *id > after));
    let page: Vec<_> = left.by_ref().take(PAGE).collect();
    let is_truncated = left.next().is_some();
    let last = page.last().filter(|_| is_truncated);
    let next = last.map(|(id, _)| Token::write(id));
    let mut answer = Map::new();
    answer.extend(token.map(|token| ("ContinuationToken".into(), token.into())));
    if !page.is_empty() {
        let listed = page.into_iter().map(|(_, value)| value.clone()).collect();
        answer.push((format!("{field}List").into(), Value::List(listed)));
    }
    answer.push(("IsTruncated".into(), is_truncated.into()));
    answer.extend(next.map(|next| ("NextContinuationToken".into(), next.into())));
    Ok(Value::Map(answer))
}
