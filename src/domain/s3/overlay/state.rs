//! The canonical state of base and layer together.

use super::Overlay;
use super::base::{BaseResult, Trouble, list, listed, text, with};
use super::layer::Found;
use super::lookup::AT_ONCE;
use crate::domain::s3::canonical;
use crate::domain::s3::memory::{Content, Elsewhere};
use crate::domain::{Map, Signer, Value};
use crate::error::{Error, Result};
use futures_util::{StreamExt, TryStreamExt, stream};
use sha2::{Digest, Sha256};

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
            while let Some((key, hash)) = hashes.try_next().await? {
                canonical::object(signer, &key, canonical::Content::Sha256(&hash));
            }
            match text(&page, "NextContinuationToken") {
                Some(next) => params = with(&params, "ContinuationToken", Some(next.into())),
                None => return Ok(()),
            }
        }
    }

    /// The SHA-256 of the object at a key. `found` is its entry in the listing.
    async fn hash(
        &self,
        bucket: &str,
        key: String,
        found: Found,
    ) -> BaseResult<(String, [u8; 32])> {
        let layer = self.snapshot();
        let written = layer
            .store
            .state
            .bucket(bucket)
            .and_then(|b| b.object(&key));
        let object = written.unwrap_or(&found.object);
        let hash = match &object.content {
            Content::Here(blob) => blob.checksums.sha256,
            Content::InFile(file) => file.checksums.sha256,
            Content::Elsewhere(place) => self.hash_of_base(place).await?,
            content @ Content::OfUser(_) => Sha256::digest(content.load().await?).into(),
        };
        Ok((key, hash))
    }

    async fn hash_of_base(&self, place: &Elsewhere) -> BaseResult<[u8; 32]> {
        let mut hash = Sha256::new();
        if place.size <= PART {
            hash.update(self.load(place, None).await?);
        } else {
            for start in (0..place.size).step_by(PART) {
                let end = place.size.min(start + PART);
                hash.update(self.load(place, Some(start..end)).await?);
            }
        }
        Ok(hash.finalize().into())
    }
}
