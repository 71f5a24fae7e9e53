//! What of a world's state is in the environment signature: the fields of S3 in the
//! stream that [`Signer`] describes.
//!
//! - For each bucket, in byte order of the names: tag `b` (0x62), the name.
//! - Behind it, for each of its keys, in byte order of the keys in UTF-8: tag `k`
//!   (0x6b), the key; then tag `h` (0x68), the 32 bytes of the SHA-256 of the content.
//!
//! A bucket without keys is its one field, an account without buckets is nothing.

use crate::domain::Signer;

/// Appends the state: for each bucket the name, tag `b`; for each of its keys the
/// key, tag `k`, and the sha256 of the content, tag `h` (`method.md`, "Signature").
///
/// Buckets and keys come in the byte order of their names, which is the order of a
/// `BTreeMap` keyed by text. Region, times, ETag, content type, metadata and owner
/// are not part of the state, so that it does not depend on the backend.
pub fn sign<'a, Keys>(signer: &mut Signer, buckets: impl IntoIterator<Item = (&'a str, Keys)>)
where
    Keys: IntoIterator<Item = (&'a str, &'a [u8; 32])>,
{
    for (bucket, keys) in buckets {
        signer.field(b'b', bucket.as_bytes());
        for (key, sha256) in keys {
            signer.field(b'k', key.as_bytes());
            signer.field(b'h', sha256);
        }
    }
}
