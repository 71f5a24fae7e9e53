//! The canonical state of all that can be seen at the endpoint.

use super::Remote;
use super::errors::Trouble;
use crate::domain::Signer;
use crate::error::{Error, Result};
use futures_util::{StreamExt, TryStreamExt, stream};
use sha2::{Digest, Sha256};

/// So many objects are read at once.
const AT_ONCE: usize = 16;

impl Remote {
    /// For each bucket `b` its name; in it for each key `k` the key and `h` the
    /// sha256 of the content; all in byte order.
    pub(super) async fn sign(&self, signer: &mut Signer) -> Result<()> {
        for bucket in self.bucket_names().await.map_err(|t| self.ours(t))? {
            signer.field(b'b', bucket.as_bytes());
            let keys = self.keys(&bucket).await.map_err(|t| self.ours(t))?;
            let mut hashes = stream::iter(keys)
                .map(|key| async {
                    let hash = self.hash(&bucket, &key).await?;
                    Ok::<_, Trouble>((key, hash))
                })
                .buffered(AT_ONCE);
            while let Some((key, hash)) = hashes.try_next().await.map_err(|t| self.ours(t))? {
                signer.field(b'k', key.as_bytes());
                signer.field(b'h', &hash);
            }
        }
        Ok(())
    }

    async fn bucket_names(&self) -> Result<Vec<String>, Trouble> {
        let mut names = Vec::new();
        let mut pages = self.client.list_buckets().into_paginator().send();
        while let Some(page) = pages.next().await {
            let page = page.map_err(|e| self.trouble(e))?;
            names.extend(
                page.buckets()
                    .iter()
                    .filter_map(|b| b.name())
                    .map(str::to_owned),
            );
        }
        names.sort_unstable();
        Ok(names)
    }

    async fn hash(&self, bucket: &str, key: &str) -> Result<[u8; 32], Trouble> {
        let request = self.client.get_object().bucket(bucket).key(key);
        let mut body = request.send().await.map_err(|e| self.trouble(e))?.body;
        let mut hash = Sha256::new();
        while let Some(chunk) = body.next().await {
            hash.update(&chunk.map_err(|problem| {
                Error::World(format!(
                    "{}: broke off while {bucket}/{key} was read: {problem}",
                    self.place
                ))
            })?);
        }
        Ok(hash.finalize().into())
    }

    /// No program asked for the state, so a refusal is our failure here.
    fn ours(&self, trouble: Trouble) -> Error {
        match trouble {
            Trouble::Failed(error) => error,
            Trouble::Refused(refusal) => Error::World(format!(
                "{}: the state cannot be read ({}: {}); the credentials must be allowed to list and to read every bucket",
                self.place, refusal.code, refusal.message
            )),
        }
    }
}
