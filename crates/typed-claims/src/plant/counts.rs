//! Another number of rows: `count_wrong`.

use super::edit::replace;
use super::{Label, Planted, SLOTS, STATE, Site};
use crate::NUMBER_WORDS;
use crate::chance::Chance;

/// What is added to a number.
const STEPS: [usize; 4] = [1, 2, 3, 5];

/// Of a number that is the one of the rows that the acts describe. More of them than there are
/// is false in every reading, since a reading only adds constraints.
pub(super) fn plant(site: &Site<'_>, chance: &mut Chance) -> Vec<Planted> {
    let numbers = site.turn.values(&STATE, "choice");
    let [number] = numbers.as_slice() else {
        return Vec::new();
    };
    let word = NUMBER_WORDS.iter().position(|word| word == number);
    let Some(n) = word.or_else(|| number.parse().ok()).filter(|n| *n > 1) else {
        return Vec::new();
    };
    let described = SLOTS
        .iter()
        .take(3)
        .map(|(act, slot)| (*slot, site.turn.values(&STATE, act)));
    let described = described
        .filter(|(_, values)| !values.is_empty())
        .collect::<Vec<_>>();
    let fitting = site.rows.iter().filter(|row| {
        described
            .iter()
            .all(|(slot, values)| row.get(*slot).is_some_and(|value| values.contains(value)))
    });
    let said = described
        .iter()
        .flat_map(|(_, values)| values)
        .all(|value| replace(&site.turn.text, value, value).is_some());
    if described.is_empty() || !said || fitting.count() != n {
        return Vec::new();
    }
    let step = chance.pick(&STEPS).copied().unwrap_or(1);
    let other = match NUMBER_WORDS.get(n + step).filter(|_| word.is_some()) {
        Some(word) => (*word).to_owned(),
        None => (n + step).to_string(),
    };
    let reply = replace(&site.turn.text, number, &other);
    let planted = reply.map(|reply| Planted {
        operator: "count_wrong",
        reply,
        label: Label::of(false, Some(true)),
        results: None,
    });
    planted.into_iter().collect()
}
