//! The canonical state of everything that is visible at the endpoint.

use super::Remote;
use super::blank_keys;
use super::errors::{Trouble, cause};
use super::listed::{Count, Listed};
use super::signature::{SignatureMode, SignatureProgress};
use crate::domain::Signer;
use crate::domain::s3::caller::Caller;
use crate::domain::s3::canonical::{self, Content};
use crate::domain::s3::memory::extras::Extras;
use crate::domain::s3::memory::settings::Settings;
use crate::domain::s3::seen_settings;
use crate::error::{Error, Result};
use futures_util::{StreamExt, TryStreamExt, stream};
use sha2::{Digest, Sha256};
use std::sync::Arc;

/// A bucket, or an object in the bucket before it.
enum Item {
    Bucket(Arc<str>),
    Object(Arc<str>, Listed),
    Settings(Arc<str>),
}

/// All buckets and objects in the order of the stream.
fn items(buckets: Vec<(String, Vec<Listed>)>) -> impl Iterator<Item = Item> {
    buckets.into_iter().flat_map(|(bucket, objects)| {
        let bucket: Arc<str> = bucket.into();
        let of = bucket.clone();
        let objects = objects
            .into_iter()
            .map(move |object| Item::Object(of.clone(), object));
        let settings = Item::Settings(bucket.clone());
        (std::iter::once(Item::Bucket(bucket)).chain(objects)).chain([settings])
    })
}

/// The part of an item that is signed.
enum Seen {
    Bucket(Arc<str>),
    Etag(Listed),
    Hash(Listed, [u8; 32], Option<Box<Extras>>),
    Settings(Settings),
}

impl Seen {
    fn sign(&self, signer: &mut Signer) {
        match self {
            Seen::Bucket(bucket) => canonical::bucket(signer, bucket),
            Seen::Etag(object) => {
                canonical::object(signer, &object.key, Content::Etag(&object.etag));
            }
            Seen::Hash(object, hash, extras) => {
                canonical::object(signer, &object.key, Content::Sha256(hash));
                if let Some(extras) = extras {
                    canonical::extras(signer, extras);
                }
            }
            Seen::Settings(settings) => canonical::settings(signer, settings),
        }
    }
}

impl Remote {
    /// Lists all objects in byte order and, in [`SignatureMode::Content`], reads them.
    ///
    /// # Errors
    /// More objects or bytes than the limits allow, an object that vanishes between its listing
    /// and its reading, or a refusal of the server.
    pub(super) async fn sign(&self, signer: &mut Signer) -> Result<()> {
        let found = Count::default();
        let names = self.bucket_names().await?;
        let listings = names.into_iter().map(async |bucket| {
            let objects = self.objects(&bucket, &found).await?;
            Ok::<_, Error>((bucket, objects))
        });
        let listings = stream::iter(listings).buffered(self.limits().at_once.max(1));
        let buckets: Vec<(String, Vec<Listed>)> = listings.try_collect().await?;
        let of = found.add(0, 0);
        if self.0.signature == SignatureMode::Content {
            self.check_size(of)?;
        }
        let done = &Count::default();
        let mut seen = stream::iter(items(buckets))
            .map(|item| self.look(item, done, of))
            .buffered(self.limits().at_once.max(1));
        while let Some(seen) = seen.try_next().await? {
            seen.sign(signer);
        }
        Ok(())
    }

    /// Reads the part of a bucket or object that is signed.
    async fn look(&self, item: Item, done: &Count, of: (u64, u64)) -> Result<Seen> {
        Ok(match (item, self.0.signature) {
            (Item::Bucket(bucket), _) => Seen::Bucket(bucket),
            (Item::Settings(_), SignatureMode::Etag) => Seen::Settings(Settings::default()),
            (Item::Settings(bucket), SignatureMode::Content) => {
                let at_once = self.limits().at_once;
                Seen::Settings(seen_settings::read(Caller(self), &bucket, at_once).await?)
            }
            (Item::Object(_, object), SignatureMode::Etag) => Seen::Etag(object),
            (Item::Object(bucket, object), SignatureMode::Content) => {
                let (hash, has_extras) = self.hash(&bucket, &object.key, done, of).await?;
                let extras = match has_extras {
                    true => {
                        let read = seen_settings::extras(Caller(self), &bucket, &object.key);
                        Some(Box::new(read.await?))
                    }
                    false => None,
                };
                Seen::Hash(object, hash, extras)
            }
        })
    }

    fn check_size(&self, (objects, bytes): (u64, u64)) -> Result<()> {
        let most = self.limits().signature_bytes;
        if bytes <= most {
            return Ok(());
        }
        Err(Error::Usage(format!(
            "{} holds {bytes} bytes in {objects} objects, and a signature of content reads at \
             most {most}: raise it with --signature-limit {bytes}, or use --signature etag, which \
             reads no content",
            self.place()
        )))
    }

    /// The SHA-256 of an object, and whether it has tags or locks. If a body breaks off, it
    /// is read again from its beginning.
    async fn hash(
        &self,
        bucket: &str,
        key: &str,
        done: &Count,
        of: (u64, u64),
    ) -> Result<([u8; 32], bool)> {
        let _turn = self.turn().await?;
        let client = self.client_for(bucket);
        let mut problem = String::new();
        for _ in 0..self.limits().tries.max(1) {
            let (spelt, is_blank) = blank_keys::marked(key);
            let request = client.get_object().bucket(bucket).key(spelt).customize();
            let sent = request.mutate_request(blank_keys::unmark(is_blank)).send();
            let output = sent.await.map_err(|e| {
                let path = format!("{bucket}/{key}");
                self.unreadable(&path, self.trouble(e))
            })?;
            let is_locked =
                output.object_lock_mode.is_some() || output.object_lock_legal_hold_status.is_some();
            let has_extras = is_locked || output.tag_count.is_some_and(|count| count > 0);
            let (mut body, mut hash, mut read) = (output.body, Sha256::new(), 0);
            problem = loop {
                match body.next().await {
                    None => {
                        let (objects, bytes) = done.add(1, 0);
                        self.tell(objects, bytes, Some(of));
                        return Ok((hash.finalize().into(), has_extras));
                    }
                    Some(Ok(chunk)) => {
                        hash.update(&chunk);
                        read += chunk.len() as u64;
                        let (objects, bytes) = done.add(0, chunk.len() as u64);
                        self.tell(objects, bytes, Some(of));
                    }
                    Some(Err(problem)) => break cause(&problem),
                }
            };
            done.forget(read);
        }
        Err(Error::World(format!(
            "{}: broke off while {bucket}/{key} was read: {problem}",
            self.place()
        )))
    }

    pub(super) fn tell(&self, objects: u64, bytes: u64, of: Option<(u64, u64)>) {
        if let Some(watch) = &self.0.progress {
            watch.tell(SignatureProgress { objects, bytes, of });
        }
    }

    /// The error for a refusal. No program asked for the state, so it is not the
    /// program's.
    pub(super) fn unreadable(&self, what: &str, trouble: Trouble) -> Error {
        let refused = match trouble {
            Trouble::Failed(error) => return error,
            Trouble::Refused(refused) => refused,
        };
        let place = self.place();
        let (code, message) = (&refused.refusal.code, &refused.refusal.message);
        Error::World(match (refused.status, code.as_str()) {
            (404, _) => format!(
                "{place}: {what} is gone since it was listed ({code}: {message}): something else \
                 writes there; take the signature again when nothing does"
            ),
            (_, "InvalidObjectState") => format!(
                "{place}: {what} is archived and cannot be read ({code}: {message}); use \
                 --signature etag, which reads no content"
            ),
            _ => format!(
                "{place}: {what} cannot be read ({code}: {message}); the credentials must be \
                 allowed to list and to read every bucket"
            ),
        })
    }
}
