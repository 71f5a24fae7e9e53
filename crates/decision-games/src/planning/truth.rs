//! Whether wishes that were taken from talk are those that the user has.

use serde_json::Value;

use super::beliefs::plain;
use super::{Feature, Preference, Wish};
use crate::extraction::{Extraction, FactCount};

/// Judges wishes by kind, subject and sign. Weights are not in the talk, and what must be in or out
/// is no preference: neither is judged.
pub(super) fn judge(preferences: &[Preference], facts: &[Value]) -> Extraction {
    let wishes = facts
        .iter()
        .filter_map(|fact| serde_json::from_value(fact.clone()).ok())
        .filter(|wish| !matches!(wish, Wish::Keep { .. } | Wish::Exclude { .. }));
    let found = wishes.map(|wish| preferences.iter().position(|truth| same(truth, &wish)));
    let count = FactCount::of(found, preferences.len());
    Extraction::new([("wishes", count)])
}

fn same(truth: &Preference, wish: &Wish) -> bool {
    match (truth, wish) {
        (
            Preference::Feature {
                name, value_sets, ..
            },
            Wish::Feature {
                feature,
                like,
                dislike,
                weight,
            },
        ) => {
            let [disliked, liked] = value_sets;
            let signs = liked.iter().chain(disliked).chain(like).chain(dislike);
            let signs = signs.map(|it| sign(liked, disliked, it) * sign(like, dislike, it));
            let signs: Vec<i8> = signs.collect();
            plain(name) == plain(feature)
                && weight.is_none_or(|weight| weight > 0.0)
                && signs.contains(&1)
                && !signs.contains(&-1)
        }
        (Preference::Budget { budget, .. }, Wish::Budget { budget: said, .. }) => budget == said,
        (Preference::Visit { event_set, .. }, Wish::Visit { visit, .. }) => {
            !visit.is_empty() && visit.iter().all(|site| event_set.contains(site))
        }
        (Preference::Category { etype, .. }, Wish::Category { category, .. }) => etype == category,
        (Preference::Travel { .. }, Wish::Travel { travel }) => *travel > 0.0,
        _ => false,
    }
}

/// 1 for a value that is liked, -1 for one that is disliked. Who dislikes False likes True.
fn sign(like: &[Feature], dislike: &[Feature], value: &Feature) -> i8 {
    let said = |value: &Feature| {
        i8::from(like.contains(value)) - i8::from(dislike.contains(value) && !like.contains(value))
    };
    match (said(value), value) {
        (0, Feature::Flag(flag)) => -said(&Feature::Flag(!flag)),
        (sign, _) => sign,
    }
}
