//! What an undo of a write could not bring back. A plan says so before it is decided on.

use super::caller::{list, text};
use super::links;
use super::object_words::{self, Lock};
use super::planning_settings;
use super::setting_kind;
use super::uploads;
use crate::domain::{Mark, Place, Touched, Value, Write};

/// Why a link that was signed is not taken back.
const HANDED_OUT: &str = "whoever has it can use it until it expires";
/// Why a version is not.
pub(super) const GONE: &str = "a deleted version is gone";
/// Why a retention is not.
pub(super) const COMPLIANCE: &str =
    "a retention in the mode COMPLIANCE cannot be shortened before it ends";
/// Why an archived object is not.
pub(super) const ARCHIVED: &str = "it is archived, and nobody can read it";
/// Why an object that is encrypted with a key of the caller's is not.
pub(super) const KEYED: &str = "only a caller with its key can read it";
/// Why a restoration is not.
pub(super) const RESTORATION: &str = "a restoration ends only by itself";
/// Why a restoration of an object that is deleted is not.
const RESTORED: &str = "only the archived object comes back";

/// The place of one version of an object.
pub(super) fn version_of(bucket: &str, key: &str, version: &str) -> Place {
    Place::thing(bucket, key).with_version(version)
}

/// The versions that a write takes away for good, named or not, and the retentions that it makes
/// final.
pub(super) fn destroyed(write: &Write) -> Vec<Place> {
    match write.operation.as_str() {
        "put_object"
        | "copy_object"
        | "complete_multipart_upload"
        | "delete_object"
        | "delete_objects" => {
            let changed = write.touched.iter().filter(|it| it.changed);
            let gone = changed.filter(|it| it.before.is_some() && it.place.is_version());
            let gone = gone.filter(|it| !planning_settings::is_marker_still(it));
            let gone = gone.map(|touched| touched.place.clone());
            deleted_versions(&write.params)
                .into_iter()
                .chain(gone)
                .collect()
        }
        "put_object_retention" => {
            let changed = write.touched.iter().filter(|it| is_final(it));
            changed.map(|touched| touched.place.clone()).collect()
        }
        _ => Vec::new(),
    }
}

/// The versions that a deletion names.
fn deleted_versions(params: &Value) -> Vec<Place> {
    let Some(bucket) = text(params, "Bucket") else {
        return Vec::new();
    };
    let listed = params.get("Delete").map(|delete| list(delete, "Objects"));
    let named = [params].into_iter().chain(listed.unwrap_or_default());
    let place = |named: &Value| {
        let (key, version) = (text(named, "Key")?, text(named, "VersionId")?);
        Some(version_of(bucket, key, version))
    };
    named.filter_map(place).collect()
}

/// Whether nothing lifts the retention afterwards, or nothing did before.
fn is_final(touched: &Touched) -> bool {
    let is_compliance = |mark: &Option<Mark>| {
        let summary = mark.as_ref().and_then(|mark| mark.summary.as_deref());
        summary.is_some_and(|summary| summary.contains("COMPLIANCE"))
    };
    is_compliance(&touched.before) || is_compliance(&touched.after)
}

/// What an undo of a write could not bring back.
pub(super) fn of(write: &Write) -> Vec<(Place, String)> {
    let deleted = match write.operation.as_str() {
        "delete_object" | "delete_objects" => deleted_versions(&write.params),
        _ => Vec::new(),
    };
    let mut lasting = Vec::new();
    for touched in write.touched.iter().filter(|touched| touched.changed) {
        let place = &touched.place;
        let mut say = |place: Place, because: &str| lasting.push((place, because.to_owned()));
        match (place.setting(), setting_kind::at(place)) {
            // One that no server answers was handed to nobody.
            _ if links::is_link(place) => {
                if touched.shares {
                    say(place.clone(), HANDED_OUT);
                }
            }
            (Some(_), Some(kind)) => {
                if let Some(because) = of_setting(kind, touched) {
                    say(place.clone(), because);
                }
            }
            (Some(setting), None) => {
                if let Some(because) = of_other(setting, touched, write) {
                    say(place.clone(), because);
                }
            }
            (None, _) if !place.is_container() => {
                for (setting, because) in of_object(touched, write, &deleted) {
                    match setting {
                        Some(setting) => say(place.clone().with_setting(setting), because),
                        None => say(place.clone(), because),
                    }
                }
            }
            (None, _) => {}
        }
    }
    lasting
}

fn of_setting(kind: &setting_kind::SettingKind, touched: &Touched) -> Option<&'static str> {
    let is_same = Mark::same(touched.before.as_ref(), touched.after.as_ref());
    match kind.label {
        _ if is_same => None,
        "retention" => is_final(touched).then_some(COMPLIANCE),
        "legal hold" if touched.before.is_none() => {
            Some("a legal hold can be turned off, but not taken away")
        }
        _ => kind
            .lasting
            .filter(|_| setting_kind::is_never_set(touched.before.as_ref())),
    }
}

/// Of a version, an upload or a restoration.
fn of_other(setting: &str, touched: &Touched, write: &Write) -> Option<&'static str> {
    if setting == "restoration" {
        return Some(RESTORATION);
    }
    touched.before.as_ref()?;
    if uploads::is_upload(&touched.place) {
        return Some(uploads::lasting(&write.operation));
    }
    // A delete marker that was the latest is made again.
    let of_key = |it: &&Touched| {
        it.place.setting().is_none() && it.place.segments() == touched.place.segments()
    };
    let object = write.touched.iter().find(of_key);
    let was_hidden = object.is_some_and(|object| object.before.is_none());
    let is_made_again = was_hidden && planning_settings::is_marker_mark(touched.before.as_ref());
    (touched.place.is_version() && !is_made_again).then_some(GONE)
}

/// Of an object: the setting of it that is meant, if it is not the whole, and why.
fn of_object(
    touched: &Touched,
    write: &Write,
    deleted: &[Place],
) -> Vec<(Option<&'static str>, &'static str)> {
    let mut lasting = Vec::new();
    let (before, after) = (touched.before.as_ref(), touched.after.as_ref());
    let is_made = !write.operation.starts_with("delete") && after.is_some();
    if is_made && matches!(object_words::lock(after), Some(Lock::Compliance)) {
        lasting.push((
            Some("lock"),
            "what is written is locked in the mode COMPLIANCE, and nobody can delete it before \
             that ends",
        ));
    }
    let Some(mark) = before.filter(|mark| is_destroyed(mark, touched, write, deleted)) else {
        return lasting;
    };
    if object_words::is_keyed(before) {
        lasting.push((None, KEYED));
    } else if object_words::is_archived(before) {
        lasting.push((None, ARCHIVED));
    } else {
        if mark.tag.contains('-') {
            lasting.push((
                Some("parts"),
                "it was uploaded in parts, and comes back in one",
            ));
        }
        if object_words::is_restored(before) {
            lasting.push((Some("restoration"), RESTORED));
        }
    }
    lasting
}

/// Whether the content that was there is in no version afterwards.
fn is_destroyed(mark: &Mark, touched: &Touched, write: &Write, deleted: &[Place]) -> bool {
    let place = &touched.place;
    let is_deleted = |version: &str| {
        let version = place.clone().with_version(version);
        deleted.contains(&version)
    };
    match &mark.version {
        Some(version) => is_deleted(version),
        None => {
            let has_way_back = || {
                let marks = [touched.before.as_ref(), touched.after.as_ref()];
                super::made::way_back(write, place, &write.ids, marks).is_some()
            };
            is_deleted("null") || !has_way_back()
        }
    }
}
