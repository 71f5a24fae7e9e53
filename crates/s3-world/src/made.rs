//! What a write makes beside what was there, by the ids in its answer: a version, a delete
//! marker, an upload. An undo takes away just that.

use super::caller::{list, text};
use super::object_words::{self, Lock};
use super::planning::object;
use super::planning_settings;
use super::uploads;
use crate::domain::{Ids, Map, Mark, Place, Value, WayBack, Write};

/// The name of a version's id among those of an answer.
const VERSION: &str = "VersionId";

/// The name of the id of the marker that a deletion of many left at a key.
fn marker(key: &str) -> String {
    format!("marker at {key}")
}

/// The ids in the answer of a write.
pub(super) fn ids(operation: &str, params: &Value, answer: &Value) -> Ids {
    let names: &[&str] = match operation {
        "put_object" | "copy_object" | "complete_multipart_upload" => &[VERSION],
        // A deletion of a version tells the id of what it took away.
        "delete_object" if text(params, VERSION).is_none() => &[VERSION],
        "create_multipart_upload" => &["UploadId"],
        "upload_part" | "upload_part_copy" => &["ETag"],
        "delete_objects" => {
            let deleted = list(answer, "Deleted").iter();
            let made = deleted.filter(|it| text(it, VERSION).is_none());
            let made = made.filter_map(|it| {
                let id = text(it, "DeleteMarkerVersionId")?;
                Some((marker(text(it, "Key")?), id.to_owned()))
            });
            return made.collect();
        }
        _ => &[],
    };
    let told = answer.get("CopyPartResult").unwrap_or(answer);
    let ids = names.iter();
    ids.filter_map(|name| Some(((*name).to_owned(), text(told, name)?.to_owned())))
        .collect()
}

/// The place of an upload that was begun: only the answer names it.
pub(super) fn place(place: Place, ids: &Ids) -> Place {
    match (place.setting(), ids.get("UploadId")) {
        (Some(uploads::UPLOAD), Some(id)) => {
            let setting = format!("{} {id}", uploads::UPLOAD);
            place.with_setting(setting)
        }
        _ => place,
    }
}

/// The id of the version or the delete marker that a write made at a key.
pub(super) fn beside<'i>(operation: &str, place: &Place, ids: &'i Ids) -> Option<&'i String> {
    let key = place.segments().get(1);
    let key = key.filter(|_| place.setting().is_none())?;
    match operation {
        "put_object" | "copy_object" | "complete_multipart_upload" | "delete_object" => {
            ids.get(VERSION)
        }
        "delete_objects" => ids.get(&marker(key)),
        _ => None,
    }
}

/// Whether a deletion replaced a delete marker without an id by another one, which is no change.
fn leaves_marker(write: &Write, place: &Place) -> bool {
    let null = place.clone().with_version("null");
    let mut touched = write.touched.iter();
    touched.any(|it| it.place == null && planning_settings::is_marker_still(it))
}

/// What takes away the version or the delete marker that a write made.
pub(super) fn way_back(
    write: &Write,
    place: &Place,
    ids: &Ids,
    [before, after]: [Option<&Mark>; 2],
) -> Option<WayBack> {
    let key = place
        .segments()
        .get(1)
        .filter(|_| place.setting().is_none())?;
    let planned = write.touched.iter().find(|touched| touched.place == *place);
    let planned = planned.and_then(|touched| touched.after.as_ref());
    let is_write = ["put_object", "copy_object", "complete_multipart_upload"];
    let id = match beside(&write.operation, place, ids) {
        Some(id) => id.clone(),
        None if !is_write.contains(&write.operation.as_str()) => return None,
        // An answer that was lost told no id, but the look after it did.
        None => match after.and_then(|mark| mark.version.clone()) {
            Some(id) => id,
            None if object_words::is_null_version(planned) => "null".to_owned(),
            None => return None,
        },
    };
    // Another version without an id was overwritten.
    if id == "null"
        && (before.is_some_and(|mark| mark.version.is_none()) || leaves_marker(write, place))
    {
        return None;
    }
    let named = || -> Map {
        let mut params = object(place.root(), key);
        params.push((VERSION.into(), id.as_str().into()));
        params
    };
    let mut calls = Vec::new();
    if object_words::is_held(planned) {
        let mut params = named();
        let off = vec![("Status".into(), "OFF".into())];
        params.push(("LegalHold".into(), Value::Map(off)));
        calls.push(("put_object_legal_hold".to_owned(), Value::Map(params)));
    }
    let mut params = named();
    match object_words::lock(planned) {
        Some(Lock::Compliance) => return None,
        Some(Lock::Governance) => params.push(("BypassGovernanceRetention".into(), true.into())),
        None => {}
    }
    calls.push(("delete_object".to_owned(), Value::Map(params)));
    Some(WayBack {
        place: place.clone().with_version(&id),
        calls,
    })
}
