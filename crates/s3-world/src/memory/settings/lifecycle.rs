//! When objects are archived or deleted. The rules are kept; nothing expires by itself.

use super::Context;
use super::lifecycle_rule::{check_rule, invalid};
use crate::domain::{Map, Refusal, Value};
use crate::memory::state::{Bucket, Object};
use crate::refusal;
use jiff::{SignedDuration, Timestamp};
use sha2::{Digest, Sha256};

/// The seconds of a day.
const DAY: i64 = 24 * 60 * 60;

const MOST: usize = 1000;

const LEAST_SIZE: &str = "TransitionDefaultMinimumObjectSize";
/// The first is what holds if a call says nothing.
const LEAST_SIZES: [&str; 2] = ["all_storage_classes_128K", "varies_by_storage_class"];

/// Checks the rules, and gives an id to those without one.
pub fn check(context: &Context<'_>, value: Value) -> Result<Value, Refusal> {
    let Some(Value::List(rules)) = value.get("Rules") else {
        return Err(refusal::malformed_xml());
    };
    if rules.is_empty() || rules.len() > MOST {
        return Err(refusal::malformed_xml());
    }
    let mut ids: Vec<String> = Vec::new();
    let mut checked = Vec::new();
    for (number, rule) in rules.iter().enumerate() {
        check_rule(rule)?;
        let id = match rule.get("ID").and_then(Value::as_str) {
            Some(id) if !id.is_empty() => id.to_owned(),
            _ => made_up(context.name, number),
        };
        if id.len() > 255 {
            return Err(invalid("ID length should not exceed allowed limit of 255"));
        }
        if ids.contains(&id) {
            return Err(invalid(
                "Rule ID must be unique. Found same ID for more than one rule",
            ));
        }
        checked.push(with_id(rule, &id));
        ids.push(id);
    }
    Ok(Value::Map(vec![
        (LEAST_SIZE.into(), least_size(context)?.into()),
        ("Rules".into(), Value::List(checked)),
    ]))
}

/// From which size on objects are moved to another class, as the call says it.
fn least_size<'a>(context: &Context<'a>) -> Result<&'a str, Refusal> {
    match context.params.filled(LEAST_SIZE)? {
        None => Ok(LEAST_SIZES[0]),
        Some(known) if LEAST_SIZES.contains(&known) => Ok(known),
        Some(other) => Err(Refusal::new(
            400,
            "InvalidRequest",
            format!("Invalid {LEAST_SIZE} found: {other}"),
        )),
    }
}

/// The answer of S3 when the rules are set.
pub fn put_answer(value: &Value) -> Value {
    let size = value.get(LEAST_SIZE).cloned();
    Value::Map(size.into_iter().map(|it| (LEAST_SIZE.into(), it)).collect())
}

/// When the rules of a bucket will delete an object, as the header `x-amz-expiration` says it.
pub fn expiration(bucket: &Bucket, key: &str, object: &Object) -> Option<String> {
    let rules = bucket
        .settings
        .get(super::LIFECYCLE)?
        .get("Rules")?
        .as_list()?;
    let due = rules
        .iter()
        .filter(|rule| reaches(rule, key, object))
        .filter_map(|rule| {
            let expiration = rule.get("Expiration")?;
            let date = match (expiration.get("Days"), expiration.get("Date")) {
                (Some(days), _) => {
                    let age = SignedDuration::from_hours(days.as_int()?.checked_mul(24)?);
                    let due = object.modified.checked_add(age).ok()?.as_second();
                    // S3 waits for the next midnight.
                    Timestamp::from_second(due.div_euclid(DAY).checked_add(1)?.checked_mul(DAY)?)
                        .ok()?
                }
                (_, Some(Value::Time(date))) => *date,
                _ => return None,
            };
            Some((date, rule.get("ID")?.as_str()?))
        });
    let (date, id) = due.min_by_key(|(date, _)| *date)?;
    let date = date.strftime("%a, %d %b %Y %H:%M:%S GMT");
    Some(format!("expiry-date=\"{date}\", rule-id=\"{id}\""))
}

/// Whether an enabled rule is about an object.
pub fn reaches(rule: &Value, key: &str, object: &Object) -> bool {
    let text =
        |value: &Value, name: &str| value.get(name).and_then(Value::as_str).map(str::to_owned);
    let holds = |conditions: &Value| {
        let prefix = text(conditions, "Prefix").unwrap_or_default();
        let size = i64::try_from(object.size()).unwrap_or(i64::MAX);
        let bound = |name| conditions.get(name).and_then(Value::as_int);
        let one = conditions.get("Tag").into_iter();
        let many = conditions
            .get("Tags")
            .and_then(Value::as_list)
            .unwrap_or_default();
        let has = |tag: &Value| {
            let wanted = (text(tag, "Key"), text(tag, "Value"));
            let mut tags = object.extras().tags.iter();
            tags.any(|(key, value)| wanted == (Some(key.clone()), Some(value.clone())))
        };
        key.starts_with(&prefix)
            && bound("ObjectSizeGreaterThan").is_none_or(|least| size > least)
            && bound("ObjectSizeLessThan").is_none_or(|most| size < most)
            && one.chain(many).all(has)
    };
    let filter = rule.get("Filter");
    let and = filter.and_then(|filter| filter.get("And"));
    text(rule, "Status").as_deref() == Some("Enabled")
        && holds(rule)
        && filter.is_none_or(holds)
        && and.is_none_or(holds)
}

fn with_id(rule: &Value, id: &str) -> Value {
    let mut pairs = Map::new();
    let Value::Map(given) = rule else {
        return rule.clone();
    };
    // In the model `ID` comes after `Expiration`.
    let (before, after): (Vec<_>, Vec<_>) =
        (given.iter().filter(|(name, _)| name != "ID").cloned())
            .partition(|(name, _)| name == "Expiration");
    pairs.extend(before);
    pairs.push(("ID".into(), id.into()));
    pairs.extend(after);
    Value::Map(pairs)
}

/// An id for a rule without one: the same for the same rule of a bucket.
fn made_up(bucket: &str, number: usize) -> String {
    let digest: [u8; 32] = Sha256::digest(format!("{bucket}/{number}")).into();
    const_hex::encode(&digest[..16])
}
