//! How new objects are encrypted, unless the call that writes them says otherwise.

use super::{Context, map};
use crate::domain::{Refusal, Value};
use crate::refusal;

/// The encryption of a new bucket: one rule, with keys of S3's own.
pub fn of_new_bucket() -> Value {
    let by_default = map([("SSEAlgorithm", "AES256".into())]);
    let rule = map([
        ("ApplyServerSideEncryptionByDefault", by_default),
        ("BucketKeyEnabled", false.into()),
    ]);
    map([("Rules", Value::List(vec![rule]))])
}

/// Checks that there is one rule, and fills in whether it uses a key of the bucket's.
pub fn check(_: &Context<'_>, value: Value) -> Result<Value, Refusal> {
    let rules = value.get("Rules").and_then(Value::as_list);
    let Some([Value::Map(rule)]) = rules else {
        return Err(refusal::malformed_xml());
    };
    let part = |name: &str| rule.iter().find(|(known, _)| *known == name);
    let Some((_, by_default)) = part("ApplyServerSideEncryptionByDefault") else {
        // A rule may do nothing but forbid keys of callers.
        return match part("BlockedEncryptionTypes") {
            Some(_) => Ok(value),
            None => Err(refusal::malformed_xml()),
        };
    };
    let algorithm = by_default.get("SSEAlgorithm").and_then(Value::as_str);
    if by_default.get("KMSMasterKeyID").is_some() && algorithm == Some("AES256") {
        return Err(Refusal::new(
            400,
            "InvalidArgument",
            "a KMSMasterKeyID is not applicable if the default sse algorithm is not aws:kms or \
             aws:kms:dsse",
        )
        .with("ArgumentName", "ApplyServerSideEncryptionByDefault"));
    }
    if part("BucketKeyEnabled").is_some() {
        return Ok(value);
    }
    let mut rule = rule.clone();
    rule.insert(1, ("BucketKeyEnabled".into(), false.into()));
    Ok(map([("Rules", Value::List(vec![Value::Map(rule)]))]))
}
