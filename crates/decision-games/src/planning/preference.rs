//! What a user of planning wants.

use serde::{Deserialize, Serialize};

use super::site::{Feature, Site};

/// One wish with its weight. The texts are what the user reads; weights are hidden from all.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind")]
pub enum Preference {
    /// Each site with a liked value gains the weight, with a disliked one it loses it.
    #[serde(rename = "FeaturePreference")]
    Feature {
        /// What the user reads.
        text: String,
        /// The points.
        weight: i64,
        /// The exact name of the feature.
        name: String,
        /// The disliked and the liked values.
        value_sets: [Vec<Feature>; 2],
    },
    /// Loses the weight, which is negative, once the prices exceed the budget.
    #[serde(rename = "PriceBudgetPreference")]
    Budget {
        /// What the user reads.
        text: String,
        /// The points, negative.
        weight: i64,
        /// The greatest sum of prices that is within.
        budget: i64,
    },
    /// Gains the weight if any site is in the set.
    #[serde(rename = "WantToGo")]
    Visit {
        /// What the user reads.
        text: String,
        /// The points.
        weight: i64,
        /// The names of the sites.
        event_set: Vec<String>,
        /// Loses the weight otherwise.
        penalize: bool,
    },
    /// Gains the weight if any site has the type.
    #[serde(rename = "AtLeastOneEventType")]
    Category {
        /// What the user reads.
        text: String,
        /// The points.
        weight: i64,
        /// The type.
        etype: String,
        /// Loses the weight otherwise.
        penalize: bool,
    },
    /// Loses the weight, which is negative, for each mile of each leg.
    #[serde(rename = "DistancePreference")]
    Travel {
        /// What the user reads.
        text: String,
        /// The points, negative.
        weight: i64,
    },
}

impl Preference {
    /// What the user reads.
    pub fn text(&self) -> &str {
        match self {
            Preference::Feature { text, .. }
            | Preference::Budget { text, .. }
            | Preference::Visit { text, .. }
            | Preference::Category { text, .. }
            | Preference::Travel { text, .. } => text,
        }
    }

    /// The points.
    pub fn weight(&self) -> i64 {
        match self {
            Preference::Feature { weight, .. }
            | Preference::Budget { weight, .. }
            | Preference::Visit { weight, .. }
            | Preference::Category { weight, .. }
            | Preference::Travel { weight, .. } => *weight,
        }
    }

    /// What one site gains by this; 0 for wishes about the whole.
    pub fn of_site(&self, site: &Site) -> i64 {
        let Preference::Feature {
            weight,
            name,
            value_sets: [disliked, liked],
            ..
        } = self
        else {
            return 0;
        };
        match site.features.get(name) {
            Some(value) if liked.contains(value) => *weight,
            Some(value) if disliked.contains(value) => -weight,
            _ => 0,
        }
    }

    /// What a leg of so many tenths of a mile costs by this: whole points, toward zero.
    pub fn of_leg(&self, tenths: i64) -> i64 {
        match self {
            Preference::Travel { weight, .. } => -(weight.abs() * tenths / 10),
            _ => 0,
        }
    }

    /// What the sites together gain by this. None for wishes about single sites and legs.
    ///
    /// With `lenient` an unmet wish for a category costs nothing.
    pub fn of_all(&self, sites: &[&Site], lenient: bool) -> Option<i64> {
        let met = |met: bool, weight: i64, penalize: bool| match (met, penalize) {
            (true, _) => weight,
            (false, true) => -weight,
            (false, false) => 0,
        };
        match self {
            Preference::Feature { .. } | Preference::Travel { .. } => None,
            Preference::Budget { weight, budget, .. } => {
                let price: i64 = sites.iter().map(|site| site.price).sum();
                Some(if price > *budget { -weight.abs() } else { 0 })
            }
            Preference::Visit {
                weight,
                event_set,
                penalize,
                ..
            } => {
                let any = sites.iter().any(|site| event_set.contains(&site.name));
                Some(met(any, *weight, *penalize))
            }
            Preference::Category {
                weight,
                etype,
                penalize,
                ..
            } => {
                let any = sites.iter().any(|site| site.kind == *etype);
                Some(met(any, *weight, *penalize && !lenient))
            }
        }
    }
}
