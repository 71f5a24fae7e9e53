//! The net changes that a layer makes to its base.

use super::layer::{Cover, Layer};
use crate::change::{CopiedFrom, Held, S3Change};
use crate::domain::Value;
use crate::memory::{Bucket, Content, Object};
use crate::{names, setting_kind};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

impl Layer {
    pub fn changes(&self) -> Vec<S3Change> {
        let covers: BTreeMap<&str, &Cover> = self.covers().collect();
        let written = self.store.state.buckets().map(|(name, _)| name);
        let names: BTreeSet<&str> = covers.keys().copied().chain(written).collect();
        let mut changes = Vec::new();
        for name in names {
            let bucket = self.store.state.bucket(name).map(|bucket| &**bucket);
            match covers.get(name) {
                Some(cover) if cover.shows => {
                    settings(name, cover, bucket, &mut changes);
                    keys(name, cover, bucket, &mut changes);
                }
                Some(cover) => {
                    keys(name, cover, None, &mut changes);
                    let bucket = name.to_owned();
                    changes.push(S3Change::BucketDeleted { bucket });
                }
                None => {}
            }
            let new = covers.get(name).is_none_or(|cover| !cover.shows);
            if let Some(bucket) = bucket.filter(|_| new) {
                created(name, bucket, &mut changes);
            }
        }
        changes
    }
}

/// Appends a new bucket and its objects.
fn created(name: &str, bucket: &Bucket, changes: &mut Vec<S3Change>) {
    changes.push(S3Change::BucketCreated {
        bucket: name.to_owned(),
        region: names::region_of(bucket.location.as_deref()).to_owned(),
    });
    let made = bucket.settings.iter();
    let made = made.filter(|(_, value)| ***value != Value::Null);
    changes.extend(made.map(|(setting, value)| changed(name, setting, Some(value))));
    changes.extend(
        bucket
            .objects
            .iter()
            .map(|(key, object)| S3Change::Created {
                bucket: name.to_owned(),
                key: key.to_string(),
                now: Held::of(object),
            }),
    );
}

/// Appends the settings of one of the base's buckets that the layer answers for.
fn settings(name: &str, cover: &Cover, bucket: Option<&Bucket>, changes: &mut Vec<S3Change>) {
    let now = |setting: &str| bucket.and_then(|bucket| bucket.settings.get(setting));
    let names = cover.settings.iter();
    changes.extend(names.map(|setting| changed(name, setting, now(setting))));
}

fn changed(bucket: &str, setting: &str, now: Option<&Value>) -> S3Change {
    let (label, now) = setting_kind::words(setting, now.filter(|value| **value != Value::Null));
    S3Change::Setting {
        bucket: bucket.to_owned(),
        setting: label,
        now,
    }
}

/// Appends the touched keys of one of the base's buckets; `bucket` holds their new state.
fn keys(name: &str, cover: &Cover, bucket: Option<&Bucket>, changes: &mut Vec<S3Change>) {
    for (key, before) in &cover.before {
        let now = bucket.and_then(|bucket| bucket.object(key));
        let was = cover.versions.get(key).and_then(|all| all.first());
        let was = was.and_then(|original| original.version.object());
        if was.zip(now).is_some_and(|(was, now)| Arc::ptr_eq(was, now)) {
            // Only older versions have changed.
            continue;
        }
        let now = now.map(|object| Held::of(object));
        let (bucket, key) = (name.to_owned(), key.to_string());
        changes.extend(match (before.clone(), now) {
            (None, Some(now)) => Some(S3Change::Created { bucket, key, now }),
            (Some(before), None) => Some(S3Change::Deleted {
                bucket,
                key,
                before,
            }),
            (Some(before), Some(now)) => Some(S3Change::Overwritten {
                bucket,
                key,
                before,
                now,
            }),
            (None, None) => None,
        });
    }
}

impl Held {
    /// The description of an object.
    pub(super) fn of(object: &Object) -> Held {
        let copied_from = match &object.content {
            Content::Here(_) | Content::InFile(_) | Content::OfUser(_) => None,
            Content::Elsewhere(place) => Some(CopiedFrom {
                bucket: place.bucket.clone(),
                key: place.key.clone(),
                version: place.version.clone(),
                etag: place.etag.clone(),
            }),
        };
        Held {
            size: object.size() as u64,
            etag: object.etag(),
            modified: object.modified.to_string(),
            version: None,
            copied_from,
        }
    }
}
