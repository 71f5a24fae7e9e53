//! Edits that a person made to the files of a bucket with versions, between two runs.
//!
//! A file that was edited or added is a new version of its key. An editor overwrites the old
//! content, so its version is lost. A file that was removed is a deleted key: if the key has
//! older versions, a delete marker hides them.
//!
//! Nothing of this is saved before the next write, so ids depend only on the files: every
//! opening gives the same ids.

use crate::memory::Bucket;
use crate::memory::history::{Marker, Version};
use crate::memory::state::Versioning;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jiff::Timestamp;
use sha2::{Digest, Sha256};
use std::sync::Arc;

/// The version of a file that a person has edited or added; `None` is `null`.
pub fn version(
    bucket: &Bucket,
    key: &str,
    sha256: impl FnOnce() -> Option<[u8; 32]>,
) -> Option<Arc<str>> {
    match bucket.versioning() {
        Versioning::Enabled => Some(id(bucket, key, sha256().as_ref())),
        Versioning::Suspended | Versioning::NeverSet => None,
    }
}

/// An id that no other version of the key has.
fn id(bucket: &Bucket, key: &str, sha256: Option<&[u8; 32]>) -> Arc<str> {
    let versions = bucket.history.of(key);
    let mut number = 0_u64;
    loop {
        let mut digest = Sha256::new();
        digest.update(b"by hand");
        digest.update(number.to_be_bytes());
        digest.update(bucket.created.as_second().to_be_bytes());
        digest.update(sha256.map_or(&[][..], |sha256| sha256));
        digest.update(key);
        let digest: [u8; 32] = digest.finalize().into();
        let id = URL_SAFE_NO_PAD.encode(&digest[..24]);
        if versions.iter().all(|version| version.id() != id) {
            return Arc::from(id);
        }
        number += 1;
    }
}

/// Makes the history of a bucket agree with its files. Returns whether it has changed.
pub fn mend(bucket: &mut Bucket, now: Timestamp) -> bool {
    let mut is_changed = false;
    let keys: Vec<Arc<str>> = bucket.history.keys().map(|(key, _)| key.clone()).collect();
    for key in &keys {
        let Some(latest) = bucket.objects.get(key) else {
            if let Some(Version::Object(_)) = bucket.history.of(key).first() {
                delete(bucket, key, now);
                is_changed = true;
            }
            continue;
        };
        let has_two =
            latest.version.is_none() && bucket.history.of(key).iter().any(Version::is_null);
        if has_two {
            bucket.history.drop_null(key);
            is_changed = true;
        }
    }
    is_changed
}

/// Hides the versions of a key whose file is gone.
fn delete(bucket: &mut Bucket, key: &str, now: Timestamp) {
    let version = version(bucket, key, || None);
    if version.is_none() {
        bucket.history.drop_null(key);
    }
    let marker = Marker {
        version,
        modified: now,
    };
    bucket
        .history
        .push(&Arc::from(key), Version::Marker(marker));
}
