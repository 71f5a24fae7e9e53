//! The state of a store: shared maps that are copied only where they change.

use crate::domain::Signer;
use crate::domain::s3::canonical;
use crate::error::{Error, Result};
use bytes::Bytes;
use jiff::Timestamp;
use md5::Md5;
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The content type of an object that was uploaded without one.
pub const DEFAULT_CONTENT_TYPE: &str = "binary/octet-stream";

/// The storage class of an object that was uploaded without one.
pub const DEFAULT_STORAGE_CLASS: &str = "STANDARD";

/// All buckets. A clone is O(1) and shares everything until one side writes.
#[derive(Debug, Clone, Default)]
pub struct State(Arc<BTreeMap<Arc<str>, Arc<Bucket>>>);

/// One bucket.
#[derive(Debug, Clone)]
pub struct Bucket {
    /// The location constraint; `None` is us-east-1.
    pub location: Option<Arc<str>>,
    /// When it was created.
    pub created: Timestamp,
    /// The objects by key, in the byte order of UTF-8, which is S3's order of listing.
    pub objects: BTreeMap<Arc<str>, Arc<Object>>,
}

/// One object; it never changes, it is replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Object {
    /// The content, or where it is.
    pub content: Content,
    /// When it was written, in whole seconds.
    pub modified: Timestamp,
    /// What was said about the content when it was uploaded.
    pub attributes: Attributes,
}

/// The content of an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// In this store.
    Here(Blob),
    /// In another world, and never loaded. Only an overlay has such objects.
    Elsewhere(Arc<Elsewhere>),
}

/// Bytes with their checksums, computed once for their life.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Blob {
    /// The bytes.
    pub bytes: Bytes,
    /// Their sha256, for the signature.
    pub sha256: [u8; 32],
    /// Their md5: the ETag.
    pub md5: [u8; 16],
    /// Their CRC-32: the checksum that boto3 sends and asks for.
    pub crc32: u32,
}

/// Where a content is, and what is known of it without loading it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Elsewhere {
    /// The bucket that has it.
    pub bucket: String,
    /// The key that has it.
    pub key: String,
    /// The version, where the bucket has versions.
    pub version: Option<String>,
    /// The ETag with its quotes, as the other world says it.
    pub etag: String,
    /// Bytes.
    pub size: usize,
    /// The CRC-32 of all of it, where the other world says it.
    pub crc32: Option<u32>,
}

/// What an uploader says about an object beside its content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attributes {
    /// `ContentType`.
    pub content_type: Cow<'static, str>,
    /// `StorageClass`.
    pub storage_class: Cow<'static, str>,
    /// `CacheControl`, `ContentDisposition`, `ContentEncoding`, `ContentLanguage`,
    /// `WebsiteRedirectLocation` where given, by boto3's name.
    pub headers: BTreeMap<String, String>,
    /// `Expires`.
    pub expires: Option<Timestamp>,
    /// User metadata, names in lower case.
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
    /// An object whose content is here, with its checksums computed.
    pub fn new(content: Bytes, modified: Timestamp, attributes: Attributes) -> Self {
        Object {
            content: Content::Here(Blob::new(content)),
            modified,
            attributes,
        }
    }

    /// The ETag, with the double quotes that are part of it.
    pub fn etag(&self) -> String {
        match &self.content {
            Content::Here(blob) => format!("\"{}\"", const_hex::encode(blob.md5)),
            Content::Elsewhere(place) => place.etag.clone(),
        }
    }

    /// The size in bytes.
    pub fn size(&self) -> usize {
        match &self.content {
            Content::Here(blob) => blob.bytes.len(),
            Content::Elsewhere(place) => place.size,
        }
    }

    /// The CRC-32, where it is known.
    pub fn crc32(&self) -> Option<u32> {
        match &self.content {
            Content::Here(blob) => Some(blob.crc32),
            Content::Elsewhere(place) => place.crc32,
        }
    }

    /// The content with its checksums, when it is here.
    pub fn blob(&self) -> Option<&Blob> {
        match &self.content {
            Content::Here(blob) => Some(blob),
            Content::Elsewhere(_) => None,
        }
    }
}

impl Blob {
    /// Computes the checksums.
    pub fn new(bytes: Bytes) -> Self {
        Blob {
            sha256: Sha256::digest(&bytes).into(),
            md5: Md5::digest(&bytes).into(),
            crc32: crc32fast::hash(&bytes),
            bytes,
        }
    }
}

impl Bucket {
    /// A bucket with nothing in it.
    pub fn new(location: Option<&str>, created: Timestamp) -> Self {
        Bucket {
            location: location.map(Arc::from),
            created,
            objects: BTreeMap::new(),
        }
    }

    /// The object at `key`.
    pub fn object(&self, key: &str) -> Option<&Arc<Object>> {
        self.objects.get(key)
    }
}

impl State {
    /// The buckets in the byte order of their names.
    pub fn buckets(&self) -> impl Iterator<Item = (&str, &Arc<Bucket>)> {
        self.0.iter().map(|(name, bucket)| (&**name, bucket))
    }

    /// The bucket of this name.
    pub fn bucket(&self, name: &str) -> Option<&Arc<Bucket>> {
        self.0.get(name)
    }

    /// The bucket of this name, to change it; copied first where it is shared.
    pub fn bucket_mut(&mut self, name: &str) -> Option<&mut Bucket> {
        Arc::make_mut(&mut self.0).get_mut(name).map(Arc::make_mut)
    }

    /// Adds or replaces a bucket.
    pub fn insert(&mut self, name: &str, bucket: Bucket) {
        Arc::make_mut(&mut self.0).insert(Arc::from(name), Arc::new(bucket));
    }

    /// Removes a bucket with all that is in it.
    pub fn remove(&mut self, name: &str) {
        Arc::make_mut(&mut self.0).remove(name);
    }

    /// Appends the state to the stream of the environment signature.
    ///
    /// # Errors
    /// An object whose content is not here: its checksum is not known.
    pub fn sign(&self, signer: &mut Signer) -> Result<()> {
        for (name, bucket) in self.buckets() {
            canonical::bucket(signer, name);
            for (key, object) in &bucket.objects {
                let blob = object.blob().ok_or_else(|| {
                    Error::World(format!("the content of {name}/{key} is not loaded"))
                })?;
                canonical::object(signer, key, canonical::Content::Sha256(&blob.sha256));
            }
        }
        Ok(())
    }
}
