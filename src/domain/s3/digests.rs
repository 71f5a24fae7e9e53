//! The digests that requests carry as checksums of their bodies.

use s3s::crypto::{Checksum, Crc32, Crc32c, Crc64Nvme, Sha1, Sha256};

/// A name without `Checksum`, and the function.
pub(super) type Algorithm = (&'static str, fn(&[u8]) -> Vec<u8>);

pub(super) const ALGORITHMS: &[Algorithm] = &[
    ("CRC32", digest::<Crc32>),
    ("CRC32C", digest::<Crc32c>),
    ("CRC64NVME", digest::<Crc64Nvme>),
    ("SHA1", digest::<Sha1>),
    ("SHA256", digest::<Sha256>),
];

fn digest<C: Checksum>(content: &[u8]) -> Vec<u8> {
    C::checksum(content).as_ref().to_vec()
}

/// The checksum of a content by the name of its algorithm; `None` for an unknown one.
pub(super) fn compute(algorithm: &str, content: &[u8]) -> Option<Vec<u8>> {
    let mut algorithms = ALGORITHMS.iter();
    let (_, compute) = algorithms.find(|(name, _)| *name == algorithm)?;
    Some(compute(content))
}

/// The header of a checksum, by the name of its algorithm.
pub(super) fn header(algorithm: &str) -> String {
    format!("x-amz-checksum-{}", algorithm.to_ascii_lowercase())
}
