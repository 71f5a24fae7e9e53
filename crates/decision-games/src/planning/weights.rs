//! Weights of wishes, from what a user says about proposals.
//!
//! A user who names the weakest part of a proposal, or an item that costs, says something about
//! its weights. Weights are drawn as worlds draw them; those that fit better count more, and the
//! means of the rest are what the solver takes. The score is linear in the weights, so that the
//! best itinerary under the means is the best on average.

use serde_json::{Value, json};

use super::{PlanningWorld, Preference, Stops, score};
use crate::chance::Chance;

/// How many times weights are drawn.
const DRAWS: usize = 1_000;

/// The factor by which each misfit with what was said lowers the weight of a draw.
const MISFIT: f64 = 0.1;

/// What a user said about a proposal.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Complaint {
    pub stops: Stops,
    /// Texts of the checklist that cost.
    pub unmet: Vec<String>,
    /// The part with the least score: a site, or a way.
    pub weakest: Option<String>,
}

const UNMET: &str = "Not met: ";
const WEAKEST: &str = "The weakest part: ";

impl Complaint {
    /// Whether a message is one. Such messages repeat wishes, and name sites that are not wanted.
    pub fn is(message: &str) -> bool {
        message.starts_with(UNMET) || message.starts_with(WEAKEST)
    }

    pub fn write(unmet: &[String], weakest: Option<&str>) -> String {
        let mut text: String = unmet
            .iter()
            .map(|item| format!("{UNMET}{item}.\n"))
            .collect();
        if let Some(weakest) = weakest {
            text += &format!("{WEAKEST}{weakest}.");
        }
        text.trim_end().to_owned()
    }

    pub fn read(message: &str, stops: Stops) -> Complaint {
        let part = |line: &str, mark: &str| {
            Some(line.strip_prefix(mark)?.trim_end_matches('.').to_owned())
        };
        Complaint {
            stops,
            unmet: message
                .lines()
                .filter_map(|line| part(line, UNMET))
                .collect(),
            weakest: message.lines().find_map(|line| part(line, WEAKEST)),
        }
    }
}

/// A wish as a preference with a drawn weight; none for what has no weight.
fn drawn(wish: &Value, chance: &mut Chance) -> Option<Preference> {
    let weight = chance.between(1, 10);
    let coin = chance.below(2) == 1;
    let penalize = wish["must"].as_bool().unwrap_or(coin);
    let text = String::new();
    if let Some(name) = wish["feature"].as_str() {
        let values = |field: &str| serde_json::from_value(wish[field].clone()).unwrap_or_default();
        let value_sets = [values("dislike"), values("like")];
        return Some(Preference::Feature {
            text,
            weight,
            name: name.to_owned(),
            value_sets,
        });
    }
    if let Some(budget) = wish["budget"].as_i64() {
        let text = format!("keep budget below ${budget}");
        return Some(Preference::Budget {
            text,
            weight: -weight,
            budget,
        });
    }
    if let Some(etype) = wish["category"].as_str() {
        let text = format!("go to at least one {etype}");
        return Some(Preference::Category {
            text,
            weight,
            etype: etype.to_owned(),
            penalize,
        });
    }
    if wish["visit"].is_array() {
        let event_set: Vec<String> =
            serde_json::from_value(wish["visit"].clone()).unwrap_or_default();
        // The user's own words name the sites.
        let text = event_set.join(", ");
        return Some(Preference::Visit {
            text,
            weight,
            event_set,
            penalize,
        });
    }
    (!wish["travel"].is_null()).then(|| Preference::Travel {
        text,
        weight: -weight,
    })
}

/// How well drawn weights fit what was said.
fn fit(world: &PlanningWorld, complaint: &Complaint) -> f64 {
    let score = score(world, &complaint.stops, false);
    let mut fit = 1.0;
    let name = |slot: usize| {
        complaint.stops[slot]
            .and_then(|site| world.sites.get(site))
            .map(|site| site.name.as_str())
    };
    if let Some(weakest) = &complaint.weakest {
        let least = score.by_slot.iter().min().copied().unwrap_or(0);
        let said = (0..score.by_slot.len()).any(|place| {
            let named = match place % 2 {
                0 => name(place / 2).is_some_and(|name| weakest == name),
                _ => {
                    weakest.starts_with("Travel")
                        && name(place / 2)
                            .is_some_and(|from| weakest.contains(&format!("from {from} ")))
                }
            };
            named && score.by_slot[place] == least
        });
        fit *= if said { 1.0 } else { MISFIT };
    }
    for (text, value) in &score.overall {
        let said = complaint
            .unmet
            .iter()
            .any(|item| item == text || item.ends_with(text.as_str()));
        fit *= if said == (*value < 0) { 1.0 } else { MISFIT };
    }
    fit
}

/// Gives wishes the weights that fit what was said best on average.
pub(super) fn weighed(city: &PlanningWorld, wishes: &mut [Value], complaints: &[Complaint]) {
    if complaints.is_empty() {
        return;
    }
    let mut chance = Chance::new(1);
    let mut sums = vec![0.0; wishes.len()];
    let mut total = 0.0;
    let mut world = city.clone();
    for _ in 0..DRAWS {
        let drawn: Vec<Option<Preference>> =
            wishes.iter().map(|wish| drawn(wish, &mut chance)).collect();
        world.preferences = drawn.iter().flatten().cloned().collect();
        let weight: f64 = complaints
            .iter()
            .map(|complaint| fit(&world, complaint))
            .product();
        total += weight;
        for (sum, preference) in sums.iter_mut().zip(&drawn) {
            // A bonus counts twice where its lack costs, too; 1.5 times is what is usual.
            let counts = match preference {
                Some(
                    Preference::Visit {
                        weight, penalize, ..
                    }
                    | Preference::Category {
                        weight, penalize, ..
                    },
                ) => *weight as f64 * if *penalize { 2.0 } else { 1.0 },
                Some(other) => other.weight().abs() as f64,
                None => 0.0,
            };
            *sum += weight * counts;
        }
    }
    if total <= 0.0 {
        return;
    }
    for (wish, sum) in wishes.iter_mut().zip(sums) {
        let mean = sum / total;
        let factor = match wish["must"].as_bool() {
            Some(true) => 2.0,
            Some(false) => 1.0,
            None => 1.5,
        };
        if wish["visit"].is_array() || !wish["category"].is_null() {
            wish["weight"] = json!(mean / factor);
        } else if !wish["travel"].is_null() {
            wish["travel"] = json!(mean);
        } else if mean > 0.0 {
            wish["weight"] = json!(mean);
        }
    }
}
