//! The canonical state of base and layer together.

use super::Overlay;
use super::base::{BaseResult, Trouble, list, listed, text, with};
use super::layer::{Found, View};
use super::lookup::AT_ONCE;
use crate::domain::s3::caller::Caller;
use crate::domain::s3::memory::extras::Extras;
use crate::domain::s3::memory::history::Version;
use crate::domain::s3::memory::settings::Settings;
use crate::domain::s3::memory::{Content, Elsewhere};
use crate::domain::s3::{canonical, seen_settings};
use crate::domain::{Map, Signer, Value};
use crate::error::{Error, Result};
use futures_util::{StreamExt, TryStreamExt, stream};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;

/// Contents are read in parts of this many bytes.
const PART: usize = 8 << 20;

impl Overlay {
    /// Appends the state. `self` must be a fork that nothing else writes to.
    pub(super) async fn sign(&self, signer: &mut Signer) -> Result<()> {
        if self.snapshot().is_empty() {
            return self.base.0.state(signer).await;
        }
        let signed = self.sign_buckets(signer).await;
        signed.map_err(|trouble| match trouble {
            Trouble::Failed(error) => error,
            // A refusal is an error of this program, since no program of the model asked
            // for the state.
            Trouble::Refused(refusal) => Error::World(format!(
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
        loop {
            let page = self.list_buckets(&params).await?;
            let entries = list(&page, "Buckets").iter();
            names.extend(entries.filter_map(|entry| Some(text(entry, "Name")?.to_owned())));
            match text(&page, "ContinuationToken") {
                Some(next) => params = with(&params, "ContinuationToken", Some(next.into())),
                None => break,
            }
        }
        names.sort_unstable();
        for name in names {
            canonical::bucket(signer, &name);
            self.sign_objects(&name, signer).await?;
            canonical::settings(signer, &self.settings(&name).await?);
            self.sign_history(&name, signer).await?;
        }
        Ok(())
    }

    async fn sign_objects(&self, bucket: &str, signer: &mut Signer) -> BaseResult<()> {
        let mut params = Value::Map(vec![("Bucket".into(), bucket.into())]);
        loop {
            let page = self.list_objects("list_objects_v2", &params).await?;
            let entries = list(&page, "Contents").iter();
            let hashes: Vec<_> = entries
                .filter_map(|entry| listed(bucket, entry))
                .map(|(key, found)| self.hash(bucket, key, found))
                .collect();
            let mut hashes = stream::iter(hashes).buffered(AT_ONCE);
            while let Some((key, hash, extras)) = hashes.try_next().await? {
                canonical::object(signer, &key, canonical::Content::Sha256(&hash));
                canonical::extras(signer, &extras);
            }
            match text(&page, "NextContinuationToken") {
                Some(next) => params = with(&params, "ContinuationToken", Some(next.into())),
                None => return Ok(()),
            }
        }
    }

    /// The SHA-256 of the object at a key, and what it has beside its content. `found` is its
    /// entry in the listing.
    async fn hash(
        &self,
        bucket: &str,
        key: String,
        found: Found,
    ) -> BaseResult<(String, [u8; 32], Extras)> {
        let layer = self.snapshot();
        let written = layer
            .store
            .state
            .bucket(bucket)
            .and_then(|b| b.object(&key));
        if let Some(written) = written {
            let hash = self.hash_of(&written.content).await?;
            return Ok((key, hash, written.extras().clone()));
        }
        let Content::Elsewhere(place) = &found.object.content else {
            let hash = self.hash_of(&found.object.content).await?;
            return Ok((key, hash, Extras::NONE));
        };
        let (hash, has_extras) = self.hash_of_base(place).await?;
        let extras = match has_extras {
            true => seen_settings::extras(Caller(&*self.base.0), bucket, &key).await,
            false => Ok(Extras::NONE),
        };
        Ok((key, hash, extras.map_err(Trouble::Failed)?))
    }

    /// The settings of a bucket: the layer's where it answers for them, else the base's.
    async fn settings(&self, bucket: &str) -> BaseResult<Settings> {
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

    /// Appends the older versions and the markers of a bucket that the layer alone answers for.
    async fn sign_history(&self, bucket: &str, signer: &mut Signer) -> BaseResult<()> {
        let layer = self.snapshot();
        if !matches!(layer.view(bucket), View::Layer) {
            return Ok(());
        }
        let history = layer.store.state.bucket(bucket).map(|it| &it.history);
        for (key, versions) in history.iter().flat_map(|history| history.keys()) {
            let mut hashes = Vec::new();
            for version in versions {
                hashes.push(match version {
                    Version::Marker(_) => None,
                    Version::Object(object) => Some(self.hash_of(&object.content).await?),
                });
            }
            canonical::history(signer, key, versions, &hashes);
        }
        Ok(())
    }

    async fn hash_of(&self, content: &Content) -> BaseResult<[u8; 32]> {
        match content {
            Content::Here(blob) => Ok(blob.checksums.sha256),
            Content::InFile(file) => Ok(file.checksums.sha256),
            Content::Elsewhere(place) => Ok(self.hash_of_base(place).await?.0),
            Content::OfUser(_) => Ok(Sha256::digest(content.load().await?).into()),
        }
    }

    /// The SHA-256 of a content in the base, and whether its object has tags or locks.
    async fn hash_of_base(&self, place: &Elsewhere) -> BaseResult<([u8; 32], bool)> {
        let mut hash = Sha256::new();
        let mut has_extras = false;
        for start in (0..place.size.max(1)).step_by(PART) {
            let part = start..place.size.min(start + PART);
            let part = (place.size > PART).then_some(part);
            let (body, answer) = self.load_answer(place, part).await?;
            hash.update(body);
            has_extras = seen_settings::has_extras(&answer);
        }
        Ok((hash.finalize().into(), has_extras))
    }
}
