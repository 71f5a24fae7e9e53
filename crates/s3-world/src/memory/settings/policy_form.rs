//! The form of a bucket's policy, as S3 checks it. The refusals are S3's own words.

use super::policy::{statements, texts};
use super::policy_actions::{About, about};
use serde_json::Value as Json;

const VERSIONS: [&str; 2] = ["2012-10-17", "2008-10-17"];
/// The fields of a policy.
pub const FIELDS: [&str; 3] = ["Version", "Id", "Statement"];
pub const FIELDS_OF_STATEMENT: [&str; 9] = [
    "Sid",
    "Effect",
    "Principal",
    "NotPrincipal",
    "Action",
    "NotAction",
    "Resource",
    "NotResource",
    "Condition",
];

/// The operators of conditions, without what can stand before and after them.
const OPERATORS: [&str; 27] = [
    "StringEquals",
    "StringNotEquals",
    "StringEqualsIgnoreCase",
    "StringNotEqualsIgnoreCase",
    "StringLike",
    "StringNotLike",
    "NumericEquals",
    "NumericNotEquals",
    "NumericLessThan",
    "NumericLessThanEquals",
    "NumericGreaterThan",
    "NumericGreaterThanEquals",
    "DateEquals",
    "DateNotEquals",
    "DateLessThan",
    "DateLessThanEquals",
    "DateGreaterThan",
    "DateGreaterThanEquals",
    "Bool",
    "BinaryEquals",
    "IpAddress",
    "NotIpAddress",
    "ArnEquals",
    "ArnLike",
    "ArnNotEquals",
    "ArnNotLike",
    "Null",
];

/// Checks a policy of a bucket.
///
/// # Errors
/// Why it is none, in S3's words.
pub fn check(text: &str, bucket: &str) -> Result<(), String> {
    if !text.trim_start().starts_with('{') {
        return Err("Policies must be valid JSON and the first byte must be '{'".to_owned());
    }
    let policy: Json =
        serde_json::from_str(text).map_err(|_| "This policy contains invalid Json".to_owned())?;
    check_fields(&policy, &FIELDS)?;
    if let Some(version) = policy.get("Version")
        && !version.as_str().is_some_and(|it| VERSIONS.contains(&it))
    {
        return Err("The policy must contain a valid version string".to_owned());
    }
    if policy.get("Statement").is_none() {
        return Err("Missing required field Statement".to_owned());
    }
    let statements = statements(&policy);
    if statements.is_empty() {
        return Err("Could not parse the policy: Statement is empty!".to_owned());
    }
    let check = |statement: &&Json| check_statement(statement, bucket);
    statements.iter().try_for_each(check)
}

fn check_fields(value: &Json, known: &[&str]) -> Result<(), String> {
    let mut names = value.as_object().into_iter().flat_map(|map| map.keys());
    match names.find(|name| !known.contains(&name.as_str())) {
        Some(name) => Err(format!("Unknown field {name}")),
        None => Ok(()),
    }
}

fn check_statement(statement: &Json, bucket: &str) -> Result<(), String> {
    let missing = |field: &str| Err(format!("Missing required field {field}"));
    let part = |name: &str| statement.get(name);
    check_fields(statement, &FIELDS_OF_STATEMENT)?;
    let effect = part("Effect").and_then(Json::as_str);
    match effect {
        Some("Allow" | "Deny") => {}
        None => return missing("Effect"),
        Some(other) => return Err(format!("Invalid effect: {other}")),
    }
    if effect == Some("Allow") && part("NotPrincipal").is_some() {
        return Err("Allow with NotPrincipal is not allowed.".to_owned());
    }
    let Some(principal) = part("Principal").or(part("NotPrincipal")) else {
        return missing("Principal");
    };
    if !is_principal(principal) {
        return Err("Invalid principal in policy".to_owned());
    }
    let actions = texts(part("Action").or(part("NotAction")));
    if actions.is_empty() {
        return missing("Action");
    }
    let abouts: Vec<About> = actions.iter().map(|action| about_action(action)).collect();
    if abouts.contains(&About::default()) {
        return Err("Policy has invalid action".to_owned());
    }
    let resources = texts(part("Resource").or(part("NotResource")));
    if resources.is_empty() {
        return missing("Resource");
    }
    if part("Resource").is_some() && !resources.iter().all(|it| is_of_bucket(it, bucket)) {
        return Err("Policy has invalid resource".to_owned());
    }
    check_operators(part("Condition"))?;
    let is_object = |resource: &&str| resource.contains('/');
    let is_bucket = |resource: &&str| !resource.contains('/');
    let applies = |about: &About| {
        let of_objects = about.objects
            && resources
                .iter()
                .any(|it| is_object(it) || it.ends_with('*'));
        of_objects || about.buckets && resources.iter().any(is_bucket)
    };
    match part("Resource").is_none() || part("Action").is_none() || abouts.iter().all(applies) {
        true => Ok(()),
        false => Err("Action does not apply to any resource(s) in statement".to_owned()),
    }
}

fn about_action(action: &str) -> About {
    match action.split_once(':') {
        None if action == "*" => about("*"),
        Some((service, pattern)) if service.eq_ignore_ascii_case("s3") => about(pattern),
        _ => About::default(),
    }
}

/// Whether a resource is the bucket, or objects in it.
fn is_of_bucket(resource: &str, bucket: &str) -> bool {
    let mut parts = resource.splitn(6, ':');
    let is_s3 = parts.next() == Some("arn")
        && parts.next().is_some_and(|it| it.starts_with("aws"))
        && parts.next() == Some("s3");
    let name = parts.nth(2).unwrap_or_default();
    let rest = name.strip_prefix(bucket);
    is_s3 && rest.is_some_and(|rest| rest.is_empty() || rest == "*" || rest.starts_with('/'))
}

/// Whether this names somebody, or everybody.
fn is_principal(principal: &Json) -> bool {
    match principal {
        Json::String(text) => text == "*",
        Json::Object(kinds) => {
            let is_named = |(kind, who): (&String, &Json)| {
                let who = texts(Some(who));
                let is_right = |who: &&str| match kind.as_str() {
                    "AWS" => is_account_or_arn(who),
                    "Service" => who.contains(".amazonaws.com"),
                    "Federated" | "CanonicalUser" => !who.is_empty(),
                    _ => false,
                };
                !who.is_empty() && who.iter().all(is_right)
            };
            !kinds.is_empty() && kinds.iter().all(is_named)
        }
        _ => false,
    }
}

fn is_account_or_arn(who: &str) -> bool {
    let is_account = who.len() == 12 && who.bytes().all(|it| it.is_ascii_digit());
    let is_arn = who.starts_with("arn:aws") && who.split(':').count() >= 6;
    who == "*" || is_account || is_arn
}

fn check_operators(condition: Option<&Json>) -> Result<(), String> {
    let operators = condition.and_then(Json::as_object).into_iter();
    for operator in operators.flat_map(|tests| tests.keys()) {
        let name = operator
            .strip_prefix("ForAllValues:")
            .or(operator.strip_prefix("ForAnyValue:"))
            .unwrap_or(operator);
        let name = name.strip_suffix("IfExists").unwrap_or(name);
        if !OPERATORS.contains(&name) {
            return Err(format!("Invalid Condition type : {operator}"));
        }
    }
    Ok(())
}
