//! Reads the settings of a bucket from any world, in the form of the embedded store.

use super::caller::{self, Caller, list, params};
use super::markers::Markers;
use super::memory::is_owners_alone;
use super::memory::settings::{self, ACL, BucketSettings, Setting};
use super::refusal::Trouble;
use crate::domain::{Map, Value};
use crate::error::Result;
use futures_util::{StreamExt, TryStreamExt, stream};
use std::collections::BTreeMap;

/// Reads the settings of a bucket: those that a new bucket does not have. What the server
/// does not know, or does not tell these credentials, is absent.
///
/// # Errors
/// The server does not answer.
pub(super) async fn read(
    caller: Caller<'_>,
    bucket: &str,
    at_once: usize,
) -> Result<BucketSettings> {
    let named = || params([("Bucket", bucket)]);
    let each = settings::ALL.iter().map(async |setting| {
        let value = one(&caller, setting, named()).await?;
        Ok::<_, crate::Error>(value.map(|value| (setting.name.to_owned(), value)))
    });
    let each: Vec<_> = each.collect();
    let made: Vec<_> = stream::iter(each)
        .buffered(at_once.max(1))
        .try_collect()
        .await?;
    let mut read = BucketSettings::default();
    for (name, value) in made.into_iter().flatten() {
        read.set(&name, value);
    }
    if let Some(grants) = grants(&caller, "get_bucket_acl", named()).await? {
        read.set(ACL, grants);
    }
    for kind in settings::identified_kinds() {
        for (id, item) in configurations(&caller, bucket, kind).await? {
            read.set(&format!("{kind}/{id}"), item);
        }
    }
    Ok(read)
}

/// All configurations of a kind that a bucket has, by their ids. There are none if the server does
/// not know the operation that lists them, or refuses it to these credentials.
///
/// # Errors
/// The server does not answer.
pub(super) async fn configurations(
    caller: &Caller<'_>,
    bucket: &str,
    kind: &str,
) -> Result<BTreeMap<String, Value>> {
    let operation = format!("list_bucket_{kind}_configurations");
    let field = settings::identified_parameter(kind)
        .unwrap_or_default()
        .to_owned()
        + "List";
    let mut all = BTreeMap::new();
    let mut markers = Markers::new();
    let mut asked = params([("Bucket", bucket)]);
    while let Some(page) = ask(caller, &operation, asked).await? {
        let items = list(&page, &field);
        all.extend(items.iter().filter_map(|item| {
            let id = caller::text(item, "Id")?;
            Some((id.to_owned(), item.clone()))
        }));
        let next = markers.next(&page, "NextContinuationToken");
        // A server that does not know these configurations may answer with the listing of the
        // bucket, whose pages have none and may be many.
        let Some(token) = next.filter(|_| !items.is_empty()) else {
            break;
        };
        asked = params([("Bucket", bucket), ("ContinuationToken", token)]);
    }
    Ok(all)
}

/// The answer; none if the server refuses.
async fn ask(caller: &Caller<'_>, operation: &str, params: Map) -> Result<Option<Value>> {
    match caller.ask(operation, &Value::Map(params)).await {
        Ok(answer) => Ok(Some(answer)),
        Err(Trouble::Refused(_)) => Ok(None),
        Err(Trouble::Failed(error)) => Err(error),
    }
}

async fn one(caller: &Caller<'_>, setting: &Setting, named: Map) -> Result<Option<Value>> {
    let [get, ..] = setting.operations;
    // A server that does not know a setting says the same as one where it was taken away.
    let Some(answer) = ask(caller, get, named).await? else {
        return Ok(None);
    };
    let value = match setting.field {
        Some(field) => answer.get(field).cloned(),
        None => Some(answer),
    };
    let is_new = |value: &Value| setting.of_new_bucket().as_ref() == Some(value);
    Ok(value.filter(|value| is_told(setting, value) && !is_new(value)))
}

/// Whether an answer is about the setting. A server that does not know the setting may answer
/// with the listing of the bucket, in which no field of the setting is found.
pub(super) fn is_told(setting: &Setting, value: &Value) -> bool {
    match value {
        Value::Map(fields) => !fields.is_empty(),
        Value::Str(text) if setting.name == "policy" => text.trim_start().starts_with('{'),
        _ => true,
    }
}

/// Whether the objects of a bucket have access control lists of their own: its ownership
/// controls say so.
///
/// # Errors
/// The server does not answer.
pub(super) async fn has_lists(caller: Caller<'_>, bucket: &str) -> Result<bool> {
    let named = Value::Map(params([("Bucket", bucket)]));
    let answer = caller.ask("get_bucket_ownership_controls", &named).await;
    let answer = match answer {
        Ok(answer) => answer,
        // Before there were such controls, objects had lists.
        Err(Trouble::Refused(refusal)) => {
            return Ok(refusal.code == "OwnershipControlsNotFoundError");
        }
        Err(Trouble::Failed(error)) => return Err(error),
    };
    let rules = answer.get("OwnershipControls");
    let rule = rules.and_then(|rules| list(rules, "Rules").first());
    let ownership = rule.and_then(|rule| caller::text(rule, "ObjectOwnership"));
    Ok(ownership.is_some_and(|it| it != "BucketOwnerEnforced"))
}

/// The grants of a bucket or an object, if they are more than the owner's.
///
/// # Errors
/// The server does not answer.
pub(super) async fn grants(
    caller: &Caller<'_>,
    operation: &str,
    named: Map,
) -> Result<Option<Value>> {
    let answer = ask(caller, operation, named).await?;
    let grants = answer
        .as_ref()
        .map_or(&[][..], |answer| list(answer, "Grants"));
    Ok((!is_owners_alone(grants)).then(|| Value::List(grants.to_vec())))
}
