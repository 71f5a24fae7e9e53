//! Checksums that come with a body. The world itself checks those that it keeps.

use super::errors::Trouble;
use super::request::Incoming;
use crate::domain::s3::api::request::Received;
use crate::domain::s3::memory::blocking;
use crate::domain::s3::refusal;
use crate::domain::{Map, Refusal};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use s3s::crypto::{Checksum, Crc32, Crc32c, Crc64Nvme, Md5, Sha1, Sha256};

/// boto3's name without `Checksum`, the function, and whether the store keeps this
/// checksum.
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

/// Checks the claimed checksums that the store does not keep. Returns them as fields of
/// the answer.
pub async fn check_unkept(request: &Incoming, content: &Bytes) -> Result<Map, Trouble> {
    let checked = compare(claims(request, |kept| !kept), None, content).await?;
    let names = request.headers_after("x-amz-checksum-");
    let unknown = names.iter().find(|(name, _)| {
        let mut known = ALGORITHMS.iter();
        let is_other = matches!(name.as_str(), "algorithm" | "type" | "mode");
        !is_other && !known.any(|(known, ..)| known.eq_ignore_ascii_case(name))
    });
    match unknown {
        Some((name, _)) => Err(refusal::not_implemented(&format!("x-amz-checksum-{name}")).into()),
        None => Ok(checked),
    }
}

/// Checks all checksums that are claimed for a part or a document. Returns them.
pub async fn check(request: &Incoming, content: &Bytes) -> Result<Map, Trouble> {
    let md5 = request.header("content-md5");
    compare(claims(request, |_| true), md5, content).await
}

/// A checksum that a request claims for its body.
struct Claim {
    algorithm: &'static Algorithm,
    sent: String,
}

fn claims(request: &Incoming, wanted: impl Fn(bool) -> bool) -> Vec<Claim> {
    let claim = |algorithm: &'static Algorithm| {
        let sent = request.header(&header(algorithm.0))?;
        Some(Claim { algorithm, sent })
    };
    ALGORITHMS
        .iter()
        .filter(|(.., kept)| wanted(*kept))
        .filter_map(claim)
        .collect()
}

fn header(name: &str) -> String {
    format!("x-amz-checksum-{}", name.to_ascii_lowercase())
}

async fn compare(claims: Vec<Claim>, md5: Option<String>, content: &Bytes) -> Result<Map, Trouble> {
    if claims.is_empty() && md5.is_none() {
        return Ok(Map::new());
    }
    let content = content.clone();
    let checked = blocking::over(content.len(), move || {
        if let Some(sent) = md5 {
            check_md5(&sent, &content)?;
        }
        let mut checked = Map::new();
        for claim in claims {
            let name = claim.algorithm.0;
            check_one(&claim, &content)?;
            checked.push((format!("Checksum{name}").into(), claim.sent.into()));
        }
        Ok::<_, Refusal>(checked)
    });
    Ok(checked.await??)
}

fn check_one(claim: &Claim, content: &[u8]) -> Result<(), Refusal> {
    let (name, compute, _) = claim.algorithm;
    let computed = compute(content);
    match STANDARD.decode(&claim.sent) {
        Ok(digest) if digest == computed => Ok(()),
        Ok(digest) if digest.len() == computed.len() => Err(Refusal::new(
            400,
            "BadDigest",
            format!("The {name} you specified did not match the calculated checksum."),
        )),
        _ => Err(Refusal::new(
            400,
            "InvalidRequest",
            format!("Value for {} header is invalid.", header(name)),
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
