//! Places in the user's words: sites that are named, and types of sites.

use serde_json::{Value, json};

use super::TYPES;
use super::site::Site;
use crate::text::{any, denied, find, words};

/// Words about a site that the agent has offered.
const COMPLAINS: [&str; 9] = [
    "too",
    "isn't",
    "isnt",
    "doesn't",
    "doesnt",
    "low",
    "lower",
    "expensive",
    "skip",
];
const PRAISES: [&str; 12] = [
    "love",
    "loved",
    "like",
    "keep",
    "want",
    "need",
    "great",
    "perfect",
    "definitely",
    "heard",
    "miss",
    "deal",
];

/// Sites that are named; their words are taken out.
pub(super) fn visit(
    sites: &[Site],
    offered: &str,
    all: &mut Vec<String>,
    found: &mut Vec<(String, Value)>,
) {
    let mut names: Vec<(&str, Vec<String>)> = sites
        .iter()
        .map(|site| (site.name.as_str(), words(&site.name)))
        .collect();
    names.sort_by_key(|(_, parts)| std::cmp::Reverse(parts.len()));
    let (mut want, mut leave) = (Vec::new(), Vec::new());
    for (name, parts) in names {
        let short: Vec<String> =
            match parts.first().is_some_and(|word| word == "the") && parts.len() > 2 {
                true => parts[1..].to_vec(),
                false => parts.clone(),
            };
        let fits = |window: &[String]| {
            window.iter().zip(&short).all(|(word, part)| {
                word.len().abs_diff(part.len()) < 2 && crate::names::alike(word, part)
            })
        };
        // A name of marks alone has no words to be found by.
        let Some(place) = all.windows(short.len().max(1)).position(fits) else {
            continue;
        };
        let before = &all[..place];
        let no = denied(all, place, 4)
            || any(
                before,
                &[
                    "instead of",
                    "than the",
                    "besides",
                    "ditch",
                    "replace",
                    "remove",
                    "something else",
                ],
            );
        let known = offered.contains(name);
        if no || (known && any(all, &COMPLAINS)) {
            leave.push(name);
        } else if !known || any(all, &PRAISES) {
            // What was only named back is no wish.
            want.push(name);
        }
        all.splice(place..place + short.len(), [String::from("SITE")]);
    }
    if !want.is_empty() {
        let must = if any(
            all,
            &[
                "definitely",
                "must",
                "have to",
                "need to",
                "can't miss",
                "dan's",
                "dan",
            ],
        ) {
            Some(true)
        } else if any(all, &["heard"]) {
            Some(false)
        } else {
            None
        };
        found.push(("visit".to_owned(), json!({ "visit": want, "must": must })));
    }
    for name in leave {
        found.push((format!("exclude:{name}"), json!({ "exclude": [name] })));
    }
}

pub(super) fn category(all: &[String], found: &mut Vec<(String, Value)>) {
    for kind in TYPES {
        let plural = format!("{kind}s");
        let other: &[&str] = match kind {
            "cafe" => &["coffee", "café", "cafes"],
            "shop" => &["shopping", "mall", "store", "stores"],
            "park" => &["garden"],
            "bar" => &["drinks"],
            _ => &[],
        };
        let place = find(all, kind).or_else(|| find(all, &plural));
        let place = place.or_else(|| other.iter().find_map(|word| find(all, word)));
        if let Some(place) = place
            && !denied(all, place, 4)
            && any(
                all,
                &[
                    "at least", "a", "one", "visit", "go", "want", "like", "some", "any", "see",
                    "love",
                ],
            )
        {
            found.push((format!("category:{kind}"), json!({ "category": kind })));
        }
    }
}
