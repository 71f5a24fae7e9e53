//! The digests that requests carry as checksums of their bodies.

use super::memory::{Content, in_pieces};
use crc_fast::CrcAlgorithm;
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
    let crc = crc_fast::checksum(CrcAlgorithm::Crc32Iscsi, content);
    let crc = u32::try_from(crc).unwrap_or_default();
    crc.to_be_bytes().to_vec()
}

fn crc64(content: &[u8]) -> Vec<u8> {
    let crc = crc_fast::checksum(CrcAlgorithm::Crc64Nvme, content);
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

/// [`compute`] for a content that need not be in memory as a whole. `None` also for a content
/// that cannot be read.
pub(super) fn of_content(algorithm: &str, content: &Content) -> Option<Vec<u8>> {
    if let Content::Here(blob) = content {
        return compute(algorithm, &blob.bytes);
    }
    let mut running = running(algorithm)?;
    let reader = content.reader(0..content.size()).ok()?;
    in_pieces(reader, |piece| running.update(piece)).ok()?;
    Some(running.end())
}

/// A digest of which the content comes in pieces.
trait Running {
    fn update(&mut self, piece: &[u8]);
    fn end(self: Box<Self>) -> Vec<u8>;
}

impl<D: Digest> Running for D {
    fn update(&mut self, piece: &[u8]) {
        Digest::update(self, piece);
    }

    fn end(self: Box<Self>) -> Vec<u8> {
        self.finalize().to_vec()
    }
}

/// A CRC, of which the last bytes count.
struct Crc(crc_fast::Digest, usize);

impl Running for Crc {
    fn update(&mut self, piece: &[u8]) {
        self.0.update(piece);
    }

    fn end(self: Box<Self>) -> Vec<u8> {
        let bytes = self.0.finalize().to_be_bytes();
        bytes.get(8 - self.1..).unwrap_or_default().to_vec()
    }
}

fn running(algorithm: &str) -> Option<Box<dyn Running>> {
    let crc = |algorithm, bytes| -> Box<dyn Running> {
        Box::new(Crc(crc_fast::Digest::new(algorithm), bytes))
    };
    let running: Box<dyn Running> = match algorithm {
        "CRC32" => crc(CrcAlgorithm::Crc32IsoHdlc, 4),
        "CRC32C" => crc(CrcAlgorithm::Crc32Iscsi, 4),
        "CRC64NVME" => crc(CrcAlgorithm::Crc64Nvme, 8),
        "SHA1" => Box::new(Sha1::new()),
        "SHA256" => Box::new(Sha256::new()),
        "SHA512" => Box::new(Sha512::new()),
        "MD5" => Box::new(Md5::new()),
        _ => return None,
    };
    Some(running)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_is_the_same_in_pieces() {
        for (name, compute) in ALGORITHMS {
            let mut running = running(name).expect("it is known");
            running.update(b"one ");
            running.update(b"two");
            assert_eq!(running.end(), compute(b"one two"), "{name}");
        }
    }
}
