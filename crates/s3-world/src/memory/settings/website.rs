//! How a bucket would be shown as a website. No site is served.

use super::Context;
use crate::domain::{Refusal, Value};
use crate::refusal;

/// The most rules.
const MOST: usize = 50;

fn invalid(message: &str) -> Refusal {
    Refusal::new(400, "InvalidRequest", message)
}

/// Checks that there is an index, or that all requests go elsewhere.
pub fn check(_: &Context<'_>, value: Value) -> Result<Value, Refusal> {
    let wrong = |name: &str, given: &str, message: &str| {
        Err(refusal::invalid_argument(name, given, message))
    };
    let has = |name| value.get(name).is_some();
    if has("RedirectAllRequestsTo") {
        let others = ["IndexDocument", "ErrorDocument", "RoutingRules"];
        return match others.into_iter().any(has) {
            true => wrong(
                "RedirectAllRequestsTo",
                "not null",
                "RedirectAllRequestsTo cannot be provided in conjunction with other Routing Rules.",
            ),
            false => Ok(value),
        };
    }
    let index = value
        .get("IndexDocument")
        .and_then(|it| it.get("Suffix")?.as_str());
    match index {
        None => {
            return wrong(
                "IndexDocument",
                "null",
                "A value for IndexDocument Suffix must be provided if RedirectAllRequestsTo is \
                 empty",
            );
        }
        Some(suffix) if suffix.is_empty() || suffix.contains('/') => {
            return wrong(
                "IndexDocument",
                suffix,
                "The IndexDocument Suffix is not well formed",
            );
        }
        Some(_) => {}
    }
    if let Some(rules) = value.get("RoutingRules").and_then(Value::as_list) {
        if rules.is_empty() || rules.len() > MOST {
            return Err(refusal::malformed_xml());
        }
        rules.iter().try_for_each(check_rule)?;
    }
    Ok(value)
}

/// Refuses protocols that browsers do not speak.
pub fn check_protocols(value: Value) -> Result<Value, Refusal> {
    let rules = value.get("RoutingRules").and_then(Value::as_list);
    let redirects = rules.unwrap_or_default().iter();
    let redirects = redirects.filter_map(|rule| rule.get("Redirect"));
    let mut redirects = redirects.chain(value.get("RedirectAllRequestsTo"));
    let is_wrong = |redirect: &Value| {
        let protocol = redirect.get("Protocol").and_then(Value::as_str);
        protocol.is_some_and(|it| !matches!(it, "http" | "https"))
    };
    match redirects.any(is_wrong) {
        true => Err(invalid(
            "Invalid protocol, protocol can be http or https. If not defined the protocol will be \
             selected automatically.",
        )),
        false => Ok(value),
    }
}

fn check_rule(rule: &Value) -> Result<(), Refusal> {
    let text = |part: &str, name: &str| rule.get(part)?.get(name)?.as_str();
    let both = ["ReplaceKeyPrefixWith", "ReplaceKeyWith"];
    if both.iter().all(|name| text("Redirect", name).is_some()) {
        return Err(invalid(
            "You can only define ReplaceKeyPrefix or ReplaceKey but not both.",
        ));
    }
    if let Some(Value::Map(condition)) = rule.get("Condition")
        && condition.is_empty()
    {
        return Err(invalid(
            "Condition cannot be empty. To redirect all requests without a condition, the \
             condition element shouldn't be present.",
        ));
    }
    if let Some(code) = text("Redirect", "HttpRedirectCode")
        && (code == "300" || !is_code(code, &['3']))
    {
        return Err(invalid(&format!(
            "The provided HTTP redirect code ({code}) is not valid. Valid codes are 3XX except 300."
        )));
    }
    if let Some(code) = text("Condition", "HttpErrorCodeReturnedEquals")
        && !is_code(code, &['4', '5'])
    {
        return Err(invalid(&format!(
            "The provided HTTP error code ({code}) is not valid. Valid codes are 4XX or 5XX."
        )));
    }
    Ok(())
}

/// Whether a text is an HTTP status of one of these classes.
fn is_code(text: &str, classes: &[char]) -> bool {
    text.len() == 3 && text.starts_with(classes) && text.bytes().all(|it| it.is_ascii_digit())
}
