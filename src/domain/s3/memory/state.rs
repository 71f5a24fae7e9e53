//! The state of a store: shared maps, copied only where they change.

use super::FileContent;
use super::blocking;
use crate::domain::Signer;
use crate::domain::s3::canonical;
use crate::error::{Error, Result};
use bytes::Bytes;
use jiff::Timestamp;
use md5::Md5;
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, Read};
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

/// One object. It never changes; a write replaces it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Object {
    /// The content, or its place.
    pub content: Content,
    /// When it was written, in whole seconds.
    pub modified: Timestamp,
    /// What the uploader said about the content.
    pub attributes: Attributes,
}

/// The content of an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// In this store.
    Here(Blob),
    /// In a file of a world on disk, read on demand.
    InFile(Arc<FileContent>),
    /// In another world, and not loaded. Only an overlay has such objects.
    Elsewhere(Arc<Elsewhere>),
}

/// Bytes with their checksums.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Blob {
    /// The bytes.
    pub bytes: Bytes,
    /// Their checksums.
    pub checksums: Checksums,
}

/// The checksums of a content, computed once for its life.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Checksums {
    /// The SHA-256, for the signature.
    pub sha256: [u8; 32],
    /// The MD5: the ETag.
    pub md5: [u8; 16],
    /// The CRC-32: the checksum that boto3 sends and asks for.
    pub crc32: u32,
}

/// The place of a content in another world, and what is known without loading it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Elsewhere {
    /// Its bucket there.
    pub bucket: String,
    /// Its key there.
    pub key: String,
    /// Its version, if the bucket has versions.
    pub version: Option<String>,
    /// The ETag with its quotes, from the other world.
    pub etag: String,
    /// The size in bytes.
    pub size: usize,
    /// The CRC-32 of the whole content, if the other world has it.
    pub crc32: Option<u32>,
}

/// What an uploader says about an object, beside its content.
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
    /// An object with this content; computes the checksums.
    pub fn new(content: Bytes, modified: Timestamp, attributes: Attributes) -> Self {
        Object {
            content: Content::Here(Blob::new(content)),
            modified,
            attributes,
        }
    }

    /// The ETag, including its double quotes.
    pub fn etag(&self) -> String {
        match &self.content {
            Content::Here(Blob { checksums, .. }) => checksums.etag(),
            Content::InFile(file) => file.checksums.etag(),
            Content::Elsewhere(place) => place.etag.clone(),
        }
    }

    /// The size in bytes.
    pub fn size(&self) -> usize {
        match &self.content {
            Content::Here(blob) => blob.bytes.len(),
            Content::InFile(file) => file.size,
            Content::Elsewhere(place) => place.size,
        }
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
}

impl Content {
    /// The checksums, unless the content is in another world.
    pub fn checksums(&self) -> Option<&Checksums> {
        match self {
            Content::Here(blob) => Some(&blob.checksums),
            Content::InFile(file) => Some(&file.checksums),
            Content::Elsewhere(_) => None,
        }
    }

    /// The bytes. Blocks while the disk works, if they are in a file.
    ///
    /// # Errors
    /// A file that cannot be read or has changed, or a content in another world.
    pub fn read(&self) -> Result<Bytes> {
        match self {
            Content::Here(blob) => Ok(blob.bytes.clone()),
            Content::InFile(file) => file.read(),
            Content::Elsewhere(place) => Err(Error::World(format!(
                "the content of {}/{} is not loaded",
                place.bucket, place.key
            ))),
        }
    }

    /// [`Content::read`] that does not hold up other tasks while the disk works.
    ///
    /// # Errors
    /// Those of [`Content::read`].
    pub async fn load(&self) -> Result<Bytes> {
        match self {
            Content::InFile(file) => {
                let file = file.clone();
                blocking::waiting(move || file.read()).await?
            }
            here => here.read(),
        }
    }
}

impl Blob {
    /// Computes the checksums.
    pub fn new(bytes: Bytes) -> Self {
        Blob {
            checksums: Checksums::of(&bytes),
            bytes,
        }
    }
}

impl Checksums {
    /// The checksums of a content in memory.
    pub fn of(bytes: &[u8]) -> Self {
        Checksums {
            sha256: Checksums::sha256(bytes),
            md5: Md5::digest(bytes).into(),
            crc32: crc32fast::hash(bytes),
        }
    }

    /// The SHA-256 alone.
    pub fn sha256(bytes: &[u8]) -> [u8; 32] {
        Sha256::digest(bytes).into()
    }

    /// The checksums and the size of all that a reader yields, read in small pieces.
    ///
    /// # Errors
    /// The reader's.
    pub fn of_reader(mut reader: impl Read) -> io::Result<(Self, usize)> {
        let (mut sha256, mut md5) = (Sha256::new(), Md5::new());
        let (mut crc32, mut size) = (crc32fast::Hasher::new(), 0);
        let mut buffer = vec![0; 64 << 10];
        loop {
            let read = match reader.read(&mut buffer) {
                Ok(0) => break,
                Ok(read) => read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            let part = buffer.get(..read).unwrap_or_default();
            sha256.update(part);
            md5.update(part);
            crc32.update(part);
            size += read;
        }
        let checksums = Checksums {
            sha256: sha256.finalize().into(),
            md5: md5.finalize().into(),
            crc32: crc32.finalize(),
        };
        Ok((checksums, size))
    }

    /// The ETag, with the double quotes that are part of it.
    pub fn etag(&self) -> String {
        format!("\"{}\"", const_hex::encode(self.md5))
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

    /// The bucket of this name, for changes. Copied first if it is shared.
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
    /// An object whose content is in another world: its checksum is not known.
    pub fn sign(&self, signer: &mut Signer) -> Result<()> {
        for (name, bucket) in self.buckets() {
            canonical::bucket(signer, name);
            for (key, object) in &bucket.objects {
                let sha256 = object.sha256().ok_or_else(|| {
                    Error::World(format!("the content of {name}/{key} is not loaded"))
                })?;
                canonical::object(signer, key, canonical::Content::Sha256(sha256));
            }
        }
        Ok(())
    }
}
