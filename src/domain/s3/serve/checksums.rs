//! Checksums that come with a body. The world checks those that it keeps.

use super::request::Incoming;
use crate::domain::s3::refusal;
use crate::domain::{Map, Refusal};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use s3s::crypto::{Checksum, Crc32, Crc32c, Crc64Nvme, Md5, Sha1, Sha256};

/// boto3's name without `Checksum`, how it is computed, and whether the store keeps it.
type Algorithm = (&'static str, fn(&[u8]) -> Vec<u8>, bool);

const ALGORITHMS: &[Algorithm] = &[
    ("CRC32", digest::<Crc32>, true),
    ("CRC32C", digest::<Crc32c>, false),
    ("CRC64NVME", digest::<Crc64Nvme>, false),
    ("SHA1", digest::<Sha1>, false),
    ("SHA256", digest::<Sha256>, true),
];

fn digest<C: Checksum>(content: &[u8]) -> Vec<u8> {
    C::checksum(content).as_ref().to_vec()
}

/// Checks what the store does not keep, and answers it as fields of the answer.
pub fn check_unkept(request: &Incoming, content: &[u8]) -> Result<Map, Refusal> {
    let mut told = Map::new();
    for algorithm in ALGORITHMS.iter().filter(|(.., kept)| !kept) {
        if let Some(sent) = check_one(request, content, algorithm)? {
            told.push((format!("Checksum{}", algorithm.0).into(), sent.into()));
        }
    }
    let names = request.headers_after("x-amz-checksum-");
    let unknown = names.iter().find(|(name, _)| {
        let mut known = ALGORITHMS.iter();
        let is_other = matches!(name.as_str(), "algorithm" | "type" | "mode");
        !is_other && !known.any(|(known, ..)| known.eq_ignore_ascii_case(name))
    });
    match unknown {
        Some((name, _)) => Err(refusal::not_implemented(&format!("x-amz-checksum-{name}"))),
        None => Ok(told),
    }
}

/// Checks everything that came with a part or a document; answers the checksums.
pub fn check(request: &Incoming, content: &[u8]) -> Result<Map, Refusal> {
    if let Some(sent) = request.header("content-md5") {
        check_md5(&sent, content)?;
    }
    let mut told = Map::new();
    for algorithm in ALGORITHMS {
        if let Some(sent) = check_one(request, content, algorithm)? {
            told.push((format!("Checksum{}", algorithm.0).into(), sent.into()));
        }
    }
    Ok(told)
}

fn check_one(
    request: &Incoming,
    content: &[u8],
    (name, compute, _): &Algorithm,
) -> Result<Option<String>, Refusal> {
    let header = format!("x-amz-checksum-{}", name.to_ascii_lowercase());
    let Some(sent) = request.header(&header) else {
        return Ok(None);
    };
    let computed = compute(content);
    match STANDARD.decode(&sent) {
        Ok(digest) if digest == computed => Ok(Some(sent)),
        Ok(digest) if digest.len() == computed.len() => Err(Refusal::new(
            400,
            "BadDigest",
            format!("The {name} you specified did not match the calculated checksum."),
        )),
        _ => Err(Refusal::new(
            400,
            "InvalidRequest",
            format!("Value for {header} header is invalid."),
        )),
    }
}

fn check_md5(sent: &str, content: &[u8]) -> Result<(), Refusal> {
    let computed = digest::<Md5>(content);
    match STANDARD.decode(sent) {
        Ok(digest) if digest == computed => Ok(()),
        Ok(digest) if digest.len() == computed.len() => Err(Refusal::new(
            400,
            "BadDigest",
            "The Content-MD5 you specified did not match what we received.",
        )
        .with("ExpectedDigest", sent)
        .with("CalculatedDigest", STANDARD.encode(computed))),
        _ => Err(Refusal::new(
            400,
            "InvalidDigest",
            "The Content-MD5 you specified was invalid.",
        )
        .with("Content-MD5", sent)),
    }
}

/// The MD5 of a part, as its ETag without quotes.
pub fn md5_hex(content: &[u8]) -> String {
    const_hex::encode(digest::<Md5>(content))
}
