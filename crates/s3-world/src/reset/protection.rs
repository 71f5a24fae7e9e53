//! How an object is encrypted and checked: the parameters of an upload that keep it as it is.

use crate::caller::text;
use crate::domain::{Map, Value};
use crate::memory::checksum_field;

/// The parameters that encrypt an object as the answer of a read says. Without them the
/// encryption is that of the bucket. A key that callers send themselves is not known.
pub fn encryption(read: &Value) -> Map {
    let mut params = Map::new();
    let Some(algorithm) = text(read, "ServerSideEncryption") else {
        return params;
    };
    params.push(("ServerSideEncryption".into(), algorithm.into()));
    if algorithm.starts_with("aws:kms") {
        let key = text(read, "SSEKMSKeyId");
        params.extend(key.map(|key| ("SSEKMSKeyId".into(), key.into())));
        let has_bucket_key = read.get("BucketKeyEnabled") == Some(&Value::Bool(true));
        params.push(("BucketKeyEnabled".into(), has_bucket_key.into()));
    }
    params
}

/// The parameter that checks a content as the answer of a read says.
pub fn checksum(read: &Value) -> Map {
    // The checksum of parts is none of the content.
    if text(read, "ChecksumType") == Some("COMPOSITE") {
        return Map::new();
    }
    let Value::Map(fields) = read else {
        return Map::new();
    };
    let mut fields = fields.iter();
    let checksum = fields.find(|(name, _)| checksum_field(name).is_some());
    checksum.cloned().into_iter().collect()
}

/// The parameters that encrypt an object and check its content as the answer of a read says.
pub fn protection(read: &Value) -> Map {
    let mut params = encryption(read);
    params.extend(checksum(read));
    params
}
