//! Summarises the contents of an S3 world, for people and scripts, and compares two
//! worlds.
//!
//! Both use [`World::call`], so they work on every backend.

use super::caller::{Caller, params, size, text};
use super::change::Held;
use crate::domain::{Value, World};
use crate::error::Result;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

pub use super::change::S3Change;

/// The contents of a world.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    /// The buckets in the order of their names.
    pub buckets: Vec<BucketSummary>,
}

/// One bucket.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BucketSummary {
    /// The name.
    pub name: String,
    /// The region; a null location is us-east-1.
    pub region: String,
    /// When it was created, as RFC 3339 text; empty if the server does not say.
    pub created: String,
    /// The objects in the byte order of their keys.
    pub objects: Vec<ObjectSummary>,
}

/// One object.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ObjectSummary {
    /// The key.
    pub key: String,
    /// The size in bytes.
    pub size: u64,
    /// When it was written, as RFC 3339 text; empty if the server does not say.
    pub modified: String,
    /// The ETag with its quotes.
    pub etag: String,
}

impl ObjectSummary {
    fn held(&self) -> Held {
        Held {
            size: self.size,
            etag: self.etag.clone(),
            modified: self.modified.clone(),
            version: None,
            copied_from: None,
        }
    }
}

/// Reads the contents of a world.
///
/// # Errors
/// The world's errors. A refusal to list a bucket is an error, too.
pub async fn summary(world: &dyn World) -> Result<Summary> {
    let caller = Caller(world);
    let mut buckets = Vec::new();
    for entry in caller.buckets().await? {
        let name = shown(&entry, "Name");
        let located = caller
            .get("get_bucket_location", params([("Bucket", name.as_str())]))
            .await?;
        let objects = caller.objects(&name).await?;
        buckets.push(BucketSummary {
            region: super::names::region_of(text(&located, "LocationConstraint")).to_owned(),
            created: shown(&entry, "CreationDate"),
            objects: objects.iter().map(object).collect(),
            name,
        });
    }
    buckets.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(Summary { buckets })
}

fn object(entry: &Value) -> ObjectSummary {
    ObjectSummary {
        key: shown(entry, "Key"),
        size: size(entry, "Size"),
        modified: shown(entry, "LastModified"),
        etag: shown(entry, "ETag"),
    }
}

/// A text or a time, as text; empty if it is missing.
fn shown(value: &Value, name: &str) -> String {
    match value.get(name) {
        Some(Value::Str(text)) => text.clone(),
        Some(Value::Time(time)) => time.to_string(),
        _ => String::new(),
    }
}

/// The changes that turn one summary into the other, in the order of buckets and keys.
pub fn diff(before: &Summary, after: &Summary) -> Vec<S3Change> {
    let (old, new) = (by_name(before), by_name(after));
    let mut changes = Vec::new();
    for name in merged(old.keys(), new.keys()) {
        let bucket = || String::from(*name);
        if let (false, Some(made)) = (old.contains_key(name), new.get(name)) {
            changes.push(S3Change::BucketCreated {
                bucket: bucket(),
                region: made.region.clone(),
            });
        }
        let keys = |side: &BTreeMap<&str, &BucketSummary>| -> BTreeMap<String, ObjectSummary> {
            let objects = side.get(name).map_or(&[][..], |bucket| &bucket.objects);
            objects.iter().map(|o| (o.key.clone(), o.clone())).collect()
        };
        let (was, is) = (keys(&old), keys(&new));
        for key in merged(was.keys(), is.keys()) {
            let (bucket, key) = (bucket(), key.clone());
            match (was.get(&key), is.get(&key)) {
                (None, Some(now)) => changes.push(S3Change::Created {
                    bucket,
                    key,
                    now: now.held(),
                }),
                (Some(then), None) => changes.push(S3Change::Deleted {
                    bucket,
                    key,
                    before: then.held(),
                }),
                (Some(then), Some(now)) if then != now => changes.push(S3Change::Overwritten {
                    bucket,
                    key,
                    before: then.held(),
                    now: now.held(),
                }),
                _ => {}
            }
        }
        if !new.contains_key(name) {
            changes.push(S3Change::BucketDeleted { bucket: bucket() });
        }
    }
    changes
}

fn by_name(summary: &Summary) -> BTreeMap<&str, &BucketSummary> {
    let buckets = summary.buckets.iter();
    buckets
        .map(|bucket| (bucket.name.as_str(), bucket))
        .collect()
}

fn merged<'a, T: Ord>(
    one: impl Iterator<Item = &'a T>,
    other: impl Iterator<Item = &'a T>,
) -> std::collections::BTreeSet<&'a T> {
    one.chain(other).collect()
}
