//! Looks up the buckets and keys of the base that a write depends on.

use super::Overlay;
use super::base::{BaseResult, Trouble, list, listed};
use super::glimpse::Glimpse;
use super::layer::{Found, Layer, Mirror, View};
use crate::domain::{Map, Value};
use crate::markers::Markers;
use crate::memory::Content;
use crate::names;
use futures_util::{StreamExt, TryStreamExt, stream};
use std::collections::BTreeMap;

/// The most concurrent calls to the base.
pub(super) const AT_ONCE: usize = 16;

/// From this many keys of one bucket on, its listing is read before single keys are
/// looked up.
const MANY: usize = 16;

/// A key that a write names.
pub(super) struct Target {
    pub bucket: String,
    pub key: String,
    /// The version, if one is named.
    pub version: Option<String>,
    /// Whether it is the source of a copy.
    pub source: bool,
    /// Whether all that the base has of it is needed, but its content: what is copied, and
    /// what gets other tags or locks.
    pub whole: bool,
    /// Whether what a listing tells of it is enough for now.
    pub is_brief: bool,
}

/// Keys of one bucket, each with what is needed of it.
type Keys<'t> = BTreeMap<&'t str, Need>;

/// What a write needs to know of a key.
#[derive(Clone, Copy, Default)]
struct Need {
    /// Whether a look at it has to bring all that the base has of it, but its content.
    whole: bool,
    /// Whether what a listing told of it is not enough.
    look: bool,
}

impl Overlay {
    /// Looks up the keys that the layer does not answer for.
    pub(super) async fn look_up(&self, layer: &Layer, targets: &[Target]) -> BaseResult<Mirror> {
        let mut buckets: BTreeMap<&str, Keys<'_>> = BTreeMap::new();
        for target in targets {
            let keys = buckets.entry(&target.bucket).or_default();
            if names::check_key(&target.key).is_ok() {
                let need: &mut Need = keys.entry(&target.key).or_default();
                need.whole |= target.whole;
                need.look |= target.whole && !target.is_brief;
            }
        }
        let mut mirror = Mirror::default();
        for (bucket, mut keys) in buckets {
            let known = match layer.view(bucket) {
                View::Layer => continue,
                View::Base if !self.may_have(bucket).await? => continue,
                View::Base => false,
                View::Both(cover) => {
                    keys.retain(|key, _| !cover.touches(key));
                    true
                }
            };
            let is_written = targets.iter().any(|it| it.bucket == bucket && !it.source);
            let found = self.find(bucket, keys).await?;
            // If no key was found in a bucket, the bucket may not exist.
            let seen = known || found.iter().any(|(_, object)| object.is_some());
            if seen || self.has_bucket(bucket).await? {
                mirror.buckets.push(bucket.to_owned());
                // A look at an object tells its version, if its bucket keeps versions.
                let is_told = |(_, object): &(String, Option<Found>)| {
                    let object = object.as_ref().map(|found| &found.object.content);
                    matches!(object, Some(Content::Elsewhere(place)) if place.version.is_none())
                };
                let asked = match is_written || !found.iter().all(is_told) {
                    true => self.keeps(layer, bucket, &found).await?,
                    false => None,
                };
                let keeps = match (&asked, layer.view(bucket)) {
                    (Some(asked), _) => asked.keeps,
                    (None, View::Both(cover)) => cover.keeps == Some(true),
                    (None, _) => false,
                };
                mirror.keeps.extend(asked);
                let mirrored = found
                    .into_iter()
                    .map(|(key, object)| self.mirrored(bucket, key, object, keeps));
                let mirrored: Vec<_> = mirrored.collect();
                let mut mirrored = stream::iter(mirrored).buffered(AT_ONCE);
                while let Some(mirrored) = mirrored.try_next().await? {
                    mirror.keys.push(mirrored);
                }
            }
        }
        Ok(mirror)
    }

    /// The base's object at each of the keys.
    async fn find(&self, bucket: &str, keys: Keys<'_>) -> BaseResult<Vec<(String, Option<Found>)>> {
        let mut found = Vec::new();
        let mut left = Keys::new();
        for (key, need) in keys {
            match self.glimpse(bucket, key).await? {
                Some(Glimpse::Nothing) => found.push((key.to_owned(), None)),
                Some(Glimpse::Object(object)) if !need.look => {
                    found.push((key.to_owned(), Some(object)));
                }
                _ => drop(left.insert(key, need)),
            }
        }
        if left.len() >= MANY {
            let listed = match self.find_listed(bucket, &left).await {
                // A missing bucket has no keys.
                Err(Trouble::Refused(refused)) if refused.code == "NoSuchBucket" => {
                    return Ok(Vec::new());
                }
                found => found?,
            };
            for (key, _) in &listed {
                left.remove(key.as_str());
            }
            found.extend(listed);
        }
        let single: Vec<_> = left
            .into_iter()
            .map(|(key, need)| self.find_one(bucket, key, need.whole))
            .collect();
        let single: Vec<_> = stream::iter(single).buffered(AT_ONCE).try_collect().await?;
        found.extend(single);
        Ok(found)
    }

    async fn find_one(
        &self,
        bucket: &str,
        key: &str,
        source: bool,
    ) -> BaseResult<(String, Option<Found>)> {
        let object = match self.base.head(bucket, key, None, source).await {
            // Some callers may list an object but not read it. If they may not list it
            // either, the refusal contains the reason.
            Err(Trouble::Refused(_)) if !source => {
                let page = self.base.peek(bucket, key).await?;
                let entry = list(&page, "Contents").first();
                let first = entry.and_then(|entry| listed(bucket, entry));
                first.and_then(|(there, found)| (there == key).then_some(found))
            }
            object => object?,
        };
        Ok((key.to_owned(), object))
    }

    /// The keys that listings show. Reads pages as long as they contain many of them.
    async fn find_listed(
        &self,
        bucket: &str,
        keys: &Keys<'_>,
    ) -> BaseResult<Vec<(String, Option<Found>)>> {
        let mut names = keys.keys().copied();
        let (Some(first), Some(last)) = (names.next(), names.next_back()) else {
            return Ok(Vec::new());
        };
        let mut params: Map = vec![("Bucket".into(), bucket.into())];
        let prefix = common_prefix(first, last);
        if !prefix.is_empty() {
            params.push(("Prefix".into(), prefix.into()));
        }
        // A listing that starts after the first key does not contain it; it is looked up
        // alone.
        params.push(("StartAfter".into(), first.into()));
        // Each key is here once, also if a server repeats a page.
        let mut found: BTreeMap<String, Option<Found>> = BTreeMap::new();
        let mut markers = Markers::new();
        loop {
            let page = self
                .base
                .pass("list_objects_v2", &Value::Map(params.clone()))
                .await?;
            let mut there: BTreeMap<String, Found> = list(&page, "Contents")
                .iter()
                .filter_map(|entry| listed(bucket, entry))
                .collect();
            there.retain(|key, _| keys.get(key.as_str()).is_some_and(|need| !need.whole));
            let seen = there.len();
            found.extend(there.into_iter().map(|(key, object)| (key, Some(object))));
            match markers.next(&page, "NextContinuationToken") {
                Some(token) if seen >= MANY => {
                    params.retain(|(name, _)| name != "ContinuationToken");
                    params.push(("ContinuationToken".into(), token.into()));
                }
                _ => return Ok(found.into_iter().collect()),
            }
        }
    }

    /// Whether the base may have a bucket of this name. It is asked only about names that S3
    /// itself never allowed: folders have some of them.
    pub(super) async fn may_have(&self, bucket: &str) -> BaseResult<bool> {
        Ok(names::is_legacy_bucket_name(bucket)
            || (names::is_folder_bucket_name(bucket) && self.has_bucket(bucket).await?))
    }

    /// Whether the base has a bucket.
    pub(super) async fn has_bucket(&self, bucket: &str) -> BaseResult<bool> {
        match self.base.peek(bucket, "").await {
            Ok(_) => Ok(true),
            Err(Trouble::Refused(refused))
                if matches!(&*refused.code, "NoSuchBucket" | "InvalidBucketName") =>
            {
                Ok(false)
            }
            Err(trouble) => Err(trouble),
        }
    }
}

/// The longest common prefix of two texts.
fn common_prefix<'a>(one: &'a str, other: &str) -> &'a str {
    let same = one.chars().zip(other.chars()).take_while(|(a, b)| a == b);
    let length = same.map(|(c, _)| c.len_utf8()).sum();
    one.get(..length).unwrap_or_default()
}
