//! Conditions that narrow "everybody" to a few (S3 user guide, "The meaning of public").

use super::Party;
use crate::memory::settings::policy::texts;
use serde_json::Value as Json;
use std::net::IpAddr;

/// The operators that hold only for the values that they are given. Of their other forms,
/// `…IfExists` and `ForAllValues:…` hold for a request that says nothing, and `…Not…` for most.
const POSITIVE: [&str; 5] = [
    "StringEquals",
    "StringEqualsIgnoreCase",
    "StringLike",
    "ArnEquals",
    "ArnLike",
];
const ADDRESS: &str = "IpAddress";

/// The shortest prefixes of networks that are not the public: of IPv4 and IPv6.
const NETWORKS: (u8, u8) = (8, 32);

/// Those who are left of everybody; `None` if no test of a condition narrows them. All tests
/// must hold, so one that narrows is enough.
pub fn narrowed(condition: Option<&Json>) -> Option<Vec<Party>> {
    let Some(Json::Object(tests)) = condition else {
        return None;
    };
    let each = tests.iter().filter_map(|(operator, keys)| {
        let operator = operator.strip_prefix("ForAnyValue:").unwrap_or(operator);
        let known = POSITIVE.contains(&operator) || operator == ADDRESS;
        known.then_some((operator, keys.as_object()?))
    });
    let each = each.flat_map(|(operator, keys)| keys.iter().map(move |it| (operator, it)));
    let narrowing = each.filter_map(|(operator, (key, values))| {
        let values = texts(Some(values));
        let those: Option<Vec<Party>> = values.iter().map(|it| one(operator, key, it)).collect();
        those.filter(|those| !those.is_empty())
    });
    narrowing.min_by_key(|those| those.iter().any(Party::is_other))
}

/// The one whom a value of a condition's key means; `None` if that may be anybody.
fn one(operator: &str, key: &str, value: &str) -> Option<Party> {
    let key = key.to_ascii_lowercase();
    if operator == ADDRESS {
        let is_narrow = key == "aws:sourceip" && is_network(value);
        return is_narrow.then(|| Party::Network(value.to_owned()));
    }
    let is_fixed = !value.is_empty() && !value.contains(['*', '?', '$']);
    match key.as_str() {
        "aws:principalaccount"
        | "aws:sourceaccount"
        | "aws:sourceowner"
        | "s3:dataaccesspointaccount"
            if is_fixed =>
        {
            Some(Party::account(value))
        }
        "aws:principalorgid" | "aws:sourceorgid" if is_fixed => {
            Some(Party::Organisation(value.to_owned()))
        }
        "aws:sourcevpc" | "aws:sourcevpce" if is_fixed => Some(Party::Network(value.to_owned())),
        "aws:sourcearn" | "aws:principalarn" | "s3:dataaccesspointarn" => of_arn(value, is_fixed),
        // `AROAEXAMPLEID:*` is every session of one role.
        "aws:userid" => {
            let (id, _) = value.split_once(':').unwrap_or((value, ""));
            let is_one = !id.is_empty() && !id.contains(['*', '?', '$']);
            is_one.then(|| Party::Account(value.to_owned()))
        }
        _ => None,
    }
}

/// The account of an ARN. Where it has none, as that of a bucket, all of it must be fixed.
fn of_arn(arn: &str, is_fixed: bool) -> Option<Party> {
    let account = arn.strip_prefix("arn:")?.split(':').nth(3)?;
    match account {
        "" => is_fixed.then(|| Party::Place(arn.to_owned())),
        _ if account.contains(['*', '?', '$']) => None,
        _ => Some(Party::account(arn)),
    }
}

fn is_network(text: &str) -> bool {
    let (address, prefix) = text.split_once('/').unwrap_or((text, ""));
    let Ok(address) = address.parse::<IpAddr>() else {
        return false;
    };
    let least = if address.is_ipv4() {
        NETWORKS.0
    } else {
        NETWORKS.1
    };
    prefix.is_empty() && !text.contains('/') || prefix.parse::<u8>().is_ok_and(|it| it >= least)
}
