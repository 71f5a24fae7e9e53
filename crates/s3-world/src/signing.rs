//! The parts of a signature of version 4 (AWS: "Create a signed AWS API request").

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// The key for signatures in this scope: the day, the region, the service, and how it ends.
pub fn key<'a>(secret: &str, scope: impl IntoIterator<Item = &'a str>) -> Vec<u8> {
    let first = format!("AWS4{secret}").into_bytes();
    (scope.into_iter()).fold(first, |key, part| sign(&key, part))
}

pub fn sign(key: &[u8], text: &str) -> Vec<u8> {
    // A key of this algorithm may have any length.
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(key) else {
        return Vec::new();
    };
    mac.update(text.as_bytes());
    mac.finalize().into_bytes().to_vec()
}
