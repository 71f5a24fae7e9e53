//! Buckets and their settings in an undo: which call comes before others, and how a bucket comes
//! back of which a plan had changed settings.

use super::images::{LOCK_ENABLED, PUT_LOCK, others_depend_on};
use super::memory::settings::{self, Setting};
use super::{S3, planning_settings, setting_kind};
use crate::domain::{Image, Mark, Place, Value};
use std::cmp::Ordering;

const CREATE: &str = "create_bucket";

/// The place of what was written at a key before its bucket began to keep versions.
pub(super) fn set_aside(place: &Place, later: &[&Place]) -> Place {
    let setting = settings::ALL
        .iter()
        .find(|it| it.name == settings::VERSIONING);
    let is_versioning = |it: &&Place| it.setting() == setting.map(|it| it.label);
    match later.iter().any(is_versioning) {
        true => place.clone().with_version("null"),
        false => place.clone(),
    }
}

/// Whether a call of a setting lets contents with access lists in (`Less`), or keeps them out
/// (`Greater`).
pub(super) fn precedence(operation: &str, params: &Value) -> Ordering {
    match operation {
        "delete_public_access_block" | "delete_bucket_ownership_controls" => Ordering::Less,
        "put_public_access_block" | "put_bucket_ownership_controls" => {
            let text = format!("{params:?}");
            match text.contains("true") || text.contains("BucketOwnerEnforced") {
                true => Ordering::Greater,
                false => Ordering::Less,
            }
        }
        _ => Ordering::Equal,
    }
}

/// The calls that make a bucket with its settings as they were before the `earlier` changes. What
/// a new bucket does not have needs no call.
pub(super) fn calls(
    calls: Vec<(String, Value)>,
    earlier: &[(&Place, Option<&Mark>, &Image)],
) -> Vec<(String, Value)> {
    let is_earlier = |(operation, params): &(String, Value)| {
        let touches = S3.touches(operation, params);
        let mut places = touches.iter().map(|touch| &touch.place);
        places.any(|place| earlier.iter().any(|(changed, ..)| *changed == place))
    };
    let mut all: Vec<(String, Value)> = calls.into_iter().filter(|it| !is_earlier(it)).collect();
    for (place, mark, image) in earlier {
        let setting = settings::ALL
            .iter()
            .find(|it| Some(it.label) == place.setting());
        match image {
            _ if setting_kind::is_never_set(*mark) => {}
            Image::Call { operation, params } => all.push((operation.clone(), params.clone())),
            Image::Nothing if setting.is_some_and(Setting::is_told_when_gone) => {
                all.extend(planning_settings::removal(place));
            }
            _ => {}
        }
    }
    let has_lock = all.iter().any(|(operation, _)| operation == PUT_LOCK);
    for (operation, params) in &mut all {
        if let (CREATE, Value::Map(params), false) = (operation.as_str(), params, has_lock) {
            params.retain(|(name, _)| name != LOCK_ENABLED);
        }
    }
    all.sort_by_key(|(operation, _)| order(operation));
    all
}

/// When a call that makes a bucket again is made, so that none is refused.
fn order(operation: &str) -> u8 {
    let is_first =
        |setting: &Setting| others_depend_on(setting) && setting.operations.contains(&operation);
    match operation {
        CREATE => 0,
        _ if settings::ALL.iter().any(is_first) => 1,
        _ => 2,
    }
}
