//! A world's content for people and scripts, and what differs between two of them.
//!
//! Both go through [`World::call`], so they work on every backend.

use super::change::Held;
use crate::domain::{Value, World};
use crate::error::{Error, Result};
use serde::Serialize;
use std::collections::BTreeMap;

pub use super::change::Change;

/// What a world holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// The buckets in the order of their names.
    pub buckets: Vec<BucketSummary>,
}

/// One bucket.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BucketSummary {
    /// The name.
    pub name: String,
    /// The region; a null location is us-east-1.
    pub region: String,
    /// When it was created, as RFC 3339 text; empty when the server does not say.
    pub created: String,
    /// The objects in the byte order of their keys.
    pub objects: Vec<ObjectSummary>,
}

/// One object.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ObjectSummary {
    /// The key.
    pub key: String,
    /// The size in bytes.
    pub size: u64,
    /// When it was written, as RFC 3339 text; empty when the server does not say.
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

/// Reads what a world holds.
///
/// # Errors
/// The world's, also when it refuses to list something.
pub async fn summary(world: &dyn World) -> Result<Summary> {
    let listed = ask(world, "list_buckets", &[]).await?;
    let mut buckets = Vec::new();
    for entry in list(&listed, "Buckets") {
        let name = text(entry, "Name");
        let located = ask(world, "get_bucket_location", &[("Bucket", &name)]).await?;
        buckets.push(BucketSummary {
            region: super::names::region_of(
                located.get("LocationConstraint").and_then(Value::as_str),
            )
            .to_owned(),
            created: text(entry, "CreationDate"),
            objects: objects(world, &name).await?,
            name,
        });
    }
    buckets.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(Summary { buckets })
}

async fn objects(world: &dyn World, bucket: &str) -> Result<Vec<ObjectSummary>> {
    let mut objects = Vec::new();
    let mut token: Option<String> = None;
    loop {
        let mut params = vec![("Bucket", bucket)];
        params.extend(token.as_deref().map(|token| ("ContinuationToken", token)));
        let page = ask(world, "list_objects_v2", &params).await?;
        objects.extend(list(&page, "Contents").iter().map(|entry| {
            ObjectSummary {
                key: text(entry, "Key"),
                size: entry
                    .get("Size")
                    .and_then(Value::as_int)
                    .and_then(|size| u64::try_from(size).ok())
                    .unwrap_or_default(),
                modified: text(entry, "LastModified"),
                etag: text(entry, "ETag"),
            }
        }));
        token = match page.get("NextContinuationToken").and_then(Value::as_str) {
            Some(next) => Some(next.to_owned()),
            None => return Ok(objects),
        };
    }
}

async fn ask(world: &dyn World, operation: &str, params: &[(&'static str, &str)]) -> Result<Value> {
    let params = params
        .iter()
        .map(|(name, value)| ((*name).into(), Value::from(*value)))
        .collect();
    let answer = world.call(operation, &Value::Map(params)).await?;
    answer.map_err(|refusal| {
        Error::World(format!(
            "{operation}: {} ({})",
            refusal.message, refusal.code
        ))
    })
}

fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value.get(name).and_then(Value::as_list).unwrap_or_default()
}

fn text(value: &Value, name: &str) -> String {
    match value.get(name) {
        Some(Value::Str(text)) => text.clone(),
        Some(Value::Time(time)) => time.to_string(),
        _ => String::new(),
    }
}

/// What leads from one summary to the other, in the order of buckets and keys.
pub fn diff(before: &Summary, after: &Summary) -> Vec<Change> {
    let (old, new) = (by_name(before), by_name(after));
    let mut changes = Vec::new();
    for name in merged(old.keys(), new.keys()) {
        let bucket = || String::from(*name);
        if let (false, Some(made)) = (old.contains_key(name), new.get(name)) {
            changes.push(Change::BucketCreated {
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
                (None, Some(now)) => changes.push(Change::Created {
                    bucket,
                    key,
                    now: now.held(),
                }),
                (Some(then), None) => changes.push(Change::Deleted {
                    bucket,
                    key,
                    before: then.held(),
                }),
                (Some(then), Some(now)) if then != now => changes.push(Change::Overwritten {
                    bucket,
                    key,
                    before: then.held(),
                    now: now.held(),
                }),
                _ => {}
            }
        }
        if !new.contains_key(name) {
            changes.push(Change::BucketDeleted { bucket: bucket() });
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
