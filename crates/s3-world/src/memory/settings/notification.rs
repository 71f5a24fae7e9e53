//! Where a bucket's events would go. Nothing is sent.

use super::Context;
use crate::api::{Shape, operation};
use crate::domain::{Refusal, Value};
use crate::refusal;

/// The lists, the field of their entries that names the destination, its service, and what S3
/// calls it.
const LISTS: [(&str, &str, &str, &str); 3] = [
    ("TopicConfigurations", "TopicArn", "sns", "Topic"),
    ("QueueConfigurations", "QueueArn", "sqs", "Queue"),
    (
        "LambdaFunctionConfigurations",
        "LambdaFunctionArn",
        "lambda",
        "CloudFunction",
    ),
];

/// The names of filter rules, as they are sent and as S3 returns them.
const NAMES: [(&str, &str); 2] = [("prefix", "Prefix"), ("suffix", "Suffix")];

/// Checks destinations for their form, and gives ids to those without one.
pub fn check(_: &Context<'_>, value: Value) -> Result<Value, Refusal> {
    let mut value = value;
    let mut made = 0;
    for (list, arn, service, called) in LISTS {
        for item in items_mut(&mut value, list) {
            check_destination(item, arn, service, called)?;
            for name in rule_names(item) {
                let shown = NAMES.iter().find(|(sent, _)| *sent == name.as_str());
                if let Some((_, shown)) = shown {
                    *name = (*shown).to_owned();
                }
            }
            if let Value::Map(fields) = item
                && !fields.iter().any(|(name, _)| name == "Id")
            {
                made += 1;
                let id = format!("notification-{made}");
                fields.insert(0, ("Id".into(), id.into()));
            }
        }
    }
    Ok(value)
}

fn check_destination(item: &Value, arn: &str, service: &str, called: &str) -> Result<(), Refusal> {
    let given = item.get(arn).and_then(Value::as_str).unwrap_or_default();
    let parts: Vec<&str> = given.split(':').collect();
    let is_arn = matches!(parts.as_slice(), ["arn", _, known, _, _, ..] if *known == service);
    if !is_arn || parts.len() < 6 {
        return Err(refusal::invalid_argument(
            called,
            given,
            "The ARN could not be parsed",
        ));
    }
    Ok(())
}

/// Refuses unknown events, and filters other than `prefix` and `suffix`, in upper or lower
/// case.
pub fn check_form(value: Value) -> Result<Value, Refusal> {
    let mut value = value;
    let known = events();
    for (list, ..) in LISTS {
        for item in items_mut(&mut value, list) {
            let events = item.get("Events").and_then(Value::as_list);
            let mut events = events.unwrap_or_default().iter().filter_map(Value::as_str);
            if let Some(event) = events.find(|event| !known.contains(event)) {
                let message = format!("The event '{event}' is not supported for notifications");
                return Err(Refusal::new(400, "InvalidArgument", message));
            }
            for name in rule_names(item) {
                let lower = name.to_ascii_lowercase();
                if !NAMES.iter().any(|(sent, _)| *sent == lower) {
                    return Err(refusal::invalid_argument(
                        "FilterRule.Name",
                        name,
                        "filter rule name must be either prefix or suffix",
                    ));
                }
                *name = lower;
            }
        }
    }
    Ok(value)
}

/// The events of the model.
fn events() -> &'static [&'static str] {
    fn of(shape: &'static Shape) -> &'static [&'static str] {
        match shape {
            Shape::Choice(known) => known,
            Shape::List(item) => of(item.shape),
            Shape::Structure(structure) => {
                let member = structure.members.iter();
                let mut member =
                    member.filter(|it| matches!(it.name, "QueueConfigurations" | "Events"));
                member.next().map_or(&[], |member| of(member.shape))
            }
            _ => &[],
        }
    }
    let put = operation("put_bucket_notification_configuration");
    let parameter = put.and_then(|put| put.input.member("NotificationConfiguration"));
    parameter.map_or(&[], |member| of(member.shape))
}

fn items_mut<'v>(value: &'v mut Value, list: &str) -> &'v mut [Value] {
    match member_mut(value, list) {
        Some(Value::List(items)) => items,
        _ => &mut [],
    }
}

/// The names of the rules of a filter that are there.
fn rule_names(item: &mut Value) -> impl Iterator<Item = &mut String> {
    let filter = member_mut(item, "Filter").and_then(|filter| member_mut(filter, "Key"));
    let rules = match filter.and_then(|key| member_mut(key, "FilterRules")) {
        Some(Value::List(rules)) => rules.as_mut_slice(),
        _ => &mut [],
    };
    rules
        .iter_mut()
        .filter_map(|rule| match member_mut(rule, "Name") {
            Some(Value::Str(name)) => Some(name),
            _ => None,
        })
}

fn member_mut<'v>(value: &'v mut Value, name: &str) -> Option<&'v mut Value> {
    let Value::Map(pairs) = value else {
        return None;
    };
    let mut pairs = pairs.iter_mut();
    pairs
        .find(|(known, _)| *known == name)
        .map(|(_, value)| value)
}
