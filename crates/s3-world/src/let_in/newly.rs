//! Whether a call lets in more than what was set before: to let fewer in, or as many, shares
//! nothing.

use super::{Party, elsewhere, who_is_let_in};
use crate::domain::Value;
use crate::memory::settings::policy::statements;
use crate::setting_kind;
use serde_json::Value as Json;

/// Whether a call lets others in, or sends something to them, beyond what the call `before` did,
/// which has made what is set now. What cannot be compared counts as more.
pub fn shares(operation: &str, params: &Value, before: Option<(&str, &Value)>) -> bool {
    let let_in = others(operation, params);
    let Some((earlier, then)) = before.filter(|_| !let_in.is_empty()) else {
        return !let_in.is_empty();
    };
    let known = others(earlier, then);
    if let_in.iter().any(|party| !known.contains(party)) {
        return true;
    }
    match operation {
        "put_public_access_block" | "delete_public_access_block" => {
            elsewhere::opens_block(params, then)
        }
        "put_bucket_ownership_controls" | "delete_bucket_ownership_controls" => false,
        "put_bucket_policy" => !is_policy_within(text(params), text(then)),
        _ => match setting_kind::written_by(operation).map(|kind| kind.parameter) {
            Some(name) => !is_within(params.get(name), then.get(name)),
            None => params != then,
        },
    }
}

fn others(operation: &str, params: &Value) -> Vec<Party> {
    let who = who_is_let_in(operation, params).into_iter();
    who.filter(Party::is_other).collect()
}

fn text(params: &Value) -> &str {
    let text = params.get("Policy").and_then(Value::as_str);
    text.unwrap_or_default()
}

/// Whether a policy has no statement that allows beyond those of another one, and denies all that
/// it denies.
fn is_policy_within(now: &str, before: &str) -> bool {
    let read = |text: &str| serde_json::from_str::<Json>(text).ok();
    let (Some(now), Some(before)) = (read(now), read(before)) else {
        return false;
    };
    let (now, before) = (statements(&now), statements(&before));
    let denies = |it: &&Json| it.get("Effect").and_then(Json::as_str) == Some("Deny");
    let mut allowing = now.iter().filter(|it| !denies(it));
    let mut denying = before.iter().filter(|it| denies(it));
    allowing.all(|it| before.contains(it)) && denying.all(|it| now.contains(it))
}

/// Whether a value says nothing that another one does not: its lists have no other items.
fn is_within(now: Option<&Value>, before: Option<&Value>) -> bool {
    match (now, before) {
        (Some(Value::List(now)), before) => {
            let before = before.and_then(Value::as_list).unwrap_or_default();
            now.iter().all(|item| before.contains(item))
        }
        (Some(Value::Map(now)), Some(before)) => {
            (now.iter()).all(|(name, value)| is_within(Some(value), before.get(name)))
        }
        (now, before) => now.is_some() && now == before,
    }
}
