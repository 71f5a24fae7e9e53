//! Who may use a bucket: its policy, and the switches that keep the public out. Both are
//! kept and judged; the owner's own calls are not held to them.

use super::{Context, map, policy_form};
use crate::domain::{Refusal, Value};
use crate::let_in::{DOCUMENT_BYTES, Party, is_public, of_statement};
use crate::refusal;
use serde_json::Value as Json;

const SWITCHES: [&str; 4] = [
    "BlockPublicAcls",
    "IgnorePublicAcls",
    "BlockPublicPolicy",
    "RestrictPublicBuckets",
];

/// The four switches, all on or all off.
pub fn blocks(on: bool) -> Value {
    map(SWITCHES.map(|name| (name, on.into())))
}

/// Fills in the switches that were not given: they are off.
pub fn check_block(_: &Context<'_>, value: Value) -> Result<Value, Refusal> {
    let switch = |name: &'static str| {
        let on = value.get(name).and_then(Value::as_bool).unwrap_or(false);
        (name, on.into())
    };
    Ok(map(SWITCHES.map(switch)))
}

/// Checks a policy: JSON with statements, and not public where that is blocked.
pub fn check(context: &Context<'_>, value: Value) -> Result<Value, Refusal> {
    let text = value.as_str().unwrap_or_default();
    let malformed = |message: String| Refusal::new(400, "MalformedPolicy", message);
    // A long text takes a hundred times its size once it is read.
    if text.len() > DOCUMENT_BYTES {
        let message = "Policy exceeds the maximum allowed document size.";
        return Err(malformed(message.to_owned()));
    }
    policy_form::check(text, context.name).map_err(malformed)?;
    if context.bucket.blocks_public("BlockPublicPolicy") && is_public(text) {
        return Err(refusal::access_denied());
    }
    Ok(value)
}

fn is_about_everybody(statement: &Json) -> bool {
    of_statement(statement).contains(&Party::Public)
}

/// The deeds that people name first, and the actions that allow them.
const DEEDS: [(&str, &str); 4] = [
    ("read", "s3:getobject"),
    ("list", "s3:listbucket"),
    ("write", "s3:putobject"),
    ("delete", "s3:deleteobject"),
];

/// The deeds that a policy allows to everybody, for people: `read`, `list`, `write` and
/// `delete`.
pub fn public_deeds(text: &str) -> Vec<&'static str> {
    let policy: Json = serde_json::from_str(text).unwrap_or_default();
    let public = statements(&policy)
        .into_iter()
        .filter(|it| is_about_everybody(it));
    let public: Vec<_> = public.collect();
    let allowed = DEEDS
        .iter()
        .filter(|(_, action)| public.iter().any(|it| has_action(it, action)));
    allowed.map(|(deed, _)| *deed).collect()
}

/// Whether a statement is about an action, in lower case.
fn has_action(statement: &Json, action: &str) -> bool {
    let names = |known: &str| {
        let known = texts(statement.get(known));
        known
            .iter()
            .any(|it| matches(&it.to_ascii_lowercase(), action))
    };
    match statement.get("Action") {
        Some(_) => names("Action"),
        None => !names("NotAction"),
    }
}

/// The verdict of a policy about everybody.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PolicyVerdict {
    /// It allows the action, without a condition.
    Allowed,
    /// It forbids the action, whatever else allows it.
    Denied,
    /// It says nothing.
    Silent,
}

/// The decision of a policy about an action of everybody on a resource. Conditions are not
/// looked at: a statement with one does not allow, but denies.
pub fn of_everybody(text: &str, action: &str, resource: &str) -> PolicyVerdict {
    let policy: Json = serde_json::from_str(text).unwrap_or_default();
    let mut verdict = PolicyVerdict::Silent;
    for statement in statements(&policy) {
        let part = |name: &str| statement.get(name);
        let names = |known: &str, other: &str, wanted: &str| match part(known) {
            Some(known) => texts(Some(known)).iter().any(|it| matches(it, wanted)),
            None => !texts(part(other)).iter().any(|it| matches(it, wanted)),
        };
        let of_action = has_action(statement, &action.to_ascii_lowercase());
        if !of_action || !names("Resource", "NotResource", resource) {
            continue;
        }
        let denies = part("Effect").and_then(Json::as_str) == Some("Deny");
        // A denial with `NotPrincipal` holds for all whom it does not name, so for the public.
        let of_all = is_anybody(part("Principal")) || part("NotPrincipal").is_some() && denies;
        match denies {
            true if of_all => return PolicyVerdict::Denied,
            false if of_all && part("Condition").is_none() => verdict = PolicyVerdict::Allowed,
            _ => {}
        }
    }
    verdict
}

/// Whether a pattern with `*` and `?` matches a text.
pub(super) fn matches(pattern: &str, text: &str) -> bool {
    let (pattern, text) = (pattern.as_bytes(), text.as_bytes());
    let (mut p, mut t) = (0, 0);
    // Where the last `*` was, and up to where it has matched.
    let mut star: Option<(usize, usize)> = None;
    while t < text.len() {
        match pattern.get(p) {
            Some(b'*') => {
                star = Some((p, t));
                p += 1;
            }
            Some(c) if *c == b'?' || text.get(t) == Some(c) => {
                p += 1;
                t += 1;
            }
            _ => match &mut star {
                Some((at, matched)) => {
                    *matched += 1;
                    (p, t) = (*at + 1, *matched);
                }
                None => return false,
            },
        }
    }
    pattern
        .get(p..)
        .is_some_and(|rest| rest.iter().all(|c| *c == b'*'))
}

pub(crate) fn statements(policy: &Json) -> Vec<&Json> {
    match policy.get("Statement") {
        Some(Json::Array(statements)) => statements.iter().collect(),
        Some(one) => vec![one],
        None => Vec::new(),
    }
}

pub(crate) fn texts(value: Option<&Json>) -> Vec<&str> {
    match value {
        Some(Json::String(text)) => vec![text],
        Some(Json::Array(texts)) => texts.iter().filter_map(Json::as_str).collect(),
        _ => Vec::new(),
    }
}

fn is_anybody(principal: Option<&Json>) -> bool {
    match principal {
        Some(Json::String(text)) => text == "*",
        Some(Json::Object(kinds)) => {
            let mut principals = kinds.values().flat_map(|it| texts(Some(it)));
            principals.any(|text| text == "*")
        }
        _ => false,
    }
}
