//! The canonical state of base and layer together.

use super::Overlay;
use super::base::{BaseResult, Trouble, list, listed, text, with};
use super::layer::{Found, View};
use super::lookup::AT_ONCE;
use super::versions::of_base;
use crate::caller::{Caller, params};
use crate::canonical::{self, ContentId as Signed};
use crate::domain::{Map, Signer, Value};
use crate::error::{Error, Result};
use crate::markers::Markers;
use crate::memory::extras::Extras;
use crate::memory::history::Version;
use crate::memory::settings::BucketSettings;
use crate::memory::{Content, Elsewhere, Object};
use crate::seen_settings;
use crate::version_list::{self, Listed};
use futures_util::{StreamExt, TryStreamExt, stream};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Contents are read in parts of this many bytes.
const PART: usize = 8 << 20;

impl Overlay {
    /// Appends the state. `self` must be a fork that nothing else writes to.
    pub(super) async fn sign(&self, signer: &mut Signer) -> Result<()> {
        if self.snapshot().is_empty() {
            return self.base.0.state(signer).await;
        }
        let signed = match self.fill_in_all(None).await {
            Ok(()) => self.sign_buckets(signer).await,
            Err(trouble) => Err(trouble),
        };
        signed.map_err(|trouble| match trouble {
            Trouble::Failed(error) => error,
            // A refusal is an error of this program, since no program of the model asked
            // for the state.
            Trouble::Refused(refusal) => Error::world(format!(
                "{}: the state cannot be read ({}: {}); it must be allowed to list and to read \
                 every bucket",
                self.base.0.describe(),
                refusal.code,
                refusal.message
            )),
        })
    }

    async fn sign_buckets(&self, signer: &mut Signer) -> BaseResult<()> {
        let mut names = Vec::new();
        let mut params = Value::Map(Map::new());
        let mut markers = Markers::new();
        loop {
            let page = self.list_buckets(&params).await?;
            let entries = list(&page, "Buckets").iter();
            names.extend(entries.filter_map(|entry| Some(text(entry, "Name")?.to_owned())));
            match markers.next(&page, "ContinuationToken") {
                Some(next) => params = with(&params, "ContinuationToken", Some(next.into())),
                None => break,
            }
        }
        names.sort_unstable();
        for name in names {
            canonical::bucket(signer, &name);
            let has_lists = seen_settings::has_lists(Caller(self), &name).await;
            let has_lists = has_lists.map_err(Trouble::Failed)?;
            self.sign_objects(&name, has_lists, signer).await?;
            canonical::settings(signer, &self.settings(&name).await?);
            self.sign_history(&name, has_lists, signer).await?;
        }
        Ok(())
    }

    async fn sign_objects(
        &self,
        bucket: &str,
        has_lists: bool,
        signer: &mut Signer,
    ) -> BaseResult<()> {
        let mut params = Value::Map(vec![("Bucket".into(), bucket.into())]);
        let mut markers = Markers::new();
        loop {
            let page = self.list_objects("list_objects_v2", &params).await?;
            let entries = list(&page, "Contents").iter();
            let hashes: Vec<_> = entries
                .filter_map(|entry| listed(bucket, entry))
                .map(|(key, found)| self.latest((bucket, has_lists), key, found))
                .collect();
            let mut hashes = stream::iter(hashes).buffered(AT_ONCE);
            while let Some((key, content, extras)) = hashes.try_next().await? {
                canonical::object(signer, &key, &content);
                canonical::extras(signer, &extras);
            }
            match markers.next(&page, "NextContinuationToken") {
                Some(next) => params = with(&params, "ContinuationToken", Some(next.into())),
                None => return Ok(()),
            }
        }
    }

    /// The settings of a bucket: the layer's where it answers for them, else the base's.
    async fn settings(&self, bucket: &str) -> BaseResult<BucketSettings> {
        let layer = self.snapshot();
        let written = layer.store.state.bucket(bucket).map(|it| &it.settings);
        let changed = match layer.view(bucket) {
            View::Layer => return Ok(written.cloned().unwrap_or_default()),
            View::Both(cover) => cover.settings.clone(),
            View::Base => BTreeSet::new(),
        };
        let read = seen_settings::read(Caller(&*self.base.0), bucket, AT_ONCE).await;
        let mut settings = read.map_err(Trouble::Failed)?;
        for name in changed {
            match written.and_then(|written| written.get(&name)) {
                Some(value) => settings.set(&name, value.clone()),
                None => drop(settings.remove(&name)),
            }
        }
        Ok(settings)
    }

    /// Appends the older versions and the delete markers of a bucket that keeps versions or
    /// did so once.
    async fn sign_history(
        &self,
        bucket: &str,
        has_lists: bool,
        signer: &mut Signer,
    ) -> BaseResult<()> {
        let caller = Caller(self);
        let named = Value::Map(vec![("Bucket".into(), bucket.into())]);
        match caller.ask("get_bucket_versioning", &named).await {
            Ok(answer) if text(&answer, "Status").is_some() => {}
            Ok(_) | Err(Trouble::Refused(_)) => return Ok(()),
            Err(trouble) => return Err(trouble),
        }
        let keys = version_list::all(&caller, bucket, "", None, |_| false).await?;
        for (key, mut versions) in keys {
            versions.retain(|version| version.is_marker || !version.is_latest);
            if versions.is_empty() {
                continue;
            }
            canonical::older(signer, &key);
            for version in versions {
                if version.is_marker {
                    canonical::marker(signer);
                    continue;
                }
                let (content, extras) = self.older((bucket, has_lists), &version).await?;
                canonical::version(signer, &content, &extras);
            }
        }
        Ok(())
    }

    /// The signed form of the object at a key. `found` is its entry in the listing.
    async fn latest(
        &self,
        (bucket, has_lists): (&str, bool),
        key: String,
        found: Found,
    ) -> BaseResult<(String, Signed, Extras)> {
        let layer = self.snapshot();
        let written = layer.store.state.bucket(bucket);
        let written = written.and_then(|bucket| bucket.object(&key)).cloned();
        // The base may have a newer version that the layer has deleted.
        let id = written
            .as_ref()
            .map(|object| object.version_id().to_owned());
        let (content, extras) = self
            .seen(
                (bucket, &key, id.as_deref()),
                has_lists,
                written,
                found.object,
            )
            .await?;
        Ok((key, content, extras))
    }

    /// The same of an older version.
    async fn older(
        &self,
        (bucket, has_lists): (&str, bool),
        listed: &Listed,
    ) -> BaseResult<(Signed, Extras)> {
        let (key, id) = (listed.key.as_str(), listed.id.as_str());
        let layer = self.snapshot();
        let written = layer.store.state.bucket(bucket);
        let written = written.and_then(|bucket| bucket.version(key, id)?.object().cloned());
        let there = Arc::new(of_base(bucket, listed));
        self.seen((bucket, key, Some(id)), has_lists, written, there)
            .await
    }

    /// The signed form of an object that the layer has, or else the base.
    async fn seen(
        &self,
        (bucket, key, version): (&str, &str, Option<&str>),
        has_lists: bool,
        written: Option<Arc<Object>>,
        found: Arc<Object>,
    ) -> BaseResult<(Signed, Extras)> {
        let is_layers = match &written {
            Some(object) => !self.is_original(bucket, key, object),
            None => false,
        };
        let object = written.unwrap_or(found);
        let (content, has_extras) = match &object.content {
            _ if object.is_archived() => (Signed::Etag(object.etag()), true),
            Content::Here(blob) => (Signed::Sha256(blob.checksums.sha256), false),
            Content::InFile(file) => {
                let checksums = file.checksums().map_err(Trouble::Failed)?;
                (Signed::Sha256(checksums.sha256), false)
            }
            Content::Elsewhere(place) => match self.hash_of_base(place).await {
                Ok((hash, has_extras)) => (Signed::Sha256(hash), has_extras),
                Err(Trouble::Refused(refusal)) if refusal.code == "InvalidObjectState" => {
                    (Signed::Etag(object.etag()), true)
                }
                Err(trouble) => return Err(trouble),
            },
            Content::OfUser(_) => {
                let content = object.content.load().await.map_err(Trouble::Failed)?;
                (Signed::Sha256(Sha256::digest(content).into()), false)
            }
        };
        if is_layers {
            return Ok((content, object.extras().seen(has_lists).into_owned()));
        }
        let mut extras = Extras::NONE;
        let mut named: Map = params([("Bucket", bucket), ("Key", key)]);
        named.extend(version.map(|version| ("VersionId".into(), version.into())));
        let operations = [
            "get_object_tagging",
            "get_object_retention",
            "get_object_legal_hold",
        ];
        for operation in operations.into_iter().filter(|_| has_extras) {
            match self.base.pass(operation, &Value::Map(named.clone())).await {
                Ok(answer) => extras.take_over(&answer),
                Err(Trouble::Refused(_)) => {}
                Err(trouble) => return Err(trouble),
            }
        }
        if has_lists {
            let caller = Caller(&*self.base.0);
            let grants = seen_settings::grants(&caller, "get_object_acl", named).await;
            extras.grants = grants.map_err(Trouble::Failed)?.map(Arc::new);
        }
        Ok((content, extras))
    }

    fn is_original(&self, bucket: &str, key: &str, object: &Arc<Object>) -> bool {
        match self.snapshot().view(bucket) {
            View::Both(cover) => cover.is_original(key, &Version::Object(object.clone())),
            View::Base | View::Layer => false,
        }
    }

    /// The SHA-256 of a content in the base, and whether the object has tags or locks.
    async fn hash_of_base(&self, place: &Elsewhere) -> BaseResult<([u8; 32], bool)> {
        let mut hash = Sha256::new();
        let mut has_extras = false;
        if place.size <= PART {
            let (body, answer) = self.load_told(place, None).await?;
            hash.update(body);
            has_extras |= tells_extras(&answer);
        } else {
            for start in (0..place.size).step_by(PART) {
                let end = place.size.min(start + PART);
                let (body, answer) = self.load_told(place, Some(start..end)).await?;
                hash.update(body);
                has_extras |= tells_extras(&answer);
            }
        }
        Ok((hash.finalize().into(), has_extras))
    }
}

/// Whether an answer says that the object has tags or locks.
fn tells_extras(answer: &Value) -> bool {
    let names = ["TagCount", "ObjectLockMode", "ObjectLockLegalHoldStatus"];
    names.iter().any(|name| answer.get(name).is_some())
}
