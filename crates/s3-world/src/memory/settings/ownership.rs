//! Who owns objects, and so whether access control lists count.

use super::{ACL, Context};
use crate::domain::{Refusal, Value};
use crate::memory::acl;
use crate::refusal;

/// Checks that there is one rule. Lists that let others in must go before they stop counting.
pub fn check(context: &Context<'_>, value: Value) -> Result<Value, Refusal> {
    let Some([rule]) = value.get("Rules").and_then(Value::as_list) else {
        return Err(refusal::malformed_xml());
    };
    let ownership = rule.get("ObjectOwnership").and_then(Value::as_str);
    let grants = context.bucket.settings.get(ACL).and_then(Value::as_list);
    let is_shared = grants.is_some_and(|grants| !acl::is_owners_alone(grants));
    match ownership == Some("BucketOwnerEnforced") && is_shared {
        true => Err(acl::not_with_ownership()),
        false => Ok(value),
    }
}
