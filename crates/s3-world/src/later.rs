//! What S3 does later because of a call, and where: it deletes what has expired, archives, and
//! delivers logs, copies and lists. Policies judge that as if the program did it.

use super::let_in::{self, destinations, prefix};
use crate::domain::{Access, Place, Target, Value};

/// The parts of a rule of a lifecycle that delete, and those that move.
const DELETING: [&str; 3] = [
    "Expiration",
    "NoncurrentVersionExpiration",
    "AbortIncompleteMultipartUpload",
];
const MOVING: [&str; 4] = [
    "Transitions",
    "Transition",
    "NoncurrentVersionTransitions",
    "NoncurrentVersionTransition",
];

/// The targets of what S3 does later because of a call on this bucket by somebody who also has
/// these other accounts.
pub(super) fn targets(
    operation: &str,
    bucket: &str,
    params: &Value,
    own: &[String],
) -> Vec<Target> {
    let later = |access, prefix: &str| Target::later(access, Place::thing(bucket, prefix));
    let mut found = Vec::new();
    match operation {
        "put_bucket_lifecycle_configuration" => {
            let rules = params
                .get("LifecycleConfiguration")
                .and_then(|it| it.get("Rules")?.as_list());
            for rule in rules.unwrap_or_default() {
                let has = |names: &[&str]| names.iter().any(|name| rule.get(name).is_some());
                let access = match (has(&DELETING), has(&MOVING)) {
                    (true, _) => Access::Delete,
                    (false, true) => Access::Write,
                    (false, false) => continue,
                };
                if !is_off(rule) {
                    found.push(later(access, prefix(rule)));
                }
            }
        }
        // The archive tiers make what lies there unreadable until it is restored.
        "put_bucket_intelligent_tiering_configuration" => {
            let tiering = params.get("IntelligentTieringConfiguration");
            let tiering = tiering.filter(|it| it.get("Tierings").is_some() && !is_off(it));
            found.extend(tiering.map(|it| later(Access::Write, prefix(it))));
        }
        // Everything that is in a bucket is shared with whom its policy or access list lets in.
        "put_bucket_policy" => {
            let text = params.get("Policy").and_then(Value::as_str);
            let shared = text.map(|text| let_in::shared_by(text, own));
            let shared = shared.unwrap_or_default();
            found.extend(shared.iter().map(|prefix| later(Access::Share, prefix)));
        }
        "put_bucket_acl" if let_in::shares(operation, params, own) => {
            found.push(later(Access::Share, ""));
        }
        _ => {}
    }
    for destination in destinations(operation, params) {
        let to = Place::thing(destination.name(), destination.prefix);
        found.push(Target::later(Access::Write, to));
        let is_shared = let_in::shares(operation, params, own);
        let of = destination.of.filter(|_| is_shared);
        found.extend(of.map(|prefix| later(Access::Share, prefix)));
    }
    found
}

/// Whether a rule says that S3 does not follow it.
fn is_off(rule: &Value) -> bool {
    rule.get("Status").and_then(Value::as_str) == Some("Disabled")
}
