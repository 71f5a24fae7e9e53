//! The state of a store: shared maps that are copied only where they change.

use super::content::{Blob, Content};
use super::extras::Extras;
use super::history::History;
use super::object_map::ObjectMap;
use super::settings::{self, BucketSettings};
use super::uploads::Uploads;
use crate::canonical;
use crate::domain::Signer;
use crate::error::{Error, Result};
use bytes::Bytes;
use jiff::Timestamp;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The content type of an object that was uploaded without one.
pub const DEFAULT_CONTENT_TYPE: &str = "binary/octet-stream";

/// The version of objects that were written while their bucket kept no versions.
pub const NULL_VERSION: &str = "null";

/// Whether a bucket keeps versions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Versioning {
    /// It never has. Overwriting and deleting destroy.
    NeverSet,
    /// Every write makes a version, and a deletion a marker.
    Enabled,
    /// Writes and deletions replace the version `null`; the others stay.
    Suspended,
}

/// The storage class of an object that was uploaded without one.
pub const DEFAULT_STORAGE_CLASS: &str = "STANDARD";

/// All buckets. A clone is O(1) and shares everything until one side writes.
#[derive(Debug, Clone, Default)]
pub struct Buckets(Arc<BTreeMap<Arc<str>, Arc<Bucket>>>);

/// One bucket.
#[derive(Debug, Clone)]
pub struct Bucket {
    /// The location constraint; `None` is us-east-1.
    pub location: Option<Arc<str>>,
    /// When it was created.
    pub created: Timestamp,
    /// The objects by key, in the byte order of UTF-8. That is also the order of S3's
    /// listings. In a bucket that keeps versions these are the latest ones.
    pub objects: ObjectMap,
    /// The older versions and the delete markers.
    pub history: History,
    /// The bucket's configurations.
    pub settings: BucketSettings,
    /// The multipart uploads in progress.
    pub uploads: Uploads,
}

/// One object. It is immutable; a write replaces it.
#[derive(Debug, Clone, PartialEq)]
pub struct Object {
    /// The content, or where it is.
    pub content: Content,
    /// When it was written, in whole seconds.
    pub modified: Timestamp,
    /// The attributes that the uploader gave.
    pub attributes: Attributes,
    /// The version, in a bucket that keeps versions; `None` is the version `null`.
    pub version: Option<Arc<str>>,
    /// The attributes that few objects have.
    pub extras: Option<Arc<Extras>>,
}

/// The attributes that an uploader gives to an object, beside its content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attributes {
    /// `ContentType`.
    pub content_type: Cow<'static, str>,
    /// `StorageClass`.
    pub storage_class: Cow<'static, str>,
    /// `CacheControl`, `ContentDisposition`, `ContentEncoding`, `ContentLanguage` and
    /// `WebsiteRedirectLocation`, if given, by boto3's name.
    pub headers: BTreeMap<String, String>,
    /// `Expires`.
    pub expires: Option<Timestamp>,
    /// User metadata; names are in lower case.
    pub metadata: BTreeMap<String, String>,
}

impl Default for Attributes {
    fn default() -> Self {
        Attributes {
            content_type: Cow::Borrowed(DEFAULT_CONTENT_TYPE),
            storage_class: Cow::Borrowed(DEFAULT_STORAGE_CLASS),
            headers: BTreeMap::new(),
            expires: None,
            metadata: BTreeMap::new(),
        }
    }
}

impl Object {
    /// Makes an object with this content and computes its checksums.
    pub fn new(content: Bytes, modified: Timestamp, attributes: Attributes) -> Self {
        Object {
            content: Content::Here(Blob::new(content)),
            modified,
            attributes,
            version: None,
            extras: None,
        }
    }

    /// The version's name in answers.
    pub fn version_id(&self) -> &str {
        self.version.as_deref().unwrap_or(NULL_VERSION)
    }

    /// The extras, which may be empty.
    pub fn extras(&self) -> &Extras {
        static NONE: Extras = Extras::NONE;
        self.extras.as_deref().unwrap_or(&NONE)
    }

    /// The ETag, including its double quotes.
    pub fn etag(&self) -> String {
        if let Some(parts) = &self.extras().parts {
            return parts.etag();
        }
        match &self.content {
            Content::Here(Blob { checksums, .. }) => checksums.etag(),
            // What cannot be read has a tag that is no MD5, as objects in parts have.
            Content::InFile(file) => file.checksums().map_or_else(
                |_| format!("\"{:032x}-1\"", file.size),
                |checksums| checksums.etag(),
            ),
            Content::Elsewhere(place) => place.etag.clone(),
            Content::OfUser(file) => format!("\"{}\"", file.tag),
        }
    }

    /// The size in bytes.
    pub fn size(&self) -> usize {
        self.content.size()
    }

    /// The CRC-32, if it is known.
    pub fn crc32(&self) -> Option<u32> {
        match &self.content {
            Content::Elsewhere(place) => place.crc32,
            here => here.checksums().map(|checksums| checksums.crc32),
        }
    }

    /// The SHA-256, unless the content is in another world.
    pub fn sha256(&self) -> Option<&[u8; 32]> {
        let checksums = self.content.checksums()?;
        Some(&checksums.sha256)
    }

    /// Whether the object is in an archive. It cannot be read, unless it was brought back.
    pub fn is_archived(&self) -> bool {
        is_archive(&self.attributes.storage_class)
    }

    /// The signed form of the content; `None` where the SHA-256 is not known.
    pub(crate) fn signed(&self) -> Option<canonical::ContentId> {
        match self.is_archived() {
            true => Some(canonical::ContentId::Etag(self.etag())),
            false => self.sha256().copied().map(canonical::ContentId::Sha256),
        }
    }
}

/// Whether objects of a storage class have to be restored before they can be read.
pub(crate) fn is_archive(class: &str) -> bool {
    matches!(class, "GLACIER" | "DEEP_ARCHIVE")
}

impl Bucket {
    /// An empty bucket.
    pub fn new(location: Option<&str>, created: Timestamp) -> Self {
        Bucket {
            location: location.map(Arc::from),
            created,
            objects: ObjectMap::default(),
            history: History::default(),
            settings: BucketSettings::default(),
            uploads: Uploads::default(),
        }
    }

    /// Whether the bucket keeps versions, as it was set last.
    pub fn versioning(&self) -> Versioning {
        let setting = self.settings.get(settings::VERSIONING);
        match setting.and_then(|value| value.get("Status")?.as_str()) {
            Some("Enabled") => Versioning::Enabled,
            Some("Suspended") => Versioning::Suspended,
            _ => Versioning::NeverSet,
        }
    }

    /// The object at `key`.
    pub fn object(&self, key: &str) -> Option<&Arc<Object>> {
        self.objects.get(key)
    }
}

impl Buckets {
    /// The buckets in the byte order of their names.
    pub fn buckets(&self) -> impl Iterator<Item = (&str, &Arc<Bucket>)> {
        self.0.iter().map(|(name, bucket)| (&**name, bucket))
    }

    /// The newest time of a bucket, a version, an upload or a part.
    pub fn newest(&self) -> Option<Timestamp> {
        let of = |bucket: &Bucket| {
            let objects = bucket.objects.values().map(|object| object.modified);
            let versions = bucket.history.keys().flat_map(|(_, versions)| versions);
            let versions = versions.map(super::history::Version::modified);
            let uploads = bucket.uploads.iter();
            let uploads = uploads.flat_map(|((_, begun, _), upload)| {
                let parts = upload.parts.values().map(|part| part.modified);
                parts.chain([*begun])
            });
            let times = objects.chain(versions).chain(uploads);
            times.fold(bucket.created, Timestamp::max)
        };
        self.buckets().map(|(_, bucket)| of(bucket)).max()
    }

    /// The bucket of this name.
    pub fn bucket(&self, name: &str) -> Option<&Arc<Bucket>> {
        self.0.get(name)
    }

    /// The bucket of this name, for changes. A shared bucket is copied first.
    pub fn bucket_mut(&mut self, name: &str) -> Option<&mut Bucket> {
        Arc::make_mut(&mut self.0).get_mut(name).map(Arc::make_mut)
    }

    /// Adds or replaces a bucket.
    pub fn insert(&mut self, name: &str, bucket: Bucket) {
        Arc::make_mut(&mut self.0).insert(Arc::from(name), Arc::new(bucket));
    }

    /// Removes a bucket and its objects.
    pub fn remove(&mut self, name: &str) {
        Arc::make_mut(&mut self.0).remove(name);
    }

    /// Appends the state to the stream of the environment signature.
    ///
    /// # Errors
    /// The content of an object is in another world, so its checksum is unknown.
    pub fn sign(&self, signer: &mut Signer) -> Result<()> {
        for (name, bucket) in self.buckets() {
            canonical::bucket(signer, name);
            let has_lists = bucket.has_acls();
            for (key, object) in bucket.objects.iter() {
                let Some(content) = object.signed() else {
                    // A file that cannot be read says why.
                    if let Some(file) = object.content.file() {
                        file.checksums()?;
                    }
                    return Err(Error::world(format!(
                        "the content of {name}/{key} is not loaded"
                    )));
                };
                canonical::object(signer, key, &content);
                if let Some(extras) = &object.extras {
                    canonical::extras(signer, &extras.seen(has_lists));
                }
            }
            canonical::settings(signer, &bucket.settings);
            for (key, versions) in bucket.history.keys() {
                canonical::history(signer, key, versions, has_lists)?;
            }
        }
        Ok(())
    }
}
