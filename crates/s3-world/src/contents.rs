//! Buckets and objects as the contents of a world.

use super::change::S3Change;
use super::reset;
use super::show::{Summary, diff, summary};
use crate::domain::{Change, ChangeKind, ContentEntry, Contents, World, counted};
use crate::error::{Error, Result};
use async_trait::async_trait;
use serde_json::Value as Json;
use std::collections::BTreeMap;

/// Buckets with their objects.
pub(super) struct S3Contents;

#[async_trait]
impl Contents for S3Contents {
    async fn summary(&self, world: &dyn World) -> Result<Json> {
        serde_json::to_value(summary(world).await?)
            .map_err(Error::bug("a summary cannot be written as JSON"))
    }

    fn changes(&self, before: &Json, after: &Json) -> Result<Vec<Change>> {
        let changes = diff(&read(before)?, &read(after)?);
        Ok(changes.iter().map(Change::from).collect())
    }

    fn entries(&self, summary: &Json) -> Result<Vec<ContentEntry>> {
        let mut entries = Vec::new();
        for bucket in read(summary)?.buckets {
            let count = counted(bucket.objects.len(), "object");
            entries.push(ContentEntry {
                is_container: true,
                name: bucket.name,
                about: format!("{}, {count}", bucket.region),
            });
            entries.extend(bucket.objects.into_iter().map(|object| ContentEntry {
                is_container: false,
                name: object.key,
                about: object.size.to_string(),
            }));
        }
        Ok(entries)
    }

    fn nothing(&self) -> &str {
        "no buckets"
    }

    fn counts(&self, summary: &Json) -> Result<BTreeMap<String, usize>> {
        let buckets = read(summary)?.buckets;
        let objects = buckets.iter().map(|bucket| bucket.objects.len()).sum();
        Ok(BTreeMap::from([
            ("buckets".to_owned(), buckets.len()),
            ("objects".to_owned(), objects),
        ]))
    }

    async fn holdings(&self, world: &dyn World) -> Result<Vec<String>> {
        reset::buckets(world).await
    }

    async fn restore(&self, from: &dyn World, into: &dyn World) -> Result<()> {
        reset::restore(from, into).await
    }

    async fn clear(&self, world: &dyn World) -> Result<()> {
        reset::clear(world).await
    }
}

fn read(summary: &Json) -> Result<Summary> {
    serde::Deserialize::deserialize(summary)
        .map_err(Error::bug("a summary of S3 cannot be read again"))
}

impl From<&S3Change> for Change {
    fn from(change: &S3Change) -> Self {
        Change {
            kind: match change {
                S3Change::BucketCreated { .. } | S3Change::Created { .. } => ChangeKind::Created,
                S3Change::Overwritten { .. } | S3Change::Setting { now: Some(_), .. } => {
                    ChangeKind::Overwritten
                }
                S3Change::BucketDeleted { .. }
                | S3Change::Deleted { .. }
                | S3Change::Setting { now: None, .. } => ChangeKind::Deleted,
            },
            line: change.to_string(),
            keeps_state: change.keeps_content(),
            details: serde_json::to_value(change).unwrap_or_default(),
        }
    }
}
