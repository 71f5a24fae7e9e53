//! Encryption with a key of the caller's (SSE-C).
//!
//! Contents in this store are not encrypted. What callers rely on is kept: an object that was
//! written with a key is read only by those who send the same key. Of the key itself only its
//! MD5 stays, which answers contain.

use super::extras::Encryption;
use crate::domain::{Refusal, Value};
use crate::params::Params;
use crate::refusal;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use md5::{Digest, Md5};

/// The bytes of a key.
const LENGTH: usize = 32;

/// The object that a key or a condition is for.
#[derive(Clone, Copy)]
pub enum Of {
    /// The one that the call reads or writes.
    Target,
    /// The source of a copy.
    Source,
}

impl Of {
    /// The parameters of the algorithm, the key and its MD5.
    fn names(self) -> [&'static str; 3] {
        match self {
            Of::Target => [
                "SSECustomerAlgorithm",
                "SSECustomerKey",
                "SSECustomerKeyMD5",
            ],
            Of::Source => [
                "CopySourceSSECustomerAlgorithm",
                "CopySourceSSECustomerKey",
                "CopySourceSSECustomerKeyMD5",
            ],
        }
    }
}

/// The name of the argument in every refusal: S3 gives this one, whichever is wrong.
const ARGUMENT: &str = "x-amz-server-side-encryption";

/// The encryption with a key of the caller's that a call asks for.
///
/// # Errors
/// A parameter is missing or malformed.
pub fn given(params: Params<'_>, of: Of) -> Result<Option<Encryption>, Refusal> {
    let [algorithm, key, md5] = of.names();
    let (key, md5) = (params.get(key), params.get(md5));
    let algorithm = params.optional(algorithm)?;
    if key.is_none() && md5.is_none() && algorithm.is_none() {
        return Ok(None);
    }
    match algorithm {
        Some("AES256") => {}
        Some(other) => {
            return Err(Refusal::new(
                400,
                "InvalidEncryptionAlgorithmError",
                "The Encryption request you specified is not valid. Supported value: AES256.",
            )
            .with("ArgumentName", ARGUMENT)
            .with("ArgumentValue", other));
        }
        None => return Err(invalid("provide a valid encryption algorithm.")),
    }
    let key = key.ok_or_else(|| invalid("provide an appropriate secret key."))?;
    let wrong = |message: &str| {
        Refusal::new(400, "InvalidArgument", message).with("ArgumentName", ARGUMENT)
    };
    // Like botocore: a key that comes with its MD5 is in base64, another one is bytes.
    let key = match (key, md5) {
        (Value::Str(text), Some(_)) => STANDARD.decode(text).unwrap_or_default(),
        (Value::Str(text), None) => text.as_bytes().to_vec(),
        (Value::Bytes(bytes), _) => bytes.to_vec(),
        _ => Vec::new(),
    };
    if key.len() != LENGTH {
        return Err(wrong(
            "The secret key was invalid for the specified algorithm.",
        ));
    }
    let computed = STANDARD.encode(Md5::digest(&key));
    match md5 {
        Some(md5) if md5.as_str() != Some(&computed) => Err(wrong(
            "The calculated MD5 hash of the key did not match the hash that was provided.",
        )),
        _ => Ok(Some(Encryption::Customer { key_md5: computed })),
    }
}

fn invalid(must: &str) -> Refusal {
    let message = format!(
        "Requests specifying Server Side Encryption with Customer provided keys must {must}"
    );
    refusal::invalid_argument(ARGUMENT, "null", message)
}

/// Refuses a read whose key is not the one that the object was written with.
///
/// # Errors
/// `InvalidRequest` without a key, or with one for an object that has none; `AccessDenied`
/// with another key.
pub fn check_read(
    params: Params<'_>,
    of: Of,
    encryption: Option<&Encryption>,
) -> Result<(), Refusal> {
    let needed = encryption.filter(|it| matches!(it, Encryption::Customer { .. }));
    match (needed, given(params, of)?) {
        (None, None) => Ok(()),
        (None, Some(_)) => Err(Refusal::new(
            400,
            "InvalidRequest",
            "The encryption parameters are not applicable to this object.",
        )),
        (Some(_), None) => Err(Refusal::new(
            400,
            "InvalidRequest",
            "The object was stored using a form of Server Side Encryption. The correct parameters \
             must be provided to retrieve the object.",
        )),
        (Some(needed), Some(given)) if *needed == given => Ok(()),
        (Some(_), Some(_)) => Err(Refusal::new(
            403,
            "AccessDenied",
            "Requests specifying Server Side Encryption with Customer provided keys must provide \
             the correct secret key.",
        )),
    }
}

/// Refuses a part whose key is not the one that its upload was begun with.
///
/// # Errors
/// `InvalidRequest`.
pub fn check_part(params: Params<'_>, encryption: Option<&Encryption>) -> Result<(), Refusal> {
    let needed = encryption.filter(|it| matches!(it, Encryption::Customer { .. }));
    let message = match (needed, given(params, Of::Target)?) {
        (None, None) => return Ok(()),
        (Some(needed), Some(given)) if *needed == given => return Ok(()),
        (None, Some(_)) | (Some(_), None) => {
            "The multipart upload initiate requested encryption. Subsequent part requests must \
             include the appropriate encryption parameters."
        }
        (Some(_), Some(_)) => {
            "The provided encryption parameters did not match the ones used originally."
        }
    };
    Err(Refusal::new(400, "InvalidRequest", message))
}
