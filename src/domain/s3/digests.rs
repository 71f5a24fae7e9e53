//! The digests that requests carry as checksums of their bodies.

use md5::Md5;
use sha1::Sha1;
use sha2::{Digest, Sha256, Sha512};

/// A name without `Checksum`, and the function.
pub(super) type Algorithm = (&'static str, fn(&[u8]) -> Vec<u8>);

/// The algorithms of S3 that this program computes.
pub(super) const ALGORITHMS: &[Algorithm] = &[
    ("CRC32", crc32),
    ("CRC32C", crc32c),
    ("CRC64NVME", crc64),
    ("SHA1", digest::<Sha1>),
    ("SHA256", digest::<Sha256>),
    ("SHA512", digest::<Sha512>),
    ("MD5", digest::<Md5>),
];

fn digest<D: Digest>(content: &[u8]) -> Vec<u8> {
    D::digest(content).to_vec()
}

fn crc32(content: &[u8]) -> Vec<u8> {
    crc32fast::hash(content).to_be_bytes().to_vec()
}

fn crc32c(content: &[u8]) -> Vec<u8> {
    let crc = crc_fast::checksum(crc_fast::CrcAlgorithm::Crc32Iscsi, content);
    let crc = u32::try_from(crc).unwrap_or_default();
    crc.to_be_bytes().to_vec()
}

fn crc64(content: &[u8]) -> Vec<u8> {
    let crc = crc_fast::checksum(crc_fast::CrcAlgorithm::Crc64Nvme, content);
    crc.to_be_bytes().to_vec()
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
