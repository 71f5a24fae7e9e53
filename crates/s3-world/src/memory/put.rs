//! `put_object`, and the code that uploads and copies share.

use super::answer::Dict;
use super::checksums::{check_digests, told};
use super::content::{Blob, Content};
use super::extras::{Encryption, Extras};
use super::pieces::Pieces;
use super::spool::Spool;
use super::state::{Attributes, Bucket, DEFAULT_CONTENT_TYPE, DEFAULT_STORAGE_CLASS, Object};
use super::{FileContent, Store};
use super::{acl, buckets, conditions, copy, customer_key, lock, settings, tagging};
use crate::blocking;
use crate::domain::{Answer, Refusal, Value};
use crate::error::Error;
use crate::names::MAX_OBJECT_BYTES;
use crate::params::Params;
use crate::refusal;
use bytes::Bytes;
use jiff::Timestamp;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The headers that are stored with an object and returned with it, in botocore's order.
pub const HEADERS: &[&str] = &[
    "CacheControl",
    "ContentDisposition",
    "ContentEncoding",
    "ContentLanguage",
];

/// Stored like [`HEADERS`], but returned in another place.
pub const REDIRECT: &str = "WebsiteRedirectLocation";

/// The storage classes of a general-purpose bucket.
const CLASSES: &[&str] = &[
    "STANDARD",
    "REDUCED_REDUNDANCY",
    "STANDARD_IA",
    "ONEZONE_IA",
    "INTELLIGENT_TIERING",
    "GLACIER",
    "DEEP_ARCHIVE",
    "GLACIER_IR",
];

/// The largest total size of user metadata, names and values, in bytes.
const MAX_METADATA_BYTES: usize = 2048;

/// Parameters that need a feature which this store lacks, and their headers. They are
/// refused with S3's refusal, since ignoring one would mislead the caller.
const UNSUPPORTED: &[(&str, &str)] = &[
    ("WriteOffsetBytes", "x-amz-write-offset-bytes"),
    ("ChecksumXXHASH64", "x-amz-checksum-xxhash64"),
    ("ChecksumXXHASH3", "x-amz-checksum-xxhash3"),
    ("ChecksumXXHASH128", "x-amz-checksum-xxhash128"),
];

/// The part of a call that is computed before the store is locked: the checksums of an
/// upload, or a content that is made of others.
#[derive(Default)]
pub struct Prepared {
    content: Option<Content>,
    /// The pieces of the content, unless the call sends it.
    pieces: Option<Pieces>,
    /// Where large contents are joined.
    spool: Option<Spool>,
}

impl Prepared {
    /// Computes the checksums in place.
    pub fn new(operation: &str, params: &Value) -> Self {
        Prepared::sent(upload(operation, params).map(Blob::new))
    }

    /// The content of an upload that did not come in memory, but in a file of this folder.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub fn spooled(content: &FileContent, spool: &Spool) -> Result<Self, Error> {
        Ok(Prepared {
            content: Some(Content::InFile(Arc::new(spool.adopt(content)?))),
            ..Prepared::default()
        })
    }

    /// Computes the checksums, for a large upload on another thread.
    ///
    /// # Errors
    /// The runtime is shutting down.
    pub async fn load(operation: &str, params: &Value) -> Result<Self, Error> {
        let Some(body) = upload(operation, params) else {
            return Ok(Prepared::default());
        };
        let blob = blocking::over(body.len(), move || Blob::new(body)).await?;
        Ok(Prepared::sent(Some(blob)))
    }

    fn sent(blob: Option<Blob>) -> Self {
        Prepared {
            content: blob.map(Content::Here),
            ..Prepared::default()
        }
    }

    /// Joins what a call makes a content of, in a file of `spool` if it is large. Blocks while
    /// the disk works.
    ///
    /// # Errors
    /// A content cannot be read, or the file cannot be written.
    pub fn join(pieces: Pieces, spool: Option<&Spool>) -> Result<Self, Error> {
        Ok(Prepared {
            content: Some(pieces.content(spool)?),
            pieces: Some(pieces),
            spool: spool.cloned(),
        })
    }

    /// Joins pieces of which some were in another world, and were loaded.
    ///
    /// # Errors
    /// Those of [`Prepared::join`].
    pub fn join_loaded(pieces: Pieces, loaded: &Pieces) -> Result<Self, Error> {
        Ok(Prepared {
            content: Some(loaded.content(None)?),
            pieces: Some(pieces),
            spool: None,
        })
    }
}

impl Prepared {
    /// The content of an upload with its checksums.
    ///
    /// # Errors
    /// It is too large, or no content.
    pub fn content(self, params: Params<'_>) -> Result<Content, Refusal> {
        if let Some(content) = self.content {
            return Ok(content);
        }
        let body = params.body()?;
        if body.len() > MAX_OBJECT_BYTES {
            return Err(refusal::too_large(body.len(), MAX_OBJECT_BYTES));
        }
        Ok(Content::Here(Blob::new(body)))
    }

    /// The content that these pieces make. They may be others than those that were joined
    /// before, because the store was not locked then.
    ///
    /// # Errors
    /// A content cannot be read.
    pub fn joined(self, pieces: &Pieces) -> Result<Content, Refusal> {
        match (self.content, self.pieces) {
            (Some(content), Some(joined)) if joined.make_same(pieces) => Ok(content),
            _ => {
                let joined = pieces.content(self.spool.as_ref());
                joined.map_err(|_| copy::not_loaded())
            }
        }
    }
}

/// The body of an upload, unless the call is certain to be refused.
fn upload(operation: &str, params: &Value) -> Option<Bytes> {
    if !matches!(operation, "put_object" | "upload_part") {
        return None;
    }
    let body = Params::new(params).and_then(|params| params.body()).ok();
    body.filter(|body| body.len() <= MAX_OBJECT_BYTES)
}

pub fn put(store: &mut Store, params: Params<'_>, prepared: Prepared) -> Answer {
    let key = params.key()?;
    let name = params.text("Bucket")?;
    let bucket = buckets::find(&store.state, params, name)?;
    let body = body(params, prepared)?;
    // Most uploads ask for nothing else, and most buckets have no settings.
    let is_plain = params.has_only(&["Bucket", "Key", "Body"]) && bucket.settings.is_empty();
    let (attributes, mut extras) = match is_plain {
        true => (Attributes::default(), Extras::NONE),
        false => (
            attributes(params)?,
            extras(bucket, params, store.clock.now())?,
        ),
    };
    conditions::check_write(params, bucket, key)?;
    let mut checksum = None;
    if !matches!(body, Content::OfUser(_)) {
        extras.checksum = check_digests(params, &body)?;
        checksum = Some(told(&body, extras.checksum.clone()));
    }
    let encryption = extras.encryption.clone();
    let object = Object {
        content: body,
        // The clock is read last, because a refused call must not advance it.
        modified: store.clock.tick(),
        attributes,
        version: None,
        extras: extras.kept(),
    };
    let mut answer = Dict::with_capacity(7)
        .maybe("Expiration", settings::expiration(bucket, key, &object))
        .field("ETag", object.etag());
    if let Some((checksum, value)) = checksum {
        answer = answer
            .field(checksum, value)
            .field("ChecksumType", "FULL_OBJECT");
    }
    let version = insert(store, name, key, object);
    Ok(written(answer, version, encryption.as_ref()).into())
}

/// The content of an upload. That of a file of the user is not read, so it has no checksums.
fn body(params: Params<'_>, prepared: Prepared) -> Result<Content, Refusal> {
    if let (Some(Value::File(file)), None) = (params.get("Body"), &prepared.content) {
        return Ok(Content::OfUser(file.clone()));
    }
    let content = prepared.content(params)?;
    params.check_length(content.size())?;
    Ok(content)
}

/// Puts an object into an existing bucket. Returns its version, where the answer names it.
pub fn insert(store: &mut Store, bucket: &str, key: &str, object: Object) -> Option<Arc<str>> {
    store.state.bucket_mut(bucket)?.write(key, object)
}

/// The end of the answers of writes: the encryption and the version.
pub fn written(answer: Dict, version: Option<Arc<str>>, encryption: Option<&Encryption>) -> Dict {
    let answer = answer
        .maybe("ServerSideEncryption", algorithm_of(encryption))
        .maybe("VersionId", version.as_deref());
    keyed(answer, encryption)
}

/// How an object is encrypted.
pub fn encrypted(answer: Dict, encryption: Option<&Encryption>) -> Dict {
    let answer = answer.maybe("ServerSideEncryption", algorithm_of(encryption));
    keyed(answer, encryption)
}

/// The key that an object is encrypted with, if it is not one of the server's own.
pub fn keyed(answer: Dict, encryption: Option<&Encryption>) -> Dict {
    match encryption {
        None => answer,
        Some(Encryption::Customer { key_md5 }) => answer
            .field("SSECustomerAlgorithm", "AES256")
            .field("SSECustomerKeyMD5", key_md5.as_str()),
        Some(Encryption::Service {
            key, bucket_key, ..
        }) => answer
            .maybe("SSEKMSKeyId", key.as_deref())
            .maybe("BucketKeyEnabled", bucket_key.then_some(true)),
    }
}

/// The name of the algorithm that an object is encrypted with, unless it is with a key of the
/// caller's.
pub fn algorithm_of(encryption: Option<&Encryption>) -> Option<&str> {
    match encryption {
        None => Some("AES256"),
        Some(Encryption::Service { algorithm, .. }) => Some(algorithm),
        Some(Encryption::Customer { .. }) => None,
    }
}

/// The parts of an upload beside its content and attributes.
///
/// # Errors
/// The bucket allows no lists or locks, or a parameter is malformed.
pub fn extras(bucket: &Bucket, params: Params<'_>, now: Timestamp) -> Result<Extras, Refusal> {
    let mut extras = Extras {
        grants: acl::wanted(bucket, params)?.map(Arc::new),
        encryption: encryption(bucket, params)?,
        ..Extras::NONE
    };
    if let Some(tags) = params.filled("Tagging")? {
        extras.tags = tagging::of_header(tags)?;
    }
    lock::of_upload(bucket, params, now, &mut extras)?;
    Ok(extras)
}

/// The encryption that a call asks for, or else the bucket's.
fn encryption(bucket: &Bucket, params: Params<'_>) -> Result<Option<Encryption>, Refusal> {
    let key = params.filled("SSEKMSKeyId")?.map(str::to_owned);
    let algorithm = params.filled("ServerSideEncryption")?;
    if let Some(other) = algorithm
        && params.get("SSECustomerAlgorithm").is_some()
    {
        return Err(refusal::invalid_argument(
            "x-amz-server-side-encryption",
            other,
            "Server Side Encryption with Customer provided key is incompatible with the encryption \
             method specified",
        ));
    }
    if let Some(encryption) = customer_key::given(params, customer_key::Of::Target)? {
        return Ok(Some(encryption));
    }
    if let (Some(key), None | Some("AES256")) = (&key, algorithm) {
        return Err(refusal::invalid_argument(
            "x-amz-server-side-encryption-aws-kms-key-id",
            key,
            "Server Side Encryption with AWS KMS managed key requires HTTP header \
             x-amz-server-side-encryption : aws:kms or aws:kms:dsse",
        ));
    }
    match algorithm {
        Some("AES256") => Ok(None),
        Some(algorithm @ ("aws:kms" | "aws:kms:dsse")) => Ok(Some(Encryption::Service {
            algorithm: algorithm.to_owned(),
            key,
            bucket_key: params.flag("BucketKeyEnabled")?,
        })),
        Some(other) => Err(refusal::invalid_argument(
            "x-amz-server-side-encryption",
            other,
            "The encryption method specified is not supported",
        )),
        None => Ok(settings::encryption_of(bucket)),
    }
}

/// The attributes that the caller gives to the object.
pub fn attributes(params: Params<'_>) -> Result<Attributes, Refusal> {
    for (name, header) in UNSUPPORTED {
        if params.get(name).is_some() {
            return Err(refusal::not_implemented(header));
        }
    }
    let mut headers = BTreeMap::new();
    for name in HEADERS.iter().chain([&REDIRECT]) {
        if let Some(value) = params.filled(name)? {
            headers.insert((*name).to_owned(), value.to_owned());
        }
    }
    let content_type = params.filled("ContentType")?.map(str::to_owned);
    Ok(Attributes {
        content_type: content_type.map_or(Cow::Borrowed(DEFAULT_CONTENT_TYPE), Cow::Owned),
        storage_class: storage_class(params)?,
        headers,
        expires: params.time("Expires")?,
        metadata: metadata(params)?,
    })
}

/// The storage class of the new object.
pub fn storage_class(params: Params<'_>) -> Result<Cow<'static, str>, Refusal> {
    let wanted = params
        .filled("StorageClass")?
        .unwrap_or(DEFAULT_STORAGE_CLASS);
    match CLASSES.iter().find(|class| **class == wanted) {
        Some(class) => Ok(Cow::Borrowed(class)),
        None => Err(Refusal::new(
            400,
            "InvalidStorageClass",
            "The storage class you specified is not valid",
        )
        .with("StorageClassRequested", wanted)),
    }
}

fn metadata(params: Params<'_>) -> Result<BTreeMap<String, String>, Refusal> {
    let metadata = params.metadata()?;
    let size: usize = metadata
        .iter()
        .map(|(name, value)| name.len() + value.len())
        .sum();
    if size > MAX_METADATA_BYTES {
        return Err(Refusal::new(
            400,
            "MetadataTooLarge",
            "Your metadata headers exceed the maximum allowed metadata size",
        )
        .with("Size", size.to_string())
        .with("MaxSizeAllowed", MAX_METADATA_BYTES.to_string()));
    }
    Ok(metadata)
}
