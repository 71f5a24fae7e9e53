//! Who may use a bucket: its policy, and the switches that keep the public out. Both are
//! kept and judged; the owner's own calls are not held to them.

use super::{Context, map};
use crate::domain::s3::refusal;
use crate::domain::{Refusal, Value};
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
    let malformed = |message: &str| Err(Refusal::new(400, "MalformedPolicy", message));
    let text = value.as_str().unwrap_or_default();
    let policy: Option<Json> = serde_json::from_str(text).ok();
    let Some(policy) = policy.filter(|_| text.trim_start().starts_with('{')) else {
        return malformed("Policies must be valid JSON and the first byte must be '{'");
    };
    let statements = statements(&policy);
    if policy.get("Statement").is_none() {
        return malformed("Missing required field Statement");
    }
    for statement in &statements {
        match statement.get("Effect").and_then(Json::as_str) {
            Some("Allow" | "Deny") => {}
            None => return malformed("Missing required field Effect"),
            Some(other) => return malformed(&format!("Invalid effect: {other}")),
        }
        if statement.get("Principal").is_none() && statement.get("NotPrincipal").is_none() {
            return malformed("Missing required field Principal");
        }
        if statement.get("Action").is_none() && statement.get("NotAction").is_none() {
            return malformed("Missing required field Action");
        }
        let resources = texts(statement.get("Resource").or(statement.get("NotResource")));
        if resources.is_empty() {
            return malformed("Missing required field Resource");
        }
        let own = format!("arn:aws:s3:::{}", context.name);
        let is_own = |resource: &&str| {
            *resource == own
                || resource
                    .strip_prefix(&own)
                    .is_some_and(|it| it.starts_with('/'))
        };
        if !resources.iter().all(is_own) && statement.get("Resource").is_some() {
            return malformed("Policy has invalid resource");
        }
    }
    if context.bucket.blocks_public("BlockPublicPolicy") && is_public(text) {
        return Err(refusal::access_denied());
    }
    Ok(value)
}

/// Whether a policy lets everybody do something (S3 user guide, "The meaning of public"): a
/// statement allows it to any principal, without a condition on who or from where.
pub fn is_public(text: &str) -> bool {
    let policy: Json = serde_json::from_str(text).unwrap_or_default();
    statements(&policy).iter().any(|statement| {
        let allows = statement.get("Effect").and_then(Json::as_str) == Some("Allow");
        allows && is_anybody(statement.get("Principal")) && !is_narrowed(statement.get("Condition"))
    })
}

fn statements(policy: &Json) -> Vec<&Json> {
    match policy.get("Statement") {
        Some(Json::Array(statements)) => statements.iter().collect(),
        Some(one) => vec![one],
        None => Vec::new(),
    }
}

fn texts(value: Option<&Json>) -> Vec<&str> {
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

/// Whether a condition names a fixed account, network or organisation.
fn is_narrowed(condition: Option<&Json>) -> bool {
    const FIXED: [&str; 10] = [
        "aws:sourceip",
        "aws:sourcearn",
        "aws:sourcevpc",
        "aws:sourcevpce",
        "aws:sourceowner",
        "aws:sourceaccount",
        "aws:userid",
        "aws:principalorgid",
        "aws:principalaccount",
        "s3:dataaccesspointaccount",
    ];
    let Some(Json::Object(tests)) = condition else {
        return false;
    };
    let keys = tests
        .values()
        .filter_map(Json::as_object)
        .flat_map(|keys| keys.iter());
    let mut fixed = keys.filter(|(key, _)| FIXED.contains(&key.to_ascii_lowercase().as_str()));
    fixed.any(|(_, value)| {
        texts(Some(value))
            .iter()
            .all(|text| !matches!(*text, "*" | "0.0.0.0/0"))
    })
}
