//! Planning for settings: what a setting is now, and how it becomes what it was.

use super::caller::{Caller, params};
use super::lasting;
use super::links;
use super::memory::settings::identified_parameter;
use super::refusal::Trouble;
use super::setting_kind::{self, SettingKind};
use super::uploads;
use crate::domain::{Image, Map, Mark, Place, Touched, Value, World};
use crate::error::Result;
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use std::collections::HashSet;

/// The words about a version that is a delete marker.
const MARKER: &str = "a delete marker";

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
        // leads to an image, which says what an undo does instead.
        None => setting_kind::never_set(kind).map(|words| mark(words.to_owned(), &Value::Null)),
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
    if uploads::is_upload(place) {
        return uploads::look(world, place).await;
    }
    let caller = Caller(world);
    let setting = place.setting().unwrap_or_default();
    let (operation, params, words) = match Identified::at(place) {
        Some(it) => (it.operation("get"), it.named(place), "set"),
        None if setting == RESTORATION => ("head_object".to_owned(), named(place), "as it is"),
        None => match version(place) {
            Some(named) => ("head_object".to_owned(), named, "a version"),
            None => return Ok(None),
        },
    };
    let params = Value::Map(params);
    match caller.ask(&operation, &params).await {
        Ok(answer) if setting == RESTORATION => {
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
            Ok(Some(mark(MARKER.to_owned(), &Value::Null)))
        }
        Err(Trouble::Refused(refusal)) if matches!(refusal.status, 400 | 404) => Ok(None),
        Err(trouble) => Err(caller.cannot_look(&params, trouble)),
    }
}

/// Whether a mark is that of a version that is a delete marker.
pub(super) fn is_marker_mark(mark: Option<&Mark>) -> bool {
    mark.is_some_and(|mark| mark.summary.as_deref() == Some(MARKER))
}

/// Whether a version was a delete marker before a write, and is one afterwards.
pub(super) fn is_marker_still(touched: &Touched) -> bool {
    let marks = [&touched.before, &touched.after];
    marks.into_iter().all(|mark| is_marker_mark(mark.as_ref()))
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
pub(super) async fn image(
    world: &dyn World,
    place: &Place,
    destroyed: &HashSet<Place>,
) -> Result<Image> {
    let caller = Caller(world);
    let Some(kind) = setting_kind::at(place) else {
        return image_otherwise(&caller, place).await;
    };
    if destroyed.contains(place) {
        return Ok(Image::Lost(lasting::COMPLIANCE.to_owned()));
    }
    let value = read(&caller, kind, place).await?;
    Ok(match (value, kind.lasting) {
        (Some(value), _) => put(kind, place, value),
        (None, _) if kind.is_suspended() => {
            put(kind, place, Value::Map(params([("Status", "Suspended")])))
        }
        (None, Some(lasting)) => Image::Lost(lasting.to_owned()),
        (None, None) => Image::Nothing,
    })
}

/// The mark of a setting that an image can only suspend.
pub(super) fn suspended(place: &Place, image: &Image) -> Option<Mark> {
    let kind = setting_kind::at(place).filter(|kind| kind.is_suspended())?;
    let Image::Call { params, .. } = image else {
        return None;
    };
    let value = params.get(kind.parameter)?;
    Some(mark(setting_kind::summary(kind, value), value))
}

/// The call that gives a setting a value.
fn put(kind: &SettingKind, place: &Place, value: Value) -> Image {
    let mut params = named(place);
    params.push((kind.parameter.into(), value));
    if kind.label == RETENTION {
        params.push(BYPASS);
    }
    Image::Call {
        operation: kind.put.to_owned(),
        params: Value::Map(params),
    }
}

async fn image_otherwise(caller: &Caller<'_>, place: &Place) -> Result<Image> {
    if uploads::is_upload(place) {
        return Ok(Image::Lost(uploads::lasting("").to_owned()));
    }
    if let Some(it) = Identified::at(place) {
        let mut params = it.named(place);
        let asked = Value::Map(params.clone());
        let found = match caller.ask(&it.operation("get"), &asked).await {
            Ok(answer) => answer.get(it.parameter()).cloned(),
            Err(Trouble::Refused(refusal)) if refusal.status == 404 => None,
            Err(trouble) => return Err(caller.cannot_look(&asked, trouble)),
        };
        return Ok(match found {
            Some(value) => {
                params.push((it.parameter().into(), value));
                Image::Call {
                    operation: it.operation("put"),
                    params: Value::Map(params),
                }
            }
            None => Image::Nothing,
        });
    }
    if place.setting() == Some(RESTORATION) {
        return Ok(Image::Lost(lasting::RESTORATION.to_owned()));
    }
    // A delete marker that is the latest is made again by a deletion.
    let is_hidden = match version(place) {
        Some(params) => is_marker(caller, params).await? && is_marker(caller, named(place)).await?,
        None => false,
    };
    Ok(match is_hidden {
        true => Image::Nothing,
        false => Image::Lost(lasting::GONE.to_owned()),
    })
}

/// Whether a look finds a delete marker, or nothing because of one.
async fn is_marker(caller: &Caller<'_>, params: Map) -> Result<bool> {
    let params = Value::Map(params);
    match caller.ask("head_object", &params).await {
        Ok(_) => Ok(false),
        Err(Trouble::Refused(refusal)) => Ok(matches!(refusal.status, 404 | 405)),
        Err(Trouble::Failed(error)) => Err(error),
    }
}

/// The call that takes away what a place with a setting is: the operation for it, or making it
/// empty. It never takes away the thing that has the setting.
pub(super) fn removal(place: &Place) -> Option<(String, Value)> {
    if let Some(params) = uploads::named(place) {
        return Some(("abort_multipart_upload".to_owned(), Value::Map(params)));
    }
    if let Some(it) = Identified::at(place) {
        return Some((it.operation("delete"), Value::Map(it.named(place))));
    }
    let Some(kind) = setting_kind::at(place) else {
        // Nothing takes a restoration away, or a link.
        let params = version(place)?;
        return Some(("delete_object".to_owned(), Value::Map(params)));
    };
    let mut params = named(place);
    if kind.delete.is_empty() {
        let none = match kind.label {
            HOLD => super::caller::params([("Status", OFF)]),
            _ => Map::new(),
        };
        params.push((kind.parameter.into(), Value::Map(none)));
        if kind.label == RETENTION {
            params.push(BYPASS);
        }
        return Some((kind.put.to_owned(), Value::Map(params)));
    }
    Some((kind.delete.to_owned(), Value::Map(params)))
}

/// The mark of a setting that its [`removal`] can only turn off.
pub(super) fn emptied(place: &Place) -> Option<Mark> {
    let kind = setting_kind::at(place).filter(|kind| kind.label == HOLD)?;
    let value = Value::Map(params([("Status", OFF)]));
    Some(mark(setting_kind::summary(kind, &value), &value))
}

const RESTORATION: &str = "restoration";
const RETENTION: &str = "retention";
const HOLD: &str = "legal hold";
/// The status of a legal hold that holds nothing.
const OFF: &str = "OFF";
/// Without it, a retention in the mode GOVERNANCE is only made longer.
const BYPASS: (Cow<'static, str>, Value) = (
    Cow::Borrowed("BypassGovernanceRetention"),
    Value::Bool(true),
);

/// The parameters that name the bucket, the object or the version of a setting.
fn named(place: &Place) -> Map {
    let key = place.segments().get(1).map(String::as_str);
    let key = key.map(|key| ("Key", key));
    let version = setting_kind::version(place).map(|id| ("VersionId", id));
    params(
        [("Bucket", place.root())]
            .into_iter()
            .chain(key)
            .chain(version),
    )
}

/// The parameters that name the version at a place, if it is one.
fn version(place: &Place) -> Option<Map> {
    let id = place.setting()?.strip_prefix("version ")?;
    let mut params = named(place);
    params.push(("VersionId".into(), id.into()));
    Some(params)
}

/// A configuration of a bucket that has an id, of which there may be many.
struct Identified<'p> {
    kind: &'p str,
    id: &'p str,
}

impl<'p> Identified<'p> {
    fn at(place: &'p Place) -> Option<Self> {
        let (kind, id) = place.setting()?.split_once(' ')?;
        identified_parameter(kind)?;
        (place.segments().len() == 1).then_some(Identified { kind, id })
    }

    fn operation(&self, act: &str) -> String {
        format!("{act}_bucket_{}_configuration", self.kind)
    }

    fn parameter(&self) -> &'static str {
        identified_parameter(self.kind).unwrap_or_default()
    }

    fn named(&self, place: &Place) -> Map {
        params([("Bucket", place.root()), ("Id", self.id)])
    }
}
