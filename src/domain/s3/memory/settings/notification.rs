//! Where a bucket's events would go. Nothing is sent.

use super::Context;
use crate::domain::s3::refusal;
use crate::domain::{Refusal, Value};

const LISTS: [(&str, &str, &str); 3] = [
    ("TopicConfigurations", "TopicArn", "sns"),
    ("QueueConfigurations", "QueueArn", "sqs"),
    (
        "LambdaFunctionConfigurations",
        "LambdaFunctionArn",
        "lambda",
    ),
];

/// Checks destinations and filters for their form, and gives ids to those without one.
pub fn check(_: &Context<'_>, value: Value) -> Result<Value, Refusal> {
    let Value::Map(pairs) = value else {
        return Ok(value);
    };
    let mut checked = Vec::new();
    let mut made = 0;
    for (name, list) in pairs {
        let known = LISTS.iter().find(|(known, ..)| *known == name);
        let (Some((_, arn, service)), Value::List(items)) = (known, &list) else {
            checked.push((name, list));
            continue;
        };
        let mut named = Vec::new();
        for item in items {
            check_one(item, arn, service)?;
            let mut item = item.clone();
            if let Value::Map(fields) = &mut item
                && !fields.iter().any(|(name, _)| name == "Id")
            {
                made += 1;
                let id = format!("notification-{made}");
                fields.insert(0, ("Id".into(), id.into()));
            }
            named.push(item);
        }
        checked.push((name, Value::List(named)));
    }
    Ok(Value::Map(checked))
}

fn check_one(item: &Value, arn: &str, service: &str) -> Result<(), Refusal> {
    let given = item.get(arn).and_then(Value::as_str).unwrap_or_default();
    let parts: Vec<&str> = given.split(':').collect();
    let is_arn = matches!(parts.as_slice(), ["arn", _, known, _, _, ..] if *known == service);
    if !is_arn || parts.len() < 6 {
        return Err(refusal::invalid_argument(
            arn,
            given,
            "The ARN could not be parsed",
        ));
    }
    Ok(())
}

/// Refuses a filter by anything else than the beginning or the end of keys.
pub fn check_filters(value: &Value) -> Result<(), Refusal> {
    for (list, ..) in LISTS {
        for item in value.get(list).and_then(Value::as_list).unwrap_or_default() {
            let filter = item.get("Filter").and_then(|filter| filter.get("Key"));
            let rules = filter.and_then(|key| key.get("FilterRules")?.as_list());
            for rule in rules.unwrap_or_default() {
                let name = rule.get("Name").and_then(Value::as_str).unwrap_or_default();
                if !matches!(name.to_ascii_lowercase().as_str(), "prefix" | "suffix") {
                    return Err(refusal::invalid_argument(
                        "FilterRule.Name",
                        name,
                        "filter rule name must be either prefix or suffix",
                    ));
                }
            }
        }
    }
    Ok(())
}
