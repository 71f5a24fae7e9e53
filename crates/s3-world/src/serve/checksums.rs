//! Checksums of documents. The world checks those of content.

use super::errors::Trouble;
use super::request::Incoming;
use crate::api::request::Received;
use crate::blocking;
use crate::digests::{ALGORITHMS, Algorithm, header};
use crate::domain::Refusal;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use s3s::crypto::{Checksum, Md5};

/// Checks all checksums that a request claims for its document.
pub async fn check(request: &Incoming, content: &Bytes) -> Result<(), Trouble> {
    let md5 = request.header("content-md5");
    let claims = ALGORITHMS.iter().filter_map(|algorithm| {
        let sent = request.header(&header(algorithm.0))?;
        Some((algorithm, sent))
    });
    let claims: Vec<(&'static Algorithm, String)> = claims.collect();
    if claims.is_empty() && md5.is_none() {
        return Ok(());
    }
    let content = content.clone();
    let checked = blocking::over(content.len(), move || {
        if let Some(sent) = md5 {
            check_md5(&sent, &content)?;
        }
        claims
            .iter()
            .try_for_each(|(algorithm, sent)| check_one(algorithm, sent, &content))
    });
    Ok(checked.await??)
}

fn check_one(algorithm: &Algorithm, sent: &str, content: &[u8]) -> Result<(), Refusal> {
    let (name, compute) = algorithm;
    let computed = compute(content);
    match STANDARD.decode(sent) {
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
    let computed = Md5::checksum(content);
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
