//! Where a bucket's events would go. Nothing is sent.

use super::Context;
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
    let invalid = |message: &str, name: &str, value: &str| {
        Err(Refusal::new(400, "InvalidArgument", message)
            .with("ArgumentName", name.to_owned())
            .with("ArgumentValue", value.to_owned()))
    };
    let given = item.get(arn).and_then(Value::as_str).unwrap_or_default();
    let parts: Vec<&str> = given.split(':').collect();
    let is_arn = matches!(parts.as_slice(), ["arn", _, known, _, _, ..] if *known == service);
    if !is_arn || parts.len() < 6 {
        return invalid("The ARN could not be parsed", arn, given);
    }
    let rules = item
        .get("Filter")
        .and_then(|filter| filter.get("Key")?.get("FilterRules"));
    for rule in rules.and_then(Value::as_list).unwrap_or_default() {
        let name = rule.get("Name").and_then(Value::as_str).unwrap_or_default();
        if !matches!(name.to_ascii_lowercase().as_str(), "prefix" | "suffix") {
            return invalid(
                "filter rule name must be either prefix or suffix",
                "FilterRule.Name",
                name,
            );
        }
    }
    Ok(())
}
