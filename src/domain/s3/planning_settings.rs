//! Planning for settings: what a setting is now, and how it becomes what it was.

use super::caller::{self, Caller, params};
use super::links;
use super::refusal::Trouble;
use super::setting_kind::{self, SettingKind};
use crate::domain::{Image, Map, Mark, Place, Value, World};
use crate::error::Result;
use sha2::{Digest, Sha256};

/// The mark of a setting; `None` if it was never made.
pub(super) async fn look(world: &dyn World, place: &Place) -> Result<Option<Mark>> {
    // Nobody can look at the links to a thing.
    if links::is_link(place) {
        return Ok(None);
    }
    let caller = Caller(world);
    let Some(kind) = setting_kind::at(place) else {
        return look_otherwise(world, place).await;
    };
    let value = read(&caller, kind, place).await?;
    Ok(match value {
        Some(value) => Some(mark(setting_kind::summary(kind, &value), &value)),
        // A setting that cannot be removed again gets a mark even if it was never set. The mark
        // leads to an image, which says that there is no way back.
        None => (kind.lasting).map(|_| mark("never set".to_owned(), &Value::Null)),
    })
}

/// Reads a setting; `None` if it is not there, or if the bucket or object is not.
async fn read(caller: &Caller<'_>, kind: &SettingKind, place: &Place) -> Result<Option<Value>> {
    let named = Value::Map(named(place));
    match caller.ask(kind.get, &named).await {
        Ok(answer) => Ok(kind.value(&answer)),
        // S3 says of an object without a lock that its bucket has none.
        Err(Trouble::Refused(refusal)) if matches!(refusal.status, 400 | 404 | 405) => Ok(None),
        Err(trouble) => Err(caller.cannot_look(&named, trouble)),
    }
}

/// The mark of a version, of an upload, or of a configuration with an id.
async fn look_otherwise(world: &dyn World, place: &Place) -> Result<Option<Mark>> {
    let caller = Caller(world);
    let (setting, mut params) = (place.setting().unwrap_or_default(), named(place));
    let (operation, words) = match setting.split_once(' ') {
        Some(("version", id)) => {
            params.push(("VersionId".into(), id.into()));
            ("head_object", "an old version")
        }
        Some((kind, id)) => {
            params.push(("Id".into(), id.into()));
            let get = match kind {
                "inventory" => "get_bucket_inventory_configuration",
                "metrics" => "get_bucket_metrics_configuration",
                "analytics" => "get_bucket_analytics_configuration",
                _ => "get_bucket_intelligent_tiering_configuration",
            };
            (get, "set")
        }
        None if setting == "restoration" => ("head_object", "as it is"),
        // Uploads in progress are not looked at: their parts are nobody's object yet.
        None => return Ok(None),
    };
    let params = Value::Map(params);
    match caller.ask(operation, &params).await {
        Ok(answer) if setting == "restoration" => {
            let restore = answer.get("Restore").and_then(Value::as_str);
            Ok(restore.map(|told| {
                let is_ongoing = told.contains("\"true\"");
                let words = if is_ongoing {
                    "being restored"
                } else {
                    "restored"
                };
                mark(words.to_owned(), &told.into())
            }))
        }
        Ok(answer) => Ok(Some(mark(words.to_owned(), &without_time(&answer)))),
        // A delete marker is a version, too.
        Err(Trouble::Refused(refusal)) if refusal.status == 405 => {
            Ok(Some(mark("a delete marker".to_owned(), &Value::Null)))
        }
        Err(Trouble::Refused(refusal)) if matches!(refusal.status, 400 | 404) => Ok(None),
        Err(trouble) => Err(caller.cannot_look(&params, trouble)),
    }
}

fn without_time(answer: &Value) -> Value {
    answer
        .get("ETag")
        .cloned()
        .unwrap_or_else(|| answer.clone())
}

fn mark(summary: String, value: &Value) -> Mark {
    let digest: [u8; 32] = Sha256::digest(format!("{value:?}")).into();
    Mark {
        tag: const_hex::encode(digest.get(..8).unwrap_or_default()),
        size: 0,
        version: None,
        summary: Some(summary),
    }
}

/// How a setting becomes what it is now again.
pub(super) async fn image(world: &dyn World, place: &Place) -> Result<Image> {
    let Some(kind) = setting_kind::at(place) else {
        return Ok(image_otherwise(place));
    };
    let value = read(&Caller(world), kind, place).await?;
    Ok(match (value, kind.lasting) {
        (Some(value), _) => {
            let mut params = named(place);
            params.push((kind.parameter.into(), value));
            Image::Call {
                operation: kind.put.to_owned(),
                params: Value::Map(params),
            }
        }
        (None, Some(lasting)) => Image::Lost(lasting.to_owned()),
        (None, None) => Image::Nothing,
    })
}

fn image_otherwise(place: &Place) -> Image {
    let setting = place.setting().unwrap_or_default();
    match setting.split_once(' ') {
        Some(("version", _)) => Image::Lost("a deleted version is gone".to_owned()),
        Some(_) => Image::Lost("configurations with an id are not kept".to_owned()),
        None => Image::Nothing,
    }
}

/// The call that takes a setting away: the operation for it, or making it empty.
pub(super) fn removal(kind: &SettingKind, place: &Place) -> (String, Value) {
    let mut params = named(place);
    if kind.delete.is_empty() {
        let none = match kind.label {
            "legal hold" => caller::params([("Status", "OFF")]),
            _ => Map::new(),
        };
        params.push((kind.parameter.into(), Value::Map(none)));
        if kind.label == "retention" {
            params.push(("BypassGovernanceRetention".into(), true.into()));
        }
        return (kind.put.to_owned(), Value::Map(params));
    }
    (kind.delete.to_owned(), Value::Map(params))
}

/// The parameters that name the bucket or the object of a setting.
fn named(place: &Place) -> Map {
    let key = place.segments().get(1).map(String::as_str);
    let key = key.map(|key| ("Key", key));
    params([("Bucket", place.root())].into_iter().chain(key))
}
