//! The canonical state of an S3 world: its fields in the stream that [`Signer`]
//! describes.
//!
//! - For each bucket, in byte order of the names: tag `b` (0x62), the name.
//! - After it, for each of its keys, in byte order of the keys in UTF-8: tag `k` (0x6b),
//!   the key; then tag `h` (0x68), the 32 bytes of the SHA-256 of the content.
//!
//! A bucket without keys is a single field. An account without buckets has no fields.

use crate::domain::Signer;

/// Appends the state: for each bucket the name, tag `b`; for each of its keys the key,
/// tag `k`, and the sha256 of the content, tag `h` (`method.md`, "Signature").
///
/// Buckets and keys come in the byte order of their names, which is the order of a
/// `BTreeMap` keyed by text. Region, times, ETag, content type, metadata and owner are
/// not part of the state, so that it does not depend on the backend.
pub fn sign<'a, Keys>(signer: &mut Signer, buckets: impl IntoIterator<Item = (&'a str, Keys)>)
where
    Keys: IntoIterator<Item = (&'a str, &'a [u8; 32])>,
{
    for (name, keys) in buckets {
        bucket(signer, name);
        for (key, sha256) in keys {
            object(signer, key, Content::Sha256(sha256));
        }
    }
}

/// The identification of an object's content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content<'a> {
    /// Its sha256, tag `h`.
    Sha256(&'a [u8; 32]),
    /// Its ETag without quotes, tag `e`. Used for servers whose contents should not be
    /// read. No stream with an `e` equals one with an `h`. So a signature of ETags never
    /// equals a signature of contents, except for worlds without objects.
    Etag(&'a str),
}

/// Appends a bucket; its objects follow.
pub fn bucket(signer: &mut Signer, name: &str) {
    signer.field(b'b', name.as_bytes());
}

/// Appends an object to the bucket before it.
pub fn object(signer: &mut Signer, key: &str, content: Content<'_>) {
    signer.field(b'k', key.as_bytes());
    match content {
        Content::Sha256(sha256) => signer.field(b'h', sha256),
        Content::Etag(etag) => signer.field(b'e', etag.trim_matches('"').as_bytes()),
    }
}
