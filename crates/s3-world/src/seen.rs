//! What a read tells of the world, as far as it can be compared again.

use super::caller::{list, text};
use super::planning::mark;
use super::{api, operations};
use crate::domain::{Answer, Mark, Place, Seen, Value};

/// What the answer to a read tells.
pub(super) fn of(operation: &str, params: &Value, answer: &Answer) -> Seen {
    if api::operation(operation).is_none() || operations::writes(operation) {
        return Seen::Nothing;
    }
    let (bucket, key) = (text(params, "Bucket"), text(params, "Key"));
    match (operation, bucket, key) {
        ("get_object" | "head_object" | "get_object_attributes", Some(bucket), Some(key)) => {
            // A version stays what it is.
            if text(params, "VersionId").is_some() {
                return Seen::Nothing;
            }
            let place = Place::thing(bucket, key);
            match answer {
                Ok(object) if text(object, "ETag").is_some() => {
                    Seen::Contents(vec![(place, Some(mark(object, "ContentLength")))])
                }
                Err(refusal) if refusal.status == 404 => Seen::Contents(vec![(place, None)]),
                _ => Seen::Nothing,
            }
        }
        ("list_objects" | "list_objects_v2", Some(bucket), _) => match answer {
            // What comes to a bucket meanwhile is no reason to stop, unless it was empty.
            Ok(page) if !list(page, "Contents").is_empty() => Seen::Contents(listed(bucket, page)),
            Ok(page) if !is_page(params, page) => Seen::Answer(Place::container(bucket)),
            Ok(_) => Seen::Unrepeatable,
            Err(_) => Seen::Nothing,
        },
        _ => match answer {
            Ok(page) if is_page(params, page) => Seen::Unrepeatable,
            Ok(_) => Seen::Answer(place(bucket, key)),
            Err(refusal) if refusal.status == 404 => Seen::Answer(place(bucket, key)),
            Err(_) => Seen::Nothing,
        },
    }
}

/// The objects of a page of a listing.
fn listed(bucket: &str, page: &Value) -> Vec<(Place, Option<Mark>)> {
    let objects = list(page, "Contents").iter().filter_map(|object| {
        let place = Place::thing(bucket, text(object, "Key")?);
        Some((place, Some(mark(object, "Size"))))
    });
    objects.collect()
}

/// Whether an answer is one of several pages, whose bounds move with what is added.
fn is_page(params: &Value, page: &Value) -> bool {
    let begins_within = ["ContinuationToken", "Marker", "KeyMarker", "UploadIdMarker"];
    page.get("IsTruncated") == Some(&Value::Bool(true))
        || begins_within
            .iter()
            .any(|name| text(params, name).is_some())
}

fn place(bucket: Option<&str>, key: Option<&str>) -> Place {
    match (bucket, key) {
        (Some(bucket), Some(key)) => Place::thing(bucket, key),
        (Some(bucket), None) => Place::container(bucket),
        (None, _) => Place::new(Vec::<String>::new()),
    }
}
