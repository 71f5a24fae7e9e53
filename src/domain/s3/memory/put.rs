//! `put_object`, and the code that uploads and copies share.

use super::Store;
use super::answer::Dict;
use super::content::{Blob, Checksums, Content};
use super::state::{Attributes, DEFAULT_STORAGE_CLASS, Object};
use super::{blocking, buckets, conditions};
use crate::domain::s3::names::MAX_OBJECT_BYTES;
use crate::domain::s3::params::Params;
use crate::domain::s3::refusal;
use crate::domain::{Answer, Refusal, Value};
use crate::error::Error;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
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

/// Other parameters for access control lists. New buckets have had none since 2023.
const GRANTS: &[&str] = &[
    "GrantFullControl",
    "GrantRead",
    "GrantReadACP",
    "GrantWriteACP",
];

/// The largest total size of user metadata, names and values, in bytes.
const MAX_METADATA_BYTES: usize = 2048;

/// Parameters that need a feature which this store lacks, and their headers. They are
/// refused with S3's refusal, since ignoring one would mislead the caller.
const UNSUPPORTED: &[(&str, &str)] = &[
    ("Tagging", "x-amz-tagging"),
    ("ObjectLockMode", "x-amz-object-lock-mode"),
    (
        "ObjectLockRetainUntilDate",
        "x-amz-object-lock-retain-until-date",
    ),
    ("ObjectLockLegalHoldStatus", "x-amz-object-lock-legal-hold"),
    (
        "SSECustomerAlgorithm",
        "x-amz-server-side-encryption-customer-algorithm",
    ),
    (
        "SSECustomerKey",
        "x-amz-server-side-encryption-customer-key",
    ),
    ("SSEKMSKeyId", "x-amz-server-side-encryption-aws-kms-key-id"),
    ("WriteOffsetBytes", "x-amz-write-offset-bytes"),
    ("ChecksumSHA1", "x-amz-checksum-sha1"),
    ("ChecksumCRC32C", "x-amz-checksum-crc32c"),
    ("ChecksumCRC64NVME", "x-amz-checksum-crc64nvme"),
    ("ChecksumSHA512", "x-amz-checksum-sha512"),
    ("ChecksumMD5", "x-amz-checksum-md5"),
    ("ChecksumXXHASH64", "x-amz-checksum-xxhash64"),
    ("ChecksumXXHASH3", "x-amz-checksum-xxhash3"),
    ("ChecksumXXHASH128", "x-amz-checksum-xxhash128"),
];

/// The part of a call that is computed before the store is locked: the checksums of an
/// upload.
#[derive(Default)]
pub struct Prepared(Option<Blob>);

impl Prepared {
    /// Computes the checksums in place.
    pub fn new(operation: &str, params: &Value) -> Self {
        Prepared(upload(operation, params).map(Blob::new))
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
        Ok(Prepared(Some(blob)))
    }
}

/// The body of an upload, unless the call is certain to be refused.
fn upload(operation: &str, params: &Value) -> Option<Bytes> {
    if operation != "put_object" {
        return None;
    }
    let body = Params::new(params).and_then(|params| params.body()).ok();
    body.filter(|body| body.len() <= MAX_OBJECT_BYTES)
}

pub fn put(store: &mut Store, params: Params<'_>, prepared: Prepared) -> Answer {
    let key = params.key()?;
    let name = params.text("Bucket")?;
    let bucket = buckets::find(&store.state, params, name)?;
    let body = match &prepared.0 {
        Some(blob) => blob.bytes.clone(),
        None => params.body()?,
    };
    if body.len() > MAX_OBJECT_BYTES {
        return Err(refusal::too_large(body.len(), MAX_OBJECT_BYTES));
    }
    params.check_length(body.len())?;
    let attributes = attributes(params)?;
    let algorithm = checksum_algorithm(params)?;
    conditions::check_write(params, key, bucket.object(key).map(|object| &**object))?;
    let blob = prepared.0.unwrap_or_else(|| Blob::new(body));
    check_digests(params, &blob.checksums)?;
    let (checksum, value) = match algorithm {
        Algorithm::Crc32 => (
            "ChecksumCRC32",
            STANDARD.encode(blob.checksums.crc32.to_be_bytes()),
        ),
        Algorithm::Sha256 => ("ChecksumSHA256", STANDARD.encode(blob.checksums.sha256)),
    };
    let object = Object {
        content: Content::Here(blob),
        // The clock is read last, because a refused call must not advance it.
        modified: store.clock.tick(),
        attributes,
    };
    let answer = Dict::with_capacity(4)
        .field("ETag", object.etag())
        .field(checksum, value)
        .field("ChecksumType", "FULL_OBJECT")
        .field("ServerSideEncryption", "AES256");
    insert(store, name, key, object);
    Ok(answer.into())
}

/// Puts an object into an existing bucket.
pub fn insert(store: &mut Store, bucket: &str, key: &str, object: Object) {
    if let Some(bucket) = store.state.bucket_mut(bucket) {
        bucket.objects.insert(Arc::from(key), Arc::new(object));
    }
}

/// The attributes that the caller gives to the object.
pub fn attributes(params: Params<'_>) -> Result<Attributes, Refusal> {
    for (name, header) in UNSUPPORTED {
        if params.get(name).is_some() {
            return Err(refusal::not_implemented(header));
        }
    }
    if params
        .filled("ServerSideEncryption")?
        .is_some_and(|sse| sse != "AES256")
    {
        return Err(refusal::not_implemented("x-amz-server-side-encryption"));
    }
    let granted = GRANTS.iter().any(|name| params.get(name).is_some());
    let acl = params.filled("ACL")?;
    if granted || acl.is_some_and(|acl| !matches!(acl, "private" | "bucket-owner-full-control")) {
        return Err(Refusal::new(
            400,
            "AccessControlListNotSupported",
            "The bucket does not allow ACLs",
        ));
    }
    let mut headers = BTreeMap::new();
    for name in HEADERS.iter().chain([&REDIRECT]) {
        if let Some(value) = params.filled(name)? {
            headers.insert((*name).to_owned(), value.to_owned());
        }
    }
    let default = Attributes::default();
    let content_type = params.filled("ContentType")?.map(str::to_owned);
    Ok(Attributes {
        content_type: content_type.map_or(default.content_type, Cow::Owned),
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

/// The checksum in the answer.
enum Algorithm {
    Crc32,
    Sha256,
}

fn checksum_algorithm(params: Params<'_>) -> Result<Algorithm, Refusal> {
    // botocore accepts the name in upper or lower case.
    let wanted = params.filled("ChecksumAlgorithm")?;
    match wanted.map(str::to_ascii_uppercase).as_deref() {
        Some("SHA256") => Ok(Algorithm::Sha256),
        None if params.get("ChecksumSHA256").is_some() => Ok(Algorithm::Sha256),
        None | Some("CRC32") => Ok(Algorithm::Crc32),
        Some(_) => Err(refusal::not_implemented("x-amz-sdk-checksum-algorithm")),
    }
}

/// Refuses an upload whose checksums do not match its content.
fn check_digests(params: Params<'_>, checksums: &Checksums) -> Result<(), Refusal> {
    if let Some(sent) = params.filled("ContentMD5")? {
        match STANDARD.decode(sent) {
            Ok(digest) if *digest == checksums.md5 => {}
            Ok(digest) if digest.len() == checksums.md5.len() => {
                return Err(Refusal::new(
                    400,
                    "BadDigest",
                    "The Content-MD5 you specified did not match what we received.",
                )
                .with("ExpectedDigest", sent)
                .with("CalculatedDigest", STANDARD.encode(checksums.md5)));
            }
            _ => {
                return Err(Refusal::new(
                    400,
                    "InvalidDigest",
                    "The Content-MD5 you specified was invalid.",
                )
                .with("Content-MD5", sent));
            }
        }
    }
    let computed = [
        ("ChecksumCRC32", "CRC32", &checksums.crc32.to_be_bytes()[..]),
        ("ChecksumSHA256", "SHA256", &checksums.sha256[..]),
    ];
    for (name, algorithm, digest) in computed {
        match params.get(name) {
            None => {}
            Some(Value::Str(sent)) if *sent == STANDARD.encode(digest) => {}
            Some(_) => {
                return Err(Refusal::new(
                    400,
                    "BadDigest",
                    format!("The {algorithm} you specified did not match the calculated checksum."),
                ));
            }
        }
    }
    Ok(())
}
