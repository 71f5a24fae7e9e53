//! The canonical state of everything that is visible at the endpoint.

use super::Remote;
use super::blank_keys;
use super::errors::{Trouble, innermost};
use super::listed::{Count, Listed};
use super::signature::{SignatureMode, SignatureProgress};
use crate::caller::{self, Caller};
use crate::canonical::{self, ContentId};
use crate::domain::{Signer, Value, counted};
use crate::error::{Error, Result};
use crate::memory::extras::Extras;
use crate::memory::settings::BucketSettings;
use crate::memory::state::is_archive;
use crate::version_list::{self, Listed as Older};
use crate::{refusal, seen_settings};
use futures_util::{StreamExt, TryStreamExt, stream};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The code of the refusal to read an archived object.
const ARCHIVED: &str = "InvalidObjectState";

/// A bucket, a key, and a version if it is not the latest.
type Named<'a> = (&'a str, &'a str, Option<&'a str>);

/// What the state of an endpoint consists of. The contents of a bucket follow the bucket.
enum Item {
    Bucket(Arc<str>),
    Object(Of, Listed),
    Settings(Arc<str>),
    /// A key with older versions.
    Older(String),
    /// An older version of the key before it.
    Version(Of, Older),
}

/// The bucket of objects, and the connection to it.
#[derive(Clone)]
struct Of {
    bucket: Arc<str>,
    /// Whether they have access control lists of their own.
    has_lists: bool,
}

/// A bucket with all that is signed of it.
struct Found {
    name: String,
    objects: Vec<Listed>,
    /// The older versions and the markers by key, the newest first.
    older: BTreeMap<String, Vec<Older>>,
    has_lists: bool,
}

/// All buckets and objects in the order of the stream.
fn items(buckets: Vec<Found>) -> impl Iterator<Item = Item> {
    buckets.into_iter().flat_map(|found| {
        let bucket: Arc<str> = found.name.into();
        let of = Of {
            bucket: bucket.clone(),
            has_lists: found.has_lists,
        };
        let also_of = of.clone();
        let objects = found.objects.into_iter();
        let objects = objects.map(move |object| Item::Object(of.clone(), object));
        let settings = Item::Settings(bucket.clone());
        let older = found.older.into_iter().flat_map(move |(key, versions)| {
            let of = also_of.clone();
            let versions = versions.into_iter();
            let versions = versions.map(move |version| Item::Version(of.clone(), version));
            [Item::Older(key)].into_iter().chain(versions)
        });
        (std::iter::once(Item::Bucket(bucket)).chain(objects))
            .chain([settings])
            .chain(older)
    })
}

/// The part of an item that is signed.
enum Seen {
    Bucket(Arc<str>),
    Etag(Listed),
    Content(Listed, ContentId, Option<Box<Extras>>),
    Settings(BucketSettings),
    Older(String),
    Version(ContentId, Box<Extras>),
    Marker,
}

impl Seen {
    fn sign(&self, signer: &mut Signer) {
        match self {
            Seen::Bucket(bucket) => canonical::bucket(signer, bucket),
            Seen::Etag(object) => {
                canonical::object(signer, &object.key, &ContentId::Etag(object.etag.clone()));
            }
            Seen::Content(object, content, extras) => {
                canonical::object(signer, &object.key, content);
                if let Some(extras) = extras {
                    canonical::extras(signer, extras);
                }
            }
            Seen::Settings(settings) => canonical::settings(signer, settings),
            Seen::Older(key) => canonical::older(signer, key),
            Seen::Version(content, extras) => canonical::version(signer, content, extras),
            Seen::Marker => canonical::marker(signer),
        }
    }
}

impl Remote {
    /// Lists all objects in byte order and, in [`SignatureMode::Content`], reads them and the
    /// older versions of buckets that keep versions.
    ///
    /// # Errors
    /// More objects or bytes than the limits allow, an object that vanishes between its listing
    /// and its reading, or a refusal of the server.
    pub(super) async fn sign(&self, signer: &mut Signer) -> Result<()> {
        let found = Count::default();
        let names = self.bucket_names().await?;
        let listings = names.into_iter().map(async |bucket| {
            let objects = self.objects(&bucket, &found).await?;
            let (older, has_lists) = match self.0.signature {
                SignatureMode::Content => (
                    self.older(&bucket, &found).await?,
                    seen_settings::has_lists(Caller(self), &bucket).await?,
                ),
                SignatureMode::Etag => (BTreeMap::new(), false),
            };
            Ok::<_, Error>(Found {
                name: bucket,
                objects,
                older,
                has_lists,
            })
        });
        let listings = stream::iter(listings).buffered(self.limits().at_once.max(1));
        let buckets: Vec<Found> = listings.try_collect().await?;
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
            (Item::Settings(_), SignatureMode::Etag) => Seen::Settings(BucketSettings::default()),
            (Item::Settings(bucket), SignatureMode::Content) => {
                let at_once = self.limits().at_once;
                Seen::Settings(seen_settings::read(Caller(self), &bucket, at_once).await?)
            }
            (Item::Object(_, object), SignatureMode::Etag) => Seen::Etag(object),
            (Item::Object(within, object), SignatureMode::Content) => {
                let named = (&*within.bucket, object.key.as_str(), None);
                let (content, has_extras) = self.content(named, done, of).await?;
                let extras = match has_extras || within.has_lists {
                    true => Some(Box::new(self.extras(named, within.has_lists).await?)),
                    false => None,
                };
                Seen::Content(object, content, extras)
            }
            (Item::Older(key), _) => Seen::Older(key),
            (Item::Version(_, version), _) if version.is_marker => Seen::Marker,
            (Item::Version(within, version), _) => {
                let (bucket, id) = (&*within.bucket, version.id.as_str());
                let named = (bucket, version.key.as_str(), Some(id));
                let (content, has_extras) = self.content(named, done, of).await?;
                let extras = match has_extras || within.has_lists {
                    true => self.extras(named, within.has_lists).await?,
                    false => Extras::NONE,
                };
                Seen::Version(content, Box::new(extras))
            }
        })
    }

    /// The older versions and the delete markers of a bucket by key, if it keeps versions or
    /// did so once.
    async fn older(&self, bucket: &str, found: &Count) -> Result<BTreeMap<String, Vec<Older>>> {
        let caller = Caller(self);
        let named = Value::Map(caller::params([("Bucket", bucket)]));
        let keeps = match caller.ask("get_bucket_versioning", &named).await {
            Ok(answer) => caller::text(&answer, "Status").is_some(),
            Err(refusal::Trouble::Refused(_)) => false,
            Err(refusal::Trouble::Failed(error)) => return Err(error),
        };
        if !keeps {
            return Ok(BTreeMap::new());
        }
        let listed = version_list::all(&caller, bucket, "", None, |_| false).await;
        let mut older = listed.map_err(|trouble| caller.cannot_look(&named, trouble))?;
        older.retain(|_, versions| {
            versions.retain(|version| version.is_marker || !version.is_latest);
            !versions.is_empty()
        });
        let objects = older
            .values()
            .flatten()
            .filter(|version| !version.is_marker);
        let (mut count, mut bytes) = (0, 0);
        for version in objects {
            (count, bytes) = (count + 1, bytes + version.size());
        }
        if count > 0 {
            self.count(found.add(count, bytes))?;
        }
        Ok(older)
    }

    /// The tags, locks and grants of an object, or of one of its older versions.
    async fn extras(&self, (bucket, key, version): Named<'_>, has_lists: bool) -> Result<Extras> {
        let mut extras = Extras::NONE;
        let version = version.map(|version| ("VersionId", version));
        let named = [("Bucket", bucket), ("Key", key)]
            .into_iter()
            .chain(version);
        let named = caller::params(named);
        for operation in [
            "get_object_tagging",
            "get_object_retention",
            "get_object_legal_hold",
        ] {
            match Caller(self)
                .ask(operation, &Value::Map(named.clone()))
                .await
            {
                Ok(answer) => extras.take_over(&answer),
                Err(refusal::Trouble::Refused(_)) => {}
                Err(refusal::Trouble::Failed(error)) => return Err(error),
            }
        }
        if has_lists {
            let caller = Caller(self);
            let grants = seen_settings::grants(&caller, "get_object_acl", named).await?;
            extras.grants = grants.map(Arc::new);
        }
        Ok(extras)
    }

    fn check_size(&self, (objects, bytes): (u64, u64)) -> Result<()> {
        let most = self.limits().signature_bytes;
        if bytes <= most {
            return Ok(());
        }
        Err(Error::usage(format!(
            "{} holds {} in {}, and a signature of content reads at most {most}: raise it with \
             --signature-limit {bytes}, or use --signature etag, which reads no content",
            self.place(),
            counted(bytes, "byte"),
            counted(objects, "object")
        )))
    }

    /// The signed form of an object's content, and whether the object has tags or locks. If a
    /// body breaks off, it is read again from its beginning.
    async fn content(
        &self,
        (bucket, key, version): Named<'_>,
        done: &Count,
        of: (u64, u64),
    ) -> Result<(ContentId, bool)> {
        let _turn = self.turn().await?;
        let client = self.client_for(bucket);
        let mut problem = String::new();
        for _ in 0..self.limits().tries.max(1) {
            let (spelt, is_blank) = blank_keys::marked(key);
            let request = client.get_object().bucket(bucket).key(spelt);
            let request = request
                .set_version_id(version.map(str::to_owned))
                .customize();
            let sent = request.mutate_request(blank_keys::unmark(is_blank)).send();
            let output = match sent.await.map_err(|error| self.trouble(error)) {
                Ok(output) => output,
                Err(Trouble::Refused(refused)) if refused.refusal.code == ARCHIVED => {
                    return self.archived((bucket, key, version)).await;
                }
                Err(trouble) => return Err(self.unreadable(&format!("{bucket}/{key}"), trouble)),
            };
            // What was brought back for a time is in the archive all the same.
            let class = output.storage_class.as_ref();
            if class.is_some_and(|class| is_archive(class.as_str())) {
                return self.archived((bucket, key, version)).await;
            }
            let is_locked =
                output.object_lock_mode.is_some() || output.object_lock_legal_hold_status.is_some();
            let has_extras = is_locked || output.tag_count.is_some_and(|count| count > 0);
            let (mut body, mut hash, mut read) = (output.body, Sha256::new(), 0);
            problem = loop {
                match body.next().await {
                    None => {
                        let (objects, bytes) = done.add(1, 0);
                        self.tell(objects, bytes, Some(of));
                        return Ok((ContentId::Sha256(hash.finalize().into()), has_extras));
                    }
                    Some(Ok(chunk)) => {
                        hash.update(&chunk);
                        read += chunk.len() as u64;
                        let (objects, bytes) = done.add(0, chunk.len() as u64);
                        self.tell(objects, bytes, Some(of));
                    }
                    Some(Err(problem)) => break innermost(&problem),
                }
            };
            done.forget(read);
        }
        Err(Error::world(format!(
            "{}: broke off while {bucket}/{key} was read: {problem}",
            self.place()
        )))
    }

    /// The same of an object that is archived, so that its content cannot be read.
    async fn archived(&self, (bucket, key, version): Named<'_>) -> Result<(ContentId, bool)> {
        let version = version.map(|version| ("VersionId", version));
        let named = [("Bucket", bucket), ("Key", key)]
            .into_iter()
            .chain(version);
        let named = Value::Map(caller::params(named));
        let caller = Caller(self);
        let head = caller.ask("head_object", &named).await;
        let head = head.map_err(|trouble| caller.cannot_look(&named, trouble))?;
        let etag = caller::text(&head, "ETag").unwrap_or_default();
        Ok((ContentId::Etag(etag.to_owned()), true))
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
        Error::world(match (refused.status, code.as_str()) {
            (404, _) => format!(
                "{place}: {what} is gone since it was listed ({code}: {message}): something else \
                 writes there; take the signature again when nothing does"
            ),
            _ => format!(
                "{place}: {what} cannot be read ({code}: {message}); the credentials must be \
                 allowed to list and to read every bucket"
            ),
        })
    }
}
