//! Lists everything on a server, for its state.

use super::Remote;
use super::errors::Trouble;
use super::names::Names;
use crate::domain::counted;
use crate::error::{Error, Result};
use aws_sdk_s3::Client;
use aws_sdk_s3::types::EncodingType;
use std::sync::atomic::{AtomicU64, Ordering};

/// An object in a listing.
pub(super) struct Listed {
    pub key: String,
    pub etag: String,
    pub size: u64,
}

/// The objects and bytes counted so far.
#[derive(Default)]
pub(super) struct Count {
    objects: AtomicU64,
    bytes: AtomicU64,
}

impl Count {
    /// Adds to the counts, and returns them.
    pub fn add(&self, objects: u64, bytes: u64) -> (u64, u64) {
        let sum = |count: &AtomicU64, more: u64| {
            let before = count.fetch_add(more, Ordering::Relaxed);
            before.saturating_add(more)
        };
        (sum(&self.objects, objects), sum(&self.bytes, bytes))
    }

    /// Subtracts bytes that will be read again.
    pub fn forget(&self, bytes: u64) {
        self.bytes.fetch_sub(bytes, Ordering::Relaxed);
    }
}

impl Remote {
    /// The names of all buckets, in byte order.
    pub(super) async fn bucket_names(&self) -> Result<Vec<String>> {
        let mut names = Vec::new();
        let mut pages = self.0.client.list_buckets().into_paginator().send();
        loop {
            let _turn = self.turn().await?;
            let Some(page) = pages.next().await else {
                break;
            };
            let page = page.map_err(|e| self.unreadable("the list of buckets", self.trouble(e)))?;
            let found = page.buckets().iter().filter_map(|bucket| bucket.name());
            names.extend(found.map(str::to_owned));
        }
        names.sort_unstable();
        Ok(names)
    }

    /// Every object of a bucket in the byte order of keys, whatever order the server
    /// uses.
    pub(super) async fn objects(&self, bucket: &str, found: &Count) -> Result<Vec<Listed>> {
        let client = self.client_for(bucket);
        let trouble = match self.objects_through(&client, bucket, found).await {
            Ok(objects) => return Ok(objects),
            Err(trouble) => trouble,
        };
        if let Trouble::Refused(refused) = &trouble
            && let Some(client) = self
                .elsewhere("list_objects_v2", bucket, &client, refused)
                .await
        {
            let again = self.objects_through(&client, bucket, found).await;
            return again.map_err(|trouble| self.unreadable(bucket, trouble));
        }
        Err(self.unreadable(bucket, trouble))
    }

    /// Tells the objects and bytes that were found so far, unless they are too many.
    pub(super) fn count(&self, (count, bytes): (u64, u64)) -> Result<()> {
        let most = self.limits().signature_objects;
        if count > most {
            return Err(Error::usage(format!(
                "{} holds more than {}, and a signature covers at most so many: raise it with \
                 --signature-objects",
                self.place(),
                counted(most, "object")
            )));
        }
        self.tell(count, bytes, None);
        Ok(())
    }

    async fn objects_through(
        &self,
        client: &Client,
        bucket: &str,
        found: &Count,
    ) -> Result<Vec<Listed>, Trouble> {
        let request = client.list_objects_v2().bucket(bucket);
        let request = request.encoding_type(EncodingType::Url);
        let mut pages = request.into_paginator().send();
        let mut objects = Vec::new();
        loop {
            let _turn = self.turn().await?;
            let Some(page) = pages.next().await else {
                break;
            };
            let page = page.map_err(|e| self.trouble(e))?;
            let names = Names::new(page.encoding_type(), false);
            let listed = page.contents().iter().filter_map(|object| {
                Some(Listed {
                    key: names.read(object.key())?,
                    etag: object.e_tag().unwrap_or_default().to_owned(),
                    size: object
                        .size()
                        .and_then(|s| u64::try_from(s).ok())
                        .unwrap_or(0),
                })
            });
            let before = objects.len();
            objects.extend(listed);
            let page = objects.get(before..).unwrap_or_default();
            let bytes = page.iter().map(|object| object.size).sum();
            self.count(found.add(page.len() as u64, bytes))
                .map_err(Trouble::Failed)?;
        }
        objects.sort_unstable_by(|one, other| one.key.cmp(&other.key));
        Ok(objects)
    }
}
