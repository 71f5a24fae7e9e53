//! Listings page by page, beside what one look at all keys says.

use crate::conformance::embedded::Embedded;
use dialog2api::domain::Value;
use proptest::prelude::*;
use std::collections::BTreeSet;

/// What a listing shows: every key once, or what it is rolled up to.
fn expected(keys: &BTreeSet<String>, prefix: &str, delimiter: &str) -> Vec<String> {
    let shown = keys.iter().filter_map(|key| {
        let rest = key.strip_prefix(prefix)?;
        let rolled = (!delimiter.is_empty())
            .then(|| rest.find(delimiter))
            .flatten();
        Some(match rolled {
            Some(at) => key[..prefix.len() + at + delimiter.len()].to_owned(),
            None => key.clone(),
        })
    });
    BTreeSet::from_iter(shown).into_iter().collect()
}

/// The keys and common prefixes of a page, in order.
fn shown(page: &Value) -> Vec<String> {
    let items = |list: &str, field: &str| -> Vec<String> {
        let list = page.get(list).and_then(Value::as_list).unwrap_or_default();
        let text = |item: &Value| item.get(field).and_then(Value::as_str).map(str::to_owned);
        list.iter().filter_map(text).collect()
    };
    let mut all = items("Contents", "Key");
    all.extend(items("CommonPrefixes", "Prefix"));
    all.sort();
    all
}

/// Follows the pages as boto3's users do.
fn follow(keys: &BTreeSet<String>, operation: &str, query: (&str, &str, i64)) -> Vec<Vec<String>> {
    let world = Embedded::world("us-east-1");
    let bucket = |extra: &[(&'static str, Value)]| {
        let mut params = vec![("Bucket".into(), Value::from("alpha"))];
        let extra = extra.iter();
        params.extend(extra.map(|(name, value)| ((*name).into(), value.clone())));
        Value::Map(params)
    };
    world
        .perform("create_bucket", &bucket(&[]))
        .expect("a bucket");
    for key in keys {
        let put = bucket(&[("Key", key.as_str().into()), ("Body", "".into())]);
        world.perform("put_object", &put).expect("an object");
    }
    let (prefix, delimiter, limit) = query;
    let mut params = vec![
        ("Prefix", Value::from(prefix)),
        ("Delimiter", Value::from(delimiter)),
        ("MaxKeys", Value::Int(limit)),
    ];
    let mut pages = Vec::new();
    // A listing that does not end would be one page a key too many.
    for _ in 0..=keys.len() + 1 {
        let page = world.perform(operation, &bucket(&params)).expect("a page");
        pages.push(shown(&page));
        if page.get("IsTruncated").and_then(Value::as_bool) != Some(true) {
            break;
        }
        params.truncate(3);
        let (name, token) = match operation {
            "list_objects_v2" => (
                "ContinuationToken",
                page.get("NextContinuationToken").cloned(),
            ),
            _ => {
                let next = page.get("NextMarker").cloned();
                let last = pages
                    .last()
                    .and_then(|page| page.last().map(|key| key.as_str().into()));
                ("Marker", next.or(last))
            }
        };
        params.push((name, token.expect("a token")));
    }
    pages
}

proptest! {
    #[test]
    fn pages_together_are_the_listing(
        keys in prop::collection::btree_set("[ab/é-]{1,5}", 0..24),
        prefix in "[ab/é]{0,2}",
        delimiter in "(|/|-|a|é|ab)",
        limit in 1..6_i64,
    ) {
        for operation in ["list_objects", "list_objects_v2"] {
            let pages = follow(&keys, operation, (&prefix, &delimiter, limit));
            let (last, full) = pages.split_last().expect("a page");
            prop_assert!(full.iter().all(|page| page.len() == limit as usize));
            prop_assert!(last.len() <= limit as usize);
            prop_assert_eq!(pages.concat(), expected(&keys, &prefix, &delimiter));
        }
    }
}
