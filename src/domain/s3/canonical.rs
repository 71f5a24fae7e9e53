//! What of a world's state is in the environment signature.

use crate::domain::Signer;

/// Appends a bucket, tag `b`. For each of its keys [`object`] follows
/// (`method.md`, "Signature").
///
/// Buckets and keys come in the byte order of their names, which is the order of a
/// `BTreeMap` keyed by text. Region, times, ETag, content type, metadata and owner
/// are not part of the state, so that it does not depend on the backend.
pub fn bucket(signer: &mut Signer, name: &str) {
    signer.field(b'b', name.as_bytes());
}

/// Appends an object of the bucket that came last: its key, tag `k`, and the sha256
/// of its content, tag `h`.
pub fn object(signer: &mut Signer, key: &str, sha256: &[u8; 32]) {
    signer.field(b'k', key.as_bytes());
    signer.field(b'h', sha256);
}
