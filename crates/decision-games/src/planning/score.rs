//! What an itinerary is worth to its user.

use std::fmt::Write;

use serde_json::{Value, json};

use super::site::{Feature, tenths};
use super::{PlanningWorld, STOPS, Stops, proposal};

/// The score of an itinerary, with its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Score {
    /// The sum.
    pub total: i64,
    /// The part of each preference.
    pub by_preference: Vec<i64>,
    /// Site, leg, site, leg, site; 0 where a slot is empty.
    pub by_slot: [i64; 2 * STOPS - 1],
    /// The text and the part of each preference about the whole.
    pub overall: Vec<(String, i64)>,
    /// The legs in tenths of a mile; none where an end is empty.
    pub legs: [Option<i64>; STOPS - 1],
}

/// Scores an itinerary, complete or not.
pub fn score(world: &PlanningWorld, stops: &Stops, lenient: bool) -> Score {
    let site = |slot: usize| stops[slot].map(|index| &world.sites[index]);
    let sites: Vec<_> = (0..STOPS).filter_map(site).collect();
    let legs: [Option<i64>; STOPS - 1] =
        std::array::from_fn(|leg| Some(tenths(site(leg)?.loc, site(leg + 1)?.loc)));
    let mut score = Score {
        total: 0,
        by_preference: Vec::new(),
        by_slot: [0; 2 * STOPS - 1],
        overall: Vec::new(),
        legs,
    };
    for preference in &world.preferences {
        let mut sum = 0;
        for slot in 0..STOPS {
            let value = site(slot).map_or(0, |site| preference.of_site(site));
            score.by_slot[2 * slot] += value;
            sum += value;
        }
        for (leg, length) in legs.iter().enumerate() {
            let value = length.map_or(0, |length| preference.of_leg(length));
            score.by_slot[2 * leg + 1] += value;
            sum += value;
        }
        if let Some(value) = preference.of_all(&sites, lenient) {
            score.overall.push((preference.text().to_owned(), value));
            sum += value;
        }
        score.by_preference.push(sum);
        score.total += sum;
    }
    score
}

impl Score {
    /// The score and its parts in the form of the records.
    pub(super) fn parts(&self, stops: &Stops) -> Value {
        let overall = self.overall.iter();
        let overall = overall.map(|(text, score)| json!({ "desc": text, "score": score }));
        let miles = self.legs.map(|leg| leg.map(|tenths| tenths as f64 / 10.0));
        json!({
            "travel": miles,
            "full": stops.iter().all(Option::is_some),
            "recorded": {
                "total": self.total,
                "by_pref": self.by_preference,
                "by_slot": self.by_slot,
                "itinerary": overall.collect::<Vec<_>>(),
            },
        })
    }

    /// What the user reads about the itinerary.
    pub(super) fn card(&self, world: &PlanningWorld, stops: &Stops) -> String {
        let mut text = proposal::write(world, stops) + "\nProposal Score:";
        let site = |slot: usize| stops[slot].map(|index| &world.sites[index]);
        let mut line = |line: String| _ = write!(text, "\n{line}");
        for place in 0..2 * STOPS - 1 {
            let (number, value, slot) = (place + 1, self.by_slot[place], place / 2);
            match (place % 2, site(slot), site((slot + 1).min(STOPS - 1))) {
                (0, Some(site), _) => {
                    line(format!("{number}) (score: {value}) {}", site.name));
                    line(format!("price: {}", site.price));
                    for (name, value) in &site.features {
                        line(format!("{name}: {value}"));
                    }
                }
                (1, Some(from), Some(to)) => {
                    let miles = tenths(from.loc, to.loc) as f64 / 10.0;
                    let (from, to) = (&from.name, &to.name);
                    line(format!(
                        "{number}) (score: {value}) Travel from {from} to {to}, {miles:.1}mi"
                    ));
                }
                _ => line(format!("{number}) Empty")),
            }
        }
        line("\nOverall Checklist:".to_owned());
        for (wish, value) in &self.overall {
            let met = if *value >= 0 { "YES" } else { "NO" };
            line(format!("{met} (score: {value}) {wish}"));
        }
        let price: i64 = (0..STOPS).filter_map(site).map(|site| site.price).sum();
        line(format!("TOTAL PRICE: {price}"));
        let parts = self
            .by_slot
            .iter()
            .chain(self.overall.iter().map(|(_, value)| value));
        let sum: String = parts.map(|value| format!("{value:+}")).collect();
        line(format!("TOTAL SCORE: {sum}={}", self.total));
        text
    }
}

impl Feature {
    /// Whether it is the truth `true`.
    pub(super) fn is_true(&self) -> bool {
        matches!(self, Feature::Flag(true))
    }
}
