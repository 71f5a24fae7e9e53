//! Who is let in by a bucket policy.

use super::own::is_of;
use super::{Party, condition};
use crate::memory::settings::policy::{statements, texts};
use crate::memory::settings::policy_form::{FIELDS, FIELDS_OF_STATEMENT};
use serde_json::Value as Json;
use std::collections::BTreeSet;

/// The most bytes of a policy (S3 user guide, "Bucket policies").
pub const DOCUMENT_BYTES: usize = 20 << 10;

/// Those whom any statement lets in. A policy that cannot be read may let in anybody.
pub fn of_text(text: &str) -> Vec<Party> {
    match read(text) {
        Some(policy) => (statements(&policy).into_iter())
            .flat_map(of_statement)
            .collect(),
        None => vec![Party::Unknown("somebody in a policy that cannot be read")],
    }
}

fn read(text: &str) -> Option<Json> {
    let is_short = text.len() <= DOCUMENT_BYTES;
    let policy: Option<Json> = is_short.then(|| serde_json::from_str(text).ok()).flatten();
    policy.filter(|policy| has_only(policy, &FIELDS))
}

/// What the keys begin with that a policy lets others use than these own accounts; an empty text for
/// all of them.
pub fn shared_by(text: &str, own: &[String]) -> BTreeSet<String> {
    let Some(policy) = read(text) else {
        return BTreeSet::from([String::new()]);
    };
    let shared = statements(&policy).into_iter().filter(|statement| {
        let mut parties = of_statement(statement).into_iter();
        parties.any(|party| party.is_other() && !is_of(&party, own))
    });
    let resources = shared.flat_map(|statement| match statement.get("Resource") {
        Some(named) => texts(Some(named)),
        None => vec![""],
    });
    let prefix = |resource: &str| {
        let key = resource.split_once('/').map_or("", |(_, key)| key);
        let end = key.find(['*', '?', '$']).unwrap_or(key.len());
        key.get(..end).unwrap_or_default().to_owned()
    };
    resources.map(prefix).collect()
}

/// Whether a part of a policy has no field that only some servers know: those that read names
/// in any case find more in it than is seen here.
fn has_only(part: &Json, known: &[&str]) -> bool {
    let mut names = part.as_object().into_iter().flat_map(|part| part.keys());
    names.all(|name| known.contains(&name.as_str()))
}

/// Those whom a statement lets in: nobody if it denies.
pub fn of_statement(statement: &Json) -> Vec<Party> {
    if !has_only(statement, &FIELDS_OF_STATEMENT) {
        return vec![Party::Public];
    }
    if statement.get("Effect").and_then(Json::as_str) == Some("Deny") {
        return Vec::new();
    }
    let kinds = statement.get("Principal").and_then(Json::as_object);
    let mut named = Vec::new();
    for (kind, who) in kinds.into_iter().flatten() {
        named.extend(texts(Some(who)).into_iter().map(|who| principal(kind, who)));
    }
    if named.is_empty() {
        // Everybody but those whom `NotPrincipal` names, `"*"`, or a form that S3 refuses.
        named.push(Party::Public);
    }
    match named.contains(&Party::Public) {
        true => condition::narrowed(statement.get("Condition")).unwrap_or(named),
        false => named,
    }
}

fn principal(kind: &str, who: &str) -> Party {
    match kind {
        _ if who == "*" => Party::Public,
        "Service" | "Federated" => Party::Service(who.to_owned()),
        _ => Party::account(who),
    }
}
