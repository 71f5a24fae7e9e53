//! A world's content for people and scripts, and what differs between two of them.
//!
//! Both go through [`World::call`], so they work on every backend.

use crate::domain::{Value, World};
use crate::error::{Error, Result};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;

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

/// One difference between two worlds. Printed, it is one line: `+ bucket/key (5 bytes)`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "change", rename_all = "snake_case")]
pub enum Change {
    /// A bucket that was not there before.
    BucketCreated {
        /// Its name.
        bucket: String,
    },
    /// A bucket that is gone.
    BucketDeleted {
        /// Its name.
        bucket: String,
    },
    /// A key that was not there before.
    Created {
        /// The bucket.
        bucket: String,
        /// The key.
        key: String,
        /// Bytes.
        size: u64,
    },
    /// A key that was written again, with the same content or another.
    Overwritten {
        /// The bucket.
        bucket: String,
        /// The key.
        key: String,
        /// Bytes before.
        before: u64,
        /// Bytes now.
        size: u64,
    },
    /// A key that is gone.
    Deleted {
        /// The bucket.
        bucket: String,
        /// The key.
        key: String,
        /// Bytes it had.
        size: u64,
    },
}

/// What leads from one summary to the other, in the order of buckets and keys.
pub fn diff(before: &Summary, after: &Summary) -> Vec<Change> {
    let (old, new) = (by_name(before), by_name(after));
    let mut changes = Vec::new();
    for name in merged(old.keys(), new.keys()) {
        let bucket = || String::from(*name);
        if !old.contains_key(name) {
            changes.push(Change::BucketCreated { bucket: bucket() });
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
                    size: now.size,
                }),
                (Some(then), None) => changes.push(Change::Deleted {
                    bucket,
                    key,
                    size: then.size,
                }),
                (Some(then), Some(now)) if then != now => changes.push(Change::Overwritten {
                    bucket,
                    key,
                    before: then.size,
                    size: now.size,
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

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Change::BucketCreated { bucket } => write!(f, "+ {}/", plain(bucket)),
            Change::BucketDeleted { bucket } => write!(f, "- {}/", plain(bucket)),
            Change::Created { bucket, key, size } => {
                write!(f, "+ {}/{} ({})", plain(bucket), plain(key), bytes(*size))
            }
            Change::Overwritten {
                bucket,
                key,
                before,
                size,
            } => write!(
                f,
                "~ {}/{} ({before} → {})",
                plain(bucket),
                plain(key),
                bytes(*size)
            ),
            Change::Deleted { bucket, key, size } => {
                write!(f, "- {}/{} ({})", plain(bucket), plain(key), bytes(*size))
            }
        }
    }
}

/// Programs choose keys, and a key may hold an escape sequence: no control character
/// reaches a terminal.
fn plain(text: &str) -> String {
    text.chars()
        .map(|c| match c.is_control() {
            true => c.escape_default().to_string(),
            false => c.to_string(),
        })
        .collect()
}

fn bytes(size: u64) -> String {
    match size {
        1 => "1 byte".to_owned(),
        _ => format!("{size} bytes"),
    }
}
