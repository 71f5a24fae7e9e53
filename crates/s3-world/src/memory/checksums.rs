//! The checksums that uploads send and answers tell.

use super::content::{Checksums, Content};
use super::extras::Checksum;
use crate::digests;
use crate::domain::Refusal;
use crate::params::Params;
use crate::refusal;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// A checksum that S3 knows: the field of its value, and its name.
pub(super) type Algorithm = (&'static str, &'static str);

pub(super) const ALGORITHMS: [Algorithm; 7] = [
    ("ChecksumCRC32", "CRC32"),
    ("ChecksumCRC32C", "CRC32C"),
    ("ChecksumCRC64NVME", "CRC64NVME"),
    ("ChecksumSHA1", "SHA1"),
    ("ChecksumSHA256", "SHA256"),
    ("ChecksumSHA512", "SHA512"),
    ("ChecksumMD5", "MD5"),
];

/// The field of this name, if it is that of a checksum.
pub fn checksum_field(name: &str) -> Option<&'static str> {
    let known = ALGORITHMS.iter().find(|(field, _)| *field == name);
    known.map(|(field, _)| *field)
}

/// The checksum of a content. Those that every content has are not computed again.
pub(super) fn digest((field, name): Algorithm, content: &Content) -> Vec<u8> {
    let known = content.checksums();
    let known = known.and_then(|known| match field {
        "ChecksumCRC32" => Some(known.crc32.to_be_bytes().to_vec()),
        "ChecksumSHA256" => Some(known.sha256.to_vec()),
        "ChecksumMD5" => Some(known.md5.to_vec()),
        _ => None,
    });
    known
        .or_else(|| digests::of_content(name, content))
        .unwrap_or_default()
}

/// The checksum that an answer tells: the one that the uploader chose, or else the CRC-32.
pub fn told(content: &Content, chosen: Option<Checksum>) -> (&'static str, String) {
    match chosen {
        Some(Checksum { field, value }) => (field, value),
        None => (
            "ChecksumCRC32",
            STANDARD.encode(digest(ALGORITHMS[0], content)),
        ),
    }
}

/// Refuses an upload whose checksums do not match its content. Returns the checksum that the
/// uploader chose, unless it is the CRC-32.
///
/// # Errors
/// A checksum is malformed or does not match, or there are several.
pub fn check_digests(params: Params<'_>, content: &Content) -> Result<Option<Checksum>, Refusal> {
    if let Some(checksums) = content.checksums() {
        check_md5(params, checksums)?;
    }
    let invalid = |message: String| Err(Refusal::new(400, "InvalidRequest", message));
    let is_sent = |(field, _): &&Algorithm| params.get(field).is_some();
    let mut sent = ALGORITHMS.iter().filter(is_sent);
    let first = sent.next();
    if sent.next().is_some() {
        return invalid(
            "Expecting a single x-amz-checksum- header. Multiple checksum Types are not allowed."
                .to_owned(),
        );
    }
    if let Some((field, name)) = first {
        let computed = digest((field, name), content);
        let given = params.optional(field)?.unwrap_or_default();
        match STANDARD.decode(given) {
            Ok(given) if given == computed => {}
            Ok(given) if given.len() == computed.len() => {
                return Err(Refusal::new(
                    400,
                    "BadDigest",
                    format!("The {name} you specified did not match the calculated checksum."),
                ));
            }
            _ => {
                let header = name.to_ascii_lowercase();
                return invalid(format!(
                    "Value for x-amz-checksum-{header} header is invalid."
                ));
            }
        }
    }
    let chosen = match first {
        Some(first) => Some(*first),
        None => algorithm(params)?,
    };
    let chosen = chosen.filter(|(field, _)| *field != "ChecksumCRC32");
    Ok(chosen.map(|(field, name)| Checksum {
        field,
        value: STANDARD.encode(digest((field, name), content)),
    }))
}

/// The algorithm that a call names. botocore accepts the name in upper or lower case.
pub(super) fn algorithm(params: Params<'_>) -> Result<Option<Algorithm>, Refusal> {
    let Some(wanted) = params.filled("ChecksumAlgorithm")? else {
        return Ok(None);
    };
    let mut known = ALGORITHMS.into_iter();
    let known = known.find(|(_, name)| name.eq_ignore_ascii_case(wanted));
    match known {
        Some(known) => Ok(Some(known)),
        None => Err(refusal::not_implemented("x-amz-sdk-checksum-algorithm")),
    }
}

fn check_md5(params: Params<'_>, checksums: &Checksums) -> Result<(), Refusal> {
    let Some(sent) = params.filled("ContentMD5")? else {
        return Ok(());
    };
    match STANDARD.decode(sent) {
        Ok(digest) if *digest == checksums.md5 => Ok(()),
        Ok(digest) if digest.len() == checksums.md5.len() => Err(Refusal::new(
            400,
            "BadDigest",
            "The Content-MD5 you specified did not match what we received.",
        )
        .with("ExpectedDigest", sent)
        .with("CalculatedDigest", STANDARD.encode(checksums.md5))),
        _ => Err(Refusal::new(
            400,
            "InvalidDigest",
            "The Content-MD5 you specified was invalid.",
        )
        .with("Content-MD5", sent)),
    }
}
