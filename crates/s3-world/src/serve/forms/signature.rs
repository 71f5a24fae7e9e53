//! The signature of a form: its policy, signed with the server's key. boto3 signs forms for
//! us-east-1 with version 2, others with version 4.

use super::{Form, required};
use crate::domain::Refusal;
use crate::remote::AccessKey;
use crate::serve::errors;
use crate::signing;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use sha1::Sha1;
use sha2::Sha256;

/// Checks the signature of a form. Returns its policy, in JSON; `None` for a form that has
/// neither.
///
/// # Errors
/// The signature is wrong, or of another key, or there is only one of the two.
pub fn check(form: &Form, key: &AccessKey) -> Result<Option<Vec<u8>>, Refusal> {
    let second = form.field("signature");
    let fourth = form.field("x-amz-signature");
    let policy = match form.field("policy") {
        Some(policy) => policy,
        None if second.is_none() && fourth.is_none() => return Ok(None),
        None => return Err(required("policy")),
    };
    let is_right = match (fourth, second) {
        (Some(signature), _) => version_4(form, key, policy, signature)?,
        (None, Some(signature)) => {
            let id = form.field("awsaccesskeyid");
            known(id.ok_or_else(|| required("AWSAccessKeyId"))?, key)?;
            let signature = STANDARD.decode(signature).unwrap_or_default();
            holds::<Hmac<Sha1>>(key.secret.as_bytes(), policy, &signature)
        }
        (None, None) => return Err(required("Signature")),
    };
    if !is_right {
        return Err(errors::signature());
    }
    STANDARD.decode(policy).map(Some).map_err(|_| {
        Refusal::new(
            400,
            "InvalidPolicyDocument",
            "Invalid Policy: it is not in base64.",
        )
    })
}

/// `Credential` is `ID/date/region/s3/aws4_request`.
fn version_4(form: &Form, key: &AccessKey, policy: &str, signature: &str) -> Result<bool, Refusal> {
    if form.field("x-amz-algorithm") != Some("AWS4-HMAC-SHA256") {
        return Err(required("X-Amz-Algorithm"));
    }
    let credential = form.field("x-amz-credential");
    let credential = credential.ok_or_else(|| required("X-Amz-Credential"))?;
    let date = form
        .field("x-amz-date")
        .ok_or_else(|| required("X-Amz-Date"))?;
    let mut scope = credential.splitn(5, '/');
    known(scope.next().unwrap_or_default(), key)?;
    let scope: Vec<&str> = scope.collect();
    let day = scope.first().copied().unwrap_or_default();
    if scope.get(2..) != Some(&["s3", "aws4_request"]) || !date.starts_with(day) {
        return Err(errors::signature());
    }
    let signing = signing::key(&key.secret, scope);
    let signature = const_hex::decode(signature).unwrap_or_default();
    Ok(holds::<Hmac<Sha256>>(&signing, policy, &signature))
}

fn known(id: &str, key: &AccessKey) -> Result<(), Refusal> {
    match id == key.id {
        true => Ok(()),
        false => Err(errors::unknown_key()),
    }
}

/// Whether a signature is that of a text, in a time that does not depend on where it differs.
fn holds<M: Mac + KeyInit>(key: &[u8], text: &str, signature: &[u8]) -> bool {
    let Ok(mut mac) = <M as KeyInit>::new_from_slice(key) else {
        return false;
    };
    mac.update(text.as_bytes());
    mac.verify_slice(signature).is_ok()
}
