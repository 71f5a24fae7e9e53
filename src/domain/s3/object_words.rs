//! What the mark of an object says of it beside its content: what decides whether it can be read
//! and deleted.

use super::caller::text;
use super::memory::state::is_archive;
use crate::domain::{Mark, Value};

const RESTORED: &str = "restored";
const HELD: &str = "held";
const COMPLIANCE: &str = "COMPLIANCE";
const GOVERNANCE: &str = "GOVERNANCE";
/// Of an object that only a caller with its key can look at.
pub(super) const KEYED: &str = "encrypted with a key of the caller's";

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
    let words = [class, restored.map(|_| RESTORED), lock, held.map(|_| HELD)];
    let words: Vec<&str> = words.into_iter().flatten().collect();
    (!words.is_empty()).then(|| words.join(", "))
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

/// The lock of the object.
pub(super) fn lock(mark: Option<&Mark>) -> Option<Lock> {
    match (says(mark, COMPLIANCE), says(mark, GOVERNANCE)) {
        (true, _) => Some(Lock::Compliance),
        (_, true) => Some(Lock::Governance),
        _ => None,
    }
}
