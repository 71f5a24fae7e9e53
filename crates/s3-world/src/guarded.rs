//! Conditions on writes: S3 refuses a write if the object has changed meanwhile.
//!
//! Reading before the write is not enough: something may change in between, and a request
//! whose answer was given up may arrive after the next one (S3 user guide, "How to
//! prevent object overwrites with conditional writes", "How to perform conditional
//! deletes").

use super::caller::text;
use crate::domain::{Map, Mark, Value, Write};
use std::collections::HashMap;

/// The parameters of a write, with conditions that refuse it if a place differs from
/// `before`. Conditions that the program set itself stay. Deleting a missing key cannot
/// have a condition.
pub(super) fn guarded(write: &Write, before: &[Option<Mark>]) -> Value {
    let Value::Map(params) = &write.params else {
        return write.params.clone();
    };
    let mut guarded = params.clone();
    // What a write takes along is no object that a condition could be on.
    let touched = write.touched.iter().zip(before);
    let touched = touched.filter(|(touched, _)| !touched.place.is_version());
    if write.operation == "delete_objects" {
        let tags = touched.filter_map(|(touched, mark)| {
            let key = touched.place.segments().get(1);
            let key = key.filter(|_| touched.place.is_thing())?;
            Some((key.as_str(), quoted(&mark.as_ref()?.tag)))
        });
        each(&mut guarded, tags.collect());
        return Value::Map(guarded);
    }
    for (touched, mark) in touched {
        let tag = mark.as_ref().map(|mark| quoted(&mark.tag));
        match (write.operation.as_str(), touched.changed, tag) {
            ("put_object" | "copy_object", true, Some(tag)) => set(&mut guarded, "IfMatch", tag),
            ("put_object" | "copy_object", true, None) => {
                set(&mut guarded, "IfNoneMatch", "*".to_owned());
            }
            ("copy_object", false, Some(tag)) => set(&mut guarded, "CopySourceIfMatch", tag),
            // A version does not change, and the condition would be on the latest.
            ("delete_object", ..) if write.params.get("VersionId").is_some() => {}
            ("delete_object", _, Some(tag)) => set(&mut guarded, "IfMatch", tag),
            _ => {}
        }
    }
    Value::Map(guarded)
}

fn set(params: &mut Map, name: &'static str, value: String) {
    if !params.iter().any(|(known, _)| known == name) {
        params.push((name.into(), Value::Str(value)));
    }
}

/// Sets the condition on the first mention of each key in `delete_objects`. At a second
/// mention the key is deleted already.
fn each(params: &mut Map, mut tags: HashMap<&str, String>) {
    let delete = params.iter_mut().find(|(name, _)| name == "Delete");
    let Some((_, Value::Map(delete))) = delete else {
        return;
    };
    let objects = delete.iter_mut().find(|(name, _)| name == "Objects");
    let Some((_, Value::List(objects))) = objects else {
        return;
    };
    for object in objects {
        let tag = text(object, "Key").and_then(|key| tags.remove(key));
        if let Value::Map(object) = object
            && let Some(tag) = tag
            && !object.iter().any(|(name, _)| name == "VersionId")
        {
            set(object, "ETag", tag);
        }
    }
}

fn quoted(tag: &str) -> String {
    format!("\"{tag}\"")
}
