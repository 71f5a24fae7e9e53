//! What the mark of an object says of it beside its content: what decides whether it can be read
//! and deleted.

use super::caller::text;
use super::memory::state::is_archive;
use super::reset::KEPT;
use crate::domain::{Mark, Value};

const RESTORED: &str = "restored";
const HELD: &str = "held";
const COMPLIANCE: &str = "COMPLIANCE";
const GOVERNANCE: &str = "GOVERNANCE";
/// Of an object that only a caller with its key can look at.
pub(super) const KEYED: &str = "encrypted with a key of the caller's";

/// Of an object in a bucket that keeps versions, but did not when the object was written.
const NULL: &str = "version null";

/// A lock that has an end.
pub(super) enum Lock {
    /// A bypass lifts it.
    Governance,
    /// Nothing lifts it.
    Compliance,
}

/// The words about an object that an answer describes; none for most objects.
pub(super) fn of(object: &Value) -> Option<String> {
    let class = text(object, "StorageClass").filter(|class| is_archive(class));
    let is_back = |told: &str| told.contains("\"false\"");
    let restored = text(object, "Restore").filter(|told| is_back(told));
    let lock = text(object, "ObjectLockMode");
    let held = text(object, "ObjectLockLegalHoldStatus").filter(|status| *status == "ON");
    let null = text(object, "VersionId").filter(|id| *id == "null");
    let words = [
        class,
        restored.map(|_| RESTORED),
        lock,
        held.map(|_| HELD),
        null.map(|_| NULL),
    ];
    let words: Vec<&str> = words.into_iter().flatten().collect();
    (!words.is_empty()).then(|| words.join(", "))
}

/// What a write gives to an object whose content stays, a line each.
pub(super) fn given(operation: &str, params: &Value) -> Vec<String> {
    let keeps = operation == "copy_object" && text(params, "MetadataDirective") != Some("REPLACE");
    let given = KEPT.iter().chain(&["Tagging", "ACL"]).filter_map(|name| {
        let value = match params.get(name)? {
            Value::Str(text) => text.clone(),
            Value::Time(time) => time.to_string(),
            Value::Map(pairs) => {
                let pairs = pairs.iter();
                let pairs = pairs.filter_map(|(name, it)| Some(format!("{name}={}", it.as_str()?)));
                pairs.collect::<Vec<_>>().join(", ")
            }
            _ => return None,
        };
        Some(format!("{name}: {value}"))
    });
    let given: Vec<String> = given.collect();
    let first = match (keeps, given.is_empty()) {
        (true, _) => "the content and its metadata stay",
        (_, true) => "the content stays, and has no metadata",
        (_, false) => "the content stays, with",
    };
    [first.to_owned()].into_iter().chain(given).collect()
}

fn says(mark: Option<&Mark>, word: &str) -> bool {
    let summary = mark.and_then(|mark| mark.summary.as_deref());
    summary.is_some_and(|summary| summary.split(", ").any(|it| it == word))
}

/// Whether nobody can read the object before it is restored.
pub(super) fn is_archived(mark: Option<&Mark>) -> bool {
    let summary = mark.and_then(|mark| mark.summary.as_deref());
    let first = summary.and_then(|summary| summary.split(", ").next());
    first.is_some_and(is_archive) && !is_restored(mark)
}

/// Whether a copy of an archived object can be read.
pub(super) fn is_restored(mark: Option<&Mark>) -> bool {
    says(mark, RESTORED)
}

/// Whether only a caller with its key can read it.
pub(super) fn is_keyed(mark: Option<&Mark>) -> bool {
    says(mark, KEYED)
}

/// Whether it cannot be deleted as long as somebody holds it.
pub(super) fn is_held(mark: Option<&Mark>) -> bool {
    says(mark, HELD)
}

/// Whether it is the version `null`, beside which others may be.
pub(super) fn is_null_version(mark: Option<&Mark>) -> bool {
    says(mark, NULL)
}

/// The lock of the object.
pub(super) fn lock(mark: Option<&Mark>) -> Option<Lock> {
    match (says(mark, COMPLIANCE), says(mark, GOVERNANCE)) {
        (true, _) => Some(Lock::Compliance),
        (_, true) => Some(Lock::Governance),
        _ => None,
    }
}
